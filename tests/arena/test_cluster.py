"""A series on a Ray cluster of this machine."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

import azalai
from azalai.arena.simulate import simulate
from tests.arena.test_store import rows
from tests.harness.play import EVERY_GAME

pytest.importorskip("pyarrow")

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def cluster():
    """Two workers."""
    ray = pytest.importorskip("ray")
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error", runtime_env=environment)
    yield
    ray.shutdown()


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
