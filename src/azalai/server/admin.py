"""Administration, with or without a running server: tables, guests, backups."""

from __future__ import annotations

import base64
import functools
import gzip
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Delete, Update, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

import azalai
from azalai.engine.errors import AzalaiError, UnknownGame
from azalai.engine.record import to_record, whole_file, write_atomically
from azalai.server.database import is_postgres, migrate, open_engine
from azalai.server.errors import ApiError
from azalai.server.personal_data import delete_guest, tables_of
from azalai.server.ratings import rate_all, result_rows, store_results
from azalai.server.registry import replay
from azalai.server.rows import (
    Base,
    CallSettingsRow,
    ContactRow,
    GuestRow,
    JobRow,
    PasskeyRow,
    PlayerRow,
    RatingRow,
    ReportRow,
    ResultRow,
    TableRow,
    TokenRow,
)
from azalai.server.server_time import now
from azalai.server.store import Store
from azalai.server.table import OVER, Table, journal_record
from azalai.server.tournament_rows import EntrantRow, TournamentRow

FORMAT = "azalai-backup-1"
ROWS = 1000
DROPPED = {"plans"}  # tables that backups of earlier versions may contain


class Admin:
    """An open database. It must exist unless `new` is given, so that a mistyped name does not create an empty one."""

    def __init__(self, database: str, new: bool = False) -> None:
        self.engine: AsyncEngine = open_engine(database)
        file = self.engine.url.database
        if not new and not is_postgres(self.engine) and not (file and Path(file).exists()):
            raise AzalaiError(f"there is no database {file}")
        self.store = Store(self.engine, "admin")

    async def __aenter__(self) -> Admin:
        await migrate(self.engine)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.store.close()

    async def tables(self, status: str | None = None) -> list[dict[str, Any]]:
        """Return all tables, latest first."""
        chosen = select(TableRow.id, TableRow.game, TableRow.status, TableRow.ply, TableRow.updated).order_by(
            TableRow.updated.desc()
        )
        query = chosen if status is None else chosen.where(TableRow.status == status)
        async with self.engine.connect() as connection:
            return [dict(one._mapping) for one in await connection.execute(query)]

    async def export(self, table_id: str) -> dict[str, Any]:
        """Return a table's record. The record of an unfinished game holds its secrets: do not show it to the players.

        Games of rules that this version does not know are exported as their journal has them.
        """
        row = await self._row(table_id)
        if row["state"] is None:
            raise AzalaiError(f"the game at table {table_id} has not begun")
        try:
            if row["rules"] != azalai.game(row["game"]).rules:
                return journal_record(row, await self.store.entries(table_id))
        except UnknownGame:
            return journal_record(row, await self.store.entries(table_id))
        table = await self._table(table_id)
        assert table.position is not None
        return {**to_record(table.position), "players": [seat.name or seat.bot or "" for seat in table.seats]}

    async def _row(self, table_id: str) -> dict[str, Any]:
        row = await self.store.table(table_id)
        if row is None:
            raise AzalaiError(f"there is no table {table_id}")
        return row

    async def _table(self, table_id: str) -> Table:
        row = await self._row(table_id)
        try:
            return replay(azalai.game(row["game"]), row, await self.store.entries(table_id))
        except ApiError as error:
            cause = error.__cause__
            detail = "" if cause is None else f" ({type(cause).__name__}: {cause})"
            raise AzalaiError(f"table {table_id}: {error.message}{detail}") from None

    async def check(self, status: str | None) -> AsyncIterator[str]:
        """Replay every table; yield a sentence for each that cannot be replayed."""
        for row in await self.tables(status):
            try:
                await self._table(row["id"])
            except AzalaiError as error:
                yield str(error)

    async def export_all(self, folder: Path, status: str | None, on_problem: Callable[[str], None]) -> int:
        """Write every table's record to a file of its own; return how many could be written."""
        folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for row in await self.tables(status):
            if row["status"] != "waiting":
                try:
                    record = await self.export(row["id"])
                except AzalaiError as error:
                    on_problem(str(error))
                    continue
                write_atomically(folder / f"{row['game']}-{row['id']}.json", json.dumps(record, indent=1) + "\n")
                count += 1
        return count

    async def delete(self, table_id: str) -> None:
        """Delete a table with everything that belongs to it, and notify running servers."""
        async with self.engine.begin() as connection:
            if not (await connection.execute(delete(TableRow).where(TableRow.id == table_id))).rowcount:
                raise AzalaiError(f"there is no table {table_id}")
        await self.store.notify_server({"gone": [table_id]})

    async def delete_older(self, days: float, status: str | None) -> int:
        """Delete the tables of a status that have not changed for `days`; return how many there were.

        Without a status everything so old is deleted: all such tables, tournaments and jobs, and guests and
        tokens that no table is left of.
        """
        before = now() - int(days * 86_400_000)
        old = TableRow.updated < before if status is None else and_(TableRow.status == status, TableRow.updated < before)
        async with self.engine.begin() as connection:
            ids = [one[0] for one in await connection.execute(select(TableRow.id).where(old))]
            await connection.execute(delete(TableRow).where(old))
            if status is None:
                for query in _delete_remains(before):
                    await connection.execute(query)
        await self._tell("gone", ids)
        return len(ids)

    async def _tell(self, what: str, ids: list[str]) -> None:
        for begin in range(0, len(ids), 200):
            await self.store.notify_server({what: ids[begin : begin + 200]})

    # ------------------------------------------------------------ guests

    async def guests(self, name: str | None, table_id: str | None) -> list[dict[str, Any]]:
        """Return guests, newest first: all, those with a name, or those at a table."""
        query = select(GuestRow.id, GuestRow.name, GuestRow.created, GuestRow.banned).order_by(GuestRow.created.desc())
        if name is not None:
            query = query.where(func.lower(GuestRow.name) == name.lower())
        if table_id is not None:
            query = query.where(GuestRow.id.in_(select(PlayerRow.guest).where(PlayerRow.table_id == table_id)))
        async with self.engine.connect() as connection:
            return [dict(one._mapping) for one in await connection.execute(query)]

    async def ban(self, guest: str, banned: bool) -> None:
        """Ban a guest from the server, or lift the ban."""
        async with self.engine.begin() as connection:
            change = update(GuestRow).where(GuestRow.id == guest).values(banned=now() if banned else None)
            if not (await connection.execute(change)).rowcount:
                raise AzalaiError(f"there is no guest {guest}")
        await self.store.notify_server({"guests": [guest]})

    async def delete_guest(self, guest: str) -> int:
        """Delete a guest, as `personal_data.delete_guest` says; return at how many tables they were."""
        if await self.store.one(select(GuestRow.id).where(GuestRow.id == guest)) is None:
            raise AzalaiError(f"there is no guest {guest}")
        async with self.engine.connect() as connection:
            tables = await connection.run_sync(tables_of, guest)
        gone, changed = await self.store.transact(lambda connection: delete_guest(connection, guest, tables))
        await self._tell("gone", gone)
        await self._tell("changed", changed)
        await self._tell("guests", [guest])
        return len(gone) + len(changed)

    async def reports(self, settled: bool = False) -> list[dict[str, Any]]:
        """Return what guests have reported, latest first: what is not settled, or all."""
        query = select(ReportRow.__table__).order_by(ReportRow.at.desc())
        async with self.engine.connect() as connection:
            found = await connection.execute(query if settled else query.where(ReportRow.settled.is_(None)))
            return [dict(one._mapping) for one in found]

    async def settle(self, report: str) -> None:
        """Note that a report is settled."""
        async with self.engine.begin() as connection:
            change = update(ReportRow).where(ReportRow.id == report).values(settled=now())
            if not (await connection.execute(change)).rowcount:
                raise AzalaiError(f"there is no report {report}")

    # ------------------------------------------------------------ ratings

    async def rate(self, on_problem: Callable[[str], None]) -> int:
        """Replay all games that are over, and compute results and ratings anew; return how many games are rated.

        Results of tables that were deleted or cannot be replayed any more stay as they are.
        """
        for row in await self.tables(OVER):
            try:
                rows = result_rows(await self._table(row["id"]))
            except (AzalaiError, UnknownGame) as error:
                on_problem(str(error))
                continue
            await self.store.transact(functools.partial(store_results, rows=rows))
        return await self.store.transact(rate_all)

    # ------------------------------------------------------------ backups

    async def backup(self, path: Path) -> int:
        """Write a consistent snapshot to one compressed file while servers keep running; return the number of rows."""
        count = 0
        with whole_file(path) as raw, gzip.open(raw, "wt", encoding="utf-8") as file:
            file.write(json.dumps({"format": FORMAT, "version": azalai.__version__}) + "\n")
            async for name, row in self._rows():
                file.write(json.dumps([name, row]) + "\n")
                count += 1
        return count

    async def _rows(self) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Yield the rows of all tables, read in one transaction."""
        async with self.engine.connect() as connection:
            if is_postgres(self.engine):
                await connection.execution_options(isolation_level="REPEATABLE READ")
            else:
                raw: Any = (await connection.get_raw_connection()).driver_connection
                await raw.execute("BEGIN")  # the driver begins none for SELECT: each would see another moment
            for table in Base.metadata.sorted_tables:
                result = await connection.stream(select(table))
                async for row in result:
                    yield table.name, {key: _packed(value) for key, value in row._mapping.items()}

    async def restore(self, path: Path) -> int:
        """Load a backup into an empty database, SQLite or PostgreSQL; return the number of rows."""
        async with self.engine.connect() as connection:
            if (await connection.execute(select(func.count()).select_from(TableRow))).scalar_one():
                raise AzalaiError("the database is not empty: restore into a new one")
        tables = {table.name: table for table in Base.metadata.sorted_tables}
        count = 0
        try:
            with gzip.open(path, "rt", encoding="utf-8") as file:
                if json.loads(next(file)).get("format") != FORMAT:
                    raise AzalaiError(f"{path} is not a backup this version can read")
                async with self.engine.begin() as connection:
                    for table in reversed(list(tables.values())):
                        await connection.execute(delete(table))
                    batch: list[dict[str, Any]] = []
                    name = ""
                    for line in file:
                        kind, row = json.loads(line)
                        if kind in DROPPED:
                            continue
                        if batch and (kind != name or len(batch) >= ROWS):
                            await connection.execute(insert(tables[name]), batch)
                            batch = []
                        name = kind
                        batch.append({key: _unpacked(value) for key, value in row.items()})
                        count += 1
                    if batch:
                        await connection.execute(insert(tables[name]), batch)
                    await connection.execute(update(TableRow).where(TableRow.acted == 0).values(acted=TableRow.updated))
        except IntegrityError:
            raise AzalaiError(f"{path} is not a consistent backup: it has rows of tables that are not in it") from None
        except (OSError, EOFError, ValueError, KeyError, StopIteration) as error:
            raise AzalaiError(f"{path} is not a backup this version can read: {error}") from None
        return count


def _delete_remains(before: int) -> Iterator[Delete | Update]:
    """Yield the queries that delete what is older and belongs to no table any more. Bans stay."""
    yield delete(JobRow).where(JobRow.created < before)
    yield delete(TournamentRow).where(TournamentRow.updated < before)
    plays = select(PlayerRow.seat).where(PlayerRow.guest == TokenRow.guest).exists()
    yield delete(TokenRow).where(TokenRow.created < before, ~plays)
    yield delete(ContactRow).where(
        ContactRow.created < before, ~select(PlayerRow.seat).where(PlayerRow.guest == ContactRow.guest).exists()
    )
    yield delete(CallSettingsRow).where(
        CallSettingsRow.called < before,
        ~select(PlayerRow.seat).where(PlayerRow.guest == CallSettingsRow.guest).exists(),
        ~select(ContactRow.id).where(ContactRow.guest == CallSettingsRow.guest).exists(),
    )
    plays = select(PlayerRow.seat).where(PlayerRow.guest == PasskeyRow.guest).exists()
    yield delete(PasskeyRow).where(func.coalesce(PasskeyRow.used, PasskeyRow.created) < before, ~plays)
    yield delete(GuestRow).where(
        GuestRow.created < before,
        GuestRow.banned.is_(None),
        ~select(PlayerRow.seat).where(PlayerRow.guest == GuestRow.id).exists(),
        ~select(EntrantRow.number).where(EntrantRow.guest == GuestRow.id).exists(),
        ~select(TokenRow.digest).where(TokenRow.guest == GuestRow.id).exists(),
        ~select(PasskeyRow.id).where(PasskeyRow.guest == GuestRow.id).exists(),
    )
    yield delete(RatingRow).where(~select(GuestRow.id).where(GuestRow.id == RatingRow.guest).exists())
    yield update(ResultRow).where(~select(GuestRow.id).where(GuestRow.id == ResultRow.guest).exists()).values(guest=None)


def _packed(value: Any) -> Any:
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _unpacked(value: Any) -> Any:
    return base64.b64decode(value["bytes"]) if isinstance(value, dict) and set(value) == {"bytes"} else value
