"""Tests run compiled rules. Before they run in several processes, what they all need is compiled once, not by each of them."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

os.environ.setdefault("AZALAI_COMPILE", "wait")  # before any rule is imported; child processes do the same

LONG = ("tests/browser/", "tests/server/")
WARM = """
import sys, azalai
from azalai.arena.simulate import simulate
game = azalai.game(sys.argv[1])
simulate(game, ["greedy"] * game.seats[0], 1)
azalai.bot("search", game, level=1)
"""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that at the end no process waits for another; leave out what takes minutes."""
    items.sort(key=lambda item: next((place for place, folder in enumerate(LONG) if folder in item.nodeid), len(LONG)))
    if not config.option.markexpr:
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if item not in slow]
        config.hook.pytest_deselected(items=slow)


def pytest_configure(config: pytest.Config) -> None:
    """Compile all games, as many at a time as there are processes."""
    processes = getattr(config.option, "numprocesses", None)
    if not processes or hasattr(config, "workerinput"):
        return
    import azalai

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def compile_game(name: str) -> int:
        return subprocess.run([sys.executable, "-c", WARM, name], env=environment, check=False).returncode

    with ThreadPoolExecutor(int(processes)) as pool:
        failed = any(pool.map(compile_game, azalai.games()))
    if failed:
        pytest.exit("the games do not compile", returncode=1)
