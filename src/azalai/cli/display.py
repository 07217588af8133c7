"""How a game looks in the terminal: the picture, the news, the question with its answers, the log, the result."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from azalai.cli.screen import Screen, paint, seat_style
from azalai.cli.texts import Texts

if TYPE_CHECKING:
    from azalai.cli.choices import Choices, Line
    from azalai.cli.story import Told, Viewer
    from azalai.engine.position import Position
    from azalai.engine.words import Words

SHORT_LIST = 8  # more answers than this are listed in columns
LONG_LIST = 20  # more than this are put together where they can
NUMBER = "bold cyan"  # what one types
LEAST_NEWS = 5  # so many lines of what happened are shown even where the picture then scrolls off
PICTURE = 100  # columns a game's picture has at most
GAP = 3  # columns between it and what stands beside it
ASIDE = 40  # the news stand beside the picture where so many columns are free there


class Display:
    """Shows one game to people at one screen."""

    def __init__(self, position: Position, words: Words, texts: Texts, screen: Screen) -> None:
        self.words = words
        self.texts = texts
        self.screen = screen
        self.draw: Callable[[Position, Viewer, Words], RenderableType] = importlib.import_module(
            f"{position.game.package}.extras.terminal"
        ).draw
        self.styles = {words.seat(seat): f"bold {seat_style(label)}" for seat, label in enumerate(words.seat_labels)}

    def picture(self, position: Position, viewer: Viewer) -> RenderableType:
        """The board as a viewer sees it."""
        return self.draw(position, viewer, self.words)

    def sentence(self, text: str, style: str = "") -> Text:
        """A sentence with the seats' names in their colours."""
        return paint(text, self.styles, style)

    def question(self, seat: int, phase: str, choices: Choices) -> RenderableType:
        """What a seat is asked, and what it can answer."""
        name = self.words.seat(seat)
        question = self.words.phase(phase) if choices.position is None else self.words.question(choices.position)
        asked = Text.assemble((name, self.styles[name]), "  ", (question, "bold"))
        return Group(asked, self._list(choices))

    def _list(self, choices: Choices) -> RenderableType:
        lines = choices.lines
        parts: list[RenderableType] = []
        if len(lines) > LONG_LIST:
            for kind in dict.fromkeys(line.moves[0].name for line in lines):
                crossed = [line for line in lines if line.moves[0].name == kind]
                if len(crossed) > SHORT_LIST and all(len(line.moves) == 1 and len(line.moves[0].args) == 2 for line in crossed):
                    parts.append(self._crossed(crossed))
                    lines = [line for line in lines if line not in crossed]
        if lines:
            parts.append(self._rows(lines, choices.position))
        return Padding(Group(*parts), (0, 0, 0, 2), expand=False)

    def _rows(self, lines: Sequence[Line], position: Position | None) -> RenderableType:
        """A row for each answer: its number, what it does and how it is written; in columns where there are many."""
        numbers = [str(line.first) if len(line.moves) == 1 else f"{line.first}–{line.last}" for line in lines]
        phrases = [self._phrase(line, position) for line in lines]
        width, longest = max(map(len, numbers)), max(phrase.cell_len for phrase in phrases)
        rows = [Text.assemble((number.rjust(width), NUMBER), "  ", phrase) for number, phrase in zip(numbers, phrases)]
        if len(rows) > SHORT_LIST:
            return Columns(rows, column_first=True, padding=(0, 3))
        for row, phrase, line in zip(rows, phrases, lines):
            row.append(" " * (longest - phrase.cell_len + 3) + line.text, "dim")
        return Group(*rows)

    def _crossed(self, lines: Sequence[Line]) -> RenderableType:
        """Answers of one kind that name two things, such as a camel and a place: a table of numbers."""
        moves = {line.first: line.moves[0] for line in lines}
        kind = self.words.game.moves.kinds[lines[0].moves[0].name]
        values = {arg: sorted({move.args[arg] for move in moves.values()}) for arg, _ in kind.args}
        down, across = sorted(kind.args, key=lambda arg: -len(values[arg[0]]))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
        table.add_column(Text(self.words.game.moves.pattern(kind.name), "dim"))
        for value in values[across[0]]:
            table.add_column(Text(self.words.name(across[1], value)), justify="right")
        for row in values[down[0]]:
            cells = [
                next((str(n) for n, move in moves.items() if move.args == {down[0]: row, across[0]: column}), "")
                for column in values[across[0]]
            ]
            table.add_row(Text(self.words.name(down[1], row)), *(Text(cell, NUMBER) for cell in cells))
        return table

    def _phrase(self, line: Line, position: Position | None) -> Text:
        ends = [line.moves[0]] if len(line.moves) == 1 else [line.moves[0], line.moves[-1]]
        return self.sentence(" … ".join(self.words.move(move, position) for move in ends))

    def together(
        self, picture: RenderableType, older: Sequence[Text], news: Sequence[Text], question: RenderableType
    ) -> RenderableType:
        """Picture, news and question so that the terminal holds them. Where it is wide, the log stands beside the picture."""
        width, height = self.screen.size
        picture_height = self._height(Constrain(picture, PICTURE))
        room = width - PICTURE - GAP
        if room >= ASIDE:
            beside = Table.grid()
            beside.add_column(width=PICTURE)
            beside.add_column(width=GAP)
            beside.add_column(width=room)
            beside.add_row(picture, "", Group(*self._latest([*older, *news], picture_height, room)))
            return Group(beside, Text(), question)
        free = height - picture_height - self._height(question) - 3
        return Group(picture, Text(), *self._latest(news, max(LEAST_NEWS, free), width), Text(), question)

    def _height(self, content: RenderableType) -> int:
        return len(self.screen.render_lines(content, pad=False))

    def _latest(self, news: Sequence[Text], most: int, width: int) -> list[Text]:
        """The last lines, as many as fit, with a word about those that do not."""
        heights = [len(line.wrap(self.screen, width)) for line in news]
        left_out = 0
        while sum(heights[left_out:]) + bool(left_out) > most:
            left_out += 1
        kept = list(news[left_out:])
        return [Text(self.texts("play.earlier", lines=left_out), "dim italic"), *kept] if left_out else kept

    def log(self, lines: Sequence[Told]) -> RenderableType:
        """What was told, each decision with its number."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(justify="right")
        before = -1
        for chapter, line in lines:
            grid.add_row(Text(str(chapter) if chapter != before else "", "dim"), self.sentence(line))
            before = chapter
        return grid

    def result(self, position: Position, player: Callable[[int], str] | None = None) -> RenderableType:
        """How the game ended and who won; `player` names who sat on a seat, where that is known."""
        scores, ranking = position.scores, position.ranking
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
        table.add_column(self.texts("result.place"), justify="right")
        table.add_column(self.texts("result.seat"))
        table.add_column(self.texts("result.points"), justify="right")
        if player is not None:
            table.add_column(self.texts("result.player"))
        for seat in sorted(range(position.seats), key=lambda seat: (ranking[seat], seat)):
            who = [] if player is None else [player(seat)]
            table.add_row(f"{ranking[seat]}.", self.sentence(self.words.seat(seat)), str(scores[seat]), *who)
        end = self.sentence(self.words.ending(position))
        return Group(Text(), end, self._winners(ranking), Padding(table, (1, 0, 1, 2), expand=False))

    def _winners(self, ranking: Sequence[int]) -> Text:
        winners = [self.words.seat(seat) for seat, place in enumerate(ranking) if place == 1]
        if len(winners) == 1:
            return self.sentence(self.texts("result.wins", seat=winners[0]), "bold")
        return self.sentence(self.texts("result.share", others=", ".join(winners[:-1]), last=winners[-1]), "bold")
