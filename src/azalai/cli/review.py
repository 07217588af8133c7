"""`azalai review`: a saved game with everybody's chances, a grade for every decision, and what was luck."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

import azalai
from azalai.cli.screen import open_screen
from azalai.engine.errors import BadOption
from azalai.engine.words import Words
from azalai.reviews.explain import name_luck
from azalai.reviews.review import INACCURACY, LIMITS, PHASES, Review

if TYPE_CHECKING:
    from azalai.cli.texts import Texts

WIDTH, HEIGHT = 72, 12  # signs of the graph
SIGNS = "●○▲△■"  # of the seats, so that lines differ without colours
COLOURS = ("cyan", "yellow", "magenta", "green", "red")
NUMBERS = ("review.ply", "review.cost", "review.chance")
GRADES = {
    "best": ("review.best", ""),
    "good": ("review.good", ""),
    "inaccuracy": ("review.inaccuracy", "yellow"),
    "mistake": ("review.mistake", "dark_orange"),
    "blunder": ("review.blunder", "bold red"),
}  # what each is called, and its style


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Judge with a progress bar, then print tables and a graph, or for programs JSON."""
    position = azalai.load(args.file)
    if not position.history:
        raise BadOption(texts("review.empty", file=args.file))
    bar = Progress(
        TextColumn(texts("review.thinking")), BarColumn(),
        console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal,
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=None)
        review = Review(position)
        review.judge_all(args.threads or os.cpu_count() or 1, lambda done, total: bar.update(task, completed=done, total=total))
    if args.json:
        print(json.dumps(review.as_dict(), indent=1))
        return 0
    screen = open_screen()
    words = Words(position.game, position.seats, texts.language)
    screen.print(players(review, words, texts), "", texts("review.graph"), sep="\n")
    screen.print(graph(review, words), "", sep="\n")
    listed = decisions(review, words, texts, args.all)
    screen.print(listed if listed.row_count else texts("review.none"))
    return 0


def players(review: Review, words: Words, texts: Texts) -> Table:
    """What each player's decisions and luck came to."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column(texts("review.player"))
    for column in ("review.accuracy", "review.opening", "review.middle", "review.end", "review.given_away", "review.luck"):
        table.add_column(texts(column), justify="right")
    for seat, one in enumerate(review.as_dict()["players"]):
        scores = [one["accuracy"], *(one["phases"][phase] for phase in PHASES)]
        table.add_row(
            Text(f"{SIGNS[seat]} {words.seat(seat)}", COLOURS[seat]),
            *("–" if score is None else texts.number(score, 0) for score in scores),
            percent(one["given_away"], texts),
            percent(one["luck"], texts, signed=True),
        )
    return table


def graph(review: Review, words: Words) -> Text:
    """Everybody's chances over the game, to all-knowing eyes."""
    moments = review.chances[:, -1]
    width = min(WIDTH, len(moments))
    cells: dict[tuple[int, int], int] = {}
    for column in range(width):
        moment = moments[round(column * (len(moments) - 1) / max(1, width - 1))]
        for seat in reversed(range(len(moment))):
            cells[HEIGHT - round(float(moment[seat]) * HEIGHT), column] = seat
    drawn = Text()
    for row in range(HEIGHT + 1):
        drawn.append({0: "100 % ", HEIGHT // 2: " 50 % ", HEIGHT: "  0 % "}.get(row, "      "), "dim")
        for column in range(width):
            here = cells.get((row, column))
            drawn.append(" " if here is None else SIGNS[here], None if here is None else COLOURS[here])
        drawn.append("\n")
    for seat in range(review.position.seats):
        drawn.append(f"  {SIGNS[seat]} {words.seat(seat)}", COLOURS[seat])
    return drawn


def decisions(review: Review, words: Words, texts: Texts, every: bool) -> Table:
    """The decisions that gave something away, or every one."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    for column in ("review.ply", "review.player", "review.move", "review.grade", "review.cost", "review.better", "review.chance"):
        table.add_column(texts(column), justify="right" if column in NUMBERS else "left")
    for ply in sorted(review.decisions):
        one = review.decisions[ply]
        if not every and one.loss < LIMITS[INACCURACY]:
            continue
        seen = review.position.before(ply - review.first).seen_by(one.seat)
        luck = review.luck(ply)[one.seat]
        grade, style = GRADES[one.grade]
        table.add_row(
            str(ply + 1),
            Text(f"{SIGNS[one.seat]} {words.seat(one.seat)}", COLOURS[one.seat]),
            words.move(one.move, seen),
            Text(texts(grade), style),
            percent(one.loss, texts) if one.loss else "",
            "" if one.move == one.best else words.move(one.best, seen),
            f"{percent(luck, texts, signed=True)} {name_luck(review.position.before(ply + 1 - review.first), words)}"
            if luck
            else "",
        )
    return table


def percent(share: float, texts: Texts, signed: bool = False) -> str:
    """A share as people read it."""
    return f"{'+' if signed and share > 0 else ''}{texts.number(100 * share, 0)} %"
