"""The first use on a machine: compile what playing needs, once, and say so."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from azalai.engine import dispatch, flow
from azalai.engine.game import Game, score_buffer
from azalai.engine.rule import duplicate, is_compiled, mark_compiled, numbers, records
from azalai.engine.schema import MAX_SEATS

BAR = 24


def ensure(game: Game) -> Game:
    """The same game, with everything a Position calls compiled. Shows a bar on the terminal while that takes its time."""
    if not is_compiled(game.name):
        with_bar(f"Compiling the rules of {game.name} (once on this machine)", tasks(game))
        mark_compiled(game.name)
    return game


def tasks(game: Game) -> list[Callable[[], Any]]:
    """Calls that make Numba compile each function a Position uses."""
    cells = records(1, game.schema.dtype)
    out = game.move_buffer()
    game.header(cells[0], None, {})
    return [
        lambda: flow.begin(cells[0], 1, 0),
        lambda: dispatch.legal(cells[0], out),
        lambda: flow.is_legal(cells[0], int(out[0]), out),
        lambda: flow.step(duplicate(cells)[0], int(out[0])),
        lambda: dispatch.score(cells[0], score_buffer()),
        lambda: flow.conceal(duplicate(cells)[0], 0),
        lambda: flow.imagine(duplicate(cells)[0], 0, 1),
        lambda: dispatch.evaluate(cells[0], numbers(MAX_SEATS, float)),
    ]


def with_bar(title: str, work: list[Callable[[], Any]]) -> None:
    """Do all the work, with one line on the terminal that fills up; nothing is shown where nobody looks."""
    shown = sys.stderr.isatty()
    for done, task in enumerate(work):
        if shown:
            filled = BAR * done // len(work)
            print(f"\r{title} [{'█' * filled}{'·' * (BAR - filled)}]", end="", file=sys.stderr, flush=True)
        task()
    if shown:
        print(f"\r{' ' * (len(title) + BAR + 3)}\r", end="", file=sys.stderr, flush=True)
