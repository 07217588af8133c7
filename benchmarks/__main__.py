"""Measure our games and their peers in one run, in turns, and tell how many times as fast we are."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .measure import ROUNDS, compete, machine, use_all_cores, use_one_core

use_one_core()  # before any library begins threads of its own

from . import ours, peers, report  # noqa: E402

TASKS = (
    "random play", "loop in Python", "move lists from Python", "replays from Python", "copies from Python", "PettingZoo loop",
    "Gymnasium vector", "batch of one game", "batch with masks", "batch with masks and observations",
    "batch with observations as bytes", "batch with observations as bits", "batch with conclusions as bits", "search",
    "search at level 5", "network", "copies", "threads", "growth",
)  # fmt: skip


def main() -> None:
    """The command `python -m benchmarks`."""
    arguments = read_arguments()
    try:
        found = measure(arguments.tasks or TASKS, arguments.game or ours.NAMES, arguments.seconds)
    except ModuleNotFoundError as error:
        sys.exit(f"error: {error}")
    report.show(found)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if arguments.write:
        chosen = [*arguments.tasks, *(f"--game={name}" for name in arguments.game)]
        report.write(found, arguments.write, chosen)


def read_arguments() -> Namespace:
    """What the command line asks for; everything unless it names some tasks."""
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"some of: {'; '.join(TASKS)} (default: all)")
    names = ", ".join(ours.NAMES)
    parser.add_argument(
        "--game",
        action="append",
        default=[],
        choices=ours.NAMES,
        metavar="GAME",
        help=f"one of our games, may be repeated: {names}",
    )
    parser.add_argument("--seconds", type=float, default=0.3, help=f"length of each of {ROUNDS} turns (default 0.3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the tables into FILE, between its marks for these tasks and games"
    )
    arguments = parser.parse_args()
    unknown = [task for task in arguments.tasks if task not in TASKS]
    if unknown:
        parser.error(f"there is no task {unknown[0]!r}; there are: {'; '.join(TASKS)}")
    return arguments


def measure(tasks: Sequence[str], games: Sequence[str], seconds: float) -> dict[str, Any]:
    """All figures of these tasks, on these games of ours."""
    everyone = [one for one in (*ours.contestants(games), *peers.contestants()) if one.task in tasks]
    found: dict[str, Any] = {"machine": machine(), "figures": compete(everyone, seconds)}
    if "growth" in tasks:
        found["growth"] = ours.growth(games, ROUNDS)
    if "threads" in tasks:
        use_all_cores()
        found["threads"] = ours.scaling(games, [1, 2] if (os.cpu_count() or 1) < 4 else [1, 2, 4], seconds / 6, 6 * ROUNDS)
    return found


if __name__ == "__main__":
    main()
