"""The notes a careful player keeps: what has been seen of the thieves, what is left, and how dangerous every stall is."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import factorial
from typing import Any, TypedDict

from ..components import EXCHANGE, GOODS, GOODS_PAIR, OASIS_NAMES, PENS, RING, ROUTE, SETS, STALL_PAIR, STALLS
from ..rules_stage import has_seen
from ..state import Phases

STALLS_OF = STALL_PAIR.tolist()  # of every stall card
GOODS_OF = GOODS_PAIR.tolist()  # of every goods card


class ThiefSet(TypedDict):
    """What is known of one thief set."""

    holder: int | None
    seen_by: list[int]
    pen: int | None
    stalls: int | None
    goods: int | None


class Unseen(TypedDict):
    """The cards of each kind that the viewer has not seen."""

    pens: list[int]
    stalls: list[int]
    goods: list[int]


class Notes(TypedDict):
    """What `notes` adds to a view; its keys are described there."""

    oasis: str
    exchange: list[list[int]]
    sets: list[ThiefSet]
    left: Unseen
    combinations: list[list[int]]
    plans: int
    visited: list[list[float]]
    stolen: list[list[list[float]]]


def notes(s: Any, plain: Mapping[str, Any]) -> Notes:
    """What follows from a concealed record.

    | key | meaning |
    |---|---|
    | oasis, exchange | where the camels go, and its exchange fields as [pen, stall] |
    | sets | the five thief sets along the ring: who holds each now (None: it lies between players), who has seen it, its cards |
    | left | the cards of each kind that this seat has not seen |
    | combinations | every [pen, stall card, goods card] that an unseen set can be |
    | plans | in how many ways the unseen cards can make up the unseen sets |
    | visited | by pen and stall: the chance that thieves come, each plan being equally likely |
    | stolen | by pen, stall and good: the chance that they take this good there |
    """
    oasis = int(ROUTE[plain["seats"], plain["stage"]])
    sets = [_set(s, plain, number) for number in range(SETS)] if plain["phase"] >= Phases.CHOOSING else []
    known = {one["pen"]: one for one in sets if one["pen"] is not None}
    left: Unseen = {
        "pens": [pen for pen in range(PENS) if pen not in known],
        "stalls": [card for card in range(SETS) if card not in [one["stalls"] for one in known.values()]],
        "goods": [card for card in range(SETS) if card not in [one["goods"] for one in known.values()]],
    }
    visited, stolen = _odds(known, left)
    return {
        "oasis": OASIS_NAMES[oasis],
        "exchange": [[place // STALLS, place % STALLS] for place in range(PENS * STALLS) if EXCHANGE[oasis, place]],
        "sets": sets,
        "left": left,
        "combinations": [list(one) for one in product(left["pens"], left["stalls"], left["goods"])],
        "plans": factorial(len(left["pens"])) ** 2,
        "visited": visited,
        "stolen": stolen,
    }


def _set(s: Any, plain: Mapping[str, Any], number: int) -> ThiefSet:
    """What is known of one thief set, and who else knows it: that is open to all."""
    seats = plain["seats"]
    holder = int(RING[seats, (number + plain["passes"]) % SETS])
    return {
        "holder": None if holder < 0 else (holder + plain["stage_stone"]) % seats,
        "seen_by": [other for other in range(seats) if has_seen(s, other, number)],
        "pen": _seen(plain["thief_pen"][number]),
        "stalls": _seen(plain["thief_stalls"][number]),
        "goods": _seen(plain["thief_goods"][number]),
    }


def _seen(card: int) -> int | None:
    return None if card < 0 else card


def _odds(known: Mapping[int, ThiefSet], left: Unseen) -> tuple[list[Any], list[Any]]:
    """The chance of a visit by pen and stall, and of a theft by pen, stall and good."""
    visited: list[Any] = []
    stolen: list[Any] = []
    for pen in range(PENS):
        stall_cards = [known[pen]["stalls"]] if pen in known else left["stalls"]
        goods_cards = [known[pen]["goods"]] if pen in known else left["goods"]
        visits = [sum(stall in STALLS_OF[card] for card in stall_cards) / len(stall_cards) for stall in range(STALLS)]
        takes = [sum(good in GOODS_OF[card] for card in goods_cards) / len(goods_cards) for good in range(GOODS)]
        visited.append([round(visit, 4) for visit in visits])
        stolen.append([[round(visit * take, 4) for take in takes] for visit in visits])
    return visited, stolen
