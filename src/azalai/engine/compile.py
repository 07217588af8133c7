"""Compiling a game: what is compiled together, how it is begun, and when rules change over to it.

A *part* of a game is what one module calls from Python: the rules of a position, the search, a batch. Its name is the module's,
and the module's `compile_tasks(game)` calls everything once. A mark in the folder of compiled code says that a part is compiled
on this machine, and names the rules that Python calls there. Until then these rules run as ordinary Python, while a process in
the background compiles them (`background.py`). With `AZALAI_COMPILE=wait` each part is compiled here before it is used.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from azalai.engine import discovery
from azalai.engine.components import MARK
from azalai.engine.game import Game
from azalai.engine.rule import (
    INTERPRET,
    WAIT,
    always_compiled,
    cache_folder,
    compiled_calls,
    interpret,
    stays_interpreted,
    switch,
)

BAR = 24

Task = Callable[[], Any]
Report = Callable[[int, int], None]  # called with the tasks done and the tasks of a part

_begun: set[tuple[Game, str]] = set()  # parts whose compiling was begun or asked for
_ready: set[tuple[Game, str]] = set()  # parts that run compiled
_lock = threading.RLock()


def use_compiled(game: Game, part: str) -> None:
    """Let a part of a game run compiled as soon as that is possible: at once, or when the background has compiled it."""
    if INTERPRET or (game, part) in _begun or stays_interpreted(game.schema.dtype):
        return
    with _lock:
        if (game, part) in _begun:
            return
        _begun.add((game, part))
        if mark_of(game, part).exists():
            switch_over(game, part)
        elif WAIT:
            compile_here(game, part)
        elif is_installed(game):
            background().request(game, part)


def wait_compiled(game: Game, part: str, report: Report | None = None) -> None:
    """Return when a part of a game runs compiled: for long work.

    `report` is called with the tasks done and the tasks there are; without it, one line on a terminal shows them.
    """
    use_compiled(game, part)
    if not is_ready(game, part) and is_installed(game):
        background().wait(game, part, report)
    if not is_ready(game, part):
        compile_here(game, part, report)


def compile_later(game: Game, parts: Sequence[str]) -> None:
    """Let parts of a game be compiled, or only loaded, in the background: for servers, whose callers never wait."""
    if WAIT:
        for part in parts:
            use_compiled(game, part)
    elif not INTERPRET and is_installed(game):
        _begun.update((game, part) for part in parts)
        background().request(game, *parts)


def never_compile(game: Game) -> None:
    """Let a game run as ordinary Python for good: for variants on a server, which strangers bring along by the dozen."""
    interpret(game.schema.dtype, game.schema.without_events)


def compile_next(game: Game) -> None:
    """Let the background compile this game before others, because somebody plays it."""
    if not INTERPRET and not WAIT:
        background().prefer(game)


def finish_compiling(game: Game, part: str) -> None:
    """Return when the background has done with a part of a game."""
    if not INTERPRET and not WAIT:
        background().wait(game, part, report=lambda done, total: None)


def is_ready(game: Game, part: str) -> bool:
    """Return whether a part of a game runs compiled, or nothing is compiled at all."""
    if stays_interpreted(game.schema.dtype):
        return False
    return INTERPRET or always_compiled() or (game, part) in _ready


def is_installed(game: Game) -> bool:
    """Return whether another process can load the game: not one that was made in a notebook or in a test."""
    found = discovery.installed().get(game.name)
    return found is not None and found.package == game.package.partition(MARK)[0]


def mark_of(game: Game, part: str) -> Path:
    """Return the file that says that a part is compiled. It holds the names of the rules that Python calls."""
    return cache_folder() / f"{'-'.join(filter(None, (game.name, game.variant, part)))}.ready"


def switch_over(game: Game, part: str) -> None:
    """Let the rules of a part that is compiled run so from now on."""
    switch(mark_of(game, part).read_text(encoding="utf-8").split(), (game.schema.without_events, game.schema.dtype))
    _ready.add((game, part))


def compile_here(game: Game, part: str, report: Report | None = None) -> None:
    """Compile a part in this process and change over. `report` is called with the tasks done and the tasks there are."""
    tasks = tasks_of(game, part)
    with compiled_calls() as names:
        if report is None:
            show_progress(f"Compiling {game.name}: {title(part)} (once on this machine)", tasks)
        else:
            for done, task in enumerate(tasks):
                report(done, len(tasks))
                task()
    mark = mark_of(game, part)
    unfinished = mark.with_suffix(f".{os.getpid()}")  # the mark is never half-written, and other users may read it
    unfinished.write_text("\n".join(sorted(names)), encoding="utf-8")
    unfinished.replace(mark)
    switch_over(game, part)
    if report is not None:
        report(len(tasks), len(tasks))


def load_here(game: Game, part: str) -> None:
    """Load a part that is compiled, so that no caller waits for that, and change over."""
    with compiled_calls():
        for task in tasks_of(game, part):
            task()
    switch_over(game, part)


def tasks_of(game: Game, part: str) -> Sequence[Task]:
    """Return what calls every rule of a part."""
    tasks: Sequence[Task] = importlib.import_module(part).compile_tasks(game)
    return tasks


def title(part: str) -> str:
    """Return what a part is called where people read it."""
    return part.rpartition(".")[2]


@functools.cache
def background() -> Any:
    """The process in the background."""
    from azalai.engine.background import Background

    return Background()


def show_progress(title: str, tasks: Sequence[Task]) -> None:
    """Run `tasks` one after another, with a bar on a terminal."""
    for done, task in enumerate(tasks):
        show_bar(title, done, len(tasks))
        task()
    clear_bar(title)


def show_bar(title: str, done: int, total: int) -> None:
    """Show a bar on a terminal, in the place of the one before."""
    if sys.stderr.isatty():
        filled = BAR * done // total
        print(f"\r{title} [{'█' * filled}{'·' * (BAR - filled)}]", end="", file=sys.stderr, flush=True)


def clear_bar(title: str) -> None:
    """Remove a bar."""
    if sys.stderr.isatty():
        print(f"\r{' ' * (len(title) + BAR + 3)}\r", end="", file=sys.stderr, flush=True)
