"""Connect Four on our engine: the same game others measure themselves by, for comparisons of like with like."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.game import Game
from azalai.engine.moves import SEAT, EventTable, MoveTable, kind, span
from azalai.engine.observe import bits
from azalai.engine.rule import rule
from azalai.engine.schema import ask, emit, field, finish, schema

COLUMN = span("column", 1, 7)
WON, FULL = 1, 2
SCHEMA = schema(
    [
        field("stones", np.int64, 2, "a bit per stone and seat; column c, row r is bit 7 * c + r, every seventh row stays empty"),
        field("height", np.int8, 7, "stones in each column"),
    ],
    events=2,
)
MOVES = MoveTable(kind("drop", column=COLUMN))
EVENTS = EventTable(kind("dropped", seat=SEAT, column=COLUMN))
DROPPED = EVENTS.code("dropped")


@rule
def setup(s: Any) -> None:
    """An empty board; the first seat begins."""
    ask(s, 0, 0)


@rule
def legal(s: Any, out: Any) -> Any:
    """Every column that is not full."""
    n = 0
    for column in range(7):
        if s.height[column] < 6:
            out[n] = column
            n += 1
    return n


@rule
def play(s: Any, column: Any) -> None:
    """Drop a stone; four in a row win."""
    seat = s.seat
    stones = s.stones[seat] | np.int64(1) << np.int64(7 * column + s.height[column])
    s.stones[seat] = stones
    s.height[column] += 1
    emit(s, DROPPED, seat, column + 1)
    if four(stones, 1) or four(stones, 6) or four(stones, 7) or four(stones, 8):
        finish(s, WON)
    elif s.ply == 41:
        finish(s, FULL)
    else:
        ask(s, 1 - seat, 0)


@rule
def four(stones: Any, step: Any) -> Any:
    """Whether four stones lie `step` bits apart."""
    pairs = stones & stones >> step
    return pairs & pairs >> 2 * step != 0


@rule
def score(s: Any, out: Any) -> None:
    """One point for the winner."""
    for seat in range(2):
        out[seat, 0] = s.over == WON and s.seat == seat
        out[seat, 1] = 2 if s.over == WON and s.seat != seat else 1


@rule
def nothing(s: Any, seat: Any) -> None:
    """There is nothing to hide and nothing to guess."""


@rule
def even(s: Any, w: Any, out: Any) -> None:
    """No opinion."""
    out[0] = out[1] = 0.5


CONNECT_FOUR = Game(
    name="connect_four",
    rules=1,
    package=__name__,
    seats=range(2, 3),
    schema=SCHEMA,
    moves=MOVES,
    events=EVENTS,
    phases=("drop",),
    ends=("four in a row", "full board"),
    invariants=(),
    max_moves=7,
    longest=42,
    functions={
        "setup": setup,
        "legal": legal,
        "play": play,
        "score": score,
        "hide": nothing,
        "determinize": nothing,
        "evaluate": even,
    },
    secrets=False,
    seat_labels=lambda seats: ("blue", "red"),
    features=(bits("stones", 49, seat_axis=0),),
)
