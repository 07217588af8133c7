"""Reads and writes rows.

All changes to tables go through one writer: what arrives during a commit is committed together afterwards. So a commit costs the
same for one move or for fifty, and every request is answered only after its commit.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import orjson
from sqlalchemy import and_, column, delete, func, insert, select, table, update
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.pool import PoolProxiedConnection

from azalai.server import metrics
from azalai.server.changes import CHANNEL, Change, append_statement, change_messages, entry_row, write_changes, write_rows
from azalai.server.database import is_postgres, open_file
from azalai.server.rows import EntryRow, PlayerRow, SettingRow, TableRow
from azalai.server.server_time import now
from azalai.server.table import Entry

Result = TypeVar("Result")
log = logging.getLogger("azalai.store")

EXCLUSIVE = 0x5365656B  # arbitrary, but the same in all processes
NOTICE = "notice-"  # begins the names of settings that are messages to a server on SQLite
BATCH = 500
CHECKPOINT = 5.0  # seconds between two checkpoints of an SQLite file


class Conflict(Exception):
    """Another process has written the same entry, or the table exists."""


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


class Store:
    """The database."""

    def __init__(self, engine: AsyncEngine, process: str) -> None:
        self.engine = engine
        self.process = process
        self.sender = self._message({})[:-1]  # how all messages of this process begin
        self.shared = is_postgres(engine)  # other processes may serve the same tables
        self._file = None if self.shared else open_file(engine.url)
        self._thread = ThreadPoolExecutor(1, "write")
        self._connection: PoolProxiedConnection | None = None  # of the writer thread, to the file
        self._appending: AsyncConnection | None = None  # of the writer, to PostgreSQL
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
        if self._appending is not None:
            await self._appending.close()
        if self._file is not None:
            self._file.dispose()
        await self.engine.dispose()

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

        if self._file is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._write_to_file, changes)
        elif all(change.appends for change in changes):
            await self._append(changes)
        else:
            await self.transact(work)

    async def _append(self, changes: list[Change]) -> None:
        """Write changes that only append to PostgreSQL, at a connection of the writer's own: it need not be tried first."""
        if self._appending is not None:
            driver: Any = (await self._appending.get_raw_connection()).driver_connection
            if driver.is_closed():
                await self._close_appending()
        if self._appending is None:
            engine = self.engine.execution_options(isolation_level="AUTOCOMMIT")  # a statement is a transaction
            self._appending = await engine.connect()
        messages = [self._message(message) for message in change_messages(changes)]
        try:
            await self._appending.execute(*append_statement(changes, messages))
        except BaseException:
            await self._close_appending()
            raise

    async def _close_appending(self) -> None:
        assert self._appending is not None
        connection, self._appending = self._appending, None
        await connection.invalidate()
        await connection.close()

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
            connection.execute(select(func.pg_notify(CHANNEL, self._message(message))))

    def _message(self, message: dict[str, Any]) -> str:
        """Encode a message; it begins with its sender, who need not read it."""
        return orjson.dumps({"from": self.process, **message}).decode()

    async def notify_processes(self, message: dict[str, Any]) -> None:
        """Send the other processes a message that is not stored."""
        if self.shared:
            await self.transact(lambda connection: self._notify(connection, message))

    async def count_sessions(self, name: str) -> int:
        """Return how many connections of this name PostgreSQL has to our database."""
        sessions = table("pg_stat_activity", column("application_name"), column("datname"))
        here = and_(sessions.c.application_name == name, sessions.c.datname == func.current_database())
        found = await self.one(select(func.count().label("count")).select_from(sessions).where(here))
        return int(found["count"]) if found else 0

    async def notify_server(self, message: dict[str, Any]) -> None:
        """Send a message from a command to all servers; one on SQLite finds it among the settings."""
        if self.shared:
            await self.notify_processes(message)
        else:
            notice = {"name": NOTICE + secrets.token_hex(8), "value": self._message(message)}
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
            await self.execute((insert(TableRow), [table]), (insert(EntryRow), rows), (insert(PlayerRow), players))
        except IntegrityError:
            raise Conflict from None

    async def table(self, table_id: str) -> dict[str, Any] | None:
        """Return a table's row."""
        return await self.one(select(TableRow.__table__).where(TableRow.id == table_id))

    async def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        """Return the journal entries after a number."""
        chosen = select(EntryRow.kind, EntryRow.seat, EntryRow.data, EntryRow.number, EntryRow.at)
        query = chosen.where(EntryRow.table_id == table_id, EntryRow.number > after).order_by(EntryRow.number)
        async with self.engine.connect() as connection:
            return [Entry(*one) for one in await connection.execute(query)]

    async def set_players(self, table_id: str, players: list[dict[str, Any]]) -> None:
        """Replace the rows of a table's players."""
        await self.execute((delete(PlayerRow).where(PlayerRow.table_id == table_id),), (insert(PlayerRow), players))

    # ------------------------------------------------------------ settings

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

    async def one(self, query: Any) -> dict[str, Any] | None:
        """Return the first row of a query."""
        async with self.engine.connect() as connection:
            found = (await connection.execute(query)).first()
        return None if found is None else dict(found._mapping)
