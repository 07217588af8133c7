"""Games on disk as samples to learn from: what the deciding seat saw, which moves it had and which it chose."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from azalai.arena.series import Series
from azalai.arena.store import ABOUT, SeriesStore
from azalai.engine.errors import BadOption
from azalai.engine.playing import PLACES

Array = np.ndarray[Any, Any]


class Samples(NamedTuple):
    """One decision each of several games: row i of all arrays belongs together."""

    game: Array  # the number of the game
    ply: int  # the decision's number in its game, the same for all
    seat: Array  # who decided
    observation: Array  # what that seat could know, see `game.observation`, and conclusions where they are asked for
    mask: Array  # which moves were legal
    move: Array  # which one was chosen
    won: Array  # the share of the win that the seat had at the end: 1, less where several tied, 0


def replay(folder: str | os.PathLike[str], conclusions: bool = False) -> Iterator[Samples]:
    """Replay all games of a folder that `azalai simulate --out FOLDER --decisions` has filled, part by part.

    A game's moves and deal are stored, what was seen is computed here. Raises BadOption where there are no decisions.
    """
    about = Path(folder) / ABOUT
    if not about.exists():
        raise BadOption(f"{folder} holds no series")
    series = Series.from_dict(json.loads(about.read_text(encoding="utf-8")))
    if not series.decisions:
        raise BadOption(f"{folder} has no decisions: it was made without --decisions")
    store = SeriesStore(folder, series)
    for first in store.parts():
        yield from _replay_part(series, store, first, conclusions)


def _replay_part(series: Series, store: SeriesStore, first: int, conclusions: bool) -> Iterator[Samples]:
    """Replay the games of one file side by side."""
    rows, (games, moves) = store.read(first).rows, store.read_moves(first)
    numbers = np.arange(first, first + len(rows))
    scripts = np.split(moves, np.searchsorted(games, numbers[1:]))
    lengths = np.array([len(script) for script in scripts])
    winners = rows[:, PLACES : PLACES + series.seats] == 1
    won = winners / winners.sum(axis=1, keepdims=True)
    batch = series.game.batch(len(rows), series.seats, series.seed, **series.options)
    batch.reseed(series.seed)
    batch.dealt[:] = numbers // series.seats  # which game of the seed a place is dealt next
    batch.restart(True)
    for ply in range(int(lengths.max())):
        going = np.flatnonzero(lengths > ply)
        chosen = np.zeros(len(rows), np.int32)
        chosen[going] = [scripts[game][ply] for game in going]
        seat = batch.seat[going]
        seen, mask = batch.observe(conclusions=conclusions)[going], batch.legal_mask()[going]
        yield Samples(numbers[going], ply, seat, seen, mask, chosen[going], won[going, seat])
        batch.step(chosen, where=lengths > ply)
