"""The desert as a schematic drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azalai.engine.svg import Drawing

from ..components import AREAS, CHOTT, FIELD_LABELS, FIELDS, SETTLEMENT, SIDE
from ..state import FIELD, NOWHERE
from .notes import alive, rounds, values

if TYPE_CHECKING:
    from azalai.engine.position import Position
    from azalai.engine.words import Words

GROUND = {
    "erg": ("#f0d798", "#6b5526"),
    "reg": ("#d6c0a2", "#5a4a38"),
    "guelta": ("#a9d6a5", "#2f5c3a"),
    "mountain": ("#bdb0a6", "#4b443f"),
    "feche": ("#f7ecd2", "#4a4334"),
    "chott": ("#cfe0e7", "#2f4650"),
    "saline": ("#fbfbfb", "#6f7478"),
    "settlement": ("#f6c5a3", "#7a4527"),
}
CELL, LEFT, TOP = 72, 24, 44
BESIDE = 200


def draw(position: Position, words: Words) -> Drawing:
    """The fields with their values, markers and camels; beside them the round and the players."""
    s = position.state
    board = SIDE * CELL
    sheet = Drawing(LEFT + board + BESIDE, TOP + board + 16, f"{words.title}, {position.ply}", GROUND)
    sheet.text(LEFT, 22, words.title, 15, bold=True)
    for line in range(SIDE):
        sheet.text(LEFT + (line + 0.5) * CELL, TOP - 6, "abcdefg"[line], 11, "faint", "middle")
        sheet.text(LEFT - 8, TOP + (line + 0.55) * CELL, line + 1, 11, "faint", "end")
    for field in range(FIELDS):
        with sheet.part(FIELD, field):
            _field(sheet, position, words, field)
    x = LEFT + board + 20
    told, income = words.table["terminal"], position.scores
    sheet.text(x, TOP + 12, f"{told['round'].split('{')[0].strip()} {int(s.round_no)} / {rounds(s)}", 13, bold=True)
    for seat in range(position.seats):
        y = TOP + 48 + seat * 58
        colour = position.seat_labels[seat]
        if seat in position.pending:
            sheet.box(x - 10, y - 22, BESIDE - 24, 50, "panel", "line")
        sheet.piece(x + 8, y - 2, 9, colour)
        sheet.text(x + 24, y + 2, words.seat(seat), 13, "ink" if alive(s, seat) else "faint", bold=True)
        camels = words("terminal.camels", n=int(s.herd[seat]))
        wealth = f"{camels} · {int(s.silver[seat])} {told['silver']} · ■ {income[seat]}" if alive(s, seat) else told["out"]
        sheet.text(x, y + 20, wealth, 12, "faint", room=BESIDE - 28)
    return sheet


def _field(sheet: Drawing, position: Position, words: Words, field: int) -> None:
    s = position.state
    row, column = divmod(field, SIDE)
    x, y, area = LEFT + column * CELL, TOP + row * CELL, int(s.terrain[field])
    sheet.box(x + 1, y + 1, CELL - 2, CELL - 2, AREAS[area], "line", 3)
    sheet.text(x + 6, y + 13, FIELD_LABELS[field], 9, "faint")
    if area != CHOTT:
        strategic, economic = values(s, field)
        sheet.text(x + CELL - 6, y + 13, f"▲{strategic} ■{economic}", 9, "faint", "end")
    sheet.text(x + 6, y + CELL - 7, words.table["area_short"].get(AREAS[area], AREAS[area]), 9, "faint")
    if area == SETTLEMENT and field in s.home.tolist():
        roof = [(x + 12, y + 34), (x + 22, y + 24), (x + 32, y + 34), (x + 32, y + 46), (x + 12, y + 46)]
        sheet.shape(roof, "paper", "ink")
    owner = int(s.owner[field])
    if owner >= 0:
        camels = int(s.camels[field])
        colour = position.seat_labels[owner]
        sheet.piece(x + CELL - 24, y + 38, 15, colour)
        if camels:
            sheet.text(x + CELL - 24, y + 43.7, camels, 17.25, f"on {colour}", "middle", bold=True, room=26)
    for end, mark in ((int(s.origin), "faint"), (int(s.target), "ink")):
        if end == field and end != NOWHERE:
            sheet.box(x + 3, y + 3, CELL - 6, CELL - 6, "", mark, 2, 2.5)
