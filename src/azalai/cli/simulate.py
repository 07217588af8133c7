"""`azalai simulate`: thousands of games between computer players, and what they tell."""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

import azalai
from azalai.arena.simulate import simulate
from azalai.cli.play import read_options
from azalai.cli.screen import open_screen
from azalai.cli.texts import Texts
from azalai.engine.errors import BadOption
from azalai.engine.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from azalai.arena.simulate import Results
    from azalai.arena.tally import Tally
    from azalai.engine.game import Game


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Play the games with a progress bar, then print tables, or for programs JSON."""
    game = azalai.game(args.game, args.components)
    players = choose_players(args.players, args.seats, game, texts)
    options = read_options(args.option, texts)
    if args.games and (args.on == "here" or args.device == "cpu"):  # whatever must be compiled shows a bar of its own
        simulate(game, players, 1, args.seed, 1, options, device=args.device)
    bar = Progress(
        TextColumn(texts("simulate.playing")), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal,
    )  # fmt: skip
    began = time.perf_counter()
    with bar:
        task = bar.add_task("", total=args.games)
        results = simulate(
            game, players, args.games, args.seed, args.threads, options, progress=lambda games: bar.advance(task, games),
            first=args.first, folder=args.out, decisions=args.decisions, on=args.on, device=args.device, gpus=args.gpus,
        )  # fmt: skip
    seconds = time.perf_counter() - began
    if args.json:
        print(json.dumps(results.as_dict(), indent=1))
    else:
        report(results, Words(game, results.seats, texts.language), texts, seconds)
    return 0


def choose_players(asked: str | None, seats: int | None, game: Game, texts: Texts) -> list[str]:
    """A name per seat. One name sits everywhere; without any, greedy plays against chance."""
    names = [] if asked is None else [name.strip() for name in asked.split(",")]
    count = game.check_seats(len(names) if seats is None and len(names) > 1 else seats)
    if not names:
        return ["greedy"] + ["random"] * (count - 1)
    if len(names) == 1:
        return names * count
    if len(names) != count:
        raise BadOption(texts("error.player_count", players=len(names), seats=count))
    return names


def report(results: Results, words: Words, texts: Texts, seconds: float) -> None:
    """Print what the games came to."""
    screen = open_screen()
    facts = {
        "games": texts.number(results.games),
        "seats": results.seats,
        "seed": results.seed,
        "seconds": texts.number(seconds, 1),
    }
    screen.print(Text.assemble((words.title, "bold"), " · ", texts("simulate.facts", **facts)), "", sep="\n")
    screen.print(table(texts("simulate.player"), results.by_player.items(), texts))
    seats = [(words.seat(seat), tally) for seat, tally in enumerate(results.by_seat)]
    screen.print("", table(texts("simulate.seat"), seats, texts), "", sep="\n")
    mean, deviation = results.length
    screen.print(
        texts(
            "simulate.length",
            mean=texts.number(mean, 1),
            deviation=texts.number(deviation, 1),
            least=texts.number(results.shortest),
            most=texts.number(results.longest),
        )
    )
    for end, count in results.ends.items():
        screen.print(Text(f"{texts.number(100 * count / results.games, 1):>6} %  {words.end(end)}"))


def table(title: str, tallies: Iterable[tuple[str, Tally]], texts: Texts) -> Table:
    """Wins and points, with the intervals that hold the truth in 95 of 100 such tables."""
    found = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    found.add_column(title)
    for column in ("simulate.games", "simulate.wins", "simulate.interval", "simulate.points", "simulate.interval"):
        found.add_column(texts(column), justify="right")
    for name, tally in tallies:
        share, low, high = (texts.number(100 * value, 1) for value in tally.share)
        mean, least, most = (texts.number(value, 2) for value in tally.mean)
        found.add_row(Text(name, "bold"), texts.number(tally.games), f"{share} %", f"{low} – {high}", mean, f"{least} – {most}")
    return found
