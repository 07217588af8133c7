"""Tests run compiled rules. Before they run in several processes, what they all need is compiled once, not by each of them."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from azalai.engine.game import Game

os.environ.setdefault("AZALAI_COMPILE", "wait")  # before any rule is imported; child processes do the same

# Files that take long, longest first, then folders.
LONG = (
    "tests/engine/test_allocation.py",
    "tests/server/test_processes.py",
    "tests/server/test_tournaments.py",
    "tests/server/test_reviews.py",
    "tests/browser/",
    "tests/test_third_language.py",
    "tests/server/",
    "tests/tools/",
    "tests/arena/",
    "tests/envs/",
    "tests/harness/",
    "tests/engine/",
    "tests/examples/",
)
COMPILE = """
import sys
from azalai.engine.compile import use_compiled
from azalai.engine.game import load_game
from tests.conftest import parts_of

game = load_game(sys.argv[1])
for part in parts_of(game):
    use_compiled(game, part)
"""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that at the end no process waits for another; leave out what takes minutes."""
    items.sort(key=lambda item: next((place for place, folder in enumerate(LONG) if folder in item.nodeid), len(LONG)))
    if not config.option.markexpr:
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if item not in slow]
        config.hook.pytest_deselected(items=slow)


def parts_of(game: Game) -> tuple[str, ...]:
    """What tests use of every game."""
    from azalai.cli.prepare import PARTS
    from azalai.reviews.scout import parts

    return (*PARTS, *parts(game))


def pytest_configure(config: pytest.Config) -> None:
    """Compile the games that are not compiled, as many at a time as there are processes."""
    processes = getattr(config.option, "numprocesses", None)
    if not processes or hasattr(config, "workerinput"):
        return
    import azalai
    from azalai.engine.compile import mark_of
    from azalai.engine.game import load_game
    from azalai.engine.rule import INTERPRET

    games = [] if INTERPRET else [load_game(name) for name in azalai.games()]
    missing = [game.name for game in games if not all(mark_of(game, part).exists() for part in parts_of(game))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def compile_game(name: str) -> int:
        return subprocess.run([sys.executable, "-c", COMPILE, name], env=environment, check=False).returncode

    with ThreadPoolExecutor(int(processes)) as pool:
        failed = any(pool.map(compile_game, missing))
    if failed:
        pytest.exit("the games do not compile", returncode=1)
