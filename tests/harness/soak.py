"""A million games under all invariants: `python -m tests.harness.soak GAME [GAMES]`, over all numbers of seats, on all cores."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import azalai
from tests.harness.play import soak

CHUNK = 5000


def main(name: str, games: int = 1_000_000) -> int:
    """Play, say what came of it; 1 when a invariant was broken."""
    game = azalai.game(name)
    tasks = [(seats, first) for seats in game.seats for first in range(0, games // len(game.seats) + 1, CHUNK)]
    began, decisions, played = time.perf_counter(), 0, 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (seats, _), (broken, result) in zip(
            tasks, pool.map(lambda task: soak(game, task[0], CHUNK, 1, task[1]), tasks), strict=True
        ):
            if broken:
                print(f"{name}, {seats} seats, seed 1, game {result}: {game.invariants[broken - 1] if broken > 0 else broken}")
                return 1
            decisions += result
            played += CHUNK
    seconds = time.perf_counter() - began
    print(f"{name}: {played:,} games, {decisions:,} decisions in {seconds:.0f} s, no invariant broken")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
