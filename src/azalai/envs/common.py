"""What all adapters share: rewards, masks, pictures in text."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from rich.console import Console

import azalai
from azalai.engine.game import Game
from azalai.engine.position import Position
from azalai.engine.words import Words

VERSION = 1  # of all environments; rises when a game's rules, moves or observations change, so that results stay comparable
WIDTH = 100  # columns of a picture in text

Array = np.ndarray[Any, Any]


def game_of(game: str | Game) -> Game:
    """Return a game that is given as itself or by its name."""
    return azalai.game(game) if isinstance(game, str) else game


def rewards(position: Position) -> list[float]:
    """Return each seat's reward: 0 while the game runs; at the end as `engine.batch.write_rewards` does."""
    seats = position.seats
    if not position.over:
        return [0.0] * seats
    places = position.ranking
    winners = places.count(1)
    return [((place == 1) * seats / winners - 1) / (seats - 1) for place in places]


def picture(position: Position, seat: int | None) -> str:
    """Return the position as the terminal shows it to `seat`, without colours."""
    terminal = importlib.import_module(f"{position.game.package}.extras.terminal")
    console = Console(width=WIDTH, color_system=None, force_terminal=False)
    with console.capture() as captured:
        console.print(terminal.draw(position.seen_by(seat), seat, Words(position.game, position.seats)))
    return captured.get()
