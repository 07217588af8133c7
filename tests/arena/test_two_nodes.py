"""A series on a Ray cluster of two nodes, each with an object store of its own. A worker of each is killed."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

import azalai
from azalai.arena.simulate import simulate
from tests.arena.test_cluster import descendants
from tests.arena.test_cluster import pytestmark as marks_of_clusters
from tests.arena.test_store import rows
from tests.harness.play import EVERY_GAME

pytest.importorskip("pyarrow")
GAMES = 40_000
pytestmark = marks_of_clusters


@pytest.fixture
def nodes():
    """A head and a second node, a core each."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}}
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error", runtime_env=environment)
    yield ray
    ray.shutdown()
    cluster.shutdown()


def parent(process: int) -> int:
    """The process that began another: of a worker, its node's."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_workers_of_two_nodes_lose_nothing_and_repeat_nothing(nodes, tmp_path):
    game = azalai.game(EVERY_GAME[0])
    players = ["random"] * game.seats[0]
    assert len({node["ObjectStoreSocketName"] for node in nodes.nodes()}) == 2
    killed: dict[int, int] = {}
    done = threading.Event()

    def kill_a_worker_of_each_node():
        while len(killed) < 2 and not done.is_set():
            for process, title in descendants():
                try:
                    node = parent(process)
                    if title.startswith("ray::play_part") and node not in killed:
                        os.kill(process, signal.SIGKILL)
                        killed[node] = process
                except OSError:
                    continue
            time.sleep(0.002)

    killer = threading.Thread(target=kill_a_worker_of_each_node)
    killer.start()
    there = simulate(game, players, GAMES, seed=5, folder=tmp_path / "there", on="ray")
    done.set()
    killer.join()
    assert len(killed) == 2, "a node had no worker that could be killed while it was playing"
    here = simulate(game, players, GAMES, seed=5, folder=tmp_path / "here")
    assert there.as_dict() == here.as_dict()
    assert there.games == GAMES
    assert rows(tmp_path / "there") == rows(tmp_path / "here")
