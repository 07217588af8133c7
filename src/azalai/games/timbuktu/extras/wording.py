"""Sentences that depend on the position: what a way costs, what decided between equals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azalai.engine.game import Wording

from ..components import FREE, GOODS, STALLS
from ..state import CAMEL, GOOD, PEN

if TYPE_CHECKING:
    from azalai.engine.moves import Move
    from azalai.engine.position import Position
    from azalai.engine.words import Words


def question(position: Position, words: Words) -> str:
    """What is asked; where ways cost a good, also which ones do not, and for which one it is paid."""
    if position.phase == "paying":
        return words("asked.paying", pen=words.name(PEN, int(position.state.target)))
    if position.phase == "placing":
        camels = {move.args["camel"] for move in position.moves(position.seat)}
        if len(camels) == 1:
            return words("asked.last_camel", camel=words.name(CAMEL, camels.pop()))
    if position.phase != "moving" or not carried(position):
        return words.phase(position.phase)
    pens = [move.args["pen"] for move in position.moves(position.seat)]
    free = [words.name(PEN, pen) for pen in pens if is_free(position, pen)]
    if len(free) == len(pens):
        return words.phase(position.phase)
    return words("asked.some_free" if free else "asked.none_free", pens=words.listed(free), n=len(free))


def move(position: Position | None, move: Move, words: Words) -> str | None:
    """What a move does. A way that is not free costs one of the camel's goods, and no question is asked where it has one kind."""
    if position is None or move.name != "to" or position.phase != "moving" or is_free(position, move.args["pen"]):
        return None
    goods = carried(position)
    if not goods:
        return None
    price = words("asked.any_good") if len(goods) > 1 else words.name(GOOD, goods[0])
    return words("asked.to_for", pen=words.name(PEN, move.args["pen"]), price=price)


def carried(position: Position) -> list[int]:
    """Return the kinds of goods that the camel about to go carries."""
    s, seat = position.state, position.seat
    return [good for good in range(GOODS) if s.load[seat, s.choice[seat], good] > 0]


def is_free(position: Position, pen: int) -> bool:
    """Return whether an arrow leads to a pen from where the camel about to go stands."""
    s, seat = position.state, position.seat
    return bool(FREE[s.place[seat, s.choice[seat]] // STALLS, pen])


def ending(position: Position, words: Words) -> str:
    """How the game ended; with equal points also the goods that arrived, which decided."""
    told = words.end(str(position.end))
    best = max(position.scores)
    level = [seat for seat in range(position.seats) if position.scores[seat] == best]
    if len(level) < 2:
        return told
    goods = [int(position.state.kept[seat].sum()) for seat in range(position.seats)]
    return f"{told} {words.tie_break(level, best, goods, 'asked.arrived')}"


WORDING = Wording(question, move, ending=ending)
