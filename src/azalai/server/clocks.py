"""Clocks: none, live (minutes for the whole game and seconds more a turn) or slow (days for each turn).

A clock runs for every player who owes a decision. Computer players and empty seats have none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SECOND = 1000  # times are whole milliseconds
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


@dataclass(frozen=True)
class ClockKind:
    """What a table's clock is like."""

    kind: str = "none"
    minutes: float = 0
    increment: float = 0  # seconds
    days: float = 0

    @classmethod
    def of(cls, setup: dict[str, Any]) -> ClockKind:
        """The clock a table was set up with."""
        return cls(**(setup.get("clock") or {}))

    @property
    def start(self) -> int:
        """What a clock shows at first."""
        return int(self.minutes * MINUTE) if self.kind == "live" else int(self.days * DAY)


@dataclass
class Clocks:
    """The clocks of one table."""

    kind: ClockKind
    left: list[int] = field(default_factory=list)  # milliseconds per seat, as of `since`
    running: frozenset[int] = frozenset()
    since: int = 0

    def begin(self, seats: int) -> None:
        """Wind the clocks up for a new game."""
        self.left = [self.kind.start] * seats

    def turn(self, at: int, running: frozenset[int], back: bool = False) -> None:
        """From `at` on, the clocks of `running` run. With `back`, because a decision was taken back."""
        if self.kind.kind == "none":
            return
        for seat in self.running:
            self.left[seat] -= max(0, at - self.since)
        more = int(self.kind.increment * SECOND)
        for seat in range(len(self.left)):
            stopped = seat in self.running and seat not in running
            started = seat in running and seat not in self.running
            if self.kind.kind == "slow" and started:
                self.left[seat] = self.kind.start
            elif self.kind.kind == "live" and stopped and not back:
                self.left[seat] += more
            elif self.kind.kind == "live" and started and back:
                self.left[seat] = max(SECOND, self.left[seat] - more)  # what was added at the end of the turn taken back
        self.running, self.since = running, at

    def now(self, seat: int, at: int) -> int | None:
        """What a seat's clock shows at a time; None without clocks."""
        if self.kind.kind == "none" or not self.left:
            return None
        return max(0, self.left[seat] - (max(0, at - self.since) if seat in self.running else 0))

    @property
    def deadline(self) -> int | None:
        """When the first running clock will have run out."""
        return min((self.since + self.left[seat] for seat in self.running), default=None) if self.kind.kind != "none" else None

    def out(self, at: int) -> list[int]:
        """The seats whose time is up."""
        if self.kind.kind == "none":
            return []
        return [seat for seat in sorted(self.running) if self.since + self.left[seat] <= at]
