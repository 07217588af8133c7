"""What a move brings: goods, gold, crosses, tribe cards, places the other cannot take any more."""

from __future__ import annotations

from typing import Any

from azalai.engine.position import Position
from azalai.engine.words import Words

from ..components import COLUMN_OF, ROW_OF, SIDE, TARGIS
from ..state import BORDER, CELL, NOTHING
from .wording import counted

# events that tell what chance did or what came to light, the most telling first
LUCK = ("drew", "drawn", "turned_tribe", "turned_goods", "took")


def explain(before: Position, after: Position, seat: int, words: Words) -> list[str]:
    """Return what the seat has gained between two positions, the most important first."""
    old, new, other = before.state, after.state, 1 - seat
    said = []
    cards = int(new.length[seat].sum() - old.length[seat].sum())
    if cards > 0:
        said.append(words("explain.cards", n=cards))
    points = after.scores[seat] - before.scores[seat]
    if points > 0:
        said.append(words("explain.points", n=points))
    more = [int(one) for one in new.stock[seat] - old.stock[seat]]
    gains = [words("explain.stuff", n=n, stuff=counted(words, stuff, n)) for stuff, n in enumerate(more) if n > 0]
    if gains:
        said.append(words("explain.brings", gains=words.listed(gains)))
    for targi in range(TARGIS):
        place = int(new.targi[seat, targi])
        if place >= 0 and place not in old.targi[seat]:
            wanted = crossings(old, other, place) if old.placed[other] < old.targis[other] else []
            key = "blocks" if new.placed[other] < new.targis[other] else "occupies"
            named = {"place": words.name(BORDER, place), "seat": words.seat(other)}
            kept_off = words.listed([words.name(CELL, cell) for cell in wanted])
            said.append(words(f"explain.{'keeps_off' if wanted else key}", cells=kept_off, **named))
            cells = [words.name(CELL, cell) for cell in crossings(new, seat, place)]
            if cells:
                said.append(words("explain.reaches", cells=words.listed(cells)))
    if old.hand[seat] == -1 and new.hand[seat] != -1:
        said.append(words("explain.keeps"))
    return said


def crossings(s: Any, seat: int, place: int) -> list[int]:
    """Return the cells with a card where a Targi on `place` crosses other Targis of the seat."""
    column, row = int(COLUMN_OF[place]), int(ROW_OF[place])
    others = [int(other) for other in s.targi[seat] if other >= 0]
    if column >= 0:
        cells = [int(ROW_OF[other]) * SIDE + column for other in others if ROW_OF[other] >= 0]
    else:
        cells = [row * SIDE + int(COLUMN_OF[other]) for other in others if COLUMN_OF[other] >= 0]
    return sorted({cell for cell in cells if s.centre[:, cell].max() > NOTHING})
