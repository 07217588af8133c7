"""The searching player: thinks, chooses, explains."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from azalai.bots import thought
from azalai.bots.analysis import Analysis, sum_up
from azalai.bots.guided import iterate_guided
from azalai.bots.levels import Level, level
from azalai.bots.network import Eyes, Network
from azalai.bots.search import Memory, iterate, memory, prepare, root_entries
from azalai.engine.compile import compile_once
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position

ENTRIES = 1 << 19  # of the table, per thread: 12 MB
SLICE = 2000  # iterations between two looks at the clock, the caller and the stop button


class Search:
    """A computer player of level 1 to 6. What it learns about a game it keeps until the game is over."""

    def __init__(self, game: Game, number: int | Level, seed: int = 0, threads: int = 1) -> None:
        self.game = game
        self.level = number if isinstance(number, Level) else level(game, number)
        self.seed = seed
        self._entries = min(ENTRIES, max(1 << 12, 64 * self.level.iterations))
        self._threads = threads
        self._network = Network.of(game) if self.level.guided else None
        self._memories: list[Memory] = []
        self._eyes: list[Eyes] = []
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        position = game.new(seed=1)
        compile_once(
            game,
            "guided search" if self._network else "search",
            [
                lambda: self._look(position),
                lambda: self._think(2, 1),
                lambda: self._known(1),
                lambda: self.analyse(position, 0, games=0),
            ],
        )
        self._memories, self._eyes = [], []

    def choose(self, position: Position) -> Move:
        """Return a move for the seat to decide: the same for the same seed, one thread and the same decisions before."""
        count = self._look(position)
        first = self._memories[0]
        if count == 1:
            return self.game.moves[int(first.first_moves[0])]
        visits, _ = self._known(count)
        work = max(self.level.iterations - int(visits.sum()), self.level.iterations // 4)
        number = thought(self.seed, position.ply)
        self._think(work, number)
        visits, rewards = self._known(count)
        return self.game.moves[int(first.first_moves[_pick(visits, rewards, self.level.temperature, number)])]

    def analyse(
        self,
        position: Position,
        iterations: int | None = None,
        report: Callable[[Analysis], bool | None] | None = None,
        games: int = 40,
        also: Move | None = None,
    ) -> Analysis:
        """Judge every candidate of the seat to decide, and `also` a legal move that need not be one.

        `report` is called from time to time with what is known so far, and may return False to stop. Points and chances to
        win come from `games` games, shared among the best moves, that all seats play on greedily.
        """
        count = self._look(position, also)
        number = thought(self.seed, position.ply)
        total = self.level.iterations if iterations is None else iterations
        done = 0
        while done < total:
            part = min(SLICE * self._threads, total - done)
            self._think(part, number + done)
            done += part
            if report is not None and report(sum_up(self.game, position, self._memories, count, done, 0)) is False:
                break
        return sum_up(self.game, position, self._memories, count, done, games)

    # ------------------------------------------------------------ inside

    def _look(self, position: Position, also: Move | None = None) -> int:
        """Take in the position as its deciding seat sees it; return the number of candidates."""
        if not self._memories:
            self._memories = [memory(self.game, self._entries, self._network is not None) for _ in range(self._threads)]
            if self._network is not None:
                self._eyes = [Eyes.of(self.game, self._network, m.seen) for m in self._memories]
        seen = position.seen_by(position.seat).state
        count = 0
        for m in self._memories:
            m.root[0] = seen
            m.extra[0] = -1 if also is None else also.id
            count = int(prepare(m))
        return count

    def _think(self, iterations: int, number: int) -> None:
        share, level = -(-iterations // self._threads), self.level

        def one(index: int) -> None:
            m, start = self._memories[index], number + (index << 40)
            if self._network is None:
                iterate(m, share, level.exploration, level.cutoff, level.tries, start)
            else:
                iterate_guided(m, self._eyes[index], share, level.exploration, start)

        if self._pool is None:
            one(0)
        else:
            list(self._pool.map(one, range(self._threads)))

    def _known(self, count: int) -> tuple[Any, Any]:
        """Return visits and rewards of the root's candidates over all trees, from this search and earlier ones."""
        visits, rewards = np.zeros(count), np.zeros(count)
        for m in self._memories:
            root_entries(m, visits, rewards)
        return visits, rewards


def _pick(visits: Any, rewards: Any, temperature: float, number: int) -> int:
    """Return the index of the move to play: the most visited, or drawn by visits to the power of 1 / temperature."""
    if temperature == 0:
        return int(np.lexsort((rewards, visits))[-1])
    weights = (visits / visits.max()) ** (1 / temperature)
    return random.Random(number).choices(range(len(weights)), weights)[0]
