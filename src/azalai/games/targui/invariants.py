"""What must hold in every position."""

from __future__ import annotations

from azalai.engine.rule import rule

from .components import CAMELS, CENTRE, CHOTT, ECONOMIC, FATES_REMOVED, FIELDS, SALINE, SETTLEMENT, TRIBE_CARDS
from .rules import ALL_FATES
from .rules_board import has, how_many, worth_of
from .state import NOBODY, NOWHERE, State

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
def invariant(s: State) -> int:
    """0, or the number of the first of INVARIANTS that does not hold."""
    settled = 0
    for seat in range(s.seats):
        herd, economy = 0, 0
        marks, stands = 0, 0
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
