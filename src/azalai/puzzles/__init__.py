"""Puzzles: positions with one clear best decision, mined from games of computer players by `python -m tools.puzzles`.

A game's puzzles lie in its `extras/puzzles.jsonl`, one a line; a game without the file has none.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import azalai
from azalai.engine import discovery
from azalai.engine.errors import BadOption, brief
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.record import from_record
from azalai.engine.words import MessageCatalog, Words
from azalai.reviews.explain import explain

FILE = "puzzles.jsonl"
WORDS = Path(__file__).resolve().parent  # the folder of the words for themes that every game has


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A decision to find. Chances are the seat's chances to win, judged from what it knows."""

    id: str
    game: str
    record: dict[str, Any]  # the game up to the decision
    seat: int  # whose decision it is
    solutions: tuple[str, ...]  # the moves that are right, the best first
    chance: float  # after the best move
    verdicts: Mapping[str, float]  # the chance after every legal move, the best first
    themes: tuple[str, ...]
    difficulty: int  # a rating on the scale of the game's ladder
    line: tuple[str, ...]  # the expected continuation from the best move on, written as in a record

    def position(self) -> Position:
        """Replay the game up to the decision. Show people `position().seen_by(seat)`."""
        return from_record(self.record, azalai.game)

    def steps(self) -> tuple[tuple[int, Move], ...]:
        """Return the line as seats and moves."""
        here, found = self.position(), []
        for text in self.line:
            written, _, named = text.partition(" @")
            seat, move = int(named) if named else here.seat, here.game.moves.parse(written)
            found.append((seat, move))
            here.play(move, seat)
        return tuple(found)

    def reason(self, language: str) -> str:
        """Return why the best move is good, as a phrase in a language: what its line brings."""
        seen = self.position().seen_by(self.seat)
        return explain(seen, self.steps(), Words(seen.game, seen.seats, language))

    def is_right(self, move: Move | str) -> bool:
        """Whether a move solves the puzzle."""
        return str(move) in self.solutions

    def cost(self, move: Move | str) -> float:
        """Return the chance to win that a legal move gives away."""
        return 0.0 if self.is_right(move) else max(0.0, self.chance - self.verdicts[str(move)])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Puzzle:
        """Make a puzzle of its `as_dict`."""
        lists = {name: tuple(data[name]) for name in ("solutions", "themes", "line")}
        return cls(**{**data, **lists})


def puzzle_id(record: Mapping[str, Any], seat: int) -> str:
    """Return the id of a puzzle: its game and a short hash of how its position came about."""
    said = json.dumps([record[key] for key in ("game", "rules", "seats", "options", "seed", "moves")] + [seat], sort_keys=True)
    return f"{record['game']}-{hashlib.sha256(said.encode()).hexdigest()[:6]}"


@functools.cache
def collection(game: str) -> tuple[Puzzle, ...]:
    """Return all puzzles of a game; none where it has no file of them."""
    path = discovery.find(game).extras / FILE
    if not path.exists():
        return ()
    return tuple(Puzzle.read(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())


def find(id: str) -> Puzzle:
    """Return a puzzle by its id; raise BadOption where there is none."""
    game = id.rpartition("-")[0]
    found = next((one for one in collection(game) if one.id == id), None) if game in discovery.installed() else None
    if found is None:
        raise BadOption(f"there is no puzzle {brief(id)}")
    return found


def of_the_day(day: datetime.date, game: str | None = None) -> Puzzle:
    """Return the puzzle of a day, the same for everybody: of a game or, without one, of all games in turn."""
    number = day.toordinal()
    if game is None:
        games = [name for name in discovery.installed() if collection(name)]
        if not games:
            raise BadOption("there are no puzzles")
        number, index = divmod(number, len(games))
        game = games[index]
    puzzles = collection(game)
    if not puzzles:
        raise BadOption(f"there are no puzzles of {game}")
    turn, index = divmod(number, len(puzzles))  # each comes once before one comes again
    order = random.Random(f"{game}/{turn}").sample(range(len(puzzles)), len(puzzles))
    return puzzles[order[index]]


def theme_name(game: str, theme: str, language: str) -> str:
    """Return what a theme is called: by the game's words, or by those of all games."""
    own = MessageCatalog(discovery.find(game).extras, language)
    return own.find(f"theme.{theme}") or MessageCatalog(WORDS, language)(f"theme.{theme}")
