"""Clocks: none, live (minutes for the whole game plus an increment per turn) or slow (days per turn).

A clock runs for every person who owes a decision. Computer players and empty seats have none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SECOND = 1000  # times are milliseconds
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


@dataclass(frozen=True)
class ClockSettings:
    """The kind of clock a table uses, and its times."""

    kind: str = "none"
    minutes: float = 0
    increment: float = 0  # seconds
    days: float = 0

    @classmethod
    def of(cls, setup: dict[str, Any]) -> ClockSettings:
        """Return the clock settings of a table's setup."""
        return cls(**(setup.get("clock") or {}))

    @property
    def start(self) -> int:
        """The time on a clock at the start, in milliseconds."""
        return int(self.minutes * MINUTE) if self.kind == "live" else int(self.days * DAY)


@dataclass
class Clocks:
    """The clocks of one table."""

    settings: ClockSettings
    left: list[int] = field(default_factory=list)  # milliseconds per seat, as of `since`
    running: frozenset[int] = frozenset()
    since: int = 0

    def reset(self, seats: int) -> None:
        """Set all clocks to their start time."""
        self.left = [self.settings.start] * seats

    def switch(self, at: int, running: frozenset[int], back: bool = False) -> None:
        """Let the clocks of `running` run from `at` on, and stop the others. `back`: a decision was taken back."""
        if self.settings.kind == "none":
            return
        for seat in self.running:
            self.left[seat] -= max(0, at - self.since)
        more = int(self.settings.increment * SECOND)
        for seat in range(len(self.left)):
            stopped = seat in self.running and seat not in running
            started = seat in running and seat not in self.running
            if self.settings.kind == "slow" and started:
                self.left[seat] = self.settings.start
            elif self.settings.kind == "live" and stopped and not back:
                self.left[seat] += more
            elif self.settings.kind == "live" and started and back:
                self.left[seat] = max(SECOND, self.left[seat] - more)  # take away the increment of the turn that was taken back
        self.running, self.since = running, at

    def remaining(self, seat: int, at: int) -> int | None:
        """Return the milliseconds left to a seat at a time; None without clocks."""
        if self.settings.kind == "none" or not self.left:
            return None
        return max(0, self.left[seat] - (max(0, at - self.since) if seat in self.running else 0))

    @property
    def deadline(self) -> int | None:
        """The time at which the first running clock expires."""
        return (
            min((self.since + self.left[seat] for seat in self.running), default=None) if self.settings.kind != "none" else None
        )

    def expired(self, at: int) -> list[int]:
        """Return the seats whose time is up."""
        if self.settings.kind == "none":
            return []
        return [seat for seat in sorted(self.running) if self.since + self.left[seat] <= at]
