"""A database that an earlier version has made, with real tables: it opens, its games replay, and people go on with it."""

from __future__ import annotations

import asyncio
import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer

import azalai
from azalai.engine.record import from_record
from azalai.server.admin import Admin
from tests.server.running import Guest, InThread, quick

FILES = sorted((Path(__file__).parent / "data").glob("*.db.gz"))


@pytest.fixture(params=FILES, ids=lambda path: path.name)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database of an earlier version."""
    unpacked = tmp_path / "azalai.db"
    unpacked.write_bytes(gzip.decompress(request.param.read_bytes()))
    return unpacked


@pytest.fixture
def database(file: Path, new_database: Callable[[], str], tmp_path: Path) -> str:
    """The same as this version migrates it: the file itself, or by a backup in PostgreSQL."""
    address = new_database()
    if address.startswith("sqlite"):
        return f"sqlite:///{file}"

    async def copy() -> None:
        async with Admin(f"sqlite:///{file}") as old, Admin(address, new=True) as new:
            await old.backup(tmp_path / "backup.gz")
            await new.restore(tmp_path / "backup.gz")

    asyncio.run(copy())
    return address


def as_it_was(file: Path) -> dict[str, Any]:
    """The tables as the earlier version wrote them: game, status, and the text of every move that was not taken back."""
    with closing(sqlite3.connect(file)) as connection:
        tables = {key: [game, status, []] for key, game, status in connection.execute("SELECT id, game, status FROM tables")}
        journal = "SELECT table_id, data ->> 'move', seat FROM entries WHERE kind = 'move' ORDER BY table_id, number"
        for key, move, seat in connection.execute(journal):
            tables[key][2].append((move, seat))
    return tables


def test_every_game_of_an_earlier_database_replays_as_it_was_played(file, database):
    before = as_it_was(file)

    async def after() -> tuple[list[str], dict[str, Any]]:
        async with Admin(database) as admin:
            broken = [problem async for problem in admin.check(None)]
            return broken, {
                one["id"]: await admin.export(one["id"]) for one in await admin.tables() if one["status"] != "waiting"
            }

    broken, records = asyncio.run(after())
    assert broken == []
    assert len(records) == sum(status != "waiting" for _, status, _ in before.values()) >= 6
    for key, record in records.items():
        position = from_record(record, azalai.game)
        assert [(move.text, seat) for seat, move in position.history] == [tuple(one) for one in before[key][2]]
        assert position.over == (before[key][1] == "over" and bool(before[key][2]))


def test_people_of_an_earlier_database_find_their_games_and_play_on(file, database):
    with closing(sqlite3.connect(file)) as connection:
        secret = connection.execute("SELECT value FROM settings WHERE name = 'secret'").fetchone()[0]
        people = dict(connection.execute("SELECT name, id FROM guests").fetchall())
    with InThread(quick(database)) as server:
        anna, bela = Guest(server.address), Guest(server.address)
        for guest, name in ((anna, "Anna"), (bela, "Bela")):
            guest.http.cookies.set("azalai", URLSafeSerializer(secret, salt="guest").dumps(people[name]))
            assert guest.get("/me")["name"] == name
        assert len(anna.get("/tables", list="finished")["tables"]) == 5
        (running,) = bela.get("/tables", list="mine")["tables"]
        mover = next(one for one in (anna, bela) if one.look(running)["moves"])
        seen = mover.look(running)
        assert mover.play(seen)["ply"] == seen["ply"] + 1
        for guest in (anna, bela):
            guest.http.close()
