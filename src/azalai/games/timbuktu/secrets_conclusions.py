"""What a seat can conclude from what it knows: what thieves are likely to take, and what goods are likely to bring.

Numbers must be the same wherever they are computed, though a GPU may round otherwise than a CPU. So values and chances are whole
numbers of small parts, and so are their products and sums; each result is divided and rounded once.
"""

from __future__ import annotations

import numpy as np

from azalai.engine.rule import rule

from .components import (
    CAMELS,
    COFFEE,
    EXCHANGE,
    FREE,
    GOLD,
    GOODS,
    MAX_ROUTE,
    PENS,
    PEPPER,
    ROUTE,
    SALT,
    STAGES,
    STALLS,
    TOTALS,
    WATER,
)
from .evaluate import GOODS_ODDS, NAMED_GOODS, NAMED_STALLS, NOTHING_KNOWN, STALL_ODDS, learn
from .rules_stage import set_after
from .secrets_suspicion import suspect
from .state import CERTAIN, EIGHTHS, HALVES, NEAR, ODDS, Conclusions, Phases, State

POINT = 8**MAX_ROUTE  # the parts of a point that values are counted in
WAYLAID = np.array([POINT - POINT * 7**stages // 8**stages for stages in range(MAX_ROUTE + 1)])  # of a good, by the stages ahead
WAITING = 8  # a camel that does not move now is likely to lose one part of so many of its load in this stage
FAR = 32767  # more than any loss
NO_PRICE = 1 << 60  # of what is not aboard

NAMED = np.rint(ODDS * STALL_ODDS).astype(np.int64)  # by the stall cards not seen, and stall
TAKEN = np.rint(ODDS * GOODS_ODDS).astype(np.int64)  # by the goods cards not seen, and good

Values = tuple[
    int, int, int, int, int
]  # of each good, in parts of a point; multiplied by chances, in parts of which CERTAIN are one


@rule
def conclude(s: State, seat: int, out: Conclusions) -> None:
    """Tell what goods and leads are worth and, while camels are on their way, what they have to fear."""
    value = (final_value(s, GOLD), final_value(s, COFFEE), final_value(s, PEPPER), final_value(s, SALT), final_value(s, WATER))
    for good in range(GOODS):
        out.value[good] = rounded(value[good], POINT // EIGHTHS)
    for camel in range(CAMELS[s.seats]):
        out.worth[camel] = rounded(cargo(s, seat, camel, value), POINT // EIGHTHS)
    if s.phase >= Phases.CHOOSING:
        conclude_thieves(s, seat, out)
        conclude_camels(s, seat, value, out)
        conclude_way(s, seat, value, out)
    conclude_points(s, seat, value, out)


@rule
def final_value(s: State, good: int) -> int:
    """What a good of one kind is likely to bring: one point for each that is out of the game by then."""
    aboard = TOTALS[s.seats, good] * s.seats - s.lost[good]
    return POINT * s.lost[good] + aboard * WAYLAID[STAGES[s.seats] - s.stage]


@rule
def cargo(s: State, seat: int, camel: int, value: Values) -> int:
    """A camel's load at so much for each kind."""
    total = 0
    for good in range(GOODS):
        total += s.load[seat, camel, good] * value[good]
    return total


@rule
def rounded(parts: int, unit: int) -> int:
    """How many units so many parts are, which are not negative."""
    return int(np.int64(np.uint64(parts + unit // 2) // np.uint64(unit)))


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
    suspect(s, seat, plans, stalls, goods, out)


@rule
def conclude_camels(s: State, seat: int, value: Values, out: Conclusions) -> None:
    """Tell what own camels lose where they stand or wherever they could go, and which had better go now."""
    waiting, count = 0, 0  # the camels that have not moved, in 4 bits each
    for camel in range(CAMELS[s.seats]):
        if s.used[seat] >> camel & 1:
            out.stands[camel] = rounded(loss(s, seat, camel, value, out), CERTAIN * POINT // EIGHTHS)
        else:
            waiting |= camel << 4 * count
            count += 1
            out.least[camel] = FAR
    for pen in range(PENS):
        if s.filled[pen] < STALLS:
            risk = risks(pen, s.filled[pen], value, out)
            for i in range(count):
                camel = waiting >> 4 * i & 15
                lost = cargo(s, seat, camel, risk)
                if not FREE[s.place[seat, camel] // STALLS, pen]:
                    lost += toll(s, seat, camel, value, risk)
                out.goes[camel, pen] = rounded(lost, CERTAIN * POINT // EIGHTHS)
                out.least[camel] = min(out.least[camel], out.goes[camel, pen])
    best = FAR
    for i in range(count):
        camel = waiting >> 4 * i & 15
        best = min(best, WAITING * out.least[camel] - out.worth[camel])
    for i in range(count):
        camel = waiting >> 4 * i & 15
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
        risk = risks(s.target, s.filled[s.target], value, out)
        least = toll(s, seat, camel, value, risk)
        for good in range(GOODS):
            if s.load[seat, camel, good] > 0:
                more = CERTAIN * value[good] - risk[good] - least
                out.pays[good] = nearness(rounded(more, CERTAIN * POINT // EIGHTHS))


@rule
def conclude_points(s: State, seat: int, value: Values, out: Conclusions) -> None:
    """Tell the points that seats can hope for, and who is ahead by that."""
    own = hopes(s, seat, value, out)
    for other in range(s.seats):
        theirs = own if other == seat else hopes(s, other, value, out)
        out.points[other] = rounded(theirs, CERTAIN * POINT)
        ahead = rounded(abs(theirs - own), CERTAIN * POINT // HALVES)
        out.lead[other] = ahead if theirs > own else -ahead


@rule
def nearness(eighths: int) -> int:
    """How near something is to the best that is better by so many eighths of a point."""
    return max(NEAR - eighths, 0)


# ---------------------------------------------------------------- values multiplied by chances


@rule
def hopes(s: State, seat: int, value: Values, out: Conclusions) -> int:
    """What a seat's goods are worth, less what its camels that have moved are likely to lose."""
    total = 0
    for good in range(GOODS):
        total += CERTAIN * s.kept[seat, good] * value[good]
    if s.phase >= Phases.CHOOSING:
        for camel in range(CAMELS[s.seats]):
            if s.used[seat] >> camel & 1:
                total -= loss(s, seat, camel, value, out)
    return total


@rule
def loss(s: State, seat: int, camel: int, value: Values, out: Conclusions) -> int:
    """What a camel is likely to lose where it stands."""
    place = s.place[seat, camel]
    return cargo(s, seat, camel, risks(place // STALLS, place % STALLS, value, out))


@rule
def risks(pen: int, stall: int, value: Values, out: Conclusions) -> Values:
    """What a good of each kind is likely to lose at a place."""
    return (
        out.risk[pen, stall, GOLD] * value[GOLD],
        out.risk[pen, stall, COFFEE] * value[COFFEE],
        out.risk[pen, stall, PEPPER] * value[PEPPER],
        out.risk[pen, stall, SALT] * value[SALT],
        out.risk[pen, stall, WATER] * value[WATER],
    )


@rule
def toll(s: State, seat: int, camel: int, value: Values, risk: Values) -> int:
    """What the way to a place costs where it is not free: the good aboard that is missed least.

    A good is missed the less, the likelier it would be stolen there.
    """
    least = NO_PRICE
    for good in range(GOODS):
        price = CERTAIN * value[good] - risk[good]
        least = min(least, price if s.load[seat, camel, good] > 0 else NO_PRICE)
    return least if least < NO_PRICE else 0
