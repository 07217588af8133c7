"""What comes of a move, in worlds sampled from what a seat knows: games played on by the network, or without one greedily.

It is a file of its own so that a change elsewhere compiles nothing anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from azalai.bots.network import Eyes, Network, judge
from azalai.bots.search import Memory, information_set, list_moves, memory, sample_world
from azalai.engine import flow
from azalai.engine.dispatch import score
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.playing import PLACES, ROW, PlayPlan, play_on, write_row
from azalai.engine.policies import GREEDY
from azalai.engine.position import Position
from azalai.engine.rule import numbers, records, rule
from azalai.reviews.scout import calibrate

LONGEST = 5000  # decisions of a game
ANSWERS = 80  # decisions of the others before a position is judged where it is

Array = np.ndarray[Any, Any]


@rule
def network_move(m: Memory, eyes: Eyes, s: Any) -> Any:
    """Return the move that the network thinks best in m.work."""
    count = list_moves(m, s, m.moves)
    chosen = 0
    if count > 1:
        information_set(m, s)
        judge(eyes, s.seat, s.seats, m.moves[:count], m.values)
        for index in range(1, count):
            if eyes.priors[index] > eyes.priors[chosen]:
                chosen = index
    return m.moves[chosen]


@rule
def play_to_end(m: Memory, eyes: Eyes, move: Any, first: Any, places: Any) -> None:
    """Play a game for each row of `places` by the network and write every seat's place; worlds are numbered from `first` on."""
    s = m.work[0]
    for game in range(len(places)):
        sample_world(m.root, m.work, m.trial, first + game)
        flow.step(s, move)
        steps = 0
        while not s.over and steps < LONGEST:
            flow.step(s, network_move(m, eyes, s))
            steps += 1
        score(s, m.places)
        for seat in range(s.seats):
            places[game, seat] = m.places[seat, 1]


@rule
def finish_greedily(root: Any, move: Any, first: Any, plan: PlayPlan, cells: Any, rows: Any) -> None:
    """Do so by the plan's policies, one game per row."""
    for game in range(len(rows)):
        sample_world(root, cells, plan.scratch.hidden, first + game)
        flow.step(cells[0], move)
        play_on(plan, cells, 0, 0, first + game, 0)
        write_row(plan, cells[0], rows, game)


@rule
def judge_answered(m: Memory, eyes: Eyes, moves: Any, first: Any, values: Any) -> None:
    """Write what the network thinks of every seat's chance into values[world, move, seat], when the others have answered a move
    and the deciding seat decides again. All moves are tried in the same worlds, which are numbered from `first` on."""
    s, seat = m.work[0], m.root[0].seat
    for world in range(len(values)):
        sample_world(m.root, m.work, m.trial, first + world)
        m.trial[0] = m.work[0]
        for index in range(len(moves)):
            m.work[0] = m.trial[0]
            flow.step(s, moves[index])
            answers = 0
            while not s.over and s.seat != seat and answers < ANSWERS:
                flow.step(s, network_move(m, eyes, s))
                answers += 1
            if s.over:
                score(s, m.places)
                winners = 0
                for one in range(s.seats):
                    winners += m.places[one, 1] == 1
                for one in range(s.seats):
                    m.values[one] = 1.0 / winners if m.places[one, 1] == 1 else 0.0
            else:
                information_set(m, s)
                judge(eyes, s.seat, s.seats, m.moves[: min(1, list_moves(m, s, m.moves))], m.values)
            for one in range(s.seats):
                values[world, index, one] = m.values[one]


class Playouts:
    """Tries moves of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._memory = memory(game, 1 << 10, every=True)
        self._spare = records(1, game.schema.dtype)
        self._plans = {seats: PlayPlan.of(game, [GREEDY] * seats) for seats in game.seats}
        try:
            self._eyes: Eyes | None = Eyes.of(game, Network.of(game), self._memory.seen)
        except BadOption:
            self._eyes = None

    def wins(self, seen: Position, move: int, first: int, games: int) -> Array:
        """Return the deciding seat's share of the win in the games from `first` on. Game `n` has the same world after every
        move."""
        self._memory.root[0] = seen.state
        if self._eyes is None:
            rows = numbers((games, ROW))
            finish_greedily(self._memory.root, move, first, self._plans[seen.seats], self._spare, rows)
            places = np.asarray(rows)[:, PLACES : PLACES + seen.seats]
        else:
            room = numbers((games, seen.seats))
            play_to_end(self._memory, self._eyes, move, first, room)
            places = np.asarray(room)
        won = places == 1
        shares: Array = won[:, seen.seat] / won.sum(axis=1)
        return shares

    def glance(self, seen: Position, moves: Sequence[int], first: int, worlds: int) -> dict[int, float]:
        """Return what the network thinks of the deciding seat's chance after each of some moves, when it decides again."""
        assert self._eyes is not None
        self._memory.root[0] = seen.state
        tried: Any = numbers(len(moves))
        tried[:] = moves
        values = np.zeros((worlds, len(moves), seen.seats))
        judge_answered(self._memory, self._eyes, tried, first, values)
        chances = calibrate(self.game, values)[:, :, seen.seat].mean(axis=0)
        return dict(zip(moves, chances.tolist(), strict=True))
