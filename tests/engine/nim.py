"""Nim with a blind start, the smallest game the engine can play: for tests of the engine alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.game import Game
from azalai.engine.moves import SEAT, EventTable, MoveTable, kind, names, span
from azalai.engine.rng import below, draw
from azalai.engine.rule import rule
from azalai.engine.schema import ask, emit, field, finish, rank, schema, tell

HEAP = names("heap", "left", "middle", "right")
STONES = span("stones", 1, 7)
SCHEMA = schema(
    [field("heap", np.int8, 3, "stones in each heap"), field("secret", np.int8, 2, "a secret number per seat")], events=4
)
MOVES = MoveTable(kind("take", heap=HEAP, stones=STONES), kind("roll"))
EVENTS = EventTable(kind("took", seat=SEAT, heap=HEAP, stones=STONES), kind("rolled", seat=SEAT), kind("secret", stones=STONES))
TAKE, ROLL = MOVES.base("take"), MOVES.base("roll")
TOOK, ROLLED, SECRET = EVENTS.code("took"), EVENTS.code("rolled"), EVENTS.code("secret")
PLAYING = 0


@rule
def setup(s: Any) -> None:
    for heap in range(3):
        s.heap[heap] = 3 + draw(s, 5)
    for seat in range(2):
        s.secret[seat] = 1 + below(s, 7)
    ask(s, 0, PLAYING)


@rule
def legal(s: Any, out: Any) -> Any:
    n = 0
    for heap in range(3):
        for stones in range(1, s.heap[heap] + 1):
            out[n] = TAKE + heap * 7 + stones - 1
            n += 1
    out[n] = ROLL
    return n + 1


@rule
def play(s: Any, move: Any) -> None:
    if move == ROLL:
        s.secret[s.seat] = 1 + draw(s, 7)
        emit(s, ROLLED, s.seat)
        tell(s, 1 << s.seat, SECRET, s.secret[s.seat])
    else:
        heap, stones = (move - TAKE) // 7, (move - TAKE) % 7 + 1
        s.heap[heap] -= stones
        emit(s, TOOK, s.seat, heap, stones)
    if s.heap[0] + s.heap[1] + s.heap[2] == 0:
        finish(s, 1)
    else:
        ask(s, 1 - s.seat, PLAYING)


@rule
def score(s: Any, out: Any) -> None:
    keys = np.zeros(2, np.int64)
    for seat in range(2):
        keys[seat] = 1 if s.over and s.seat == seat else 0
        out[seat, 0] = keys[seat]
    rank(keys, 2, out)


@rule
def hide(s: Any, seat: Any) -> None:
    for other in range(2):
        if other != seat:
            s.secret[other] = 0


@rule
def determinize(s: Any, seat: Any) -> None:
    for other in range(2):
        if other != seat:
            s.secret[other] = 1 + below(s, 7)


@rule
def evaluate(s: Any, w: Any, out: Any) -> None:
    loser = (s.heap[0] ^ s.heap[1] ^ s.heap[2] == 0) != (s.over > 0)  # whoever took the last stone has won
    out[s.seat] = 0.0 if loser else 1.0
    out[1 - s.seat] = 1.0 if loser else 0.0


NIM = Game(
    name="nim",
    rules=1,
    package=__name__,
    seats=range(2, 3),
    schema=SCHEMA,
    moves=MOVES,
    events=EVENTS,
    phases=("playing",),
    ends=("last stone",),
    invariants=(),
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
