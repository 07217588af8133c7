"""The searching player: thinks, chooses, explains.

A search that is not compiled yet would take minutes. Until it is, weak levels search for a moment, strong ones play greedily, one
guided by a network plays what the network thinks best, and an analysis makes do with what it finds in two seconds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from azalai.bots import thought
from azalai.bots.analysis import Analysis, finish_none, sum_up
from azalai.bots.baseline import Baseline
from azalai.bots.guided import iterate_guided
from azalai.bots.levels import Level, numbered, searches
from azalai.bots.network import Eyes, Network
from azalai.bots.policy import Policy
from azalai.bots.search import Memory, iterate, memory, prepare, root_entries, weigh_worlds
from azalai.engine.compile import Task, is_ready, use_compiled
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.policies import GREEDY
from azalai.engine.position import Position

ENTRIES = 1 << 19  # of the table, per thread: 12 MB
SLICE = 2000  # iterations between two looks at the clock, the caller and the stop button
MOMENT, LONG_MOMENT = 1.0, 2.0  # seconds for a decision and for an analysis, while the search is not compiled
GUIDED = "azalai.bots.guided"  # the part of a game that a search guided by a network needs
SMALL_SLICE = 5  # iterations between two looks at the clock then


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that a search calls."""
    return search_tasks(game, Search(game, 1))


def search_tasks(game: Game, search: Search) -> Sequence[Task]:
    """What calls every rule that this search calls."""
    position = game.new(seed=1)
    return [
        lambda: search._look(position),
        lambda: search._weigh(1),
        lambda: search._think(2, 1, search.level),
        lambda: search._known(1),
        lambda: search.analyse(position, 0, games=0),
        lambda: finish_none(game, search._memories[0]),
    ]


class Search:
    """A player that searches: as a level says, or as the search of that number. What it learns it keeps to the game's end."""

    def __init__(self, game: Game, number: int | Level, seed: int = 0, threads: int = 1) -> None:
        self.game = game
        self.level = number if isinstance(number, Level) else numbered(searches(game), number)
        self.seed = seed
        self._entries = min(ENTRIES, max(1 << 12, 64 * self.level.iterations))
        self._threads = threads
        self._network = Network.of(game) if self.level.guided else None
        self._part = GUIDED if self.level.guided else __name__  # what has to be compiled
        self._memories: list[Memory] = []
        self._eyes: list[tuple[Eyes, Eyes]] = []
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        use_compiled(game, self._part)

    def choose(self, position: Position) -> Move:
        """Return a move for the seat to decide: the same for the same seed, one thread and the same decisions before."""
        if not is_ready(self.game, self._part) and self.level.guided:
            return Policy(self.game, self.seed).choose(position)
        if not is_ready(self.game, self._part) and self.level.cutoff:
            return Baseline(self.game, GREEDY, self.seed).choose(position)
        count = self._look(position)
        first = self._memories[0]
        if count == 1:
            return self.game.moves[int(first.first_moves[0])]
        visits, _ = self._known(count)
        work = max(self.level.iterations - int(visits.sum()), self.level.iterations // 4)
        number = thought(self.seed, position.ply)
        if is_ready(self.game, self._part):
            self._weigh(number)
            self._think(work, number, self.level)
        else:
            self._think_for(MOMENT, work, number, self.level)
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
        win come from `games` games, shared among the best moves, that all seats play on greedily. As long as the search is not
        compiled, there are few iterations and no such games.
        """
        count = self._look(position, also)
        number = thought(self.seed, position.ply)
        total = self.level.iterations if iterations is None else iterations
        if not is_ready(self.game, self._part):
            done = self._think_for(LONG_MOMENT, total, number, replace(self.level, cutoff=0, tries=1))
            return sum_up(self.game, position, self._memories, count, done, 0)
        done = 0
        self._weigh(number)
        while done < total:
            part = min(SLICE * self._threads, total - done)
            self._think(part, number + done, self.level)
            done += part
            if report is not None and report(sum_up(self.game, position, self._memories, count, done, 0)) is False:
                break
        return sum_up(self.game, position, self._memories, count, done, games)

    # ------------------------------------------------------------ inside

    def _look(self, position: Position, also: Move | None = None) -> int:
        """Take in the position as its deciding seat sees it; return the number of candidates."""
        if not self._memories:
            size = (self._entries, self._network is not None, self.level.worlds)
            self._memories = [memory(self.game, *size) for _ in range(self._threads)]
            if self._network is not None:
                self._eyes = [Eyes.pair(self.game, m.seen) for m in self._memories]
        seen = position.seen_by(position.seat).state
        count = 0
        for m in self._memories:
            m.root[0] = seen
            m.extra[0] = -1 if also is None else also.id
            count = int(prepare(m))
        return count

    def _weigh(self, number: int) -> None:
        """Weigh worlds for the decision taken in, as many as the level says."""
        for index, m in enumerate(self._memories):
            weigh_worlds(m, number + (index << 40))

    def _think_for(self, seconds: float, iterations: int, number: int, how: Level) -> int:
        """Search for about so long, with `iterations` at most; return how many there were."""
        done, end = 0, time.monotonic() + seconds
        while done < iterations and time.monotonic() < end:
            part = min(SMALL_SLICE, iterations - done)
            self._think(part, number + done, how)
            done += part
        return done

    def _think(self, iterations: int, number: int, how: Level) -> None:
        share = -(-iterations // self._threads)

        def one(index: int) -> None:
            m, start = self._memories[index], number + (index << 40)
            if self._network is None:
                iterate(m, share, how.exploration, how.cutoff, how.tries, start)
            else:
                iterate_guided(m, *self._eyes[index], share, how.exploration, start)

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
