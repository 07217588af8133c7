"""How a series scales over the nodes of a Ray cluster: one and two nodes on this machine, each with an object store of its own.

python -m benchmarks.cluster targui --games 200000
"""

from __future__ import annotations

import argparse
import os
import sys
import time

import azalai
from azalai.arena.simulate import simulate


def games_per_second(name: str, games: int, nodes: int) -> float:
    """Play random games on so many nodes of one core each, by the clock on the wall."""
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(nodes - 1):
        cluster.add_node(num_cpus=1)
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}}
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error", runtime_env=environment)
    try:
        game = azalai.game(name)
        players = ["random"] * game.seats[0]
        simulate(game, players, 4_000, seed=1, on="ray")  # workers start and load what is compiled
        began = time.perf_counter()
        simulate(game, players, games, seed=2, on="ray")
        return games / (time.perf_counter() - began)
    finally:
        ray.shutdown()
        cluster.shutdown()


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=200_000, metavar="N")
    args = parser.parse_args()
    for nodes in (1, 2):
        print(f"| {args.game} | {nodes} | {games_per_second(args.game, args.games, nodes):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
