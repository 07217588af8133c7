"""The frame, the centre and both displays as a schematic drawing."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from azalai.engine.svg import Drawing

from ..components import (
    ACTION,
    BORDERS,
    CELLS,
    COLUMNS,
    COST,
    CROSSES,
    GOLD,
    GOODS_KIND,
    GOODS_PILE,
    OR_GOLD,
    PRINTED,
    RAID,
    ROWS,
    SIDE,
    SYMBOL,
    SYMBOLS,
    TRIBE_PILE,
)
from ..state import GOODS_CARD, NOTHING, ORIGIN, PLACE_NAME, SLOT, STUFF, TRIBE_CARD
from .wording import counted

if TYPE_CHECKING:
    from azalai.engine.position import Position
    from azalai.engine.words import Words

SYMBOL_COLOURS = {
    "well": ("#bfe0f2", "#2b566b"),
    "rider": ("#f4d0ae", "#6d4322"),
    "oasis": ("#c8e3c0", "#37592f"),
    "targia": ("#ecc8e3", "#653a5b"),
    "tent": ("#f3e3a6", "#665620"),
}
CARD_WIDTH, CARD, LEFT, TOP = 108, 72, 14, 40
GRID = SIDE + 2
SLOT_WIDTH, SLOT_HEIGHT = 66, 34
HAND = ORIGIN.labels.index("hand")
AROUND = (15, 0, 1, 2, 3, 14, -1, -1, -1, 4, 13, -1, -1, -1, 5, 12, -1, -1, -1, 6, 11, 10, 9, 8, 7)  # the frame, row by row


def draw(position: Position, words: Words) -> Drawing:
    """The cards where they lie, with Targis, markers and the robber; below, what each player has."""
    s = position.state
    say = words.table["terminal"]
    width, below = LEFT * 2 + GRID * CARD_WIDTH, TOP + GRID * CARD + 16
    sheet = Drawing(width, below + 84 + ROWS * SLOT_HEIGHT, f"{words.title}, {position.ply}", SYMBOL_COLOURS)
    sheet.text(LEFT, 24, words.title, 15, bold=True)
    sheet.text(width - LEFT, 24, f"{say['round']} {int(s.round_no)}", 12, "faint", "end")
    cells = iter(range(CELLS))
    for number, place in enumerate(AROUND):
        x, y = LEFT + number % GRID * CARD_WIDTH, TOP + number // GRID * CARD
        if place >= 0:
            with sheet.part(PLACE_NAME, place):
                _border(sheet, position, words, place, x, y)
        else:
            cell = next(cells)
            with sheet.part(PLACE_NAME, BORDERS + cell), sheet.part(ORIGIN, cell):
                _cell(sheet, position, words, cell, x, y)
    for seat in range(2):
        _player(sheet, position, words, seat, LEFT + seat * width / 2, below)
    return sheet


def _border(sheet: Drawing, position: Position, words: Words, place: int, x: float, y: float) -> None:
    s = position.state
    raid = int(ACTION[place]) == RAID
    sheet.box(x + 2, y + 2, CARD_WIDTH - 4, CARD - 4, "panel", "red" if raid else "line", 5, 1.5 if raid else 1)
    sheet.text(x + 8, y + 17, place + 1, 10, "faint")
    sheet.text(x + 24, y + 17, words.name(PLACE_NAME, place).split(" (")[0], 11, bold=True, room=CARD_WIDTH - 30)
    sheet.text(x + 8, y + 32, words.table["frame"].get(PLACE_NAME.labels[place], ""), 9, "faint", room=CARD_WIDTH - 14)
    pieces = [seat for seat in range(2) if place in s.targi[seat].tolist()]
    for number, seat in enumerate(pieces):
        left, base = x + 12 + number * 26, y + CARD - 11
        sheet.shape([(left, base), (left + 20, base), (left + 10, base - 22)], position.seat_labels[seat], "ink")
    if int(s.robber) == place:
        sheet.disc(x + CARD_WIDTH - 20, y + CARD - 22, 10, "ink", "line")
        sheet.text(x + CARD_WIDTH - 20, y + CARD - 18, "R", 12, "paper", "middle", bold=True)


def _cell(sheet: Drawing, position: Position, words: Words, cell: int, x: float, y: float) -> None:
    s = position.state
    goods, tribe = int(s.centre[GOODS_PILE, cell]), int(s.centre[TRIBE_PILE, cell])
    fill = SYMBOLS[int(SYMBOL[tribe])] if tribe >= 0 else "paper"
    sheet.box(x + 5, y + 4, CARD_WIDTH - 10, CARD - 8, fill, "line", 8)
    sheet.text(x + 12, y + 18, PLACE_NAME.labels[BORDERS + cell], 9, "faint")
    if goods >= 0:
        sheet.text(
            x + CARD_WIDTH / 2, y + 38, words.name(GOODS_CARD, int(GOODS_KIND[goods])), 11, "ink", "middle", True, CARD_WIDTH - 18
        )
    elif tribe >= 0:
        name, crosses = words.name(TRIBE_CARD, tribe), "✚" * int(PRINTED[tribe])
        sheet.text(x + CARD_WIDTH - 12, y + 18, crosses, 10, "ink", "end")
        sheet.text(x + CARD_WIDTH / 2, y + 35, name, 10, "ink", "middle", True, CARD_WIDTH - 18)
        sheet.text(x + CARD_WIDTH / 2, y + 50, _price(tribe, words), 10, "ink", "middle")
    else:
        key = "goods_face_down" if goods != NOTHING else "tribe_face_down" if tribe != NOTHING else "bare"
        sheet.text(x + CARD_WIDTH / 2, y + 38, words.table["terminal"][key], 10, "faint", "middle", room=CARD_WIDTH - 18)
    for number, seat in enumerate(seat for seat in range(2) if cell in s.marker[seat].tolist()):
        left, middle = x + 20 + number * 24, y + CARD - 15
        sheet.shape(
            [(left - 9, middle), (left, middle - 9), (left + 9, middle), (left, middle + 9)], position.seat_labels[seat], "ink"
        )


def _price(card: int, words: Words) -> str:
    """What a card costs, by the first letters of goods."""
    parts = [f"{int(COST[card, stuff])}{words.name(STUFF, stuff)[0].upper()}" for stuff in range(GOLD + 1) if COST[card, stuff]]
    if OR_GOLD[card]:
        parts.append(f"/ {int(OR_GOLD[card])}{words.name(STUFF, GOLD)[0].upper()}")
    return " ".join(parts) or str(words.table["terminal"]["free"])


def _player(sheet: Drawing, position: Position, words: Words, seat: int, x: float, y: float) -> None:
    s = position.state
    say = words.table["terminal"]
    sheet.piece(x + 8, y + 10, 7, position.seat_labels[seat])
    asked = " ◂" if seat in position.pending else ""
    amulet = " ☽" if int(s.start) == seat else ""
    sheet.text(
        x + 22, y + 14, f"{words.seat(seat)} · {words('terminal.points', n=position.scores[seat])}{amulet}{asked}", 13, bold=True
    )
    have = s.stock[seat].tolist()
    stock = [f"{have[one]} {'✚' if one == CROSSES else counted(words, one, have[one])}" for one in range(len(STUFF))]
    sheet.text(x, y + 34, " · ".join(stock), 11)
    own = seat == (position.seat if position.viewer is None else position.viewer)
    with sheet.part(ORIGIN, HAND) if own else nullcontext():
        sheet.text(x, y + 52, f"{say['hand']}: {_hand(s, seat, words)}", 11, "faint", room=COLUMNS * SLOT_WIDTH)
    for row in range(ROWS):
        for column in range(COLUMNS):
            left, top = x + column * SLOT_WIDTH, y + 64 + row * SLOT_HEIGHT
            with sheet.part(SLOT, row * COLUMNS + column) if own else nullcontext():
                _slot(sheet, words, int(s.display[seat, row, column]), left, top)


def _slot(sheet: Drawing, words: Words, card: int, x: float, y: float) -> None:
    """A place of a display with its card, if there is one."""
    sheet.box(x + 1, y + 1, SLOT_WIDTH - 3, SLOT_HEIGHT - 3, SYMBOLS[int(SYMBOL[card])] if card >= 0 else "", "line", 4)
    if card >= 0:
        name = words.name(TRIBE_CARD, card).split(" (")[0]
        sheet.text(x + SLOT_WIDTH / 2, y + 14, name.split(" ")[-1], 9.5, "ink", "middle", bold=True)
        sheet.text(x + SLOT_WIDTH / 2, y + 27, "✚" * int(PRINTED[card]), 9, "ink", "middle")


def _hand(s: Any, seat: int, words: Words) -> str:
    card = int(s.hand[seat])
    if card >= 0:
        return f"{words.name(TRIBE_CARD, card)}, {_price(card, words)}"
    return str(words.table["terminal"]["hand_empty" if card == NOTHING else "hand_hidden"])
