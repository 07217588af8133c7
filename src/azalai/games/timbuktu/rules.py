"""Timbuktu: caravans travel from oasis to oasis, and everyone knows a part of what the thieves have planned."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rule import rule
from azalai.engine.schema import MAX_SEATS, emit, rank

from .rules_stage import (
    choose,
    enter,
    go_on,
    lead,
    legal_choices,
    legal_payments,
    legal_pens,
    pay,
)
from .rules_start import goods_aboard, legal_loads, legal_places, load, load_caravans, place
from .state import (
    BEGINS,
    CHOOSE,
    CHOOSING,
    GOODS,
    LOAD,
    LOADING,
    MAX_CAMELS,
    MOVING,
    PAY,
    PENS,
    PLACING,
    SET_DOWN,
    SETS,
    TO,
)


@rule
def setup(s: Any) -> None:
    """Seat 0 is the oldest: it holds both stones and places the first camel."""
    for seat in range(MAX_SEATS):
        s.choice[seat] = -1
        for camel in range(MAX_CAMELS):
            s.place[seat, camel] = -1
    for pen in range(PENS):
        s.absent[pen] = (1 << s.seats) - 1
    for number in range(SETS):
        s.thief_pen[number] = -1
        s.thief_stalls[number] = -1
        s.thief_goods[number] = -1
    s.target = -1
    emit(s, BEGINS, s.stage_stone)
    load_caravans(s)


@rule
def legal(s: Any, out: Any) -> Any:
    """The moves of the seat to decide."""
    if s.phase == MOVING:
        return legal_pens(s, out)
    if s.phase == CHOOSING:
        return legal_choices(s, out)
    if s.phase == PLACING:
        return legal_places(s, out)
    if s.phase == LOADING:
        return legal_loads(s, out)
    return legal_payments(s, out)


@rule
def play(s: Any, move: Any) -> None:
    """Carry out one decision."""
    if move >= PAY:
        pay(s, s.seat, s.choice[s.seat], move - PAY)
        enter(s, s.seat, s.choice[s.seat], s.target)
        go_on(s)
    elif move >= TO:
        lead(s, s.seat, s.choice[s.seat], move - TO)
        go_on(s)
    elif move >= CHOOSE:
        choose(s, move - CHOOSE)
    elif move >= SET_DOWN:
        place(s, (move - SET_DOWN) // PENS, (move - SET_DOWN) % PENS)
    else:
        load(s, move - LOAD)


@rule
def score(s: Any, out: Any) -> None:
    """A good that arrives is worth as many points as goods of its kind were lost."""
    keys = np.zeros(MAX_SEATS, np.int64)
    for seat in range(s.seats):
        out[seat, 0] = points_of(s, seat)
        keys[seat] = merit(s, seat)
    rank(keys, s.seats, out)


@rule
def points_of(s: Any, seat: Any) -> Any:
    """A seat's goods at their present values."""
    points = 0
    for good in range(GOODS):
        points += s.kept[seat, good] * s.lost[good]
    return points


@rule
def merit(s: Any, seat: Any) -> Any:
    """Points first; among equals whoever has more goods; then the win is shared."""
    return points_of(s, seat) * 1000 + goods_aboard(s, seat)
