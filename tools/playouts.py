"""Games played to the end after a move, in worlds sampled from what a seat knows: by the network, or without one greedily.

It is a file of its own so that a change elsewhere compiles nothing anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.bots.network import Eyes, Network, judge
from azalai.bots.search import Memory, finish_games, information_set, list_moves, memory, sample_world
from azalai.engine import flow
from azalai.engine.dispatch import score
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.playing import PLACES, ROW, PlayPlan
from azalai.engine.policies import GREEDY
from azalai.engine.position import Position
from azalai.engine.rule import numbers, records, rule

LONGEST = 5000  # decisions of a game

Array = np.ndarray[Any, Any]


@rule
def play_to_end(m: Memory, eyes: Eyes, move: Any, first: Any, places: Any) -> None:
    """Play a game for each row of `places` and write every seat's place; worlds are numbered from `first` on."""
    s = m.work[0]
    for game in range(len(places)):
        sample_world(m.root, m.work, m.trial, first + game)
        flow.step(s, move)
        steps = 0
        while not s.over and steps < LONGEST:
            count = list_moves(m, s, m.moves)
            chosen = 0
            if count > 1:
                information_set(m, s)
                judge(eyes, s.seat, s.seats, m.moves[:count], m.values)
                for index in range(1, count):
                    if eyes.priors[index] > eyes.priors[chosen]:
                        chosen = index
            flow.step(s, m.moves[chosen])
            steps += 1
        score(s, m.places)
        for seat in range(s.seats):
            places[game, seat] = m.places[seat, 1]


class Playouts:
    """Plays games of one kind to the end."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._memory = memory(game, 1 << 10, every=True)
        try:
            self._eyes: Eyes | None = Eyes.of(game, Network.of(game), self._memory.seen)
        except BadOption:
            self._eyes = None

    def wins(self, seen: Position, move: int, games: int) -> Array:
        """Return the deciding seat's share of the win in each of some games. Game `n` has the same world after every move."""
        self._memory.root[0] = seen.state
        if self._eyes is None:
            rows = numbers((games, ROW))
            plan = PlayPlan.of(self.game, [GREEDY] * seen.seats)
            finish_games(self._memory.root, move, plan, records(1, self.game.schema.dtype), rows)
            places = np.asarray(rows)[:, PLACES : PLACES + seen.seats]
        else:
            room = numbers((games, seen.seats))
            play_to_end(self._memory, self._eyes, move, 0, room)
            places = np.asarray(room)
        won = places == 1
        shares: Array = won[:, seen.seat] / won.sum(axis=1)
        return shares
