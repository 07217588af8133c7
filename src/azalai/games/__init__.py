"""The games: one folder each. A folder with a `components.toml` is a game; its package has it as `GAME`."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from azalai.engine.errors import UnknownGame

if TYPE_CHECKING:
    from azalai.engine.game import Game

FOLDER = Path(__file__).resolve().parent


def names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob("*/components.toml")))


def folder(name: str) -> Path:
    """Where a game's files lie; raises UnknownGame with the names there are."""
    if name not in names():
        raise UnknownGame(f"there is no game {name!r}; there are {', '.join(names())}")
    return FOLDER / name


def load(name: str) -> Game:
    """A game by its name."""
    folder(name)
    game: Game = importlib.import_module(f"azalai.games.{name}").GAME
    return game
