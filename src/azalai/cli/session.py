"""One game at the terminal: who sits where, whose turn it is, and what people ask for besides moves."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from azalai.bots import LEVELS
from azalai.bots.levels import level_name
from azalai.cli import saves
from azalai.cli.choices import Choices
from azalai.cli.display import Display
from azalai.cli.keyboard import Keyboard
from azalai.cli.screen import Screen, rules_page
from azalai.cli.story import Viewer, retell
from azalai.cli.texts import Texts
from azalai.engine.errors import AzalaiError
from azalai.engine.words import Words, load_help

if TYPE_CHECKING:
    from azalai.bots import Player
    from azalai.engine.moves import Move
    from azalai.engine.position import Position

WIDTH, HEIGHT = 100, 40  # of a window that holds picture, news and question


class Leave(Exception):
    """A person gets up from the table."""


class TerminalSession:
    """A game with people and bots around it."""

    def __init__(
        self, position: Position, words: Words, texts: Texts, screen: Screen, bots: Mapping[int, tuple[str, Player]], path: Path
    ) -> None:
        self.position = position
        self.words = words
        self.texts = texts
        self.screen = screen
        self.display = Display(position, words, texts, screen)
        self.keyboard = Keyboard(screen)
        self.bots = bots
        self.humans = [seat for seat in range(position.seats) if seat not in bots]
        self.story = retell(position, words, self.humans or [None])
        self.news_from: dict[Viewer, int] = {viewer: last_decision(position, viewer) for viewer in self.story.chapters}
        self.notices: list[str] = []  # what is to be said with the next picture
        self.typed_ahead: list[str] = []  # answers to the next questions, typed already
        self.shown = -1  # after how many decisions something was shown last
        self.looking: int | None = None  # the person who has the screen
        self.thinking = screen.status("")  # what stands there while a bot thinks
        self.hurry = False  # a spectator wants to see the end
        self.path = path  # where the game is kept without being asked
        self.own_files = {path}  # what may be written over

    def play(self) -> int:
        """Play until the game is over or a person leaves; the exit status."""
        try:
            self._greet()
            while not self.position.over:
                asked = self.position.pending  # bots answer first where several are asked, so that a person can still take back
                seat = next((seat for seat in asked if seat in self.bots), asked[0])
                if seat in self.bots:
                    self._bot_decides(seat)
                else:
                    self._person_decides(seat)
            self._finish()
        except (EOFError, Leave):
            self._leave()
        except KeyboardInterrupt:
            self._leave()
            return 130
        finally:
            self.thinking.stop()
        return 0

    def _greet(self) -> None:
        players = ", ".join(f"{self.words.seat(seat)}: {self._player(seat)}" for seat in range(self.position.seats))
        self.notices.append(self.texts("play.greeting", game=self.words.title, players=players))
        width, height = self.screen.size
        if self.keyboard.interactive and (width < WIDTH or height < HEIGHT):
            self.notices.append(self.texts("play.small", width=WIDTH, height=HEIGHT))
        if not self.humans and not self.position.over:
            self._spectator_looks()

    def _player(self, seat: int) -> str:
        """Who sits on a seat."""
        if seat not in self.bots:
            return self.texts("play.you" if len(self.humans) == 1 else "play.person")
        name, _ = self.bots[seat]
        return f"{level_name(int(name), self.texts.language)} ({name})" if name in LEVELS else name

    # ------------------------------------------------------------ decisions

    def _decide(self, seat: int, move: Move, note: str = "") -> None:
        self.position.play(move, seat)
        self.story.add(self.position, note)

    def _bot_decides(self, seat: int) -> None:
        _, bot = self.bots[seat]
        if self.keyboard.interactive:
            self.thinking.update(self.texts("play.thinking", seat=self.words.seat(seat)))
            self.thinking.start()
        self._decide(seat, bot.choose(self.position.seen_by(seat)))
        if not self.humans:
            self._spectator_looks()

    def _person_decides(self, seat: int) -> None:
        moves = self.position.moves(seat)
        if len(moves) == 1:
            self._decide(seat, moves[0], self.texts("play.only_move", move=self.words.move(moves[0])))
            return
        self._pass_screen_to(seat)
        choices = Choices(self.position.game, moves, self.position.seen_by(seat))
        if not self.typed_ahead:
            self._show(seat, choices)
        ply = self.position.ply
        while self.position.ply == ply:  # until something is decided or taken back
            move = self._understand(self._next_answer(seat, choices), seat, choices)
            if move is not None:
                if not self.position.unfinished or not self.keyboard.interactive:
                    self.news_from[seat] = ply + 1
                self._decide(seat, move)
                if self.position.revealed or seat not in self.position.pending:
                    self.typed_ahead.clear()  # what was meant for a question that nobody could foresee
        self._keep()

    def _next_answer(self, seat: int, choices: Choices) -> str:
        """What is answered next: what was typed ahead after a comma, or else what is typed now."""
        if not self.typed_ahead:
            typed = self.keyboard.read(self.words.seat(seat), [move.text for move in choices.moves])
            self.typed_ahead = [typed] if self._command(typed)[0] else [answer.strip() for answer in typed.split(",")]
        return self.typed_ahead.pop(0)

    def _understand(self, typed: str, seat: int, choices: Choices) -> Move | None:
        """The move that was typed; or None, once a command has been carried out or it was said what is wrong."""
        found = choices.find(typed, self.words)
        command, argument = self._command(typed)
        if command and (not argument or (command == "save" and len(found) != 1)):
            self._obey(command, argument, seat, choices)
            return None
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(move.text for move in found[:6]) + (", …" if len(found) > 6 else "")
            self._refuse(self.texts("play.ambiguous", typed=repr(typed), moves=some), seat, choices)
        else:
            self._refuse(self.texts("play.not_possible", typed=repr(typed)), seat, choices)
        return None

    def _refuse(self, why: str, seat: int, choices: Choices) -> None:
        """Say what was wrong with an answer; with the question, if that was answered ahead and never shown."""
        self.typed_ahead.clear()
        if self.shown == self.position.ply:
            self._say(why)
        else:
            self.notices.append(why)
            self._show(seat, choices)

    def _pass_screen_to(self, seat: int) -> None:
        """Where several people share the screen and one knows more than another, cover it until the right one looks."""
        if seat != self.looking and self.keyboard.interactive and self._secrets():
            self.thinking.stop()
            self.screen.wipe()
            self.screen.print(Padding(self.display.sentence(self.texts("play.pass_screen", seat=self.words.seat(seat))), (2, 4)))
            self.keyboard.read(self.texts("play.enter"))
        self.looking = seat

    def _secrets(self) -> bool:
        first, *others = self.humans
        known, told = self.position.seen_by(first).tobytes(), self.story.chapters[first]
        return any(self.position.seen_by(seat).tobytes() != known or self.story.chapters[seat] != told for seat in others)

    # ------------------------------------------------------------ showing

    def _show(self, viewer: Viewer, choices: Choices | None = None) -> None:
        """The picture, what happened since the viewer's last turn, and what there is to decide."""
        self.thinking.stop()
        told = self.story.since(viewer, 0)
        older = [self.display.sentence(line, "dim") for number, line in told if number < self.news_from[viewer]]
        news = [self.display.sentence(line) for number, line in told if number >= self.news_from[viewer]]
        news += [self.display.sentence(notice, "italic") for notice in self.notices]
        self.notices.clear()
        self.shown = self.position.ply
        question = Group() if choices is None else self.display.question(viewer or 0, self.position.phase, choices)
        picture = self.display.picture(self.position.seen_by(viewer), viewer)
        if self.keyboard.interactive:
            self.screen.clear()
            self.screen.print(self.display.together(picture, older, news, question))
        else:  # a transcript, where nothing need be repeated within a move
            self.screen.print(Group(*([] if self.position.unfinished else ["", picture]), *news, question))

    def _spectator_looks(self) -> None:
        """Between the turns of bots among themselves."""
        if not self.keyboard.interactive:
            for _, line in self.story.since(None, self.news_from[None]):
                self._say(line)
        elif self.hurry or self.position.unfinished or self.position.over:
            return
        else:
            self._show(None)
            while not self.hurry and (typed := self.keyboard.read(self.texts("play.spectator"))):
                if typed.lower() in self.texts("play.to_the_end").split():
                    self.hurry = True
                else:
                    self._obey(*self._command(typed), None, None)
        self.news_from[None] = self.position.ply + 1

    def _finish(self) -> None:
        viewer = self.looking if self.looking is not None else next(iter(self.story.chapters))
        self._show(viewer)
        self.screen.print(self.display.result(self.position, self._player))
        if self._keep():
            command = shlex.join(["azalai", "replay", str(self.path)])
            self._say(self.texts("play.finished", seed=self.position.seed, file=self.path, command=command))

    def _say(self, sentence: str) -> None:
        self.screen.print(self.display.sentence(sentence), soft_wrap=True)

    # ------------------------------------------------------------ commands

    def _command(self, typed: str) -> tuple[str, str]:
        """The name of the command that was typed, or none, and what follows it. An empty line is the command `show`."""
        word, _, argument = typed.partition(" ")
        commands = self.texts.table["commands"]
        name = next((name for name, spellings in commands.items() if word.lower() in spellings.split()), "")
        return (name, argument.strip()) if typed else ("show", "")

    def _obey(self, command: str, argument: str, viewer: Viewer, choices: Choices | None) -> None:
        match command:
            case "quit":
                raise Leave
            case "undo":
                self._take_back(viewer)
            case "save":
                self._save(argument)
            case "log":
                self.screen.page(self.display.log(self.story.since(viewer, 0)))
            case "rules":
                self.screen.page(rules_page(load_help(self.position.game.extras, self.texts.language)))
            case "show":
                self._show(viewer, choices)
            case _:
                self._help()

    def _help(self) -> None:
        grid = Table.grid(padding=(0, 2))
        for name, spellings in self.texts.table["commands"].items():
            keys = "  ".join(spellings.split()) + (f" {self.texts('help.file')}" if name == "save" else "")
            grid.add_row(Text(keys, "bold"), self.texts(f"help.{name}"))
        self.screen.print(self.texts("help.moves"), Padding(grid, (0, 2)))

    def _take_back(self, viewer: Viewer) -> None:
        steps = steps_back(self.position, viewer)
        if not steps:
            own = self.position.last is not None and self.position.last[0] == viewer
            self._say(self.texts("play.revealed" if own else "play.nothing_to_undo"))
            return
        for _ in range(steps):
            move = self.position.undo()
            self.story.take_back()
        self.news_from[viewer] = last_decision(self.position, viewer)
        self.notices.append(self.texts("play.undone", move=self.words.move(move)))

    def _save(self, name: str) -> None:
        path = Path(name).expanduser() if name else self.path
        if path.exists() and path not in self.own_files:
            answer = self.keyboard.read(self.texts("play.overwrite", file=path))
            if answer.lower() not in self.texts("play.yes").split():
                self._say(self.texts("play.not_saved"))
                return
        if self._write(path):
            self.own_files.add(path)
            self._say(self.texts("play.saved", file=path))

    def _leave(self) -> None:
        self.thinking.stop()
        if self._keep():
            again = ["azalai", "play", "--load", str(self.path)]
            again += ["--you", ",".join(self.words.seat_labels[seat] for seat in self.humans) or "none"]
            again += ["--bots", ",".join(name for name, _ in self.bots.values())] if self.bots else []
            self._say("\n" + self.texts("play.left", file=self.path, command=shlex.join(again)))

    def _keep(self) -> bool:
        """Save without being asked."""
        return self._write(self.path)

    def _write(self, path: Path) -> bool:
        try:
            saves.write(self.position, path)
        except AzalaiError as error:
            self._say(str(error))
            return False
        return True


def last_decision(position: Position, viewer: Viewer) -> int:
    """The number of a viewer's last decision, from which on there is news for him: 0 where there is none yet."""
    own = [number for number, (seat, _) in enumerate(position.history, 1) if seat == viewer]
    return own[-1] if own else 0 if viewer is not None else position.ply


def steps_back(position: Position, seat: Viewer) -> int:
    """How many decisions a seat must take back to be asked again: 0 where that cannot be.

    Never another seat's decision, nor one that brought something to light. Decisions that had one answer only go back too.
    """
    earlier = position.copy()
    steps = 0
    while earlier.takes_back and earlier.last is not None and earlier.last[0] == seat:
        earlier.undo()
        steps += 1
        if len(earlier.move_ids(seat)) > 1:
            return steps
    return 0
