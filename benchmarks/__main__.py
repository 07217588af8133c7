"""Measure every game of ours and every peer in one run, in turns, and print how many times as fast we are."""

import json
import os
import platform
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

import azalai
from azalai.arena.bench import random_decisions, state_copy_nanoseconds

from .peers import PEERS, Measurement

ROUNDS = 10

Contestant = Callable[[float], Measurement]


def main() -> None:
    """The command `python -m benchmarks`."""
    games = {name: our_game(name) for name in azalai.games()}
    arguments = read_arguments([*games, *PEERS])
    contestants = {name: measure for name, measure in (games | PEERS).items() if name in arguments.only}
    try:
        report = compare(compete(contestants, arguments.seconds), [name for name in games if name in contestants])
    except ModuleNotFoundError as error:
        sys.exit(f"error: {error}")
    Console().print(table(report))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_arguments(names: list[str]) -> Namespace:
    """What the command line asks for; all contestants unless it names some."""
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help=f"length of each of {ROUNDS} turns (default 0.5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help=f"among {', '.join(names)}")
    return parser.parse_args()


def our_game(name: str) -> Contestant:
    """A game of ours as a contestant, with its usual number of seats."""
    seats = azalai.game(name).seats[0]

    def measure(seconds: float) -> Measurement:
        decisions, elapsed = random_decisions(name, seats, seconds)
        return Measurement(name, "decisions", decisions, elapsed, version("azalai"), f"{seats} random seats, whole games")

    return measure


def compete(contestants: dict[str, Contestant], seconds: float) -> dict[str, list[Measurement]]:
    """Let all take turns; each round begins with another one, so that noise on the machine hits all alike."""
    names = list(contestants)
    turns = [name for first in range(ROUNDS) for name in rotated(names, first)]
    measured: dict[str, list[Measurement]] = {name: [] for name in names}
    for name in track(turns, "measuring", console=Console(stderr=True), transient=True):
        measured[name].append(contestants[name](seconds))
    return measured


def rotated(names: list[str], first: int) -> list[str]:
    """The same names in the same order, beginning further on."""
    first %= len(names)
    return names[first:] + names[:first]


def compare(measured: dict[str, list[Measurement]], games: list[str]) -> dict[str, Any]:
    """The report: the fastest turns, as noise only ever slows, and each game's ratio to each peer that counts decisions too."""
    speed = {name: max(turn.per_second for turn in turns) for name, turns in measured.items()}
    rivals = [name for name, turns in measured.items() if name in PEERS and turns[0].unit == "decisions"]
    return {
        "machine": {"platform": platform.platform(), "cores": os.cpu_count(), "python": platform.python_version()},
        "contestants": {
            name: {
                "unit": turns[0].unit,
                "per_second": speed[name],
                "turns": [turn.per_second for turn in turns],
                "version": turns[0].version,
                "note": turns[0].note,
            }
            for name, turns in measured.items()
        },
        "ratios": {game: {rival: speed[game] / speed[rival] for rival in rivals} for game in games},
        "state_copy_nanoseconds": {game: state_copy_nanoseconds(game) for game in games},
    }


def table(report: dict[str, Any]) -> Table:
    """A column for each game of ours, a line for each peer; where both count decisions, how many times as fast we are."""
    contestants, ratios = report["contestants"], report["ratios"]
    notes = [f"{name} {line['version']}: {line['unit']}; {line['note']}" for name, line in contestants.items()]
    shown = Table(title=f"Random play on one core: best of {ROUNDS} turns, ratios game ÷ peer", box=SIMPLE_HEAD, pad_edge=False)
    shown.caption, shown.caption_justify = "\n".join(notes), "left"
    shown.add_column("")
    for heading in ("million/s", *ratios):
        shown.add_column(heading, justify="right")
    if ratios:
        shown.add_row("million/s", "", *(f"{contestants[game]['per_second'] / 1e6:.3g}" for game in ratios))
        shown.add_row("ns to copy a state", "", *(f"{copy:.1f}" for copy in report["state_copy_nanoseconds"].values()))
        shown.add_section()
    for peer in (name for name in contestants if name in PEERS):
        speed = f"{contestants[peer]['per_second'] / 1e6:.3g}"
        shown.add_row(peer, speed, *(f"{ratio[peer]:.3g}" if peer in ratio else "" for ratio in ratios.values()))
    return shown


if __name__ == "__main__":
    main()
