"""Write docs/observations.md anew: `python -m tests.harness.make_observations`."""

from __future__ import annotations

from pathlib import Path

import azalai

PAGE = Path(__file__).resolve().parents[2] / "docs" / "observations.md"
HEAD = """# Observations

What a seat may know, as one vector of numbers from 0 to 1 for every game: where each part of it lies, its shape, how it is
written and what it means. Parts with an axis of seats begin with the own seat, the others follow in order of play; seats that do
not play are 0. [environments.md](environments.md#observations) tells how to get at it, `game.observation.describe()` prints these
tables.

`batch.observe(kind=...)` writes the numbers as `float32`, `float16`, `uint8` (0 to 255 stand for 0 to 1) or `bits`. As bits, 8 to
a byte, a tensor has a layout of its own, `game.packed_observation`: amounts are in binary, the lowest bit first. `unpack` of that
layout gives one bit to a byte; on a GPU that is best done after the transfer.

A game may have *conclusions*: numbers that a rule computes from what the seat may know, because they are hard to find for a
learning program. They take time, so one asks for them: `batch.observe(conclusions=True)`. They come behind all else, and
`game.observation.with_conclusions` is their layout; in a game without conclusions it is `game.observation` itself.

Bits and bytes follow their records. A batch keeps a row for every game and seat, and what the seat knew then; only numbers whose
cells have changed since are written, and the row is copied to where it is wanted. So `seats` rows and as many copies of what is
observed are kept for each game: as bits 0.4 to 0.7 kB a seat, as bytes 1.1 to 1.5 kB, with conclusions up to 1.4 and 2.1 kB.
Other kinds are written anew, and nothing is kept for them. [performance.md](performance.md) has the speed of each kind.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name in azalai.games():
        layout = azalai.game(name).observation
        whole = layout.with_conclusions
        parts += [f"## {name.capitalize()}: {layout.size} numbers\n", layout.describe() + "\n"]
        if whole.concludes:
            head, dashes, *rows = whole.describe().splitlines()
            parts += [f"### Conclusions: {whole.size - layout.size} numbers\n"]
            parts += ["\n".join([head, dashes, *rows[len(layout.features) :]]) + "\n"]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
