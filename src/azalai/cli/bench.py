"""`azalai bench`: how fast the games are on this machine."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import azalai
from azalai.arena.bench import GAMES_ON_GPU, random_decisions, random_decisions_on, state_copy_nanoseconds
from azalai.cli.screen import open_screen
from azalai.cli.texts import Texts
from azalai.engine import discovery

SECONDS = 0.5  # per game and number of seats


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Measure random play, in one thread also the copying of states; print a table, or for programs JSON."""
    found = _on_gpu(args.device, texts) if args.device != "cpu" else _in_one_thread(texts)
    if args.json:
        print(json.dumps(found, indent=1))
        return 0
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    columns = {"game": "bench.game", "seats": "bench.seats", "decisions_per_second": "bench.speed"}
    if args.device == "cpu":
        columns["state_copy_nanoseconds"] = "bench.copy"
    for name, title in columns.items():
        table.add_column(texts(title), justify="left" if name == "game" else "right")
    for row in found:
        numbers = [texts.number(row["decisions_per_second"])]
        if args.device == "cpu":
            numbers.append(texts.number(row["state_copy_nanoseconds"], 1))
        table.add_row(Text(row["game"], "bold cyan"), str(row["seats"]), *numbers)
    below = texts("bench.peers") if args.device == "cpu" else texts("bench.on_gpu", games=texts.number(GAMES_ON_GPU))
    open_screen().print(table, "", below, sep="\n")
    return 0


def _on_gpu(device: str, texts: Texts) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for game in map(azalai.game, discovery.installed()):
        random_decisions_on(device, game.name, game.seats[0], 0)  # whatever must be compiled shows a bar of its own
        with Console(stderr=True).status(texts("bench.measuring")):
            for seats in game.seats:
                decisions, seconds = random_decisions_on(device, game.name, seats, SECONDS)
                found.append({"game": game.name, "seats": seats, "device": device, "decisions_per_second": decisions / seconds})
    return found


def _in_one_thread(texts: Texts) -> list[dict[str, Any]]:
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
    return found
