"""`azalai puzzle`: positions with one best move to find."""

from __future__ import annotations

import argparse
import datetime
import json
import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Group

from azalai import puzzles
from azalai.cli.choices import Choices
from azalai.cli.display import Display
from azalai.cli.keyboard import Keyboard
from azalai.cli.review import percent
from azalai.cli.screen import Screen, open_screen, rules_page
from azalai.cli.session import last_decision
from azalai.cli.story import retell
from azalai.engine import discovery
from azalai.engine.errors import BadOption
from azalai.engine.words import Words, load_help

if TYPE_CHECKING:
    from azalai.cli.texts import Texts
    from azalai.engine.moves import Move
    from azalai.puzzles import Puzzle

TODAY = "today"
NEWS = 6  # lines of what happened before


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Ask one puzzle after the other, or the one asked for; for programs print it as JSON."""
    wanted = choose(args, texts)
    if args.json:
        print(json.dumps(wanted[0].as_dict(), indent=1))
        return 0
    session = PuzzleSession(texts, open_screen())
    try:
        session.ask_all(wanted)
    except EOFError:
        pass
    except KeyboardInterrupt:
        return 130
    return 0


def choose(args: argparse.Namespace, texts: Texts) -> list[Puzzle]:
    """Return the puzzles to be asked: one by its id or its day, else all of the game in any order."""
    if args.id is not None:
        return [puzzles.find(args.id)]
    if args.day is not None:
        return [puzzles.of_the_day(read_day(args.day, texts), args.game)]
    games = [args.game] if args.game else [name for name in discovery.installed() if puzzles.collection(name)]
    found = [puzzle for name in games for puzzle in puzzles.collection(name)]
    if not found:
        raise BadOption(texts("puzzle.none", game=args.game))
    return random.sample(found, len(found))


def read_day(text: str, texts: Texts) -> datetime.date:
    """Read a date such as 2026-11-16."""
    if text == TODAY:
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BadOption(texts("puzzle.no_date", text=repr(text))) from None


class PuzzleSession:
    """Somebody who solves puzzles at a terminal."""

    def __init__(self, texts: Texts, screen: Screen) -> None:
        self.texts, self.screen = texts, screen
        self.keyboard = Keyboard(screen)
        self.asked = self.solved = self.streak = 0

    def ask_all(self, wanted: Iterable[Puzzle]) -> None:
        """Ask puzzles until there are no more or the person stops."""
        for puzzle in wanted:
            if self.asked and self._command(self.keyboard.read(self.texts("puzzle.next"))) == "quit":
                return
            if not self.ask(puzzle):
                return
        if self.asked > 1:
            self._say(self.texts("puzzle.last"))

    def ask(self, puzzle: Puzzle) -> bool:
        """Ask one puzzle and tell whether the answer is right; return False where the person stops instead."""
        position = puzzle.position()
        seen = position.seen_by(puzzle.seat)
        words = Words(position.game, position.seats, self.texts.language)
        display = Display(position, words, self.texts, self.screen)
        choices = Choices(position.game, position.moves(puzzle.seat), seen)
        told = retell(position, words, [puzzle.seat]).since(puzzle.seat, last_decision(position, puzzle.seat))
        facts = {"id": puzzle.id, "game": words.title, "difficulty": puzzle.difficulty, "seat": words.seat(puzzle.seat)}
        everything = Group(
            "",
            display.sentence(self.texts("puzzle.title", **facts), "bold"),
            "",
            display.picture(seen, puzzle.seat),
            *(display.sentence(line) for _, line in told[-NEWS:]),
            display.question(puzzle.seat, position.phase, choices),
        )
        self.screen.print(everything)
        while True:
            typed = self.keyboard.read(words.seat(puzzle.seat), [move.text for move in choices.moves])
            found = choices.find(typed, words)
            match "" if len(found) == 1 else self._command(typed):
                case "quit":
                    return False
                case "rules":
                    self.screen.page(rules_page(load_help(position.game.extras, self.texts.language)))
                case "show":
                    self.screen.print(everything)
                case _ if len(found) == 1:
                    self._judge(puzzle, found[0], words, display)
                    return True
                case _ if found:
                    some = ", ".join(move.text for move in found[:6]) + (", …" if len(found) > 6 else "")
                    self._say(self.texts("play.ambiguous", typed=repr(typed), moves=some))
                case _:
                    self._say(self.texts("puzzle.not_possible", typed=repr(typed)))

    def _judge(self, puzzle: Puzzle, move: Move, words: Words, display: Display) -> None:
        """Tell whether a move is right, what it costs, and why another is better."""
        right = puzzle.is_right(move)
        self.asked += 1
        self.solved += right
        self.streak = self.streak + 1 if right else 0
        seen = puzzle.position().seen_by(puzzle.seat)
        numbers = {
            "chance": percent(puzzle.chance, self.texts),
            "left": percent(puzzle.verdicts[str(move)], self.texts),
            "cost": percent(puzzle.cost(move), self.texts),
        }
        named = [words.move(seen.game.moves.parse(text), seen) for text in puzzle.solutions]
        lines = [self.texts("puzzle.right" if right else "puzzle.wrong", **numbers)]
        if not right or len(named) > 1:
            lines.append(self.texts("puzzle.best", moves=" · ".join(named)))
        lines.append(self.texts("puzzle.reason", reason=puzzle.reason(self.texts.language)))
        later = [f"{words.seat(seat)}: {words.move(one)}" for seat, one in puzzle.steps()]
        if len(later) > 1:
            lines.append(self.texts("puzzle.line", line=" · ".join(later)))
        themes = ", ".join(puzzles.theme_name(puzzle.game, theme, self.texts.language) for theme in puzzle.themes)
        lines.append(self.texts("puzzle.themes", themes=themes))
        lines.append(self.texts("puzzle.streak", streak=self.streak, solved=self.solved, asked=self.asked))
        for line, style in zip(lines, ["bold green" if right else "bold red", *[""] * len(lines)], strict=False):
            self.screen.print(display.sentence(line, style), soft_wrap=True)

    def _command(self, typed: str) -> str:
        """Return the name of the command that was typed, or none. An empty line is the command `show`."""
        commands = self.texts.table["commands"]
        return next((name for name, spellings in commands.items() if typed.lower() in spellings.split()), "") if typed else "show"

    def _say(self, sentence: str) -> None:
        self.screen.print(sentence, soft_wrap=True)
