"""Compiling in the background: one process at low priority, for one game after another.

A thread of this process keeps the list of what is wanted and starts the other process, `python -m azalai.engine.background`, for
all wanted parts of a game. Whenever one is compiled, the thread loads it and lets its rules change over. When this process ends,
the other one does too; what it has compiled by then is kept on the disk.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from azalai.engine import compile
from azalai.engine.game import Game, load_game
from azalai.engine.rule import cache_folder

log = logging.getLogger("azalai.compile")

NICE = 19  # the lowest priority
INTERVAL = 0.2  # seconds between two looks at the progress

Part = tuple[Game, str]


class Background:
    """What is wanted, and the process that compiles it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._wanted: list[Part] = []
        self._progress: dict[Part, tuple[int, int]] = {}
        self._process: subprocess.Popen[str] | None = None
        self._at_work: Game | None = None  # the game that the process compiles
        self._running = False  # whether there is a thread

    def request(self, game: Game, *parts: str) -> None:
        """Compile parts of a game when it is its turn."""
        with self._changed:
            self._wanted += [(game, part) for part in parts if (game, part) not in self._wanted]
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, name="compile", daemon=True).start()

    def prefer(self, game: Game) -> None:
        """Compile a game next, because somebody plays it; leave off another one for that."""
        with self._changed:
            own = [one for one in self._wanted if one[0] is game]
            self._wanted = own + [one for one in self._wanted if one[0] is not game]
            if own and self._process is not None and self._at_work is not game:
                self._process.terminate()

    def wait(self, game: Game, part: str, report: compile.Report | None = None) -> None:
        """Return when a part is compiled, or cannot be."""
        title = f"Compiling {game.name}: {compile.title(part)} (once on this machine)"
        show = report or (lambda done, total: compile.show_bar(title, done, total))
        with self._changed:
            while (game, part) in self._wanted:
                show(*self._progress.get((game, part), (0, 1)))
                self._changed.wait(INTERVAL)
        if report is None:
            compile.clear_bar(title)

    def _work(self) -> None:
        while True:
            with self._changed:
                if not self._wanted:
                    self._running = False
                    return
                game = self._wanted[0][0]
                parts = [part for one, part in self._wanted if one is game]
            missing = [part for part in parts if not compile.mark_of(game, part).exists()]
            stopped = False
            try:
                stopped = bool(missing) and self._compile(game, missing)
            except Exception:
                log.exception("a game cannot be compiled and stays interpreted", extra={"game": game.name})
            for part in parts:
                self._finish(game, part, keep=stopped)

    def _compile(self, game: Game, parts: list[str]) -> bool:
        """Compile parts in a process; return whether it was stopped on the way for another game."""
        command = [sys.executable, "-m", __name__, game.name, json.dumps(game.changes), *parts]
        environment = {**os.environ, "AZALAI_COMPILE": "wait", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
            start_new_session=True,  # Ctrl+C is for this process
        ) as process:  # fmt: skip
            with self._changed:
                self._process, self._at_work = process, game
            assert process.stdout is not None
            for line in process.stdout:
                part, *numbers = line.split() or [""]
                if part in parts:
                    with self._changed:
                        self._progress[game, part] = int(numbers[0]), int(numbers[1])
                    if numbers[0] == numbers[1]:
                        self._finish(game, part, keep=False)
        with self._changed:
            self._process = self._at_work = None
            stopped = self._wanted[:1] != [] and self._wanted[0][0] is not game
        if process.returncode and not stopped:
            log.warning("a game cannot be compiled and stays interpreted", extra={"game": game.name, "code": process.returncode})
        return stopped

    def _finish(self, game: Game, part: str, keep: bool) -> None:
        """Let a part change over if it is compiled; else give it up, or `keep` it on the list."""
        if (game, part) not in self._wanted:
            return
        compiled = compile.mark_of(game, part).exists()
        if compiled:
            try:
                compile.load_here(game, part)
            except Exception:
                log.exception("what was compiled cannot be loaded", extra={"game": game.name, "part": part})
        if compiled or not keep:
            with self._changed:
                self._wanted.remove((game, part))
                self._changed.notify_all()


def main(name: str, changes: str, *parts: str) -> None:
    """Compile parts of a game; write a line for each step: the part, the tasks done and the tasks there are."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    game = load_game(name, json.loads(changes) or None)
    with _alone():
        for part in parts:
            if not compile.mark_of(game, part).exists():
                compile.compile_here(game, part, partial(_report, part))


def _report(part: str, done: int, total: int) -> None:
    print(part, done, total, flush=True)


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process compiles, where the system can tell: it may have compiled the same then."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:  # on Windows
        yield
        return
    with (cache_folder() / "lock").open("w") as file:
        flock(file, LOCK_EX)
        yield


def _end_with_parent() -> None:
    sys.stdin.read()  # nothing is ever written: this returns when the other end is closed
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
