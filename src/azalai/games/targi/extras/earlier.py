"""How records of earlier rules versions are replayed.

Version 1 asked which good a discount saves even where all answers came to the same, and an owner of T29 never paid at a raid.
"""

from __future__ import annotations

from azalai.engine.game import EarlierRules
from azalai.engine.moves import Move
from azalai.engine.position import Position

from ..components import POWER_RAID_FREE


def is_settled(position: Position, move: Move) -> bool:
    """Whether the record names a good to save that the rules now find by themselves."""
    begun = position.last is not None and position.last[1].name in ("play", "price", "save")
    return move.name == "save" and position.phase != "saving" and begun


def differs(position: Position) -> bool:
    """Whether an owner of T29 is asked at a raid."""
    return not position.over and position.phase == "raid" and position.state.power[position.seat, POWER_RAID_FREE] > 0


EARLIER = {1: EarlierRules(is_settled, differs)}
