"""Thousands of games between computer players, on all cores, in compiled code.

Players change seats from game to game: game g is deal g // seats, with everybody g % seats places further on. So each deal is
played from every seat, and neither luck of the deal nor a good seat tells in favour of a player.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from azalai.arena.tally import Tally
from azalai.bots import BASELINES, make
from azalai.bots.baseline import Scratch, baseline_move
from azalai.engine import flow
from azalai.engine.compile import compile_once
from azalai.engine.dispatch import score
from azalai.engine.errors import BadOption
from azalai.engine.game import Game, score_buffer
from azalai.engine.position import SEED_LIMIT
from azalai.engine.rule import numbers, records, rule
from azalai.engine.schema import MAX_SEATS

CHUNK_SECONDS = 0.4  # of a worker's time between two reports


@dataclass
class Results:
    """What many games came to. Its size does not depend on their number."""

    game: str
    seats: int
    players: tuple[str, ...]
    seed: int
    games: int = 0
    by_player: dict[str, Tally] = field(default_factory=dict)  # name -> tally, over all seats of that name
    by_seat: list[Tally] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=dict)
    decisions: int = 0
    decision_squares: float = 0.0
    shortest: int = 0
    longest: int = 0

    def add(self, game: Game, first: int, rows: Any) -> None:
        """Count in the rows of games `first` … ."""
        count = len(rows)
        over, ply = rows[:, 0], rows[:, 1].astype(np.int64)
        points, places = rows[:, 2 : 2 + self.seats].astype(np.float64), rows[:, 2 + MAX_SEATS : 2 + MAX_SEATS + self.seats]
        won = places == 1
        wins = won / won.sum(axis=1, keepdims=True)
        turn = (np.arange(first, first + count)) % self.seats
        everyone = np.arange(count)
        for seat in range(self.seats):
            self.by_seat[seat].add(wins[:, seat], points[:, seat])
        for number, name in enumerate(self.players):
            seat_of = (number + turn) % self.seats
            self.by_player[name].add(wins[everyone, seat_of], points[everyone, seat_of])
        for number, name in enumerate(game.ends, 1):
            self.ends[name] += int((over == number).sum())
        self.shortest = int(ply.min()) if not self.games else min(self.shortest, int(ply.min()))
        self.longest = max(self.longest, int(ply.max()))
        self.games += count
        self.decisions += int(ply.sum())
        self.decision_squares += float((ply * ply).sum())

    @property
    def length(self) -> tuple[float, float]:
        """Decisions of a game: mean and standard deviation."""
        mean = self.decisions / self.games
        return mean, math.sqrt(max(0.0, self.decision_squares / self.games - mean * mean))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        mean, spread = self.length
        return {
            "game": self.game,
            "seats": self.seats,
            "players": self.players,
            "seed": self.seed,
            "games": self.games,
            "by_player": {name: tally.as_dict() for name, tally in self.by_player.items()},
            "by_seat": [tally.as_dict() for tally in self.by_seat],
            "ends": self.ends,
            "decisions": {"mean": mean, "deviation": spread, "least": self.shortest, "most": self.longest},
        }


def simulate(
    game: Game,
    players: Sequence[str],
    games: int,
    seed: int = 0,
    threads: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play `games` games between `players`, who are as many as seats. `progress` is told how many have just been finished."""
    seats = game.check_seats(len(players))
    for name in players:
        if name not in BASELINES:
            raise BadOption(f"there is no player {name!r}; there are {', '.join(BASELINES)}")
    if games < 1:
        raise BadOption(f"the number of games must be at least 1, not {games}")
    if not 0 <= seed < SEED_LIMIT:
        raise BadOption(f"a seed is a number from 0 to 2**63 - 1, not {seed}")
    start = records(1, game.schema.dtype)
    game.header(start[0], seats, options or {})
    policies = np.array([BASELINES.index(name) for name in players], np.int32)
    results = Results(game.name, seats, tuple(players), seed)
    results.by_player = {name: Tally() for name in players}
    results.by_seat = [Tally() for _ in range(seats)]
    results.ends = dict.fromkeys(game.ends, 0)

    def chunk(first: int, count: int) -> Any:
        scratch = Scratch.of(game)
        rows = numbers((count, 2 + 2 * MAX_SEATS))
        _series(
            rows, start, records(1, game.schema.dtype), policies, first, seed, score_buffer(),
            scratch.hidden, scratch.work, scratch.buffers, scratch.values, scratch.totals,
        )  # fmt: skip
        return np.asarray(rows)

    compile_once(game, "simulation", [lambda: make("greedy", game), lambda: chunk(0, 1)])
    workers = threads or os.cpu_count() or 1
    pool = ThreadPoolExecutor(workers)
    waiting: deque[tuple[int, Any]] = deque()
    first, size, began = 0, 1, time.perf_counter()
    try:
        while first < games or waiting:
            while first < games and len(waiting) < 2 * workers:
                count = min(size, games - first)
                waiting.append((first, pool.submit(chunk, first, count)))
                first += count
            begun, future = waiting.popleft()
            rows = future.result()
            results.add(game, begun, rows)
            each = (time.perf_counter() - began) / results.games * workers
            size = max(1, min(5000, int(CHUNK_SECONDS / each)))
            if progress is not None:
                progress(len(rows))
    finally:
        pool.shutdown(cancel_futures=True)
    return results


@rule
def _series(
    rows: Any, start: Any, true: Any, policies: Any, first: Any, number: Any, places: Any,
    hidden: Any, work: Any, buffers: Any, values: Any, totals: Any,
) -> None:  # fmt: skip
    """Play one game per row: how it ended, its decisions, each seat's points and place."""
    s = true[0]
    for row in range(len(rows)):
        game = first + row
        true[0] = start[0]
        seats = s.seats
        flow.begin(s, number, game // seats)
        while not s.over:
            policy = policies[(s.seat - game) % seats]
            hidden[0] = true[0]
            flow.conceal(hidden[0], s.seat)
            thought = (number ^ (game * 1_000_003 + s.ply * 2)) & 0x7FFFFFFFFFFFFFFF
            flow.step(s, baseline_move(policy, hidden, work, buffers, values, totals, thought))
        score(s, places)
        rows[row, 0] = s.over
        rows[row, 1] = s.ply
        for seat in range(seats):
            rows[row, 2 + seat] = places[seat, 0]
            rows[row, 2 + MAX_SEATS + seat] = places[seat, 1]
