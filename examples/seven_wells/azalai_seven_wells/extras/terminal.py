"""How a position looks in the terminal."""

from __future__ import annotations

from rich.text import Text

from azalai.engine.position import Position
from azalai.engine.words import Words

from ..state import NOBODY, UNKNOWN, WELLS


def draw(position: Position, seat: int | None, words: Words) -> Text:
    """One line a well: its number, its water where the viewer knows it, who has claimed it."""
    s = position.seen_by(seat).state if position.viewer is None else position.state
    lines = []
    for well in range(WELLS):
        water = "?" if s.water[well] == UNKNOWN else str(int(s.water[well]))
        owner = "" if s.owner[well] == NOBODY else words.seat(int(s.owner[well]))
        lines.append(f"{well + 1}  ~{water}~  {owner}")
    return Text("\n".join(lines))
