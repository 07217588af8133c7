"""Observations of many records at once, in the threads of a batch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from azalai.engine.compile import Task, use_compiled
from azalai.engine.encode import KINDS, encode_many, encode_packed, number_views, program
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.observe import Array, Layout
from azalai.engine.rule import RuleEntry, records
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
        self._viewers = np.zeros(len(plain), np.int8)
        self._parts = [self._part(part) for part in pool.slices]
        self._encoders: dict[str, tuple[RuleEntry, tuple[Any, ...]]] = {}
        self._own: dict[str, Array] = {}
        use_compiled(game, __name__)

    def write(self, seat: Any, out: Array, kind: str = "float32") -> Array:
        """Write what `seat` (one for all, or one per game) may know into `out`."""
        encode, lines = self._encoders.get(kind) or self._encoder(kind)
        self._look_from(seat)
        rows = out.view(np.uint16) if kind == "float16" else out
        usual = rows.flags.c_contiguous and rows.dtype == lines[0].one.dtype
        write: Callable[..., Any] = encode.call if usual else encode.rule
        if len(self._parts) == 1:
            write(*self._parts[0], *lines, rows)
            return out

        def work(number: int) -> None:
            own = (lines[0], *self._packing(kind)) if kind == "bits" else lines
            write(*self._parts[number], *own, rows[self._pool.slices[number]])

        self._pool.each(work, range(len(self._parts)))
        return out

    def update(self, seat: Any, kind: str = "float32") -> Array:
        """Do the same in an array of the observer's own."""
        if kind not in self._own:
            columns = self._layout(kind).columns(kind)
            self._own[kind] = np.empty((len(self._words), columns), np.uint8 if kind == "bits" else kind)
        return self.write(seat, self._own[kind], kind)

    def _part(self, part: slice) -> tuple[Any, ...]:
        """The records of one thread, who looks at them, and memory to hide in what they may not know."""
        scratch = records(1, self._game.schema.without_events)
        concluded = records(1, self._game.conclusions.dtype)
        copy = np.asarray(scratch).view(np.int64)
        return self._words[part], self._viewers[part], scratch, concluded, copy, number_views(scratch, concluded)

    def _encoder(self, kind: str) -> tuple[RuleEntry, tuple[Any, ...]]:
        """The rule that writes tensors of this kind, and what it needs besides the part of a thread."""
        lines = program(self._layout(kind), kind)
        if kind == "bits":
            self._encoders[kind] = RuleEntry(encode_packed), (lines, *self._packing(kind))
        else:
            self._encoders[kind] = RuleEntry(encode_many), (lines,)
        return self._encoders[kind]

    def _packing(self, kind: str) -> tuple[Array, Array]:
        """Memory for one row before its bits are gathered, as bytes and as words."""
        row = np.zeros(8 * self._layout(kind).columns(kind), np.uint8)
        return row, row.view(np.uint64)

    def _look_from(self, seat: Any) -> None:
        """Set whose observations are written."""
        if seat.__class__ is int and 0 <= seat < self._seats:
            self._viewers[:] = seat
            return
        viewers = np.broadcast_to(seat, len(self._words))
        if viewers.min() < 0 or viewers.max() >= self._seats:
            raise BadOption(f"observations are those of the seats 0 to {self._seats - 1}, not of {np.unique(viewers).tolist()}")
        self._viewers[:] = viewers

    def _layout(self, kind: str) -> Layout:
        if kind not in KINDS:
            raise BadOption(f"observations are of {', '.join(KINDS)}, not {kind!r}")
        return self._game.packed_observation if kind == "bits" else self._game.observation


def observe_record(game: Game, state: Any, seat: int) -> Array:
    """Return the tensor of one record, in an array of its own, as `seat` sees it."""
    tensors = np.empty((1, game.observation.size), np.float32)
    tensor: Array = Observer(game, state, WorkerPool(1, 1)).write(seat, tensors)[0]
    return tensor
