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


@dataclass(frozen=True)
class Turn:
    """A turn that has ended: the ply its last decision led to, and what was left of its player's time before the gain."""

    seat: int
    ply: int
    left: int
    gain: int


@dataclass
class Clocks:
    """The clocks of one table.

    A seat's turn lasts from the moment it owes a decision until it owes none. Its clock runs only while a person sits there, so
    leaving a seat and coming back neither ends a turn nor begins one.
    """

    settings: ClockSettings
    left: list[int] = field(default_factory=list)  # milliseconds per seat, as of `since`
    owing: frozenset[int] = frozenset()  # seats whose turn it is, with or without a person
    running: frozenset[int] = frozenset()
    since: int = 0
    turns: list[Turn] = field(default_factory=list)  # those that were not taken back
    debts: list[int] = field(default_factory=list)  # live, per seat: gains that were taken back after they had been used
    spent: list[list[int]] = field(default_factory=list)  # slow, per seat: what was left of turns it took back itself, in order
    paused: dict[int, int] = field(default_factory=dict)  # slow: seats whose players are on vacation, and until when

    def reset(self, seats: int) -> None:
        """Set all clocks to their start time."""
        self.left = [self.settings.start] * seats
        self.owing = self.running = frozenset()
        self.turns, self.debts, self.spent = [], [0] * seats, [[] for _ in range(seats)]

    def switch(self, at: int, owing: frozenset[int], running: frozenset[int], ply: int) -> None:
        """From `at` and `ply` on it is the turn of `owing`. Let the clocks of `running` run, and stop the others."""
        if self.settings.kind == "none":
            return
        self._stop(at)
        for seat in self.owing - owing:
            gain = int(self.settings.increment * SECOND) if self.settings.kind == "live" and seat in self.running else 0
            self.turns.append(Turn(seat, ply, self.left[seat], gain))
            repaid = min(gain, self.debts[seat])
            self.debts[seat] -= repaid
            self.left[seat] += gain - repaid
        if self.settings.kind == "slow":
            for seat in owing - self.owing:
                self.left[seat] = self.spent[seat].pop(0) if self.spent[seat] else self.settings.start
        self.owing, self.running, self.since = owing, running, at

    def take_back(self, at: int, owing: frozenset[int], running: frozenset[int], ply: int, by: int) -> None:
        """Return to the turns at `ply`, as seat `by` wished: gains are taken back, but time that was used is used."""
        if self.settings.kind == "none":
            return
        self._stop(at)
        undone = [turn for turn in self.turns if turn.ply > ply]
        self.turns = [turn for turn in self.turns if turn.ply <= ply]
        for seat in range(len(self.left)):
            mine = [turn for turn in undone if turn.seat == seat]
            if self.settings.kind == "slow":
                self._return(seat, [turn.left for turn in mine], seat in owing, seat == by)
            elif mine:
                gains = sum(turn.gain for turn in mine)
                taken = min(gains, max(0, self.left[seat] - min(turn.left for turn in mine)))
                self.left[seat] -= taken
                self.debts[seat] += gains - taken
        self.owing, self.running, self.since = owing, running, at

    def _return(self, seat: int, ended: list[int], owes: bool, own_wish: bool) -> None:
        """Return a slow clock to an earlier turn. `ended`: what was left at the end of each of the seat's undone turns.

        Who takes back their own turns finds what was left of each when they come to it again; for others turns begin anew.
        """
        visited = [*ended, self.left[seat]] if seat in self.owing else ended
        if owes and visited:
            self.left[seat] = visited.pop(0)
        if own_wish:
            self.spent[seat] = [*visited, *self.spent[seat]]

    def _stop(self, at: int) -> None:
        for seat in self.running:
            self.left[seat] -= self._used(seat, at)

    def _used(self, seat: int, at: int) -> int:
        """Return the time a running clock has used since it was last stopped: none during a vacation."""
        return max(0, at - self._from(seat))

    def _from(self, seat: int) -> int:
        return max(self.since, self.paused.get(seat, 0))

    def remaining(self, seat: int, at: int) -> int | None:
        """Return the milliseconds left to a seat at a time; None without clocks."""
        if self.settings.kind == "none" or not self.left:
            return None
        return max(0, self.left[seat] - (self._used(seat, at) if seat in self.running else 0))

    @property
    def deadline(self) -> int | None:
        """The time at which the first running clock expires."""
        return (
            min((self._from(seat) + self.left[seat] for seat in self.running), default=None)
            if self.settings.kind != "none"
            else None
        )

    def expired(self, at: int) -> list[int]:
        """Return the seats whose time is up."""
        if self.settings.kind == "none":
            return []
        return [seat for seat in sorted(self.running) if self._from(seat) + self.left[seat] <= at]

    def used_up(self, seat: int) -> bool:
        """Return whether a person who sat down here would have no time: none for the game, or none for this turn."""
        if self.settings.kind == "none":
            return False
        return self.left[seat] <= 0 and (self.settings.kind == "live" or seat in self.owing)
