"""A player that tries turns: it lets the network's policy play on after each, and judges what came of it.

Where a turn has many decisions, the chances after one move differ less from those after another than the network errs, and a
tree search finds nothing that the policy does not. Chances after whole turns differ more. So different turns are drawn by the
policy, each up to its end or to what chance reveals, and all are tried in the same imagined worlds; after each round the worse
half is left out (sequential halving).
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
from azalai.bots.search import FINE, Memory, information_set, list_moves, memory, sample_world
from azalai.engine import flow
from azalai.engine.compile import Task, is_ready, use_compiled
from azalai.engine.dispatch import score
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.rng import below
from azalai.engine.rule import numbers, rule

TURNS = 24  # different turns that are tried,
DRAWN = 3 * TURNS  # of so many drawn
LONGEST = 16  # decisions of a turn
BOLDNESS = 0.5  # turns are drawn by the policy's chances to this power
TRUST = 0.02  # a turn whose first move the policy finds e times as likely may be so much worse


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that this player calls."""
    player, position = Ahead(game, Level(6, iterations=8, cutoff=1, guided=True)), game.new(seed=1)
    return [lambda: player.try_turns(position, position.move_ids())]


@rule
def think(m: Memory, eyes: Eyes) -> Any:
    """Look at the root with the network: write the chances of its moves into eyes.priors; return how many moves there are."""
    m.work[0] = m.root[0]
    count = list_moves(m, m.work[0], m.moves)
    _judge(m, eyes, m.work[0], count)
    return count


@rule
def draw_turns(m: Memory, eyes: Eyes, first: Any, turns: Any) -> Any:
    """Write different turns of the deciding seat: the policy's own, then some drawn. Return how many there are.

    A row ends with -1, where the turn ends or chance reveals something. Worlds are numbered from `first` on.
    """
    s, me = m.work[0], m.root[0].seat
    count = 0
    for number in range(DRAWN):
        if count == len(turns):
            break
        sample_world(m.root, m.work, m.trial, first + number)
        turn = turns[count]
        turn[:] = -1
        for length in range(LONGEST):
            size = list_moves(m, s, m.moves)
            if size > 1:
                _judge(m, eyes, s, size)
            turn[length] = m.moves[_likeliest(eyes, size) if number == 0 else _draw(eyes, s, size, BOLDNESS)]
            flow.step(s, turn[length])
            if s.over or s.seat != me or s.revealed:
                break
        count += 1
        for other in range(count - 1):
            if _same(turns[other], turn):
                count -= 1
                break
    return count


@rule
def _same(one: Any, other: Any) -> Any:
    for k in range(len(one)):
        if one[k] != other[k]:
            return False
    return True


@rule
def play_ahead(m: Memory, eyes: Eyes, critic: Eyes, turns: Any, ahead: Any, first: Any, values: Any) -> None:
    """Write what the deciding seat's chances are into values[world, turn] when the policy has played on after each turn, so many
    decisions `ahead`. All turns are tried in the same worlds, which are numbered from `first` on."""
    s, me = m.work[0], m.root[0].seat
    for world in range(len(values)):
        sample_world(m.root, m.work, m.trial, first + world)
        m.trial[0] = m.work[0]
        for index in range(len(turns)):
            m.work[0] = m.trial[0]
            for move in turns[index]:
                if move < 0 or s.over or not _is_legal(m, s, move):
                    break
                flow.step(s, move)
            left = ahead
            while not s.over:
                count = list_moves(m, s, m.moves)
                if count > 1:
                    _judge(m, eyes, s, count)
                    if left == 0:
                        judge_world(m, critic)
                        break
                    left -= 1
                flow.step(s, m.moves[_draw(eyes, s, count, 1.0)])
            values[world, index] = _share_of_win(m, s, me) if s.over else m.values[me]


@rule
def _is_legal(m: Memory, s: Any, move: Any) -> Any:
    for index in range(list_moves(m, s, m.moves)):
        if m.moves[index] == move:
            return True
    return False


@rule
def _judge(m: Memory, eyes: Eyes, s: Any, count: Any) -> None:
    """Let the network judge m.work as its deciding seat sees it."""
    information_set(m, s)  # which writes what that seat sees
    judge(eyes, s.seat, s.seats, m.moves[:count], m.values)


@rule
def _likeliest(eyes: Eyes, count: Any) -> Any:
    """Return the index of the move just judged that is likeliest."""
    best = 0
    for index in range(1, count):
        if eyes.priors[index] > eyes.priors[best]:
            best = index
    return best


@rule
def _draw(eyes: Eyes, s: Any, count: Any, power: Any) -> Any:
    """Draw one of the moves just judged by its chance to some power; return its index."""
    if count == 1:
        return 0
    total = 0.0
    for index in range(count):
        if power != 1.0:
            eyes.priors[index] **= power
        total += eyes.priors[index]
    left = total * below(s, FINE) / FINE
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
        self._memory = memory(game, 0, every=True)
        self._eyes, self._critic = Eyes.pair(game, self._memory.seen)
        use_compiled(game, __name__)

    def choose(self, position: Position) -> Move:
        """Return a move for the seat to decide: the same for the same seed. Until it is compiled it does not look ahead."""
        if not is_ready(self.game, __name__):
            return Policy(self.game, self.seed).choose(position)
        moves = position.move_ids()
        return self.game.moves[moves[0] if len(moves) == 1 else self.try_turns(position, moves)]

    def try_turns(self, position: Position, moves: Sequence[int]) -> int:
        """Return the first move of the turn that is best some decisions later."""
        m, number = self._memory, thought(self.seed, position.ply)
        m.root[0] = position.seen_by(position.seat).state
        chances = dict(zip(moves, np.array(self._eyes.priors[: int(think(m, self._eyes))])))
        turns: Any = numbers((TURNS, LONGEST))
        turns = turns[: int(draw_turns(m, self._eyes, number, turns))]
        trust = TRUST * np.log(np.maximum([chances[move] for move in turns[:, 0]], 1e-9))
        number += DRAWN
        left, worlds, totals = np.arange(len(turns)), 0, np.zeros(len(turns))
        rounds = math.ceil(math.log2(len(turns)))
        for _ in range(rounds):
            values = np.zeros((max(1, self.level.iterations // rounds // len(left)), len(left)))
            play_ahead(m, self._eyes, self._critic, np.ascontiguousarray(turns[left]), self.level.cutoff, number + worlds, values)
            worlds += len(values)
            totals[left] += values.sum(axis=0)
            left = left[np.argsort(-(totals[left] / worlds + trust[left]), kind="stable")[: (len(left) + 1) // 2]]
        return int(turns[left[0], 0])
