"""The moves a person can choose from: numbered, listed, and found again from what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from azalai.engine.game import Game
    from azalai.engine.moves import Move
    from azalai.engine.position import Position
    from azalai.engine.words import Words

LONGEST_RUN = 4  # more moves in a row that differ only by a number are listed as one line


@dataclass(frozen=True)
class Line:
    """One line of the list: a single move, or a run of moves that differ by a number."""

    first: int  # the number to type for its first move
    moves: tuple[Move, ...]

    @property
    def last(self) -> int:
        """The number to type for its last move."""
        return self.first + len(self.moves) - 1

    @property
    def text(self) -> str:
        """How it is written as short text: `to c4`, `camels 1–12`."""
        first = self.moves[0].text
        return first if len(self.moves) == 1 else f"{first}–{self.moves[-1].text.split()[-1]}"


class Choices:
    """The legal moves of one decision. What is shown beside a move is what one types."""

    def __init__(self, game: Game, moves: Sequence[Move], position: Position | None = None) -> None:
        self.game = game
        self.position = position  # what the one who chooses sees, if words shall depend on it
        runs = _runs(game, moves)
        amounts = [run for run in runs if len(game.moves.kinds[run[0].name].args) == 1 and _counts(game, run[0])]
        self.lines: list[Line] = []
        number = 1
        if len(amounts) == 1:  # a question "how many?": numbers mean what they say, and the other answers come after
            first = _last_value(amounts[0][0])
            number = first + len(amounts[0])
            self.lines.append(Line(first, amounts[0]))
            runs.remove(amounts[0])
        for run in runs:
            for moves_of_line in [run] if len(run) > LONGEST_RUN else [(move,) for move in run]:
                self.lines.append(Line(number, moves_of_line))
                number += len(moves_of_line)
        self.by_number = {line.first + i: move for line in self.lines for i, move in enumerate(line.moves)}

    @property
    def moves(self) -> list[Move]:
        """All moves, as listed."""
        return list(self.by_number.values())

    def find(self, typed: str, words: Words) -> list[Move]:
        """The moves that `typed` can mean: one if it is clear, none if it is no move here.

        It is a number of the list, or the move's short text (`to c4`), whose words may be shortened and whose first may be left
        out, or some words of the phrase in the list, in their order.
        """
        tokens = typed.lower().split()
        if not tokens:
            return []
        if len(tokens) == 1 and tokens[0].isdecimal():
            move = self.by_number.get(int(tokens[0]))
            return [] if move is None else [move]
        texts = {move: move.text.lower().split() for move in self.moves}
        for readings in (texts, {move: text[1:] for move, text in texts.items()}):
            found = {move: _likeness(tokens, text) for move, text in readings.items() if len(tokens) == len(text)}
            best = max(found.values(), default=0)
            if best:
                return [move for move, likeness in found.items() if likeness == best]
        return [move for move in self.moves if _mentions(words.move(move, self.position).lower().split(), tokens)]


def _counts(game: Game, move: Move) -> bool:
    """Whether the last argument of a move is a plain number."""
    args = game.moves.kinds[move.name].args
    return bool(args) and all(label.isdecimal() for label in args[-1][1].labels)


def _last_value(move: Move) -> int:
    return list(move.args.values())[-1]


def _runs(game: Game, moves: Sequence[Move]) -> list[tuple[Move, ...]]:
    """Moves that follow each other and differ only by a number that counts up, put together."""
    runs: list[list[Move]] = []
    for move in moves:
        before = runs[-1][-1] if runs else None
        if (
            before is not None
            and before.name == move.name
            and _counts(game, move)
            and list(before.args.values())[:-1] == list(move.args.values())[:-1]
            and _last_value(move) == _last_value(before) + 1
        ):
            runs[-1].append(move)
        else:
            runs.append([move])
    return [tuple(run) for run in runs]


def _likeness(tokens: Sequence[str], text: Sequence[str]) -> int:
    """How well typed words fit a move's: 0 not at all, else more for whole words than for shortened ones."""
    likeness = 1
    for token, word in zip(tokens, text):
        if token == word:
            likeness += 1
        elif token.isdecimal() or not word.startswith(token):
            return 0
    return likeness


def _mentions(phrase: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether the tokens, perhaps shortened, stand in the phrase in this order."""
    rest = iter(word.strip(".,:;!?()„“\"'") for word in phrase)
    return all(any(word == token or (not token.isdecimal() and word.startswith(token)) for word in rest) for token in tokens)
