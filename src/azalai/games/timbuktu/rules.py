"""Timbuktu: caravans travel from oasis to oasis, and everyone knows a part of what the thieves have planned."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import MAX_SEATS, Cells, Grid, emit, rank

from .components import GOODS, MAX_CAMELS, PENS, SETS
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
from .state import Events, Moves, Phases, State


@rule
def setup(s: State) -> None:
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
    emit(s, Events.BEGINS, s.stage_stone)
    load_caravans(s)


@rule
def legal(s: State, out: Cells) -> int:
    """The moves of the seat to decide."""
    if s.phase == Phases.MOVING:
        return legal_pens(s, out)
    if s.phase == Phases.CHOOSING:
        return legal_choices(s, out)
    if s.phase == Phases.PLACING:
        return legal_places(s, out)
    if s.phase == Phases.LOADING:
        return legal_loads(s, out)
    return legal_payments(s, out)


@rule
def play(s: State, move: int) -> None:
    """Carry out one decision."""
    if move >= Moves.PAY:
        pay(s, s.seat, s.choice[s.seat], move - Moves.PAY)
        enter(s, s.seat, s.choice[s.seat], s.target)
        go_on(s)
    elif move >= Moves.TO:
        lead(s, s.seat, s.choice[s.seat], move - Moves.TO)
        go_on(s)
    elif move >= Moves.CHOOSE:
        choose(s, move - Moves.CHOOSE)
    elif move >= Moves.PLACE:
        place(s, (move - Moves.PLACE) // PENS, (move - Moves.PLACE) % PENS)
    else:
        load(s, move - Moves.LOAD)


@rule
def score(s: State, out: Grid) -> None:
    """A good that arrives is worth as many points as goods of its kind were lost."""
    for seat in range(s.seats):
        out[seat, 0] = points_of(s, seat)
        out[seat, 2] = merit(s, seat)
    rank(s, out)


@rule
def points_of(s: State, seat: int) -> int:
    """A seat's goods at their present values."""
    points = 0
    for good in range(GOODS):
        points += s.kept[seat, good] * s.lost[good]
    return points


@rule
def merit(s: State, seat: int) -> int:
    """Points first; among equals whoever has more goods; then the win is shared."""
    return points_of(s, seat) * 1000 + goods_aboard(s, seat)
