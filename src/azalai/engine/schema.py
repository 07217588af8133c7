"""What a state is made of: one flat record, a header common to all games and then the game's own fields."""

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azalai.engine.rule import rule

MAX_SEATS = 5
always_inline = functools.partial(rule, inline="always")

EVENT_WIDTH = 6  # kind, audience, and up to four numbers
TO_ALL = -1


@dataclass(frozen=True)
class Field:
    """One field of a record: its name, kind of number, shape, what it means, and whether views leave it out."""

    name: str
    kind: Any
    shape: tuple[int, ...]
    about: str
    internal: bool = False


def field(name: str, kind: Any, shape: int | tuple[int, ...], about: str, internal: bool = False) -> Field:
    """A field of a game's state. `about` is one line for readers; `internal` fields do not appear in views."""
    return Field(name, kind, (shape,) if isinstance(shape, int) and shape else shape or (), about, internal)


HEADER = (
    field("rng", np.uint64, 2, "the generator's state; see engine/rng.py", internal=True),
    field("ply", np.int32, 0, "decisions made so far"),
    field("options", np.int32, 4, "the game's options, in the order it declares them"),
    field("seats", np.int8, 0, "how many play"),
    field("seat", np.int8, 0, "the seat whose decision is asked for now"),
    field("pending", np.uint8, 0, "a bit for every seat that owes a decision; several when they choose at the same time"),
    field("phase", np.int8, 0, "what kind of decision is asked; the game names its phases"),
    field("over", np.int8, 0, "0 while the game runs, then the way it ended; the game names its ends"),
    field("unfinished", np.int8, 0, "1 inside a move made of several decisions, of which some are still to come"),
    field("revealed", np.int8, 0, "1 when the last decision brought to light what nobody could know before"),
    field("event_count", np.int16, 0, "how many events the last decision had", internal=True),
)


@dataclass(frozen=True)
class Schema:
    """The record type of a game together with the meaning of its fields."""

    dtype: np.dtype[Any]
    fields: tuple[Field, ...]

    def plain(self, content: bytes) -> dict[str, Any]:
        """What a record's bytes say, as plain numbers and lists by field, without the internal fields.

        One unpacking of the whole: to ask NumPy for each field takes several times as long, and views are made all the time.
        """
        values = self._packing.unpack(content)
        return {name: _nested(values, at, shape) if shape else values[at] for name, at, shape in self._places}

    @functools.cached_property
    def _shown(self) -> list[Field]:
        return [one for one in self.fields if not one.internal]

    @functools.cached_property
    def _packing(self) -> struct.Struct:
        """How the fields lie in a record, with gaps where others do."""
        layout, end = "=", 0
        for one in self._shown:
            kind, start = self._lies(one)
            layout += f"{start - end}x{math.prod(one.shape)}{_CODES[kind.kind, kind.itemsize]}"
            end = start + kind.itemsize * math.prod(one.shape)
        return struct.Struct(f"{layout}{self.dtype.itemsize - end}x")

    @functools.cached_property
    def _places(self) -> list[tuple[str, int, tuple[int, ...]]]:
        """Each field's name, where its numbers begin among all that are unpacked, and its shape."""
        sizes = [math.prod(one.shape) for one in self._shown]
        return [(one.name, sum(sizes[:index]), one.shape) for index, one in enumerate(self._shown)]

    def _lies(self, one: Field) -> tuple[np.dtype[Any], int]:
        assert self.dtype.fields is not None
        kind, start = self.dtype.fields[one.name][:2]
        return kind.base, start


_CODES = {("i", 1): "b", ("i", 2): "h", ("i", 4): "i", ("i", 8): "q", ("u", 1): "B", ("u", 2): "H", ("u", 4): "I", ("u", 8): "Q"}


def _nested(values: tuple[int, ...], at: int, shape: tuple[int, ...]) -> list[Any]:
    """Lists in lists of the given shape, from the numbers that begin at `at`."""
    if len(shape) == 1:
        return list(values[at : at + shape[0]])
    step = math.prod(shape[1:])
    return [_nested(values, at + index * step, shape[1:]) for index in range(shape[0])]


def schema(fields: Sequence[Field], events: int) -> Schema:
    """A game's record: the header, an event buffer for at most `events` events a decision, and the game's `fields`."""
    log = field("events", np.int16, (events, EVENT_WIDTH), "what the last decision brought about", internal=True)
    everything = (*HEADER, *fields, log)
    taken = set(dir(np.recarray))
    for one in everything:
        if one.name in taken:
            raise ValueError(f"a field cannot be called {one.name!r}: NumPy's records use that name")
    layout = np.dtype([(one.name, one.kind, one.shape) for one in everything], align=True)
    return Schema(np.dtype((np.record, layout)), everything)


@always_inline
def tell(s: Any, audience: Any, kind: Any, a: Any = -1, b: Any = -1, c: Any = -1, d: Any = -1) -> None:
    """Note an event that only some may see: `audience` has a bit for each seat."""
    n = s.event_count
    s.event_count = n + 1
    if n < len(s.events):
        s.events[n, 0] = kind
        s.events[n, 1] = audience
        s.events[n, 2] = a
        s.events[n, 3] = b
        s.events[n, 4] = c
        s.events[n, 5] = d


@always_inline
def emit(s: Any, kind: Any, a: Any = -1, b: Any = -1, c: Any = -1, d: Any = -1) -> None:
    """Note an event that all may see."""
    tell(s, TO_ALL, kind, a, b, c, d)


@rule
def ask(s: Any, seat: Any, phase: Any) -> None:
    """Let the next decision be `seat`'s alone, of the kind `phase`."""
    s.seat = seat
    s.pending = 1 << seat
    s.phase = phase


@rule
def ask_all(s: Any, seats: Any, phase: Any) -> None:
    """Let all `seats` (a bit each) decide at the same time, in whatever order their answers come."""
    s.pending = seats
    s.phase = phase
    ask_next(s)


@rule
def ask_next(s: Any) -> None:
    """Turn to the lowest seat that still owes a decision."""
    for seat in range(s.seats):
        if s.pending >> seat & 1:
            s.seat = seat
            return


@rule
def answered(s: Any) -> Any:
    """Tick off the deciding seat; True when it was the last that owed an answer."""
    s.pending = s.pending & (0xFF - (1 << s.seat))
    ask_next(s)
    return s.pending == 0


@rule
def finish(s: Any, end: Any) -> None:
    """End the game in the way `end` (1 or more); nobody owes a decision any more."""
    s.over = end
    s.pending = 0
    s.unfinished = 0


@rule
def rank(keys: Any, seats: Any, out: Any) -> None:
    """Fill in each seat's place in `out[seat, 1]`: 1 for the highest key; equal keys share a place."""
    for seat in range(seats):
        place = 1
        for other in range(seats):
            if keys[other] > keys[seat]:
                place += 1
        out[seat, 1] = place
