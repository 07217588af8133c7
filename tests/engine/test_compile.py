"""Rules begin interpreted and change over between two decisions, with the same bytes, while another process compiles them."""

import os
import subprocess
import sys

import pytest

from azalai.engine.background import Background
from azalai.engine.game import load_game
from azalai.engine.rule import INTERPRET

compiled = pytest.mark.skipif(INTERPRET, reason="what is interpreted is not compiled")

CHANGE_OVER = """
import random, sys
from azalai.engine.compile import is_ready, wait_compiled
from azalai.engine.position import Position
from tests.engine.nim import NIM

def play(position, chance, plies):
    while not position.over and position.ply < plies:
        position.play(chance.choice(position.moves()))

changing, chance = NIM.new(seed=5), random.Random(1)
play(changing, chance, 3)
assert not is_ready(NIM, "azalai.engine.position") and "numba" not in sys.modules
wait_compiled(NIM, "azalai.engine.position")
assert is_ready(NIM, "azalai.engine.position") and "numba" in sys.modules
play(changing, chance, 1000)
again = NIM.new(seed=5)
play(again, random.Random(1), 1000)
assert changing.over and changing == again and changing.view(0) == again.view(0)
print(changing.tobytes().hex())
"""

IN_THE_BACKGROUND = """
import sys, threading, time, warnings
warnings.simplefilter("error")
import azalai
from azalai.engine.compile import is_ready, wait_compiled

PART = "azalai.bots.player"
game = azalai.game("wells")
position = game.new(seed=1)
weak, strong = azalai.bot("1", game, seed=1), azalai.bot("6", game, seed=1)
assert not is_ready(game, PART)

def begin():  # in a thread of its own, in which NumPy would warn of numbers that wrap around
    for player in (weak, strong, weak):
        position.play(player.choose(position.seen_by(position.seat)))
    few.append(strong.analyse(position.seen_by(position.seat), 10**9, games=5))

few = []
thread = threading.Thread(target=begin)
thread.start()
thread.join()
assert position.ply == 3
assert 0 < few[0].iterations < 10**9 and not any(one.outlook.games for one in few[0].moves)
wait_compiled(game, PART)
assert is_ready(game, PART)
many = strong.analyse(position.seen_by(position.seat), 3000, games=5)
assert many.iterations == 3000 and many.moves[0].outlook.games == 5
from azalai.cli import main
assert main(["prepare", "wells"]) == 0
batch = game.batch(8, threads=2)
for _ in range(50):
    batch.step(batch.random_moves(), restart=True)
"""


def run(code, tmp_path, path="", **environment):
    search = os.pathsep.join(filter(None, (path, *sys.path)))
    everything = {
        **os.environ,
        "PYTHONPATH": search,
        "AZALAI_CACHE": str(tmp_path / "cache"),
        "AZALAI_COMPILE": "",
        **environment,
    }
    done = subprocess.run([sys.executable, "-c", code], env=everything, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


@compiled
@pytest.mark.timeout(300)
def test_rules_change_over_between_two_decisions_and_write_the_same_bytes(tmp_path):
    assert len(run(CHANGE_OVER, tmp_path)) > 100


@compiled
@pytest.mark.timeout(900)
def test_a_game_is_played_while_another_process_compiles_it(tmp_path):
    package = tmp_path / "site" / "wells-1.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: wells\nVersion: 1\n", encoding="utf-8")
    (package / "entry_points.txt").write_text("[azalai.games]\nwells = tests.cli.wells\n", encoding="utf-8")
    said = run(IN_THE_BACKGROUND, tmp_path, str(tmp_path / "site"))
    assert said == "Compiled for this machine: wells"


def test_the_game_that_somebody_plays_is_compiled_first():
    background = Background()
    background._running = True  # no thread begins to work on it
    first, second = load_game("targui"), load_game("targi")
    background.request(first, "rules", "search")
    background.request(second, "rules", "search")
    background.prefer(second)
    assert background._wanted == [(second, "rules"), (second, "search"), (first, "rules"), (first, "search")]
