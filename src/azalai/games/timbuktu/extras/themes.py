"""What a puzzle is about."""

from __future__ import annotations

from collections.abc import Sequence

from azalai.engine.moves import Move
from azalai.engine.position import Position

from ..components import CAMELS, SETS, STALLS


def themes(before: Position, after: Position, seat: int, own: Sequence[Move]) -> list[str]:
    """Return the themes of a move: the seat's decisions from `before` on, and the position when they are made."""
    old, new = before.state, after.state
    found = []
    if before.phase == "loading":
        found.append("load")
    if before.phase == "placing":
        found.append("start")
    if before.phase == "choosing":
        found.append("camel")
    known = [int(old.thief_pen[number]) for number in range(SETS) if old.thief_pen[number] >= 0]
    if before.phase in ("choosing", "moving", "paying") and known:
        found.append("deduction" if old.passes else "thieves")
    if before.phase == "paying" or any(move.name == "pay" for move in own):
        found.append("payment")
    moved = [camel for camel in range(int(CAMELS[before.seats])) if new.place[seat, camel] not in (-1, old.place[seat, camel])]
    if before.phase == "moving" and any(int(new.place[seat, camel]) // STALLS in known for camel in moved):
        found.append("daring")
    return found
