"""The database schema and connections: SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from asyncpg import CannotConnectNowError, PostgresConnectionError, PostgresError
from orjson import dumps, loads
from sqlalchemy import (
    JSON,
    URL,
    BigInteger,
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    create_engine,
    event,
    func,
    make_url,
    select,
)
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from azalai.engine.errors import AzalaiError, BadOption
from azalai.server import metrics
from azalai.server.settings import default_database

log = logging.getLogger("azalai.database")

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
JSON_BY: dict[str, Any] = {
    "json_serializer": lambda value: dumps(value).decode(),
    "json_deserializer": loads,
    "hide_parameters": True,  # errors are logged, and nothing about people belongs there
}
OUTAGES = (
    OSError,
    InterfaceError,
    OperationalError,
    InternalError,
    PostgresConnectionError,
    CannotConnectNowError,
    sqlite3.OperationalError,
)  # it is unreachable, full or read-only
OUTAGE_INTERVAL = 60.0  # seconds between two lines of the log about an outage
MIGRATION_LOCK = 0x417A616C  # arbitrary, but the same in all processes


_outages = {"logged": float("-inf"), "unsaid": 0.0}  # when an outage was last logged, and how many errors there were since


def is_outage(error: BaseException) -> bool:
    """Return whether an error means that the database cannot be used at the moment."""
    return isinstance(error, OUTAGES) or type(error) is DBAPIError  # the latter: what PostgreSQL says about a full disk


def report_outage(error: BaseException) -> None:
    """Count an error of the database, and log it unless that was done within the last minute."""
    metrics.DATABASE_FAILURES.inc()
    _outages["unsaid"] += 1
    if time.monotonic() - _outages["logged"] >= OUTAGE_INTERVAL:
        original = getattr(error, "orig", None) or error
        why = (str(original).splitlines() or [type(original).__name__])[0][:300]
        log.error("the database cannot be used", extra={"why": why, "errors": int(_outages["unsaid"])})
        _outages.update(logged=time.monotonic(), unsaid=0.0)


def log_failure(what: str, error: Exception) -> None:
    """Log an unexpected error; of an outage of the database only that it is one."""
    if is_outage(error):
        report_outage(error)
    else:
        metrics.ERRORS.inc()
        log.error(what, exc_info=error)


class Base(DeclarativeBase):
    """Base of all mapped classes."""

    type_annotation_map = {int: BigInteger, dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012 (SQLAlchemy's way to say it)


class SettingRow(Base):
    """A value shared by all processes, such as the key that signs cookies."""

    __tablename__ = "settings"
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class GuestRow(Base):
    """A guest who has taken a seat or a name."""

    __tablename__ = "guests"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created: Mapped[int]
    epoch: Mapped[int]  # cookies of another epoch are not valid
    banned: Mapped[int | None]  # since when
    player: Mapped[str | None] = mapped_column(String(16))  # the public id of whoever keeps their name: /player/ID
    shown: Mapped[list[Any] | None]  # the parts of the profile that everybody may see; None: as `profiles.SHOWN` says
    __table_args__ = (Index("guests_by_player", "player", unique=True),)


class TokenRow(Base):
    """A secret of a guest, such as an API token or a link to another device. Only its digest is stored."""

    __tablename__ = "tokens"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    guest: Mapped[str] = mapped_column(String(32), index=True)
    kind: Mapped[str] = mapped_column(String(8))  # api, link, recovery; challenges of passkeys: create, sign in
    label: Mapped[str] = mapped_column(String(80))
    created: Mapped[int]
    expires: Mapped[int | None]


class PasskeyRow(Base):
    """A passkey by which a guest signs in: its public key, never a secret."""

    __tablename__ = "passkeys"
    id: Mapped[str] = mapped_column(String(1400), primary_key=True)  # the credential's, in base64url
    guest: Mapped[str] = mapped_column(String(32), index=True)
    host: Mapped[str] = mapped_column(String(255))  # the name of the site it was made for
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    uses: Mapped[int]  # as the device counts them; a copy would count less
    label: Mapped[str] = mapped_column(String(80))
    created: Mapped[int]
    used: Mapped[int | None]  # when somebody last signed in with it


class TableRow(Base):
    """A table: its setup, and a summary of its state that every journal entry updates."""

    __tablename__ = "tables"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    rules: Mapped[int]
    layout: Mapped[str] = mapped_column(String(16))  # digest of the record type, for `state`
    options: Mapped[dict[str, Any]]
    seed: Mapped[int]
    setup: Mapped[dict[str, Any]]  # clock, time-out rule, substitute, hints
    public: Mapped[bool]
    creator: Mapped[str] = mapped_column(String(32))
    created: Mapped[int]
    updated: Mapped[int]
    acted: Mapped[int]  # when somebody last decided, gave up, or the game began: since then the pending seats are asked
    status: Mapped[str] = mapped_column(String(8))  # waiting, playing, over, imported
    number: Mapped[int]  # of the last entry
    ply: Mapped[int]
    pending: Mapped[int]  # a bit per seat
    state: Mapped[bytes | None] = mapped_column(LargeBinary)  # the latest position, in case the rules version changes
    wake: Mapped[int | None]  # when the scheduler must check it: a clock expires or a computer player has to move
    __table_args__ = (Index("tables_by_wake", "wake"), Index("tables_by_status", "public", "status", "updated"))


class PlayerRow(Base):
    """The players of a table, for lists of tables."""

    __tablename__ = "players"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(8))
    guest: Mapped[str | None] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(80))
    bot: Mapped[str | None] = mapped_column(String(40))
    place: Mapped[int | None]  # once the game is over; 1: won
    score: Mapped[int | None]


class EntryRow(Base):
    """One entry of a table's journal. Of two processes that write the same number, one fails."""

    __tablename__ = "entries"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[int]  # milliseconds since 1970, server time
    kind: Mapped[str] = mapped_column(String(8))
    seat: Mapped[int | None]
    data: Mapped[dict[str, Any]]


class ReviewRow(Base):
    """The review of a finished game, as far as it has come."""

    __tablename__ = "reviews"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    done: Mapped[bool]
    content: Mapped[dict[str, Any]]
    renewed: Mapped[int]


class ResultRow(Base):
    """How a game ended for a seat. Stays when the table is deleted, since ratings follow from it."""

    __tablename__ = "results"
    table_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    players: Mapped[int]
    rated: Mapped[bool]
    at: Mapped[int]
    guest: Mapped[str | None] = mapped_column(String(32), index=True)  # None: a computer player, or somebody who was deleted
    bot: Mapped[str | None] = mapped_column(String(40))  # None: a person
    place: Mapped[int]
    out: Mapped[str | None] = mapped_column(String(8))  # why the player did not finish: `resigned`, `time`, `left`
    mu: Mapped[float | None] = mapped_column(Float)  # rating before the game and after it, once it is computed
    sigma: Mapped[float | None] = mapped_column(Float)
    new_mu: Mapped[float | None] = mapped_column(Float)
    new_sigma: Mapped[float | None] = mapped_column(Float)
    __table_args__ = (
        Index("results_by_pool", "rated", "game", "players", "at", "table_id"),
        Index("results_to_rate", "rated", "new_mu"),
    )


class RatingRow(Base):
    """How strong a guest is in a game of so many players. Follows from the results."""

    __tablename__ = "ratings"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    players: Mapped[int] = mapped_column(primary_key=True)
    mu: Mapped[float] = mapped_column(Float)
    sigma: Mapped[float] = mapped_column(Float)
    games: Mapped[int]
    at: Mapped[int]  # when the last of them ended
    __table_args__ = (Index("ratings_by_pool", "game", "players", "games"),)


class AttitudeRow(Base):
    """What a guest wants of another: not to play with them, not to read what they say."""

    __tablename__ = "attitudes"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    other: Mapped[str] = mapped_column(String(32), primary_key=True, index=True)
    blocked: Mapped[bool]
    muted: Mapped[bool]


class VacationRow(Base):
    """A guest's vacation, during which their slow clocks stand still."""

    __tablename__ = "vacations"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    begins: Mapped[int] = mapped_column(primary_key=True)
    until: Mapped[int]


class ReportRow(Base):
    """What a guest has reported about another, for the operator."""

    __tablename__ = "reports"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[int]
    reporter: Mapped[str] = mapped_column(String(32))
    guest: Mapped[str] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(80))
    table_id: Mapped[str] = mapped_column(String(32))  # it may have been deleted since
    reason: Mapped[str] = mapped_column(String(8))
    text: Mapped[str] = mapped_column(Text)
    said: Mapped[list[Any]]  # the person's last lines in the chat of the table
    settled: Mapped[int | None]  # when the operator has settled it


class JobRow(Base):
    """A requested hint."""

    __tablename__ = "jobs"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    guest: Mapped[str] = mapped_column(String(32), index=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(8))
    request: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(String(8))  # waiting, running, done, failed
    progress: Mapped[float] = mapped_column(Float)
    result: Mapped[dict[str, Any] | None]
    created: Mapped[int]
    renewed: Mapped[int]


class CallSettingsRow(Base):
    """What a guest wants to be told, when, and in which words."""

    __tablename__ = "call_settings"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    language: Mapped[str] = mapped_column(String(2))
    zone: Mapped[str] = mapped_column(String(64))  # of time, such as Europe/Berlin
    quiet_from: Mapped[int | None]  # minutes after midnight
    quiet_to: Mapped[int | None]
    turn: Mapped[bool]
    invited: Mapped[bool]
    over: Mapped[bool]
    called: Mapped[int]  # when the last message was written; 0: never
    feed: Mapped[str | None] = mapped_column(String(64), unique=True)  # digest of the secret in the feed's address


class ContactRow(Base):
    """Where a guest can be reached: a browser, a mail address, a webhook."""

    __tablename__ = "contacts"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    guest: Mapped[str] = mapped_column(String(32), index=True)
    kind: Mapped[str] = mapped_column(String(8))  # push, mail, discord, slack
    address: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64), unique=True)  # of what may exist once: a browser, an address of one guest
    keys: Mapped[dict[str, Any]]  # with which messages to a browser are encrypted
    confirmed: Mapped[int | None]  # since when messages may be sent
    problem: Mapped[str | None] = mapped_column(String(40))  # why the last message did not arrive
    created: Mapped[int]


class CallRow(Base):
    """Something to tell a guest about a table, once: a turn, an invitation, an end."""

    __tablename__ = "calls"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)  # turn, invited, over
    number: Mapped[int] = mapped_column(primary_key=True)  # of a turn, the ply since which it is theirs
    created: Mapped[int]
    due: Mapped[int | None] = mapped_column(index=True)  # None: told, or not worth telling any more


class DeliveryRow(Base):
    """A message to one contact that is to be sent."""

    __tablename__ = "deliveries"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    contact: Mapped[str] = mapped_column(ForeignKey("contacts.id", ondelete="CASCADE"), index=True)
    message: Mapped[dict[str, Any]]
    created: Mapped[int]
    due: Mapped[int] = mapped_column(index=True)
    attempts: Mapped[int]


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
    engine = create_engine(url.set(drivername="sqlite"), **JSON_BY)
    event.listen(engine, "connect", _set_up_file)
    return engine


PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",  # a commit is on disk before the request is answered
    "wal_autocheckpoint=8000",  # pages, 32 MB: active tables change the same pages repeatedly, which are then copied once
    "foreign_keys=ON",
    "busy_timeout=10000",
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
            await connection.run_sync(upgrade)
    except CommandError:  # a revision this version does not know
        raise AzalaiError(
            f"the database {engine.url} was written by a newer version of Azalai: install that version, or restore a backup"
        ) from None
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


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the migrations up to a revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
