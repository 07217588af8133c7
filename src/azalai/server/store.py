"""Reads and writes rows.

All changes to tables go through one writer: what arrives during a commit is committed together afterwards. So a commit costs the
same for one move or for fifty, and every request is answered only after its commit.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import orjson
from sqlalchemy import and_, bindparam, column, delete, func, insert, or_, select, table, update
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import PoolProxiedConnection

from azalai.server import metrics
from azalai.server.database import (
    EntryRow,
    GuestRow,
    JobRow,
    PlayerRow,
    ResultRow,
    ReviewRow,
    SettingRow,
    TableRow,
    TokenRow,
    is_postgres,
    open_file,
)
from azalai.server.table import Entry

Result = TypeVar("Result")
log = logging.getLogger("azalai.store")

CHANNEL = "azalai"
EXCLUSIVE = 0x5365656B  # arbitrary, but the same in all processes
JUMP = 60_000  # milliseconds by which the machine's clock may differ from the server's time before that is logged
NOTICE = "notice-"  # begins the names of settings that are messages to a server on SQLite
BATCH = 500
NOTIFICATION = 7500  # bytes of one; PostgreSQL takes up to 8000
CHECKPOINT = 5.0  # seconds between two checkpoints of an SQLite file


def ticks() -> int:
    """Return nanoseconds that go on evenly, whatever happens to the machine's clock; if possible also while it sleeps."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic_ns()


_offset = time.time_ns() - ticks()  # changed only by `set_time`, when a server starts


def now() -> int:
    """Return the server time in milliseconds. It does not follow jumps of the machine's clock."""
    return (ticks() + _offset) // 1_000_000


def set_time(milliseconds: int) -> None:
    """Set the server time of this process."""
    global _offset
    _offset = milliseconds * 1_000_000 - ticks()


def boot_id() -> str:
    """Return what names the time since the machine was started, within which `ticks` can be compared; empty if unknown."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


class Conflict(Exception):
    """Another process has written the same entry, or the table exists."""


@dataclass
class Change:
    """Everything one command writes."""

    table_id: str
    entries: list[Entry] = field(default_factory=list)
    summary: dict[str, Any] | None = None  # columns of the table's row
    players: list[dict[str, Any]] | None = None  # replaces all rows of the table's players
    results: list[dict[str, Any]] = field(default_factory=list)  # of a game that is over now


@dataclass(eq=False)
class _Waiting:
    """A change in the writer's queue, and who waits for it."""

    change: Change
    woken: asyncio.Future[None]
    written: bool = False
    error: BaseException | None = None

    def resolve(self, error: BaseException | None = None) -> None:
        self.written, self.error = True, error
        if not self.woken.done():
            self.woken.set_result(None)


_INSERT_ENTRIES = insert(EntryRow)
_INSERT_PLAYERS = (
    "INSERT INTO players (table_id, seat, kind, guest, name, bot, place, score) "
    "VALUES (:table_id, :seat, :kind, :guest, :name, :bot, :place, :score)"
)
_INSERT_RESULTS = (
    "INSERT INTO results (table_id, seat, game, players, rated, at, guest, bot, place, out) "
    "VALUES (:table_id, :seat, :game, :players, :rated, :at, :guest, :bot, :place, :out)"
)
_NEW = {name: f"new_{name}" for name in ("number", "ply", "pending", "status", "public", "state", "updated", "acted", "wake")}
_UPDATE_TABLES = (
    update(TableRow).where(TableRow.id == bindparam("key")).values({name: bindparam(new) for name, new in _NEW.items()})
)


class Store:
    """The database."""

    def __init__(self, engine: AsyncEngine, process: str) -> None:
        self.engine = engine
        self.process = process
        self.shared = is_postgres(engine)  # other processes may serve the same tables
        self._file = None if self.shared else open_file(engine.url)
        self._thread = ThreadPoolExecutor(1, "write")
        self._connection: PoolProxiedConnection | None = None  # of the writer thread, to the file
        self._waiting: list[_Waiting] = []
        self._work_available = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._probed = float("-inf")  # when the database was last found to work
        self._probing = asyncio.Lock()
        self._path = None if self.shared else Path(engine.url.database or "")
        self._checkpoints: asyncio.Task[None] | None = None
        self._exclusive = asyncio.Lock()

    async def open(self) -> None:
        """Start the writer."""
        self._writer = asyncio.create_task(self._write_loop(), name="writer")
        if self._file is not None:
            self._checkpoints = asyncio.create_task(self._checkpoint_loop(self._file), name="checkpoints")

    async def close(self) -> None:
        """Write what is queued, then close the database."""
        if self._writer is not None:
            while self._waiting:
                await asyncio.sleep(0.01)
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        if self._checkpoints is not None:
            self._checkpoints.cancel()
            await asyncio.gather(self._checkpoints, return_exceptions=True)
        self._thread.shutdown()
        if self._connection is not None:
            self._connection.close()
        if self._file is not None:
            self._file.dispose()
        await self.engine.dispose()

    async def start_time(self) -> None:
        """Set the server time when a server starts: as it was in its last run, or by the clock, and never back.

        On PostgreSQL its clock counts, which is the same for all processes. On SQLite the last run has stored how its time
        follows from `ticks`; that holds until the machine is started anew.
        """
        latest = await self._one(select(func.max(TableRow.updated).label("time")))
        before = int((latest and latest["time"]) or 0)
        if self.shared:
            clock = await self._one(select((func.extract("epoch", func.clock_timestamp()) * 1000).label("time")))
            assert clock is not None
            set_time(max(int(clock["time"]), before))
            return
        boot = boot_id()
        known = (await self._one(select(SettingRow.value).where(SettingRow.name == "time"))) or {"value": "{}"}
        last = orjson.loads(known["value"])
        by_clock = time.time_ns() // 1_000_000
        same_boot = boot and last.get("boot") == boot
        set_time(max((ticks() + last["offset"]) // 1_000_000 if same_boot else by_clock, before))
        if abs(now() - by_clock) > JUMP:
            log.warning("the machine's clock has jumped; the server's time goes on as before", extra={"by": by_clock - now()})
        row = {"name": "time", "value": orjson.dumps({"boot": boot, "offset": _offset}).decode()}
        await self.execute((delete(SettingRow).where(SettingRow.name == "time"),), (insert(SettingRow), [row]))

    # ------------------------------------------------------------ the writer

    async def commit(self, change: Change) -> bool:
        """Return when the change is committed. Raises Conflict if another process has written the same entry.

        The writer commits the change even if the caller is cancelled, so a cancellation does not end the wait. Returns True
        after one, which the caller must then obey.
        """
        loop = asyncio.get_running_loop()
        one = _Waiting(change, loop.create_future())
        self._waiting.append(one)
        self._work_available.set()
        cancelled = False
        while not one.written:
            try:
                await one.woken
            except asyncio.CancelledError:
                cancelled = True
                one.woken = loop.create_future()
        if one.error is not None:
            raise one.error
        return cancelled

    async def _write_loop(self) -> None:
        while True:
            await self._work_available.wait()
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            if not self._waiting:
                self._work_available.clear()
            try:
                begun = time.perf_counter()
                await self._write_all(batch)
                metrics.COMMIT_SECONDS.observe(time.perf_counter() - begun)
                metrics.COMMIT_SIZE.observe(len(batch))
            except asyncio.CancelledError:
                for one in batch:
                    one.resolve(asyncio.CancelledError())
                raise

    async def _write_all(self, batch: Sequence[_Waiting]) -> None:
        """Commit a batch. If it fails, commit each change alone, so that only the faulty ones fail."""
        try:
            await self._write([one.change for one in batch])
        except Exception as error:
            if len(batch) > 1:
                for one in batch:
                    await self._write_all([one])
            else:
                batch[0].resolve(Conflict() if isinstance(error, IntegrityError | sqlite3.IntegrityError) else error)
            return
        for one in batch:
            one.resolve()

    async def _write(self, changes: list[Change]) -> None:
        def work(connection: Connection) -> None:
            write_changes(connection, changes)
            for message in change_messages(changes):
                self._notify(connection, message)

        if self._file is None:
            await self.transact(work)
        else:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._write_to_file, changes)

    def _write_to_file(self, changes: list[Change]) -> None:
        assert self._file is not None
        self._check_path()
        if self._connection is None:
            self._connection = self._file.raw_connection()
        driver = self._connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        with driver:  # commits, or rolls back
            write_rows(driver, changes)

    async def probe(self) -> None:
        """Raise an error if the database cannot be written. Asked often, it tries once a second."""
        if time.monotonic() - self._probed < 1:
            return
        async with self._probing:
            await self.execute(
                (delete(SettingRow).where(SettingRow.name == "probe"),),
                (insert(SettingRow), [{"name": "probe", "value": str(now())}]),
            )
            self._probed = time.monotonic()

    async def _checkpoint_loop(self, file: Engine) -> None:
        """Move what was committed from SQLite's log into its file, beside the writer: else some commit would wait for it."""

        def checkpoint() -> None:
            with file.connect() as connection:
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")

        while True:
            await asyncio.sleep(CHECKPOINT)
            with suppress(DBAPIError):  # the writer fails too, and says so
                await asyncio.to_thread(checkpoint)

    async def transact(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction. All writes to SQLite use one thread, since concurrent writers would block each other."""
        if self._file is None:
            async with self.engine.begin() as connection:
                return await connection.run_sync(work)
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact_in_file, work)

    def _check_path(self) -> None:
        """Raise an error if the file is gone: SQLite would go on with one that has no name any more."""
        assert self._path is not None
        if not self._path.exists():
            raise FileNotFoundError(f"the database {self._path} is gone")

    def _transact_in_file(self, work: Callable[[Connection], Result]) -> Result:
        assert self._file is not None
        self._check_path()
        with self._file.begin() as connection:
            return work(connection)

    async def execute(self, *statements: tuple[Any, ...]) -> int:
        """Execute statements, each with optional rows, in one transaction; return the row count of the last."""
        return await self.transact(lambda connection: [connection.execute(*one).rowcount for one in statements][-1])

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Let nobody else in, in any process, while something is looked for and made if it is not there."""
        async with self._exclusive:
            if not self.shared:
                yield
                return
            async with self.engine.begin() as connection:
                await connection.execute(select(func.pg_advisory_xact_lock(EXCLUSIVE)))
                yield

    def _notify(self, connection: Connection, message: dict[str, Any]) -> None:
        """Notify the other processes."""
        if self.shared:
            text = orjson.dumps({"from": self.process, **message}).decode()
            connection.execute(select(func.pg_notify(CHANNEL, text)))

    async def notify_processes(self, message: dict[str, Any]) -> None:
        """Send the other processes a message that is not stored."""
        if self.shared:
            await self.transact(lambda connection: self._notify(connection, message))

    async def count_sessions(self, name: str) -> int:
        """Return how many connections of this name PostgreSQL has to our database."""
        sessions = table("pg_stat_activity", column("application_name"), column("datname"))
        here = and_(sessions.c.application_name == name, sessions.c.datname == func.current_database())
        found = await self._one(select(func.count().label("count")).select_from(sessions).where(here))
        return int(found["count"]) if found else 0

    async def notify_server(self, message: dict[str, Any]) -> None:
        """Send a message from a command to all servers; one on SQLite finds it among the settings."""
        if self.shared:
            await self.notify_processes(message)
        else:
            notice = {"name": NOTICE + secrets.token_hex(8), "value": orjson.dumps({"from": self.process, **message}).decode()}
            await self.execute((insert(SettingRow), [notice]))

    async def take_notices(self) -> list[str]:
        """Return the messages of commands to this server, and delete them."""
        async with self.engine.connect() as connection:
            query = select(SettingRow.name, SettingRow.value).where(SettingRow.name.startswith(NOTICE))
            found = (await connection.execute(query)).all()
        if found:
            await self.execute((delete(SettingRow).where(SettingRow.name.in_([one.name for one in found])),))
        return [one.value for one in found]

    # ------------------------------------------------------------ tables

    async def create(self, table: dict[str, Any], entries: Iterable[Entry], players: list[dict[str, Any]]) -> None:
        """Insert a new table with its first journal entries. Raises Conflict if it exists."""
        rows = [entry_row(table["id"], entry) for entry in entries]
        try:
            await self.execute((insert(TableRow), [table]), (_INSERT_ENTRIES, rows), (insert(PlayerRow), players))
        except IntegrityError:
            raise Conflict from None

    async def table(self, table_id: str) -> dict[str, Any] | None:
        """Return a table's row."""
        return await self._one(select(TableRow.__table__).where(TableRow.id == table_id))

    async def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        """Return the journal entries after a number."""
        chosen = select(EntryRow.kind, EntryRow.seat, EntryRow.data, EntryRow.number, EntryRow.at)
        query = chosen.where(EntryRow.table_id == table_id, EntryRow.number > after).order_by(EntryRow.number)
        async with self.engine.connect() as connection:
            return [Entry(*one) for one in await connection.execute(query)]

    async def due(self, before: int, limit: int = 100) -> list[tuple[str, int]]:
        """Return tables that are due for a check."""
        query = select(TableRow.id, TableRow.wake).where(TableRow.wake <= before).order_by(TableRow.wake).limit(limit)
        async with self.engine.connect() as connection:
            return [(one[0], int(one[1] or 0)) for one in await connection.execute(query)]

    async def claim(self, table_id: str, seen: int, until: int | None) -> bool:
        """Claim a table that is due, and set when it is due again; False if another process was first."""
        query = update(TableRow).where(TableRow.id == table_id, TableRow.wake == seen).values(wake=until)
        return bool(await self.execute((query,)))

    async def renew_leases(self, wakes: dict[str, int]) -> None:
        """Renew the leases of tables whose computer players run in this process."""
        query = (
            update(TableRow).where(TableRow.id == bindparam("key"), TableRow.wake.is_not(None)).values(wake=bindparam("later"))
        )
        await self.execute((query, [{"key": key, "later": later} for key, later in wakes.items()]))

    async def wake_all(self, until: int) -> None:
        """Make all leased tables due now. For the start of a process that is alone on its database."""
        await self.execute((update(TableRow).where(TableRow.wake <= until).values(wake=now()),))

    async def count_unfinished(self, guest: str) -> int:
        """Return how many unfinished tables a guest sits at."""
        query = (
            select(func.count(TableRow.id.distinct()))
            .join(PlayerRow, PlayerRow.table_id == TableRow.id)
            .where(PlayerRow.guest == guest, PlayerRow.kind != "open", TableRow.status.in_(("waiting", "playing")))
        )
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def set_players(self, table_id: str, players: list[dict[str, Any]]) -> None:
        """Replace the rows of a table's players."""
        await self.execute((delete(PlayerRow).where(PlayerRow.table_id == table_id),), (insert(PlayerRow), players))

    # ------------------------------------------------------------ settings, guests, tokens, jobs

    async def setting(self, name: str, make: Callable[[], str]) -> str:
        """Return a value shared by all processes; the first that asks creates it."""
        query = select(SettingRow.value).where(SettingRow.name == name)
        for _ in range(2):
            async with self.engine.connect() as connection:
                found = (await connection.execute(query)).scalar_one_or_none()
            if found is not None:
                return str(found)
            try:
                await self.execute((insert(SettingRow), [{"name": name, "value": make()}]))
            except IntegrityError:
                continue
        raise RuntimeError(f"the setting {name} can neither be read nor written")

    async def set_setting(self, name: str, value: str) -> None:
        """Change a value that all processes share."""
        await self.execute((update(SettingRow).where(SettingRow.name == name).values(value=value),))

    async def guest(self, guest: str) -> dict[str, Any] | None:
        """Return a guest's row."""
        return await self._one(select(GuestRow.__table__).where(GuestRow.id == guest))

    async def name_guest(self, guest: str, name: str) -> None:
        """Store a guest's name."""

        def work(connection: Connection) -> None:
            if not connection.execute(update(GuestRow).where(GuestRow.id == guest).values(name=name)).rowcount:
                connection.execute(insert(GuestRow), [{"id": guest, "name": name, "created": now(), "epoch": 0}])

        try:
            await self.transact(work)
        except IntegrityError:  # two first requests at once: the other one has inserted the row
            await self.transact(work)

    async def end_sessions(self, guest: str, name: str, but: str | None) -> int:
        """Raise a guest's epoch and delete their tokens and links, except the token with digest `but`; return the epoch.

        Passkeys and the recovery code stay: by them the guest comes back.
        """
        await self.name_guest(guest, name)

        def work(connection: Connection) -> int:
            connection.execute(update(GuestRow).where(GuestRow.id == guest).values(epoch=GuestRow.epoch + 1))
            others = and_(TokenRow.guest == guest, TokenRow.kind != "recovery", TokenRow.digest != (but or ""))
            connection.execute(delete(TokenRow).where(others))
            return int(connection.execute(select(GuestRow.epoch).where(GuestRow.id == guest)).scalar_one())

        return await self.transact(work)

    async def add_token(self, digest: str, guest: str, kind: str, label: str, expires: int | None) -> int:
        """Store a token's digest and delete expired ones; return the time of creation."""
        created = now()
        token = {"digest": digest, "guest": guest, "kind": kind, "label": label, "created": created, "expires": expires}
        await self.execute((delete(TokenRow).where(TokenRow.expires < created),), (insert(TokenRow), [token]))
        return created

    async def token(self, digest: str, kind: str) -> str | None:
        """Return the guest a token belongs to."""
        query = select(TokenRow.guest).where(
            TokenRow.digest == digest, TokenRow.kind == kind, or_(TokenRow.expires.is_(None), TokenRow.expires > now())
        )
        found = await self._one(query)
        return None if found is None else str(found["guest"])

    async def tokens(self, guest: str) -> list[dict[str, Any]]:
        """Return a guest's API tokens."""
        query = (
            select(TokenRow.digest, TokenRow.label, TokenRow.created)
            .where(TokenRow.guest == guest, TokenRow.kind == "api")
            .order_by(TokenRow.created)
        )
        async with self.engine.connect() as connection:
            return [dict(one._mapping) for one in await connection.execute(query)]

    async def drop_token(self, digest: str, guest: str | None = None) -> bool:
        """Delete a token; return whether it existed."""
        query = delete(TokenRow).where(TokenRow.digest == digest)
        return bool(await self.execute((query if guest is None else query.where(TokenRow.guest == guest),)))

    async def add_job(self, job: dict[str, Any]) -> None:
        """Insert a job and delete those older than a week."""
        await self.execute((delete(JobRow).where(JobRow.created < now() - 7 * 86_400_000),), (insert(JobRow), [job]))

    async def set_job(self, job_id: str, **values: Any) -> None:
        """Update a job."""
        await self.execute((update(JobRow).where(JobRow.id == job_id).values(renewed=now(), **values),))

    async def fail_jobs(self, why: dict[str, Any]) -> None:
        """Mark all running jobs as failed. For the start of a process that is alone on its database."""
        lost = JobRow.status.in_(("waiting", "running"))
        await self.execute((update(JobRow).where(lost).values(status="failed", result=why),))

    async def job(self, job_id: str) -> dict[str, Any] | None:
        """Return a job's row."""
        return await self._one(select(JobRow.__table__).where(JobRow.id == job_id))

    async def review(self, table_id: str) -> dict[str, Any] | None:
        """Return the row of a table's review."""
        return await self._one(select(ReviewRow.__table__).where(ReviewRow.table_id == table_id))

    async def save_review(self, table_id: str, content: dict[str, Any], done: bool) -> None:
        """Store a table's review in the place of the one before."""
        row = {"table_id": table_id, "content": content, "done": done, "renewed": now()}
        await self.execute((delete(ReviewRow).where(ReviewRow.table_id == table_id),), (insert(ReviewRow), [row]))

    async def _one(self, query: Any) -> dict[str, Any] | None:
        async with self.engine.connect() as connection:
            found = (await connection.execute(query)).first()
        return None if found is None else dict(found._mapping)


def write_changes(connection: Connection, changes: list[Change]) -> None:
    """Write changes in the current transaction."""
    entries = [entry_row(change.table_id, entry) for change in changes for entry in change.entries]
    summaries = [
        {"key": change.table_id, **{_NEW[name]: value for name, value in change.summary.items()}}
        for change in changes
        if change.summary is not None
    ]
    if entries:
        connection.execute(_INSERT_ENTRIES, entries)
    if summaries:
        connection.execute(_UPDATE_TABLES, summaries)
    for change in changes:
        if change.players is not None:
            connection.execute(delete(PlayerRow).where(PlayerRow.table_id == change.table_id))
            connection.execute(insert(PlayerRow), change.players)
        if change.results:
            connection.execute(insert(ResultRow), change.results)


def change_messages(changes: list[Change]) -> Iterator[dict[str, Any]]:
    """Tell other processes of changes: the new entries, so that they need not read them, in messages below PostgreSQL's limit."""
    entries: dict[str, list[list[Any]]] = {}
    size = 0
    for change in changes:
        rows = [[one.kind, one.seat, one.data, one.number, one.at] for one in change.entries]
        length = len(orjson.dumps(rows)) + len(change.table_id) + 8
        if length > NOTIFICATION:
            yield {"tables": [change.table_id]}
            continue
        if size + length > NOTIFICATION:
            yield {"entries": entries}
            entries, size = {}, 0
        entries[change.table_id] = rows
        size += length
    if entries:
        yield {"entries": entries}


def write_rows(connection: sqlite3.Connection, changes: list[Change]) -> None:
    """The same for SQLite, in a few statements of many rows each: after every statement the thread waits for its turn."""
    _execute_rows(
        connection,
        insert_statement,
        [
            (change.table_id, one.number, one.at, one.kind, one.seat, orjson.dumps(one.data).decode())
            for change in changes
            for one in change.entries
        ],
    )
    rows = [(change.table_id, *(change.summary[name] for name in _NEW)) for change in changes if change.summary is not None]
    _execute_rows(connection, update_statement, rows)
    for change in changes:
        if change.players is not None:
            connection.execute("DELETE FROM players WHERE table_id = ?", (change.table_id,))
            connection.executemany(_INSERT_PLAYERS, change.players)
        if change.results:
            connection.executemany(_INSERT_RESULTS, change.results)


def _execute_rows(connection: sqlite3.Connection, statement: Callable[[int], str], rows: list[tuple[Any, ...]]) -> None:
    """Execute a statement for all rows, as many at once as possible. Few sizes, so that the driver keeps them prepared."""
    begin = 0
    for size in (64, 32, 16, 8, 4, 2, 1):
        while len(rows) - begin >= size:
            connection.execute(statement(size), [value for row in rows[begin : begin + size] for value in row])
            begin += size


@functools.cache
def insert_statement(count: int) -> str:
    """Return the statement that inserts so many journal entries."""
    return f"INSERT INTO entries (table_id, number, at, kind, seat, data) VALUES {', '.join(['(?, ?, ?, ?, ?, ?)'] * count)}"


@functools.cache
def update_statement(count: int) -> str:
    """Return the statement that updates so many tables."""
    row = f"(?{', ?' * len(_NEW)})"
    values = ", ".join(f"{name} = new.column{place}" for place, name in enumerate(_NEW, 2))
    return f"UPDATE tables SET {values} FROM (VALUES {', '.join([row] * count)}) AS new WHERE tables.id = new.column1"


def entry_row(table_id: str, entry: Entry) -> dict[str, Any]:
    """Return an entry as a row."""
    return {
        "table_id": table_id,
        "number": entry.number,
        "at": entry.at,
        "kind": entry.kind,
        "seat": entry.seat,
        "data": entry.data,
    }


def new_id(size: int = 12) -> str:
    """Return a random id of so many bytes that does not start with a dash, so that commands do not take it for an option."""
    while (made := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return made
