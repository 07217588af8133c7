"""How fast a game is: random decisions and copies of a state in one thread, and random decisions on a GPU."""

from __future__ import annotations

import time
from collections.abc import Sequence

import azalai
from azalai.engine import flow
from azalai.engine.compile import Task, wait_compiled
from azalai.engine.game import Game
from azalai.engine.rule import records

GAMES_ON_GPU, AT_ONCE = 65_536, 100  # games of a batch on a GPU; decisions in each before the next look at the clock


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls the rules that are measured."""
    start, work, out = records(1, game.schema.dtype), records(1, game.schema.dtype), game.move_buffer()
    game.header(start[0], None, {})
    flow.begin(start[0], 1, 0)
    return [lambda: flow.play_many(work, start, 1, 0, out), lambda: flow.copy_many(work, start, 1)]


def random_decisions(game_name: str, seats: int, seconds: float) -> tuple[int, float]:
    """Play random games for about so long; return the decisions and the seconds they took, without compiling."""
    game = azalai.game(game_name)
    start, work = records(1, game.schema.dtype), records(1, game.schema.dtype)
    game.header(start[0], seats, {})
    flow.begin(start[0], 1, 0)
    out = game.move_buffer()
    wait_compiled(game, __name__)
    flow.play_many(work, start, 1, 0, out)
    decisions, games, began = 0, 16, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        decisions += flow.play_many(work, start, games, decisions, out)
        games = min(games * 2, 4096)
    return decisions, elapsed


def random_decisions_on(device: str, game_name: str, seats: int, seconds: float) -> tuple[int, float]:
    """The same for a batch on a GPU, in which new games are dealt wherever one ends."""
    batch = azalai.game(game_name).batch(GAMES_ON_GPU, seats, seed=1, device=device, events=False)
    batch.rollout(2 * AT_ONCE)  # so that games have come to different points
    batch.device.synchronize()
    decisions, began = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        batch.rollout(AT_ONCE)
        batch.device.synchronize()
        decisions += AT_ONCE * len(batch)
    return decisions, elapsed


def state_copy_nanoseconds(game_name: str) -> float:
    """Return what copying one state costs in compiled code."""
    game = azalai.game(game_name)
    wait_compiled(game, __name__)
    start, work = records(1, game.schema.dtype), records(64, game.schema.dtype)
    flow.copy_many(work, start, 1)
    began = time.perf_counter()
    flow.copy_many(work, start, 1_000_000)
    return (time.perf_counter() - began) * 1e3
