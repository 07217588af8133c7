"""Why a move is not possible, in the words of the rules."""

from __future__ import annotations

from typing import Any

from azalai.engine.moves import Move
from azalai.engine.words import Words

from ..components import CHOTT, ZONES
from ..state import FIELD, Phases

ASKED = {"settle": Phases.SETTLING, "march": Phases.MARCHING, "to": Phases.HEADING, "buy": Phases.BUYING}


def reason(s: Any, move: Move, words: Words) -> str:
    """Return why the seat to decide may not play `move` now; empty where there is no special reason."""
    field = move.args.get("field")
    if field is None or ASKED[move.name] != s.phase:
        return ""
    named = words.name(FIELD, field)
    mine, camels = s.owner[field] == s.seat, int(s.camels[field])
    if move.name == "settle" and not int(ZONES[s.seats, s.seat]) >> field & 1:
        return words("reasons.zone")
    if move.name == "march":
        if not mine:
            return words("reasons.march_own")
        return words("reasons.walled" if camels else "reasons.no_camels", field=named)
    if move.name == "to":
        if field == s.origin:
            return words("reasons.here", field=named)
        if s.terrain[field] == CHOTT:
            return words("reasons.chott")
        return words("reasons.far", field=named, origin=words.name(FIELD, int(s.origin)))
    if move.name == "buy":
        if not mine:
            return words("reasons.buy_own")
        return words("reasons.no_silver" if s.silver[s.seat] == 0 else "reasons.no_box")
    return ""
