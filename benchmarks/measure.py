"""How things are measured: in turns, by the processor's clock, the best turn counting."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from rich.console import Console
from rich.progress import track

ROUNDS = 10

Work = Callable[[], int]  # does a stretch of work and tells how much it was


@dataclass(frozen=True)
class Contestant:
    """Somebody who does a task: `prepare` makes the work ready, which is not measured."""

    task: str
    name: str
    game: str
    version: str
    note: str
    prepare: Callable[[], Work]
    ours: bool = False

    @property
    def title(self) -> str:
        """Whose game it is."""
        return f"{self.name} {self.game}"


def compete(contestants: Sequence[Contestant], seconds: float) -> list[dict[str, Any]]:
    """Let all take turns on one core; each round begins with another one, so that noise on the machine hits all alike."""
    ready = [contestant.prepare() for contestant in contestants]
    turns: list[list[float]] = [[] for _ in contestants]
    order = [(first + place) % len(ready) for first in range(ROUNDS) for place in range(len(ready))]
    for number in track(order, "measuring", console=Console(stderr=True), transient=True):
        turns[number].append(speed(ready[number], seconds))
    return [
        {
            "task": one.task,
            "name": one.name,
            "game": one.game,
            "ours": one.ours,
            "per_second": max(measured),
            "turns": measured,
            "version": one.version,
            "note": one.note,
        }
        for one, measured in zip(contestants, turns, strict=True)
    ]


def speed(work: Work, seconds: float, clock: Callable[[], float] = process_time) -> float:
    """Work a second, done once to warm up and then until `seconds` have passed."""
    work()
    done, began = 0, clock()
    while (elapsed := clock() - began) < seconds:
        done += work()
    return done / elapsed


def use_one_core() -> None:
    """Stay on one core from now on, with all libraries loaded later, where the system lets us."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def use_all_cores() -> None:
    """Threads begun from now on may run anywhere."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))


def machine() -> dict[str, Any]:
    """What all this was measured on."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        processor = names[0] if names else processor
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }
