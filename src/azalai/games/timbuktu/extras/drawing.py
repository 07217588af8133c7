"""Two oases with their pens, the caravans and the goods, as a schematic drawing."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from azalai.engine.svg import Drawing

from ..components import CAMELS, EXCHANGE, GOOD_NAMES, GOODS, GOODS_PAIR, LETTERS, PENS, ROUTE, SETS, STAGES, STALL_PAIR, STALLS
from ..state import CAMEL, GOOD, OASIS, PEN, Phases

if TYPE_CHECKING:
    from azalai.engine.position import Position
    from azalai.engine.words import Words

GOOD_COLOURS = {
    "gold": ("#f2cf63", "#7d6416"),
    "coffee": ("#cba27a", "#6a4526"),
    "pepper": ("#e8a99c", "#7c3427"),
    "salt": ("#ebe8e3", "#77736d"),
    "water": ("#a8d5ee", "#2c5f7a"),
}
WIDTH, STALL, TOP = 784, 36, 96
BOARD = 26 + PENS * (STALL + 30)


def draw(position: Position, words: Words) -> Drawing:
    """Where the camels stand and where they go; below, every camel's goods and what they are worth."""
    s = position.state
    say = words.table["terminal"]
    camels = int(CAMELS[position.seats])
    below = TOP + STALLS * STALL + 70
    sheet = Drawing(WIDTH, below + 46 + camels * 22 + 30, f"{words.title}, {position.ply}", GOOD_COLOURS)
    sheet.text(16, 24, words.title, 15, bold=True)
    way = [say["start"], *(words.name(OASIS, int(ROUTE[position.seats, stage])) for stage in range(STAGES[position.seats]))]
    sheet.text(16, 46, " › ".join(way), 12, "faint")
    under_way = s.phase >= Phases.CHOOSING
    if under_way:
        stage = words("terminal.stage", n=int(s.stage) + 1, all=int(STAGES[position.seats]))
        told = f"{stage}, {words('terminal.round', n=int(s.round_no) + 1, all=camels)}"
        sheet.text(WIDTH - 16, 24, told, 12, "faint", "end")
    leg = int(s.stage) + 1 if under_way else 0
    _oasis(sheet, position, words, 16, way[max(0, leg - 1)], moved=not under_way, oasis=-1)
    if under_way:
        _oasis(sheet, position, words, 16 + BOARD + 36, way[leg], moved=True, oasis=int(ROUTE[position.seats, int(s.stage)]))
    _caravans(sheet, position, words, below)
    return sheet


def _oasis(sheet: Drawing, position: Position, words: Words, x: float, name: str, moved: bool, oasis: int) -> None:
    """The pens of an oasis with the camels in it; in the one ahead also exchange fields, and thieves that are known."""
    s = position.state
    wide = STALL + 30
    sheet.text(x + 22, TOP - 26, name, 13, bold=True)
    for pen in range(PENS):
        with sheet.part(PEN, pen) if moved else nullcontext():  # where camels go to
            _pen(sheet, s, words, pen, x + 22 + pen * wide, oasis)
    for stall in range(STALLS):
        sheet.text(x + 14, TOP + stall * STALL + 22, stall + 1, 10, "faint", "end")
    if oasis >= 0:
        for number in range(SETS):
            if s.thief_pen[number] >= 0:
                goods = " + ".join(words.name(GOOD, int(good)) for good in GOODS_PAIR[int(s.thief_goods[number])])
                left = x + 22 + (int(s.thief_pen[number]) + 0.5) * wide
                for line, part in enumerate(goods.split(" + ")):
                    sheet.text(left, TOP + STALLS * STALL + 16 + line * 12, part, 10, "red", "middle")
    for seat in range(position.seats):
        for camel in range(int(CAMELS[position.seats])):
            place = int(s.place[seat, camel])
            if place >= 0 and bool(int(s.used[seat]) >> camel & 1) == moved:
                pen, stall = divmod(place, STALLS)
                sheet.piece(
                    x + 22 + pen * wide + 24, TOP + stall * STALL + STALL / 2, 13, position.seat_labels[seat], LETTERS[camel]
                )


def _pen(sheet: Drawing, s: Any, words: Words, pen: int, x: float, oasis: int) -> None:
    """The stalls of a pen; exchange fields and known thieves where the oasis is the one ahead."""
    wide = STALL + 30
    sheet.text(x + wide / 2, TOP - 8, words.name(PEN, pen), 10, "faint", "middle")
    for stall in range(STALLS):
        top = TOP + stall * STALL
        struck = oasis >= 0 and _struck(s, pen, stall)
        sheet.box(x + 1, top + 1, wide - 2, STALL - 2, "panel", "red" if struck else "line", 4, 2 if struck else 1)
        if oasis >= 0 and bool(EXCHANGE[oasis, pen * STALLS + stall]):
            sheet.text(x + wide - 7, top + 22, "⇄", 12, "faint", "end")


def _struck(s: Any, pen: int, stall: int) -> bool:
    """Whether thieves are known to come to a stall."""
    return any(
        s.thief_pen[number] == pen and stall in STALL_PAIR[int(s.thief_stalls[number])]
        for number in range(SETS)
        if s.thief_pen[number] >= 0
    )


def _caravans(sheet: Drawing, position: Position, words: Words, y: float) -> None:
    """Every seat's camels with their goods; on the right what a good is worth, and everybody's points."""
    s = position.state
    say = words.table["terminal"]
    camels, wide = int(CAMELS[position.seats]), 96
    own = position.seat if position.viewer is None else position.viewer
    asked = [seat for seat in range(position.seats) if seat in position.pending] if s.phase > Phases.PLACING else position.pending
    for seat in range(position.seats):
        x = 40 + seat * wide
        if seat in asked:
            sheet.box(x - 8, y - 2, wide - 6, 24, "panel", "line")
        sheet.piece(x + 4, y + 10, 7, position.seat_labels[seat])
        sheet.text(x + 16, y + 14, words.seat(seat), 12, bold=True)
        for camel in range(camels):
            top = y + 28 + camel * 22
            if seat == 0:
                sheet.text(26, top + 13, LETTERS[camel], 11, "faint", "end")
            with sheet.part(CAMEL, camel) if seat == own else nullcontext():
                _load(sheet, s, words, seat, camel, x, top)
        sheet.text(x + 2, y + 28 + camels * 22 + 16, position.scores[seat], 13, bold=True)
    x = 60 + position.seats * wide
    sheet.text(x, y + 14, say["value"], 12, bold=True)
    for good in range(GOODS):
        with sheet.part(GOOD, good):
            sheet.box(x, y + 28 + good * 22, 62, 17, GOOD_NAMES[good], "line", 3)
            sheet.text(x + 31, y + 40 + good * 22, words.name(GOOD, good), 10, "ink", "middle")
        sheet.text(x + 74, y + 41 + good * 22, int(s.lost[good]), 12, bold=True)
    sheet.text(x, y + 28 + camels * 22 + 16, f"← {say['points']}", 11, "faint")


def _load(sheet: Drawing, s: Any, words: Words, seat: int, camel: int, x: float, y: float) -> None:
    """The goods of a camel, side by side."""
    goods = [good for good in range(GOODS) for _ in range(int(s.load[seat, camel, good]))]
    for place, good in enumerate(goods):
        sheet.box(x + place * 19, y, 17, 17, GOOD_NAMES[good], "line", 3)
        sheet.text(x + place * 19 + 8.5, y + 12.5, words.name(GOOD, good)[0].upper(), 9.5, "ink", "middle")
