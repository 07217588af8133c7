"""The two players every other is measured against: one by chance, one that looks a single move ahead.

Both are compiled, and both see only a concealed record.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from azalai.bots import thought
from azalai.engine import flow
from azalai.engine.compile import compile_once
from azalai.engine.dispatch import candidates, evaluate, legal
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.rng import below, seed
from azalai.engine.rule import numbers, records, rule
from azalai.engine.schema import MAX_SEATS

RANDOM, GREEDY = 0, 1
DEPTH = 8  # a move is made of at most so many decisions that greedy follows
NODES = 4000  # after so many positions greedy judges unfinished moves as they are
SAMPLES = 2  # how often greedy imagines what it cannot see


@rule
def random_move(s: Any, out: Any, number: Any) -> Any:
    """Any legal move, all equally likely. `s` is a spare record: its generator is overwritten."""
    seed(s, number, 0)
    return out[below(s, legal(s, out))]


class Scratch(NamedTuple):
    """Memory a baseline thinks in, and what it weighs things with."""

    hidden: Any  # [0]: the record it decides in, as its seat sees it
    work: Any
    buffers: Any
    values: Any
    totals: Any
    weights: Any

    @classmethod
    def of(cls, game: Game, weights: Any = None) -> Scratch:
        """Memory for one player of `game`, who may have weights of its own."""
        return cls(
            records(1, game.schema.dtype),
            records(DEPTH + 1, game.schema.dtype),
            numbers((DEPTH + 1, game.max_moves)),
            numbers(MAX_SEATS, np.float64),
            numbers(game.max_moves, np.float64),
            game.weights if weights is None else weights,
        )


@rule
def greedy_move(scratch: Scratch, number: Any) -> Any:
    """The move after which `evaluate` likes the own seat best.

    A move made of several decisions is followed to its end, as long as nothing is revealed on the way. What cannot be seen is
    imagined a few times over. Among equals chance decides.
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
            totals[first] += _best_end(scratch, me, buffers[0, first])
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
def _best_end(scratch: Scratch, me: Any, move: Any) -> Any:
    """The best value for `me` among all ways to finish the move that begins with `move` in work[0]."""
    work, buffers, values = scratch.work, scratch.buffers, scratch.values
    best = -np.inf
    nodes = 0
    depth = 1
    sizes = np.zeros(DEPTH + 1, np.int64)
    nexts = np.zeros(DEPTH + 1, np.int64)
    work[1] = work[0]
    flow.step(work[1], move)
    while depth > 0:
        s = work[depth]
        if sizes[depth] == 0:  # a position not seen before: judge it, or look at what can follow
            nodes += 1
            open_end = s.unfinished and not s.over and not s.revealed and s.seat == me and depth < DEPTH and nodes < NODES
            if not open_end:
                evaluate(s, scratch.weights[0], values)
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


@rule
def baseline_move(policy: Any, scratch: Scratch, number: Any) -> Any:
    """The move of either baseline in scratch.hidden[0], for loops over whole games."""
    if policy == GREEDY:
        return greedy_move(scratch, number)
    return random_move(scratch.hidden[0], scratch.buffers[0], number)


class Baseline:
    """`random` or `greedy` as a player: `choose(position)` for the seat to decide."""

    def __init__(self, game: Game, policy: int, seed: int = 0) -> None:
        self.game = game
        self.policy = policy
        self.seed = seed
        self._scratch = Scratch.of(game)
        compile_once(game, "players", [lambda: self.choose(game.new(seed=1))])

    def choose(self, position: Position) -> Move:
        """A move for the seat to decide, which is all the seat whose eyes it sees with."""
        scratch = self._scratch
        scratch.hidden[0] = position.seen_by(position.seat).state
        number = thought(self.seed, position.ply)
        move = baseline_move(self.policy, scratch, number)
        return self.game.moves[int(move)]
