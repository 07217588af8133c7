"""Where the tables stand: loads them, adds to their journals one act at a time, and tells everybody who looks on.

Any process can serve any table. Of each table it has in memory a process knows the journal up to a number; an act is decided
on that, and committed as the next number. Where another process was faster the commit fails, the table is loaded anew, and the
act is decided again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from azalai.engine.errors import IllegalMove
from azalai.server import acts, metrics
from azalai.server.acts import Refused
from azalai.server.library import Library
from azalai.server.settings import Settings
from azalai.server.store import Change, Conflict, Store, now
from azalai.server.table import PLAYING, Entry, Plan, Table, layout

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

log = logging.getLogger("azalai.house")

TRIES = 8  # how often an act is decided anew where other processes are faster
LONG = 200  # journals longer than this are replayed in a thread

Decide = Callable[[Table, int], list[Entry]]
Plans = Callable[[Table], dict[int, Plan]]


def nothing(table: Table) -> None:
    """For acts nobody waits to see the outcome of."""


class Place:
    """Room for one table in memory: the table once it is loaded, and a lock that whoever looks or acts must hold."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.table: Table | None = None
        self.changed: asyncio.Event | None = None  # for those who wait: set, and let go of, at the next change


class House:
    """All tables this process has in memory."""

    def __init__(self, store: Store, library: Library, settings: Settings) -> None:
        self.store = store
        self.library = library
        self.settings = settings
        self.places: OrderedDict[str, Place] = OrderedDict()
        self.told: Callable[[Table], None] = lambda table: None  # called with every table that has changed
        self.asked: Callable[[Table], None] = lambda table: None  # called after acts of this process: its bots may have to move
        self.planned: Callable[[Table], None] = lambda table: (
            None
        )  # called after acts of others: plans may have to be carried out
        self.busy: Callable[[str], bool] = lambda table_id: False  # whether a table must stay in memory

    # ------------------------------------------------------------ looking

    @asynccontextmanager
    async def at(self, table_id: str) -> AsyncIterator[Table]:
        """A table as it has been committed, held still while one looks."""
        place = self._place(table_id)
        async with place.lock:
            yield await self._loaded(table_id, place)

    def wait(self, table_id: str) -> asyncio.Event:
        """An event that is set at the table's next change."""
        place = self._place(table_id)
        if place.changed is None:
            place.changed = asyncio.Event()
        return place.changed

    def _place(self, table_id: str) -> Place:
        place = self.places.get(table_id)
        if place is None:
            place = self.places[table_id] = Place()
            self._make_room()
        self.places.move_to_end(table_id)
        return place

    def _make_room(self) -> None:
        """Let go of tables nobody has looked at for longest."""
        surplus = len(self.places) - self.settings.tables_in_memory
        for table_id in list(self.places)[: max(0, surplus)]:
            if not self.places[table_id].lock.locked() and not self.busy(table_id):
                del self.places[table_id]
        metrics.TABLES.set(len(self.places))

    async def _loaded(self, table_id: str, place: Place) -> Table:
        if place.table is None:
            row = await self.store.table(table_id)
            if row is None:
                self.places.pop(table_id, None)
                raise Refused(404, "no_such_table", "there is no such table")
            place.table = await self._read(row)
        return place.table

    async def _read(self, row: dict[str, Any]) -> Table:
        game = await self.library.game(row["game"])
        entries = await self.store.entries(row["id"])
        table = await asyncio.to_thread(replay, game, row, entries) if len(entries) > LONG else replay(game, row, entries)
        table.plans = await self.store.plans(row["id"])
        return table

    # ------------------------------------------------------------ acting

    async def act(self, table_id: str, decide: Decide, plans: Plans | None = None, then: Callable[[Table], Any] = nothing) -> Any:
        """Add to a table's journal what `decide` answers; when it is committed and told, answer what `then` makes of the table.

        An act is done or not done, never half: once the store has been handed what it brings, it is seen through even where
        whoever asked is cancelled (as happens when the server stops).
        """
        place = self._place(table_id)
        async with place.lock:
            for _ in range(TRIES):
                table = await self._loaded(table_id, place)
                change = self._decided(table, place, decide)
                if plans is not None:
                    change.plans = plans(table)
                if not change.entries and not change.plans:
                    return then(table)
                try:
                    cancelled = await self.store.commit(change)
                except Conflict:
                    metrics.CONFLICTS.inc()
                    place.table = None
                    continue
                except BaseException:
                    place.table = None  # what is in memory may not be what is stored
                    raise
                table.plans.update(change.plans)
                self._tell(place, table)
                self.asked(table)
                if cancelled:
                    raise asyncio.CancelledError
                return then(table)
        raise Refused(503, "busy", "the table is too busy; try again")

    def _decided(self, table: Table, place: Place, decide: Decide) -> Change:
        """Decide and apply: if the commit fails the table in memory is thrown away."""
        at = max(now(), table.updated)
        entries = [
            Entry(entry.kind, entry.seat, entry.data, table.number + 1 + index, at)
            for index, entry in enumerate(decide(table, at))
        ]
        try:
            for entry in entries:
                table.apply(entry)
        except IllegalMove as error:
            if len(entries) > 1:
                place.table = None
            raise Refused(409, "illegal_move", str(error)) from None
        for entry in entries:
            metrics.entries_of(entry.kind).inc()
        change = Change(table.id, entries)
        if entries:
            change.summary = summary(table, at, int(self.settings.lease * 1000))
            if any(entry.kind in ("sit", "start", "resign") for entry in entries):
                change.players = players(table)
        return change

    def _tell(self, place: Place, table: Table) -> None:
        if place.changed is not None:
            place.changed.set()
            place.changed = None
        self.told(table)

    # ------------------------------------------------------------ other processes

    async def catch_up(self, table_id: str) -> None:
        """Another process has changed a table: read on where it is in memory here."""
        place = self.places.get(table_id)
        if place is None or place.table is None:
            return
        async with place.lock:
            table = place.table
            if table is None:
                return
            entries = await self.store.entries(table_id, table.number)
            table.plans = await self.store.plans(table_id)
            for entry in entries:
                table.apply(entry)
            self._tell(place, table)
            self.planned(table)

    def forget(self, table_id: str) -> None:
        """Let go of a table that was deleted."""
        self.places.pop(table_id, None)

    # ------------------------------------------------------------ the server's own acts

    async def follow_plan(self, table_id: str, seat: int) -> None:
        """Make the first decision a seat has planned, or drop the plan where that cannot be done."""
        left = Plan()

        def decide(table: Table, at: int) -> list[Entry]:
            nonlocal left
            if seat not in table.plans_due() or table.position is None:
                raise Refused(409, "no_plan", "the plan is gone")
            first, *rest = table.plans[seat].moves
            possible = [str(move) for move in table.position.seen_by(seat).moves(seat)]
            left = Plan(tuple(rest)) if first in possible else Plan(dropped=first)
            return [Entry("move", seat, {"move": first})] if first in possible else []

        with suppress(Refused):
            await self.act(table_id, decide, lambda table: {seat: left})

    async def time_out(self, table_id: str) -> None:
        """Apply the table's rule to whose time is up."""
        await self.act(table_id, acts.time_out)


def replay(game: Any, row: dict[str, Any], entries: list[Entry]) -> Table:
    """A table from its row and its journal."""
    table = Table(game, row)
    if row["rules"] == game.rules:
        for entry in entries:
            table.apply(entry)
    elif row["state"] is not None and row["layout"] == layout(game):
        table.restore(entries, row["state"])
    else:
        raise Refused(409, "old_rules", "this table was played by rules this version does not know; its record can be downloaded")
    return table


def summary(table: Table, at: int, lease: int) -> dict[str, Any]:
    """What a table's row says of how it stands."""
    return {
        "number": table.number,
        "ply": table.ply,
        "pending": sum(1 << seat for seat in table.pending),
        "status": table.status,
        "state": table.state(),
        "updated": at,
        "wake": table.wake(at, lease) if table.status == PLAYING else None,
    }


def players(table: Table) -> list[dict[str, Any]]:
    """The rows of who sits where."""
    return [
        {"table_id": table.id, "seat": number, "kind": seat.kind, "guest": seat.guest, "name": seat.name, "bot": seat.bot}
        for number, seat in enumerate(table.seats)
    ]
