"""Nim with a blind start, the smallest game the engine can play: for tests of the engine alone."""

from __future__ import annotations

from enum import auto
from typing import Any

import numpy as np

from azalai.engine.game import Game
from azalai.engine.moves import SEAT, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, names, span
from azalai.engine.rng import below, draw
from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Floats, Grid, Header, ask, emit, field, finish, rank, schema, tell

HEAP = names("heap", "left", "middle", "right")
STONES = span("stones", 1, 7)


class State(Header):
    heap: Cells = field(np.int8, "stones in each heap", 3)
    secret: Cells = field(np.int8, "a secret number per seat", 2)


class Phases(PhaseEnum):
    PLAYING = auto()


class Ends(EndEnum):
    LAST_STONE = auto()


class Moves(MoveEnum):
    TAKE = kind(heap=HEAP, stones=STONES)
    ROLL = kind()


class Events(EventEnum):
    TOOK = kind(seat=SEAT, heap=HEAP, stones=STONES)
    ROLLED = kind(seat=SEAT)
    SECRET = kind(stones=STONES)


@rule
def setup(s: State) -> None:
    for heap in range(3):
        s.heap[heap] = 3 + draw(s, 5)
    for seat in range(2):
        s.secret[seat] = 1 + below(s, 7)
    ask(s, 0, Phases.PLAYING)


@rule
def legal(s: State, out: Cells) -> int:
    n = 0
    for heap in range(3):
        for stones in range(1, s.heap[heap] + 1):
            out[n] = Moves.TAKE + heap * 7 + stones - 1
            n += 1
    out[n] = Moves.ROLL
    return n + 1


@rule
def play(s: State, move: int) -> None:
    if move == Moves.ROLL:
        s.secret[s.seat] = 1 + draw(s, 7)
        emit(s, Events.ROLLED, s.seat)
        tell(s, 1 << s.seat, Events.SECRET, s.secret[s.seat])
    else:
        heap, stones = (move - Moves.TAKE) // 7, (move - Moves.TAKE) % 7 + 1
        s.heap[heap] -= stones
        emit(s, Events.TOOK, s.seat, heap, stones)
    if s.heap[0] + s.heap[1] + s.heap[2] == 0:
        finish(s, Ends.LAST_STONE)
    else:
        ask(s, 1 - s.seat, Phases.PLAYING)


@rule
def score(s: State, out: Grid) -> None:
    for seat in range(2):
        out[seat, 0] = out[seat, 2] = 1 if s.over and s.seat == seat else 0
    rank(s, out)


@rule
def hide(s: State, seat: int) -> None:
    for other in range(2):
        if other != seat:
            s.secret[other] = 0


@rule
def determinize(s: State, seat: int) -> None:
    for other in range(2):
        if other != seat:
            s.secret[other] = 1 + below(s, 7)


@rule
def evaluate(s: State, w: Any, out: Floats) -> None:
    loser = (s.heap[0] ^ s.heap[1] ^ s.heap[2] == 0) != (s.over > 0)  # whoever took the last stone has won
    out[s.seat] = 0.0 if loser else 1.0
    out[1 - s.seat] = 1.0 if loser else 0.0


NIM = Game(
    name="nim",
    rules=1,
    package=__name__,
    seats=range(2, 3),
    schema=schema(State, events=4),
    moves=Moves.table(),
    events=Events.table(),
    phases=Phases.names(),
    ends=Ends.names(),
    max_moves=22,
    longest=10000,
    functions={
        "setup": setup,
        "legal": legal,
        "play": play,
        "score": score,
        "hide": hide,
        "determinize": determinize,
        "evaluate": evaluate,
    },
    seat_labels=lambda seats: ("blue", "red"),
)
