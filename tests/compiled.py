"""Compiles what tests use of the games, several games at a time: `python -m tests.compiled`."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import azalai
from azalai import bots
from azalai.cli.prepare import parts
from azalai.engine.compile import mark_of, use_compiled, wait_compiled
from azalai.engine.game import load_game
from azalai.engine.rule import INTERPRET
from azalai.reviews import scout


def compile_games(processes: int) -> bool:
    """Compile the games that are not compiled, each in a process of its own; return whether that went well."""
    games = [] if INTERPRET else [load_game(name) for name in azalai.games()]
    missing = [game.name for game in games if not all(mark_of(game, part).exists() for part in parts(game))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "AZALAI_COMPILE": "wait"}

    def compile_game(name: str) -> int:
        return subprocess.run([sys.executable, "-m", "tests.compiled", name], env=environment, check=False).returncode

    with ThreadPoolExecutor(processes) as pool:
        return not any(list(pool.map(compile_game, missing)))


def compile_played(name: str) -> None:
    """Compile all that tables use of a game."""
    game = load_game(name)
    for part in (*bots.parts(game, bots.LEVELS), *scout.parts(game)):
        use_compiled(game, part)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for part in parts(load_game(name)):
            wait_compiled(load_game(name), part)
    sys.exit(not (sys.argv[1:] or compile_games(os.cpu_count() or 1)))
