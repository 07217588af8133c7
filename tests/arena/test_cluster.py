"""A series on a Ray cluster of this machine."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

import azalai
from azalai.arena.series import Series
from azalai.arena.simulate import simulate
from azalai.engine.errors import BadOption
from azalai.engine.gpu.driver import NoDevice
from tests.arena.test_store import rows
from tests.harness.play import EVERY_GAME

pytest.importorskip("pyarrow")

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def start(gpus=0, **environment):
    """Start a cluster of two workers, and of as many GPUs as Ray is told."""
    ray = pytest.importorskip("ray")
    environment["env_vars"] = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ray.init(
        num_cpus=2, num_gpus=gpus, include_dashboard=False, log_to_driver=False, logging_level="error", runtime_env=environment
    )
    return ray


@pytest.fixture(scope="module")
def cluster():
    """Two workers."""
    ray = start()
    yield
    ray.shutdown()


@pytest.fixture
def stopped(cluster):
    """The other cluster, away for a while."""
    import ray

    ray.shutdown()
    yield
    ray.shutdown()
    start()


class CpuForGpu:
    """Plays on the CPU what a worker of Ray was to play on its GPU."""

    def __init__(self, game, seats, seed, device, options):
        assert device == "cuda"
        assert os.environ["CUDA_VISIBLE_DEVICES"] == "0", "Ray gave the worker no GPU"
        self.series = Series.of(game, ["random"] * seats, seed, options)

    def play(self, first, count):
        return self.series.play(first, count).rows


def pretend_that_there_is_a_gpu():
    from azalai.engine.gpu import series

    series.RandomSeries = CpuForGpu  # type: ignore[misc, assignment]


def descendants() -> list[tuple[int, str]]:
    """All processes begun by this one or by its children, with their titles."""
    parents, titles = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
            titles[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        parents[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
    found = []
    for process in parents:
        one = process
        while one in parents and one != os.getpid():
            one = parents[one]
        if one == os.getpid() and process != os.getpid():
            found.append((process, titles[process]))
    return found


def test_a_cluster_gives_the_rows_of_a_local_run(cluster, tmp_path):
    name = EVERY_GAME[0]
    game = azalai.game(name)
    players = ["greedy", *["random"] * (game.seats[0] - 1)]
    here = simulate(game, players, 40, seed=3, folder=tmp_path / "here", decisions=True)
    there = simulate(game, players, 40, seed=3, folder=tmp_path / "there", decisions=True, on="ray")
    assert there.as_dict() == here.as_dict()
    assert rows(tmp_path / "there") == rows(tmp_path / "here")
    assert rows(tmp_path / "there", "decisions") == rows(tmp_path / "here", "decisions")


def test_the_death_of_a_worker_changes_nothing(cluster, tmp_path):
    name = EVERY_GAME[0]
    game = azalai.game(name)
    players = ["random"] * game.seats[0]
    killed: list[int] = []

    def kill_a_worker():
        while not killed:
            for process, title in descendants():
                if title.startswith("ray::play_part"):
                    os.kill(process, signal.SIGKILL)
                    killed.append(process)
                    return
            time.sleep(0.002)

    killer = threading.Thread(target=kill_a_worker)
    killer.start()
    there = simulate(game, players, 30_000, seed=5, folder=tmp_path / "there", on="ray")
    killer.join(60)
    assert killed, "no worker could be killed while it was playing"
    here = simulate(game, players, 30_000, seed=5, folder=tmp_path / "here")
    assert there.as_dict() == here.as_dict()
    assert rows(tmp_path / "there") == rows(tmp_path / "here")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_workers_share_a_gpu_of_ray_and_play_the_same_games(stopped, tmp_path):
    start(gpus=1, worker_process_setup_hook=pretend_that_there_is_a_gpu)
    game = azalai.game(EVERY_GAME[0])
    players = ["random"] * game.seats[0]
    there = simulate(game, players, 300, seed=5, folder=tmp_path / "there", on="ray", device="cuda", gpus=0.5)
    here = simulate(game, players, 300, seed=5, folder=tmp_path / "here")
    assert there.as_dict() == here.as_dict()
    assert rows(tmp_path / "there") == rows(tmp_path / "here")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_node_that_has_no_gpu_although_ray_was_told_so_is_named(stopped):
    start(gpus=1, worker_process_setup_hook=hide_the_driver)
    game = azalai.game(EVERY_GAME[0])
    with pytest.raises(NoDevice, match=r"^on .+, which has a GPU as Ray was told, there is no NVIDIA driver on this machine"):
        simulate(game, ["random"] * game.seats[0], 300, on="ray", device="cuda")


def hide_the_driver():
    import ctypes

    def nothing(name):
        raise OSError(name)

    ctypes.CDLL = nothing  # type: ignore[misc, assignment]


def test_a_cluster_without_a_gpu_says_so(cluster):
    game = azalai.game(EVERY_GAME[0])
    with pytest.raises(BadOption, match="no node of the Ray cluster has a GPU: leave out the device, or ray start --num-gpus=1"):
        simulate(game, ["random"] * game.seats[0], 300, on="ray", device="cuda")


def test_what_part_of_a_gpu_a_worker_gets_is_checked():
    game = azalai.game(EVERY_GAME[0])
    for device, gpus, message in (
        ("cuda:1", 1, "Ray chooses which GPU a worker gets: the device is cuda, not cuda:1"),
        ("cuda", 0, "more than 0 and at most 1, not 0"),
        ("cuda", 1.5, "more than 0 and at most 1, not 1.5"),
    ):
        with pytest.raises(BadOption, match=message):
            simulate(game, ["random"] * game.seats[0], 10, on="ray", device=device, gpus=gpus)
