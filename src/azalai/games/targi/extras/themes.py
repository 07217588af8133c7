"""What a puzzle is about."""

from __future__ import annotations

from collections.abc import Sequence

from azalai.engine.moves import Move
from azalai.engine.position import Position

from ..components import COLUMNS, ROWS
from .explain import crossings


def themes(before: Position, after: Position, seat: int, own: Sequence[Move]) -> list[str]:
    """Return the themes of a move: the seat's decisions from `before` on, and the position when they are made."""
    old, new, other = before.state, after.state, 1 - seat
    found = []
    names = {move.name for move in own}
    if before.phase == "placing":
        place = own[0].args["place"]
        if crossings(new, seat, place):
            found.append("crossing")
        if old.placed[other] < old.targis[other] and crossings(old, other, place):
            found.append("blocking")
    if before.phase in ("raid", "raid_goods"):
        found.append("raid")
    if before.phase == "acting":
        found.append("order")
    if new.length[seat].sum() > old.length[seat].sum():
        found.append("tribe")
    if any(new.length[seat, row] == COLUMNS > old.length[seat, row] for row in range(ROWS)):
        found.append("row")
    if names & {"trade", "sell"}:
        found.append("trade")
    if names & {"keep", "discard"}:
        found.append("hand")
    return found
