"""`azalai prepare`: compile games for this machine, so that nothing is left to do later."""

from __future__ import annotations

import argparse
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

import azalai
from azalai import bots
from azalai.cli.texts import Texts
from azalai.engine.compile import compile_later, title, wait_compiled
from azalai.engine.game import Game, load_game
from azalai.reviews import scout

RESEARCH = ("azalai.arena.series", "azalai.engine.batch", "azalai.engine.observer", "azalai.envs.tables")


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Compile all parts of the games, one game after another, with a progress bar."""
    games = [load_game(name) for name in args.games or azalai.games()]
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(),
        console=Console(stderr=True), disable=not Console(stderr=True).is_terminal,
    )  # fmt: skip
    with bar:
        for game in games:
            wanted = parts(game)
            compile_later(game, wanted)
            task = bar.add_task(game.name, total=len(wanted))
            for number, part in enumerate(wanted):
                bar.update(task, description=f"{game.name}: {title(part)}")
                wait_compiled(game, part, partial(_advance, bar, task, number))
            bar.update(task, description=game.name, completed=len(wanted))
    print(texts("prepare.done", games=", ".join(game.name for game in games)))
    return 0


def parts(game: Game) -> tuple[str, ...]:
    """Return what can be compiled of a game: what its levels, reviews, simulations and environments use."""
    research = [part for part in RESEARCH if game.features or part != "azalai.engine.observer"]
    return tuple(dict.fromkeys([*bots.parts(game, bots.LEVELS), *scout.parts(game), *research]))


def _advance(bar: Progress, task: TaskID, parts: int, done: int, total: int) -> None:
    bar.update(task, completed=parts + done / total)
