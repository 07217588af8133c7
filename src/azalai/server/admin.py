"""Administration without a running server: list, export and delete tables; back up and restore a database."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

import azalai
from azalai.engine.errors import AzalaiError
from azalai.engine.record import to_record, whole_file, write_atomically
from azalai.server.database import Base, TableRow, is_postgres, migrate, open_engine
from azalai.server.errors import ApiError
from azalai.server.registry import replay
from azalai.server.store import Store, now
from azalai.server.table import Table

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
        await self.engine.dispose()

    async def tables(self, status: str | None = None) -> list[dict[str, Any]]:
        """Return all tables, latest first."""
        chosen = select(TableRow.id, TableRow.game, TableRow.status, TableRow.ply, TableRow.updated).order_by(
            TableRow.updated.desc()
        )
        query = chosen if status is None else chosen.where(TableRow.status == status)
        async with self.engine.connect() as connection:
            return [dict(one._mapping) for one in await connection.execute(query)]

    async def export(self, table_id: str) -> dict[str, Any]:
        """Return a table's record. The record of an unfinished game holds its secrets: do not show it to the players."""
        table = await self._table(table_id)
        if table.position is None:
            raise AzalaiError(f"the game at table {table_id} has not begun")
        if table.skipped:
            raise AzalaiError(f"table {table_id} was played by more than one version of the rules and cannot be replayed")
        return {**to_record(table.position), "players": [seat.name or seat.bot or "" for seat in table.seats]}

    async def _table(self, table_id: str) -> Table:
        row = await self.store.table(table_id)
        if row is None:
            raise AzalaiError(f"there is no table {table_id}")
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
        await self.store.notify_processes({"gone": [table_id]})

    async def delete_older(self, days: float, status: str) -> int:
        """Delete the tables of a status that have not changed for `days`; return how many there were."""
        before = now() - int(days * 86_400_000)
        async with self.engine.begin() as connection:
            chosen = select(TableRow.id).where(TableRow.status == status, TableRow.updated < before)
            ids = [one[0] for one in await connection.execute(chosen)]
            await connection.execute(delete(TableRow).where(TableRow.status == status, TableRow.updated < before))
        for begin in range(0, len(ids), 200):
            await self.store.notify_processes({"gone": ids[begin : begin + 200]})
        return len(ids)

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
        except IntegrityError:
            raise AzalaiError(f"{path} is not a consistent backup: it has rows of tables that are not in it") from None
        except (OSError, EOFError, ValueError, KeyError, StopIteration) as error:
            raise AzalaiError(f"{path} is not a backup this version can read: {error}") from None
        return count


def _packed(value: Any) -> Any:
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _unpacked(value: Any) -> Any:
    return base64.b64decode(value["bytes"]) if isinstance(value, dict) and set(value) == {"bytes"} else value
