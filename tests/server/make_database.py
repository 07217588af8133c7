"""Make the database that a test migrates: a few real tables, played by the version whose schema it has.

    python -m tests.server.make_database tests/server/data/schema-0003.db.gz

Run it with the version whose database is to be kept, before its schema changes.
"""

from __future__ import annotations

import gzip
import random
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from azalai.server.settings import UNLIMITED, Settings
from tests.server.running import Guest, InThread, until


def main() -> None:
    """Play, then pack the file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "azalai.db"
        with InThread(Settings(database=f"sqlite:///{file}", limits=UNLIMITED)) as server:
            play(server.address)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("VACUUM")
        Path(sys.argv[1]).write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))


def play(address: str) -> None:
    """Anna and Bela finish a game of each kind, give one up, and leave one running and one waiting."""
    anna, bela = named(Guest(address), "Anna"), named(Guest(address), "Bela")
    chance = random.Random(3)
    for game in ("targui", "tuareg", "timbuktu", "targi"):
        seats = ("me", "open", "greedy") if game == "timbuktu" else ("me", "open")
        table = anna.found(game, *seats)
        bela.act(table, "seats")
        anna.act(table, "chat", {"text": f"a game of {game}"})
        finish(table, (anna, bela), chance)
    alone = anna.found("targi", "me", "random")
    until(lambda: anna.look(alone)["moves"])
    anna.act(alone, "resign")
    running = anna.found("targui", "me", "open")
    bela.act(running, "seats")
    for _ in range(12):
        step(running, (anna, bela), chance)
    anna.found("tuareg", "me", "open", public=True)
    bela.post("/me/tokens", {"label": "a program"}, 201)
    bela.post("/me/link")
    for one in (anna, bela):
        one.http.close()


def named(guest: Guest, name: str) -> Guest:
    guest.ask("PATCH", "/me", json={"name": name})
    return guest


def finish(table: Any, players: tuple[Guest, ...], chance: random.Random) -> None:
    while step(table, players, chance)["status"] != "over":
        pass


def step(table: Any, players: tuple[Guest, ...], chance: random.Random) -> Any:
    """One decision of whoever is asked, chosen by chance; return the table."""
    for player in players:
        seen = player.look(table, since=10**6)
        if seen["moves"]:
            return player.play(seen, chance.choice(seen["moves"])["text"])
    return players[0].look(table, since=10**6)


if __name__ == "__main__":
    main()
