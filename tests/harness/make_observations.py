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

Bits follow their records, and so do bytes in games without conclusions. A batch keeps a row for every game and seat, and what the
seat knew then; only numbers whose cells have changed since are written, and the row is copied to where it is wanted. So `seats`
rows and as many copies of what is observed are kept for each game: as bits 0.4 to 1.0 kB a seat, as bytes 1.2 to 1.5 kB. Other
kinds are written anew, and nothing is kept for them. [performance.md](performance.md) has the speed of each kind.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name in azalai.games():
        layout = azalai.game(name).observation
        parts += [f"## {name.capitalize()}: {layout.size} numbers\n", layout.describe() + "\n"]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
