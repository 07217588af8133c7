"""Placing the Targis in turn, and the tribe markers that follow from them."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit

from .components import (
    ACTION,
    BORDERS,
    CELLS,
    COLUMN_OF,
    FACING,
    GOODS_PILE,
    MARKERS,
    POWER_ON_ROBBER,
    RAID,
    ROW_OF,
    SIDE,
    TARGIS,
    TRIBE_PILE,
)
from .state import NOTHING, Events, Moves, Phases, State


@rule
def forbidden(s: State, seat: int) -> int:
    """Bits of the border places where `seat` may place no Targi (corners apart)."""
    places = 0
    if s.power[seat, POWER_ON_ROBBER] == 0:
        places |= 1 << s.robber  # the card facing the robber is free
    for i in range(TARGIS):
        own = s.targi[seat, i]
        if own >= 0:
            places |= 1 << own  # facing an own Targi is allowed
        other = s.targi[1 - seat, i]
        if other >= 0:
            places |= 1 << other | 1 << FACING[other]
    return places


@rule
def legal_placing(s: State, seat: int, out: Cells) -> int:
    """Where the deciding seat may place a Targi."""
    closed = forbidden(s, seat)
    n = 0
    for place in range(BORDERS):
        if ACTION[place] != RAID and not closed >> place & 1:
            out[n] = Moves.PLACE + place
            n += 1
    return n


@rule
def place_targi(s: State, seat: int, place: int) -> bool:
    """Place a Targi and ask for the next one; True when all are placed."""
    i = s.placed[seat]
    s.placed[seat] += 1
    while i > 0 and s.targi[seat, i - 1] > place:  # kept in order, so that the order of placing makes no difference
        s.targi[seat, i] = s.targi[seat, i - 1]
        i -= 1
    s.targi[seat, i] = place
    emit(s, Events.PLACED, seat, place)
    other = 1 - seat
    if s.placed[other] < s.targis[other]:
        ask(s, other, Phases.PLACING)
        return False
    if s.placed[seat] < s.targis[seat]:  # a player with fewer Targis is skipped when the last one's turn would come
        emit(s, Events.SKIPPED, other)
        ask(s, seat, Phases.PLACING)
        return False
    if s.targis[other] < s.targis[seat] and seat == s.start:
        emit(s, Events.SKIPPED, other)
    return True


@rule
def place_markers(s: State, seat: int) -> None:
    """Put a tribe marker on every card where a row and a column of the seat's own Targis cross: two at most."""
    rows, columns = 0, 0
    for i in range(TARGIS):
        place = s.targi[seat, i]
        if place >= 0:
            if COLUMN_OF[place] >= 0:
                columns |= 1 << COLUMN_OF[place]
            else:
                rows |= 1 << ROW_OF[place]
    n = 0
    for cell in range(CELLS):
        if rows >> cell // SIDE & 1 and columns >> cell % SIDE & 1 and has_card(s, cell) and n < MARKERS:
            s.marker[seat, n] = cell
            n += 1
            emit(s, Events.MARKED, seat, BORDERS + cell)


@rule
def has_card(s: State, cell: int) -> bool:
    """Whether a card lies face up on a cell of the centre."""
    return s.centre[GOODS_PILE, cell] > NOTHING or s.centre[TRIBE_PILE, cell] > NOTHING
