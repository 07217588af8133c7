"""Leaderboards: a file that lists players, which the ladder lets play each other.

The file is TOML: `game`, `seats`, `games` for each pair, `seed`, and a table `[[players]]` for each player with its `name` and,
if it comes from another package, its `package`, `author` and `about`. See docs/quickstart-research.md.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from azalai.arena.ladder import Ladder
from azalai.engine.errors import BadRecord
from azalai.engine.record import write_atomically

KINDS = {"game": str, "seats": int, "games": int, "seed": int, "players": list}
PLAYER = ("name", "package", "author", "about")


@dataclass(frozen=True)
class Entrant:
    """One player of a leaderboard."""

    name: str
    package: str = ""
    author: str = ""
    about: str = ""

    @property
    def version(self) -> str:
        """The version of its package, as installed here; nothing for a player of this package."""
        if not self.package:
            return ""
        try:
            return version(self.package)
        except PackageNotFoundError:
            raise BadRecord(f"{self.name} needs its package: pip install {self.package}") from None


@dataclass(frozen=True)
class Leaderboard:
    """What a leaderboard's file says."""

    game: str
    players: tuple[Entrant, ...]
    games: int = 100
    seats: int | None = None
    seed: int = 1

    @classmethod
    def read(cls, path: Path) -> Leaderboard:
        """Read a file. Raises BadRecord with what would be right."""
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadRecord(f"{path} is no leaderboard: {error}") from None
        for name, value in data.items():
            if name not in KINDS or not isinstance(value, KINDS[name]):
                raise BadRecord(
                    f"{path}: {name} should be one of {', '.join(f'{key} ({kind.__name__})' for key, kind in KINDS.items())}"
                )
        if "game" not in data or len(data.get("players", [])) < 2:
            raise BadRecord(f"{path} should name a game and at least two [[players]]")
        entrants = tuple(_entrant(path, one) for one in data.pop("players"))
        if len({one.name for one in entrants}) < len(entrants):
            raise BadRecord(f"{path} names a player twice")
        return cls(players=entrants, **data)

    def results(self, ladder: Ladder) -> list[dict[str, Any]]:
        """Return the table, best first: rating, interval, and what the file says of each player."""
        known = {one.name: one for one in self.players}
        ordered = sorted(ladder.ratings, key=lambda one: -one.rating)
        return [
            {
                "place": place, "name": one.player, "rating": round(one.rating), "low": round(one.low), "high": round(one.high),
                "games": one.games, "package": known[one.player].package, "version": known[one.player].version,
                "author": known[one.player].author, "about": known[one.player].about,
            }
            for place, one in enumerate(ordered, 1)
        ]  # fmt: skip

    def write(self, ladder: Ladder, path: Path) -> None:
        """Write the table as JSON."""
        found = {
            "game": self.game,
            "seats": ladder.seats,
            "games": self.games,
            "seed": self.seed,
            "players": self.results(ladder),
        }
        write_atomically(path, json.dumps(found, indent=1, ensure_ascii=False) + "\n")


def _entrant(path: Path, data: Mapping[str, Any]) -> Entrant:
    if (
        not isinstance(data, dict)
        or "name" not in data
        or any(key not in PLAYER or not isinstance(one, str) for key, one in data.items())
    ):
        raise BadRecord(f"{path}: a player has a name and perhaps {', '.join(PLAYER[1:])}, all of them texts")
    return Entrant(**data)
