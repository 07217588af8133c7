"""What a seat can conclude from what it knows: what thieves are likely to take, and what goods are likely to bring.

Numbers must be the same wherever they are computed, though a GPU may round otherwise than a CPU. Points are multiples of a small
power of two; so only the odds of cards are not exact, and `whole` rounds where no such number lies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from azalai.engine.rule import rule

from .components import CAMELS, COFFEE, EXCHANGE, FREE, GOLD, GOODS, MAX_ROUTE, PENS, PEPPER, ROUTE, SALT, STAGES, STALLS, WATER
from .evaluate import (
    GOODS_ODDS,
    NAMED_GOODS,
    NAMED_STALLS,
    NOTHING_KNOWN,
    STALL_ODDS,
    Values,
    final_value,
    learn,
    worth,
)
from .rules_stage import set_after
from .state import EIGHTHS, HALVES, NEAR, ODDS, Conclusions, Phases, State

ARRIVING = 0.875 ** np.arange(MAX_ROUTE + 1)  # the share of goods that is likely to arrive, by the stages ahead
WAITING = 8  # a camel that does not move now is likely to lose one part of so many of its load in this stage
FAR = 32767  # more than any loss


class Knowledge(NamedTuple):
    """What a seat knows of the thieves, see `learn`; and what goods are worth."""

    plans: int
    stalls: int
    goods: int
    value: Values


@rule
def whole(number: float) -> int:
    """Round a number that is not negative."""
    return int(number + 0.5 + 1e-9)


@rule
def conclude(s: State, seat: int, out: Conclusions) -> None:
    """Tell what goods and leads are worth and, while camels are on their way, what they have to fear."""
    known = all_known(s, seat)
    for good in range(GOODS):
        out.value[good] = whole(EIGHTHS * known.value[good])
    for camel in range(CAMELS[s.seats]):
        out.worth[camel] = whole(EIGHTHS * worth(s, seat, camel, known.value))
    own = hopes(s, seat, known)
    for other in range(s.seats):
        theirs = hopes(s, other, known)
        out.points[other] = whole(theirs)
        out.lead[other] = whole(HALVES * (theirs - own)) if theirs > own else -whole(HALVES * (own - theirs))
    if s.phase >= Phases.CHOOSING:
        conclude_thieves(s, known, out)
        conclude_camels(s, seat, known, out)
        conclude_way(s, seat, known, out)


@rule
def conclude_thieves(s: State, known: Knowledge, out: Conclusions) -> None:
    """Tell where thieves are likely to come and what they take there; and which stalls make the sets pass."""
    for pen in range(PENS):
        for stall in range(STALLS):
            out.named[pen, stall] = whole(ODDS * visit(s, pen, stall, known))
        for good in range(GOODS):
            out.taken[pen, good] = whole(ODDS * theft(s, pen, good, known))
        if s.filled[pen] < STALLS:
            out.passing[pen] = EXCHANGE[ROUTE[s.seats, s.stage], pen * STALLS + s.filled[pen]]


@rule
def conclude_camels(s: State, seat: int, known: Knowledge, out: Conclusions) -> None:
    """Tell what own camels lose where they stand or wherever they could go, and which had better go now."""
    best = FAR
    for camel in range(CAMELS[s.seats]):
        if s.used[seat] >> camel & 1:
            place = s.place[seat, camel]
            out.stands[camel] = whole(EIGHTHS * loss(s, seat, camel, place // STALLS, place % STALLS, known))
            continue
        least = FAR
        for pen in range(PENS):
            if s.filled[pen] < STALLS:
                out.goes[camel, pen] = whole(EIGHTHS * loss_on_the_way(s, seat, camel, pen, known))
                least = min(least, out.goes[camel, pen])
        out.least[camel] = least
        best = min(best, WAITING * least - out.worth[camel])
    for camel in range(CAMELS[s.seats]):
        if not s.used[seat] >> camel & 1:
            out.suits[camel] = nearness((WAITING * out.least[camel] - out.worth[camel] - best) // WAITING)


@rule
def conclude_way(s: State, seat: int, known: Knowledge, out: Conclusions) -> None:
    """Tell where the camel that is chosen had better go, and what it had better pay."""
    camel = s.choice[seat]
    if camel < 0 or s.used[seat] >> camel & 1:
        return
    for pen in range(PENS):
        if s.filled[pen] < STALLS:
            out.chosen[pen] = out.goes[camel, pen]
            out.invites[pen] = nearness(out.goes[camel, pen] - out.least[camel])
    if s.phase == Phases.PAYING and s.seat == seat:
        least = toll(s, seat, camel, s.target, s.filled[s.target], known)
        for good in range(GOODS):
            if s.load[seat, camel, good] > 0:
                out.pays[good] = nearness(whole(EIGHTHS * (price(s, good, s.target, s.filled[s.target], known) - least)))


@rule
def nearness(eighths: int) -> int:
    """How near something is to the best that is better by so many eighths of a point."""
    return max(NEAR - eighths, 0)


@rule
def all_known(s: State, seat: int) -> Knowledge:
    """What a seat knows by all sets that it has seen in this stage."""
    lasting = ARRIVING[STAGES[s.seats] - s.stage]
    value = (
        final_value(s, GOLD, lasting),
        final_value(s, COFFEE, lasting),
        final_value(s, PEPPER, lasting),
        final_value(s, SALT, lasting),
        final_value(s, WATER, lasting),
    )
    plans, stalls, goods = NOTHING_KNOWN
    if s.phase >= Phases.CHOOSING:
        for passes in range(s.passes + 1):
            plans, stalls, goods = learn(s, set_after(s, seat, passes), plans, stalls, goods)
    return Knowledge(plans, stalls, goods, value)


@rule
def hopes(s: State, seat: int, known: Knowledge) -> float:
    """The points of a seat's goods, less what its camels that have moved are likely to lose."""
    points = 0.0
    for good in range(GOODS):
        points += s.kept[seat, good] * known.value[good]
    if s.phase >= Phases.CHOOSING:
        for camel in range(CAMELS[s.seats]):
            if s.used[seat] >> camel & 1:
                place = s.place[seat, camel]
                points -= loss(s, seat, camel, place // STALLS, place % STALLS, known)
    return max(points, 0.0)


@rule
def visit(s: State, pen: int, stall: int, known: Knowledge) -> float:
    """The chance that thieves come to a stall."""
    number = (known.plans >> 3 * pen & 7) - 1
    if number < 0:
        return STALL_ODDS[known.stalls, stall]
    return 1.0 if NAMED_STALLS[s.thief_stalls[number], stall] else 0.0


@rule
def theft(s: State, pen: int, good: int, known: Knowledge) -> float:
    """The chance that thieves who come to a pen take goods of one kind."""
    number = (known.plans >> 3 * pen & 7) - 1
    if number < 0:
        return GOODS_ODDS[known.goods, good]
    return 1.0 if NAMED_GOODS[s.thief_goods[number], good] else 0.0


@rule
def loss(s: State, seat: int, camel: int, pen: int, stall: int, known: Knowledge) -> float:
    """The points that a camel is likely to lose in a stall."""
    total = 0.0
    for good in range(GOODS):
        total += s.load[seat, camel, good] * known.value[good] * theft(s, pen, good, known)
    return total * visit(s, pen, stall, known)


@rule
def loss_on_the_way(s: State, seat: int, camel: int, pen: int, known: Knowledge) -> float:
    """The points that a camel is likely to lose if it moves to a pen now, and those that the way costs."""
    lost = loss(s, seat, camel, pen, s.filled[pen], known)
    if not FREE[s.place[seat, camel] // STALLS, pen]:
        lost += toll(s, seat, camel, pen, s.filled[pen], known)
    return lost


@rule
def price(s: State, good: int, pen: int, stall: int, known: Knowledge) -> float:
    """What it costs to pay a good to enter a stall: the less, the likelier it would be stolen there."""
    return known.value[good] * (1.0 - visit(s, pen, stall, known) * theft(s, pen, good, known))


@rule
def toll(s: State, seat: int, camel: int, pen: int, stall: int, known: Knowledge) -> float:
    """What the way to a stall costs where it is not free: the good aboard that is missed least."""
    least = 1e9
    for good in range(GOODS):
        if s.load[seat, camel, good] > 0:
            least = min(least, price(s, good, pen, stall, known))
    return least if least < 1e9 else 0.0
