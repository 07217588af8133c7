"""Azalai: four desert board games to play, to study and to compute with.

>>> import azalai
>>> game = azalai.game(azalai.games()[0])
>>> position = game.new(seats=2, seed=7)
>>> move = position.moves()[0]
>>> events = position.play(move)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from azalai.engine import discovery as _discovery
from azalai.engine.errors import AzalaiError, BadOption, BadRecord, IllegalMove, UnknownGame

if TYPE_CHECKING:
    import datetime
    import os
    from collections.abc import Mapping

    from azalai.bots import Player
    from azalai.engine.game import Game
    from azalai.engine.position import Position
    from azalai.puzzles import Puzzle
    from azalai.reviews.review import Review

__version__ = "0.1.0"
__all__ = [
    "AzalaiError",
    "BadOption",
    "BadRecord",
    "IllegalMove",
    "UnknownGame",
    "bot",
    "game",
    "games",
    "load",
    "make",
    "puzzle",
    "review",
    "save",
]


import_module("azalai.games")  # once, here: a later first import would put the package in the place of the function `games`


def games() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(_discovery.installed())


def game(name: str, components: str | os.PathLike[str] | Mapping[str, Any] | None = None) -> Game:
    """A game by its name. On a machine that has not compiled it yet, its rules are interpreted until that is done.

    `components` makes a variant: tables, or a file, with some of the values of the game's `components.toml` changed.
    """
    _discovery.find(name)  # an unknown game is refused before anything is imported
    from azalai.engine.compile import use_compiled
    from azalai.engine.components import read_changes
    from azalai.engine.game import load_game

    loaded = load_game(name, None if components is None else read_changes(components))
    use_compiled(loaded, "azalai.engine.position")
    return loaded


def bot(name: str, game: Game, seed: int | None = None, level: int | None = None, threads: int = 1) -> Player:
    """A computer player: `random`, `greedy`, `search` with a level from 1 to 6, or another package's."""
    from azalai.bots import make

    return make(name, game, seed, level, threads)


def make(name: str, num_envs: int | None = None, **options: Any) -> Any:
    """A game as a Gymnasium environment: `make("NAME-v1", opponents="greedy")`; with `num_envs` a vector of so many games.

    It needs `azalai[envs]`. The same is `gymnasium.make("azalai/NAME-v1")` after `import azalai.envs.gymnasium`.
    """
    from azalai.envs.gymnasium import make

    return make(name, num_envs, **options)


def save(position: Position, path: str | os.PathLike[str]) -> None:
    """Write the record of a game to a file. The file is never half-written."""
    from azalai.engine.record import save

    save(position, path)


def load(path: str | os.PathLike[str]) -> Position:
    """Read a game's record and replay it. Raises BadRecord where the file is not one."""
    from azalai.engine.record import from_record, read

    return from_record(read(path), game)


def review(position: Position, threads: int = 1) -> Review:
    """Review a game, finished or running: every seat's chance at every ply, and a grade for every decision."""
    from azalai.reviews.review import Review

    return Review(position).judge_all(threads)


def puzzle(name: str | None = None, day: datetime.date | None = None) -> Puzzle:
    """A puzzle by its id, such as `GAME-9430d0`; or the puzzle of a day (today, if none is given), of a game or of all."""
    import datetime

    from azalai import puzzles

    if name is not None and name not in games():
        return puzzles.find(name)
    return puzzles.of_the_day(day or datetime.date.today(), name)
