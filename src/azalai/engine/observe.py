"""What a seat may know, as numbers between 0 and 1: the observation tensors of learning programs.

A game declares a list of features, each of them one field of its record and a way to write it as numbers. What is read is always
the record as `hide` leaves it for the seat, so a tensor cannot tell more than the seat may know, and equal knowledge gives equal
tensors. Whatever belongs to seats is turned so that the own seat comes first and the others follow in order of play.

A feature may also be a field of the game's *conclusions*: whole numbers that its function `conclude` computes from the hidden
record, because they follow from what the seat knows but are hard to find for a learning program. They take time, so a tensor has
them only where they are asked for, behind all else.

A tensor may be of float32, float16, uint8 (0 to 255 stand for 0 to 1) or bits, 8 to a byte. As bits a tensor has a layout of its
own: what is not 0 or 1 is written in binary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from azalai.engine.schema import MAX_SEATS, Field

if TYPE_CHECKING:
    from azalai.engine.game import Game

AMOUNT, ONE_OF, LOOKUP, BITS, SEAT, SEAT_BITS, OWN_SEAT, DIGITS = range(8)
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Feature:
    """One named part of an observation: a field of the record or of the conclusions, and how its numbers are written."""

    field: str
    encoding: int
    low: int  # the value that becomes 0; the first category
    width: int  # how many values, categories, bits or seats there are
    seat_axis: int | None  # the axis that counts seats; in the tensor it comes first
    at: Any  # which cells of the field: an index as NumPy takes it
    about: str  # what it means; empty: what the schema says of the field
    name: str
    columns: tuple[str, ...] = ()  # of a lookup: what its numbers mean,
    rows: Any = None  # and what they are for each value

    @property
    def length(self) -> int:
        """Numbers that one cell of the field becomes."""
        if self.encoding in (LOOKUP, DIGITS):
            return len(self.columns)
        return 1 if self.encoding == AMOUNT else self.width

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
            DIGITS: f"{self.low} to {last}, as 0 to {self.width - 1} in binary, the lowest bit first",
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


class Layout:
    """How a game's observation is laid out: named slices of one vector of `size` numbers, each from 0 to 1.

    A `packed` layout is one of bits: all its numbers are 0 or 1, and a tensor has 8 of them in a byte. With `conclusions` those
    of the game come after the features of its record.
    """

    def __init__(self, game: Game, packed: bool = False, conclusions: bool = False) -> None:
        if not game.features:
            raise ValueError(f"{game.name} declares no features to observe")
        self.game = game
        self.packed = packed
        names = {one.name for one in game.conclusions.fields}
        known = [feature for feature in game.features if feature.field not in names]
        concluded = [feature for feature in game.features if feature.field in names] if conclusions else []
        self.concludes = bool(concluded)
        features = (_fitted(feature, game) for feature in (*_common(game), *known, *concluded))
        self.features = tuple(_as_bits(feature) if packed else feature for feature in features)
        self.slices: dict[str, slice] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.cells: list[Array] = []
        self.fields = {one.name: one for one in (*game.conclusions.fields, *game.schema.fields)}
        if len(self.fields) < len(game.conclusions.fields) + len(game.schema.fields):
            raise ValueError(f"a conclusion of {game.name} is called like a field of its record")
        start = 0
        for feature in self.features:
            if feature.field not in self.fields:
                raise ValueError(f"{game.name} has no field {feature.field!r} to observe")
            if feature.name in self.slices:
                raise ValueError(f"two features of {game.name} are called {feature.name!r}")
            cells, shape = _cells_of(feature, self.fields[feature.field], self.record_of(feature), game)
            self.cells.append(cells)
            stop = start + cells.shape[-1] * feature.length
            self.slices[feature.name], self.shapes[feature.name] = slice(start, stop), shape
            start = stop
        self.size = start

    @cached_property
    def with_conclusions(self) -> Layout:
        """This layout and, behind it, the conclusions of the game; this one itself where there are none to add."""
        whole = Layout(self.game, self.packed, conclusions=True)
        return whole if whole.size > self.size else self

    def record_of(self, feature: Feature) -> np.dtype[Any]:
        """The record that has a feature's field: that of the game, or that of its conclusions."""
        concluded = self.game.conclusions.dtype
        return concluded if feature.field in (concluded.names or ()) else self.game.schema.dtype

    def split(self, tensor: Any) -> dict[str, Any]:
        """Views of a tensor (or of a whole batch of them) by feature, each in its own shape; nothing is copied."""
        return {name: tensor[..., part].reshape(*tensor.shape[:-1], *self.shapes[name]) for name, part in self.slices.items()}

    def unpack(self, tensor: Array) -> Array:
        """The numbers of a packed tensor (or of a whole batch of them), one to a byte."""
        return np.unpackbits(tensor, axis=-1, count=self.size, bitorder="little")

    def describe(self) -> str:
        """A table for readers: where every feature lies, its shape, how it is written and what it means."""
        lines = ["| at | name | shape | numbers | what |", "|---|---|---|---|---|"]
        for feature in self.features:
            part, shape = self.slices[feature.name], "×".join(map(str, self.shapes[feature.name]))
            told = feature.about or self.fields[feature.field].about
            lines.append(f"| {part.start}–{part.stop - 1} | `{feature.name}` | {shape} | {feature.meaning} | {told} |")
        return "\n".join(lines)

    def columns(self, kind: str) -> int:
        """How many numbers of this kind a tensor has; as bits, how many bytes."""
        return -(-self.size // 8) if kind == "bits" else self.size


# ---------------------------------------------------------------- laying out


def _as_bits(feature: Feature) -> Feature:
    """The same feature with all numbers in binary."""
    if feature.encoding == AMOUNT:
        digits, columns = _binary(feature.name, np.arange(feature.width))
        return replace(feature, encoding=DIGITS, rows=digits, columns=columns)
    if feature.encoding == LOOKUP:
        parts = []
        for name, column in zip(feature.columns, feature.rows.T):
            is_flag = bool(np.isin(column, (0, 1)).all())
            parts.append((column[:, None], (name,)) if is_flag else _binary(name, np.unique(column, return_inverse=True)[1]))
        rows = np.concatenate([digits for digits, _ in parts], axis=1).astype(np.float32)
        return replace(feature, rows=rows, columns=tuple(name for _, names in parts for name in names))
    return feature


def _binary(name: str, values: Array) -> tuple[Array, tuple[str, ...]]:
    """Columns for the bits of numbers, and their names."""
    count = max(1, int(values.max()).bit_length())
    return values[:, None] >> np.arange(count) & 1, tuple(f"{name} bit {bit}" for bit in range(count))


def _common(game: Game) -> Sequence[Feature]:
    """What every observation begins with."""
    return (
        Feature("seats", OWN_SEAT, 0, MAX_SEATS, None, ..., "the own seat", "own_seat"),
        one_of("seats", len(game.seats), game.seats[0]),
        seat_number("seat", name="decider"),
        seat_bits("pending"),
        one_of("phase", len(game.phases)),
    )


def _fitted(feature: Feature, game: Game) -> Feature:
    """Seats counted up to the most this game is for."""
    seats = feature.encoding in (SEAT, SEAT_BITS, OWN_SEAT)
    return replace(feature, width=game.seats[-1]) if seats else feature


def _cells_of(feature: Feature, field: Field, record: np.dtype[Any], game: Game) -> tuple[Array, tuple[int, ...]]:
    """Where a feature's cells lie, for every number of seats and every own seat; and the feature's shape."""
    offset = int(record.fields[field.name][1])  # type: ignore[index]
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
