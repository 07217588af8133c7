"""Thousands of games between computer players, on all cores or on a cluster, and their results."""

from __future__ import annotations

import itertools
import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from azalai.arena.series import Part, Series
from azalai.arena.store import PART, SMALL_PART, SeriesStore, missing
from azalai.arena.tally import Tally
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.playing import DECISIONS, END, PLACES, POINTS

GPU_PART = 1 << 18  # games that a GPU plays at a time

Runner = Callable[[Series, Iterable[tuple[int, int]]], Iterator[Part]]  # plays parts and yields their results in order


@dataclass
class Results:
    """The results of many games. Their size does not depend on the number of games."""

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

    @classmethod
    def of(cls, series: Series) -> Results:
        """Make empty results."""
        results = cls(series.game.name, series.seats, series.players, series.seed)
        results.by_player = {name: Tally() for name in series.players}
        results.by_seat = [Tally() for _ in range(series.seats)]
        results.ends = dict.fromkeys(series.game.ends, 0)
        return results

    def add(self, part: Part) -> None:
        """Count the games of a part."""
        count = len(part.rows)
        over, ply = part.rows[:, END], part.rows[:, DECISIONS].astype(np.int64)
        points = part.rows[:, POINTS : POINTS + self.seats].astype(np.float64)
        won = part.rows[:, PLACES : PLACES + self.seats] == 1
        wins = won / won.sum(axis=1, keepdims=True)
        turn = np.arange(part.first, part.first + count) % self.seats
        everyone = np.arange(count)
        for seat in range(self.seats):
            self.by_seat[seat].add(wins[:, seat], points[:, seat])
        for number, name in enumerate(self.players):
            seat_of = (number + turn) % self.seats
            self.by_player[name].add(wins[everyone, seat_of], points[everyone, seat_of])
        for number, name in enumerate(self.ends, 1):
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
    *,
    first: int = 0,
    folder: str | os.PathLike[str] | None = None,
    decisions: bool = False,
    on: str = "here",
    device: str = "cpu",
    gpus: float = 1,
) -> Results:
    """Play the games `first` … between `players`, one per seat. `progress` is called with the number of games just finished.

    With a `folder` every game becomes a row of Parquet files there (with `decisions` every decision, too), and games it has
    already are not played again. `on` is "here", in threads, or "ray", on a Ray cluster; the games are the same. They are so on
    the `device` "cuda", too, a GPU, where only `random` can play; on Ray every worker is given so many `gpus`, and 0.5 means that
    two share one.
    """
    if games < 1:
        raise BadOption(f"the number of games must be at least 1, not {games}")
    if decisions and folder is None:
        raise BadOption("decisions are written to a folder: name one")
    series = Series.of(game, players, seed, options, decisions)
    results = Results.of(series)
    run = _runner(on, threads or os.cpu_count() or 1) if device == "cpu" else _gpu_runner(series, on, device, gpus)
    store = None if folder is None else SeriesStore(folder, series, first + games)
    have = {} if store is None else store.parts()
    workers = threads or os.cpu_count() or 1
    step = store.part if store is not None else _step(series, games, workers) if device == "cpu" else GPU_PART
    new = run(series, missing(have, first, games, step))
    for part in _in_order(_known(store, have, first, games), new, store):
        results.add(part)
        if progress is not None:
            progress(len(part.rows))
    return results


def _step(series: Series, games: int, workers: int) -> int:
    """Return how many games make a part: enough to make Python's share of the time small, with parts for all workers."""
    most, parts = (PART, 4) if series.compiled else (SMALL_PART, 50)
    return max(1, min(most, games // (workers * parts)))


def _known(store: SeriesStore | None, have: dict[int, int], first: int, games: int) -> Iterator[Part]:
    """Yield the parts that were played before, cut to the games asked for."""
    for begun in sorted(have):
        start, end = max(begun, first), min(begun + have[begun], first + games)
        if store is not None and start < end:
            yield Part(start, store.read(begun).rows[start - begun : end - begun], None)


def _in_order(old: Iterator[Part], new: Iterator[Part], store: SeriesStore | None) -> Iterator[Part]:
    """Yield old and new parts by number; new ones are stored first."""
    waiting = next(old, None)
    for part in new:
        while waiting is not None and waiting.first < part.first:
            yield waiting
            waiting = next(old, None)
        if store is not None:
            store.write(part)
        yield part
    while waiting is not None:
        yield waiting
        waiting = next(old, None)


def _runner(on: str, threads: int) -> Runner:
    if on == "here":
        return lambda series, parts: play_in_threads(series, parts, threads)
    if on == "ray":
        from azalai.arena.cluster import play_on_ray

        return play_on_ray
    raise BadOption(f"games are played here or on ray, not on {on!r}")


def _gpu_runner(series: Series, on: str, device: str, gpus: float) -> Runner:
    """Return how a series is played on a GPU; raise BadOption where it cannot be."""
    if set(series.players) != {"random"}:
        raise BadOption(f"on a GPU only random plays, not {', '.join(sorted(set(series.players) - {'random'}))}")
    if series.decisions:
        raise BadOption("decisions are written by the CPU alone: leave out the device")
    if on == "ray":
        if device != "cuda":
            raise BadOption(f"Ray chooses which GPU a worker gets: the device is cuda, not {device}")
        if not 0 < gpus <= 1:
            raise BadOption(f"a worker needs a GPU or a part of one, more than 0 and at most 1, not {gpus}")
        from azalai.arena.cluster import play_on_ray

        return lambda series, parts: play_on_ray(series, parts, gpus)
    _runner(on, 1)  # which refuses what is no place
    from azalai.engine.gpu.series import RandomSeries

    games = RandomSeries(series.game, series.seats, series.seed, device, series.options)
    return lambda _, parts: (Part(first, games.play(first, count), None) for first, count in parts)


def play_in_threads(series: Series, parts: Iterable[tuple[int, int]], threads: int) -> Iterator[Part]:
    """Play parts in threads of this process; compiled code does not hold the interpreter's lock."""
    if threads == 1:
        yield from itertools.starmap(series.play, parts)
        return
    todo = iter(parts)
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Any] = deque()
        while True:
            while len(waiting) < 2 * threads and (part := next(todo, None)) is not None:
                waiting.append(pool.submit(series.play, *part))
            if not waiting:
                return
            yield waiting.popleft().result()
