"""Backups of servers that are played on."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import azalai
from azalai.server.admin import Admin
from azalai.server.registry import replay
from tests.server.running import Guest, until

BACKUPS = 20
PLAYERS = 3


class Players:
    """Guests who found tables and play at them until they are stopped, and what the server acknowledged to them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.acknowledged: dict[str, int] = {}  # the last version of each table
        self.errors: list[BaseException] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._play) for _ in range(PLAYERS)]

    def _play(self) -> None:
        guest = Guest(self.address)
        try:
            while not self._stop.is_set():
                table = guest.found("targui", "me", "me")
                for _ in range(8):
                    self.acknowledged[table["id"]] = table["version"]
                    table = guest.play(table)
        except BaseException as error:
            self.errors.append(error)
        finally:
            guest.http.close()

    def __enter__(self) -> Players:
        for one in self._threads:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for one in self._threads:
            one.join()


async def back_up(database: str, file: Path) -> None:
    async with Admin(database) as source:
        await source.backup(file)


async def restored(file: Path, database: str) -> dict[str, int]:
    """Restore a backup into a new database, replay every table, and return the number of each one's last entry."""
    numbers = {}
    async with Admin(database, new=True) as target:
        await target.restore(file)
        for one in await target.tables():
            row: Any = await target.store.table(one["id"])
            table = replay(azalai.game(row["game"]), row, await target.store.entries(one["id"]))
            assert (table.number, table.ply, table.state()) == (row["number"], row["ply"], row["state"])
            numbers[table.id] = table.number
    return numbers


def test_every_backup_of_a_running_server_restores_with_all_that_was_acknowledged(server, new_database, tmp_path):
    database = server.app.state.server.settings.database
    taken = []
    with Players(server.address) as players:
        until(lambda: len(players.acknowledged) >= 2 * PLAYERS or players.errors)
        for number in range(BACKUPS):
            before = dict(players.acknowledged)
            file = tmp_path / f"{number}.gz"
            asyncio.run(back_up(database, file))
            taken.append((file, before))
    assert not players.errors
    assert taken[-1][1] != taken[0][1]  # they went on playing
    for file, before in taken:
        numbers = asyncio.run(restored(file, new_database()))
        assert {table: number for table, number in before.items() if numbers.get(table, 0) < number} == {}
