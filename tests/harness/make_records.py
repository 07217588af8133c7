"""Writes what the harness compares with: `python -m tests.harness.make_records GAME`.

To be run when a game is new or its rules version has risen, and its result to be read before it is committed.
"""

from __future__ import annotations

import json
import random
import sys

import azalai
from azalai.engine.record import to_record
from tests.harness.play import RECORDS, count_positions, playthrough

SEARCH = 600  # games looked at for every way to end


def main(name: str) -> None:
    """Make all files of one game anew."""
    game = azalai.game(name)
    folder = RECORDS / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    counts = {str(seats): count_positions(name, seats, 7) for seats in game.seats}
    (folder / "counts.json").write_text(json.dumps(counts) + "\n")
    (folder / "playthrough.txt").write_text(playthrough(name, game.seats[0], 7, 400), encoding="utf-8")
    for seats in game.seats:
        missing = set(game.ends)
        for seed in range(SEARCH):
            position = game.new(seats, seed)
            players = [azalai.bot(kind, game, seed) for kind in _table(seats, seed)]
            while not position.over:
                position.play(players[position.seat].choose(position))
            if position.end in missing:
                missing.discard(position.end)
                result = {"end": position.end, "scores": position.scores, "ranking": position.ranking}
                path = folder / f"{seats}-{position.end.replace(' ', '-')}.json"
                path.write_text(json.dumps({**to_record(position), "result": result}) + "\n")
                print(f"{path.name}: {position.ply} decisions, {result}")
            if not missing:
                break
        for end in missing:
            print(f"with {seats} seats no game ended by {end!r}", file=sys.stderr)


def _table(seats: int, seed: int) -> list[str]:
    """Who plays: mixed company, so that games end in different ways."""
    chance = random.Random(seed)
    return [chance.choice(("greedy", "random")) for _ in range(seats)]


if __name__ == "__main__":
    main(sys.argv[1])
