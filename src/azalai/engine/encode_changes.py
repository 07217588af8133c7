"""Observations that are kept up to date: only what has changed since the last time is written.

For each game the record is remembered as its viewer knew it, with the cells of seats moved so that the own seat comes first:
the *turned* record. Most of it stays as it was from one decision to the next, whoever the viewer is. So two turned records are
compared 8 bytes at a time, and only cells in words that differ are written: what the old value had set is cleared, and what the
new value sets is set. The result is equal to what `encode` writes, to the last byte.

In a turned record each byte begins at most one line of the observation: a cell that several features read is there several times.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from azalai.engine.encode import GATHER, load_hidden, numbers_as, table_of
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
from azalai.engine.rule import INTERPRET, records, rule
from azalai.engine.schema import always_inline

WORD = 8  # bytes
SINGLE, ROW, MEMBERS, SEATS = range(4)  # how a line is written: one number for a value, a row of them, a set, a set of seats
ACTIONS = {
    AMOUNT: SINGLE, ONE_OF: SINGLE, SEAT: SINGLE, OWN_SEAT: SINGLE, LOOKUP: ROW, DIGITS: ROW, BITS: MEMBERS, SEAT_BITS: SEATS,
}  # fmt: skip

_CELLS = np.dtype(
    [
        ("low", np.int32),  # the value before the first that has an entry of its own in the table; of a set, its lowest bit
        ("last", np.int32),  # the number of the table's last entry, for all values above
        ("start", np.int32),  # where in the tensor its first number lies
        ("table", np.int32),  # where its table begins
        ("width", np.int16),  # of a set: how many bits it has
        ("length", np.int16),  # how many numbers of the tensor are the line's
        ("left", np.int8),  # how far the word is shifted to the left, and
        ("right", np.int8),  # then to the right, to get the cell
        ("step", np.int8),  # how far the tables of neighbouring viewers are apart, where each has its own
        ("action", np.int8),
    ],
    align=True,
)
LINE = np.dtype((np.record, _CELLS))


class Changes(NamedTuple):
    """How compiled code follows the changes of a record, for one number of seats."""

    turns: Array  # [viewer]: where its pieces begin. A piece is a part of a word of the turned record:
    sources: Array  # from which byte of the record on its word is read,
    targets: Array  # which word of the turned record it belongs to,
    pieces: Array  # and which bits of it
    own: Array  # the word of the turned record that has the viewer, and how far it is shifted there
    words: Array  # the words of the turned record that are observed
    masks: Array  # [whether the viewer stays the same, line]: the bits whose change changes a line; those of seats are 0 at first
    lines: Any  # [8 * word + byte]
    seated: Array  # lines that count seats: what they write depends on the viewer
    offsets: Array  # the tables: how far from its start a line writes for a value,
    values: Array  # and what it writes there
    one: Array  # [0]: what is written for 1


class _Tables:
    """The tables of lines. Entry 0 is for values below the first, the last entry for those above the last."""

    def __init__(self) -> None:
        self.offsets: list[int] = []
        self.values: list[float] = []
        self._known: dict[tuple[int, int, int], int] = {}

    def find(self, feature: Feature, seats: int) -> int:
        """Return where the table of a feature begins; features that are written alike share one."""
        key = (feature.encoding, feature.low, feature.width)
        if ACTIONS[feature.encoding] == SINGLE and key in self._known:
            return self._known[key]
        begin = self._known[key] = len(self.values)
        if feature.encoding == AMOUNT:
            scale = table_of(feature)[:, 0].tolist()
            self._add([0] * (len(scale) + 2), [scale[0], *scale, scale[-1]])
        elif feature.encoding in (ONE_OF, OWN_SEAT):
            count = _width(feature, seats)
            self._add([0, *range(count), 0], [0.0, *[1.0] * count, 0.0])
        elif feature.encoding == SEAT:
            for viewer in range(seats):
                self._add([0, *((seat - viewer) % seats for seat in range(seats)), 0], [0.0, *[1.0] * seats, 0.0])
        elif feature.encoding == LOOKUP:
            rows = table_of(feature)
            self._add([0] * rows.size, rows.ravel().tolist())
        elif feature.encoding == DIGITS:
            rows = table_of(feature)
            rows = np.concatenate([rows[:1], rows, rows[-1:]])
            self._add([0] * rows.size, rows.ravel().tolist())
        return begin

    def _add(self, offsets: list[int], values: list[float]) -> None:
        self.offsets += offsets
        self.values += values


def _width(feature: Feature, seats: int) -> int:
    return seats if feature.encoding in (SEAT, SEAT_BITS, OWN_SEAT) else feature.width


def make_changes(layout: Layout, kind: str, seats: int) -> Changes:
    """Lay out the turned record of a game at a table of so many seats, and its lines."""
    schema = layout.game.schema
    end = own = schema.without_events.itemsize
    tables, taken = _Tables(), set()
    lines: dict[int, tuple[Feature, int, int, int]] = {}  # by the byte of the turned record: bytes of the cell, start, table
    pieces: list[dict[tuple[int, int], int]] = [{} for _ in range(seats)]
    for feature, cells in zip(layout.features, layout.cells):
        size = np.dtype(schema.dtype[feature.field].base).itemsize
        start, table = layout.slices[feature.name].start, tables.find(feature, seats)
        if feature.encoding == OWN_SEAT:
            lines[own] = (feature, 1, start, table)
            end += 1
            continue
        for number, places in enumerate((cells[seats, :seats].T * size).tolist()):
            if places[0] < 0:
                continue
            home = places[0]
            if home in taken:
                home = -(-end // size) * size
                end = home + size
            taken.add(home)
            lines[home] = (feature, size, start + number * feature.length, table)
            for viewer, place in enumerate(places):
                for byte in range(size if place != home else 0):
                    word, within = divmod(home + byte, WORD)
                    piece = (word, place + byte - within)
                    pieces[viewer][piece] = pieces[viewer].get(piece, 0) | 255 << 8 * within
    count = -(-end // WORD)
    listed = records(count * WORD, LINE)
    masks = np.zeros((2, count * WORD), np.uint64)
    for at, (feature, size, start, table) in lines.items():
        width, seated = _width(feature, seats), feature.encoding in (SEAT, SEAT_BITS)
        line = listed[at]
        line.low = -1 if feature.encoding in (SEAT, LOOKUP, OWN_SEAT) else feature.low - (ACTIONS[feature.encoding] != MEMBERS)
        line.last, line.width, line.length = width + 1, width, feature.length
        line.start, line.table = start, table
        line.left, line.right = 64 - 8 * (at % WORD + size), 64 - 8 * size
        line.step = width + 2 if feature.encoding == SEAT else 0
        line.action = ACTIONS[feature.encoding]
        masks[:, at] = ((1 << 8 * size) - 1) << 8 * (at % WORD)
        if seated:
            masks[0, at] = 0
    flat = [(source, word, part) for mine in pieces for (word, source), part in sorted(mine.items())]
    sources, targets, parts = zip(*flat) if flat else ((), (), ())
    values, one = numbers_as(kind, np.array(tables.values, np.float32))
    return Changes(
        turns=np.cumsum([0, *map(len, pieces)]).astype(np.int32),
        sources=np.array(sources, np.int64),
        targets=np.array(targets, np.int64),
        pieces=np.array(parts, np.uint64).view(np.int64),
        own=np.array([own // WORD, own % WORD * 8], np.int64),
        words=np.unique(np.array(list(lines), np.int32) // WORD),
        masks=masks,
        lines=listed,
        seated=np.array([at for at, line in lines.items() if line[0].encoding in (SEAT, SEAT_BITS)], np.int32),
        offsets=np.array(tables.offsets, np.int32),
        values=values,
        one=one,
    )


class KeptRows:
    """The observations of many games, kept up to date."""

    out: Array  # [game, number]

    def __init__(self, layout: Layout, kind: str, seats: int, count: int) -> None:
        self._changes = make_changes(layout, kind, seats)
        self._seats = seats
        columns = layout.columns(kind)
        self.out = np.zeros((count, columns), np.uint8 if kind == "bits" else kind)
        self._rows = self.out.view(np.uint16) if kind == "float16" else self.out
        if kind == "bits":  # one number to a byte; what has changed is packed
            self._rows = np.zeros((count, 8 * columns), np.uint8)
        self._packed = kind == "bits"
        self._before = np.zeros((count, len(self._changes.lines) // WORD), np.int64)
        self._viewers = np.zeros(count, np.int8)

    def update(self, words: Array, part: slice, scratch: Any, viewers: Array, fresh: bool) -> None:
        """Bring a part of the games up to date. It is `fresh` once, before anything has been written."""
        changes, rows, before, was = self._changes, self._rows[part], self._before[part], self._viewers[part]
        first = np.asarray(scratch[:1]).view(np.int64)
        cells = np.asarray(scratch).view(np.int8)
        turned = np.zeros(before.shape[1], np.int64)
        pending = np.zeros(len(turned) + len(changes.lines) + len(changes.seated) + WORD, np.int32)
        work = (words[part], viewers, scratch, first, cells, turned, pending, before, was, changes, rows)
        if fresh:
            turn_many(*work)
            was[:] = (viewers + 1) % self._seats  # every line differs, and all of a row is written
        elif self._packed:
            update_packed(*work, rows.view(np.uint64), self.out[part])
        else:
            update_many(*work)


# ---------------------------------------------------------------- compiled

if INTERPRET:

    def _load_word(cells: Any, at: Any) -> Any:
        return cells[at : at + WORD].view(np.int64)[0]

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def _load_word(_: Any, cells: Any, at: Any) -> Any:
        """Load 8 bytes that begin anywhere."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, args[0])
            place = builder.bitcast(builder.gep(array.data, [args[1]]), ir.IntType(64).as_pointer())
            return builder.load(place, align=1)

        return types.int64(cells, types.intp), generate


@always_inline  # a call would copy all arrays of `p`, for every game
def turn(words: Any, viewer: Any, scratch: Any, copy: Any, cells: Any, turned: Any, p: Any) -> None:
    """Write what the viewer may know of a record into `turned`; `scratch` has `copy` as words and `cells` as bytes."""
    load_hidden(words, viewer, scratch, copy)
    for k in range(len(copy)):
        turned[k] = copy[k]
    for k in range(len(copy), len(turned)):
        turned[k] = 0
    turned[p.own[0]] = np.int64(viewer) << p.own[1]
    for k in range(p.turns[viewer], p.turns[viewer + 1]):
        at = np.uint64(k)
        word = np.uint64(p.targets[at])
        piece = p.pieces[at]
        turned[word] = (turned[word] & ~piece) | (_load_word(cells, p.sources[at]) & piece)


@rule
def turn_many(
    words: Any,
    viewers: Any,
    scratch: Any,
    copy: Any,
    cells: Any,
    turned: Any,
    _pending: Any,
    before: Any,
    _was: Any,
    p: Any,
    _rows: Any,
) -> None:
    """Remember records that differ from the given ones in every bit."""
    for i in range(len(words)):
        turn(words[i], viewers[i], scratch, copy, cells, turned, p)
        for k in range(len(turned)):
            before[i, k] = ~turned[k]


@rule
def update_many(
    words: Any,
    viewers: Any,
    scratch: Any,
    copy: Any,
    cells: Any,
    turned: Any,
    pending: Any,
    before: Any,
    was: Any,
    p: Any,
    rows: Any,
) -> None:
    """Bring the observation of every record up to date."""
    for i in range(len(words)):
        viewer = np.int64(viewers[i])
        turn(words[i], viewer, scratch, copy, cells, turned, p)
        update_row(turned, before[i], viewer, np.int64(was[i]), p, pending, rows[i])
        was[i] = viewer


@rule
def update_packed(
    words: Any,
    viewers: Any,
    scratch: Any,
    copy: Any,
    cells: Any,
    turned: Any,
    pending: Any,
    before: Any,
    was: Any,
    p: Any,
    rows: Any,
    eights: Any,
    out: Any,
) -> None:
    """Do the same as bits: bring `rows` up to date, then gather the bits of changed lines; `eights` has 8 of their numbers."""
    for i in range(len(words)):
        viewer = np.int64(viewers[i])
        turn(words[i], viewer, scratch, copy, cells, turned, p)
        end = update_row(turned, before[i], viewer, np.int64(was[i]), p, pending, rows[i])
        was[i] = viewer
        for j in range(len(turned), end):
            line = p.lines[np.uint64(pending[np.uint64(j)])]
            start, length = np.int64(line.start), np.int64(line.length)
            for k in range(start >> 3, (start + length + 7) >> 3):
                out[i, k] = eights[i, k] * GATHER >> np.uint64(56)


@always_inline
def update_row(turned: Any, before: Any, me: Any, past: Any, p: Any, pending: Any, row: Any) -> Any:
    """Write the lines that differ between two turned records, the earlier one known by seat `past`, and remember the new one.

    The changed words are listed at the beginning of `pending`, the changed lines from `len(turned)` on; return where they end.
    Both lists are made without branches, because a processor would rarely guess them right.
    """
    same = me == past
    masks = p.masks[np.uint64(same)]
    changed = 0
    for j in range(len(p.words)):
        word = np.uint64(p.words[np.uint64(j)])
        pending[np.uint64(changed)] = word
        changed += turned[word] != before[word]
    end = np.int64(len(turned))
    for j in range(changed):
        word = np.uint64(pending[np.uint64(j)])
        difference = np.uint64(turned[word] ^ before[word])
        for byte in range(WORD):
            at = word * np.uint64(WORD) + np.uint64(byte)
            pending[np.uint64(end)] = at
            end += (difference & masks[at]) != 0
    if not same:
        for j in range(len(p.seated)):
            pending[np.uint64(end)] = p.seated[j]
            end += 1
    for j in range(len(turned), end):
        at = np.uint64(pending[np.uint64(j)])
        word = at >> np.uint64(3)
        line = p.lines[at]
        left, right, last = np.int64(line.left), np.int64(line.right), np.int64(line.last)
        start = np.int64(line.start)
        new = (turned[word] << left) >> right
        if line.action == SINGLE:
            old = max(0, min(((before[word] << left) >> right) - line.low, last))
            new = max(0, min(new - line.low, last))
            step = np.int64(line.step)
            row[np.uint64(start + p.offsets[np.uint64(line.table + step * past + old)])] = 0
            entry = np.uint64(line.table + step * me + new)
            row[np.uint64(start + p.offsets[entry])] = p.values[entry]
        elif line.action == ROW:
            length = np.int64(line.length)
            entry = np.uint64(line.table + max(0, min(new - line.low, last)) * length)
            for column in range(length):
                row[np.uint64(start + column)] = p.values[entry + np.uint64(column)]
        elif line.action == MEMBERS:
            for bit in range(line.width):
                row[np.uint64(start + bit)] = p.one[0] if new >> (line.low + bit) & 1 else 0
        else:
            for ahead in range(line.width):
                seat = me + ahead
                seat -= line.width if seat >= line.width else 0
                row[np.uint64(start + ahead)] = p.one[0] if new >> seat & 1 else 0
    for j in range(changed):
        word = np.uint64(pending[np.uint64(j)])
        before[word] = turned[word]
    return end
