"""What a seat may know, as numbers between 0 and 1: the observation tensors of learning programs.

A game declares a list of features, each of them one field of its record and a way to write it as numbers. What is read is always
the record as `hide` leaves it for the seat, so a tensor cannot tell more than the seat may know, and equal knowledge gives equal
tensors. Whatever belongs to seats is turned so that the own seat comes first and the others follow in order of play.

A tensor may be of float32, float16, uint8 (0 to 255 stand for 0 to 1) or bits, 8 to a byte. As bits a tensor has a layout of its
own: what is not 0 or 1 is written in binary.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from azalai.engine.compile import Task, use_compiled
from azalai.engine.dispatch import hide
from azalai.engine.errors import BadOption
from azalai.engine.rule import records, rule
from azalai.engine.schema import MAX_SEATS, Field, always_inline
from azalai.engine.worker_pool import WorkerPool

if TYPE_CHECKING:
    from azalai.engine.game import Game

AMOUNT, ONE_OF, LOOKUP, BITS, SEAT, SEAT_BITS, OWN_SEAT, DIGITS = range(8)
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


KINDS = ("float32", "float16", "uint8", "bits")  # what the numbers of a tensor may be
HOT, SCALED, ROW, SET, ACTIONS = range(5)  # what is done with a cell, see `_encode_cells`
SIZES = (1, 2, 4, 8)  # bytes of a cell
GATHER = np.uint64(0x0102040810204080)  # times 8 bytes of 0 or 1: their bits in the highest byte, the first byte's lowest


class Program(NamedTuple):
    """A layout as compiled code runs it: one line for each cell of the record.

    Lines from `bounds[seats, own seat, action, size]` up to the next bound are alike: the same is done there with cells of the
    same size. Cells of absent seats have no line.
    """

    bounds: Array  # [seats, own seat, 4 * action + number of the size]
    places: Array  # per line: where the cell lies, counted in numbers of its size,
    starts: Array  # where in the tensor its first number is written,
    lows: Array  # the value that comes first,
    widths: Array  # how many values or bits there are,
    bases: Array  # where in `rows` the numbers of the first value lie,
    lengths: Array  # how many numbers a value has there
    rows: Array
    one: Array  # [0]: what is written for 1


class Layout:
    """How a game's observation is laid out: named slices of one vector of `size` numbers, each from 0 to 1.

    A `packed` layout is one of bits: all its numbers are 0 or 1, and a tensor has 8 of them in a byte.
    """

    def __init__(self, game: Game, packed: bool = False) -> None:
        if not game.features:
            raise ValueError(f"{game.name} declares no features to observe")
        self.game = game
        self.packed = packed
        features = (_fitted(feature, game) for feature in (*_common(game), *game.features))
        self.features = tuple(_as_bits(feature) if packed else feature for feature in features)
        self.slices: dict[str, slice] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        self._cells: list[Array] = []
        fields = {one.name: one for one in game.schema.fields}
        start = 0
        for feature in self.features:
            if feature.field not in fields:
                raise ValueError(f"{game.name} has no field {feature.field!r} to observe")
            if feature.name in self.slices:
                raise ValueError(f"two features of {game.name} are called {feature.name!r}")
            cells, shape = _cells_of(feature, fields[feature.field], game)
            self._cells.append(cells)
            stop = start + cells.shape[-1] * feature.length
            self.slices[feature.name], self.shapes[feature.name] = slice(start, stop), shape
            start = stop
        self.size = start

    def split(self, tensor: Any) -> dict[str, Any]:
        """Views of a tensor (or of a whole batch of them) by feature, each in its own shape; nothing is copied."""
        return {name: tensor[..., part].reshape(*tensor.shape[:-1], *self.shapes[name]) for name, part in self.slices.items()}

    def unpack(self, tensor: Array) -> Array:
        """The numbers of a packed tensor (or of a whole batch of them), one to a byte."""
        return np.unpackbits(tensor, axis=-1, count=self.size, bitorder="little")

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
        Observer(self.game, state, WorkerPool(1, 1)).write(seat, tensors)
        tensor: Array = tensors[0]
        return tensor

    def columns(self, kind: str) -> int:
        """How many numbers of this kind a tensor has; as bits, how many bytes."""
        return -(-self.size // 8) if kind == "bits" else self.size

    @functools.cache  # noqa: B019 - a layout lives as long as its game
    def program(self, kind: str) -> Program:
        """How compiled code writes tensors of this kind."""
        seatings = [(seats, me) for seats in self.game.seats for me in range(seats)]
        rows: list[Array] = []
        lines: dict[tuple[int, int, int, int], list[tuple[int, ...]]] = {}
        base = 0
        for feature, cells in zip(self.features, self._cells):
            action = _ACTIONS[feature.encoding]
            table = _table_of(feature)
            size = SIZES.index(np.dtype(self.game.schema.dtype[feature.field].base).itemsize)
            start = self.slices[feature.name].start
            for seats, me in seatings:
                alike = lines.setdefault((seats, me, action, size), [])
                for number, place in enumerate(cells[seats, me].tolist()):
                    if place >= 0:
                        for skip, low, width in _ranges_of(feature, seats, me):
                            alike.append((place, start + number * feature.length + skip, low, width, base, table.shape[1]))
            rows.append(table.ravel())
            base += table.size
        bounds = np.zeros((MAX_SEATS + 1, MAX_SEATS, ACTIONS * len(SIZES) + 1), np.int32)
        program: list[tuple[int, ...]] = []
        for seats, me in seatings:
            for index in range(ACTIONS * len(SIZES)):
                bounds[seats, me, index] = len(program)
                program += lines.get((seats, me, *divmod(index, len(SIZES))), [])
            bounds[seats, me, -1] = len(program)
        columns = np.array(program, np.int32).T.copy()
        return Program._make((bounds, *columns, *_numbers_as(kind, np.concatenate(rows))))


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that an observer calls."""
    observer = Observer(game, records(1, game.schema.dtype), WorkerPool(1, 1))
    return [functools.partial(observer.write, 0, observer.make_array(kind), kind) for kind in KINDS]


class Observer:
    """Writes what seats may know of many records, each thread of a pool those of its part."""

    def __init__(self, game: Game, states: Any, pool: WorkerPool) -> None:
        self._game, self._pool = game, pool
        use_compiled(game, __name__)
        plain = np.asarray(states)
        self._words = plain.view(np.int64).reshape(len(plain), -1)
        self._parts = [(part, records(1, game.schema.without_events)) for part in pool.slices]

    def make_array(self, kind: str) -> Array:
        """An array for observations of this kind."""
        if kind not in KINDS:
            raise BadOption(f"observations are of {', '.join(KINDS)}, not {kind!r}")
        return np.empty((len(self._words), self._layout(kind).columns(kind)), np.uint8 if kind == "bits" else kind)

    def write(self, seat: Any, out: Array, kind: str = "float32") -> Array:
        """Write what `seat` (one for all, or one per game) may know into `out`."""
        layout = self._layout(kind)
        program = layout.program(kind)
        viewers = np.ascontiguousarray(np.broadcast_to(seat, len(self._words)), np.int8)
        rows = out.view(np.uint16) if kind == "float16" else out

        def work(mine: Any) -> None:
            part, scratch = mine
            copy, views = np.asarray(scratch).view(np.int64), number_views(scratch)
            if kind == "bits":
                row = np.zeros(8 * layout.columns(kind), np.uint8)
                eights = row.view(np.uint64)
                encode_packed(self._words[part], viewers[part], scratch, copy, views, program, row, eights, rows[part])
            else:
                encode_many(self._words[part], viewers[part], scratch, copy, views, program, rows[part])

        self._pool.each(work, self._parts)
        return out

    def _layout(self, kind: str) -> Layout:
        return self._game.packed_observation if kind == "bits" else self._game.observation


def number_views(scratch: Any) -> tuple[Array, Array, Array, Array]:
    """The memory of records as numbers of 1, 2, 4 and 8 bytes."""
    plain = np.asarray(scratch)
    return plain.view(np.int8), plain.view(np.int16), plain.view(np.int32), plain.view(np.int64)


# ---------------------------------------------------------------- compiled


@rule
def encode_many(words: Any, viewers: Any, scratch: Any, copy: Any, views: Any, program: Any, out: Any) -> None:
    """Write the observation of every record, as its viewer sees it, into a row of `out`."""
    for i in range(len(words)):
        load_hidden(words[i], viewers[i], scratch, copy)
        row = out[i]
        for k in range(len(row)):
            row[k] = 0
        encode(views, viewers[i], scratch[0].seats, program, row, 0, 1)


@rule
def encode_packed(
    words: Any, viewers: Any, scratch: Any, copy: Any, views: Any, program: Any, row: Any, eights: Any, out: Any
) -> None:
    """Do the same as bits: write into `row`, then gather the bits of its memory, which `eights` has in words of 8 numbers."""
    for i in range(len(words)):
        load_hidden(words[i], viewers[i], scratch, copy)
        for k in range(len(row)):
            row[k] = 0
        encode(views, viewers[i], scratch[0].seats, program, row, 0, 1)
        for k in range(len(eights)):
            out[i, k] = eights[k] * GATHER >> np.uint64(56)


@rule
def load_hidden(words: Any, viewer: Any, scratch: Any, copy: Any) -> None:
    """Copy a record, but for its events, into `scratch`, whose words are `copy`; hide there what the viewer may not know."""
    for k in range(len(copy)):
        copy[k] = words[k]
    if not scratch[0].over:
        hide(scratch[0], viewer)


@rule
def encode(views: Any, me: Any, seats: Any, program: Any, out: Any, lane: Any, lanes: Any) -> None:
    """Write one record, given as `number_views`, with the eyes of seat `me`, into a row of zeros.

    Several threads can share the work: each does the line of its `lane` and then every `lanes`-th.
    """
    bounds = program.bounds[seats, me]
    _encode_cells(views[0], 0, bounds, program, out, lane, lanes)
    _encode_cells(views[1], 1, bounds, program, out, lane, lanes)
    _encode_cells(views[2], 2, bounds, program, out, lane, lanes)
    _encode_cells(views[3], 3, bounds, program, out, lane, lanes)


@always_inline
def _encode_cells(cells: Any, size: int, bounds: Any, program: Any, out: Any, lane: Any, lanes: Any) -> None:
    """Write all cells of one size. Unsigned indices spare the compiled code the question whether they count from the end."""
    one = program.one[0]
    for k in range(bounds[4 * HOT + size] + lane, bounds[4 * HOT + size + 1], lanes):
        line = np.uint64(k)
        index = np.uint64(np.int64(cells[np.uint64(program.places[line])]) - program.lows[line])
        if index < np.uint64(program.widths[line]):
            out[np.uint64(program.starts[line]) + index] = one
    for k in range(bounds[4 * SCALED + size] + lane, bounds[4 * SCALED + size + 1], lanes):
        line = np.uint64(k)
        value = np.int64(cells[np.uint64(program.places[line])]) - program.lows[line]
        value = max(0, min(value, program.widths[line] - 1))
        out[np.uint64(program.starts[line])] = program.rows[np.uint64(program.bases[line] + value)]
    for k in range(bounds[4 * ROW + size] + lane, bounds[4 * ROW + size + 1], lanes):
        line = np.uint64(k)
        value = np.int64(cells[np.uint64(program.places[line])]) - program.lows[line]
        value = max(0, min(value, program.widths[line] - 1))
        length = program.lengths[line]
        base = np.uint64(program.bases[line] + value * length)
        start = np.uint64(program.starts[line])
        for column in range(length):
            out[start + np.uint64(column)] = program.rows[base + np.uint64(column)]
    for k in range(bounds[4 * SET + size] + lane, bounds[4 * SET + size + 1], lanes):
        line = np.uint64(k)
        value = np.int64(cells[np.uint64(program.places[line])]) >> program.lows[line]
        start = np.uint64(program.starts[line])
        for bit in range(program.widths[line]):
            if value >> bit & 1:
                out[start + np.uint64(bit)] = one


# ---------------------------------------------------------------- laying out


_ACTIONS = {
    AMOUNT: SCALED, ONE_OF: HOT, LOOKUP: ROW, BITS: SET, SEAT: HOT, SEAT_BITS: SET, OWN_SEAT: HOT, DIGITS: ROW,
}  # fmt: skip


def _ranges_of(feature: Feature, seats: int, me: int) -> list[tuple[int, int, int]]:
    """Where the numbers of a cell go: which is the first, for values (or bits) from which one on, and how many values.

    Seats are counted from the own one, so theirs are two ranges.
    """
    if feature.encoding in (SEAT, SEAT_BITS):
        return [(0, me, seats - me), (seats - me, 0, me)]
    if feature.encoding == OWN_SEAT:
        return [(me, seats, 1)]  # the cell is the number of seats: what it holds is always `seats`
    if feature.encoding == LOOKUP:
        return [(0, -1, feature.width + 2)]  # with a row for what is below and one for what is above
    return [(0, feature.low, feature.width)]


def _table_of(feature: Feature) -> Array:
    """What is written for each value, where that is more than a 1."""
    if feature.encoding == AMOUNT:
        return (np.arange(feature.width) * (1.0 / max(1, feature.width - 1)))[:, None].clip(0.0, 1.0).astype(np.float32)
    if feature.encoding == DIGITS:
        return np.asarray(feature.rows, np.float32)
    if feature.encoding == LOOKUP:
        return np.pad(feature.rows, ((1, 1), (0, 0)))
    return np.empty((0, 1), np.float32)


def _numbers_as(kind: str, rows: Array) -> tuple[Array, Array]:
    """Numbers from 0 to 1 as compiled code writes them, and what it writes for 1. It knows float16 by its bits alone."""
    rows = np.append(rows, np.float32(1.0))
    if kind == "float16":
        rows = rows.astype(np.float16).view(np.uint16)
    elif kind != "float32":
        rows = np.rint(rows * (255 if kind == "uint8" else 1)).astype(np.uint8)
    return rows, rows[-1:]


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
