"""Who plays. A player is any object with `choose(position) -> Move`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from azalai.engine.errors import BadOption

if TYPE_CHECKING:
    from azalai.engine.game import Game
    from azalai.engine.moves import Move
    from azalai.engine.position import Position

NAMES = ("random", "greedy")


class Player(Protocol):
    """Anything that can choose a move for the seat to decide."""

    def choose(self, position: Position) -> Move:
        """A legal move of `position`, which is concealed for the seat that decides."""
        ...


def make(name: str, game: Game, seed: int = 0) -> Player:
    """A player by name."""
    from azalai.bots import baseline

    if name not in NAMES:
        raise BadOption(f"there is no player {name!r}; there are {', '.join(NAMES)}")
    return baseline.Baseline(game, NAMES.index(name), seed)
