"""What holds in every position of every game: nothing is created and nothing is lost."""

from __future__ import annotations

from azalai.engine.rule import rule

from .components import BITS, CAMELS, GOODS, PENS, PER_CAMEL, SETS, STALLS, TOTALS
from .rules_start import goods_aboard
from .secrets import face_down
from .state import Phases, State

INVARIANTS = (
    "goods of a kind aboard and goods lost are together those that were loaded",
    "a seat's goods are those on its camels",
    "a camel carries four goods at most, and never less than none",
    "camels fill each pen from its lowest stall, one to a stall",
    "every thief card is in exactly one set",
    "a chosen camel has not moved, a revealed one has or is about to",
    "as many camels have moved as turns have been taken",
    "at the start everybody can still have a camel in every pen",
)
GOODS_KEPT, SUMS, LOADS, STANDING, CARDS, CHOICES, TURNS, PLACEMENT = range(1, len(INVARIANTS) + 1)


@rule
def invariant(s: State) -> int:
    """0, or the number of the broken invariant."""
    broken = invariant_of_goods(s)
    if broken == 0:
        broken = invariant_of_camels(s)
    if broken == 0 and s.phase >= Phases.CHOOSING:
        broken = invariant_of_stages(s)
    return broken


@rule
def invariant_of_goods(s: State) -> int:
    """Invariants 1 to 3."""
    for good in range(GOODS):
        aboard = 0
        for seat in range(s.seats):
            aboard += s.kept[seat, good]
            on_camels = 0
            for camel in range(CAMELS[s.seats]):
                on_camels += s.load[seat, camel, good]
                if s.load[seat, camel, good] < 0:
                    return LOADS
            if on_camels != s.kept[seat, good]:
                return SUMS
            if s.kept[seat, good] > TOTALS[s.seats, good]:
                return GOODS_KEPT
        if s.phase > Phases.LOADING and aboard + s.lost[good] != TOTALS[s.seats, good] * s.seats:
            return GOODS_KEPT
    for seat in range(s.seats):
        if s.phase == Phases.LOADING and not s.pending >> seat & 1 and goods_aboard(s, seat) != CAMELS[s.seats] * PER_CAMEL:
            return GOODS_KEPT
        for camel in range(CAMELS[s.seats]):
            carried = 0
            for good in range(GOODS):
                carried += s.load[seat, camel, good]
            if carried > PER_CAMEL:
                return LOADS
    return 0


@rule
def invariant_of_camels(s: State) -> int:
    """Invariants 4 and 8."""
    stalls = 0  # a bit for every stall where one of the used camels stands
    used = 0
    for seat in range(s.seats):
        for camel in range(CAMELS[s.seats]):
            if s.used[seat] >> camel & 1:
                stalls |= 1 << s.place[seat, camel]
                used += 1
    filled = 0
    for pen in range(PENS):
        filled += s.filled[pen]
        if s.filled[pen] > STALLS or stalls >> pen * STALLS & (1 << STALLS) - 1 != (1 << s.filled[pen]) - 1:
            return STANDING
    if filled != used:
        return STANDING
    if s.phase == Phases.PLACING:
        for pen in range(PENS):
            if STALLS - s.filled[pen] < BITS[s.absent[pen]]:
                return PLACEMENT
        for seat in range(s.seats):
            missing = 0
            for pen in range(PENS):
                missing += s.absent[pen] >> seat & 1
            if CAMELS[s.seats] - BITS[s.used[seat]] < missing:
                return PLACEMENT
    return 0


@rule
def invariant_of_stages(s: State) -> int:
    """Invariants 5 to 7."""
    pens, stalls, goods = 0, 0, 0
    for number in range(SETS):
        pens |= 1 << s.thief_pen[number]
        stalls |= 1 << s.thief_stalls[number]
        goods |= 1 << s.thief_goods[number]
    whole = (1 << SETS) - 1
    if pens != whole or stalls != whole or goods != whole:
        return CARDS
    for seat in range(s.seats):
        camel = s.choice[seat]
        turn = seat - s.round_stone
        turn = turn if turn >= 0 else turn + s.seats
        moves = s.round_no + (1 if s.phase != Phases.CHOOSING and turn < s.turn else 0)
        if BITS[s.used[seat]] != moves:
            return TURNS
        if s.over:
            continue
        if s.phase == Phases.CHOOSING and s.pending >> seat & 1:
            if camel >= 0:
                return CHOICES
        elif camel < 0 or (s.used[seat] >> camel & 1) != (turn < s.turn):
            return CHOICES
        if face_down(s, seat) and s.used[seat] >> camel & 1:
            return CHOICES
    return 0
