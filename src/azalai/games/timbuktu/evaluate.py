"""A cheap guess of who is ahead: what the goods aboard will be worth, less what each seat must fear by all that it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Floats

from .components import (
    CAMELS,
    COFFEE,
    FREE,
    GOLD,
    GOODS,
    GOODS_PAIR,
    PENS,
    PEPPER,
    SALT,
    SETS,
    STAGES,
    STALL_PAIR,
    STALLS,
    TOTALS,
    WATER,
)
from .rules import legal, merit
from .rules_stage import set_after, unused_camel
from .state import Moves, Phases, State

NAMED_STALLS = np.array([[stall in pair for stall in range(STALLS)] for pair in STALL_PAIR])  # by stall card
NAMED_GOODS = np.array([[good in pair for good in range(GOODS)] for pair in GOODS_PAIR])  # by goods card


def _odds(named: Any) -> Any:
    """The chance that a card names a thing when it is any one of some cards (a bit each), by those cards and thing."""
    rows = [[card for card in range(SETS) if cards >> card & 1] for cards in range(1 << SETS)]
    return np.array([named[row].mean(axis=0) if row else np.zeros(named.shape[1]) for row in rows])


# Knowledge of the thieves: three bits a pen for the set that strikes there, counted from 1; stall and goods cards not seen yet.
NOTHING_KNOWN = (0, (1 << SETS) - 1, (1 << SETS) - 1)

Values = tuple[float, float, float, float, float]  # the points a good of each kind counts
ONE_EACH: Values = (1.0, 1.0, 1.0, 1.0, 1.0)

STALL_ODDS = _odds(NAMED_STALLS)
GOODS_ODDS = _odds(NAMED_GOODS)


# What a search believes beside the weights of `evaluate`: how likely each good is stolen at each place in a stage.
BELIEFS = {"believer": -1, "stage": -1, "risk": np.zeros((PENS * STALLS, GOODS))}


@rule
def candidates(s: State, out: Cells) -> int:
    """All legal moves; at the start camels are placed in the order of their letters, since none is worth more than another."""
    count = legal(s, out)
    if s.phase != Phases.PLACING:
        return count
    camel = unused_camel(s, s.seat)
    kept = 0
    for i in range(count):
        if (out[i] - Moves.PLACE) // PENS == camel:
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def chapter(s: State) -> int:
    """A stage; what comes before the first is one, too."""
    return s.stage if s.phase >= Phases.CHOOSING else -1


@rule
def believe(s: State, share: float, w: Any) -> None:
    """Add what the thieves of an imagined world take to what the seat to decide believes; with a share of 0, begin anew."""
    if share == 0.0:
        w.believer = s.seat
        w.stage = s.stage
        for place in range(PENS * STALLS):
            for good in range(GOODS):
                w.risk[place, good] = 0.0
        return
    for number in range(SETS):
        for i in range(2):
            place = s.thief_pen[number] * STALLS + STALL_PAIR[s.thief_stalls[number], i]
            for k in range(2):
                w.risk[place, GOODS_PAIR[s.thief_goods[number], k]] += share


@rule
def evaluate(s: State, w: Any, out: Floats) -> None:
    """Each seat's chance of winning. A seat is judged by its own knowledge of the thieves, not by what they will really do.

    The seat that searches is also judged by what it believes of those it does not know.
    """
    if s.over:
        share_win(s, out)
        return
    ahead = STAGES[s.seats] - s.stage
    lasting = (1.0 - w.toll) ** ahead  # what is left of goods when the road ends
    value = (
        final_value(s, GOLD, lasting),
        final_value(s, COFFEE, lasting),
        final_value(s, PEPPER, lasting),
        final_value(s, SALT, lasting),
        final_value(s, WATER, lasting),
    )
    sharpness = w.sharpness if ahead > 1 else w.last_sharpness
    best = 0.0
    for seat in range(s.seats):
        out[seat] = 1e-6 + prospects(s, w, seat, value)
        best = max(best, out[seat])
    total = 0.0
    for seat in range(s.seats):
        out[seat] = (out[seat] / best) ** sharpness
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total


@rule
def final_value(s: State, good: int, lasting: float) -> float:
    """The points that a good of one kind will bring, if `lasting` is the share of those aboard that arrives."""
    aboard = TOTALS[s.seats, good] * s.seats - s.lost[good]
    return s.lost[good] + aboard * (1.0 - lasting)


@rule
def share_win(s: State, out: Floats) -> None:
    """When all is over: one for the winner, shared in a tie."""
    best, winners = 0, 0
    for seat in range(s.seats):
        best = max(best, merit(s, seat))
    for seat in range(s.seats):
        winners += merit(s, seat) == best
    for seat in range(s.seats):
        out[seat] = 1.0 / winners if merit(s, seat) == best else 0.0


@rule
def prospects(s: State, w: Any, seat: int, value: Values) -> float:
    """The points a seat can hope for: its goods, less what this stage's thieves are likely to take."""
    points = 0.0
    for good in range(GOODS):
        points += s.kept[seat, good] * value[good]
    if s.phase < Phases.CHOOSING:
        return points
    plans, stalls, goods = NOTHING_KNOWN
    for passes in range(s.passes + 1):
        plans, stalls, goods = learn(s, set_after(s, seat, passes), plans, stalls, goods)
    for camel in range(CAMELS[s.seats]):
        if s.used[seat] >> camel & 1:
            fear = expected_loss(s, seat, camel, goods, value, w.fear)
            points -= threat(s, w, seat, camel, s.place[seat, camel], plans, stalls, fear, value)
        elif s.choice[seat] == camel:
            fear = expected_loss(s, seat, camel, goods, value, w.fear)
            points -= least_threat(s, w, seat, camel, plans, stalls, fear, value)
        else:
            points -= w.waiting * worth(s, seat, camel, value)
    return points


@rule
def learn(s: State, number: int, plans: int, stalls: int, goods: int) -> tuple[int, int, int]:
    """What a seat knows once it has seen a set, too: the sets that strike in each pen, and the cards it has not seen."""
    plans |= number + 1 << 3 * s.thief_pen[number]
    return plans, stalls & ~(1 << s.thief_stalls[number]), goods & ~(1 << s.thief_goods[number])


@rule
def worth(s: State, seat: int, camel: int, value: Values) -> float:
    """A camel's load at so many points for each kind."""
    total = 0.0
    for good in range(GOODS):
        total += s.load[seat, camel, good] * value[good]
    return total


@rule
def expected_loss(s: State, seat: int, camel: int, goods: int, value: Values, weight: float) -> float:
    """What a camel stands to lose where thieves come of whom nothing is known but the goods cards they can have."""
    total = 0.0
    for good in range(GOODS):
        total += s.load[seat, camel, good] * (weight * value[good] * GOODS_ODDS[goods, good])
    return total


@rule
def danger(s: State, seat: int, camel: int, place: int, plans: int, stalls: int, fear: float, value: Values) -> float:
    """What a camel stands to lose at a place: for certain if the seat knows the set of this pen, else by even odds."""
    pen, stall = place // STALLS, place % STALLS
    number = (plans >> 3 * pen & 7) - 1
    if number < 0:
        return fear * STALL_ODDS[stalls, stall]
    loss = 0.0
    if NAMED_STALLS[s.thief_stalls[number], stall]:
        for i in range(2):
            good = GOODS_PAIR[s.thief_goods[number], i]
            loss += s.load[seat, camel, good] * value[good]
    return loss


@rule
def threat(s: State, w: Any, seat: int, camel: int, place: int, plans: int, stalls: int, fear: float, value: Values) -> float:
    """What a camel stands to lose at a place, by what its owner believes where that is noted."""
    if seat != w.believer or s.stage != w.stage or plans >> 3 * (place // STALLS) & 7:
        return danger(s, seat, camel, place, plans, stalls, fear, value)
    loss = 0.0
    for good in range(GOODS):
        loss += s.load[seat, camel, good] * value[good] * w.risk[place, good]
    return loss


@rule
def least_threat(s: State, w: Any, seat: int, camel: int, plans: int, stalls: int, fear: float, value: Values) -> float:
    """What a camel about to move stands to lose where it would now go: the threat there and the price of the way."""
    price = 1e9
    for good in range(GOODS):
        if s.load[seat, camel, good] > 0:
            price = min(price, value[good])
    if price == 1e9:
        return 0.0
    best = 1e9
    for pen in range(PENS):
        if s.filled[pen] < STALLS:
            loss = threat(s, w, seat, camel, pen * STALLS + s.filled[pen], plans, stalls, fear, value)
            if not FREE[s.place[seat, camel] // STALLS, pen]:
                loss += price
            best = min(best, loss)
    return best
