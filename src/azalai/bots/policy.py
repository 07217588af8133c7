"""The bare network as a player: no search, one look at the position."""

from __future__ import annotations

import random

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
