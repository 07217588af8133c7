"""A player that tries moves: it lets the network's policy play on after each, and judges what came of it.

Where a turn has many decisions, the chances after one move differ less from those after another than the network errs, and a
tree search finds nothing that the policy does not. Chances some decisions later differ more. The moves that the policy likes
best are tried in the same imagined worlds; after each round the worse half is left out (sequential halving).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from azalai.bots import thought
from azalai.bots.guided import judge_world
from azalai.bots.levels import Level
from azalai.bots.network import Eyes, judge
from azalai.bots.policy import Policy
from azalai.bots.search import FINE, Memory, draw_world, information_set, list_moves, memory, weigh_worlds
from azalai.engine import flow
from azalai.engine.compile import Task, is_ready, use_compiled
from azalai.engine.dispatch import score
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.rng import below
from azalai.engine.rule import numbers, rule

CANDIDATES = 8  # moves that are tried
DOUBT = 0.02  # those that the policy finds less likely than this share of the likeliest are not
TRUST = 0.02  # a move that the policy finds e times as likely may be so much worse


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that this player calls."""
    player, position = Ahead(game, Level(6, iterations=8, cutoff=1, guided=True)), game.new(seed=1)
    return [lambda: player.try_moves(position, position.move_ids())]


@rule
def think(m: Memory, eyes: Eyes) -> Any:
    """Look at the root with the network: write the chances of its moves into eyes.priors; return how many moves there are."""
    m.work[0] = m.root[0]
    count = list_moves(m, m.work[0], m.moves)
    _judge(m, eyes, m.work[0], count)
    return count


@rule
def play_ahead(m: Memory, eyes: Eyes, critic: Eyes, moves: Any, ahead: Any, first: Any, values: Any) -> None:
    """Write what the deciding seat's chances are into values[world, move] when the policy has played on after each move, so many
    decisions `ahead`. All moves are tried in the same worlds, which are numbered from `first` on."""
    s, me = m.work[0], m.root[0].seat
    for world in range(len(values)):
        draw_world(m, first + world)
        m.trial[0] = m.work[0]
        for index in range(len(moves)):
            m.work[0] = m.trial[0]
            flow.step(s, moves[index])
            left = ahead
            while not s.over:
                count = list_moves(m, s, m.moves)
                if count > 1:
                    _judge(m, eyes, s, count)
                    if left == 0:
                        judge_world(m, critic)
                        break
                    left -= 1
                flow.step(s, m.moves[_draw(eyes, s, count)])
            values[world, index] = _share_of_win(m, s, me) if s.over else m.values[me]


@rule
def _judge(m: Memory, eyes: Eyes, s: Any, count: Any) -> None:
    """Let the network judge m.work as its deciding seat sees it."""
    information_set(m, s)  # which writes what that seat sees
    judge(eyes, s.seat, s.seats, m.moves[:count], m.values)


@rule
def _draw(eyes: Eyes, s: Any, count: Any) -> Any:
    """Draw one of the moves just judged by its chance; return its index."""
    if count == 1:
        return 0
    left = below(s, FINE) / FINE
    for index in range(count - 1):
        left -= eyes.priors[index]
        if left < 0:
            return index
    return count - 1


@rule
def _share_of_win(m: Memory, s: Any, me: Any) -> Any:
    score(s, m.places)
    winners = 0
    for seat in range(s.seats):
        winners += m.places[seat, 1] == 1
    return 1.0 / winners if m.places[me, 1] == 1 else 0.0


class Ahead:
    """Plays as a level says: `iterations` are the tries for a decision, `cutoff` is how many decisions each looks ahead."""

    def __init__(self, game: Game, level: Level, seed: int = 0) -> None:
        self.game, self.level, self.seed = game, level, seed
        self._memory = memory(game, 0, every=True, worlds=level.worlds)
        self._eyes, self._critic = Eyes.pair(game, self._memory.seen)
        use_compiled(game, __name__)

    def choose(self, position: Position) -> Move:
        """Return a move for the seat to decide: the same for the same seed. Until it is compiled it does not look ahead."""
        if not is_ready(self.game, __name__):
            return Policy(self.game, self.seed).choose(position)
        moves = position.move_ids()
        return self.game.moves[moves[0] if len(moves) == 1 else self.try_moves(position, moves)]

    def try_moves(self, position: Position, moves: Sequence[int]) -> int:
        """Return the move that is best some decisions later."""
        m, number = self._memory, thought(self.seed, position.ply)
        m.root[0] = position.seen_by(position.seat).state
        weigh_worlds(m, number)
        chances = np.array(self._eyes.priors[: int(think(m, self._eyes))])
        left = [index for index in np.argsort(-chances, kind="stable")[:CANDIDATES] if chances[index] >= DOUBT * chances.max()]
        worth, worlds = TRUST * np.log(np.maximum(chances, 1e-9)), 0
        totals, rounds = np.zeros(len(moves)), math.ceil(math.log2(max(1, len(left))))
        for _ in range(rounds):
            tried: Any = numbers(len(left))
            tried[:] = [moves[index] for index in left]
            values = np.zeros((max(1, self.level.iterations // rounds // len(left)), len(left)))
            play_ahead(m, self._eyes, self._critic, tried, self.level.cutoff, number + worlds, values)
            worlds += len(values)
            totals[left] += values.sum(axis=0)
            left = sorted(left, key=lambda index: -(totals[index] / worlds + worth[index]))[: (len(left) + 1) // 2]
        return moves[int(left[0])]
