"""Markers and camels on the board. Sets of fields are kept as bits, so that a player's fields need not be searched for."""

from __future__ import annotations

import numpy as np

from azalai.engine.rule import rule

from .components import CHOTT, ECONOMIC, FIELDS, NEIGHBOURS, SIDE
from .state import NOBODY, State

# 2 is a primitive root of 53: the powers of two that stand for the 49 fields all leave different remainders.
MODULUS = 53
BY_REMAINDER = np.zeros(MODULUS, np.int64)
for _one in range(FIELDS):
    BY_REMAINDER[(1 << _one) % MODULUS] = _one

ALL_FIELDS = (1 << FIELDS) - 1
LEFT_COLUMN = sum(1 << row * SIDE for row in range(SIDE))
NOT_LEFT, NOT_RIGHT = ALL_FIELDS & ~LEFT_COLUMN, ALL_FIELDS & ~(LEFT_COLUMN << SIDE - 1)
PAIRS, FOURS, EIGHTS = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F


@rule
def first_field(mask: int) -> int:
    """The lowest field of a set that is not empty."""
    return BY_REMAINDER[(mask & -mask) % MODULUS]


@rule
def how_many(mask: int) -> int:
    """The number of fields in a set: bits added up in pairs, fours, eights, then all bytes at once."""
    mask = mask - (mask >> 1 & PAIRS)
    mask = (mask & FOURS) + (mask >> 2 & FOURS)
    return (mask + (mask >> 4) & EIGHTS) % 255


@rule
def around(mask: int) -> int:
    """A set of fields together with all their neighbours."""
    wide = mask | (mask & NOT_RIGHT) << 1 | (mask & NOT_LEFT) >> 1
    return (wide | wide << SIDE | wide >> SIDE) & ALL_FIELDS


@rule
def worth_of(s: State, fields: int) -> int:
    """The sum of the economic values of a set of fields."""
    return how_many(fields & s.worth[0]) + 2 * how_many(fields & s.worth[1]) + 4 * how_many(fields & s.worth[2])


@rule
def lay_card(s: State, field: int, area: int) -> None:
    """Put an area card on a field, in place of what may lie there."""
    bit = 1 << field
    s.terrain[field] = area
    s.land = s.land & ~bit if area == CHOTT else s.land | bit
    for power in range(3):
        s.worth[power] = s.worth[power] | bit if ECONOMIC[area] >> power & 1 else s.worth[power] & ~bit


@rule
def within_reach(s: State, field: int) -> int:
    """The neighbours of a field that camels may enter: all but salt sea."""
    return NEIGHBOURS[field] & s.land


@rule
def has(mask: int, field: int) -> int:
    """Whether a field is in a set."""
    return mask >> field & 1


@rule
def mark(s: State, seat: int, field: int) -> None:
    """Put a marker of `seat` on a field; whoever's lay there goes back."""
    bit = 1 << field
    worth = ECONOMIC[s.terrain[field]]
    before = s.owner[field]
    if before != NOBODY:
        s.marks[before] &= ~bit
        s.economy[before] -= worth
    s.owner[field] = seat
    s.marks[seat] |= bit
    s.economy[seat] += worth


@rule
def move_camels(s: State, seat: int, origin: int, field: int, camels: int) -> None:
    """Lead camels from one of the seat's fields to another; a field left by all keeps its marker."""
    s.camels[origin] -= camels
    s.camels[field] += camels
    s.stands[seat] |= 1 << field
    if s.camels[origin] == 0:
        s.stands[seat] &= ~(1 << origin)


@rule
def add_camels(s: State, field: int, camels: int) -> None:
    """Put camels from the box on a marked field."""
    seat = s.owner[field]
    s.box -= camels
    s.herd[seat] += camels
    s.camels[field] += camels
    s.stands[seat] |= 1 << field


@rule
def remove_camels(s: State, field: int, camels: int) -> None:
    """Put camels back into the box; the marker stays."""
    seat = s.owner[field]
    s.box += camels
    s.herd[seat] -= camels
    s.camels[field] -= camels
    if s.camels[field] == 0:
        s.stands[seat] &= ~(1 << field)


@rule
def alive(s: State, seat: int) -> int:
    """Whether a player is still in the game: he has a marker on the board (rulings 16 to 18)."""
    return s.marks[seat] != 0


@rule
def holds_home(s: State, seat: int) -> int:
    """Whether a player's own settlement bears his marker; another's settlement does not replace it (ruling 24)."""
    return s.owner[s.home[seat]] == seat
