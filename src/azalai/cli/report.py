"""`azalai report`: a page on a game's balance, from many games of computer players."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import azalai
from azalai.arena.report import (
    POLICY,
    Counts,
    Study,
    declared,
    play_level,
    study,
    study_variant,
)
from azalai.cli.report_page import GREEDY, ReportPage
from azalai.engine.errors import BadOption
from azalai.engine.record import write_atomically

if TYPE_CHECKING:
    from azalai.cli.texts import Texts


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Play, look, write the page."""
    game = azalai.game(args.game)
    seats = game.check_seats(args.seats)
    all_variants = [] if args.no_variants or args.counts else declared(game).get("variants", [])
    variants = [one for one in all_variants if one.get("seats", seats) == seats]
    levels = [name.strip() for name in args.levels.split(",") if name.strip()]
    counts = Counts(Path(args.counts)) if args.counts else None
    if counts is not None and (POLICY, seats) not in counts:
        raise BadOption(f"{args.counts} has no games of {seats} {game.name} players; python -m azalai.arena.count counts them")
    tables = [seats, *(count for count in game.seats if count != seats)]
    if counts is not None:
        tables = [] if (GREEDY, seats) in counts else [seats]
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal,
    )  # fmt: skip
    with bar:
        playing = bar.add_task(texts("report.playing"), total=args.games * len(tables))

        def play(count: int) -> Study:
            return study(game, count, args.games, args.seed, args.threads, progress=lambda games: bar.advance(playing, games))

        found = {count: play(count) for count in tables}
        more = bar.add_task(texts("report.comparing"), total=len(levels) + len(variants))
        by_level = {}
        for level in levels:
            by_level[level] = play_level(game, level, seats, args.level_games, args.seed, args.threads)
            bar.advance(more)
        others = []
        for variant in variants:
            others.append((variant, study_variant(game, variant, seats, args.games, args.seed, args.threads)))
            bar.advance(more)
    path = Path(args.out or f"report-{game.name}.html")
    command = f"azalai report {game.name} --seats {seats} --games {args.games} --seed {args.seed}"
    command += f" --levels {args.levels} --level-games {args.level_games}{' --no-variants' if args.no_variants else ''}"
    if counts is not None and not found:
        found = {seats: counts.study(game, GREEDY, seats)}
    page = ReportPage(game, seats, found, by_level, args.level_games, others, texts)
    told = {"games": texts.number(page.played.games), "seats": seats, "rules": game.rules, "version": azalai.__version__}
    facts = texts("report.facts", **told), texts("report.how_to_read")
    if counts is not None:
        page.take(counts)
        told["counted"] = texts.number(page.study.games)
        facts = texts("report.counted_facts", **told), texts("report.counted_guide")
        how = counts.facts(POLICY, seats)
        given = f"--file {counts.path.name} --seed {how['seed']} --side-by-side {how['side_by_side']}"
        if not tables:
            command = f'azalai report {game.name} --seats {seats} --levels "{args.levels}"'
        command = f"python -m azalai.arena.count {game.name} {given}; {command} --counts {counts.path.name}"
    write_atomically(path, page.html(*facts, command))
    print(texts("report.written", file=path))
    return 0
