"""Loads tables, executes commands on them one at a time, and publishes what changed.

Any process can serve any table. A process knows each table in its memory up to an entry number, decides a command on that state
and commits it as the next number. If another process was first, the commit fails: the table is loaded again and the command
retried.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from azalai.engine.errors import IllegalMove
from azalai.server import commands, metrics
from azalai.server.catalog import Catalog
from azalai.server.changes import Change
from azalai.server.errors import ApiError
from azalai.server.ids import new_id
from azalai.server.ratings import result_rows
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.store import Conflict, Store
from azalai.server.table import IMPORTED, OVER, PLAYING, Entry, Table, layout

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from azalai.engine.game import Game


log = logging.getLogger("azalai.registry")

MAX_ATTEMPTS = 8  # how often a command is retried when other processes write first
LONG_JOURNAL = 20  # journals longer than this are replayed in a thread

Command = Callable[[Table, int], list[Entry]]


def nothing(table: Table) -> None:
    """The default renderer: returns nothing."""


class TableSlot:
    """A table in memory, once loaded, and the lock that readers and writers of the table hold."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.table: Table | None = None
        self.changed: asyncio.Event | None = None  # set and replaced at the next change, for long polling


class TableRegistry:
    """All tables in this process's memory."""

    def __init__(self, store: Store, catalog: Catalog, settings: Settings) -> None:
        self.store = store
        self.catalog = catalog
        self.settings = settings
        self.replays = ThreadPoolExecutor(1, "replay")  # one at a time: each takes turns with the event loop
        self.slots: OrderedDict[str, TableSlot] = OrderedDict()
        self.unreadable: dict[str, tuple[int, str, str]] = {}  # tables set aside: status, code and message for who asks
        self.on_change: Callable[[Table], None] = lambda table: None  # called after every change
        # called after commands of this process, with the seats of computer players that owe a decision they did not owe before
        self.on_command: Callable[[Table, list[int]], None] = lambda table, seats: None
        self.on_result: Callable[[Table], None] = lambda table: None  # called after a command of this process has ended a game
        self.in_use: Callable[[str], bool] = lambda table_id: False  # whether a table must stay in memory

    # ------------------------------------------------------------ reading

    @asynccontextmanager
    async def locked(self, table_id: str) -> AsyncIterator[Table]:
        """Lock a table and yield its committed state."""
        slot = self._slot(table_id)
        async with slot.lock:
            yield await self._load(table_id, slot)

    @asynccontextmanager
    async def latest(self, table_id: str) -> AsyncIterator[Table]:
        """Lock a table and yield its state with all that other processes have written, also what this one has not heard of."""
        if self.store.shared:
            await self.refresh(table_id)
        async with self.locked(table_id) as table:
            yield table

    def change_event(self, table_id: str) -> asyncio.Event:
        """Return an event that is set at the table's next change."""
        slot = self._slot(table_id)
        if slot.changed is None:
            slot.changed = asyncio.Event()
        return slot.changed

    def _slot(self, table_id: str) -> TableSlot:
        slot = self.slots.get(table_id)
        if slot is None:
            slot = self.slots[table_id] = TableSlot()
            self._evict()
        self.slots.move_to_end(table_id)
        return slot

    def _evict(self) -> None:
        """Drop the least recently used tables above the limit."""
        surplus = len(self.slots) - self.settings.tables_in_memory
        for table_id in list(self.slots)[: max(0, surplus)]:
            if not self.slots[table_id].lock.locked() and not self.in_use(table_id):
                del self.slots[table_id]
        metrics.TABLES.set(len(self.slots))

    def release(self, game: Game) -> bool:
        """Drop all tables of a game; return False, and drop none, where one of them is in use."""
        tables = [key for key, slot in self.slots.items() if slot.table is not None and slot.table.game is game]
        if any(self.slots[key].lock.locked() or self.in_use(key) for key in tables):
            return False
        for key in tables:
            del self.slots[key]
        return True

    async def _load(self, table_id: str, slot: TableSlot) -> Table:
        if table_id in self.unreadable:
            raise ApiError(*self.unreadable[table_id])
        if slot.table is None:
            row = await self.store.table(table_id)
            if row is None:
                self.slots.pop(table_id, None)
                raise ApiError(404, "no_such_table", "there is no such table")
            slot.table = await self._read_table(row)
        return slot.table

    async def _read_table(self, row: dict[str, Any]) -> Table:
        game = await self.catalog.game(row["game"], row["setup"].get("components"))
        entries = await self.store.entries(row["id"])
        try:
            if len(entries) <= LONG_JOURNAL:
                return replay(game, row, entries)
            return await asyncio.get_running_loop().run_in_executor(self.replays, replay, game, row, entries)
        except ApiError as error:
            self._set_aside(row["id"], error)
            raise

    def _set_aside(self, table_id: str, error: ApiError) -> None:
        """Refuse every request for a table from now on, until this process ends or the table is deleted."""
        self.unreadable[table_id] = error.status, error.code, error.message
        metrics.UNREADABLE.set(len(self.unreadable))
        reason = {"table": table_id, "why": error.code}
        log.error("a table is set aside: it cannot be replayed", extra=reason, exc_info=error.__cause__)

    # ------------------------------------------------------------ commands

    async def execute(self, table_id: str, decide: Command, render: Callable[[Table], Any] = nothing) -> Any:
        """Execute a command; when its entries are committed and published, return `render(table)`.

        A command is atomic: once its entries are handed to the store, it completes even if the caller is cancelled (as happens
        when the server stops).
        """
        slot = self._slot(table_id)
        async with slot.lock:
            for _ in range(MAX_ATTEMPTS):
                table = await self._load(table_id, slot)
                owed = {seat: table.owed_since[seat] for seat in table.bots_to_move()}
                change = self._apply_command(table, slot, decide)
                if not change.entries:
                    return render(table)
                try:
                    cancelled = await self.store.commit(change)
                except Conflict:
                    metrics.CONFLICTS.inc()
                    slot.table = None
                    continue
                except BaseException:
                    slot.table = None  # memory and database may differ
                    raise
                self._publish(slot, table)
                if change.results:
                    self.on_result(table)
                self.on_command(table, [seat for seat in table.bots_to_move() if owed.get(seat) != table.owed_since[seat]])
                if cancelled:
                    raise asyncio.CancelledError
                return render(table)
        raise ApiError(503, "busy", "the table is too busy; try again")

    def _apply_command(self, table: Table, slot: TableSlot, decide: Command) -> Change:
        """Run a command and apply its entries. If the commit fails, the caller drops the table from memory."""
        at = max(now(), table.updated)
        finished = table.finished
        entries = [
            Entry(entry.kind, entry.seat, entry.data, table.number + 1 + index, at)
            for index, entry in enumerate(decide(table, at))
        ]
        try:
            for entry in entries:
                table.apply(entry)
        except IllegalMove as error:
            if len(entries) > 1:
                slot.table = None
            raise ApiError(409, "illegal_move", str(error)) from None
        for entry in entries:
            metrics.entries_of(entry.kind).inc()
        change = Change(table.id, entries)
        if entries:
            change.summary = summary_columns(table, at, int(self.settings.lease * 1000))
            if table.finished != finished or any(entry.kind in ("sit", "start", "resign") for entry in entries):
                change.players = player_rows(table)
            if table.finished and not finished:
                change.results = result_rows(table)
        return change

    def _publish(self, slot: TableSlot, table: Table) -> None:
        if slot.changed is not None:
            slot.changed.set()
            slot.changed = None
        self.on_change(table)

    # ------------------------------------------------------------ other processes

    def receive(self, table_id: str, entries: list[Entry]) -> bool:
        """Apply entries that another process has written and sent; return False where they must be read from the database."""
        slot = self.slots.get(table_id)
        if slot is None or slot.table is None or slot.table.number >= entries[-1].number:
            return True
        if slot.lock.locked() or slot.table.number + 1 != entries[0].number:
            return False
        try:
            for entry in entries:
                slot.table.apply(entry)
        except Exception:
            return False  # reading finds the same fault, and sets the table aside
        self._publish(slot, slot.table)
        return True

    async def refresh(self, table_id: str) -> None:
        """Read and apply entries that another process has written."""
        slot = self.slots.get(table_id)
        if slot is None or slot.table is None:
            return
        async with slot.lock:
            table = slot.table
            if table is None:
                return
            entries = await self.store.entries(table_id, table.number)
            if not entries:
                return  # nothing to tell: a push without a change would only show that somebody did something
            try:
                for entry in entries:
                    table.apply(entry)
            except Exception:
                slot.table = None  # replay it from the beginning, which sets it aside if that fails too
                with suppress(ApiError):
                    self._publish(slot, await self._load(table_id, slot))
                return
            self._publish(slot, table)

    async def reload(self, table_id: str) -> None:
        """Load a table again whose journal a command has changed."""
        slot = self.slots.get(table_id)
        if slot is None:
            return
        async with slot.lock:
            slot.table = None
            with suppress(ApiError):
                self._publish(slot, await self._load(table_id, slot))

    def discard(self, table_id: str) -> None:
        """Drop a deleted table."""
        self.slots.pop(table_id, None)
        if self.unreadable.pop(table_id, None) is not None:
            metrics.UNREADABLE.set(len(self.unreadable))

    # ------------------------------------------------------------ commands of the server itself

    async def time_out(self, table_id: str) -> None:
        """Apply the table's time-out rule."""
        await self.execute(table_id, commands.time_out)


def replay(game: Game, row: dict[str, Any], entries: list[Entry]) -> Table:
    """Build a table from its row and its journal. Raises ApiError where that is impossible."""
    earlier = None if row["rules"] == game.rules else replay_earlier(game, row, entries)
    if earlier is not None:
        return earlier
    if row["rules"] != game.rules and (row["state"] is None or row["layout"] != layout(game)):
        over = row["status"] in (OVER, IMPORTED)
        what = "show it. Its record can be downloaded" if over else "go on with it. The operator can export its record"
        raise ApiError(
            409,
            "old_rules" if over else "old_rules_running",
            f"this game is by version {row['rules']} of {row['game']}'s rules; this server has {game.rules} and cannot {what}",
        )
    try:
        table = Table(game, row)
        if row["rules"] == game.rules:
            for entry in entries:
                table.apply(entry)
        else:
            table.restore(entries, row["state"])
    except Exception as error:  # whatever is wrong with one table must not harm others
        raise ApiError(500, "unreadable", "this table cannot be replayed any more; the operator can see why") from error
    return table


def replay_earlier(game: Game, row: dict[str, Any], entries: list[Entry]) -> Table | None:
    """Replay a table of an earlier rules version by the present rules; None where these ask for other decisions."""
    earlier = game.earlier.get(row["rules"])
    if earlier is None:
        return None
    table = Table(game, row)
    try:
        for entry in entries:
            position = table.position
            if entry.kind == "move" and position and earlier.is_settled(position, game.moves.parse(entry.data["move"])):
                return None
            table.apply(entry)
            if table.position is not None and earlier.differs(table.position):
                return None
    except IllegalMove:
        return None
    return table


def summary_columns(table: Table, at: int, lease: int) -> dict[str, Any]:
    """Return the columns of a table's row that summarise its state."""
    return {
        "number": table.number,
        "ply": table.ply,
        "pending": sum([1 << seat for seat in table.pending]),
        "status": table.status,
        "public": table.public,
        "state": table.state(),
        "updated": at,
        "acted": table.acted,
        "wake": table.next_wake(at, lease) if table.status == PLAYING else None,
    }


def new_table(game: Game, creator: str, options: dict[str, Any], setup: dict[str, Any], public: bool = False) -> Table:
    """Return a new table that is not stored yet. `creator`: its founder's guest; empty: it belongs to a tournament."""
    row = {
        "id": new_id(),
        "rules": game.rules,
        "options": options,
        "seed": secrets.randbits(63),
        "setup": setup,
        "public": public,
        "creator": creator,
        "created": now(),
    }
    return Table(game, row)


def first_rows(table: Table, entries: list[Entry], lease: int) -> tuple[dict[str, Any], list[Entry]]:
    """Apply the first entries of a new table; return its row, and the entries with their numbers and time."""
    numbered = [Entry(one.kind, one.seat, one.data, number, table.created) for number, one in enumerate(entries, 1)]
    for entry in numbered:
        table.apply(entry)
    row = {
        "id": table.id,
        "game": table.game.name,
        "rules": table.rules,
        "layout": layout(table.game),
        "options": table.options,
        "seed": table.seed,
        "setup": table.setup,
        "public": table.public,
        "creator": table.creator,
        "created": table.created,
        **summary_columns(table, table.created, lease),
    }
    return row, numbered


def player_rows(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table's players, with their results once the game is over."""
    scores, places = table.result() if table.status == OVER else ([None] * len(table.seats),) * 2
    return [
        {
            "table_id": table.id,
            "seat": number,
            "kind": seat.kind,
            "guest": seat.guest,
            "name": seat.name,
            "bot": seat.bot,
            "place": places[number],
            "score": scores[number],
        }
        for number, seat in enumerate(table.seats)
    ]
