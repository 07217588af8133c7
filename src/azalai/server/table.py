"""A table as it stands: the fold of its journal.

Nothing here decides whether an entry is allowed (that is `acts.py`); `apply` only carries out what has been decided, so that
every process that reads the same journal has the same table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from azalai.engine.game import Game
from azalai.engine.moves import Event, Move
from azalai.engine.position import Position
from azalai.server.clocks import ClockKind, Clocks

WAITING, PLAYING, OVER, IMPORTED = "waiting", "playing", "over", "imported"
OPEN, HUMAN, BOT = "open", "human", "bot"
DEFAULT_BOT = "greedy"  # takes over where nobody said who should
TO_ALL_VIEWERS = -2


@dataclass(frozen=True)
class Entry:
    """One line of a journal."""

    kind: str
    seat: int | None = None
    data: dict[str, Any] = field(default_factory=dict)
    number: int = 0
    at: int = 0


@dataclass
class Seat:
    """A place at the table and who has it."""

    kind: str = OPEN
    guest: str | None = None  # who holds it; behind a bot that took over: who may have it back
    name: str = ""
    bot: str | None = None
    since: int = 0  # number of the entry that says so
    resigned: str | None = None  # why its holder is out of the game: resigned, time


@dataclass(frozen=True)
class Step:
    """One decision and what each viewer was told of it."""

    seat: int
    move: Move
    at: int
    revealed: bool
    told: dict[int, tuple[Event, ...]]  # by viewer, -1 a spectator; TO_ALL_VIEWERS where all are told the same


@dataclass
class Proposal:
    """A wish to take back more than one's own steps."""

    seat: int
    to: int
    agreed: set[int]


@dataclass(frozen=True)
class Plan:
    """Decisions a seat has planned, or the one that could not be made, for which the rest was dropped."""

    moves: tuple[str, ...] = ()
    dropped: str | None = None


@dataclass(frozen=True)
class Line:
    """Something said at the table."""

    number: int
    at: int
    seat: int | None
    name: str
    text: str


class Table:
    """Seats, the game in play, clocks and talk."""

    def __init__(self, game: Game, row: dict[str, Any]) -> None:
        self.id: str = row["id"]
        self.game = game
        self.rules: int = row["rules"]
        self.options: dict[str, Any] = row["options"]
        self.seed: int = row["seed"]
        self.setup: dict[str, Any] = row["setup"]
        self.public: bool = row["public"]
        self.creator: str = row["creator"]
        self.created: int = row["created"]
        self.updated: int = row["created"]
        self.number = 0
        self.imported = bool(self.setup.get("imported"))
        self.seats: list[Seat] = [Seat() for _ in range(self.setup["seats"])]
        self.position: Position | None = None
        self.begun: dict[int, tuple[Event, ...]] = {TO_ALL_VIEWERS: ()}  # what each viewer was told of the deal
        self.steps: list[Step] = []
        self.asked: dict[int, int] = {}  # of every pending seat, the ply since which it has owed this decision
        self.skipped = 0  # decisions made under earlier rules, of which only the outcome is known
        self.clocks = Clocks(ClockKind.of(self.setup))
        self.proposal: Proposal | None = None
        self.chat: list[Line] = []
        self.backs: list[tuple[int, int]] = []  # (number of the entry, ply gone back to) of every undo
        self.ended: str | None = None  # why the table is over before the game is
        self.rematch: str | None = None
        self.plans: dict[int, Plan] = {}  # by seat; not from the journal
        self.status = WAITING  # waiting for players, playing, over, or imported to look at
        self.ply = 0  # decisions so far
        self.pending: tuple[int, ...] = ()  # seats that owe a decision

    # ------------------------------------------------------------ as it stands

    def _settle(self) -> None:
        """Note how the table stands, since that is asked for more often than it changes."""
        position = self.position
        if position is not None:
            self.status = IMPORTED if self.imported else OVER if self.ended or position.over else PLAYING
            self.ply = position.ply
            self.pending = position.pending if self.status == PLAYING else ()

    @property
    def open(self) -> bool:
        """Whether nothing needs to be hidden any more."""
        return self.status in (OVER, IMPORTED)

    def of_guest(self, guest: str | None) -> list[int]:
        """The seats a guest holds."""
        return [n for n, seat in enumerate(self.seats) if seat.kind == HUMAN and seat.guest == guest] if guest else []

    def held_by(self, guest: str | None) -> list[int]:
        """The seats a guest may look from: those of `of_guest`, and those where a bot took over."""
        return [n for n, seat in enumerate(self.seats) if seat.guest == guest] if guest else []

    def bots_to_move(self) -> list[int]:
        """Computer players that owe a decision."""
        return [seat for seat in self.pending if self.seats[seat].kind == BOT]

    def plans_due(self) -> list[int]:
        """Seats that owe a decision and have planned it."""
        return [seat for seat in self.pending if seat in self.plans and self.plans[seat].moves and self.seats[seat].kind == HUMAN]

    def undo_to(self, seat: int) -> int:
        """The lowest ply this seat can go back to alone: its own steps, as long as nothing was revealed."""
        ply = self.ply
        if self.status != PLAYING or self.seats[seat].resigned:
            return ply
        for step in reversed(self.steps):
            if step.seat != seat or step.revealed:
                break
            ply -= 1
        return ply

    def last_own(self, seat: int) -> int | None:
        """The ply at which this seat last made a decision, for taking it back."""
        for index in range(len(self.steps) - 1, -1, -1):
            if self.steps[index].seat == seat:
                return self.skipped + index
        return None

    def agreement(self, seat: int) -> list[int]:
        """Whom `seat` must ask before it takes back more than its own steps: every other person who still plays."""
        holder = self.seats[seat].guest
        return [
            n for n, one in enumerate(self.seats) if n != seat and one.kind == HUMAN and not one.resigned and one.guest != holder
        ]

    def lowest_since(self, number: int, ply: int) -> int:
        """Of what a viewer has seen up to entry `number` and `ply`, the ply up to which it still holds."""
        return min([ply, *(to for entry, to in self.backs if entry > number)])

    def wake(self, now: int, lease: int) -> int | None:
        """When somebody should look at this table next, if nothing happens."""
        times = [] if self.clocks.deadline is None else [self.clocks.deadline]
        if self.bots_to_move() or self.plans_due():
            times.append(now + lease)
        return min(times, default=None) if self.status == PLAYING else None

    def result(self) -> tuple[list[int], list[int]]:
        """Points and places; who resigned or ran out of time comes behind all others."""
        assert self.position is not None
        scores, places = list(self.position.scores), list(self.position.ranking)
        keys = [(bool(seat.resigned), place) for seat, place in zip(self.seats, places, strict=True)]
        return scores, [1 + sum(other < key for other in keys) for key in keys]

    # ------------------------------------------------------------ the fold

    def apply(self, entry: Entry) -> None:
        """Carry out one entry."""
        getattr(self, f"_{entry.kind}")(entry)
        self._settle()
        if entry.kind in ("start", "move", "undo"):
            self._ask(entry)
        self.number, self.updated = entry.number, entry.at
        if entry.kind in ("start", "move", "undo", "sit", "resign"):
            self.clocks.turn(entry.at, frozenset(self._timed()), back=entry.kind == "undo")

    def _timed(self) -> Iterable[int]:
        return (seat for seat in self.pending if self.seats[seat].kind == HUMAN and not self.seats[seat].resigned)

    def _sit(self, entry: Entry) -> None:
        assert entry.seat is not None
        data = entry.data
        out = self.seats[entry.seat].resigned
        self.seats[entry.seat] = Seat(data["kind"], data.get("guest"), data.get("name", ""), data.get("bot"), entry.number, out)

    def _start(self, entry: Entry) -> None:
        self.seats = [seat for seat in self.seats if seat.kind != OPEN] or self.seats
        self.clocks.begin(len(self.seats))
        self.position = self.game.new(len(self.seats), self.seed, **self.options)
        self.begun = told(self.position, self.position.events)

    def _move(self, entry: Entry) -> None:
        assert self.position is not None
        assert entry.seat is not None
        events = self.position.play(entry.data["move"], entry.seat)
        step = Step(entry.seat, self.position.history[-1][1], entry.at, self.position.revealed, told(self.position, events))
        self.steps.append(step)
        self.proposal = None

    def _undo(self, entry: Entry) -> None:
        assert self.position is not None
        while self.position.ply > entry.data["to"]:
            self.position.undo()
            self.steps.pop()
        self.backs.append((entry.number, entry.data["to"]))
        self.proposal = None

    def _ask(self, entry: Entry) -> None:
        """Who owed a decision before, and has not made it just now, still owes the same."""
        before = self.asked
        if entry.kind == "move" and entry.seat in before:
            del before[entry.seat]
        self.asked = {seat: min(self.ply, before.get(seat, self.ply)) for seat in self.pending}

    def _propose(self, entry: Entry) -> None:
        assert entry.seat is not None
        self.proposal = Proposal(entry.seat, entry.data["to"], {entry.seat})

    def _agree(self, entry: Entry) -> None:
        if self.proposal is not None and entry.seat is not None:
            self.proposal.agreed.add(entry.seat)

    def _decline(self, entry: Entry) -> None:
        self.proposal = None

    def _resign(self, entry: Entry) -> None:
        """Out of the game. It ends where no two are left in it or no person is; else a bot plays on in the seat."""
        assert entry.seat is not None
        seat = self.seats[entry.seat]
        seat.resigned, seat.kind, seat.bot = entry.data["why"], BOT, self.substitute
        left = [one for one in self.seats if not one.resigned]
        if len(left) < 2 or not any(one.kind == HUMAN for one in left):
            self.ended = entry.data["why"]

    def _chat(self, entry: Entry) -> None:
        self.chat.append(Line(entry.number, entry.at, entry.seat, entry.data["name"], entry.data["text"]))

    def _rematch(self, entry: Entry) -> None:
        self.rematch = entry.data["table"]

    @property
    def substitute(self) -> str:
        """The computer player that takes over an abandoned seat."""
        return str(self.setup.get("substitute") or DEFAULT_BOT)

    # ------------------------------------------------------------ events and states

    def told(self, ply: int, viewer: int) -> tuple[Event, ...]:
        """What a viewer (-1 a spectator) was told of the decision that led to `ply`; of the deal for ply 0."""
        if ply > self.skipped:
            by_viewer = self.steps[ply - self.skipped - 1].told
        else:
            by_viewer = self.begun if ply == 0 else {TO_ALL_VIEWERS: ()}
        return by_viewer[viewer] if viewer in by_viewer else by_viewer[TO_ALL_VIEWERS]

    def at_ply(self, ply: int) -> Position:
        """The position as it was; the present one itself where that is asked for."""
        assert self.position is not None
        if ply == self.ply:
            return self.position
        earlier = self.game.new(len(self.seats), self.seed, **self.options)
        for step in self.steps[:ply]:
            earlier.play(step.move, step.seat)
        return earlier

    def state(self) -> bytes | None:
        """The position's bytes."""
        return self.position.tobytes() if self.position is not None else None

    def restore(self, entries: Iterable[Entry], content: bytes) -> None:
        """Go on from a position made under earlier rules: what led to it cannot be replayed. Clocks begin anew."""
        for entry in entries:
            if entry.kind not in ("move", "undo"):
                self.apply(entry)
            self.number, self.updated = entry.number, entry.at
        if self.position is not None:
            saved = np.frombuffer(content, self.game.schema.dtype)
            for one in self.game.schema.fields:
                setattr(self.position.state, one.name, saved[one.name][0])
            self.skipped = self.position.ply
            self._settle()
            self.asked = dict.fromkeys(self.pending, self.ply)
            self.clocks.turn(self.updated, frozenset(self._timed()))


def told(position: Position, events: list[Event]) -> dict[int, tuple[Event, ...]]:
    """What each viewer is told of the last decision, all of whose events are `events`."""
    if position.public:
        return {TO_ALL_VIEWERS: tuple(events)}
    seats: list[int | None] = [None, *range(position.seats)]
    return {-1 if seat is None else seat: tuple(position.seen_by(seat).events) for seat in seats}


def layout(game: Game) -> str:
    """A digest of a game's record type: equal where stored states can be read."""
    return hashlib.sha256(repr(game.schema.dtype.descr).encode()).hexdigest()[:16]
