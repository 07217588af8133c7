"""How fast games are on a GPU.

python -m benchmarks.gpu targui                                                     # where Numba-CUDA and a GPU are
AZALAI_INTERPRET=1 AZALAI_KERNELS=FOLDER python -m benchmarks.gpu targui            # where only a driver is
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from azalai.engine import discovery
from azalai.engine.encode import KINDS
from azalai.engine.game import Game
from azalai.engine.gpu.__main__ import find
from azalai.engine.gpu.batch import DeviceBatch

SECONDS = 0.5


def decisions_per_second(batch: DeviceBatch, work: Callable[[], object], decisions: int = 1) -> float:
    """Do `work`, which makes so many decisions in every game, again and again for about half a second."""
    work()
    batch.device.synchronize()
    times, began = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < SECONDS:
        for _ in range(4):
            work()
        batch.device.synchronize()
        times += 4
    return times * len(batch) * decisions / elapsed


def rows(game: Game, seats: int, count: int) -> dict[str, float]:
    """What is measured, by name."""
    found = {}
    batch = game.batch(count, seats, seed=1, device="cuda", events=False)
    batch.rollout(200)
    found["rollout"] = decisions_per_second(batch, lambda: batch.rollout(100), 100)

    def step() -> None:
        batch.step(batch.random_moves(), restart=True)

    found["step and mask"] = decisions_per_second(batch, step)
    for kind in KINDS if game.features else ():
        for conclusions in (False, True) if game.observation.with_conclusions.concludes else (False,):

            def observed(kind: str = kind, conclusions: bool = conclusions) -> None:
                step()
                batch.observe(kind=kind, conclusions=conclusions)

            what = f"step, mask and {kind}{' with conclusions' if conclusions else ''}"
            found[what] = decisions_per_second(batch, observed)
    batch = game.batch(count, seats, seed=1, device="cuda")
    batch.rollout(200)
    found["rollout with events"] = decisions_per_second(batch, lambda: batch.rollout(100), 100)
    found["step and mask with events"] = decisions_per_second(batch, lambda: batch.step(batch.random_moves(), restart=True))
    return found


def main() -> None:
    """Print a table: million decisions a second, by game, seats and kind of work."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--count", type=int, default=65536, metavar="N", help="games in a batch")
    parser.add_argument("games", nargs="*", metavar="GAME", help="an installed game, or module:NAME")
    args = parser.parse_args()
    for name in args.games or discovery.installed():
        game = find(name)
        for what, speed in rows(game, game.seats[0], args.count).items():
            print(f"| {game.name} | {game.seats[0]} | {args.count} | {what} | {speed / 1e6:,.1f} |", flush=True)


if __name__ == "__main__":
    main()
