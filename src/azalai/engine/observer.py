"""Observations of many records at once, in the threads of a batch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from azalai.engine.compile import Task, use_compiled
from azalai.engine.encode import KINDS, encode_many, layout_for, program, workspace_for
from azalai.engine.errors import BadOption
from azalai.engine.follow import follow_many, follow_packed, updates
from azalai.engine.game import Game
from azalai.engine.observe import Array
from azalai.engine.rule import RuleEntry, records
from azalai.engine.worker_pool import WorkerPool

DTYPES = {"float32": np.float32, "float16": np.uint16, "uint8": np.uint8, "bits": np.uint8}  # of rows, as compiled code sees them
FOLLOWING = {"uint8": follow_many, "bits": follow_packed}


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that an observer calls."""
    states = records(1, game.schema.dtype)
    game.header(states[0], None, {})
    observer = Observer(game, states, WorkerPool(1, 1))
    return [functools.partial(observer.update, 0, kind) for kind in KINDS]


class Observer:
    """Writes what seats may know of many records, each thread of a pool those of its part.

    Observations of bits and bytes follow their records (`follow.py`). Others are written anew: to copy a row of floating-point
    numbers that is kept would take as long.
    """

    def __init__(self, game: Game, states: Any, pool: WorkerPool, conclusions: bool = False) -> None:
        self._game, self._pool, self._conclusions = game, pool, conclusions
        plain = np.asarray(states)
        self._words = plain.view(np.int64).reshape(len(plain), -1)
        self._seats = int(plain["seats"][0])
        self._viewers = np.zeros(len(plain), np.int8)
        self._workspaces = [workspace_for(game, conclusions) for _ in pool.slices]
        self._encoders: dict[str, tuple[RuleEntry, list[tuple[Any, ...]], int]] = {}
        self._own: dict[str, Array] = {}
        use_compiled(game, __name__)

    def write(self, seat: Any, out: Array, kind: str = "float32") -> Array:
        """Write what `seat` (one for all, or one per game) may know into `out`."""
        encode, parts, columns = self._encoders.get(kind) or self._encoder(kind)
        if out.shape != (len(self._words), columns):
            raise BadOption(f"observations are {len(self._words)} rows of {columns} columns; `out` has the shape {out.shape}")
        self._look_from(seat)
        rows = out.view(np.uint16) if kind == "float16" else out
        usual = rows.flags.c_contiguous and rows.dtype == DTYPES[kind]
        write: Callable[..., Any] = encode.call if usual else encode.rule
        if len(parts) == 1:
            write(*parts[0], rows)
        else:
            self._pool.each(lambda number: write(*parts[number], rows[self._pool.slices[number]]), range(len(parts)))
        return out

    def update(self, seat: Any, kind: str = "float32") -> Array:
        """Do the same in an array of the observer's own."""
        if kind not in self._own:
            columns = layout_for(self._game, kind, self._conclusions).columns(kind)
            self._own[kind] = np.empty((len(self._words), columns), np.uint8 if kind == "bits" else kind)
        return self.write(seat, self._own[kind], kind)

    def _encoder(self, kind: str) -> tuple[RuleEntry, list[tuple[Any, ...]], int]:
        """The rule that writes tensors of this kind, for each thread what it needs, and the columns."""
        layout = layout_for(self._game, kind, self._conclusions)
        encode: Callable[..., Any]
        lines: Any
        if kind in FOLLOWING:
            encode, lines = FOLLOWING[kind], updates(layout, kind, self._seats)
            rows = np.repeat(lines.blank[None], len(self._words), axis=0)
            kept = [np.zeros((*rows.shape[:2], len(lines.watched)), np.int64), rows, rows.view(np.uint8)]
        else:
            encode, lines, kept = encode_many, program(layout, kind), []
        parts = [
            (self._words[part], self._viewers[part], workspace, lines, *(array[part] for array in kept))
            for part, workspace in zip(self._pool.slices, self._workspaces)
        ]
        self._encoders[kind] = RuleEntry(encode), parts, layout.columns(kind)
        return self._encoders[kind]

    def _look_from(self, seat: Any) -> None:
        """Set whose observations are written."""
        if seat.__class__ is int and 0 <= seat < self._seats:
            self._viewers[:] = seat
            return
        viewers = np.broadcast_to(seat, len(self._words))
        if viewers.min() < 0 or viewers.max() >= self._seats:
            raise BadOption(f"observations are those of the seats 0 to {self._seats - 1}, not of {np.unique(viewers).tolist()}")
        self._viewers[:] = viewers
