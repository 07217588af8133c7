"""A schematic picture of a position."""

from __future__ import annotations

from math import cos, pi, sin

from azalai.engine.position import Position
from azalai.engine.svg import Drawing
from azalai.engine.words import Words

from ..state import NOBODY, UNKNOWN, WELL, WELLS

SIZE, RING, ROOM = 420, 140, 40


def draw(position: Position, words: Words) -> Drawing:
    """Seven wells in a ring; each is a part of the picture that moves can name."""
    s = position.state
    picture = Drawing(SIZE, SIZE, words.title)
    for well in range(WELLS):
        angle = 2 * pi * well / WELLS - pi / 2
        x, y = SIZE / 2 + RING * cos(angle), SIZE / 2 + RING * sin(angle)
        colour = "panel" if s.owner[well] == NOBODY else position.seat_labels[int(s.owner[well])]
        ink = "ink" if s.owner[well] == NOBODY else f"on {colour}"
        with picture.part(WELL, well):
            picture.disc(x, y, ROOM, colour, "line", 2)
            picture.text(x, y + 9, "?" if s.water[well] == UNKNOWN else int(s.water[well]), 26, ink, "middle", bold=True)
        picture.text(x, y + ROOM + 16, well + 1, 12, "faint", "middle")
    return picture
