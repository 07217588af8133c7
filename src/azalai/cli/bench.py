"""`azalai bench`: how fast the games are on this machine."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import azalai
from azalai.arena.bench import random_decisions, state_copy_nanoseconds
from azalai.cli.screen import open_screen
from azalai.cli.texts import Texts
from azalai.engine import discovery

SECONDS = 0.5  # per game and number of seats


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Measure random play and the copying of states, one thread; print a table, or for programs JSON."""
    found: list[dict[str, Any]] = []
    games = [azalai.game(name) for name in discovery.installed()]
    for game in games:
        random_decisions(game.name, game.seats[0], 0)  # whatever must be compiled shows a bar of its own
    with Console(stderr=True).status(texts("bench.measuring")):
        for name, every_seats in ((game.name, game.seats) for game in games):
            copy = state_copy_nanoseconds(name)
            for seats in every_seats:
                decisions, seconds = random_decisions(name, seats, SECONDS)
                speed = decisions / seconds
                found.append({"game": name, "seats": seats, "decisions_per_second": speed, "state_copy_nanoseconds": copy})
    if args.json:
        print(json.dumps(found, indent=1))
        return 0
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column(texts("bench.game"))
    for column in ("bench.seats", "bench.speed", "bench.copy"):
        table.add_column(texts(column), justify="right")
    for row in found:
        numbers = texts.number(row["decisions_per_second"]), texts.number(row["state_copy_nanoseconds"], 1)
        table.add_row(Text(row["game"], "bold cyan"), str(row["seats"]), *numbers)
    open_screen().print(table, "", texts("bench.peers"), sep="\n")
    return 0
