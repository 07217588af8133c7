"""What a puzzle is about."""

from __future__ import annotations

from collections.abc import Sequence

from azalai.engine.moves import Move
from azalai.engine.position import Position

from ..components import FIELDS
from .explain import threat


def themes(before: Position, after: Position, seat: int, own: Sequence[Move]) -> list[str]:
    """Return the themes of a move: the seat's decisions from `before` on, and the position when they are made."""
    old, new = before.state, after.state
    found = []
    if before.phase == "settling":
        found.append("settlement")
    if before.phase == "fighting":
        found.append("war")
    goals = [move.args["field"] for move in own if move.name == "to"]
    if any(old.owner[field] not in (-1, seat) for field in goals):
        found.append("attack")
    if any(old.owner[field] < 0 for field in goals):
        found.append("expansion")
    if before.phase in ("buying", "paying"):
        found.append("purchase")
    if any(
        new.owner[field] == seat and new.camels[field] > old.camels[field] and threat(new, field, seat) for field in range(FIELDS)
    ):
        found.append("defence")
    if own[0].name in ("stay", "retreat") or (own[0].name == "done" and old.silver[seat] > 0):
        found.append("restraint")
    return found
