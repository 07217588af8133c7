"""A picture of the two wells."""

from __future__ import annotations

from rich.text import Text

from azalai.engine.position import Position
from azalai.engine.words import Words


def draw(position: Position, seat: int | None, words: Words) -> Text:
    """Levels, water and the omens one may know."""
    s = position.state
    omens = " ".join(str(int(s.omen[one])) for one in range(position.seats))
    water = " ".join(f"{words.seat(one)} {int(s.water[one])}" for one in range(position.seats))
    return Text(f"~~~ north {int(s.level[0])} south {int(s.level[1])} ~~~\nomens {omens}\nwater {water}")
