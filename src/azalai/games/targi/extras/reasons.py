"""Why a move is not possible, in the words of the rules."""

from __future__ import annotations

from typing import Any

from azalai.engine.moves import Move
from azalai.engine.words import Words

from ..components import ACTION, BORDERS, COLUMNS, FACING, GOODS_PILE, NOBLE, POWER_HAND_PLAY, POWER_ON_ROBBER, RAID, TRIBE_PILE
from ..state import FROM_HAND, FROM_NOBLE, NOTHING, Phases


def reason(s: Any, move: Move, words: Words) -> str:
    """Return why the seat to decide may not play `move` now; empty where there is no special reason."""
    seat = int(s.seat)
    if s.phase == Phases.PLACING and move.name == "place":
        return words(f"reasons.{_placing(s, seat, move.args['place'])}")
    if s.phase == Phases.PLACING and move.name == "use" and move.args["place"] >= BORDERS:
        return words("reasons.centre")
    if move.name == "play" and move.args["origin"] in (FROM_NOBLE, FROM_HAND):
        return _hand(s, seat, words)
    if s.phase == Phases.LAYING and move.name == "row":
        return words("reasons.row_full")
    if s.phase != Phases.ACTING:
        return ""
    if move.name == "use":
        return _using(s, seat, move.args["place"], words)
    if move.name in ("play", "keep") and move.args["origin"] < FROM_NOBLE:
        return _card(s, seat, move.name, move.args["origin"], words)
    return ""


def _placing(s: Any, seat: int, place: int) -> str:
    if ACTION[place] == RAID:
        return "corner"
    theirs = [int(one) for one in s.targi[1 - seat] if one >= 0]
    if place in s.targi[seat] or place in theirs:
        return "taken"
    if any(int(FACING[one]) == place for one in theirs):
        return "facing"
    return "robber" if place == s.robber and not s.power[seat, POWER_ON_ROBBER] else "taken"


def _using(s: Any, seat: int, place: int, words: Words) -> str:
    if place >= BORDERS:
        cell = place - BORDERS
        if cell not in s.marker[seat]:
            return words("reasons.no_marker")
        card = int(s.centre[TRIBE_PILE, cell])
        return "" if s.centre[GOODS_PILE, cell] >= 0 or card < 0 else _card(s, seat, "play", cell, words)
    if place not in s.targi[seat]:
        return words("reasons.no_targi")
    return words("reasons.no_hand" if ACTION[place] == NOBLE and s.hand[seat] == NOTHING else "reasons.useless")


def _hand(s: Any, seat: int, words: Words) -> str:
    """Why the card in hand cannot be laid out."""
    if s.hand[seat] == NOTHING or s.phase not in (Phases.PLACING, Phases.ACTING):
        return ""
    if s.hand_round[seat] == s.round_no:
        return words("reasons.hand_new")
    at_noble = any(place >= 0 and ACTION[place] == NOBLE for place in s.targi[seat])
    if s.phase == Phases.PLACING or not (at_noble or s.power[seat, POWER_HAND_PLAY]):
        return words("reasons.hand_noble")
    return _unplayable(s, seat, words)


def _unplayable(s: Any, seat: int, words: Words) -> str:
    """Why a card that one has cannot be laid out."""
    return words("reasons.no_row" if (s.length[seat] == COLUMNS).all() else "reasons.too_dear")


def _card(s: Any, seat: int, what: str, origin: int, words: Words) -> str:
    """Why a tribe card of the centre can be neither played nor taken in hand."""
    card = int(s.centre[TRIBE_PILE, origin])
    if origin not in s.marker[seat] or card < 0:
        return words("reasons.no_marker")
    if what == "keep":
        return words("reasons.hand_full")
    return _unplayable(s, seat, words)
