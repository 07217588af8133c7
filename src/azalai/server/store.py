"""Reading and writing rows.

Changes to tables go through one writer: whatever has come in while the last commit was under way is committed together. So a
commit costs the same for one move or for fifty, and nobody is answered before theirs is safe.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import orjson
from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from azalai.server import metrics
from azalai.server.database import EntryRow, Guest, JobRow, PlanRow, PlayerRow, Setting, TableRow, Token, is_postgres, open_file
from azalai.server.table import Entry, Plan

Result = TypeVar("Result")
CHANNEL = "azalai"
BATCH = 500


def now() -> int:
    """Server time in milliseconds."""
    return time.time_ns() // 1_000_000


class Conflict(Exception):
    """Another was faster: the entry's number, or the table's name, is taken."""


@dataclass
class Change:
    """All that one act at a table writes."""

    table_id: str
    entries: list[Entry] = field(default_factory=list)
    summary: dict[str, Any] | None = None  # columns of the table's row
    players: list[dict[str, Any]] | None = None  # all seats anew
    plans: dict[int, Plan] = field(default_factory=dict)  # by seat; an empty one is removed


_INSERT_ENTRIES = insert(EntryRow)
_NEW = {name: f"new_{name}" for name in ("number", "ply", "pending", "status", "state", "updated", "wake")}
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
        self._waiting: list[tuple[Change, asyncio.Future[None]]] = []
        self._wanted = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to write."""
        self._writer = asyncio.create_task(self._write_on(), name="writer")

    async def close(self) -> None:
        """Write what is left, then let go of the database."""
        if self._writer is not None:
            while self._waiting:
                await asyncio.sleep(0.01)
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        self._thread.shutdown()
        if self._file is not None:
            self._file.dispose()
        await self.engine.dispose()

    # ------------------------------------------------------------ the writer

    async def commit(self, change: Change) -> bool:
        """Come back when the change is safe. Raises Conflict where another process has written the same entry.

        What has been handed in is written, whatever becomes of whoever asked for it; so a cancellation does not end the
        waiting. True: there was one, and it is still to be obeyed.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, done))
        self._wanted.set()
        cancelled = False
        while not done.done():
            try:
                await asyncio.shield(done)
            except asyncio.CancelledError:
                cancelled = True
        done.result()
        return cancelled

    async def _write_on(self) -> None:
        while True:
            await self._wanted.wait()
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            if not self._waiting:
                self._wanted.clear()
            try:
                begun = time.perf_counter()
                await self._write_all(batch)
                metrics.COMMIT_SECONDS.observe(time.perf_counter() - begun)
                metrics.COMMIT_SIZE.observe(len(batch))
            except asyncio.CancelledError:
                for _, done in batch:
                    done.cancel()
                raise

    async def _write_all(self, batch: Sequence[tuple[Change, asyncio.Future[None]]]) -> None:
        """Commit a batch; where it fails, each change by itself, so that only those at fault fail."""
        try:
            await self._write([change for change, _ in batch])
        except Exception as error:
            if len(batch) > 1:
                for one in batch:
                    await self._write_all([one])
            elif not batch[0][1].done():
                batch[0][1].set_exception(Conflict() if isinstance(error, IntegrityError) else error)
            return
        for _, done in batch:
            if not done.done():
                done.set_result(None)

    async def _write(self, changes: list[Change]) -> None:
        def work(connection: Connection) -> None:
            write(connection, changes)
            self._notify(connection, {"tables": [change.table_id for change in changes]})

        await self._transact(work)

    async def _transact(self, work: Callable[[Connection], Result]) -> Result:
        """Do something in a transaction. To an SQLite file there is one way, a thread: two would lock each other out."""
        if self._file is None:
            async with self.engine.begin() as connection:
                return await connection.run_sync(work)
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact_in_file, work)

    def _transact_in_file(self, work: Callable[[Connection], Result]) -> Result:
        assert self._file is not None
        with self._file.begin() as connection:
            return work(connection)

    async def _execute(self, *statements: tuple[Any, ...]) -> int:
        """Execute statements, each with its rows if it has any, in one transaction; how many rows the last one concerned."""
        return await self._transact(lambda connection: [connection.execute(*one).rowcount for one in statements][-1])

    def _notify(self, connection: Connection, message: dict[str, Any]) -> None:
        """Tell the other processes, if there may be any, in messages small enough."""
        if not self.shared:
            return
        parts = [message]
        if "tables" in message:
            ids = message["tables"]
            parts = [{"tables": ids[i : i + 200]} for i in range(0, len(ids), 200)]
        for part in parts:
            text = orjson.dumps({"from": self.process, **part}).decode()
            connection.execute(select(func.pg_notify(CHANNEL, text)))

    async def announce(self, message: dict[str, Any]) -> None:
        """Tell the other processes something that is not stored."""
        if self.shared:
            await self._transact(lambda connection: self._notify(connection, message))

    # ------------------------------------------------------------ tables

    async def create(self, table: dict[str, Any], entries: Iterable[Entry], players: list[dict[str, Any]]) -> None:
        """A new table with the first entries of its journal. Raises Conflict where it is there already."""
        rows = [row(table["id"], entry) for entry in entries]
        try:
            await self._execute((insert(TableRow), [table]), (_INSERT_ENTRIES, rows), (insert(PlayerRow), players))
        except IntegrityError:
            raise Conflict from None

    async def table(self, table_id: str) -> dict[str, Any] | None:
        """A table's row."""
        return await self._one(select(TableRow.__table__).where(TableRow.id == table_id))

    async def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        """The entries of a journal from one number on."""
        chosen = select(EntryRow.kind, EntryRow.seat, EntryRow.data, EntryRow.number, EntryRow.at)
        query = chosen.where(EntryRow.table_id == table_id, EntryRow.number > after).order_by(EntryRow.number)
        async with self.engine.connect() as connection:
            return [Entry(*one) for one in await connection.execute(query)]

    async def plans(self, table_id: str) -> dict[int, Plan]:
        """What the seats of a table have planned."""
        query = select(PlanRow.seat, PlanRow.moves, PlanRow.dropped).where(PlanRow.table_id == table_id)
        async with self.engine.connect() as connection:
            return {seat: Plan(tuple(moves), dropped) for seat, moves, dropped in await connection.execute(query)}

    async def due(self, before: int, limit: int = 100) -> list[tuple[str, int]]:
        """Tables somebody should look at by now."""
        query = select(TableRow.id, TableRow.wake).where(TableRow.wake <= before).order_by(TableRow.wake).limit(limit)
        async with self.engine.connect() as connection:
            return [(one[0], int(one[1] or 0)) for one in await connection.execute(query)]

    async def claim(self, table_id: str, seen: int, until: int | None) -> bool:
        """Take it on to look at a table that is due, and put off when it is due again; False where another process has."""
        query = update(TableRow).where(TableRow.id == table_id, TableRow.wake == seen).values(wake=until)
        return bool(await self._execute((query,)))

    async def keep(self, wakes: dict[str, int]) -> None:
        """Put off when others should look at tables whose computer players are thinking here."""
        query = (
            update(TableRow).where(TableRow.id == bindparam("key"), TableRow.wake.is_not(None)).values(wake=bindparam("later"))
        )
        await self._execute((query, [{"key": key, "later": later} for key, later in wakes.items()]))

    async def hurry(self, until: int) -> None:
        """After a start with nobody else about: look at once at every table that was being looked after."""
        await self._execute((update(TableRow).where(TableRow.wake <= until).values(wake=now()),))

    async def unfinished(self, guest: str) -> int:
        """How many tables that are not over a guest sits at."""
        query = (
            select(func.count(TableRow.id.distinct()))
            .join(PlayerRow, PlayerRow.table_id == TableRow.id)
            .where(PlayerRow.guest == guest, TableRow.status.in_(("waiting", "playing")))
        )
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def list_tables(
        self,
        *,
        guest: str | None,
        statuses: Sequence[str],
        game: str | None,
        before: tuple[int, str] | None,
        limit: int,
        since: int = 0,
    ) -> list[dict[str, Any]]:
        """Tables, latest first: a guest's own, or with no guest the public ones; `before` goes on where a list ended."""
        query = select(TableRow.__table__).where(TableRow.status.in_(statuses), TableRow.updated >= since)
        if guest is None:
            query = query.where(TableRow.public)
        else:
            query = query.where(TableRow.id.in_(select(PlayerRow.table_id).where(PlayerRow.guest == guest)))
        if game is not None:
            query = query.where(TableRow.game == game)
        if before is not None:
            query = query.where(or_(TableRow.updated < before[0], and_(TableRow.updated == before[0], TableRow.id < before[1])))
        query = query.order_by(TableRow.updated.desc(), TableRow.id.desc()).limit(limit)
        async with self.engine.connect() as connection:
            tables = [dict(one._mapping) for one in await connection.execute(query)]
            players = await connection.execute(
                select(PlayerRow.__table__).where(PlayerRow.table_id.in_([one["id"] for one in tables])).order_by(PlayerRow.seat)
            )
            seated: dict[str, list[dict[str, Any]]] = {one["id"]: [] for one in tables}
            for one in players:
                seated[one.table_id].append(dict(one._mapping))
        return [{**one, "players": seated[one["id"]]} for one in tables]

    # ------------------------------------------------------------ everything else

    async def setting(self, name: str, make: Callable[[], str]) -> str:
        """A value shared by all processes, made by the first that asks."""
        query = select(Setting.value).where(Setting.name == name)
        for _ in range(2):
            async with self.engine.connect() as connection:
                found = (await connection.execute(query)).scalar_one_or_none()
            if found is not None:
                return str(found)
            try:
                await self._execute((insert(Setting), [{"name": name, "value": make()}]))
            except IntegrityError:
                continue
        raise RuntimeError(f"the setting {name} can neither be read nor written")

    async def guest_name(self, guest: str) -> str | None:
        """The name a guest has chosen."""
        found = await self._one(select(Guest.name).where(Guest.id == guest))
        return None if found is None else str(found["name"])

    async def name_guest(self, guest: str, name: str) -> None:
        """Remember a guest's name."""

        def work(connection: Connection) -> None:
            if not connection.execute(update(Guest).where(Guest.id == guest).values(name=name)).rowcount:
                connection.execute(insert(Guest), [{"id": guest, "name": name, "created": now()}])

        try:
            await self._transact(work)
        except IntegrityError:  # two first requests at once: the other has made the row
            await self._transact(work)

    async def add_token(self, digest: str, guest: str, kind: str, label: str, expires: int | None) -> int:
        """Keep a token's digest, and throw old ones away; when that was."""
        created = now()
        token = {"digest": digest, "guest": guest, "kind": kind, "label": label, "created": created, "expires": expires}
        await self._execute((delete(Token).where(Token.expires < created),), (insert(Token), [token]))
        return created

    async def token(self, digest: str, kind: str) -> str | None:
        """Whose token this is."""
        query = select(Token.guest).where(
            Token.digest == digest, Token.kind == kind, or_(Token.expires.is_(None), Token.expires > now())
        )
        found = await self._one(query)
        return None if found is None else str(found["guest"])

    async def tokens(self, guest: str) -> list[dict[str, Any]]:
        """A guest's API tokens, by the beginning of their digest."""
        query = (
            select(Token.digest, Token.label, Token.created)
            .where(Token.guest == guest, Token.kind == "api")
            .order_by(Token.created)
        )
        async with self.engine.connect() as connection:
            return [dict(one._mapping) for one in await connection.execute(query)]

    async def drop_token(self, digest: str, guest: str | None = None) -> bool:
        """Make a token worthless."""
        query = delete(Token).where(Token.digest == digest)
        return bool(await self._execute((query if guest is None else query.where(Token.guest == guest),)))

    async def add_job(self, job: dict[str, Any]) -> None:
        """Remember a job, and forget those of last week."""
        await self._execute((delete(JobRow).where(JobRow.created < now() - 7 * 86_400_000),), (insert(JobRow), [job]))

    async def set_job(self, job_id: str, **values: Any) -> None:
        """How far a job has come."""
        await self._execute((update(JobRow).where(JobRow.id == job_id).values(renewed=now(), **values),))

    async def fail_jobs(self, why: dict[str, Any]) -> None:
        """After a start with nobody else about: what was under way has failed."""
        lost = JobRow.status.in_(("waiting", "running"))
        await self._execute((update(JobRow).where(lost).values(status="failed", result=why),))

    async def job(self, job_id: str) -> dict[str, Any] | None:
        """A job's row."""
        return await self._one(select(JobRow.__table__).where(JobRow.id == job_id))

    async def _one(self, query: Any) -> dict[str, Any] | None:
        async with self.engine.connect() as connection:
            found = (await connection.execute(query)).first()
        return None if found is None else dict(found._mapping)


def write(connection: Connection, changes: list[Change]) -> None:
    """Write changes, all of them in the transaction under way."""
    entries = [row(change.table_id, entry) for change in changes for entry in change.entries]
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
        for seat, plan in change.plans.items():
            connection.execute(delete(PlanRow).where(PlanRow.table_id == change.table_id, PlanRow.seat == seat))
            if plan != Plan():
                kept = {"table_id": change.table_id, "seat": seat, "moves": list(plan.moves), "dropped": plan.dropped}
                connection.execute(insert(PlanRow), [kept])


def row(table_id: str, entry: Entry) -> dict[str, Any]:
    """An entry as a row."""
    return {
        "table_id": table_id,
        "number": entry.number,
        "at": entry.at,
        "kind": entry.kind,
        "seat": entry.seat,
        "data": entry.data,
    }


def new_id() -> str:
    """An id nobody can guess, and no command takes for an option."""
    while (made := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return made
