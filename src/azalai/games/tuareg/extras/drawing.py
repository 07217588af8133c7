"""The camps and the market as a schematic drawing."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from azalai.engine.moves import SEAT
from azalai.engine.svg import Drawing

from ..components import ANIMALS, FULL_LOAD, GOODS, KINDS, LAST_STAGE, POINTS, SPECIALS
from ..rules_animals import has_animal
from ..rules_stage import goods_of
from ..state import ANIMAL_NAMES, GOOD_NAMES, NOTHING, SOURCE_NAMES, SPECIAL_NAMES

if TYPE_CHECKING:
    from azalai.engine.position import Position
    from azalai.engine.words import Words

GOOD_COLOURS = {
    "water": ("#a8d5ee", "#2c5f7a"),
    "gold": ("#f2cf63", "#7d6416"),
    "salt": ("#ebe8e3", "#77736d"),
    "millet": ("#c5d89a", "#56682d"),
}
WIDTH, CAMP, MARKET = 760, 132, 150
TILE_WIDTH, TILE = 50, 17


def draw(position: Position, words: Words) -> Drawing:
    """The market with its stacks above, then a camp for every seat: its animals with their loads, and what it has besides."""
    s = position.state
    say = words.table["terminal"]
    sheet = Drawing(WIDTH, MARKET + position.seats * CAMP + 12, f"{words.title}, {position.ply}", GOOD_COLOURS)
    sheet.text(16, 24, words.title, 15, bold=True)
    sheet.text(
        WIDTH - 16,
        24,
        f"{say['stage']} {int(s.stage)} {say['of']} {LAST_STAGE} · {say['deck']} {int(s.deck_size)}",
        12,
        "faint",
        "end",
    )
    sheet.text(16, 48, say["market"], 11, "faint")
    for good in range(KINDS):
        y = 58 + good * 22
        with sheet.part(GOOD_NAMES, good):
            _tile(sheet, 16, y, good, words, wide=64)
            sheet.text(96, y + 13, f"× {int(s.market[good])}", 12, bold=True)
        sheet.text(140, y + 13, words("terminal.score", n=int(POINTS[good])), 11, "faint")
        for seat in range(position.seats):
            sheet.text(250 + seat * 56, y + 13, int(goods_of(s, seat, good)), 12, at="middle")
    for seat in range(position.seats):
        sheet.piece(250 + seat * 56, 46, 7, position.seat_labels[seat])
    for special in range(len(SPECIALS)):
        left = int(s.stack[special])
        with sheet.part(SPECIAL_NAMES, special):
            sheet.text(WIDTH - 120, 71 + special * 22, words.name(SPECIAL_NAMES, special), 12, "ink" if left else "faint")
            sheet.text(WIDTH - 16, 71 + special * 22, f"× {left}", 12, "ink" if left else "faint", "end", bold=True)
    for seat in range(position.seats):
        _camp(sheet, position, words, seat, MARKET + seat * CAMP)
    return sheet


def _camp(sheet: Drawing, position: Position, words: Words, seat: int, y: float) -> None:
    s = position.state
    asked = seat in position.pending
    sheet.box(10, y, WIDTH - 20, CAMP - 10, "panel", "ink" if asked else "line", 6, 1.5 if asked else 1)
    own = seat == (position.seat if position.viewer is None else position.viewer)
    with sheet.part(SEAT, seat):
        sheet.piece(26, y + 16, 7, position.seat_labels[seat])
        sheet.text(40, y + 20, words.seat(seat), 13, bold=True)
    sheet.text(40, y + 36, words("terminal.score", n=position.scores[seat]), 11, "faint")
    present = [animal for animal in range(ANIMALS) if has_animal(s, seat, animal)]
    for column, animal in enumerate(present):
        x = 110 + column * (TILE_WIDTH + 10)
        with ExitStack() as parts:
            if own:
                parts.enter_context(sheet.part(ANIMAL_NAMES, animal))
                parts.enter_context(sheet.part(SOURCE_NAMES, KINDS + animal))
            _animal(sheet, s, words, seat, animal, x, y)
    _belongings(sheet, position, words, seat, max(430, 110 + len(present) * (TILE_WIDTH + 10) + 10), y + 22)


def _animal(sheet: Drawing, s: Any, words: Words, seat: int, animal: int, x: float, y: float) -> None:
    """An animal's load, from below, and its name."""
    for place in range(FULL_LOAD):
        good = int(s.load[seat, animal, place])
        top = y + 84 - place * (TILE + 3)
        if good == NOTHING:
            sheet.box(x, top, TILE_WIDTH, TILE, "", "line", 3)
        else:
            _tile(sheet, x, top, good, words)
    sheet.text(x + TILE_WIDTH / 2, y + 114, words.name(ANIMAL_NAMES, animal), 9, "faint", "middle")


def _belongings(sheet: Drawing, position: Position, words: Words, seat: int, x: float, y: float) -> None:
    """Hand, caves, loot, waiting thieves and maps, a line each."""
    s = position.state
    say = words.table["terminal"]
    known = [good for good in range(KINDS) for _ in range(int(s.hand[seat, good]))]
    unknown = int(s.hand_size[seat]) - len(known)
    _row(sheet, words, x, y, say["hand"], known, unknown)
    caved = [good for good in range(KINDS) for _ in range(int(s.cave_goods[seat, good] + s.cave_seen[seat, good]))]
    hidden = int(s.caves[seat, 1] + 2 * s.caves[seat, 2]) - len(caved)
    if any(s.caves[seat]):
        _row(sheet, words, x, y + 24, say["caves"], caved, hidden)
        if s.caves[seat, 0]:
            left = x + 66 + (len(caved) + hidden) * 24
            sheet.text(left, y + 37, f"{int(s.caves[seat, 0])} × {say['empty']}", 11, "faint")
    loot = [int(s.loot_good[one]) for one in range(int(s.loot_count)) if s.loot_owner[one] == seat]
    if loot or s.thieves[seat]:
        _row(
            sheet,
            words,
            x,
            y + 48,
            say["thieves"],
            [good for good in loot if good >= 0],
            sum(good < 0 for good in loot),
            int(s.thieves[seat]),
        )
    if s.maps[seat]:
        sheet.text(x, y + 82, f"{say['maps']} {int(s.maps[seat])}", 11, "faint")


def _row(sheet: Drawing, words: Words, x: float, y: float, title: str, known: list[int], unknown: int, waiting: int = 0) -> None:
    sheet.text(x, y + 13, title, 11, "faint")
    if waiting:
        sheet.text(x + 44, y + 13, f"{waiting}", 11)
    for place, good in enumerate([*known, *[NOTHING] * unknown]):
        left = x + 60 + place % 8 * 24
        if good == NOTHING:
            sheet.box(left, y, 22, TILE, "", "line", 3)
            sheet.text(left + 11, y + 13, "?", 10, "faint", "middle")
        else:
            sheet.box(left, y, 22, TILE, GOODS[good], "line", 3)
            sheet.text(left + 11, y + 13, words.name(GOOD_NAMES, good)[0].upper(), 10, "ink", "middle")


def _tile(sheet: Drawing, x: float, y: float, good: int, words: Words, wide: float = TILE_WIDTH) -> None:
    sheet.box(x, y, wide, TILE, GOODS[good], "line", 3)
    sheet.text(x + wide / 2, y + 12.5, words.name(GOOD_NAMES, good), 10, "ink", "middle")
