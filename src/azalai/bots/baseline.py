"""The two players every other is measured against: one by chance, one that looks a single move ahead."""

from __future__ import annotations

from collections.abc import Sequence

from azalai.bots import thought
from azalai.engine.compile import Task, use_compiled
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.policies import GREEDY, RANDOM, Scratch, greedy_move, random_move
from azalai.engine.position import Position

POLICIES = {"random": RANDOM, "greedy": GREEDY}


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that a baseline calls."""
    position = game.new(seed=1)
    return [lambda: Baseline(game, RANDOM).choose(position), lambda: Baseline(game, GREEDY).choose(position)]


class Baseline:
    """A compiled policy as a player: `choose(position)` for the seat to decide."""

    def __init__(self, game: Game, policy: int, seed: int = 0) -> None:
        self.game = game
        self.policy = policy
        self.seed = seed
        self._scratch = Scratch.of(game)
        use_compiled(game, __name__)

    def choose(self, position: Position) -> Move:
        """Return a move for the seat to decide."""
        return self.game.moves[self._move(self.policy, position)]

    def _move(self, policy: int, position: Position) -> int:
        scratch = self._scratch
        scratch.hidden[0] = position.seen_by(position.seat).state
        number = thought(self.seed, position.ply)
        if policy == GREEDY:
            return int(greedy_move(scratch, self.game.weights[0], number))
        return int(random_move(scratch.hidden[0], scratch.buffers[0], number))
