"""Why a move is not possible, in the words of the rules."""

from __future__ import annotations

from typing import Any

from azalai.engine.moves import Move
from azalai.engine.words import Words

from ..components import STALLS
from ..state import CAMEL, GOOD, PEN, Phases

ASKED = {"place": Phases.PLACING, "choose": Phases.CHOOSING, "to": Phases.MOVING, "pay": Phases.PAYING}
# a click on something that is decided at another time
OTHER_TIMES = {
    ("to", Phases.PLACING): "reasons.not_begun",
    ("to", Phases.CHOOSING): "reasons.camel_first",
    ("to", Phases.PAYING): "reasons.way_chosen",
    ("choose", Phases.MOVING): "reasons.chosen",
    ("choose", Phases.PAYING): "reasons.chosen",
}


def reason(s: Any, move: Move, words: Words) -> str:
    """Return why the seat to decide may not play `move` now; empty where there is no special reason."""
    seat = int(s.seat)
    if ASKED.get(move.name) != s.phase:
        name = OTHER_TIMES.get((move.name, s.phase))
        chosen = int(s.choice[seat])
        return words(name, camel=words.name(CAMEL, chosen) if chosen >= 0 else "") if name else ""
    if move.name == "place":
        camel, pen = move.args["camel"], move.args["pen"]
        if s.used[seat] >> camel & 1:
            return words("reasons.stands", camel=words.name(CAMEL, camel))
        if s.filled[pen] == STALLS:
            return words("reasons.full", pen=words.name(PEN, pen))
        others = int(s.absent[pen]) & ~(1 << seat)
        return words("reasons.kept_for_others" if STALLS - s.filled[pen] - 1 < others.bit_count() else "reasons.every_pen")
    if move.name == "choose":
        return words("reasons.moved", camel=words.name(CAMEL, move.args["camel"]))
    if move.name == "to":
        return words("reasons.full", pen=words.name(PEN, move.args["pen"]))
    return words("reasons.not_carried", good=words.name(GOOD, move.args["good"]))
