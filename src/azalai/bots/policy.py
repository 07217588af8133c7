"""Players that ask a network and do not search: the bare policy, and one that makes mistakes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from azalai.bots import thought
from azalai.bots.network import Judge
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position


class Policy:
    """Plays the move that the game's network thinks best or, with a temperature, draws one by the network's chances.

    A temperature of 1 draws by these chances as they are; less makes good moves more likely.
    """

    def __init__(self, game: Game, seed: int = 0, temperature: float = 0.0) -> None:
        self.game, self.seed, self.temperature = game, seed, temperature
        self._judge = Judge(game)

    def choose(self, position: Position) -> Move:
        """Return a move for the seat to decide."""
        moves = position.move_ids()
        if len(moves) == 1:
            return self.game.moves[moves[0]]
        priors = self._judge.judge(position, moves)[1]
        if not self.temperature:
            return self.game.moves[moves[int(priors.argmax())]]
        weights = (priors / priors.max()) ** (1 / self.temperature)
        return self.game.moves[random.Random(thought(self.seed, position.ply)).choices(moves, weights.tolist())[0]]


class Fallible:
    """Plays as people do who see a move ahead: mostly something good, now and then a mistake, but none that is absurd.

    It looks at the position after each move, in an imagined world, and lets the network say what its chances are there. A move
    that gives away `temperature` of the chance to win is played 1 / e as often as the best one; one that gives away more than
    `margin` never.
    """

    def __init__(self, game: Game, seed: int, temperature: float, margin: float) -> None:
        self.game, self.seed, self.temperature, self.margin = game, seed, temperature, margin
        self._judge = Judge(game)

    def choose(self, position: Position) -> Move:
        """Return a move for the seat to decide."""
        moves = position.move_ids()
        if len(moves) == 1:
            return self.game.moves[moves[0]]
        number = thought(self.seed, position.ply)
        lost = self._given_away(position.seen_by(position.seat), moves, number)
        weights = np.where(lost <= self.margin, np.exp(-lost / self.temperature), 0.0)
        return self.game.moves[random.Random(number).choices(moves, weights.tolist())[0]]

    def _given_away(self, seen: Position, moves: list[int], number: int) -> np.ndarray[Any, Any]:
        """Return how much worse each move is than the best, in chances to win."""
        values = np.zeros(len(moves))
        for index, move in enumerate(moves):
            after = seen.imagine(number)
            after.play(move, seen.seat)
            if after.over:
                values[index] = (after.ranking[seen.seat] == 1) / after.ranking.count(1)
            else:
                values[index] = self._judge.judge(after, after.move_ids()[:1])[0][seen.seat]
        lost: np.ndarray[Any, Any] = values.max() - values
        return lost
