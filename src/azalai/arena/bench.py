"""How fast a game is: random decisions and copies of a state, in one thread."""

from __future__ import annotations

import time

import azalai
from azalai.engine import flow
from azalai.engine.compile import compile_once
from azalai.engine.rule import records


def random_decisions(game_name: str, seats: int, seconds: float) -> tuple[int, float]:
    """Play random games for about so long; return the decisions and the seconds they took, without compiling."""
    game = azalai.game(game_name)
    start, work = records(1, game.schema.dtype), records(1, game.schema.dtype)
    game.header(start[0], seats, {})
    flow.begin(start[0], 1, 0)
    out = game.move_buffer()
    compile_once(game, "random play", [lambda: flow.play_many(work, start, 1, 0, out)])
    flow.play_many(work, start, 1, 0, out)
    decisions, games, began = 0, 16, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        decisions += flow.play_many(work, start, games, decisions, out)
        games = min(games * 2, 4096)
    return decisions, elapsed


def state_copy_nanoseconds(game_name: str) -> float:
    """Return what copying one state costs in compiled code."""
    game = azalai.game(game_name)
    start, work = records(1, game.schema.dtype), records(64, game.schema.dtype)
    flow.copy_many(work, start, 1)
    began = time.perf_counter()
    flow.copy_many(work, start, 1_000_000)
    return (time.perf_counter() - began) * 1e3
