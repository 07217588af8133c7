"""Observations that follow their records: in rows that are kept, only numbers of cells that have changed are written.

For every game and seat a row is kept, and what the seat knew when it was written. The next time words of 8 bytes are compared
with that, so a change is found whatever made it. Between two decisions of a seat about ten of some hundred cells change.
"""

from __future__ import annotations

import functools
import itertools
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from azalai.engine.encode import (
    ACTIONS,
    CONCLUDED,
    HOT,
    SCALED,
    SET,
    SIZES,
    VIEWS,
    Program,
    Workspace,
    hide_and_conclude,
    program,
)
from azalai.engine.observe import Array, Layout
from azalai.engine.rule import rule
from azalai.engine.schema import always_inline

WORD_BITS = 64  # a line has at most so many numbers: as bits they fit into a word


class Updates(NamedTuple):
    """What is to be written when a cell changes; one line for each cell, with at most `WORD_BITS` numbers."""

    watched: Array  # the words that have cells
    firsts: Array  # [own seat, watched word]: its first line; the last column is the end of all
    masks: Array  # [line]: the bits of its cell in the word
    lines: Array  # [line, column], see below
    table: Array  # the numbers for each value, one after another; as bits, one word for each value
    blank: Array  # [own seat, number]: the row of a memory of zeros; as bits, in words and with one more


# The columns of a line: which watched word has the cell, where its lowest bit lies there, which bits are its own, and its sign;
# the lowest value and the sign, both to be subtracted; how many more values there are; where in the table the lowest one begins;
# where in the row its numbers are written, and how many these are.
WORD, SHIFT, MASK, SIGN, LOW, LAST, TABLE, START, LENGTH = range(9)


class Cell(NamedTuple):
    """A cell of a program, with at most `WORD_BITS` of the numbers that are written for it."""

    me: int  # the own seat
    word: int  # of a thread's memory
    shift: int
    mask: int
    sign: int
    low: int  # the lowest value
    numbers: tuple[int, int, int, int]  # what `_numbers` is asked for,
    skip: int  # and which of these come first
    start: int  # where they are written


@functools.cache
def updates(layout: Layout, kind: str, seats: int) -> Updates:
    """The lines of an encoding program by the words of a thread's memory, for tables with so many seats."""
    source, packed = program(layout, kind, runs=False), kind == "bits"
    cells = sorted(_cells(layout, source, seats))
    watched = sorted({cell.word for cell in cells})
    place = {word: index for index, word in enumerate(watched)}
    blank: Array = np.zeros((seats, layout.size), source.rows.dtype)
    tables: list[Array] = []
    begins: dict[tuple[Any, int], int] = {}
    lines, size = [], 0
    for cell in cells:
        numbers = _numbers(source, *cell.numbers)[:, cell.skip : cell.skip + WORD_BITS]
        last, length = len(numbers) - 1, numbers.shape[1]
        begin = begins.setdefault((cell.numbers, cell.skip), size)
        if begin == size:
            tables.append(_as_words(numbers) if packed else numbers.ravel())
            size += tables[-1].size
        blank[cell.me, cell.start : cell.start + length] = numbers[max(0, min(-cell.low, last))]
        low = cell.low + cell.sign
        lines.append((place[cell.word], cell.shift, cell.mask, cell.sign, low, last, begin, cell.start, length))
    keys = [(cell.me, cell.word) for cell in cells]
    firsts = [[bisect_left(keys, (me, word)) for word in (*watched, watched[-1] + 1)] for me in range(seats)]
    if packed:
        blank = np.pad(blank, ((0, 0), (0, 2 * WORD_BITS - layout.size % WORD_BITS)))
        blank = np.packbits(blank, axis=1, bitorder="little").view(np.uint64)
    masks = [(cell.mask << cell.shift) % (1 << WORD_BITS) for cell in cells]
    return Updates(
        np.array(watched, np.int32),
        np.array(firsts, np.int32),
        np.array(masks, np.uint64).view(np.int64),
        np.array(lines),
        np.concatenate(tables),
        blank,
    )


def _cells(layout: Layout, source: Program, seats: int) -> Iterator[Cell]:
    """Every cell that the lines of a program write. The bits of sets are cells of their own, those of a byte together."""
    record = layout.game.schema.without_events.itemsize
    for me, index in itertools.product(range(seats), range(ACTIONS * VIEWS)):
        action, view = divmod(index, VIEWS)
        size = 2 if view == CONCLUDED else SIZES[view]
        first, end = source.bounds[seats, me, index : index + 2]
        for place, start, low, width, base, length, *_ in source.lines[:, first:end].T.tolist():
            byte = place * size + (record if view == CONCLUDED else 0)
            if action == SET:
                for begin in range(low // 8 * 8, low + width, 8):
                    bit = max(begin, low)
                    count = min(begin + 8, low + width) - bit
                    word, shift = divmod(8 * byte + bit, WORD_BITS)
                    yield Cell(me, word, shift, (1 << count) - 1, 0, 0, (SET, count, 0, count), 0, start + bit - low)
            else:
                word, shift = divmod(8 * byte, WORD_BITS)
                bits = 8 * size
                mask, sign = ((1 << bits) - 1, 1 << bits - 1) if bits < WORD_BITS else (-1, 0)
                count = {HOT: width, SCALED: 1}.get(action, length)
                for skip in range(0, count, WORD_BITS):
                    numbers = (action, width, base, count)
                    yield Cell(me, word, shift, mask, sign, low - (action == HOT), numbers, skip, start + skip)


def _numbers(source: Program, action: int, width: int, base: int, length: int) -> Array:
    """What a program writes for each value: [value, number]."""
    if action == HOT:  # with a value more on either side, for which nothing is written
        return np.eye(width + 2, dtype=source.rows.dtype)[:, 1:-1] * source.one
    if action == SET:
        return (np.arange(1 << width)[:, None] >> np.arange(width) & 1).astype(source.rows.dtype) * source.one
    numbers: Array = source.rows[base : base + width * length].reshape(width, length)
    return numbers


def _as_words(numbers: Array) -> Array:
    """Each row of zeros and ones as the bits of a word, the first the lowest."""
    words: Array = (numbers.astype(np.uint64) << np.arange(numbers.shape[1], dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    return words


# ---------------------------------------------------------------- compiled


@rule
def follow_many(words: Any, viewers: Any, m: Workspace, updates: Updates, known: Any, rows: Any, shown: Any, out: Any) -> None:
    """Write the observation of every record, as its viewer sees it, into a row of `out`.

    `rows[game, seat]` are the rows that are kept, `shown` the same memory as `out` has it, `known[game, seat]` the watched words.
    """
    lines, table = updates.lines, updates.table
    for i in range(len(words)):
        me = viewers[i]
        row, seen = rows[i, me], known[i, me]
        count = list_changes(words[i], me, m, updates, seen)
        for n in range(count):
            k = np.uint64(m.changed[np.uint64(n)])
            start, length = lines[k, START], lines[k, LENGTH]
            base = lines[k, TABLE] + value_of(seen[np.uint64(lines[k, WORD])], lines, k) * length
            for column in range(length):
                row[np.uint64(start + column)] = table[np.uint64(base + column)]
        show(shown[i, me], out[i])


@rule
def follow_packed(words: Any, viewers: Any, m: Workspace, updates: Updates, known: Any, rows: Any, shown: Any, out: Any) -> None:
    """Do the same with rows of bits, which are kept in words: bits that differ between the old value and the new are turned."""
    lines, table = updates.lines, updates.table
    for i in range(len(words)):
        me = viewers[i]
        row, seen = rows[i, me], known[i, me]
        count = list_changes(words[i], me, m, updates, seen)
        for n in range(count):
            k = np.uint64(m.changed[np.uint64(n)])
            word, base = np.uint64(lines[k, WORD]), lines[k, TABLE]
            old, new = value_of(m.before[word], lines, k), value_of(seen[word], lines, k)
            turned = table[np.uint64(base + old)] ^ table[np.uint64(base + new)]
            at, by = np.uint64(lines[k, START] >> 6), np.uint64(lines[k, START] & 63)
            row[at] ^= turned << by
            row[at + np.uint64(1)] ^= turned >> np.uint64(1) >> (np.uint64(63) - by)
        show(shown[i, me], out[i])


@rule
def list_changes(words: Any, me: Any, m: Workspace, updates: Updates, seen: Any) -> Any:
    """Bring what a seat knows up to date. List lines that changed in `m.changed`, with old words in `m.before`; return how many.

    Loops that always take the same way are faster here than branches, which the processor cannot foresee.
    """
    hide_and_conclude(words, me, m)
    watched, firsts, masks = updates.watched, updates.firsts[me], updates.masks
    found = 0
    for n in range(len(watched)):
        place = np.uint64(n)
        new = m.words[np.uint64(watched[place])]
        m.before[place] = seen[place]
        m.places[np.uint64(found)] = n
        found += new != seen[place]
        seen[place] = new
    count = 0
    for n in range(found):
        place = np.uint64(m.places[np.uint64(n)])
        difference = m.before[place] ^ seen[place]
        for k in range(firsts[place], firsts[place + np.uint64(1)]):
            m.changed[np.uint64(count)] = k
            count += (difference & masks[np.uint64(k)]) != 0
    return count


@always_inline
def value_of(word: Any, lines: Any, k: Any) -> Any:
    """The value of a line's cell, counted from the lowest, and none beyond the last."""
    value = (word >> lines[k, SHIFT] & lines[k, MASK] ^ lines[k, SIGN]) - lines[k, LOW]
    return max(0, min(value, lines[k, LAST]))


@always_inline
def show(row: Any, out: Any) -> None:
    """Copy as much of a row as `out` has room for."""
    for k in range(len(out)):
        out[k] = row[k]
