"""Targui from the laying out of the desert to the last income: what the engine calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rng import shuffle
from azalai.engine.rule import rule
from azalai.engine.schema import ask, emit, rank

from .board import add_camels, first_field, has, how_many, lay_card, mark, within_reach, worth_of
from .rules_fate import income
from .rules_round import begin_round, next_turn, prospects
from .rules_turn import (
    affordable,
    break_off,
    buy,
    buy_for,
    end_turn,
    exchange_blows,
    march,
    march_from,
    march_to,
    move_in,
    stay,
)
from .state import (
    BUY,
    BUYING,
    CAMELS,
    CENTRE,
    CHOTT,
    DECK,
    DONE,
    ECONOMIC,
    ENTERING,
    FATES,
    FATES_REMOVED,
    FIELDS,
    FIGHTING,
    HEADING,
    IN_ORDER,
    LAID,
    LEAD,
    LEADING,
    MARCH,
    MARCHING,
    NOBODY,
    NOWHERE,
    PAYING,
    RETREAT,
    SALINE,
    SETTLE,
    SETTLED,
    SETTLEMENT,
    SETTLING,
    START_CAMELS,
    START_SILVER,
    STAY,
    STRIKE,
    TO,
    TRIBE_CARDS,
    ZONES,
)

ALL_FATES = (1 << FATES) - 1
CARDS = len(DECK)

# ---------------------------------------------------------------- preparations


@rule
def setup(s: Any) -> None:
    """Lay out the desert: the Great Saline in the centre, 48 shuffled cards around it in the order of the fields' numbers."""
    cards = DECK.copy()
    shuffle(s, cards, CARDS)
    lay_card(s, CENTRE, SALINE)
    for i in range(CARDS):
        lay_card(s, IN_ORDER[i + 1], cards[i])
    for field in range(FIELDS):
        s.owner[field] = NOBODY
    for seat in range(4):
        s.home[seat] = NOWHERE
    s.origin = NOWHERE
    s.target = NOWHERE
    s.box = CAMELS
    s.fates = ALL_FATES & ~FATES_REMOVED[s.seats] & ~s.options[0]  # the option: a bit for each card left out
    s.revealed = 1
    emit(s, LAID)
    ask(s, 0, SETTLING)  # ruling 1: blue, red, green, yellow


@rule
def settle(s: Any, field: Any) -> None:
    """A settlement replaces any card of its player's zone, salt sea too (ruling 2); his camels and money come with it."""
    seat = s.seat
    emit(s, SETTLED, seat, field, s.terrain[field])
    lay_card(s, field, SETTLEMENT)
    s.home[seat] = field
    mark(s, seat, field)
    add_camels(s, field, START_CAMELS)
    s.silver[seat] = START_SILVER
    if seat + 1 < s.seats:
        ask(s, seat + 1, SETTLING)
    else:
        find_walled(s)
        begin_round(s)
        s.pending = 0


@rule
def find_walled(s: Any) -> None:
    """The desert no longer changes: which fields are walled in by salt sea? Settling there was allowed (ruling 3)."""
    for field in range(FIELDS):
        if within_reach(s, field) == 0:
            s.walled |= 1 << field


# ---------------------------------------------------------------- decisions


@rule
def legal(s: Any, out: Any) -> Any:
    """The moves of the seat to decide. March, attack and purchase may all be left out (ruling 31)."""
    seat, phase = s.seat, s.phase
    if phase == MARCHING:
        n = list_fields(s.stands[seat] & ~s.walled, MARCH, out)
        out[n] = STAY
        return n + 1
    if phase == HEADING:
        return list_fields(within_reach(s, s.origin), TO, out)
    if phase in (LEADING, ENTERING):
        return list_numbers(s.camels[s.origin], out)
    if phase == BUYING:
        n = list_fields(s.marks[seat], BUY, out) if s.silver[seat] > 0 and s.box > 0 else 0
        out[n] = DONE
        return n + 1
    if phase == PAYING:
        return list_numbers(affordable(s), out)
    if phase == FIGHTING:
        out[0] = STRIKE
        out[1] = RETREAT
        return 2
    return list_fields(ZONES[s.seats, seat], SETTLE, out)


@rule
def list_fields(fields: Any, base: Any, out: Any) -> Any:
    """A move for each field of a set."""
    n = 0
    while fields:
        out[n] = base + first_field(fields)
        fields &= fields - 1
        n += 1
    return n


@rule
def list_numbers(most: Any, out: Any) -> Any:
    """A move for each number of camels."""
    for n in range(most):
        out[n] = LEAD + 1 + n
    return most


@rule
def play(s: Any, move: Any) -> None:
    """Carry out a decision; if it ended a turn, turn cards over."""
    phase = s.phase
    if phase == MARCHING:
        if move == STAY:
            stay(s)
        else:
            march_from(s, move - MARCH)
    elif phase == HEADING:
        march_to(s, move - TO)
    elif phase == LEADING:
        march(s, move - LEAD)
    elif phase == BUYING:
        if move == DONE:
            end_turn(s)
        else:
            buy_for(s, move - BUY)
    elif phase == PAYING:
        buy(s, move - LEAD)
    elif phase == FIGHTING:
        if move == STRIKE:
            exchange_blows(s)
        else:
            break_off(s)
    elif phase == ENTERING:
        move_in(s, move - LEAD)
    else:
        settle(s, move - SETTLE)
    if s.pending == 0 and not s.over:
        next_turn(s)


# ---------------------------------------------------------------- who wins, what is hidden


@rule
def score(s: Any, out: Any) -> None:
    """Points are the last income, or what it would be now; ties are broken by camels and silver together."""
    keys = np.zeros(4, np.int64)
    for seat in range(s.seats):
        keys[seat] = prospects(s, seat)
        out[seat, 0] = income(s, seat)
    rank(keys, s.seats, out)


@rule
def hide(s: Any, seat: Any) -> None:
    """Everything lies open; cards and dice to come are not drawn before they are needed (ruling 32)."""


@rule
def determinize(s: Any, seat: Any) -> None:
    """Nothing is hidden, so nothing has to be guessed."""


# ---------------------------------------------------------------- invariants

INVARIANTS = (
    "the camels on the board and in the box are as many as there are, and each player's are counted",
    "camels stand on fields with a marker, and nobody is on salt sea",
    "the sets of fields agree with the board",
    "each player's economic values are counted",
    "the pack holds at most five cards a player, none of an eliminated one, whose money is gone",
    "each round that began has used up one fate card, or keeps it in the pack",
    "the Great Saline lies in the centre, and every settlement where its tribe settled",
    "money is never negative",
)


@rule
def invariant(s: Any) -> Any:
    """0, or the number of the first of INVARIANTS that does not hold."""
    settled = 0
    for seat in range(s.seats):
        herd, economy = 0, 0
        marks, stands = np.int64(0), np.int64(0)
        for field in range(FIELDS):
            if s.owner[field] == seat:
                marks |= 1 << field
                herd += s.camels[field]
                economy += ECONOMIC[s.terrain[field]]
                if s.camels[field] > 0:
                    stands |= 1 << field
        if herd != s.herd[seat]:
            return 1
        if economy != worth_of(s, marks) or marks != s.marks[seat] or stands != s.stands[seat]:
            return 3
        if economy != s.economy[seat]:
            return 4
        if s.pack[seat] < 0 or s.pack[seat] > TRIBE_CARDS or (marks == 0 and s.pack[seat] + s.silver[seat] > 0):
            return 5
        if s.silver[seat] < 0:
            return 8
        if s.home[seat] != NOWHERE:
            settled += 1
            if s.terrain[s.home[seat]] != SETTLEMENT:
                return 7
    total, settlements = s.box + 0, 0
    for field in range(FIELDS):
        total += s.camels[field]
        settlements += s.terrain[field] == SETTLEMENT
        if s.camels[field] < 0 or (s.owner[field] == NOBODY and s.camels[field] > 0):
            return 2
        if s.terrain[field] == CHOTT and s.owner[field] != NOBODY:
            return 2
        if has(s.land, field) == (s.terrain[field] == CHOTT):
            return 3
    if total != CAMELS or s.box < 0:
        return 1
    if s.terrain[CENTRE] != SALINE or settlements != settled:
        return 7
    begun = ALL_FATES & ~FATES_REMOVED[s.seats] & ~s.options[0]
    if how_many(begun) - how_many(s.fates) != s.round_no - s.fate_waits:
        return 6
    return 0
