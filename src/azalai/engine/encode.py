"""Observations in compiled code: what a `Layout` describes, written number by number into tensors."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from azalai.engine.dispatch import conclude, hide
from azalai.engine.errors import BadOption
from azalai.engine.observe import (
    AMOUNT,
    BITS,
    DIGITS,
    LOOKUP,
    ONE_OF,
    OWN_SEAT,
    SEAT,
    SEAT_BITS,
    Array,
    Feature,
    Layout,
)
from azalai.engine.rule import numbers, rule
from azalai.engine.schema import MAX_SEATS, always_inline

if TYPE_CHECKING:
    from azalai.engine.game import Game

KINDS = ("float32", "float16", "uint8", "bits")  # what the numbers of a tensor may be
HOT, SCALED, ROW, SET, ACTIONS = range(5)  # what is done with a cell, see `_encode_cells`
SIZES = (1, 2, 4, 8)  # bytes of a cell of the record
CONCLUDED, VIEWS = len(SIZES), len(SIZES) + 1  # what cells are read from, see `number_views`


def layout_for(game: Game, kind: str, conclusions: bool) -> Layout:
    """How tensors of this kind are laid out, with or without conclusions."""
    if kind not in KINDS:
        raise BadOption(f"observations are of {', '.join(KINDS)}, not {kind!r}")
    layout = game.packed_observation if kind == "bits" else game.observation
    return layout.with_conclusions if conclusions else layout


class Program(NamedTuple):
    """A layout as compiled code runs it: one line for each run of cells that are treated alike and lie at even distances.

    Lines from `bounds[seats, own seat, action, view]` up to the next bound are alike: the same is done there with cells of the
    same view. Cells of absent seats have no line.
    """

    bounds: Array  # [seats, own seat, VIEWS * action + number of the view]
    lines: Array  # [column, line], see below
    rows: Array
    one: Array  # [0]: what is written for 1


# The columns of a line: where the first cell lies, counted in numbers of its view; where in the tensor its first number is
# written; the value that comes first; how many values or bits there are; where in `rows` the numbers of the first value lie; how
# many numbers a value has there; how many cells the run has; how far the next cell is, and its first number in the tensor.
PLACE, START, LOW, WIDTH, BASE, LENGTH, COUNT, STEP, STRIDE = range(9)


@functools.cache
def program(layout: Layout, kind: str, runs: bool = True) -> Program:
    """How compiled code writes tensors of this kind. Without `runs`, which suits a GPU, every cell has a line of its own."""
    seatings = [(seats, me) for seats in layout.game.seats for me in range(seats)]
    rows: list[Array] = []
    lines: dict[tuple[int, int, int, int], list[tuple[int, ...]]] = {}
    base = 0
    for feature, cells in zip(layout.features, layout.cells):
        action = _ACTIONS[feature.encoding]
        table = table_of(feature)
        record = layout.record_of(feature)
        view = CONCLUDED if record is layout.game.conclusions.dtype else SIZES.index(record[feature.field].base.itemsize)
        start = layout.slices[feature.name].start
        for seats, me in seatings:
            alike = lines.setdefault((seats, me, action, view), [])
            for number, place in enumerate(cells[seats, me].tolist()):
                if place >= 0:
                    for skip, low, width in _ranges_of(feature, seats, me):
                        alike.append((place, start + number * feature.length + skip, low, width, base, table.shape[1]))
        rows.append(table.ravel())
        base += table.size
    bounds = np.zeros((MAX_SEATS + 1, MAX_SEATS, ACTIONS * VIEWS + 1), np.int32)
    listed: list[tuple[int, ...]] = []
    for seats, me in seatings:
        for index in range(ACTIONS * VIEWS):
            bounds[seats, me, index] = len(listed)
            alike = lines.get((seats, me, *divmod(index, VIEWS)), [])
            listed += _in_runs(alike) if runs else [(*line, 1, 0, 0) for line in alike]
        bounds[seats, me, -1] = len(listed)
    return Program(bounds, np.array(listed, np.int32).T.copy(), *numbers_as(kind, np.concatenate(rows)))


def _in_runs(lines: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Lines of single cells as lines of runs: with the number of cells, and how far place and start move from one to the next."""
    runs: list[tuple[int, ...]] = []
    for place, start, *rest in sorted(lines, key=lambda line: (line[2:], line[1])):
        if runs:
            first, begin, *same, count, step, stride = runs[-1]
            if count == 1:
                step, stride = place - first, start - begin
            if same == rest and (place, start) == (first + count * step, begin + count * stride):
                runs[-1] = (first, begin, *same, count + 1, step, stride)
                continue
        runs.append((place, start, *rest, 1, 0, 0))
    return runs


class Workspace(NamedTuple):
    """What a thread works in: the record that it hides, what follows from that, and what has changed."""

    words: Array  # of the record and, behind it, of the conclusions
    scratch: Any  # the record
    copy: Array  # and its words
    concluded: Any  # [0]: the conclusions; empty where none are drawn
    views: tuple[Array, Array, Array, Array, Array]  # `number_views` of both
    before: Array  # what watched words were; see `list_changes`
    places: Array  # which of them have changed
    changed: Array  # and which lines


def workspace_for(game: Game, conclusions: bool) -> Workspace:
    """Memory of a thread, for records of a game, with or without conclusions."""
    record, follows = game.schema.without_events, game.conclusions.dtype
    layout = layout_for(game, "bits", conclusions)
    own, count = record.itemsize // 8, int(layout.concludes)
    words = np.zeros(own + -(-count * follows.itemsize // 8), np.int64)
    scratch, concluded = np.ndarray(1, record, words), np.ndarray(count, follows, words, 8 * own)
    views = number_views(scratch, concluded)
    lines = layout.size + 1  # a line has a number at least, and what does not change is overwritten
    return Workspace(words, scratch, words[:own], concluded, views, np.zeros_like(words), numbers(len(words) + 1), numbers(lines))


def number_views(scratch: Any, concluded: Any) -> tuple[Array, Array, Array, Array, Array]:
    """The memory of records as numbers of 1, 2, 4 and 8 bytes, and that of conclusions."""
    plain, follows = np.asarray(scratch), np.asarray(concluded)
    return plain.view(np.int8), plain.view(np.int16), plain.view(np.int32), plain.view(np.int64), follows.view(np.int16)


# ---------------------------------------------------------------- compiled


@rule
def encode_many(words: Any, viewers: Any, m: Workspace, program: Any, out: Any) -> None:
    """Write the observation of every record, as its viewer sees it, into a row of `out`."""
    for i in range(len(words)):
        hide_and_conclude(words[i], viewers[i], m)
        row = out[i]
        for k in range(len(row)):
            row[k] = 0
        encode(m.views, viewers[i], m.scratch[0].seats, program, row, 0, 1)


@rule
def hide_and_conclude(words: Any, viewer: Any, m: Workspace) -> None:
    """Copy a record into a thread's memory, hide there what the viewer may not know, and draw conclusions if they are wanted."""
    load_hidden(words, viewer, m.scratch, m.copy)
    if len(m.concluded) > 0:
        draw_conclusions(m.scratch[0], viewer, m.concluded[0], m.views[CONCLUDED])


@rule
def load_hidden(words: Any, viewer: Any, scratch: Any, copy: Any) -> None:
    """Copy a record, but for its events, into `scratch`, whose words are `copy`; hide there what the viewer may not know."""
    for k in range(len(copy)):
        copy[k] = words[k]
    if not scratch[0].over:
        hide(scratch[0], viewer)
    if scratch[0].pending >> viewer & 1:  # of several that owe a decision, the viewer is the one to decide
        scratch[0].seat = viewer


@rule
def draw_conclusions(s: Any, viewer: Any, concluded: Any, cells: Any) -> None:
    """Write what follows from a record that is hidden for the viewer into `concluded`, whose numbers are `cells`."""
    for k in range(len(cells)):
        cells[k] = 0
    if not s.over:
        conclude(s, viewer, concluded)


@rule
def encode(views: Any, me: Any, seats: Any, program: Any, out: Any, lane: Any, lanes: Any) -> None:
    """Write one record, given as `number_views`, with the eyes of seat `me`, into a row of zeros.

    Several threads can share the work: each does the line of its `lane` and then every `lanes`-th.
    """
    bounds, lines, rows, one = program.bounds[seats, me], program.lines, program.rows, program.one[0]
    _encode_cells(views[0], 0, bounds, lines, rows, one, out, lane, lanes)
    _encode_cells(views[1], 1, bounds, lines, rows, one, out, lane, lanes)
    _encode_cells(views[2], 2, bounds, lines, rows, one, out, lane, lanes)
    _encode_cells(views[3], 3, bounds, lines, rows, one, out, lane, lanes)
    _encode_cells(views[CONCLUDED], CONCLUDED, bounds, lines, rows, one, out, lane, lanes)


@always_inline
def _encode_cells(cells: Any, view: int, bounds: Any, lines: Any, rows: Any, one: Any, out: Any, lane: Any, lanes: Any) -> None:
    """Write all cells of one view. Unsigned indices spare the compiled code the question whether they count from the end."""
    zero = one - one
    for k in range(bounds[VIEWS * HOT + view] + lane, bounds[VIEWS * HOT + view + 1], lanes):
        line = np.uint64(k)
        place, start = lines[PLACE, line], lines[START, line]
        low, width = lines[LOW, line], np.uint64(lines[WIDTH, line])
        step, stride = lines[STEP, line], lines[STRIDE, line]
        for _ in range(lines[COUNT, line]):
            index = np.uint64(np.int64(cells[np.uint64(place)]) - low)
            if index < width:
                out[np.uint64(start) + index] = one
            place += step
            start += stride
    for k in range(bounds[VIEWS * SCALED + view] + lane, bounds[VIEWS * SCALED + view + 1], lanes):
        line = np.uint64(k)
        place, start = lines[PLACE, line], lines[START, line]
        low, last, base = lines[LOW, line], lines[WIDTH, line] - 1, lines[BASE, line]
        step, stride = lines[STEP, line], lines[STRIDE, line]
        for _ in range(lines[COUNT, line]):
            value = np.int64(cells[np.uint64(place)]) - low
            value = max(0, min(value, last))
            out[np.uint64(start)] = rows[np.uint64(base + value)]
            place += step
            start += stride
    for k in range(bounds[VIEWS * ROW + view] + lane, bounds[VIEWS * ROW + view + 1], lanes):
        line = np.uint64(k)
        place, start = lines[PLACE, line], lines[START, line]
        low, last, length = lines[LOW, line], lines[WIDTH, line] - 1, lines[LENGTH, line]
        step, stride = lines[STEP, line], lines[STRIDE, line]
        for _ in range(lines[COUNT, line]):
            value = np.int64(cells[np.uint64(place)]) - low
            value = max(0, min(value, last))
            base = lines[BASE, line] + value * length
            for column in range(length):
                out[np.uint64(start + column)] = rows[np.uint64(base + column)]
            place += step
            start += stride
    for k in range(bounds[VIEWS * SET + view] + lane, bounds[VIEWS * SET + view + 1], lanes):
        line = np.uint64(k)
        place, start = lines[PLACE, line], lines[START, line]
        for _ in range(lines[COUNT, line]):
            value = np.int64(cells[np.uint64(place)]) >> lines[LOW, line]
            for bit in range(lines[WIDTH, line]):
                out[np.uint64(start + bit)] = one if value >> bit & 1 else zero  # a choice, which takes less time than a branch
            place += lines[STEP, line]
            start += lines[STRIDE, line]


# ---------------------------------------------------------------- programs


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


def table_of(feature: Feature) -> Array:
    """What is written for each value, where that is more than a 1."""
    if feature.encoding == AMOUNT:
        return (np.arange(feature.width) * (1.0 / max(1, feature.width - 1)))[:, None].clip(0.0, 1.0).astype(np.float32)
    if feature.encoding == DIGITS:
        return np.asarray(feature.rows, np.float32)
    if feature.encoding == LOOKUP:
        return np.pad(feature.rows, ((1, 1), (0, 0)))
    return np.empty((0, 1), np.float32)


def numbers_as(kind: str, rows: Array) -> tuple[Array, Array]:
    """Numbers from 0 to 1 as compiled code writes them, and what it writes for 1. It knows float16 by its bits alone."""
    rows = np.append(rows, np.float32(1.0))
    if kind == "float16":
        rows = rows.astype(np.float16).view(np.uint16)
    elif kind != "float32":
        rows = np.rint(rows * (255 if kind == "uint8" else 1)).astype(np.uint8)
    return rows, rows[-1:]
