"""`azalai analyse`: the moves of a decision in a saved game, judged by the search."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

import azalai
from azalai.bots.player import Search
from azalai.cli.screen import open_screen
from azalai.engine.compile import wait_compiled
from azalai.engine.errors import BadOption
from azalai.engine.words import Words

if TYPE_CHECKING:
    from azalai.bots.analysis import Analysis
    from azalai.cli.texts import Texts
    from azalai.engine.position import Position

SHOWN = 8  # moves in the table
AHEAD = 6  # decisions of the continuation


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Think with a progress bar, then print a table, or for programs JSON."""
    position = azalai.load(args.file)
    last = position.ply - (1 if position.over else 0)
    if last < 0:
        raise BadOption(texts("analyse.finished", file=args.file))
    wanted = last if args.at is None else args.at
    if wanted > last:
        raise BadOption(texts("error.no_such_ply", number=wanted, last=last))
    while position.ply > wanted:
        position.undo()
    seen = position.seen_by(position.seat)
    bar = Progress(
        TextColumn(texts("analyse.thinking")), BarColumn(),
        console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal,
    )  # fmt: skip
    search = Search(position.game, 6, args.seed)
    wait_compiled(position.game, "azalai.bots.player")
    with bar:
        task = bar.add_task("", total=args.iterations)
        analysis = search.analyse(
            seen, args.iterations, lambda so_far: bar.update(task, completed=so_far.iterations), games=args.games
        )
    if args.json:
        print(json.dumps(analysis.as_dict(), indent=1))
    else:
        report(position, analysis, texts)
    return 0


def report(position: Position, analysis: Analysis, texts: Texts) -> None:
    """Print the best moves."""
    words = Words(position.game, position.seats, texts.language)
    screen = open_screen()
    facts = {"ply": position.ply, "seat": words.seat(analysis.seat), "iterations": texts.number(analysis.iterations)}
    screen.print(texts("analyse.facts", **facts), "", sep="\n")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column(texts("analyse.move"))
    for column in ("analyse.attention", "analyse.outlook", "analyse.wins", "analyse.points"):
        table.add_column(texts(column), justify="right")
    table.add_column(texts("analyse.goes_on"))
    for one in analysis.moves[:SHOWN]:
        outlook, seat = one.outlook, analysis.seat
        later = " · ".join(f"{words.seat(who)}: {words.move(move)}" for who, move in one.continuation[1 : AHEAD + 1])
        table.add_row(
            words.move(one.move, position.seen_by(analysis.seat)),
            f"{texts.number(100 * one.share, 0)} %",
            f"{texts.number(100 * outlook.value[seat], 0)} ± {texts.number(100 * outlook.error[seat], 0)}",
            "" if outlook.win is None else f"{texts.number(100 * outlook.win[seat], 0)} %",
            "" if outlook.points is None else " : ".join(texts.number(value, 0) for value in outlook.points),
            later,
        )
    screen.print(table)
