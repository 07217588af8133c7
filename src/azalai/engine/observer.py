"""Observations of many records at once, in the threads of a batch."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from azalai.engine.compile import Task, use_compiled
from azalai.engine.encode import KINDS, encode_many, encode_packed, number_views, program
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.observe import Array, Layout
from azalai.engine.rule import records
from azalai.engine.worker_pool import WorkerPool


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that an observer calls."""
    states = records(1, game.schema.dtype)
    game.header(states[0], None, {})
    observer = Observer(game, states, WorkerPool(1, 1))
    return [functools.partial(observer.update, 0, kind) for kind in KINDS]


class Observer:
    """Writes what seats may know of many records, each thread of a pool those of its part."""

    def __init__(self, game: Game, states: Any, pool: WorkerPool) -> None:
        self._game, self._pool = game, pool
        plain = np.asarray(states)
        self._words = plain.view(np.int64).reshape(len(plain), -1)
        self._seats = int(plain["seats"][0])
        self._scratch = [records(1, game.schema.without_events) for _ in pool.slices]
        self._own: dict[str, Array] = {}
        use_compiled(game, __name__)

    def write(self, seat: Any, out: Array, kind: str = "float32") -> Array:
        """Write what `seat` (one for all, or one per game) may know into `out`."""
        layout = self._layout(kind)
        lines, viewers = program(layout, kind), self._viewers(seat)
        rows = out.view(np.uint16) if kind == "float16" else out

        def work(part: slice, scratch: Any) -> None:
            copy, views = np.asarray(scratch).view(np.int64), number_views(scratch)
            if kind == "bits":
                row = np.zeros(8 * layout.columns(kind), np.uint8)
                eights = row.view(np.uint64)
                encode_packed(self._words[part], viewers[part], scratch, copy, views, lines, row, eights, rows[part])
            else:
                encode_many(self._words[part], viewers[part], scratch, copy, views, lines, rows[part])

        self._pool.each(lambda mine: work(*mine), list(zip(self._pool.slices, self._scratch)))
        return out

    def update(self, seat: Any, kind: str = "float32") -> Array:
        """Do the same in an array of the observer's own."""
        if kind not in self._own:
            columns = self._layout(kind).columns(kind)
            self._own[kind] = np.empty((len(self._words), columns), np.uint8 if kind == "bits" else kind)
        return self.write(seat, self._own[kind], kind)

    def _viewers(self, seat: Any) -> Array:
        viewers = np.ascontiguousarray(np.broadcast_to(seat, len(self._words)), np.int8)
        if viewers.min() < 0 or viewers.max() >= self._seats:
            raise BadOption(f"observations are those of the seats 0 to {self._seats - 1}, not of {np.unique(viewers).tolist()}")
        return viewers

    def _layout(self, kind: str) -> Layout:
        if kind not in KINDS:
            raise BadOption(f"observations are of {', '.join(KINDS)}, not {kind!r}")
        return self._game.packed_observation if kind == "bits" else self._game.observation


def observe_record(game: Game, state: Any, seat: int) -> Array:
    """Return the tensor of one record, in an array of its own, as `seat` sees it."""
    tensors = np.empty((1, game.observation.size), np.float32)
    tensor: Array = Observer(game, state, WorkerPool(1, 1)).write(seat, tensors)[0]
    return tensor
