"""Counts of games, with their uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

Z = 1.959964  # of a 95 % interval

Estimate = tuple[float, float, float]  # a value and the ends of its 95 % interval


def share_interval(wins: float, games: int) -> Estimate:
    """Return a share with the ends of its 95 % interval (Wilson's)."""
    if not games:
        return 0.0, 0.0, 1.0
    n, p = games, wins / games
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    reach = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return p, max(0.0, middle - reach), min(1.0, middle + reach)


def difference(before: Estimate, after: Estimate) -> Estimate:
    """By how much a value has changed, with the interval of the difference."""
    reach = math.hypot(before[2] - before[0], after[2] - after[0])
    change = after[0] - before[0]
    return change, change - reach, change + reach


def surely(change: Estimate, least: float) -> bool:
    """Whether a change is so large, and not by chance."""
    return abs(change[0]) >= least and change[1] * change[2] > 0


@dataclass
class Tally:
    """The results of a player or a seat: games, wins (a shared win counts in parts), points."""

    games: int = 0
    wins: float = 0.0
    points: float = 0.0
    squares: float = 0.0

    def add(self, wins: Any, points: Any) -> None:
        """Count many games at once."""
        self.games += len(wins)
        self.wins += float(wins.sum())
        self.points += float(points.sum())
        self.squares += float((points * points).sum())

    @property
    def share(self) -> Estimate:
        """Share of games won, with its 95 % interval."""
        return share_interval(self.wins, self.games)

    @property
    def mean(self) -> Estimate:
        """Mean of the points, with the ends of its 95 % interval."""
        if not self.games:
            return 0.0, 0.0, 0.0
        mean = self.points / self.games
        variance = max(0.0, self.squares / self.games - mean * mean)
        reach = Z * math.sqrt(variance / self.games)
        return mean, mean - reach, mean + reach

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"games": self.games, "share": self.share, "mean": self.mean}
