"""What a seat may not know: other thief sets, cards face down, loads in the making. How to hide it and how to guess it."""

from __future__ import annotations

from azalai.engine.rng import below
from azalai.engine.rule import rule
from azalai.engine.schema import Cells

from .components import BITS, CAMELS, GOODS, MAX_CAMELS, PER_CAMEL, SETS, TOTALS
from .rules_stage import has_seen
from .rules_start import put
from .state import Phases, State


@rule
def face_down(s: State, seat: int) -> bool:
    """Whether a seat has chosen a camel that has not been revealed yet. Everybody sees that much."""
    if s.phase == Phases.CHOOSING:
        return not s.pending >> seat & 1
    turn = seat - s.round_stone
    return (turn if turn >= 0 else turn + s.seats) > s.turn


@rule
def hide(s: State, seat: int) -> None:
    """Blank the sets that `seat` has not held in this stage, others' cards lying face down, and loads until all are ready."""
    if s.phase == Phases.LOADING:
        for other in range(s.seats):
            if other != seat:
                for good in range(GOODS):
                    s.kept[other, good] = 0
                    for camel in range(MAX_CAMELS):
                        s.load[other, camel, good] = 0
    elif s.phase >= Phases.CHOOSING:
        for number in range(SETS):
            if not has_seen(s, seat, number):
                s.thief_pen[number] = -1
                s.thief_stalls[number] = -1
                s.thief_goods[number] = -1
        for other in range(s.seats):
            if other != seat and face_down(s, other):
                s.choice[other] = -1


@rule
def determinize(s: State, seat: int) -> None:
    """Guess what `hide` has blanked, all possibilities being equally likely."""
    if s.phase == Phases.LOADING:
        for other in range(s.seats):
            if other != seat and not s.pending >> other & 1:  # those still loading are taken to have all of it before them
                guess_loads(s, other)
    elif s.phase >= Phases.CHOOSING:
        guess_cards(s, s.thief_pen, seat)
        guess_cards(s, s.thief_stalls, seat)
        guess_cards(s, s.thief_goods, seat)
        for other in range(s.seats):
            if other != seat and face_down(s, other):
                unused = (1 << CAMELS[s.seats]) - 1 & ~s.used[other]
                s.choice[other] = any_of(s, unused)


@rule
def guess_loads(s: State, seat: int) -> None:
    """Shuffle a seat's goods and lay them on its camels in that order."""
    left = CAMELS[s.seats] * PER_CAMEL
    while left > 0:
        camel = CAMELS[s.seats] - 1 - (left - 1) // PER_CAMEL
        tile, good = below(s, left), 0
        while tile >= TOTALS[s.seats, good] - s.kept[seat, good]:
            tile -= TOTALS[s.seats, good] - s.kept[seat, good]
            good += 1
        put(s, seat, camel, good, 1)
        left -= 1


@rule
def guess_cards(s: State, cards: Cells, seat: int) -> None:
    """Deal the thief cards of one kind that `seat` has not seen to the sets it has not seen."""
    unseen = (1 << SETS) - 1
    for number in range(SETS):
        if has_seen(s, seat, number):
            unseen &= ~(1 << cards[number])
    for number in range(SETS):
        if not has_seen(s, seat, number):
            cards[number] = any_of(s, unseen)
            unseen &= ~(1 << cards[number])


@rule
def any_of(s: State, members: int) -> int:
    """One of the numbers whose bits are set, all equally likely."""
    skip = below(s, BITS[members])
    number = 0
    while True:
        if members >> number & 1:
            if skip == 0:
                return number
            skip -= 1
        number += 1
