"""The arguments of all commands, explained in the user's language."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import azalai
from azalai.cli import admin, serve
from azalai.cli.texts import HERE, Texts
from azalai.engine.words import languages


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and stop."""
        self.exit(2, f"azalai: {message}\n")


def build_parser(texts: Texts) -> Parser:
    """The parser of the whole command line; `command` is the module that carries it out."""
    speak(texts)
    parser = Parser("azalai", description=texts("cli.about"), allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"azalai {azalai.__version__}", help=texts("cli.version"))
    add_language(parser, texts)
    commands = parser.add_subparsers(dest="command", metavar=texts("cli.command"), title=texts("cli.commands"))

    def command(name: str, about: str) -> Parser:
        one: Parser = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        return one

    number = whole_number(texts)
    written = new_file(texts)

    play = command("play", texts("cli.play"))
    play.add_argument("game", nargs="?", metavar=texts("cli.GAME"), help=texts("cli.game"))
    play.add_argument("--seats", type=number, metavar="N", help=texts("cli.seats"))
    play.add_argument("--you", metavar=texts("cli.SEAT"), help=texts("cli.you"))
    play.add_argument("--bots", default="greedy", metavar=texts("cli.NAMES"), help=texts("cli.bots"))
    play.add_argument("--seed", type=number, metavar="N", help=texts("cli.seed"))
    add_options(play, texts)
    play.add_argument("--components", metavar=texts("cli.FILE"), help=texts("cli.components"))
    play.add_argument("--load", metavar=texts("cli.FILE"), help=texts("cli.load"))
    add_language(play, texts)

    replay = command("replay", texts("cli.replay"))
    replay.add_argument("file", metavar=texts("cli.FILE"), help=texts("cli.record"))
    how = replay.add_mutually_exclusive_group()
    how.add_argument("--step", action="store_true", help=texts("cli.step"))
    how.add_argument("--at", type=number, metavar="N", help=texts("cli.at"))
    add_language(replay, texts)

    rules = command("rules", texts("cli.rules"))
    rules.add_argument("game", metavar=texts("cli.GAME"), help=texts("cli.game"))
    add_language(rules, texts)

    games = command("games", texts("cli.games"))
    games.add_argument("--json", action="store_true", help=texts("cli.json"))
    add_language(games, texts)

    simulate = command("simulate", texts("cli.simulate"))
    simulate.add_argument("game", metavar=texts("cli.GAME"), help=texts("cli.game"))
    simulate.add_argument("--seats", type=number, metavar="N", help=texts("cli.seats"))
    simulate.add_argument("--games", type=number, default=1000, metavar="N", help=texts("cli.how_many"))
    simulate.add_argument("--players", metavar=texts("cli.NAMES"), help=texts("cli.players"))
    simulate.add_argument("--seed", type=number, default=0, metavar="N", help=texts("cli.simulate_seed"))
    simulate.add_argument("--first", type=number, default=0, metavar="N", help=texts("cli.first"))
    simulate.add_argument("--threads", type=number, metavar="N", help=texts("cli.threads"))
    simulate.add_argument("--on", choices=("here", "ray"), default="here", help=texts("cli.on"))
    simulate.add_argument("--device", default="cpu", metavar="cpu|cuda", help=texts("cli.simulate_device"))
    simulate.add_argument("--gpus", type=float, default=1, metavar="N", help=texts("cli.gpus"))
    simulate.add_argument("--out", metavar=texts("cli.FOLDER"), help=texts("cli.out"))
    simulate.add_argument("--decisions", action="store_true", help=texts("cli.decisions"))
    add_options(simulate, texts)
    simulate.add_argument("--components", metavar=texts("cli.FILE"), help=texts("cli.components"))
    simulate.add_argument("--json", action="store_true", help=texts("cli.json"))
    add_language(simulate, texts)

    merge = command("merge", texts("cli.merge"))
    merge.add_argument("folders", nargs="+", metavar=texts("cli.FOLDER"), help=texts("cli.merge_folders"))
    merge.add_argument("--into", required=True, metavar=texts("cli.FOLDER"), help=texts("cli.merge_into"))
    add_language(merge, texts)

    report = command("report", texts("cli.report"))
    report.add_argument("game", metavar=texts("cli.GAME"), help=texts("cli.game"))
    report.add_argument("--seats", type=number, metavar="N", help=texts("cli.seats"))
    report.add_argument("--games", type=number, default=2000, metavar="N", help=texts("cli.report_games"))
    report.add_argument("--levels", default="random,1,2", metavar=texts("cli.NAMES"), help=texts("cli.report_levels"))
    report.add_argument("--level-games", type=number, default=40, metavar="N", help=texts("cli.report_level_games"))
    report.add_argument("--counts", metavar=texts("cli.FILE"), help=texts("cli.report_counts"))
    report.add_argument("--no-variants", action="store_true", help=texts("cli.report_no_variants"))
    report.add_argument("--seed", type=number, default=0, metavar="N", help=texts("cli.simulate_seed"))
    report.add_argument("--threads", type=number, metavar="N", help=texts("cli.threads"))
    report.add_argument("--out", type=written, metavar=texts("cli.FILE"), help=texts("cli.report_out"))
    add_language(report, texts)

    ladder = command("ladder", texts("cli.ladder"))
    ladder.add_argument("game", nargs="?", metavar=texts("cli.GAME"), help=texts("cli.game"))
    ladder.add_argument("--leaderboard", metavar=texts("cli.FILE"), help=texts("cli.ladder_leaderboard"))
    ladder.add_argument("--games", type=number, default=100, metavar="N", help=texts("cli.ladder_games"))
    ladder.add_argument("--top-games", type=number, metavar="N", help=texts("cli.ladder_top"))
    ladder.add_argument("--players", metavar=texts("cli.NAMES"), help=texts("cli.ladder_players"))
    ladder.add_argument("--all", action="store_true", help=texts("cli.ladder_all"))
    ladder.add_argument("--seats", type=number, metavar="N", help=texts("cli.seats"))
    ladder.add_argument("--seed", type=number, default=1, metavar="N", help=texts("cli.ladder_seed"))
    ladder.add_argument("--threads", type=number, metavar="N", help=texts("cli.threads"))
    ladder.add_argument("--file", type=written, metavar=texts("cli.FILE"), help=texts("cli.ladder_file"))
    ladder.add_argument("--picture", type=written, metavar=texts("cli.FILE"), help=texts("cli.ladder_picture"))
    ladder.add_argument("--json", action="store_true", help=texts("cli.json"))
    add_language(ladder, texts)

    analyse = command("analyse", texts("cli.analyse"))
    analyse.add_argument("file", metavar=texts("cli.FILE"), help=texts("cli.record"))
    analyse.add_argument("--at", type=number, metavar="N", help=texts("cli.analyse_at"))
    analyse.add_argument("--iterations", type=number, default=10_000, metavar="N", help=texts("cli.iterations"))
    analyse.add_argument("--games", type=number, default=40, metavar="N", help=texts("cli.analyse_games"))
    analyse.add_argument("--seed", type=number, default=0, metavar="N", help=texts("cli.analyse_seed"))
    analyse.add_argument("--json", action="store_true", help=texts("cli.json"))
    add_language(analyse, texts)

    review = command("review", texts("cli.review"))
    review.add_argument("file", metavar=texts("cli.FILE"), help=texts("cli.record"))
    review.add_argument("--threads", type=number, metavar="N", help=texts("cli.threads"))
    review.add_argument("--all", action="store_true", help=texts("cli.review_all"))
    review.add_argument("--json", action="store_true", help=texts("cli.json"))
    add_language(review, texts)

    puzzle = command("puzzle", texts("cli.puzzle"))
    puzzle.add_argument("game", nargs="?", metavar=texts("cli.GAME"), help=texts("cli.game"))
    which = puzzle.add_mutually_exclusive_group()
    which.add_argument("--id", metavar="ID", help=texts("cli.puzzle_id"))
    which.add_argument("--day", nargs="?", const="today", metavar="2026-11-16", help=texts("cli.puzzle_day"))
    puzzle.add_argument("--json", action="store_true", help=texts("cli.json"))
    add_language(puzzle, texts)

    serving = command("serve", texts("cli.serve"))
    serve.add_arguments(serving, texts)
    add_language(serving, texts)

    administration = command("admin", texts("cli.admin"))
    admin.add_arguments(administration, texts)
    add_language(administration, texts)

    prepare = command("prepare", texts("cli.prepare"))
    prepare.add_argument("games", nargs="*", metavar=texts("cli.GAME"), help=texts("cli.prepare_games"))
    add_language(prepare, texts)

    bench = command("bench", texts("cli.bench"))
    bench.add_argument("--device", default="cpu", metavar="cpu|cuda", help=texts("cli.bench_device"))
    bench.add_argument("--json", action="store_true", help=texts("cli.json"))
    add_language(bench, texts)
    return parser


def add_options(parser: Parser, texts: Texts) -> None:
    """Options of the game itself."""
    parser.add_argument("--option", action="append", default=[], metavar=texts("cli.NAME_VALUE"), help=texts("cli.option"))


def add_language(parser: Parser, texts: Texts) -> None:
    """`--lang`, which has been looked for already: it is here to be explained and checked."""
    parser.add_argument("--lang", metavar="|".join(languages(HERE)), default=argparse.SUPPRESS, help=texts("cli.lang"))


def whole_number(texts: Texts) -> Callable[[str], int]:
    """Reads a number from 0 up."""

    def read(text: str) -> int:
        if not text.isdecimal():
            raise argparse.ArgumentTypeError(texts("error.no_number", text=repr(text)))
        return int(text)

    return read


def new_file(texts: Texts) -> Callable[[str], str]:
    """Reads the path of a file to be written; nobody shall wait for something that then cannot be kept."""

    def read(text: str) -> str:
        if not Path(text).parent.is_dir():
            raise argparse.ArgumentTypeError(texts("error.no_folder", text=text, folder=Path(text).parent))
        return text

    return read


def speak(texts: Texts) -> None:
    """Let argparse's own sentences be in the user's language too; it looks them up as `_(sentence)`."""
    sentences = texts.table["argparse"]
    vars(argparse)["_"] = lambda sentence: sentences.get(sentence, sentence)
