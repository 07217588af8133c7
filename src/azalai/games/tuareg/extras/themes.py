"""What a puzzle is about."""

from __future__ import annotations

from collections.abc import Sequence

from azalai.engine.moves import Move
from azalai.engine.position import Position

from ..components import KINDS


def themes(before: Position, after: Position, seat: int, own: Sequence[Move]) -> list[str]:
    """Return the themes of a move: the seat's decisions from `before` on, and the position when they are made."""
    old, new = before.state, after.state
    found = []
    names = {move.name for move in own}
    others = [other for other in range(before.seats) if other != seat]
    for good in range(KINDS):
        rival = max(int(new.carried[other, good]) for other in others)
        if int(new.carried[seat, good]) > rival >= int(old.carried[seat, good]):
            found.append("majority")
            break
    if names & {"cave", "hide"}:
        found.append("cave")
    if names & {"rob", "steal"}:
        found.append("theft")
    if "buy" in names:
        found.append("special")
    if names & {"load", "put", "onto"}:
        found.append("loading")
    if "take" in names:
        found.append("market")
    if old.turns_left > 0:
        found.append("last_round")
    return found
