"""What a seat can conclude from what it knows: what thieves are likely to take, and what goods are likely to bring.

Numbers must be the same wherever they are computed, though a GPU may round otherwise than a CPU. So values are multiples of a
small power of two and chances are whole numbers: their products and sums are exact, and each result is divided and rounded once.
"""

from __future__ import annotations

import numpy as np

from azalai.engine.rule import rule

from .components import CAMELS, COFFEE, EXCHANGE, FREE, GOLD, GOODS, MAX_ROUTE, PENS, PEPPER, ROUTE, SALT, STAGES, STALLS, WATER
from .evaluate import GOODS_ODDS, NAMED_GOODS, NAMED_STALLS, NOTHING_KNOWN, STALL_ODDS, Values, final_value, learn, worth
from .rules_stage import set_after
from .state import EIGHTHS, HALVES, NEAR, ODDS, Conclusions, Phases, State

ARRIVING = 0.875 ** np.arange(MAX_ROUTE + 1)  # the share of goods that is likely to arrive, by the stages ahead
WAITING = 8  # a camel that does not move now is likely to lose one part of so many of its load in this stage
FAR = 32767  # more than any loss
CERTAIN = ODDS * ODDS  # what thieves take for certain: they come, and they take it

NAMED = np.rint(ODDS * STALL_ODDS).astype(np.int64)  # by the stall cards not seen, and stall
TAKEN = np.rint(ODDS * GOODS_ODDS).astype(np.int64)  # by the goods cards not seen, and good


@rule
def conclude(s: State, seat: int, out: Conclusions) -> None:
    """Tell what goods and leads are worth and, while camels are on their way, what they have to fear."""
    lasting = ARRIVING[STAGES[s.seats] - s.stage]
    value = (
        final_value(s, GOLD, lasting),
        final_value(s, COFFEE, lasting),
        final_value(s, PEPPER, lasting),
        final_value(s, SALT, lasting),
        final_value(s, WATER, lasting),
    )
    for good in range(GOODS):
        out.value[good] = whole(EIGHTHS * value[good])
    for camel in range(CAMELS[s.seats]):
        out.worth[camel] = whole(EIGHTHS * worth(s, seat, camel, value))
    if s.phase >= Phases.CHOOSING:
        conclude_thieves(s, seat, out)
        conclude_camels(s, seat, value, out)
        conclude_way(s, seat, value, out)
    conclude_points(s, seat, value, out)


@rule
def whole(number: float) -> int:
    """Round a number that is not negative."""
    return int(number + 0.5)


@rule
def conclude_thieves(s: State, seat: int, out: Conclusions) -> None:
    """Tell where thieves are likely to come and what they take there; and which stalls make the sets pass."""
    plans, stalls, goods = NOTHING_KNOWN
    for passes in range(s.passes + 1):
        plans, stalls, goods = learn(s, set_after(s, seat, passes), plans, stalls, goods)
    for pen in range(PENS):
        number = (plans >> 3 * pen & 7) - 1
        for stall in range(STALLS):
            out.named[pen, stall] = ODDS * NAMED_STALLS[s.thief_stalls[number], stall] if number >= 0 else NAMED[stalls, stall]
        for good in range(GOODS):
            out.taken[pen, good] = ODDS * NAMED_GOODS[s.thief_goods[number], good] if number >= 0 else TAKEN[goods, good]
        if s.filled[pen] < STALLS:
            out.passing[pen] = EXCHANGE[ROUTE[s.seats, s.stage], pen * STALLS + s.filled[pen]]


@rule
def conclude_camels(s: State, seat: int, value: Values, out: Conclusions) -> None:
    """Tell what own camels lose where they stand or wherever they could go, and which had better go now."""
    best = FAR
    for camel in range(CAMELS[s.seats]):
        if s.used[seat] >> camel & 1:
            out.stands[camel] = whole(EIGHTHS * loss(s, seat, camel, s.place[seat, camel], value, out) / CERTAIN)
            continue
        least = FAR
        for pen in range(PENS):
            if s.filled[pen] < STALLS:
                place = pen * STALLS + s.filled[pen]
                lost = loss(s, seat, camel, place, value, out)
                if not FREE[s.place[seat, camel] // STALLS, pen]:
                    lost += toll(s, seat, camel, place, value, out)
                out.goes[camel, pen] = whole(EIGHTHS * lost / CERTAIN)
                least = min(least, out.goes[camel, pen])
        out.least[camel] = least
        best = min(best, WAITING * least - out.worth[camel])
    for camel in range(CAMELS[s.seats]):
        if not s.used[seat] >> camel & 1:
            out.suits[camel] = nearness((WAITING * out.least[camel] - out.worth[camel] - best) // WAITING)


@rule
def conclude_way(s: State, seat: int, value: Values, out: Conclusions) -> None:
    """Tell where the camel that is chosen had better go, and what it had better pay."""
    camel = s.choice[seat]
    if camel < 0 or s.used[seat] >> camel & 1:
        return
    for pen in range(PENS):
        if s.filled[pen] < STALLS:
            out.chosen[pen] = out.goes[camel, pen]
            out.invites[pen] = nearness(out.goes[camel, pen] - out.least[camel])
    if s.phase == Phases.PAYING and s.seat == seat:
        place = s.target * STALLS + s.filled[s.target]
        least = toll(s, seat, camel, place, value, out)
        for good in range(GOODS):
            if s.load[seat, camel, good] > 0:
                out.pays[good] = nearness(whole(EIGHTHS * (price(good, place, value, out) - least) / CERTAIN))


@rule
def conclude_points(s: State, seat: int, value: Values, out: Conclusions) -> None:
    """Tell the points that seats can hope for, and who is ahead by that."""
    own = hopes(s, seat, value, out)
    for other in range(s.seats):
        theirs = hopes(s, other, value, out)
        out.points[other] = whole(theirs / CERTAIN)
        ahead = whole(HALVES * abs(theirs - own) / CERTAIN)
        out.lead[other] = ahead if theirs > own else -ahead


@rule
def nearness(eighths: int) -> int:
    """How near something is to the best that is better by so many eighths of a point."""
    return max(NEAR - eighths, 0)


# ---------------------------------------------------------------- points, in parts of which CERTAIN are one


@rule
def hopes(s: State, seat: int, value: Values, out: Conclusions) -> float:
    """The points of a seat's goods, less what its camels that have moved are likely to lose."""
    points = 0.0
    for good in range(GOODS):
        points += CERTAIN * s.kept[seat, good] * value[good]
    if s.phase >= Phases.CHOOSING:
        for camel in range(CAMELS[s.seats]):
            if s.used[seat] >> camel & 1:
                points -= loss(s, seat, camel, s.place[seat, camel], value, out)
    return points


@rule
def loss(s: State, seat: int, camel: int, place: int, value: Values, out: Conclusions) -> float:
    """The points that a camel is likely to lose at a place."""
    pen, total = place // STALLS, 0.0
    for good in range(GOODS):
        total += out.taken[pen, good] * s.load[seat, camel, good] * value[good]
    return out.named[pen, place % STALLS] * total


@rule
def toll(s: State, seat: int, camel: int, place: int, value: Values, out: Conclusions) -> float:
    """What the way to a place costs where it is not free: the good aboard that is missed least."""
    least = 1e9
    for good in range(GOODS):
        if s.load[seat, camel, good] > 0:
            least = min(least, price(good, place, value, out))
    return least if least < 1e9 else 0.0


@rule
def price(good: int, place: int, value: Values, out: Conclusions) -> float:
    """What it costs to pay a good on the way to a place: the less, the likelier it would be stolen there."""
    return (CERTAIN - out.named[place // STALLS, place % STALLS] * out.taken[place // STALLS, good]) * value[good]
