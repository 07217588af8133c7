"""A cheap guess of everybody's prospects, and the moves worth thinking about."""

from __future__ import annotations

from typing import Any

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Floats

from .components import HAND_LIMIT, KINDS, LAST_STAGE, POINTS
from .rules import legal
from .rules_animals import fits_anywhere
from .rules_hands import worth_of_hand
from .rules_stage import goods_of, special_points
from .state import Moves, Phases, State


@rule
def evaluate(s: State, w: Any, out: Floats) -> None:
    """For each seat, a chance of winning: by points so far, by what it leads in, by what it can still do."""
    for seat in range(s.seats):
        out[seat] = s.points[seat] + prospects(s, w, seat)
    if not s.over:
        for good in range(KINDS):
            expect_majority(s, w, good, out)
        out[next_to_act(s)] += w.tempo
    compare(s, w, out)


@rule
def prospects(s: State, w: Any, seat: int) -> float:
    """What a seat may make of its special cards and of its hand, in points. At the end the hand only parts who ties."""
    worth = worth_of_hand(s, seat)
    if s.over:
        return 0.01 * worth
    value = special_points(s, seat) + w.dinar * worth
    if s.stage < LAST_STAGE or is_to_act(s, seat):
        value += w.donkey * s.donkeys[seat] + w.cave * s.caves[seat, 0] + w.thief * s.thieves[seat]
    return value


@rule
def is_to_act(s: State, seat: int) -> bool:
    """Whether a seat has another main action in this stage."""
    if s.deck_size > 0:
        return True
    ahead = seat - s.seat if seat >= s.seat else seat - s.seat + s.seats
    if ahead == 0:
        return s.acted == 0 or s.turns_left == s.seats
    return ahead <= s.turns_left


@rule
def next_to_act(s: State) -> int:
    """Who has the next main action."""
    if not s.acted:
        return s.seat
    return s.seat + 1 if s.seat + 1 < s.seats else 0


@rule
def strength(s: State, w: Any, seat: int, good: int) -> float:
    """The goods of a kind a seat will show at the end of the stage, roughly: what counts now, and a part of its hand."""
    value = float(goods_of(s, seat, good))
    held = s.hand[seat, good]
    if held > 0 and is_to_act(s, seat):
        size = s.hand_size[seat]
        keeps = min(HAND_LIMIT, size - s.owes) if seat == s.seat else size
        value += (w.in_hand if fits_anywhere(s, seat) >> good & 1 else w.misfit) * held * keeps / size
    return value


@rule
def expect_majority(s: State, w: Any, good: int, out: Floats) -> None:
    """Add to each seat's points what it can expect for a kind of goods."""
    best, second, leader = -1.0, -1.0, -1
    for seat in range(s.seats):
        value = strength(s, w, seat, good)
        if value > best:
            best, second, leader = value, best, seat
        elif value > second:
            second = value
    doubt = w.doubt + w.doubt_per_card * s.deck_size
    for seat in range(s.seats):
        lead = best - second if seat == leader else strength(s, w, seat, good) - best
        out[seat] += POINTS[good] * (0.5 + 0.5 * lead / (doubt + abs(lead)))


@rule
def compare(s: State, w: Any, out: Floats) -> None:
    """Turn points into chances: how far each seat is ahead of the best of the others."""
    best, second, leader = -1e9, -1e9, -1
    for seat in range(s.seats):
        if out[seat] > best:
            best, second, leader = out[seat], best, seat
        elif out[seat] > second:
            second = out[seat]
    margin = 0.01 if s.over else w.margin
    for seat in range(s.seats):
        lead = best - second if seat == leader else out[seat] - best
        out[seat] = 0.5 + 0.5 * lead / (margin + abs(lead))


@rule
def candidates(s: State, out: Cells) -> int:
    """All moves, but of payments that differ only in the order of their goods one."""
    count = legal(s, out)
    if s.phase != Phases.PAY:
        return count
    kept = 0
    for i in range(count):
        if out[i] - Moves.PAY >= s.paid_from[1]:
            out[kept] = out[i]
            kept += 1
    return kept if kept > 0 else count
