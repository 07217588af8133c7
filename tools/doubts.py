"""Where a level errs: play a game of the ladder again and ask a longer search about every decision of the one player.

    python -m tools.doubts GAME/2/1/6/greedy/7 --iterations 50000 --record game.json

It lists the decisions that the longer search rates worst, compared with the best it finds, with the ply at which
`azalai analyse RECORD --at PLY` shows them. The longer search uses the same `evaluate`, so it finds what the level would do
better with more work, and not what no level understands.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import azalai
from azalai.arena.match import invite, play_out
from azalai.bots.levels import searches
from azalai.bots.player import Search
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.record import save

CUTOFF = 40  # whole moves: long, for the longer search is to look further too


@dataclass(frozen=True, order=True)
class Doubt:
    """A decision that a longer search would not have made."""

    sure: float  # how much less it expects at least, from 0 to 1: what remains of `loss` after half a 95 % interval
    loss: float
    ply: int
    phase: str
    played: str
    better: str


def main() -> None:
    """Play a game again and list its doubtful decisions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("key", help="a game of a ladder: GAME/SEATS/SEED/ONE/OTHERS/NUMBER, as in docs/ladder")
    parser.add_argument("--iterations", type=int, default=50_000, help="of the longer search")
    parser.add_argument("--record", type=Path, help="write the game's record to this file")
    args = parser.parse_args()
    position, found = doubts(args.key, args.iterations)
    if args.record:
        save(position, args.record)
    print(f"{args.key}: {position.end}, points {position.scores}")
    for one in sorted(found, reverse=True)[:5]:
        print(f"{one.loss:.3f} (at least {one.sure:.3f})  ply {one.ply}, {one.phase}: {one.played}; better {one.better}")


def doubts(key: str, iterations: int) -> tuple[Position, list[Doubt]]:
    """Return the finished game, and the decisions that the longer search doubts."""
    name, seats, seed, one, others, number = key.split("/")
    deal, seat = divmod(int(number), int(seats))
    game = azalai.game(name)
    position = game.new(int(seats), int(seed) * 1_000_000 + deal)
    table = [one if place == seat else others for place in range(int(seats))]
    players = invite(game, table, key)
    judge = Search(game, replace(searches(game)[-1], iterations=iterations, cutoff=CUTOFF), seed=1)
    found: list[Doubt] = []

    def watch(now: Position, move: Move) -> None:
        if now.seat != seat or len(now.move_ids()) < 2:
            return
        best, *rest = judge.analyse(now.seen_by(seat), games=0).moves
        for report in rest:
            if report.move == move:
                loss = best.outlook.value[seat] - report.outlook.value[seat]
                sure = loss - report.outlook.error[seat]
                found.append(Doubt(sure, loss, now.ply, now.phase, str(move), str(best.move)))

    play_out(position, players, watch)
    return position, found


if __name__ == "__main__":
    main()
