"""The first use on a machine: compile what is needed, once, and say so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from azalai.engine import dispatch, flow
from azalai.engine.game import Game, score_buffer
from azalai.engine.rule import duplicate, is_compiled, mark_compiled, numbers, records
from azalai.engine.schema import MAX_SEATS

BAR = 24

Task = Callable[[], Any]


def ensure(game: Game) -> Game:
    """The same game, with everything a Position calls compiled."""
    cells = records(1, game.schema.dtype)
    out = game.move_buffer()

    def first_move() -> None:
        game.header(cells[0], None, {})
        flow.begin(cells[0], 1, 0)

    compile_once(
        game,
        "rules",
        [
            first_move,
            lambda: flow.legal_first(cells, out),
            lambda: flow.decide_first(duplicate(cells), int(out[0]), out),
            lambda: flow.step(duplicate(cells)[0], int(out[0])),
            lambda: flow.score_first(cells, score_buffer()),
            lambda: flow.conceal_first(duplicate(cells), 0),
            lambda: flow.imagine(duplicate(cells)[0], 0, 1),
            lambda: dispatch.evaluate(cells[0], game.weights[0], numbers(MAX_SEATS, float)),
        ],
    )
    return game


def compile_once(game: Game, part: str, tasks: Sequence[Task]) -> None:
    """Run `tasks`, each of which makes Numba compile something, unless that was done on this machine before.

    On a terminal one line with a bar says what is going on.
    """
    key = "-".join(filter(None, (game.name, game.variant, part)))
    if is_compiled(key):
        return
    show_progress(f"Compiling {game.name}: {part} (once on this machine)", tasks)
    mark_compiled(key)


def show_progress(title: str, tasks: Sequence[Task]) -> None:
    """Run `tasks` one after another, with a bar on a terminal."""
    shown = sys.stderr.isatty()
    for done, task in enumerate(tasks):
        if shown:
            filled = BAR * done // len(tasks)
            print(f"\r{title} [{'█' * filled}{'·' * (BAR - filled)}]", end="", file=sys.stderr, flush=True)
        task()
    if shown:
        print(f"\r{' ' * (len(title) + BAR + 3)}\r", end="", file=sys.stderr, flush=True)
