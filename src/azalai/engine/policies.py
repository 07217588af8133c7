"""Policies: players that are compiled functions on a record, chosen by a small number per player.

A policy sees only what its seat may know. Its chance comes from a number that the caller gives, so that the same number gives
the same move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from azalai.engine import flow
from azalai.engine.dispatch import candidates, evaluate, legal
from azalai.engine.game import Game
from azalai.engine.rng import below, first_words, output, seed
from azalai.engine.rule import numbers, records, rule
from azalai.engine.schema import MAX_SEATS

RANDOM, GREEDY = 0, 1
SCRIPT = 2  # plays the moves of a list
OUTSIDE = -1  # decided outside compiled code: the loop stops and hands back

DEPTH = 8  # greedy follows at most so many decisions of one move
NODES = 4000  # after so many positions greedy evaluates unfinished moves as they are
SAMPLES = 2  # greedy averages over so many sampled worlds


class Scratch(NamedTuple):
    """Memory a policy works in."""

    hidden: Any  # [0]: the record to decide in, as its seat sees it
    work: Any
    buffers: Any
    values: Any
    totals: Any
    sizes: Any  # [depth]: how many moves can follow there,
    nexts: Any  # and which of them is the next

    @classmethod
    def of(cls, game: Game) -> Scratch:
        """Allocate memory for one thread."""
        return cls(
            records(1, game.schema.dtype),
            records(DEPTH + 1, game.schema.dtype),
            numbers((DEPTH + 1, game.max_moves)),
            numbers(MAX_SEATS, np.float64),
            numbers(game.max_moves, np.float64),
            numbers(DEPTH + 1),
            numbers(DEPTH + 1),
        )


@rule
def random_move(s: Any, out: Any, number: Any) -> Any:
    """Return any legal move, all equally likely. The record is left as it was.

    The record need not be concealed: which moves are legal depends only on what the deciding seat may know.
    """
    first, second = s.rng[0], s.rng[1]
    seed(s, number, 0)
    move = out[below(s, legal(s, out))]
    s.rng[0] = first
    s.rng[1] = second
    return move


@rule
def first_draw(number: Any) -> Any:
    """Return the 32 random bits that `random_move` begins with."""
    a, b = first_words(number, 0)
    return output(a, b) >> np.uint64(32)


@rule
def greedy_move(scratch: Scratch, weights: Any, number: Any) -> Any:
    """Return the move after which `evaluate` rates the own seat best, in scratch.hidden[0].

    A move made of several decisions is followed to its end, as long as nothing is revealed on the way. Hidden information is
    sampled a few times. Ties are broken by chance.
    """
    hidden, work, buffers, totals = scratch.hidden, scratch.work, scratch.buffers, scratch.totals
    me = hidden[0].seat
    count = candidates(hidden[0], buffers[0])
    if count == 1:
        return buffers[0, 0]
    totals[:count] = 0.0
    for sample in range(SAMPLES):
        work[0] = hidden[0]
        flow.imagine(work[0], me, number + sample)
        for first in range(count):
            totals[first] += _best_end(scratch, weights, me, buffers[0, first])
    s = work[0]
    best, ties = 0, 1
    for first in range(1, count):
        if totals[first] > totals[best] + 1e-12:
            best, ties = first, 1
        elif totals[first] > totals[best] - 1e-12:
            ties += 1
            if below(s, ties) == 0:
                best = first
    return buffers[0, best]


@rule
def _best_end(scratch: Scratch, weights: Any, me: Any, move: Any) -> Any:
    """Return the best value for `me` among all ways to finish the move that begins with `move` in work[0]."""
    work, buffers, values, sizes, nexts = scratch.work, scratch.buffers, scratch.values, scratch.sizes, scratch.nexts
    best = -np.inf
    nodes = 0
    depth = 1
    sizes[1] = 0
    work[1] = work[0]
    flow.step(work[1], move)
    while depth > 0:
        s = work[depth]
        if sizes[depth] == 0:  # a new position: evaluate it, or list what can follow
            nodes += 1
            open_end = s.unfinished and not s.over and not s.revealed and s.seat == me and depth < DEPTH and nodes < NODES
            if not open_end:
                evaluate(s, weights, values)
                best = max(best, values[me])
                depth -= 1
                continue
            sizes[depth] = candidates(s, buffers[depth])
            nexts[depth] = 0
        if nexts[depth] == sizes[depth]:
            sizes[depth] = 0
            depth -= 1
            continue
        chosen = buffers[depth, nexts[depth]]
        nexts[depth] += 1
        work[depth + 1] = s
        sizes[depth + 1] = 0
        flow.step(work[depth + 1], chosen)
        depth += 1
    return best
