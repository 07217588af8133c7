"""The steps of every game, whatever its rules: begin, decide, conceal, imagine what is hidden, play out at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.dispatch import determinize, hide, invariant, legal, play, score, setup
from azalai.engine.rng import below, seed
from azalai.engine.rule import rule
from azalai.engine.schema import TO_ALL

# What `soak` can find wrong besides a game's own invariants (which are numbered from 1).
NO_MOVE, SAME_MOVE_TWICE, BAD_MOVE, TOO_MANY_EVENTS, TOO_LONG, NOBODY_ASKED, NO_WINNER = -1, -2, -3, -4, -5, -6, -7


NOTHING = -1  # no decision

KEY_FACTOR = 0x2545F4914F6CDD1D  # odd, and its bits are evenly mixed
KEY_BITS = (1 << 62) - 1


@rule
def begin(s: Any, number: Any, stream: Any) -> None:
    """Deal game `stream` of seed `number`; seats and options are set already."""
    seed(s, number, stream)
    s.event_count = 0
    setup(s)


@rule
def step(s: Any, move: Any) -> None:
    """One decision of the seat to decide, which must be legal."""
    s.event_count = 0
    s.revealed = 0
    play(s, move)
    s.ply += 1


@rule
def conceal(s: Any, seat: Any) -> None:
    """Leave in `s` only what `seat` may know (-1: a spectator): the game's secrets, the generator and private events go."""
    if not s.over:
        hide(s, seat)
    s.rng[0] = 0
    s.rng[1] = 0
    kept = 0
    for i in range(min(s.event_count, len(s.events))):
        audience = s.events[i, 1]
        if audience == TO_ALL or s.over or (seat >= 0 and audience >> seat & 1):
            for k in range(s.events.shape[1]):
                s.events[kept, k] = s.events[i, k]
            s.events[kept, 1] = TO_ALL  # nor does it say who else saw it
            kept += 1
    for i in range(kept, len(s.events)):
        for k in range(s.events.shape[1]):
            s.events[i, k] = 0
    s.event_count = kept


@rule
def describe(s: Any, out: Any) -> None:
    """Write the legal moves into `out`, and keys that stand for their list and for each event of the last decision.

    `out` is a record of `steps.outcome_type`. Two lists, or two events, have the same key only by a chance of 1 to 2**62.
    """
    moves = out.moves[:]
    count = 0 if s.over else legal(s, moves)
    key = mixed(0, count)
    for i in range(count):
        key = mixed(key, moves[i])
    out.count = count
    out.list_key = mixed(key, 0)
    events = min(s.event_count, len(s.events))
    for i in range(events):
        key = 0
        for k in range(s.events.shape[1]):
            key = mixed(key, s.events[i, k])
        out.event_keys[i] = mixed(key, 0)
    out.events = events


@rule
def mixed(key: Any, number: Any) -> Any:
    """Return a key that stands for all that `key` stands for, and then a number."""
    return (key * KEY_FACTOR + number) & KEY_BITS


@rule
def advance(s: Any, move: Any, out: Any) -> None:
    """Play a legal decision of the seat to decide, or `NOTHING`, and describe what has become of the game."""
    if move != NOTHING:
        step(s, move)
    describe(s, out)


# What a Position calls, on arrays of one record: passing a bare record from Python costs ten times as much as all the rest.


@rule
def score_first(cells: Any, out: Any) -> None:
    """Write each seat's points and place into `out`."""
    score(cells[0], out)


@rule
def conceal_first(cells: Any, seat: Any) -> None:
    """Leave only what `seat` may know."""
    conceal(cells[0], seat)


@rule
def imagine(s: Any, seat: Any, number: Any) -> None:
    """Turn a record concealed for `seat` into a whole one that this seat cannot tell from the truth."""
    seed(s, number, 0)
    if not s.over:
        determinize(s, seat)


@rule
def play_out(s: Any, out: Any) -> Any:
    """Play on at random until the game is over; return the number of decisions."""
    decisions = 0
    while not s.over:
        step(s, out[below(s, legal(s, out))])
        decisions += 1
    return decisions


@rule
def play_many(work: Any, start: Any, games: Any, number: Any, out: Any) -> Any:
    """Play `games` random games from `start[0]`, in the spare record `work[0]`; return the number of decisions."""
    decisions = 0
    s = work[0]
    for game in range(games):
        work[0] = start[0]
        seed(s, number, game)
        decisions += play_out(s, out)
    return decisions


@rule
def copy_many(work: Any, start: Any, times: Any) -> Any:
    """Copy a record to and fro `times` times, for measuring."""
    for i in range(times):
        start[0].ply = i
        work[i % len(work)] = start[0]
    return work[0].ply


@rule
def soak(
    work: Any, start: Any, first: Any, games: Any, number: Any, longest: Any, moves: Any, out: Any, seen: Any, places: Any
) -> Any:
    """Play random games `first` … and check all invariants; return the first broken one and its game, or 0 and the decisions.

    `moves` is how many move ids there are, `seen` a scratch array of that length, `places` one for scores.
    """
    decisions = 0
    stamp = 0
    s = work[0]
    for game in range(first, first + games):
        work[0] = start[0]
        begin(s, number, game)
        ply = 0
        while True:
            broken = invariant(s)
            if broken:
                return broken, game
            if s.event_count > len(s.events):
                return TOO_MANY_EVENTS, game
            if s.over:
                break
            if s.pending == 0 or not s.pending >> s.seat & 1:
                return NOBODY_ASKED, game
            n = legal(s, out)
            if n == 0:
                return NO_MOVE, game
            stamp += 1
            for i in range(n):
                if out[i] < 0 or out[i] >= moves:
                    return BAD_MOVE, game
                if seen[out[i]] == stamp:
                    return SAME_MOVE_TWICE, game
                seen[out[i]] = stamp
            step(s, out[below(s, n)])
            ply += 1
            if ply > longest:
                return TOO_LONG, game
        decisions += ply
        score(s, places)
        winners = 0
        for seat in range(s.seats):
            winners += places[seat, 1] == 1
        if winners == 0:
            return NO_WINNER, game
    return np.int64(0), np.int64(decisions)
