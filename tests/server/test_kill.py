"""`kill -9` at random moments under load: every answered move is there, no table is stuck, bots go on, records replay.

`AZALAI_KILLS` sets how often the server is killed.
"""

from __future__ import annotations

import asyncio
import os
import random
import threading
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import pytest

import azalai
from azalai.engine.game import load_game
from azalai.server.admin import Admin
from tests.server.running import Guest, Process, free_port, until

KILLS = int(os.environ.get("AZALAI_KILLS", "2"))
PLAYERS = 4  # at a time, each at a table of their own
ALIVE = (0.1, 1.5)  # seconds a server lives


@dataclass
class Load:
    """Somebody who plays on and on, whatever happens, and remembers what was answered."""

    address: str
    number: int
    answered: dict[str, list[tuple[int, int, str]]] = field(default_factory=dict)  # table -> (ply, seat, move)
    tables: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    over: int = 0

    def run(self, stop: threading.Event) -> None:
        chance = random.Random(self.number)
        guest = Guest(self.address)
        try:
            table = None
            while not stop.is_set():
                try:
                    if table is None or table["status"] == "over":
                        self.over += table is not None
                        table = self.found(guest, chance)
                    table = self.step(guest, chance, table, stop)
                except (httpx.HTTPError, ConnectionError):
                    time.sleep(0.05)  # it is dead: try again
        except AssertionError as error:
            self.problems.append(str(error))
        finally:
            guest.http.close()

    def found(self, guest: Guest, chance: random.Random) -> Any:
        game = chance.choice(azalai.games())
        seats = load_game(game).seats[0]
        others = ["me" if chance.random() < 0.3 else "random" for _ in range(seats - 1)]
        table = guest.found(game, "me", *others)
        self.tables.append(table["id"])
        self.answered[table["id"]] = []
        return table

    def step(self, guest: Guest, chance: random.Random, table: Any, stop: threading.Event) -> Any:
        if not table["moves"]:
            time.sleep(0.01)
            return guest.look(table)
        move = chance.choice(table["moves"])["text"]
        ply, seat = table["ply"], table["seat"]
        while not stop.is_set():
            try:
                answer = guest.http.post(f"/tables/{table['id']}/moves", json={"ply": ply, "move": move, "seat": seat})
            except httpx.HTTPError:
                time.sleep(0.05)
                continue  # the same move again: it may have been made already, which must do no harm
            assert answer.status_code == 200, f"{answer.status_code} {answer.text[:300]}"
            self.answered[table["id"]].append((ply, seat, move))
            return answer.json()
        return table


async def histories(database: str, tables: list[str]) -> dict[str, list[tuple[int, str]]]:
    """What is stored: the decisions of each table, replayed from its journal."""
    async with Admin(database) as admin:
        found = {}
        for table_id in tables:
            table = await admin._table(table_id)
            found[table_id] = [(step.seat, step.move.text) for step in table.steps]
            record = await admin.export(table_id)
            assert len(record["moves"]) == table.ply
        return found


@pytest.mark.timeout(300 + 30 * KILLS)
def test_nothing_answered_is_lost_when_the_server_is_killed(new_database):
    database = new_database()
    server = Process(database, free_port())
    chance = random.Random(1)
    stop = threading.Event()
    players = [Load(server.address, number) for number in range(PLAYERS)]
    threads = [threading.Thread(target=one.run, args=(stop,)) for one in players]

    def goes_on(enough: int) -> None:
        def made() -> bool:
            assert server.runs(), f"the server has died by itself:\n{server.tail()}"
            assert not problems(players)
            return answered(players) > enough

        until(made, "nobody goes on")

    with server:
        for thread in threads:
            thread.start()
        try:
            for number in range(1, KILLS + 1):
                time.sleep(chance.uniform(*ALIVE))
                goes_on(5 * number)
                server.kill()
                server.start()
            goes_on(answered(players) + 20)
        finally:
            stop.set()
            for thread in threads:
                thread.join(60)
        assert not problems(players)
        print(f"{KILLS} kills, {sum(len(one.tables) for one in players)} tables, {answered(players)} answered decisions")
        watcher = Guest(server.address)
        for one in players:
            for table_id in one.tables:
                # Computer players go on by themselves until a person is asked, or the game is over.
                until(partial(moves_on, watcher, table_id), f"table {table_id} is stuck")
        watcher.http.close()
        assert server.stop() == 0
    stored = asyncio.run(histories(database, [table_id for one in players for table_id in one.tables]))
    for one in players:
        for table_id, answers in one.answered.items():
            for asked in {seat for _, seat, _ in answers}:
                check_decisions(stored[table_id], asked, [(ply, move) for ply, seat, move in answers if seat == asked])


def answered(players: list[Load]) -> int:
    """How many decisions the server has answered."""
    return sum(len(answers) for one in players for answers in one.answered.values())


def problems(players: list[Load]) -> list[str]:
    """What they met that must not be; whoever did plays no more."""
    return [problem for one in players for problem in one.problems]


def check_decisions(stored: list[tuple[int, str]], asked: int, answers: list[tuple[int, str]]) -> None:
    """A seat's stored decisions are those answered, each once; at most one more, whose answer nobody waited for at the end.

    Where several seats choose at the same time, a decision is stored at the ply it was meant for, or later if others were faster.
    """
    decided = [(ply, move) for ply, (seat, move) in enumerate(stored) if seat == asked]
    assert [move for _, move in decided[: len(answers)]] == [move for _, move in answers]
    assert len(decided) <= len(answers) + 1
    assert all(meant <= ply for (meant, _), (ply, _) in zip(answers, decided, strict=False))


def moves_on(watcher: Guest, table_id: str) -> bool:
    """Whether no computer player owes a decision."""
    table = watcher.look({"id": table_id})
    return not any(seat["pending"] and seat["kind"] == "bot" for seat in table["seats"])
