"""Why a move is not possible, in the words of the rules."""

from __future__ import annotations

from typing import Any

from azalai.engine.moves import Move
from azalai.engine.words import Words

from ..components import CAMEL_GOLD, FULL_LOAD, GOLD, KINDS, MOST_CAMELS, PRICE, WATER
from ..state import ANIMAL_NAMES, GOOD_NAMES, SPECIAL_NAMES, Phases

ACTIONS = ("draw", "load", "take", "buy")
FREE = ("give", "cave", "rob")
BETWEEN = (Phases.TURN, Phases.GIVE, Phases.AFTER)  # when actions and special cards are asked for
ASKED = {"put": Phases.LOAD, "onto": Phases.ONTO, "pay": Phases.PAY, "hide": Phases.HIDE}


def reason(s: Any, move: Move, words: Words) -> str:
    """Return why the seat to decide may not play `move` now; empty where there is no special reason."""
    seat = int(s.seat)
    if move.name == "put" and s.phase in BETWEEN:  # a click on a card, where the animal comes first
        return _card(s, seat, move.args["good"], words)
    if s.phase not in (BETWEEN if move.name in (*ACTIONS, *FREE) else (ASKED.get(move.name),)):
        return ""
    if move.name in ACTIONS and s.phase == Phases.GIVE:
        return words("reasons.owes")
    if move.name in ACTIONS and s.acted:
        return words("reasons.acted")
    if move.name == "draw":
        return words("reasons.no_deck") if s.deck_size == 0 else ""
    if move.name in ("load", "onto"):
        return _animal(s, seat, move.args["animal"], words, int(s.good) if move.name == "onto" else None)
    if move.name == "take":
        good = words.name(GOOD_NAMES, move.args["good"])
        return words("reasons.not_sold" if s.market[move.args["good"]] == 0 else "reasons.fits_nowhere", good=good)
    if move.name == "buy":
        special = move.args["special"]
        if s.stack[special] == 0:
            return words("reasons.sold_out", special=words.name(SPECIAL_NAMES, special))
        return words("reasons.price", price=PRICE)
    if move.name == "put":
        return _good(s, seat, int(s.animal), move.args["good"], words)
    if move.name == "pay":
        return words("reasons.needless")
    if move.name == "give":
        return "" if s.phase == Phases.TURN else words("reasons.drew")
    if move.name == "hide" and move.args["source"] < KINDS:
        return words("reasons.due")
    if move.name == "cave":
        return words("reasons.cave_once" if s.caves[seat, 1] else "reasons.no_cave")
    if move.name == "rob":
        return words("reasons.no_thief") if s.thieves[seat] == 0 else words("reasons.nothing_to_steal")
    return ""


def _card(s: Any, seat: int, good: int, words: Words) -> str:
    """Why a card cannot be loaded from the hand at once."""
    if s.acted:
        return words("reasons.acted")
    if not (s.fits[seat] >> good & 1).any():
        return words("reasons.fits_nowhere", good=words.name(GOOD_NAMES, good))
    return words("reasons.animal_first")


def _animal(s: Any, seat: int, animal: int, words: Words, good: int | None) -> str:
    """Why an animal cannot be loaded from the hand, or with a good from the market."""
    named = words.name(ANIMAL_NAMES, animal)
    if s.height[seat, animal] == FULL_LOAD:
        return words("reasons.full", animal=named)
    if good is None and s.hand_size[seat] == 0:
        return words("reasons.empty_hand")
    first = 0 if animal < MOST_CAMELS else MOST_CAMELS
    if s.height[seat, animal] == 0 and not s.height[seat, first:animal].all():  # empty like one before it
        return words("reasons.spare", animal=named)
    if good is not None:
        return _good(s, seat, animal, good, words)
    return words("reasons.none_fits", animal=named)


def _good(s: Any, seat: int, animal: int, good: int, words: Words) -> str:
    """Why a good does not go on top of a camel's load; a donkey takes anything."""
    height = int(s.height[seat, animal])
    named, beast = words.name(GOOD_NAMES, good), words.name(ANIMAL_NAMES, animal)
    if height == FULL_LOAD:
        return words("reasons.full", animal=beast)
    if height == 0 or animal >= MOST_CAMELS:
        return ""
    load = [int(one) for one in s.load[seat, animal, :height]]
    if WATER in (good, load[-1]) and good != load[-1]:
        return words("reasons.water")
    if good == GOLD and load.count(GOLD) == CAMEL_GOLD:
        return words("reasons.gold", animal=beast, most=CAMEL_GOLD)
    return words("reasons.two_kinds", animal=beast, good=named)
