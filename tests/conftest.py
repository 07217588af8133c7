"""Tests run compiled rules. Before they run in several processes, what they all need is compiled once, not by each of them."""

from __future__ import annotations

import os

import pytest

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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that at the end no process waits for another; leave out what takes minutes."""
    items.sort(key=lambda item: next((place for place, folder in enumerate(LONG) if folder in item.nodeid), len(LONG)))
    if not config.option.markexpr:
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if item not in slow]
        config.hook.pytest_deselected(items=slow)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the games that are not compiled, as many at a time as there are processes."""
    processes = getattr(config.option, "numprocesses", None)
    if not processes or hasattr(config, "workerinput"):
        return
    from tests.compiled import compile_games

    if not compile_games(int(processes)):
        pytest.exit("the games do not compile", returncode=1)
