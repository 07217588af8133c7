"""A cheap guess of everybody's prospects, and the moves worth thinking about."""

from __future__ import annotations

from typing import Any

from azalai.engine.rule import rule
from azalai.games.tuareg.animals import fits_anywhere
from azalai.games.tuareg.hands import worth_of_hand
from azalai.games.tuareg.rules import legal
from azalai.games.tuareg.rules_stage import goods_of, special_points
from azalai.games.tuareg.state import HAND_LIMIT, KINDS, LAST_STAGE, M_PAY, PAY, POINTS

IN_HAND = 0.5  # what a good in hand counts against one on an animal, while there are turns to load it,
MISFIT = 0.2  # and where no animal can take it now
DOUBT = 1.3  # goods by which a majority must lead to be three quarters sure, at the end of a stage
DOUBT_PER_CARD = 0.16  # and how many more for every card in the deck
DINAR_VALUE = 0.1  # points a dinar in hand is worth
EMPTY_DONKEY = 0.5  # points that special cards may still bring by being used
EMPTY_CAVE = 0.5
READY_THIEF = 2.5
MARGIN = 6.0  # points by which one must lead to be three quarters sure of winning


@rule
def evaluate(s: Any, out: Any) -> None:
    """For each seat, a chance of winning: by points so far, by what it leads in, by what it can still do."""
    for seat in range(s.seats):
        out[seat] = s.points[seat] + prospects(s, seat)
    if not s.over:
        for good in range(KINDS):
            expect_majority(s, good, out)
    compare(s, out)


@rule
def prospects(s: Any, seat: Any) -> Any:
    """What a seat may make of its special cards and of its hand, in points. At the end the hand only parts who ties."""
    worth = worth_of_hand(s, seat)
    if s.over:
        return 0.01 * worth
    value = special_points(s, seat) + DINAR_VALUE * worth
    if s.stage < LAST_STAGE or is_to_act(s, seat):
        value += EMPTY_DONKEY * s.donkeys[seat] + EMPTY_CAVE * s.caves[seat, 0] + READY_THIEF * s.thieves[seat]
    return value


@rule
def is_to_act(s: Any, seat: Any) -> Any:
    """Whether a seat has another main action in this stage."""
    if s.deck_size > 0:
        return True
    ahead = seat - s.seat if seat >= s.seat else seat - s.seat + s.seats
    if ahead == 0:
        return s.acted == 0 or s.turns_left == s.seats
    return ahead <= s.turns_left


@rule
def strength(s: Any, seat: Any, good: Any) -> Any:
    """The goods of a kind a seat will show at the end of the stage, roughly: what counts now, and a part of its hand."""
    value = float(goods_of(s, seat, good))
    held = s.hand[seat, good]
    if held > 0 and is_to_act(s, seat):
        size = s.hand_size[seat]
        keeps = min(HAND_LIMIT, size - s.owes) if seat == s.seat else size
        value += (IN_HAND if fits_anywhere(s, seat) >> good & 1 else MISFIT) * held * keeps / size
    return value


@rule
def expect_majority(s: Any, good: Any, out: Any) -> None:
    """Add to each seat's points what it can expect for a kind of goods."""
    best, second, leader = -1.0, -1.0, -1
    for seat in range(s.seats):
        value = strength(s, seat, good)
        if value > best:
            best, second, leader = value, best, seat
        elif value > second:
            second = value
    doubt = DOUBT + DOUBT_PER_CARD * s.deck_size
    for seat in range(s.seats):
        lead = best - second if seat == leader else strength(s, seat, good) - best
        out[seat] += POINTS[good] * (0.5 + 0.5 * lead / (doubt + abs(lead)))


@rule
def compare(s: Any, out: Any) -> None:
    """Turn points into chances: how far each seat is ahead of the best of the others."""
    best, second, leader = -1e9, -1e9, -1
    for seat in range(s.seats):
        if out[seat] > best:
            best, second, leader = out[seat], best, seat
        elif out[seat] > second:
            second = out[seat]
    margin = 0.01 if s.over else MARGIN
    for seat in range(s.seats):
        lead = best - second if seat == leader else out[seat] - best
        out[seat] = 0.5 + 0.5 * lead / (margin + abs(lead))


@rule
def candidates(s: Any, out: Any) -> Any:
    """All moves, but of payments that differ only in the order of their goods one."""
    count = legal(s, out)
    if s.phase != PAY:
        return count
    kept = 0
    for i in range(count):
        if out[i] - M_PAY >= s.paid_from[1]:
            out[kept] = out[i]
            kept += 1
    return kept if kept > 0 else count
