"""A table's state, replayed from its journal.

Nothing here checks whether an entry is allowed (`commands.py` does); `apply` only executes it, so that every process that reads
the same journal gets the same table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from azalai.engine.game import Game
from azalai.engine.moves import Event, Move
from azalai.engine.position import Position
from azalai.engine.record import FORMAT
from azalai.server.clocks import Clocks, ClockSettings
from azalai.server.variants import changed_components

WAITING, PLAYING, OVER, IMPORTED = "waiting", "playing", "over", "imported"
OPEN, HUMAN, BOT = "open", "human", "bot"
DEFAULT_BOT = "greedy"  # takes over seats when the table names no substitute
TO_ALL_VIEWERS = -2
NO_DATA: dict[str, Any] = {}  # never written to
GOES_ON = ("start", "move", "undo", "resign")  # entries with which a game goes on


class Entry(NamedTuple):
    """One entry of a journal. Every move makes entries and a step: tuples are made three times as fast as frozen dataclasses."""

    kind: str
    seat: int | None = None
    data: dict[str, Any] = NO_DATA
    number: int = 0
    at: int = 0


@dataclass
class Seat:
    """A seat and who holds it."""

    kind: str = OPEN
    guest: str | None = None  # the holder; behind a substitute or of an open seat, the guest for whom it is kept
    name: str = ""
    bot: str | None = None
    since: int = 0  # number of the entry that seated the holder
    resigned: str | None = None  # why the holder is out of the game: `resigned`, `time` or `left`
    away: int = 0  # until when the holder is on vacation
    left: int | None = None  # the ply at which the holder left a running game or was replaced


class Step(NamedTuple):
    """One decision and the events each viewer may see."""

    seat: int
    move: Move
    at: int
    revealed: bool
    events: dict[int, tuple[Event, ...]]  # by viewer, -1 a spectator; TO_ALL_VIEWERS where all see the same


@dataclass
class TakeBackProposal:
    """A proposal to take back decisions."""

    seat: int
    to: int
    agreed: set[int]


@dataclass(frozen=True)
class ChatEntry:
    """A chat line."""

    number: int
    at: int
    seat: int | None
    name: str
    text: str


class Table:
    """Seats, position, clocks and chat of one table."""

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
        self.acted: int = row["created"]  # when the game last went on
        self.number = 0
        self.imported = bool(self.setup.get("imported"))
        self.rated = bool(self.setup.get("rated"))  # the result counts: see ratings.py
        self.tournament: str | None = self.setup.get("tournament")
        self.binding = self.rated or self.tournament is not None  # no help, no way back: whoever leaves or is replaced has lost
        self.deal_known = bool(self.setup.get("known"))  # somebody can know secrets of others or what chance will bring
        self.removed: set[str] = set()  # guests whom the founder has removed
        self.seats: list[Seat] = [Seat() for _ in range(self.setup["seats"])]
        self.position: Position | None = None
        self.deal_events: dict[int, tuple[Event, ...]] = {TO_ALL_VIEWERS: ()}  # events of the deal by viewer
        self.steps: list[Step] = []
        self.owed_since: dict[int, int] = {}  # for each pending seat, the ply since which it owes its decision
        self.skipped = 0  # decisions made under earlier rules, which cannot be replayed
        self.restored: Position | None = None  # the position after these
        self.clocks = Clocks(ClockSettings.of(self.setup))
        self.proposal: TakeBackProposal | None = None
        self.chat: list[ChatEntry] = []
        self.rendered: dict[
            tuple[int, str], list[bytes]
        ] = {}  # events by ply as JSON, for each kind of viewer who asked for many
        self.viewers: dict[tuple[str | None, int | None, str, bool], Any] = {}  # of those who sit here, while only moves are made
        self.unmoved: dict[str, bytes] = {}  # the beginning of views by language, which no move changes
        self._opponents: dict[int, list[int]] = {}  # by seat; no move changes them either
        self.undos: list[tuple[int, int]] = []  # (entry number, target ply) of every undo
        self.ended: str | None = None  # why the table is over before the game is
        self.rematch: str | None = None
        self.over_at: int | None = None  # when the game ended
        self.status = WAITING  # waiting, playing, over, or imported
        self.ply = 0  # number of decisions
        self.pending: tuple[int, ...] = ()  # seats that owe a decision

    # ------------------------------------------------------------ state

    @cached_property
    def changes(self) -> list[dict[str, Any]]:
        """What a variant has changed in the game's components; nothing for a game as it comes."""
        return changed_components(self.game)

    def _update_status(self) -> None:
        """Cache status, ply and pending seats: they are read more often than they change."""
        position = self.position
        if position is not None:
            self.status = IMPORTED if self.imported else OVER if self.ended or position.over else PLAYING
            self.ply = position.ply
            self.pending = position.pending if self.status == PLAYING else ()

    @property
    def finished(self) -> bool:
        """Whether the table is over or imported, so that nothing is secret any more."""
        return self.status in (OVER, IMPORTED)

    def seats_played_by(self, guest: str | None) -> list[int]:
        """Return the seats a guest plays."""
        return [n for n, seat in enumerate(self.seats) if seat.kind == HUMAN and seat.guest == guest] if guest else []

    def seats_held_by(self, guest: str | None) -> list[int]:
        """Return the seats a guest holds: those they play, and those a computer player took over."""
        return [n for n, seat in enumerate(self.seats) if seat.guest == guest] if guest else []

    def may_take(self, guest: str | None, seat: int) -> bool:
        """Return whether a guest may sit down at a seat without a link that hands it over.

        A seat left in a running game shows its secrets to whoever takes it, so then only its holder may.
        """
        one = self.seats[seat]
        if self.finished or one.resigned or one.kind == HUMAN or (guest is not None and guest in self.removed):
            return False
        if guest is not None and one.guest == guest:
            return True
        if self.tournament is not None:
            return False
        return one.kind == OPEN and (one.guest is None if self.status == WAITING else not self.game.secrets)

    def seats_to_take(self, guest: str | None) -> list[int]:
        """Return the seats at which a guest may sit down."""
        if self.finished:
            return []
        return [n for n, seat in enumerate(self.seats) if seat.kind != HUMAN and self.may_take(guest, n)]

    def bots_to_move(self) -> list[int]:
        """Return the computer players' seats that owe a decision."""
        return [seat for seat in self.pending if self.seats[seat].kind == BOT]

    def undo_to(self, seat: int) -> int:
        """Return the lowest ply this seat can undo to alone: its own decisions, back to the last that revealed something."""
        ply = self.ply
        if self.status != PLAYING or self.seats[seat].resigned:
            return ply
        for step in reversed(self.steps):
            if step.seat != seat or step.revealed:
                break
            ply -= 1
        return ply

    def last_decision_of(self, seat: int) -> int | None:
        """Return the ply of this seat's last decision."""
        for index in range(len(self.steps) - 1, -1, -1):
            if self.steps[index].seat == seat:
                return self.skipped + index
        return None

    def opponents(self, seat: int) -> list[int]:
        """Return the seats of other people who are in the game, present or not."""
        found = self._opponents.get(seat)
        if found is None:
            holder = self.seats[seat].guest
            others = [n for n, one in enumerate(self.seats) if one.guest not in (None, holder)]
            found = self._opponents[seat] = [n for n in others if not self.seats[n].resigned]
        return found

    def must_agree(self, seat: int, to: int) -> list[int]:
        """Return the seats that must agree before `seat` takes back to ply `to`: people at the table, and who left after it."""
        return [n for n in self.opponents(seat) if (left := self.seats[n].left) is None or to < left]

    def valid_ply(self, number: int, ply: int) -> int:
        """Return up to which ply the events are still valid that a client saw up to entry `number` and `ply`."""
        return min([ply, *(to for entry, to in self.undos if entry > number)]) if self.undos else ply

    def next_wake(self, now: int, lease: int) -> int | None:
        """Return when the scheduler must check this table, if nothing else happens."""
        deadline = self.clocks.deadline if self.status == PLAYING else None
        if not self.bots_to_move():
            return deadline
        return now + lease if deadline is None else min(deadline, now + lease)

    def result(self) -> tuple[list[int], list[int]]:
        """Return scores and places; players who resigned or timed out rank behind all others."""
        assert self.position is not None
        scores, places = list(self.position.scores), list(self.position.ranking)
        keys = [(bool(seat.resigned), place) for seat, place in zip(self.seats, places, strict=True)]
        return scores, [1 + sum(other < key for other in keys) for key in keys]

    # ------------------------------------------------------------ journal

    def apply(self, entry: Entry) -> None:
        """Apply one entry."""
        getattr(self, f"_{entry.kind}")(entry)
        self._update_status()
        if entry.kind != "move" or self.status != PLAYING:
            self.viewers.clear()
            self.unmoved.clear()
            self._opponents.clear()
        if self.status == OVER and self.over_at is None:
            self.over_at = entry.at
        if entry.kind in ("start", "move", "undo"):
            self._update_owed(entry)
        if entry.kind in GOES_ON:
            self.acted = entry.at
        self.number, self.updated = entry.number, entry.at
        if entry.kind in ("start", "move", "undo", "sit", "resign", "away"):
            self._switch_clocks(entry)

    def _switch_clocks(self, entry: Entry) -> None:
        if self.clocks.settings.kind == "none":
            return
        owing = frozenset(self.pending)
        running = frozenset(seat for seat in owing if self._has_clock(self.seats[seat]))
        if entry.kind == "undo":
            assert entry.seat is not None
            self.clocks.take_back(entry.at, owing, running, self.ply, entry.seat)
        else:
            self.clocks.switch(entry.at, owing, running, self.ply)
        if entry.kind in ("start", "sit", "away") and self.clocks.settings.kind == "slow":
            self.clocks.paused = {number: seat.away for number, seat in enumerate(self.seats) if seat.away}

    @staticmethod
    def _has_clock(seat: Seat) -> bool:
        """Return whether a seat's time is its holder's: leaving the seat does not stop its clock, a substitute does."""
        return not seat.resigned and (seat.kind == HUMAN or (seat.kind == OPEN and seat.guest is not None))

    def _sit(self, entry: Entry) -> None:
        assert entry.seat is not None
        data, before = entry.data, self.seats[entry.seat]
        kind, guest = data["kind"], data.get("guest")
        seat = Seat(kind, guest, data.get("name", ""), data.get("bot"), entry.number, before.resigned)
        seat.away = before.away if guest is not None and guest == before.guest else 0
        if self.status == PLAYING and guest is not None:
            if kind != HUMAN and guest == before.guest:
                seat.left = self.ply if before.left is None else before.left
            elif guest != before.guest and self.game.secrets and before.guest in self._holders_except(entry.seat):
                self.deal_known, self.public = True, False  # a player has seen the secrets of a seat that is another's now
        self.seats[entry.seat] = seat
        self.removed.update(data.get("removed", ()))

    def _holders_except(self, seat: int) -> set[str]:
        return {one.guest for n, one in enumerate(self.seats) if n != seat and one.guest is not None}

    def _start(self, entry: Entry) -> None:
        self.seats = [seat for seat in self.seats if seat.kind != OPEN] or self.seats
        self.clocks.reset(len(self.seats))
        self.position = self.game.new(len(self.seats), self.seed, **self.options)
        self.deal_events = events_by_viewer(self.position, self.position.events)

    def _move(self, entry: Entry) -> None:
        assert self.position is not None
        assert entry.seat is not None
        events = self.position.play(entry.data["move"], entry.seat)
        assert self.position.last is not None
        _, move = self.position.last
        step = Step(entry.seat, move, entry.at, self.position.revealed, events_by_viewer(self.position, events))
        self.steps.append(step)
        self.proposal = None

    def _undo(self, entry: Entry) -> None:
        assert self.position is not None
        while self.position.ply > entry.data["to"]:
            self.position.undo()
            self.steps.pop()
        for seat in self.seats:
            seat.left = None if seat.left is None else min(seat.left, entry.data["to"])
        for plies in self.rendered.values():
            del plies[entry.data["to"] + 1 :]
        self.undos.append((entry.number, entry.data["to"]))
        self.proposal = None

    def _update_owed(self, entry: Entry) -> None:
        """Update since when each seat owes its decision: a seat that has not decided still owes the same one."""
        before = self.owed_since
        if entry.kind == "move" and entry.seat in before:
            del before[entry.seat]
        self.owed_since = {seat: min(self.ply, before.get(seat, self.ply)) for seat in self.pending}

    def _propose(self, entry: Entry) -> None:
        assert entry.seat is not None
        self.proposal = TakeBackProposal(entry.seat, entry.data["to"], {entry.seat})

    def _agree(self, entry: Entry) -> None:
        if self.proposal is not None and entry.seat is not None:
            self.proposal.agreed.add(entry.seat)

    def _decline(self, entry: Entry) -> None:
        self.proposal = None

    def _resign(self, entry: Entry) -> None:
        """Take a seat out of the game. The game ends without two players or any person left; else a bot plays on."""
        assert entry.seat is not None
        seat = self.seats[entry.seat]
        seat.resigned, seat.kind, seat.bot = entry.data["why"], BOT, self.substitute
        left = [one for one in self.seats if not one.resigned]
        if len(left) < 2 or not any(one.kind == HUMAN for one in left):
            self.ended = entry.data["why"]

    def _away(self, entry: Entry) -> None:
        assert entry.seat is not None
        self.seats[entry.seat].away = entry.data["until"]

    def _chat(self, entry: Entry) -> None:
        if entry.data["text"]:  # empty: its writer was deleted
            self.chat.append(ChatEntry(entry.number, entry.at, entry.seat, entry.data["name"], entry.data["text"]))

    def _rematch(self, entry: Entry) -> None:
        self.rematch = entry.data["table"]

    @property
    def substitute(self) -> str:
        """The computer player that takes over abandoned seats."""
        return str(self.setup.get("substitute") or DEFAULT_BOT)

    # ------------------------------------------------------------ events and positions

    def events_at(self, ply: int, viewer: int) -> tuple[Event, ...]:
        """Return the events of the decision that led to `ply` (ply 0: of the deal) that a viewer may see; -1 is a spectator."""
        if ply > self.skipped:
            by_viewer = self.steps[ply - self.skipped - 1].events
        else:
            by_viewer = self.deal_events if ply == 0 else {TO_ALL_VIEWERS: ()}
        return by_viewer[viewer] if viewer in by_viewer else by_viewer[TO_ALL_VIEWERS]

    def at_ply(self, ply: int) -> Position:
        """Return the position at `ply`, from what the current one remembers; that one itself is not copied."""
        assert self.position is not None
        if ply == self.ply:
            return self.position
        return self.position.before(ply - self.skipped)

    def state(self) -> bytes | None:
        """Return the position's bytes."""
        return self.position.tobytes() if self.position is not None else None

    def restore(self, entries: Iterable[Entry], content: bytes) -> None:
        """Continue from a position of earlier rules, whose decisions cannot be replayed. Clocks start anew."""
        for entry in entries:
            if entry.kind not in ("move", "undo"):
                self.apply(entry)
            self.number, self.updated = entry.number, entry.at
            self.acted = entry.at if entry.kind in GOES_ON else self.acted
        if self.position is not None:
            saved = np.frombuffer(content, self.game.schema.dtype)
            for one in self.game.schema.fields:
                setattr(self.position.state, one.name, saved[one.name][0])
            self.skipped = self.position.ply
            self.restored = self.position.copy()
            self.proposal = None
            for seat in self.seats:
                seat.left = None if seat.left is None else self.skipped
            self._update_status()
            self.owed_since = dict.fromkeys(self.pending, self.ply)
            self.clocks.reset(len(self.seats))
            self._switch_clocks(Entry("start", at=self.updated))


def events_by_viewer(position: Position, events: list[Event]) -> dict[int, tuple[Event, ...]]:
    """Return which of the last decision's `events` each viewer may see."""
    if not position.game.secrets or position.public:
        return {TO_ALL_VIEWERS: tuple(events)}
    seats: list[int | None] = [None, *range(position.seats)]
    return {-1 if seat is None else seat: tuple(position.seen_by(seat).events) for seat in seats}


def journal_record(row: dict[str, Any], entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the record of a game from its journal, without playing it: its rules may be unknown to this version."""
    seats = [{"kind": OPEN} for _ in range(row["setup"]["seats"])]
    moves: list[str] = []
    for entry in entries:
        if entry.kind == "sit" and entry.seat is not None:
            seats[entry.seat] = entry.data
        elif entry.kind == "start":
            seats = [seat for seat in seats if seat["kind"] != OPEN] or seats
        elif entry.kind == "move":
            moves.append(f"{entry.data['move']} @{entry.seat}")
        elif entry.kind == "undo":
            del moves[entry.data["to"] :]
    return {
        "format": FORMAT,
        "game": row["game"],
        "rules": row["rules"],
        "seats": len(seats),
        "options": row["options"],
        "seed": row["seed"],
        "moves": moves,
        "players": [seat.get("name") or seat.get("bot") or "" for seat in seats],
        **({"components": row["setup"]["components"]} if row["setup"].get("components") else {}),
    }


def layout(game: Game) -> str:
    """Return a digest of a game's record type; stored states are readable where it is equal."""
    return hashlib.sha256(repr(game.schema.dtype.descr).encode()).hexdigest()[:16]
