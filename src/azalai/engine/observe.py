"""What a seat may know, as numbers between 0 and 1: the observation tensors of learning programs.

A game declares a list of features, each of them one field of its record and a way to write it as numbers. What is read is always
the record as `hide` leaves it for the seat, so a tensor cannot tell more than the seat may know, and equal knowledge gives equal
tensors. Whatever belongs to seats is turned so that the own seat comes first and the others follow in order of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from azalai.engine.dispatch import hide
from azalai.engine.rule import records, rule
from azalai.engine.schema import MAX_SEATS, Field

if TYPE_CHECKING:
    from azalai.engine.game import Game

AMOUNT, ONE_OF, LOOKUP, BITS, SEAT, SEAT_BITS, OWN_SEAT = range(7)
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Feature:
    """One named part of an observation: a field of the record and how its numbers are written."""

    field: str
    encoding: int
    low: int  # the value that becomes 0; the first category
    width: int  # how many values, categories, bits or seats there are
    seat_axis: int | None  # the axis that counts seats; in the tensor it comes first
    at: Any  # which cells of the field: an index as NumPy takes it
    about: str  # what it means; empty: what the record's schema says of the field
    name: str
    columns: tuple[str, ...] = ()  # of a lookup: what its numbers mean,
    rows: Any = None  # and what they are for each value

    @property
    def length(self) -> int:
        """Numbers that one cell of the field becomes."""
        return len(self.columns) if self.encoding == LOOKUP else 1 if self.encoding == AMOUNT else self.width

    @property
    def meaning(self) -> str:
        """How a number is to be read."""
        last = self.low + self.width - 1
        return {
            AMOUNT: f"{self.low} to {last}, as 0 to 1",
            ONE_OF: f"one-hot from {self.low} to {last}",
            LOOKUP: ", ".join(self.columns),
            BITS: f"bits 0 to {self.width - 1}",
            SEAT: "one-hot: own seat, next seat, …",
            SEAT_BITS: "a bit per seat: own seat, next seat, …",
            OWN_SEAT: "one-hot",
        }[self.encoding]


def amount(
    field: str, high: int, low: int = 0, seat_axis: int | None = None, at: Any = ..., about: str = "", name: str = ""
) -> Feature:
    """Numbers from `low` to `high`, scaled to 0 … 1. What lies outside is written as the nearest end."""
    return Feature(field, AMOUNT, low, high - low + 1, seat_axis, at, about, name or field)


def one_of(
    field: str, count: int, first: int = 0, seat_axis: int | None = None, at: Any = ..., about: str = "", name: str = ""
) -> Feature:
    """One of `count` categories, numbered from `first`: a 1 in its place. What is outside (nothing, unknown) has no 1 at all."""
    return Feature(field, ONE_OF, first, count, seat_axis, at, about, name or field)


def lookup(
    field: str, columns: dict[str, Any], seat_axis: int | None = None, at: Any = ..., about: str = "", name: str = ""
) -> Feature:
    """What is known of a card or the like: for each of its values from 0 on, the number in each of the named columns.

    Columns are scaled to 0 … 1. What is outside (nothing, unknown) has a 0 in all of them.
    """
    rows = np.array([np.asarray(column, np.float32) / max(1, np.max(column)) for column in columns.values()], np.float32).T
    return Feature(field, LOOKUP, 0, len(rows), seat_axis, at, about, name or field, tuple(columns), rows)


def categories(name: str, values: Any, labels: Sequence[str]) -> dict[str, Any]:
    """Columns for `lookup`: one for each label, with a 1 where a value is its number."""
    return {f"{name} {label}": np.asarray(values) == number for number, label in enumerate(labels)}


def bits(field: str, count: int, seat_axis: int | None = None, at: Any = ..., about: str = "", name: str = "") -> Feature:
    """A set kept as bits: a 1 for every member."""
    return Feature(field, BITS, 0, count, seat_axis, at, about, name or field)


def seat_number(field: str, seat_axis: int | None = None, at: Any = ..., about: str = "", name: str = "") -> Feature:
    """A seat, as seen from the own one: a 1 in the first place is oneself, in the second the next player; -1 has no 1 at all."""
    return Feature(field, SEAT, 0, MAX_SEATS, seat_axis, at, about, name or field)


def seat_bits(field: str, at: Any = ..., about: str = "", name: str = "") -> Feature:
    """A set of seats kept as bits, as seen from the own seat."""
    return Feature(field, SEAT_BITS, 0, MAX_SEATS, None, at, about, name or field)


class EncodingTables(NamedTuple):
    """A layout as compiled code reads it: where every cell lies, and what becomes of the cells of every feature."""

    places: Array  # [seats, own seat, cell]: where it lies, counted in numbers of its size; -1 where there is no such seat
    ends: Array  # per feature: one past its last cell,
    sizes: Array  # the bytes of a cell,
    encodings: Array
    starts: Array  # where in the tensor its first cell is written,
    lengths: Array  # how many numbers a cell becomes,
    lows: Array
    widths: Array
    bases: Array  # of a lookup: where in `rows` its numbers begin
    rows: Array


class Layout:
    """How a game's observation is laid out: named slices of one vector of `size` numbers, each from 0 to 1."""

    def __init__(self, game: Game) -> None:
        if not game.features:
            raise ValueError(f"{game.name} declares no features to observe")
        self.game = game
        self.features = tuple(_fitted(feature, game) for feature in (*_common(game), *game.features))
        self.slices: dict[str, slice] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        fields = {one.name: one for one in game.schema.fields}
        places: list[Array] = []
        lines: list[tuple[int, ...]] = []
        rows: list[Array] = [np.zeros(1, np.float32)]
        start = cells = 0
        for feature in self.features:
            if feature.field not in fields:
                raise ValueError(f"{game.name} has no field {feature.field!r} to observe")
            if feature.name in self.slices:
                raise ValueError(f"two features of {game.name} are called {feature.name!r}")
            field = fields[feature.field]
            found, shape = _cells_of(feature, field, game)
            places.append(found)
            cells += found.shape[-1]
            size = np.dtype(field.kind).itemsize
            base = sum(map(len, rows))
            lines.append((cells, size, feature.encoding, start, feature.length, feature.low, feature.width, base))
            if feature.rows is not None:
                rows.append(feature.rows.ravel())
            stop = start + found.shape[-1] * feature.length
            self.slices[feature.name], self.shapes[feature.name] = slice(start, stop), shape
            start = stop
        self.size = start
        self.tables = EncodingTables._make(
            (np.concatenate(places, axis=-1), *np.array(lines, np.int64).T.copy(), np.concatenate(rows))
        )

    def split(self, tensor: Any) -> dict[str, Any]:
        """Views of a tensor (or of a whole batch of them) by feature, each in its own shape; nothing is copied."""
        return {name: tensor[..., part].reshape(*tensor.shape[:-1], *self.shapes[name]) for name, part in self.slices.items()}

    def describe(self) -> str:
        """A table for readers: where every feature lies, its shape, how it is written and what it means."""
        about = {one.name: one.about for one in self.game.schema.fields}
        lines = ["| at | name | shape | numbers | what |", "|---|---|---|---|---|"]
        for feature in self.features:
            part, shape = self.slices[feature.name], "×".join(map(str, self.shapes[feature.name]))
            told = feature.about or about[feature.field]
            lines.append(f"| {part.start}–{part.stop - 1} | `{feature.name}` | {shape} | {feature.meaning} | {told} |")
        return "\n".join(lines)

    def observe(self, state: Any, seat: int) -> Array:
        """The tensor of one record, in an array of its own, as `seat` sees it."""
        tensors = np.empty((1, self.size), np.float32)
        scratch = records(1, self.game.schema.dtype)
        encode_many(state, np.array([seat], np.int8), scratch, number_views(scratch), self.tables, tensors)
        tensor: Array = tensors[0]
        return tensor


def number_views(scratch: Any) -> tuple[Array, Array, Array, Array]:
    """The memory of records as numbers of 1, 2, 4 and 8 bytes."""
    plain = np.asarray(scratch)
    return plain.view(np.int8), plain.view(np.int16), plain.view(np.int32), plain.view(np.int64)


@rule
def encode_many(states: Any, viewers: Any, scratch: Any, views: Any, tables: Any, out: Any) -> None:
    """Write the observation of every record, as its viewer sees it, into a row of `out`."""
    s = scratch[0]
    for i in range(len(states)):
        scratch[0] = states[i]
        if not s.over:
            hide(s, viewers[i])
        encode(views, viewers[i], s.seats, tables, out[i])


@rule
def encode(views: Any, me: Any, seats: Any, tables: Any, out: Any) -> None:
    """Write one record, given as `number_views`, with the eyes of seat `me`."""
    out[:] = 0.0
    places = tables.places[seats, me]
    first = 0
    for feature in range(len(tables.ends)):
        encoding, low, width = tables.encodings[feature], tables.lows[feature], tables.widths[feature]
        size, at, length, last = tables.sizes[feature], tables.starts[feature], tables.lengths[feature], tables.ends[feature]
        if encoding == AMOUNT:
            scale = 1.0 / max(1, width - 1)
            for cell in range(first, last):
                if places[cell] >= 0:
                    out[at + cell - first] = min(1.0, max(0.0, (_read(views, size, places[cell]) - low) * scale))
        elif encoding == ONE_OF:
            for cell in range(first, last):
                if places[cell] >= 0:
                    value = _read(views, size, places[cell]) - low
                    if 0 <= value < width:
                        out[at + (cell - first) * length + value] = 1.0
        elif encoding == LOOKUP:
            base = tables.bases[feature]
            for cell in range(first, last):
                if places[cell] >= 0:
                    value = _read(views, size, places[cell]) - low
                    if 0 <= value < width:
                        start = at + (cell - first) * length
                        out[start : start + length] = tables.rows[base + value * length : base + (value + 1) * length]
        else:
            for cell in range(first, last):
                if places[cell] >= 0:
                    _write_set(encoding, _read(views, size, places[cell]), at + (cell - first) * length, me, seats, width, out)
        first = last


@rule
def _write_set(encoding: Any, value: Any, at: Any, me: Any, seats: Any, width: Any, out: Any) -> None:
    """Write a seat, a set of seats or a set of anything else."""
    if encoding == SEAT:
        if 0 <= value < seats:
            out[at + value - me + (seats if value < me else 0)] = 1.0
    elif encoding == BITS:
        for bit in range(width):
            out[at + bit] = value >> bit & 1
    elif encoding == SEAT_BITS:
        for seat in range(seats):
            out[at + seat - me + (seats if seat < me else 0)] = value >> seat & 1
    else:
        out[at + me] = 1.0


@rule
def _read(views: Any, size: Any, place: Any) -> Any:
    """A number of so many bytes."""
    if size == 1:
        return np.int64(views[0][place])
    if size == 2:
        return np.int64(views[1][place])
    if size == 4:
        return np.int64(views[2][place])
    return np.int64(views[3][place])


# ---------------------------------------------------------------- laying out


def _common(game: Game) -> Sequence[Feature]:
    """What every observation begins with."""
    return (
        Feature("seat", OWN_SEAT, 0, MAX_SEATS, None, ..., "the own seat", "own_seat"),
        one_of("seats", len(game.seats), game.seats[0]),
        seat_number("seat", name="decider"),
        seat_bits("pending"),
        one_of("phase", len(game.phases)),
    )


def _fitted(feature: Feature, game: Game) -> Feature:
    """Seats counted up to the most this game is for."""
    seats = feature.encoding in (SEAT, SEAT_BITS, OWN_SEAT)
    return replace(feature, width=game.seats[-1]) if seats else feature


def _cells_of(feature: Feature, field: Field, game: Game) -> tuple[Array, tuple[int, ...]]:
    """Where a feature's cells lie, for every number of seats and every own seat; and the feature's shape."""
    offset = int(game.schema.dtype.fields[field.name][1])  # type: ignore[index]
    cells = (np.arange(int(np.prod(field.shape))) + offset // np.dtype(field.kind).itemsize).reshape(field.shape)
    cells = cells[feature.at]
    axis = feature.seat_axis
    if axis is not None:
        cells = np.moveaxis(np.take(cells, range(game.seats[-1]), axis), axis, 0)
    places = np.full((MAX_SEATS + 1, MAX_SEATS, *cells.shape), -1, np.int64)
    for seats in game.seats:
        for me in range(seats):
            if axis is None:
                places[seats, me] = cells
            else:
                places[seats, me, :seats] = np.roll(cells[:seats], -me, axis=0)
    shape = cells.shape if feature.encoding == AMOUNT else (*cells.shape, feature.length)
    return places.reshape(MAX_SEATS + 1, MAX_SEATS, -1), shape or (1,)
