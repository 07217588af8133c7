"""`azalai ladder`: levels and baselines against each other, with ratings that can be made again."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import azalai
from azalai.arena.ladder import pairings, picture
from azalai.arena.ladder import run as run_ladder
from azalai.arena.leaderboard import Leaderboard
from azalai.bots import make
from azalai.bots.levels import levels
from azalai.cli.screen import open_screen
from azalai.engine.errors import BadOption
from azalai.engine.record import write_atomically

if TYPE_CHECKING:
    from azalai.arena.ladder import Ladder
    from azalai.cli.texts import Texts


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Play what is missing with a progress bar, then print tables, or for programs JSON."""
    board = None
    if args.leaderboard:
        board = Leaderboard.read(Path(args.leaderboard))
        args.game, args.seats, args.games, args.seed, args.all = board.game, board.seats, board.games, board.seed, True
        args.players = ",".join(one.name for one in board.players)
        args.file = args.file or Path(args.leaderboard).with_suffix(".jsonl")
    elif not args.game:
        raise BadOption(texts("error.ladder_game"))
    game = azalai.game(args.game)
    players = [name.strip() for name in args.players.split(",")] if args.players else []
    for name in players:
        make(name, game)
    pairs = pairings(players, args.all, levels(game))
    if not pairs:
        raise BadOption(texts("error.ladder_alone"))
    fewer = dict.fromkeys(("5", "6"), args.top_games) if args.top_games is not None else {}
    path = Path(args.file or f"ladder-{game.name}.jsonl")
    bar = Progress(
        TextColumn(texts("ladder.playing")), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal,
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=None)
        ladder = run_ladder(
            game, pairs, args.games, path, args.seats, args.seed, args.threads, fewer,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )  # fmt: skip
    if board is not None:
        board.write(ladder, Path(args.leaderboard).with_suffix(".json"))
    if args.picture:
        write_atomically(args.picture, picture(ladder))
    if args.json:
        print(json.dumps(ladder.as_dict(), indent=1))
    else:
        report(ladder, texts)
    return 0


def report(ladder: Ladder, texts: Texts) -> None:
    """Print the pairings and the ratings."""
    screen = open_screen()
    met = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    met.add_column(texts("ladder.pairing"))
    for column in ("ladder.games", "ladder.share", "ladder.interval", "ladder.fair"):
        met.add_column(texts(column), justify="right")
    met.add_column("")
    for one in ladder.standings:
        share, low, high, fair = (texts.number(100 * value, 1) for value in (one.share, one.low, one.high, one.fair))
        remark = "" if one.holds else texts("ladder.uneven")
        name = f"{one.pairing.one} – {one.pairing.others}"
        met.add_row(name, texts.number(one.games), f"{share} %", f"{low} – {high}", f"{fair} %", remark)
    rated = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    rated.add_column(texts("ladder.player"))
    for column in ("ladder.games", "ladder.rating", "ladder.interval"):
        rated.add_column(texts(column), justify="right")
    for one_rating in ladder.ratings:
        name = texts("ladder.level", number=one_rating.player) if one_rating.player.isdigit() else one_rating.player
        low, high = texts.number(one_rating.low, 0), texts.number(one_rating.high, 0)
        rated.add_row(name, texts.number(one_rating.games), texts.number(one_rating.rating, 0), f"{low} – {high}")
    screen.print(met, "", *([rated, ""] if ladder.ratings else []), texts("ladder.control"), sep="\n")
