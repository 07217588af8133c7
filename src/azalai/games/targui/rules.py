"""Targui from the laying out of the desert to the last income: what the engine calls."""

from __future__ import annotations

from azalai.engine.rng import below
from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Grid, ask, emit, rank

from .components import (
    CAMELS,
    CENTRE,
    DECK,
    FATES,
    FATES_REMOVED,
    FIELDS,
    IN_ORDER,
    SALINE,
    SETTLEMENT,
    START_CAMELS,
    START_SILVER,
    ZONES,
)
from .rules_board import add_camels, first_field, lay_card, mark, within_reach
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
from .state import LEAD, NOBODY, NOWHERE, Events, Moves, Phases, State

ALL_FATES = (1 << FATES) - 1
CARDS = len(DECK)

# ---------------------------------------------------------------- preparations


@rule
def setup(s: State) -> None:
    """Lay out the desert: the Great Saline in the centre, 48 shuffled cards around it in the order of the fields' numbers."""
    for i in range(CARDS):
        s.terrain[IN_ORDER[i + 1]] = DECK[i]
    for i in range(CARDS - 1, 0, -1):
        one, other = IN_ORDER[i + 1], IN_ORDER[below(s, i + 1) + 1]
        s.terrain[one], s.terrain[other] = s.terrain[other], s.terrain[one]
    lay_card(s, CENTRE, SALINE)
    for i in range(CARDS):
        lay_card(s, IN_ORDER[i + 1], s.terrain[IN_ORDER[i + 1]])
    for field in range(FIELDS):
        s.owner[field] = NOBODY
    for seat in range(4):
        s.home[seat] = NOWHERE
    s.origin = NOWHERE
    s.target = NOWHERE
    s.box = CAMELS
    s.fates = ALL_FATES & ~FATES_REMOVED[s.seats] & ~s.options[0]  # the option: a bit for each card left out
    s.revealed = 1
    emit(s, Events.LAID)
    ask(s, 0, Phases.SETTLING)  # ruling 1: blue, red, green, yellow


@rule
def settle(s: State, field: int) -> None:
    """A settlement replaces any card of its player's zone, salt sea too (ruling 2); his camels and money come with it."""
    seat = s.seat
    emit(s, Events.SETTLED, seat, field, s.terrain[field])
    lay_card(s, field, SETTLEMENT)
    s.home[seat] = field
    mark(s, seat, field)
    add_camels(s, field, START_CAMELS)
    s.silver[seat] = START_SILVER
    if seat + 1 < s.seats:
        ask(s, seat + 1, Phases.SETTLING)
    else:
        find_walled(s)
        begin_round(s)
        s.pending = 0


@rule
def find_walled(s: State) -> None:
    """The desert no longer changes: which fields are walled in by salt sea? Settling there was allowed (ruling 3)."""
    for field in range(FIELDS):
        if within_reach(s, field) == 0:
            s.walled |= 1 << field


# ---------------------------------------------------------------- decisions


@rule
def legal(s: State, out: Cells) -> int:
    """The moves of the seat to decide. March, attack and purchase may all be left out (ruling 31)."""
    seat, phase = s.seat, s.phase
    if phase == Phases.MARCHING:
        n = list_fields(s.stands[seat] & ~s.walled, Moves.MARCH, out)
        out[n] = Moves.STAY
        return n + 1
    if phase == Phases.HEADING:
        return list_fields(within_reach(s, s.origin), Moves.TO, out)
    if phase in (Phases.LEADING, Phases.ENTERING):
        return list_numbers(s.camels[s.origin], out)
    if phase == Phases.BUYING:
        n = list_fields(s.marks[seat], Moves.BUY, out) if s.silver[seat] > 0 and s.box > 0 else 0
        out[n] = Moves.DONE
        return n + 1
    if phase == Phases.PAYING:
        return list_numbers(affordable(s), out)
    if phase == Phases.FIGHTING:
        out[0] = Moves.STRIKE
        out[1] = Moves.RETREAT
        return 2
    return list_fields(ZONES[s.seats, seat], Moves.SETTLE, out)


@rule
def list_fields(fields: int, base: int, out: Cells) -> int:
    """A move for each field of a set."""
    n = 0
    while fields:
        out[n] = base + first_field(fields)
        fields &= fields - 1
        n += 1
    return n


@rule
def list_numbers(most: int, out: Cells) -> int:
    """A move for each number of camels."""
    for n in range(most):
        out[n] = LEAD + 1 + n
    return most


@rule
def play(s: State, move: int) -> None:
    """Carry out a decision; if it ended a turn, turn cards over."""
    phase = s.phase
    if phase == Phases.MARCHING:
        if move == Moves.STAY:
            stay(s)
        else:
            march_from(s, move - Moves.MARCH)
    elif phase == Phases.HEADING:
        march_to(s, move - Moves.TO)
    elif phase == Phases.LEADING:
        march(s, move - LEAD)
    elif phase == Phases.BUYING:
        if move == Moves.DONE:
            end_turn(s)
        else:
            buy_for(s, move - Moves.BUY)
    elif phase == Phases.PAYING:
        buy(s, move - LEAD)
    elif phase == Phases.FIGHTING:
        if move == Moves.STRIKE:
            exchange_blows(s)
        else:
            break_off(s)
    elif phase == Phases.ENTERING:
        move_in(s, move - LEAD)
    else:
        settle(s, move - Moves.SETTLE)
    if s.pending == 0 and not s.over:
        next_turn(s)


# ---------------------------------------------------------------- who wins


@rule
def score(s: State, out: Grid) -> None:
    """Points are the last income, or what it would be now; ties are broken by camels and silver together."""
    for seat in range(s.seats):
        out[seat, 0] = income(s, seat)
        out[seat, 2] = prospects(s, seat)
    rank(s, out)
