"""The two wells as a schematic drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azalai.engine.svg import Drawing
from tests.cli.wells.state import WELL

if TYPE_CHECKING:
    from azalai.engine.position import Position
    from azalai.engine.words import Words

DEEP = 12  # skins of water that a well holds


def draw(position: Position, words: Words) -> Drawing:
    """Both wells with their water; below, what each player has drawn."""
    s = position.state
    sheet = Drawing(320, 190, f"{words.title}, {position.ply}", {"water": ("#a8d5ee", "#2c5f7a")})
    for well in range(len(WELL)):
        x, level = 20 + well * 150, int(s.level[well])
        with sheet.part(WELL, well):
            sheet.box(x, 20, 130, 96, "panel", "line")
            sheet.box(x, 116 - level * 96 / DEEP, 130, level * 96 / DEEP, "water")
            sheet.text(x + 65, 70, f"{words.name(WELL, well)}: {level}", 11, "ink", "middle", bold=True)
    for seat in range(position.seats):
        sheet.piece(30 + seat * 100, 150, 10, position.seat_labels[seat])
        sheet.text(48 + seat * 100, 155, int(s.water[seat]), 14)
    return sheet
