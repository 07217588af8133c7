"""What a state is made of: one flat record, a header common to all games and then the game's own fields."""

from __future__ import annotations

import functools
import math
import struct
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, overload

import numpy as np

from azalai.engine.components import variant_of
from azalai.engine.rule import rule

MAX_SEATS = 5
always_inline = functools.partial(rule, inline="always")

# Functions that take a member of a game's enums are inlined: compiled on their own they would be kept on disk together with a
# reference to that game's class, which other processes may not have.

EVENT_WIDTH = 6  # kind, audience, and up to four numbers
MAX_EVENTS = 255  # of one decision
TO_ALL = -1


class Cells(Protocol):
    """A row of numbers inside a record, as type checkers see it."""

    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> Cells: ...
    def __setitem__(self, index: int | slice, value: Any, /) -> None: ...
    def __len__(self) -> int: ...


class Grid(Protocol):
    """A table of numbers inside a record: `s.hand[seat, good]` is a number, `s.hand[seat]` a row."""

    @overload
    def __getitem__(self, index: int, /) -> Cells: ...
    @overload
    def __getitem__(self, index: tuple[int, ...], /) -> int: ...
    def __setitem__(self, index: int | slice | tuple[int, ...], value: Any, /) -> None: ...
    def __len__(self) -> int: ...


class Floats(Protocol):
    """A row of floating-point numbers for a rule to write into."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...
    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Field:
    """One field of a record: its name, kind of number, shape, what it means, and whether views leave it out."""

    name: str
    kind: Any
    shape: tuple[int, ...]
    about: str
    internal: bool = False


def field(kind: Any, about: str, shape: int | tuple[int, ...] = (), internal: bool = False) -> Any:
    """Declare a field of a state. `about` is one line for readers; `internal` fields do not appear in views.

    In the class it stands for a number (`int`), a row (`Cells`) or a table (`Grid`): that is what `@rule` functions find there.
    """
    return Field("", kind, (shape,) if isinstance(shape, int) else shape, about, internal)


class Header:
    """The fields that every game's state begins with. A game derives its `State` from this class.

    No object of these classes ever exists: they declare the layout of NumPy records, and tell type checkers what a rule finds in
    one. See `schema`.
    """

    rng: Any = field(np.uint64, "the generator's state; see engine/rng.py", 2, internal=True)
    ply: int = field(np.int32, "decisions made so far")
    options: Cells = field(np.int32, "the game's options, in the order it declares them", 4)
    seats: int = field(np.int8, "how many play")
    seat: int = field(np.int8, "the seat whose decision is asked for now")
    pending: int = field(np.uint8, "a bit for every seat that owes a decision; several when they choose at the same time")
    phase: int = field(np.int8, "what kind of decision is asked; the game names its phases")
    over: int = field(np.int8, "0 while the game runs, then the way it ended; the game names its ends")
    unfinished: int = field(np.int8, "1 inside a move made of several decisions, of which some are still to come")
    revealed: int = field(np.int8, "1 when the last decision brought to light what nobody could know before")
    event_count: int = field(np.int16, "how many events the last decision had", internal=True)

    if TYPE_CHECKING:
        events: Grid  # the buffer of events, whose size the game declares; it comes last


def _header_offsets() -> dict[str, int]:
    """Return where the header's fields lie: at the same place in the records of all games."""
    fields = {name: one for name, one in vars(Header).items() if isinstance(one, Field)}
    layout = np.dtype([(name, one.kind, one.shape) for name, one in fields.items()], align=True)
    return {name: int(layout.fields[name][1]) for name in fields}  # type: ignore[index]


HEADER_OFFSETS = _header_offsets()


@dataclass(frozen=True)
class Schema:
    """The record type of a game together with the meaning of its fields."""

    dtype: np.dtype[Any]
    fields: tuple[Field, ...]

    @functools.cached_property
    def without_events(self) -> np.dtype[Any]:
        """The same record with no room for events. They are still counted, but nothing of them is written."""
        fields = [(one.name, one.kind, (0, EVENT_WIDTH) if one.name == "events" else one.shape) for one in self.fields]
        return np.dtype((np.record, np.dtype(fields, align=True)))

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


def schema(state: type[Header], events: int) -> Schema:
    """The record type of a game: the header, the fields of its class `State`, a buffer for `events` events a decision."""
    if events > MAX_EVENTS:
        raise ValueError(f"a decision has at most {MAX_EVENTS} events, not {events}")
    fields = _declared_in(state)
    variant = variant_of(state.__module__)
    if variant:  # a record type of its own: compiled code and stored states of one game are never taken for the other's
        fields.append(Field(f"variant_{variant}", np.int8, (), "marks the variant", internal=True))
    fields.append(Field("events", np.int16, (events, EVENT_WIDTH), "what the last decision brought about", internal=True))
    return _schema_of(fields)


def conclusions(declared: type) -> Schema:
    """The record type of what a game concludes for its observations: the fields of its class `Conclusions`, all of int16."""
    fields = _declared_in(declared)
    for one in fields:
        if np.dtype(one.kind) != np.int16:
            raise ValueError(f"conclusions are numbers of int16, but {one.name!r} is not")
    return _schema_of(fields)


def _declared_in(declared: type) -> list[Field]:
    """The fields of a class and of those it is derived from, these first."""
    fields = {name: one for kind in reversed(declared.__mro__) for name, one in vars(kind).items() if isinstance(one, Field)}
    return [replace(one, name=name) for name, one in fields.items()]


def _schema_of(fields: list[Field]) -> Schema:
    taken = set(dir(np.recarray))
    for one in fields:
        if one.name in taken:
            raise ValueError(f"a field cannot be called {one.name!r}: NumPy's records use that name")
    layout = np.dtype([(one.name, one.kind, one.shape) for one in fields], align=True)
    return Schema(np.dtype((np.record, layout)), tuple(fields))


class NoConclusions:
    """What a game concludes that declares nothing: no feature tells of this number, but a record needs one."""

    nothing: int = field(np.int16, "always 0")


NO_CONCLUSIONS = conclusions(NoConclusions)


@always_inline
def tell(s: Header, audience: int, kind: int, a: int = -1, b: int = -1, c: int = -1, d: int = -1) -> None:
    """Note an event that only some may see: `audience` has a bit for each seat."""
    n = s.event_count
    s.event_count = n + 1
    if 0 <= n < len(s.events):  # both bounds: where there is no room, the compiler sees that and leaves all of this out
        s.events[n, 0] = kind
        s.events[n, 1] = audience
        s.events[n, 2] = a
        s.events[n, 3] = b
        s.events[n, 4] = c
        s.events[n, 5] = d


@always_inline
def emit(s: Header, kind: int, a: int = -1, b: int = -1, c: int = -1, d: int = -1) -> None:
    """Note an event that all may see."""
    tell(s, TO_ALL, kind, a, b, c, d)


@always_inline
def ask(s: Header, seat: int, phase: int) -> None:
    """Let the next decision be `seat`'s alone, of the kind `phase`."""
    s.seat = seat
    s.pending = 1 << seat
    s.phase = phase


@always_inline
def ask_all(s: Header, seats: int, phase: int) -> None:
    """Let all `seats` (a bit each) decide at the same time, in whatever order their answers come."""
    s.pending = seats
    s.phase = phase
    ask_next(s)


@rule
def ask_next(s: Header) -> None:
    """Turn to the lowest seat that still owes a decision."""
    for seat in range(s.seats):
        if s.pending >> seat & 1:
            s.seat = seat
            return


@rule
def answered(s: Header) -> bool:
    """Tick off the deciding seat; True when it was the last that owed an answer."""
    s.pending = s.pending & (0xFF - (1 << s.seat))
    ask_next(s)
    return s.pending == 0


@always_inline
def finish(s: Header, end: int) -> None:
    """End the game in the way `end` (1 or more); nobody owes a decision any more."""
    s.over = end
    s.pending = 0
    s.unfinished = 0


@rule
def rank(s: Header, out: Grid) -> None:
    """Fill in each seat's place in `out[seat, 1]` by its key in `out[seat, 2]`: 1 for the highest; equal keys share a place."""
    for seat in range(s.seats):
        place = 1
        for other in range(s.seats):
            if out[other, 2] > out[seat, 2]:
                place += 1
        out[seat, 1] = place
