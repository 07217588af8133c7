"""Games on a GPU. Where there is none, only what is said then can be tested, and what records without events do."""

import ctypes
import functools
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from azalai.arena.series import Series
from azalai.arena.simulate import simulate
from azalai.engine import discovery
from azalai.engine.errors import BadOption, IllegalMove
from azalai.engine.game import load_game
from azalai.engine.gpu import compile, driver
from azalai.engine.gpu.batch import check_room
from azalai.engine.gpu.series import RandomSeries
from azalai.engine.gpu.signatures import ROLLOUTS, rollout_kernels
from azalai.engine.rule import INTERPRET, PACKAGE, sources
from tests.engine.nim import NIM
from tests.harness.digests import digests, on_host

TABLES = [(name, seats) for name in discovery.installed() for seats in load_game(name).seats]


@functools.cache
def there_is_a_gpu():
    try:
        driver.device()
    except driver.NoDevice:
        return False
    return True


on_a_gpu = pytest.mark.skipif(not there_is_a_gpu() or INTERPRET, reason="needs a GPU, and rules that are compiled")


@on_a_gpu
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_gpu_writes_the_bytes_that_a_cpu_writes(name, seats):
    game = load_game(name)
    here, there = (digests(game.batch(4096, seats, seed=7, device=device)) for device in ("cpu", "cuda"))
    assert list(here) == list(there)


@on_a_gpu
@pytest.mark.timeout(900)
@pytest.mark.parametrize("events", [True, False])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_rollout_is_so_many_random_steps(name, seats, events):
    stepped, rolled = (load_game(name).batch(1000, seats, seed=7, device="cuda", events=events) for _ in range(2))
    ended, rewards = np.zeros(1000, np.int32), np.zeros((1000, seats), np.float32)
    for _ in range(400):
        stepped.step(stepped.random_moves(), restart=True)
        ended += stepped.done.numpy()
        rewards += stepped.rewards.numpy()
    rolled.rollout(400)
    assert rolled.states.numpy().tobytes() == stepped.states.numpy().tobytes()
    assert (rolled.legal_mask().numpy() == stepped.legal_mask().numpy()).all()
    assert (rolled.ended.numpy() == ended).all()
    assert (rolled.rewards.numpy() == rewards).all()


@on_a_gpu
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ["targui", "tuareg"])
def test_some_games_are_stepped_restarted_and_reseeded_as_on_a_cpu(name):

    def told(batch):
        return [on_host(one).tobytes() for one in (batch.states, batch.legal_mask(), batch.rewards, batch.done, batch.dealt)]

    chance, count = np.random.default_rng(3), 500
    here, there = (load_game(name).batch(count, seed=7, device=device) for device in ("cpu", "cuda"))
    for step in range(60):
        where, seeds = chance.random(count) < 0.7, chance.integers(0, 1 << 40, count)
        for batch in (here, there):
            batch.step(batch.random_moves(), restart=step % 2 == 0, where=where)
            if step % 10 == 9:
                batch.reseed(seeds, where=~where)
                assert batch.restart(where) == where.sum()
                batch.restart()
        for ours, theirs in zip(told(here), told(there), strict=True):
            assert ours == theirs
    there.rollout(50)
    for _ in range(50):
        here.step(here.random_moves(), restart=True)
    assert on_host(there.states).tobytes() == on_host(here.states).tobytes()
    with pytest.raises(IllegalMove, match="is not legal in game 3"):
        there.step(np.full(count, -1), where=np.arange(count) >= 3)


@on_a_gpu
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_simulation_on_a_gpu_plays_the_games_of_a_cpu(name, seats):
    game, players = load_game(name), ["random"] * seats
    rows = Series.of(game, players, 5).play(7, 2000).rows
    assert (RandomSeries(game, seats, 5, "cuda", {}).play(7, 2000) == rows).all()
    results = simulate(game, players, 2000, seed=5, first=7, device="cuda")
    assert results.as_dict()["decisions"] == simulate(game, players, 2000, seed=5, first=7).as_dict()["decisions"]


def test_a_gpu_simulates_random_players_alone():
    for players, wish, message in (
        (["greedy", "random"], {}, "on a GPU only random plays, not greedy"),
        (["random", "random"], {"on": "the moon"}, "games are played here or on ray, not on 'the moon'"),
        (["random", "random"], {"decisions": True, "folder": "unused"}, "decisions are written by the CPU alone"),
    ):
        with pytest.raises(BadOption, match=message):
            simulate(load_game("targi"), players, 10, device="cuda", **wish)


def test_observations_go_only_into_an_array_on_a_gpu_that_has_their_shape_and_no_gaps():
    def out(shape, typestr="<f2", strides=None):
        return SimpleNamespace(__cuda_array_interface__={"shape": shape, "typestr": typestr, "strides": strides})

    for fits in (out((4, 10)), out((4, 10), strides=(20, 2)), out((4, 10), "|V2")):
        check_room(fits, (4, 10), 2)
    for other in (out((4, 11)), out((3, 10)), out((4, 10), "<f4"), out((40,))):
        with pytest.raises(BadOption, match="observations are 4 rows of 10 columns, 2 bytes each"):
            check_room(other, (4, 10), 2)
    with pytest.raises(BadOption, match="without gaps"):
        check_room(out((4, 10), strides=(22, 2)), (4, 10), 2)


def test_without_a_driver_a_sentence_says_so(monkeypatch):
    def nothing(name):
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", nothing)
    monkeypatch.setattr(driver, "_library", driver._library.__wrapped__)
    monkeypatch.setattr(driver, "device", driver.device.__wrapped__)
    with pytest.raises(driver.NoDevice, match="there is no NVIDIA driver on this machine"):
        NIM.batch(4, device="cuda")
    with pytest.raises(driver.NoDevice, match="there is no NVIDIA driver on this machine"):
        simulate(NIM, ["random", "random"], 10, device="cuda")


def test_a_device_that_is_none_is_refused():
    with pytest.raises(driver.NoDevice, match="a device is called cpu, cuda or cuda:1, not 'tpu'"):
        NIM.batch(4, device="tpu")


def test_without_the_compiler_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    monkeypatch.setattr(compile, "_compiler_version", compile._compiler_version.__wrapped__)
    with pytest.raises(compile.NoKernel, match=r"pip install 'azalai\[gpu\]'"):
        compile.compile_kernel(NIM, NIM.schema.dtype, "step")


def test_kernels_written_elsewhere_are_used_only_if_they_are_of_these_sources(monkeypatch, tmp_path):
    monkeypatch.setenv(compile.FOLDER, str(tmp_path))
    path = tmp_path / compile.file_name(NIM, NIM.schema.dtype, "step")
    path.write_text("// azalai: nim step, sources of last year\n")
    with pytest.raises(compile.NoKernel, match="is missing or of another version"):
        compile.kernel_text(NIM, NIM.schema.dtype, "step")
    path.write_text(f"{compile._title(NIM, 'step')}\n.version 8.0\n")
    assert compile.kernel_text(NIM, NIM.schema.dtype, "step").endswith(b".version 8.0\n")


def test_a_change_of_a_kernel_or_of_a_rule_compiles_kernels_anew(monkeypatch, tmp_path):
    fresh = compile._digest.__wrapped__
    before = fresh(NIM)
    shutil.copytree(PACKAGE / "engine" / "gpu", tmp_path / "engine" / "gpu")
    monkeypatch.setattr(compile, "PACKAGE", tmp_path)
    assert fresh(NIM) == before
    with (tmp_path / "engine" / "gpu" / "kernels.py").open("a") as file:
        file.write("#")
    assert fresh(NIM) != before
    rule = tmp_path / "rules.py"
    rule.write_text("")
    monkeypatch.undo()
    monkeypatch.setattr(compile, "sources", lambda: {**sources(), "rules.py": rule})
    assert fresh(NIM) != before


def test_games_with_large_records_are_rolled_out_in_waves():
    ways = {game.name: rollout_kernels(game) for game in (NIM, *map(load_game, discovery.installed()))}
    in_blocks = ("rollout_sorted", "rollout")
    assert ways == {
        "nim": ("rollout",),
        "targi": in_blocks,
        "targui": in_blocks,
        "timbuktu": in_blocks,
        "tuareg": ("rollout_waves",),
    }


def test_the_kernels_written_for_a_game_are_those_it_uses():
    game = load_game("tuareg")
    files = {compile.file_name(game, dtype, name) for name, dtype in compile.used_kernels(game)}
    assert {file for file in files if "rollout" in file} == {"tuareg-rollout_waves.ptx", "tuareg-no_events-rollout_waves.ptx"}
    assert {"tuareg-step.ptx", "tuareg-no_events-step.ptx", "tuareg-hide.ptx", "tuareg-observe_bits.ptx"} < files


SIMULATOR = """
import sys
import numpy as np
from numba import cuda
from azalai.engine.game import load_game
from azalai.engine.gpu import kernels
from azalai.engine.gpu.signatures import DECIDER, KERNELS, WARP, padded, sort_keys

def record_in(dtype):
    '''The simulator takes arrays for what they are, and has no addresses.'''
    def record(words):
        while not isinstance(words, np.ndarray):
            words = words._ary
        return words.view(np.dtype((np.record, dtype))).view(np.recarray)[0]
    return record

kernels._record_in = record_in
"""

ROLLOUT_IN_THE_SIMULATOR = (
    SIMULATOR
    + """
name, count, block, decisions = sys.argv[1], 21, 8, 6
game = load_game("tuareg")
batch = game.batch(count, seats=2, seed=7)
for _ in range(193):
    batch.step(batch.random_moves())
batch.restart(batch.over & (np.arange(count) % 2 == 0))
assert batch.over.any(), "a game that is over shall stay so"

keys, memory, words = sort_keys(game), batch._memory, np.asarray(batch.states).view(np.int64).reshape(count, -1)
arrays = {one: np.array(getattr(memory, one)) for one in ("mask", "seeds", "firsts", "strides", "dealt")}
arrays |= {
    "words": words.copy(),
    "blank": np.asarray(memory.blank).view(np.int64),
    "moves": np.array(memory.moves.T, order="C"),
    "counts": np.where(batch.over, 0, memory.counts),
    "rewards": np.full((count, 2), 9, np.float32),
    "done": np.ones(count, np.bool_),
    "ended": np.full(count, 9, np.int32),
    "decisions": decisions,
    "number": batch.seed + (batch._draws + 1) * count,
    "order": np.full((2, keys, count), -1, np.int32),
    "tallies": np.zeros((3, keys), np.int32),
}
kernel = cuda.jit(kernels.make_kernel(name, game, game.schema.dtype)[0])
shared = block * 8 * padded(game.schema.dtype.itemsize // 8) if name == "rollout_sorted" else 0
for wave in range(decisions + 2) if name == "rollout_waves" else (0,):
    kernel[-(-count // block), block, 0, shared](*({**arrays, "wave": wave}[one] for one in KERNELS[name]))

ended, rewards = np.zeros(count, np.int32), np.zeros((count, 2), np.float32)
for _ in range(decisions):
    batch.step(batch.random_moves(), restart=True)
    ended += batch.done
    rewards += batch.rewards
assert ended.any(), "a game shall end in the rollout"
assert (arrays["words"] == words).all()
assert (arrays["mask"] == batch.legal_mask()).all()
assert (arrays["ended"] == ended).all()
assert (arrays["done"] == (ended > 0)).all()
assert (arrays["rewards"] == rewards).all()
assert (arrays["dealt"] == batch.dealt).all()
"""
)


OBSERVATION_IN_THE_SIMULATOR = (
    SIMULATOR
    + """
from numba.cuda.simulator.kernelapi import FakeCUDAModule
from azalai.engine.encode import layout_for, program

votes = np.zeros(WARP, np.int64)

def ballot(cuda, mask, vote):
    '''A block is one warp here, and blocks run one after another.'''
    votes[cuda.threadIdx.x] = vote
    cuda.syncthreads()
    word = int((votes << np.arange(WARP)).sum())
    cuda.syncthreads()
    return word

FakeCUDAModule.syncwarp, FakeCUDAModule.ballot_sync = FakeCUDAModule.syncthreads, ballot

def launch(name, threads, arrays):
    kernel = cuda.jit(kernels.make_kernel(name, game, game.schema.dtype)[0])
    kernel[-(-threads // WARP), WARP](*(arrays[one] for one in KERNELS[name]))

kind, count, game = sys.argv[1], 2, load_game("timbuktu")
batch, size = game.batch(count, seed=7), game.schema.without_events.itemsize
for _ in range(40):
    batch.step(batch.random_moves())
for conclusions in (False, True):
    layout = layout_for(game, kind, conclusions)
    hidden, columns = np.zeros((count, size), np.int8), game.conclusions.dtype.itemsize // 2 * conclusions
    arrays = {
        "words": np.asarray(batch.states).view(np.int64).reshape(count, -1),
        "hidden": hidden.view(np.int64), "hidden_1": hidden, "hidden_2": hidden.view(np.int16), "hidden_4": hidden.view(np.int32),
        "concluded": np.full((count, columns), 99, np.int16), "viewers": np.zeros(count, np.int8),
        "seat": DECIDER, "seats": batch.seats,
        f"out_{kind}": np.full((count, layout.columns(kind)), 77, np.uint8 if kind == "bits" else kind),
    }
    for name, column in program(layout, kind, runs=False)._asdict().items():
        arrays[f"{name}_{kind}" if name in ("rows", "one") else name] = column
    launch("hide", count, arrays)
    launch(f"observe_{kind}", WARP * count, arrays)
    expected = batch.observe(kind=kind, conclusions=conclusions)
    assert (arrays[f"out_{kind}"] == expected).all()
    assert expected.any()
"""
)


def run_in_the_simulator(script: str, *arguments: str) -> None:
    """Numba's simulator interprets a kernel, thread by thread: that needs no GPU."""
    pytest.importorskip("numba_cuda")
    environment = {**os.environ, "AZALAI_INTERPRET": "1", "NUMBA_ENABLE_CUDASIM": "1"}
    ran = subprocess.run([sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("kernel", ROLLOUTS)
def test_a_rollout_in_the_simulator_is_so_many_random_steps(kernel):
    run_in_the_simulator(ROLLOUT_IN_THE_SIMULATOR, kernel)


@pytest.mark.parametrize("kind", ["float32", "bits"])
def test_an_observation_in_the_simulator_is_that_of_a_cpu(kind):
    """With and without conclusions, of which Timbuktu has some."""
    run_in_the_simulator(OBSERVATION_IN_THE_SIMULATOR, kind)


GAME_WITHOUT_EVENTS = """
import sys
import numpy as np
from azalai.engine import flow
from azalai.engine.dispatch import legal
from azalai.engine.game import load_game
from azalai.engine.rule import records

game = load_game(sys.argv[1])
chance, out, decisions = np.random.default_rng(1), np.zeros(game.max_moves, np.int32), 0
pair = [records(1, dtype)[0] for dtype in (game.schema.dtype, game.schema.without_events)]
for s in pair:
    game.header(s, int(sys.argv[2]), {})
    flow.begin(s, 1, 0)
while not pair[0].over and decisions < 200:
    move = out[chance.integers(legal(pair[0], out))]
    decisions += 1
    for s in pair:
        flow.step(s, move)
    for name in game.schema.dtype.names:
        assert name == "events" or np.array_equal(*(getattr(s, name) for s in pair)), name
"""


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_record_without_events_plays_the_same_game(name, seats):
    """Interpreted, because only then an index that is too large is noticed."""
    environment = {**os.environ, "AZALAI_INTERPRET": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", GAME_WITHOUT_EVENTS, name, str(seats)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
