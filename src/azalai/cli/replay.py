"""`azalai replay`: a recorded game, retold."""

from __future__ import annotations

import argparse

from rich.console import Group, RenderableType
from rich.text import Text

import azalai
from azalai.cli.display import Display
from azalai.cli.keyboard import Keyboard
from azalai.cli.screen import open_screen
from azalai.cli.story import moments, retell
from azalai.cli.texts import Texts
from azalai.engine.errors import BadOption
from azalai.engine.position import Position
from azalai.engine.words import Words

LINES_BEFORE = 12  # how much of what happened is told with a single picture


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Retell a game: all at once, step by step, or one moment of it."""
    replay = Replay(azalai.load(args.file), texts)
    if args.at is not None:
        replay.show_moment(args.at)
    elif args.step:
        replay.walk()
    else:
        replay.tell()
    return 0


class Replay:
    """A game from its record. A finished one has no secrets left; of a running one a spectator's view is shown."""

    def __init__(self, position: Position, texts: Texts) -> None:
        self.position = position
        self.texts = texts
        self.words = Words(position.game, position.seats, texts.language)
        self.screen = open_screen()
        self.display = Display(position, self.words, texts, self.screen)
        self.story = retell(position, self.words, [None], whole=position.over)

    def tell(self) -> None:
        """The whole log, then the last picture and the result."""
        self.screen.page(Group(self._heading(), Text(), self.display.log(self.story.since(None, 0)), Text()))
        self.screen.print(self._picture(self.position))
        self._tell_end()

    def show_moment(self, number: int) -> None:
        """The picture after so many decisions, what led there, and what was decided next."""
        if number > self.position.ply:
            raise BadOption(self.texts("error.no_such_ply", number=number, last=self.position.ply))
        moment = next(moment for moment in moments(self.position) if moment.ply == number)
        lines = [line for line in self.story.since(None, 0) if line[0] <= number]
        self.screen.print(self._heading(), "", self._picture(moment), "", self.display.log(lines[-LINES_BEFORE:]), sep="\n")
        if number < self.position.ply:
            seat, move = self.position.history[number]
            choice = self.texts("replay.next", seat=self.words.seat(seat), move=self.words.move(move, moment))
            self.screen.print(Text(), self.display.sentence(choice, "italic"), sep="\n")
        else:
            self._tell_end()

    def walk(self) -> None:
        """Picture by picture, forwards and backwards; without a terminal, all of them in a row."""
        keyboard = Keyboard(self.screen)
        stops = [moment.ply for moment in moments(self.position) if not moment.unfinished]
        moment = next(moments(self.position))
        stop = 0
        while stop < len(stops):
            go_to(moment, self.position, stops[stop])
            before = stops[stop - 1] if stop else -1
            told = [line for line in self.story.since(None, 0) if line[0] <= moment.ply]
            if keyboard.interactive:
                older = [self.display.sentence(line, "dim") for number, line in told if number <= before]
                news = [self.display.sentence(line) for number, line in told if number > before]
                self.screen.clear()
                self.screen.print(self.display.together(self._picture(moment), older, news, self._heading()))
            else:
                self.screen.print(
                    "", self._picture(moment), self.display.log([line for line in told if line[0] > before]), sep="\n"
                )
            if moment.ply == self.position.ply:
                self._tell_end()
            stop = self._next_stop(keyboard, stops, stop) if keyboard.interactive else stop + 1

    def _next_stop(self, keyboard: Keyboard, stops: list[int], stop: int) -> int:
        """Where a person wants to go; after the last stop, it is over."""
        try:
            typed = keyboard.read(self.texts("replay.prompt", ply=stops[stop], last=stops[-1])).lower()
        except EOFError:
            return len(stops)
        if typed in self.texts("replay.quit_keys").split():
            return len(stops)
        if typed in self.texts("replay.back_keys").split():
            return max(0, stop - 1)
        if typed.isdecimal():
            return max(number for number, ply in enumerate(stops) if ply <= int(typed))
        return stop + 1

    def _picture(self, moment: Position) -> RenderableType:
        return self.display.picture(moment if self.position.over else moment.seen_by(None), None)

    def _heading(self) -> Text:
        options = "".join(f" · {name}: {value}" for name, value in self.position.options.items())
        facts = self.texts("replay.facts", seats=self.position.seats, seed=self.position.seed, decisions=self.position.ply)
        return Text.assemble((self.words.title, "bold"), f" · {facts}{options}")

    def _tell_end(self) -> None:
        if self.position.over:
            self.screen.print(self.display.result(self.position))
        else:
            seat = self.words.seat(self.position.seat)
            self.screen.print(Text(), self.display.sentence(self.texts("replay.running", seat=seat), "italic"), sep="\n")


def go_to(moment: Position, whole: Position, ply: int) -> None:
    """Move to the position after `ply` decisions of the `whole` game."""
    while moment.ply > ply:
        moment.undo()
    while moment.ply < ply:
        seat, move = whole.history[moment.ply]
        moment.play(move, seat)
