"""One game between players that are Python objects, and its result."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from azalai.bots import Player, make, parts
from azalai.engine.compile import wait_compiled
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position


@dataclass(frozen=True)
class GameResult:
    """How one game went. `players[i]` had seat i."""

    key: str  # identifies the game in a tournament
    players: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    decisions: int
    end: str
    settings: tuple[str, ...] = ()  # how each player thinks, where that can change between versions

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> GameResult:
        """From JSON."""
        lists = {name: tuple(row[name]) for name in ("players", "places", "scores", "settings")}
        return cls(key=row["key"], decisions=row["decisions"], end=row["end"], **lists)

    def wins(self) -> dict[str, float]:
        """Return each player's part of the win; seats of the same name are added up."""
        winners = self.places.count(1)
        parts = dict.fromkeys(self.players, 0.0)
        for player, place in zip(self.players, self.places, strict=True):
            parts[player] += (place == 1) / winners
        return parts


def play_game(game: Game, players: Sequence[str], seed: int, key: str, options: Mapping[str, Any] | None = None) -> GameResult:
    """Play a game dealt from `seed` to its end. The same key gives the same game again."""
    position = game.new(len(players), seed, **(options or {}))
    play_out(position, invite(game, players, key))
    return GameResult(key, tuple(players), position.ranking, position.scores, position.ply, position.end or "")


def invite(game: Game, players: Sequence[str], key: str) -> list[Player]:
    """Make the players of the game with that key; their chance comes from the key. Wait until they are compiled."""
    for part in parts(game, players):
        wait_compiled(game, part)
    chance = random.Random(key)
    return [make(name, game, chance.getrandbits(40)) for name in players]


def play_out(position: Position, players: Sequence[Player], watch: Callable[[Position, Move], None] | None = None) -> None:
    """Play a game to its end; `players[i]` has seat i. `watch` is called before every move is played."""
    while not position.over:
        move = players[position.seat].choose(position.seen_by(position.seat))
        if watch is not None:
            watch(position, move)
        position.play(move)
