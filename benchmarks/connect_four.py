"""Connect Four on our engine: the same game others measure themselves by, for comparisons of like with like."""

from __future__ import annotations

from enum import auto
from typing import Any

import numpy as np

from azalai.engine.game import Game
from azalai.engine.moves import SEAT, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, span
from azalai.engine.observe import bits
from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Floats, Grid, Header, ask, emit, field, finish, schema

COLUMN = span("column", 1, 7)


class State(Header):
    """The record of a game."""

    stones: Cells = field(
        np.int64, "a bit per stone and seat: bit 7 * c + r is column c, row r; every seventh row stays empty", 2
    )
    height: Cells = field(np.int8, "stones in each column", 7)


class Phases(PhaseEnum):
    """What is asked."""

    DROP = auto()


class Ends(EndEnum):
    """How a game ends."""

    FOUR_IN_A_ROW = auto()
    FULL_BOARD = auto()


class Moves(MoveEnum):
    """What may be decided."""

    DROP = kind(column=COLUMN)


class Events(EventEnum):
    """What happens."""

    DROPPED = kind(seat=SEAT, column=COLUMN)


@rule
def setup(s: State) -> None:
    """An empty board; the first seat begins."""
    ask(s, 0, Phases.DROP)


@rule
def legal(s: State, out: Cells) -> int:
    """Every column that is not full."""
    n = 0
    for column in range(7):
        if s.height[column] < 6:
            out[n] = column
            n += 1
    return n


@rule
def play(s: State, column: int) -> None:
    """Drop a stone; four in a row win."""
    seat = s.seat
    stones = s.stones[seat] | 1 << 7 * column + s.height[column]
    s.stones[seat] = stones
    s.height[column] += 1
    emit(s, Events.DROPPED, seat, column + 1)
    if four(stones, 1) or four(stones, 6) or four(stones, 7) or four(stones, 8):
        finish(s, Ends.FOUR_IN_A_ROW)
    elif s.ply == 41:
        finish(s, Ends.FULL_BOARD)
    else:
        ask(s, 1 - seat, Phases.DROP)


@rule
def four(stones: int, step: int) -> bool:
    """Whether four stones lie `step` bits apart."""
    pairs = stones & stones >> step
    return pairs & pairs >> 2 * step != 0


@rule
def score(s: State, out: Grid) -> None:
    """One point for the winner."""
    for seat in range(2):
        out[seat, 0] = s.over == Ends.FOUR_IN_A_ROW and s.seat == seat
        out[seat, 1] = 2 if s.over == Ends.FOUR_IN_A_ROW and s.seat != seat else 1


@rule
def nothing(s: State, seat: int) -> None:
    """There is nothing to hide and nothing to guess."""


@rule
def even(s: State, w: Any, out: Floats) -> None:
    """No opinion."""
    out[0] = out[1] = 0.5


CONNECT_FOUR = Game(
    name="connect_four",
    rules=1,
    package=__name__,
    seats=range(2, 3),
    schema=schema(State, events=2),
    moves=Moves.table(),
    events=Events.table(),
    phases=Phases.names(),
    ends=Ends.names(),
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
