"""The one compiled loop that plays games by given policies, and what it can record.

Series, traces, analyses, tuning and environments all call `play_on`. A `PlayPlan` says which policy decides for whom and what is
written down on the way; recording is off where the plan's arrays are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from azalai.engine import flow
from azalai.engine.dispatch import legal, score
from azalai.engine.game import Game, score_buffer
from azalai.engine.policies import GREEDY, RANDOM, SCRIPT, Scratch, first_draw, greedy_move, random_move
from azalai.engine.rng import GOLDEN, LOW_HALF, MIX_1, mix
from azalai.engine.rule import numbers, records, rule
from azalai.engine.schema import MAX_SEATS

END, DECISIONS, POINTS = 0, 1, 2  # columns of a game's row; each seat's points and then each seat's places follow
PLACES = POINTS + MAX_SEATS
ROW = PLACES + MAX_SEATS
GAME, PLY, SEAT, PHASE, CHOICES, MOVE, LOG_ROW = range(7)  # columns of a decision's row
EVENT_PLY, EVENT_KIND, EVENT_ARGS = 0, 1, 2  # columns of an event's row; four arguments
EVENT_ROW = 6
POSITIVE = 0x7FFFFFFFFFFFFFFF


class PlayPlan(NamedTuple):
    """Who decides, what is recorded, and the memory for both. One thread uses a plan at a time."""

    policies: Any  # [player]: a policy; player p sits p seats after the first player
    weights: Any  # [player]: what a greedy player's `evaluate` weighs things with
    hashed: bool  # how chance is derived: as environments do, or as series do
    script: Any  # the moves of SCRIPT, by ply
    log: Any  # [row, column]: decisions
    events: Any  # [row, column]: events of all plies
    points: Any  # [ply, seat]: points before the first decision and after each
    used: Any  # rows used: of the log, of the events
    longest: int  # no game has more decisions
    places: Any  # for scores
    scratch: Scratch

    @classmethod
    def of(
        cls,
        game: Game,
        policies: Sequence[int],
        weights: Sequence[Any] = (),
        hashed: bool = False,
        log: int = 0,
        script: Any = (),
        traced: bool = False,
    ) -> PlayPlan:
        """Make a plan: `weights` per player are the game's own by default, `log` is room for so many decisions.

        With `traced`, the events and points of one game, whose moves are the `script`, are recorded.
        """
        chosen: Any = numbers(len(policies))
        chosen[:] = policies
        weighed = records(len(policies), game.weights.dtype)
        for player in range(len(policies)):
            weighed[player] = (weights[player] if weights else game.weights)[0]
        moves: Any = numbers(len(script))
        moves[:] = script
        plies = len(script) + 1 if traced else 0
        return cls(
            chosen, weighed, hashed, moves,
            log=numbers((log, LOG_ROW), np.int64),
            events=numbers((plies * game.schema.dtype["events"].shape[0], EVENT_ROW)),
            points=numbers((plies, len(policies))),
            used=numbers(2, np.int64), longest=game.longest, places=score_buffer(), scratch=Scratch.of(game),
        )  # fmt: skip


@rule
def play_games(plan: PlayPlan, start: Any, cells: Any, rows: Any, first: Any, number: Any) -> Any:
    """Play the games `first` … of seed `number`, one per row, each to its end; return how many were played.

    In game g, the deal is g // seats and player p sits at seat (p + g) % seats. The loop stops early where the log has no room
    for another whole game.
    """
    s = cells[0]
    for row in range(len(rows)):
        if len(plan.log) > 0 and plan.used[0] + plan.longest > len(plan.log):
            return row
        game = first + row
        cells[0] = start[0]
        flow.begin(s, number, game // s.seats)
        if len(plan.points) > 0:
            _trace(plan, s)
        play_on(plan, cells, 0, number, game, game % s.seats)
        write_row(plan, s, rows, row)
    return len(rows)


@rule
def play_on(plan: PlayPlan, cells: Any, i: Any, number: Any, game: Any, turn: Any) -> Any:
    """Play cells[i] on to its end, or up to a decision that is made outside; return whether it is over.

    The first player sits at seat `turn`. All chance in the policies follows from `number`, `game` and the ply.
    """
    s = cells[i]
    policies, out, hashed = plan.policies, plan.scratch.buffers[0], plan.hashed  # a tuple's members cost time in the loop
    logged, traced = len(plan.log) > 0, len(plan.points) > 0
    while not s.over:
        player = s.seat - turn
        if player < 0:  # not a remainder: dividing costs more than the rest of the loop
            player += s.seats
        policy = policies[player]
        chance = hashed_thought(number, game, s.ply) if hashed else thought(number, game, s.ply)
        if policy == RANDOM and hashed:
            move = out[pick(chance, legal(s, out))]
        elif policy == RANDOM:
            move = random_choice(s, out, chance)
        elif policy == GREEDY:
            move = _greedy(plan, cells, i, player, chance)
        elif policy == SCRIPT and s.ply < len(plan.script):
            move = plan.script[s.ply]
        else:
            return False
        if logged:
            _log(plan, s, game, move)
        flow.step(s, move)
        if traced:
            _trace(plan, s)
    return True


@rule
def random_choice(s: Any, out: Any, chance: Any) -> Any:
    """Do as `random_move`, but without its detour over the record's generator."""
    draw = first_draw(chance)
    count = np.uint64(legal(s, out))
    scaled = draw * count
    even = (scaled & LOW_HALF) >= count  # about once in a hundred million decisions an even choice needs another draw
    return out[scaled >> np.uint64(32)] if even else random_move(s, out, chance)


@rule
def _greedy(plan: PlayPlan, cells: Any, i: Any, player: Any, chance: Any) -> Any:
    plan.scratch.hidden[0] = cells[i]
    flow.conceal(plan.scratch.hidden[0], cells[i].seat)
    return greedy_move(plan.scratch, plan.weights[player], chance)


@rule
def thought(number: Any, game: Any, ply: Any) -> Any:
    """The number from which a policy's chance comes in a series. Greedy uses the next one, too."""
    return (number ^ (game * 1_000_003 + ply * 2)) & POSITIVE


@rule
def hashed_thought(number: Any, game: Any, ply: Any) -> Any:
    """The number from which a policy's chance comes in an environment."""
    return np.int64(mix(mix(np.uint64(number) + GOLDEN) + np.uint64(game) * GOLDEN + np.uint64(ply) * MIX_1) >> np.uint64(2))


@rule
def pick(chance: Any, count: Any) -> Any:
    """Scale a random number to an index from 0 to count - 1."""
    return (np.uint64(chance) & LOW_HALF) * np.uint64(count) >> np.uint64(32)


@rule
def write_row(plan: PlayPlan, s: Any, rows: Any, row: Any) -> None:
    """Write how a finished game went into its row."""
    score(s, plan.places)
    rows[row, END] = s.over
    rows[row, DECISIONS] = s.ply
    for seat in range(s.seats):
        rows[row, POINTS + seat] = plan.places[seat, 0]
        rows[row, PLACES + seat] = plan.places[seat, 1]


@rule
def _log(plan: PlayPlan, s: Any, game: Any, move: Any) -> None:
    row = plan.used[0]
    if row == len(plan.log):  # a game longer than its `longest`
        return
    plan.log[row, GAME] = game
    plan.log[row, PLY] = s.ply
    plan.log[row, SEAT] = s.seat
    plan.log[row, PHASE] = s.phase
    plan.log[row, CHOICES] = legal(s, plan.scratch.buffers[0])
    plan.log[row, MOVE] = move
    plan.used[0] = row + 1


@rule
def _trace(plan: PlayPlan, s: Any) -> None:
    score(s, plan.places)
    for seat in range(s.seats):
        plan.points[s.ply, seat] = plan.places[seat, 0]
    for i in range(min(s.event_count, len(s.events))):
        row = plan.used[1]
        plan.events[row, EVENT_PLY] = s.ply
        plan.events[row, EVENT_KIND] = s.events[i, 0]
        for k in range(4):
            plan.events[row, EVENT_ARGS + k] = s.events[i, 2 + k]
        plan.used[1] = row + 1
