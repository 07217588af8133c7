"""What commands change in the database, as rows and statements."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import orjson
from sqlalchemy import JSON, Text, bindparam, cast, column, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine import Connection

from azalai.server.rows import EntryRow, PlayerRow, ResultRow, TableRow
from azalai.server.table import Entry

MOST_ROWS = 64  # that one statement writes to SQLite
NOTIFICATION = 7500  # bytes of one; PostgreSQL takes up to 8000
CHANNEL = "azalai"  # of notifications
_INSERT_PLAYERS = (
    "INSERT INTO players (table_id, seat, kind, guest, name, bot, place, score) "
    "VALUES (:table_id, :seat, :kind, :guest, :name, :bot, :place, :score)"
)
_INSERT_RESULTS = (
    "INSERT INTO results (table_id, seat, game, players, rated, at, guest, bot, place, out) "
    "VALUES (:table_id, :seat, :game, :players, :rated, :at, :guest, :bot, :place, :out)"
)
_NEW = {name: f"new_{name}" for name in ("number", "ply", "pending", "status", "public", "state", "updated", "acted", "wake")}
_new_values = itemgetter(*_NEW)
_UPDATE_TABLES = (
    update(TableRow).where(TableRow.id == bindparam("key")).values({name: bindparam(new) for name, new in _NEW.items()})
)


def _parameter_rows(prefix: str, columns: dict[str, Any]) -> Any:
    """Return rows whose columns are parameters, each an array."""
    arrays = [cast(bindparam(f"{prefix}_{name}"), ARRAY(kind)) for name, kind in columns.items()]
    named = [column(name, kind) for name, kind in columns.items()]
    return func.unnest(*arrays).table_valued(*named, name=prefix).render_derived()


def _append() -> Any:
    """Return the statement of `append_statement`."""
    entry, new = _parameter_rows("entry", _ENTRY), _parameter_rows("new", _SUMMARY)
    message = func.unnest(cast(bindparam("messages"), ARRAY(Text))).column_valued("message")
    rows = select(*(cast(one, JSON) if one.name == "data" else one for one in entry.c))
    added = insert(EntryRow).from_select(list(_ENTRY), rows).cte("added")
    changed = update(TableRow).where(TableRow.id == new.c.id).values({name: new.c[name] for name in _NEW}).cte("changed")
    return select(func.pg_notify(CHANNEL, message)).add_cte(added, changed)


_ENTRY = {name: EntryRow.__table__.c[name].type for name in ("table_id", "number", "at", "kind", "seat")} | {"data": Text()}
_SUMMARY = {name: TableRow.__table__.c[name].type for name in ("id", *_NEW)}
_APPEND = _append()


@dataclass
class Change:
    """Everything one command writes."""

    table_id: str
    entries: list[Entry] = field(default_factory=list)
    summary: dict[str, Any] | None = None  # columns of the table's row
    players: list[dict[str, Any]] | None = None  # replaces all rows of the table's players
    results: list[dict[str, Any]] = field(default_factory=list)  # of a game that is over now

    @property
    def appends(self) -> bool:
        """Whether it writes only entries and the summary, as nearly every command does."""
        return self.players is None and not self.results


def write_changes(connection: Connection, changes: list[Change]) -> None:
    """Write changes in the current transaction."""
    entries = [entry_row(change.table_id, entry) for change in changes for entry in change.entries]
    summaries = [
        {"key": change.table_id, **{_NEW[name]: value for name, value in change.summary.items()}}
        for change in changes
        if change.summary is not None
    ]
    if entries:
        connection.execute(insert(EntryRow), entries)
    if summaries:
        connection.execute(_UPDATE_TABLES, summaries)
    for change in changes:
        if change.players is not None:
            connection.execute(delete(PlayerRow).where(PlayerRow.table_id == change.table_id))
            connection.execute(insert(PlayerRow), change.players)
        if change.results:
            connection.execute(insert(ResultRow), change.results)


def append_statement(changes: list[Change], messages: list[str]) -> tuple[Any, dict[str, Any]]:
    """Return one statement for PostgreSQL that writes changes that only append, and notifies; with its parameters.

    As a transaction of its own it takes one round trip; `write_changes` takes six.
    """
    entries = [
        (change.table_id, one.number, one.at, one.kind, one.seat, orjson.dumps(one.data).decode())
        for change in changes
        for one in change.entries
    ]
    summaries = [
        (change.table_id, *(change.summary[name] for name in _SUMMARY if name != "id")) for change in changes if change.summary
    ]
    return _APPEND, {**_columns("entry", _ENTRY, entries), **_columns("new", _SUMMARY, summaries), "messages": messages}


def _columns(prefix: str, columns: dict[str, Any], rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    """Return rows as the parameters of `_parameter_rows`."""
    return {f"{prefix}_{name}": [row[place] for row in rows] for place, name in enumerate(columns)}


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
    rows = [(change.table_id, *_new_values(change.summary)) for change in changes if change.summary is not None]
    _execute_rows(connection, update_statement, rows)
    for change in changes:
        if change.players is not None:
            connection.execute("DELETE FROM players WHERE table_id = ?", (change.table_id,))
            connection.executemany(_INSERT_PLAYERS, change.players)
        if change.results:
            connection.executemany(_INSERT_RESULTS, change.results)


def _execute_rows(connection: sqlite3.Connection, statement: Callable[[int], str], rows: list[tuple[Any, ...]]) -> None:
    """Execute a statement for all rows, as many at once as possible. The driver keeps one of each size prepared."""
    for begin in range(0, len(rows), MOST_ROWS):
        some = rows[begin : begin + MOST_ROWS]
        # `execute` would also ask for the last row's id, and let the event loop take its turn before that.
        connection.executemany(statement(len(some)), [[value for row in some for value in row]])


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
