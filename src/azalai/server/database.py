"""Connections to the database, SQLite by default, PostgreSQL by URL, and its migration."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from asyncpg import PostgresError
from orjson import dumps, loads
from sqlalchemy import (
    URL,
    column,
    create_engine,
    event,
    func,
    inspect,
    make_url,
    select,
    table,
)
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from azalai.engine.errors import AzalaiError, BadOption
from azalai.server.settings import default_database

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
LATEST = max(path.name for path in MIGRATIONS.glob("versions/0*.py"))[:4]  # the number of the last migration
JSON_BY: dict[str, Any] = {
    "json_serializer": lambda value: dumps(value).decode(),
    "json_deserializer": loads,
    "hide_parameters": True,  # errors are logged, and nothing about people belongs there
}
MIGRATION_LOCK = 0x417A616C  # arbitrary, but the same in all processes


def address(database: str) -> str:
    """Return the database URL with our driver; users write `postgresql://…` or `sqlite:///…`."""
    try:
        url = make_url(database or default_database())
    except ArgumentError:
        raise BadOption(f"a database's address is sqlite:///FILE or postgresql://…, not {database!r}") from None
    backend = url.get_backend_name()
    if backend in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+asyncpg")
    elif backend == "sqlite":
        url = url.set(drivername="sqlite+aiosqlite")
        if not url.database or url.database == ":memory:":
            raise BadOption("a database needs a file: sqlite:///FILE")
        if not Path(url.database).parent.is_dir():
            raise BadOption(f"there is no folder {Path(url.database).parent} for the database")
    else:
        raise BadOption(f"a database's address must begin with sqlite:/// or postgresql://, not {backend}")
    return url.render_as_string(hide_password=False)


def is_postgres(engine: AsyncEngine) -> bool:
    """Return whether several processes may share this database."""
    return engine.dialect.name == "postgresql"


def open_engine(database: str) -> AsyncEngine:
    """Open the asynchronous engine."""
    url = address(database)
    if url.startswith("postgresql"):
        return create_async_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=True, pool_recycle=1800, **JSON_BY)
    engine = create_async_engine(url, **JSON_BY)
    event.listen(engine.sync_engine, "connect", _set_up_file)
    return engine


def open_file(url: URL) -> Engine:
    """Open a synchronous engine on an SQLite file, for the writer thread."""
    prepared = {"cached_statements": 256}  # twice the sizes that `changes.write_rows` uses, and others
    engine = create_engine(url.set(drivername="sqlite"), connect_args=prepared, **JSON_BY)
    event.listen(engine, "connect", _set_up_file)
    return engine


PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",  # a commit is on disk before the request is answered
    "wal_autocheckpoint=8000",  # pages, 32 MB: active tables change the same pages repeatedly, which are then copied once
    "foreign_keys=ON",
    "busy_timeout=10000",
    "temp_store=MEMORY",  # what undoes half a statement of many rows: else every commit creates a file for it and removes it
)


def _set_up_file(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def migrate(engine: AsyncEngine) -> None:
    """Migrate the schema to the latest version. Processes that start together wait for each other."""
    try:
        if not is_postgres(engine):
            _create_file(Path(engine.url.database or ""))
        async with engine.begin() as connection:
            if is_postgres(engine):
                await connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
            if not await connection.run_sync(is_latest):
                await connection.run_sync(upgrade)
    except (OSError, DBAPIError, PostgresError) as error:
        reason = str(error.orig if isinstance(error, DBAPIError) else error).splitlines()[0]
        raise AzalaiError(f"the database {engine.url} cannot be opened: {reason}") from None


def _create_file(path: Path) -> None:
    """Create an SQLite file that only its owner can read: it holds the signing key and the secrets of all games.

    SQLite gives the files it puts beside it the same mode.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


@contextmanager
def opened(database: str) -> Iterator[None]:
    """Migrate the database and, for SQLite, lock it while a server runs; raise AzalaiError where that fails.

    Only one server may use an SQLite file: it holds a lock file beside it.
    """
    url = asyncio.run(_look_at(database))
    if url.get_backend_name() != "sqlite":
        yield
        return
    with Path(f"{url.database}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AzalaiError(f"another server uses {url.database}; with PostgreSQL several can work together") from None
        yield


async def _look_at(database: str) -> URL:
    engine = open_engine(database)
    try:
        await migrate(engine)
    finally:
        await engine.dispose()
    return engine.url


def is_latest(connection: Connection) -> bool:
    """Return whether nothing is left to migrate."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    return bool(connection.scalar(select(column("version_num")).select_from(table("alembic_version"))) == LATEST)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the migrations up to a revision."""
    from alembic import command  # here, because it takes long to import, and a database that is up to date does not need it
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError:  # a revision this version does not know
        raise AzalaiError(
            f"the database {connection.engine.url} was written by a newer version of Azalai:"
            " install that version, or restore a backup"
        ) from None
