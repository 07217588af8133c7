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
