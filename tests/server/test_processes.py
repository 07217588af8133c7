"""Two servers on one PostgreSQL; restarts; starting and stopping."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
from sqlalchemy import JSON, Connection, column, insert, inspect, select, update
from sqlalchemy import table as bare_table
from websockets.exceptions import ConnectionClosed, WebSocketException

from azalai.cli import serve
from azalai.server.admin import Admin
from azalai.server.database import is_latest, migrate, open_engine, upgrade
from azalai.server.rows import EntryRow, TableRow
from tests.server.running import SERVE, Guest, InThread, Postgres, Process, fetch, postgres_folder, quick, until


@pytest.fixture(scope="module")
def pair(postgres):
    """Two servers that share a database."""
    database = postgres.database(f"t{secrets.token_hex(6)}")
    with InThread(quick(database)) as one, InThread(quick(database)) as other:
        yield one, other


@pytest.fixture
def here_and_there(pair):
    """A guest at each of two servers."""
    guests = [Guest(server.address) for server in pair]
    yield guests
    for one in guests:
        one.http.close()


def test_what_happens_at_one_process_is_told_at_the_other(here_and_there):
    anna, bela = here_and_there
    bela.get("/me")
    table = anna.found("targui", "me", "open")
    with anna.live(table) as mine, bela.live(table) as theirs:
        assert theirs.table()["status"] == "waiting"
        bela.act(table, "seats")
        assert mine.table(lambda one: one["status"] == "playing")["seats"][1]["kind"] == "human"
        until(lambda: all(seat["connected"] for seat in anna.look(table)["seats"]))
        for ply in range(20):
            now = anna.look(table)
            player = (anna, bela)[now["pending"][0]]
            player.play(player.look(table))
            for socket in (mine, theirs):
                news = socket.table(lambda one, at=ply + 1: one["ply"] == at)
                assert news["from"] == ply
        bela.act(table, "chat", {"text": "from afar"})
        assert mine.table(lambda one: one["chat"])["chat"][0]["text"] == "from afar"


def at_once(tasks: list[Callable[[], httpx.Response]]) -> list[httpx.Response]:
    """The answers to requests sent at the same time."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        return [one.result() for one in [pool.submit(task) for task in tasks]]


def deciding(guest: Guest, table: Any, ply: int, move: str) -> Callable[[], httpx.Response]:
    """A decision to be made."""
    return lambda: guest.http.post(f"/tables/{table['id']}/moves", json={"ply": ply, "move": move})


def test_of_two_who_decide_at_the_same_time_at_two_processes_one_is_refused(pair):
    guests = [Guest(server.address) for server in pair]
    for _ in range(5):
        table = guests[0].found("targui", "me", "greedy")
        guests[1].http.cookies = guests[0].http.cookies
        moves = [move["text"] for move in table["moves"][:2]]
        guests[1].look(table)
        answers = at_once([deciding(guests[number], table, 0, moves[number]) for number in range(2)])
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        won = moves[0] if answers[0].status_code == 200 else moves[1]
        assert deciding(guests[1], table, 0, won)().status_code == 200
    for one in guests:
        one.http.close()


def test_simultaneous_choices_arrive_at_two_processes_at_once(pair):
    guests = [Guest(server.address) for server in (pair[0], pair[1], pair[0])]
    table = guests[0].found("timbuktu", "me", "open", "open")
    for one in guests[1:]:
        one.act(table, "seats")
    together = 0
    while together < 3:
        now = guests[0].look(table)
        assert now["status"] == "playing"
        for one in guests:
            until(partial(has_come_to, one, table, now["ply"]))
        views = {seat: guests[seat].look(table) for seat in now["pending"]}
        tasks = [deciding(guests[seat], table, view["ply"], view["moves"][-1]["text"]) for seat, view in views.items()]
        answers = at_once(tasks)
        assert {answer.status_code for answer in answers} == {200}, [answer.text[:200] for answer in answers]
        together += len(tasks) > 1
        until(partial(has_come_to, guests[0], table, now["ply"] + len(tasks)))
    for one in guests:
        one.http.close()


def has_come_to(guest: Guest, table: Any, ply: int) -> bool:
    """Whether a guest sees so many decisions."""
    return bool(guest.look(table)["ply"] >= ply)


def is_asked(guest: Guest, table: Any, seat: int) -> bool:
    """Whether a seat alone is asked."""
    return bool(guest.look(table)["pending"] == [seat])


def test_when_one_process_dies_another_takes_up_its_computer_players(postgres):
    database = postgres.database(f"t{secrets.token_hex(6)}")
    with Process(database) as dying, InThread(quick(database)) as other:
        guest = Guest(dying.address)
        tables = [guest.found("targui", "me", "5") for _ in range(6)]
        for table in tables:
            guest.play(table)
        dying.kill()
        watcher = Guest(other.address)
        for table in tables:
            until(partial(is_asked, watcher, table, 0))
        guest.http.close()
        watcher.http.close()


def test_another_takes_them_up_where_it_has_not_heard_of_the_move_before(postgres, monkeypatch):
    database = postgres.database(f"t{secrets.token_hex(6)}")
    with InThread(quick(database)) as other:
        with InThread(quick(database)) as one:
            anna = Guest(one.address)
            table = anna.found("targui", "me", "random")
            there = anna.moved_to(other.address)
            until(lambda: (seen := there.look(table))["pending"] == [0] and seen)  # known there, with the person to move
            monkeypatch.setattr(other.app.state.server.peers, "_on_notification", lambda _: None)
            monkeypatch.setattr(one.app.state.server.bot_runner, "wake", lambda *_: None)
            anna = there.moved_to(one.address)
            seen = anna.look(table)
            while seen["pending"] == [0]:
                seen = anna.play(seen)
        there = anna.moved_to(other.address)
        until(lambda: there.look(table)["ply"] > seen["ply"])
        there.http.close()


def test_a_restart_resumes_computer_players_clocks_and_plans(new_database):
    database = new_database()
    with InThread(quick(database)) as server:
        guest = Guest(server.address)
        thinking = guest.found("targui", "me", "6")
        guest.play(thinking)
        timed = guest.found("targui", "me", "open", clock={"kind": "live", "minutes": 0.01}, time_out="lose")
        guest.act(timed, "seats", {"seat": 1}, 200)
    time.sleep(0.7)  # longer than the clock has left
    with InThread(quick(database)) as server:
        watcher = Guest(server.address)
        until(lambda: watcher.look(thinking)["pending"] == [0])
        until(lambda: watcher.look(timed)["status"] == "over")
        watcher.http.close()
        guest.http.close()


def test_a_server_stops_in_order_and_tells_its_sockets(new_database):
    with Process(new_database()) as server:
        guest = Guest(server.address)
        table = guest.found("targui", "me", "greedy")
        with guest.live(table) as socket:
            socket.table()
            assert server.stop() == 0
            with pytest.raises(ConnectionClosed):
                socket.table(lambda one: False)
            assert socket.connection.close_code == 1012
        guest.http.close()
        with pytest.raises(httpx.HTTPError):
            fetch(f"{server.address}/healthz")


def test_a_running_table_goes_on_after_its_rules_have_changed(new_database):
    database = new_database()
    with InThread(quick(database)) as server:
        guest = Guest(server.address)
        table = guest.found("targui", "me", "me")
        for _ in range(6):
            table = guest.look(table)
            guest.play(table, seat=table["seat"])
        table = guest.look(table)

    async def age() -> None:
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.execute(update(TableRow).values(rules=0))
        await engine.dispose()

    asyncio.run(age())
    with InThread(quick(database)) as server:
        guest = guest.moved_to(server.address)
        now = guest.look(table)
        assert now["view"] == table["view"]
        assert now["moves"] == table["moves"]
        assert guest.play(now, seat=now["seat"])["ply"] == table["ply"] + 1
        assert guest.act(table, "undo", {"to": 0, "seat": now["seat"]}, 409)["error"] == "no_undo"
        guest.http.close()


def change_tables(database: str, **values: Any) -> None:
    """Change columns of all tables, as if an earlier version had written them."""

    async def work() -> None:
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.execute(update(TableRow).values(**values))
        await engine.dispose()

    asyncio.run(work())


def test_after_a_change_of_rules_what_came_later_can_be_looked_at_analysed_and_exported(new_database, tmp_path):
    database = new_database()
    with InThread(quick(database)) as server:
        guest = Guest(server.address)
        table = guest.found("tuareg", "me", "random")
        for _ in range(3):
            guest.play(until(lambda: (now := guest.look(table))["moves"] and now))
        before = until(lambda: (now := guest.look(table))["moves"] and now)
    change_tables(database, rules=0)
    with InThread(quick(database)) as server:
        guest = guest.moved_to(server.address)
        for _ in range(3):
            guest.play(until(lambda: (now := guest.look(table))["moves"] and now))
        over = guest.act(table, "resign")
        for ply in range(before["ply"], over["ply"] + 1):
            assert guest.get(f"/tables/{table['id']}/plies/{ply}", seat=0)["ply"] == ply
            assert guest.http.get(f"/tables/{table['id']}/drawing", params={"ply": ply}).status_code == 200
        first = guest.get(f"/tables/{table['id']}/plies/{before['ply']}", seat=0)
        assert first["view"] == before["view"]
        assert guest.get(f"/tables/{table['id']}/plies/{before['ply'] - 1}", 404)["error"] == "no_such_ply"
        job = guest.act(table, "jobs", {"kind": "hint", "ply": before["ply"] + 1}, 202)
        assert until(lambda: (now := guest.get(f"/jobs/{job['id']}"))["status"] == "done" and now)["result"]["moves"]
        review = guest.act(table, "review")
        assert (review["first"], review["last"]) == (before["ply"], guest.look(table)["ply"])
        record = guest.get(f"/tables/{table['id']}/record")
        assert (record["rules"], len(record["moves"])) == (0, over["ply"])
        guest.http.close()

    assert asyncio.run(exported(database, tmp_path)) == {f"tuareg-{table['id']}.json": record}


async def exported(database: str, folder: Path) -> dict[str, Any]:
    """What `azalai admin export --all` writes."""
    problems: list[str] = []
    async with Admin(database) as admin:
        await admin.export_all(folder, None, problems.append)
    assert problems == []
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in folder.iterdir()}


def test_a_game_of_rules_that_are_not_known_any_more_says_why_it_cannot_be_shown_and_can_be_downloaded(new_database, tmp_path):
    database = new_database()
    with InThread(quick(database)) as server:
        guest = Guest(server.address)
        tables = [guest.found("targui", "me", "me") for _ in range(2)]
        for table in tables:
            guest.play(table, seat=table["seat"])
        guest.act(tables[0], "resign", {"seat": 0})
        known = guest.get(f"/tables/{tables[0]['id']}/record")
    change_tables(database, rules=0, layout="another")
    with InThread(quick(database)) as server:
        guest = guest.moved_to(server.address)
        over = guest.get(f"/tables/{tables[0]['id']}", 409)
        assert over["error"] == "old_rules"
        assert "version 0 of targui" in over["message"]
        assert "can be downloaded" in over["message"]
        record = guest.get(f"/tables/{tables[0]['id']}/record")
        assert (record["rules"], record["seed"], record["options"]) == (0, known["seed"], known["options"])
        assert record["moves"] == [f"{move} @0" for move in known["moves"]]
        assert guest.get(f"/tables/{tables[1]['id']}", 409)["error"] == "old_rules_running"
        assert guest.get(f"/tables/{tables[1]['id']}/record", 409)["error"] == "old_rules_running"
        for table in tables:
            assert guest.act(table, "jobs", {"kind": "hint", "ply": 0}, 409)["error"].startswith("old_rules")
        with guest.live(tables[0]) as socket, pytest.raises(ConnectionClosed):
            socket.table()
        assert socket.connection.close_reason == "old_rules"
        guest.http.close()
    assert len(asyncio.run(exported(database, tmp_path))) == 2


def test_migrations_make_what_the_classes_describe(empty_database):
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    from azalai.server.rows import Base

    async def differences() -> list[object]:
        engine = open_engine(empty_database())
        await migrate(engine)
        await migrate(engine)
        async with engine.connect() as connection:
            assert await connection.run_sync(is_latest)
            found = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), Base.metadata)
            )
        await engine.dispose()
        return list(found)

    assert asyncio.run(differences()) == []


def test_a_database_of_the_first_schema_keeps_its_games_and_loses_planned_moves(empty_database):
    database = empty_database()
    table = {
        "id": "old", "game": "targui", "rules": 1, "layout": "?", "options": {}, "seed": 7, "setup": {"seats": 2}, "public": True,
        "creator": "somebody", "created": 1, "updated": 1, "status": "waiting", "number": 1, "ply": 0, "pending": 0,
    }  # fmt: skip
    plans = bare_table("plans", column("table_id"), column("seat"), column("moves", JSON), column("dropped"))

    def fill(connection: Connection) -> None:
        upgrade(connection, "0001")
        connection.execute(insert(TableRow), [table])
        entry = {"table_id": "old", "number": 1, "at": 1, "kind": "sit", "seat": 0, "data": {"kind": "open"}}
        connection.execute(insert(EntryRow), [entry])
        connection.execute(insert(plans).values(table_id="old", seat=0, moves=["to c4"], dropped=None))

    async def migrated() -> tuple[list[str], str]:
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.run_sync(fill)
        await migrate(engine)
        async with engine.connect() as connection:
            names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
            kept = (await connection.execute(select(EntryRow.table_id))).scalar_one()
        await engine.dispose()
        return names, kept

    names, kept = asyncio.run(migrated())
    assert "plans" not in names
    assert {"tables", "entries", "players", "jobs"} <= set(names)
    assert kept == "old"
    with InThread(quick(database)) as server:
        assert [one["id"] for one in fetch(f"{server.address}/api/tables").json()["tables"]] == []  # untouched for too long
        assert fetch(f"{server.address}/api/tables/old").json()["status"] == "waiting"


def test_a_backup_of_one_database_can_be_put_into_another(new_database, postgres, tmp_path):
    database = new_database()
    with InThread(quick(database)) as server:
        guest = Guest(server.address)
        table = guest.found("targui", "me", "greedy")
        guest.play(table)
        until(lambda: guest.look(table)["pending"] == [0])
        before = guest.look(table)

        async def back_up() -> None:
            async with Admin(database) as admin:
                assert await admin.backup(tmp_path / "backup.gz") > 5

        asyncio.run(back_up())
        guest.act(table, "chat", {"text": "later"})
    other = postgres.database(f"t{secrets.token_hex(6)}")

    async def put_back() -> None:
        async with Admin(other, new=True) as admin:
            await admin.restore(tmp_path / "backup.gz")
            async with admin.engine.connect() as connection:
                assert (await connection.execute(select(TableRow.ply))).scalar_one() == before["ply"]

    asyncio.run(put_back())
    with InThread(quick(other)) as server:
        guest = guest.moved_to(server.address)
        now = guest.look(table)
        assert {**now, "time": 0} == {**before, "time": 0}
        assert now["seats"][0]["mine"]
        guest.http.close()


def test_after_the_database_was_away_for_a_while_all_goes_on():
    if postgres_folder() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with Postgres() as postgres, InThread(quick(postgres.database("away"))) as server:
        guest = Guest(server.address)
        table = guest.found("targi", "me", "greedy")
        with guest.live(table) as live:
            live.table()
            postgres.stop("fast")
            assert guest.play(table, status=503)["error"] == "unavailable"
            assert live.ask(type="play", ply=table["ply"], move=table["moves"][0]["text"])["error"] == "unavailable"
            assert fetch(f"{server.address}/healthz").status_code == 503
            postgres.start()
            until(lambda: fetch(f"{server.address}/healthz").status_code == 200)
            assert guest.play(table)["ply"] > table["ply"]
            live.table(lambda one: one["ply"] > table["ply"])
        guest.http.close()


# ---------------------------------------------------------------- one command, several processes


def _command(pid: int) -> bytes:
    """What a process runs; nothing once it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


class Several(Process):
    """`azalai serve --processes 2`."""

    def start(self) -> Self:
        command = [self.python, "-c", SERVE, "--port", str(self.port), "--processes", "2"]
        self.process = subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)
        until(self.healthy, f"the server did not start:\n{self.tail()}")
        return self

    def children(self) -> list[int]:
        """The processes that serve."""
        assert self.process is not None
        pid = self.process.pid
        found = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return [one for one in found if b"spawn_main" in _command(one)]

    def sockets(self) -> float:
        """How many sockets are open at the process that is asked, whichever that is."""
        metrics = fetch(f"{self.address}/metrics").text
        return float(metrics.split("\nazalai_sockets ")[1].split("\n")[0])

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()
        self.log.close()


def test_one_command_serves_with_several_processes_and_survives_the_death_of_one(postgres):
    with Several(postgres.database(f"t{secrets.token_hex(6)}")) as server:
        children = until(lambda: len(server.children()) == 2 and server.children())

        anna = Guest(server.address)
        with ExitStack() as stack:
            opened: list[Any] = []

            def is_shared() -> bool:  # one process may listen later than the other
                opened.append(stack.enter_context(anna.lobby()))
                return 0 < server.sockets() < len(opened)

            until(is_shared, "all connections went to one process")
        table = anna.found("targui", "1", "1")
        until(lambda: anna.look(table)["ply"] > 2)
        os.kill(children[0], signal.SIGKILL)
        until(lambda: children[0] not in server.children() and len(server.children()) == 2, "it was not started again")
        anna.http.close()
        anna = anna.moved_to(server.address)
        ply = anna.look(table)["ply"]
        until(lambda: anna.look(table)["ply"] > ply or anna.look(table)["status"] == "over")
        anna.http.close()
        assert server.stop() == 0


def test_all_sockets_of_a_table_are_at_one_process_and_at_the_other_while_that_is_away(postgres):
    with (
        tempfile.TemporaryDirectory() as folder,
        Several(postgres.database(f"t{secrets.token_hex(6)}"), TMPDIR=folder) as server,
        ExitStack() as stack,
    ):
        until(lambda: len(list(Path(folder).glob("azalai-*/?"))) == 2)  # inboxes
        anna = Guest(server.address)
        stack.callback(anna.http.close)
        table = anna.found("targui", "me", "me")
        opened = [stack.enter_context(anna.live(table)) for _ in range(12)]
        until(lambda: {server.sockets() for _ in range(24)} == {0, 12})
        for live in opened:
            asked = live.table()
        opened[0].send(type="play", ply=asked["ply"], move=asked["moves"][0]["id"])
        for live in opened:
            live.table(lambda one: one["ply"] == asked["ply"] + 1)

        def sees() -> bool:
            with suppress(OSError, WebSocketException), anna.live(table) as live:  # one that just dies may get the connection
                return bool(live.table()["ply"] == asked["ply"] + 1)
            return False

        os.kill(server.children()[zlib.crc32(table["id"].encode()) % 2], signal.SIGKILL)
        until(sees)
        until(lambda: len(server.children()) == 2)


def process_of(guest: Guest) -> str:
    """What tells the process that a guest's connection leads to from others: when it began to count."""
    metrics = guest.http.get(f"{guest.address}/metrics").text
    return metrics.split("\nazalai_conflicts_created ")[1].split("\n")[0]


def connected_elsewhere(guest: Guest, other: Guest) -> Guest:
    """The same guest with a connection to another process than `other` has one to."""
    own, avoided = [guest], process_of(other)

    def is_elsewhere() -> bool:
        if process_of(own[0]) != avoided:
            return True
        own[0] = own[0].moved_to(guest.address)
        return False

    until(is_elsewhere, "all connections went to one process")
    return own[0]


def test_a_table_with_house_rules_is_played_at_all_processes_and_found_again_when_they_have_died(postgres):
    with Several(postgres.database(f"t{secrets.token_hex(6)}")) as server, ExitStack() as stack:
        anna, bela = Guest(server.address), Guest(server.address)
        stack.callback(lambda: anna.http.close())
        stack.callback(lambda: bela.http.close())
        bela.get("/me")
        bela = connected_elsewhere(bela, anna)
        founded = anna.found("tuareg", "me", "open", components="[goods.water]\npoints = 9\n")
        change = [{"component": "goods.water.points", "before": 6, "after": 9}]
        assert founded["changes"] == change
        assert bela.look(founded)["changes"] == change
        bela.act(founded, "seats")

        def play_on(decisions: int) -> int:
            """Let each decide at their own process; return how many decisions the game has."""
            goal = int(anna.look(founded)["ply"]) + decisions
            while (ply := anna.look(founded)["ply"]) < goal:
                until(partial(has_come_to, bela, founded, ply))
                mover = (anna, bela)[anna.look(founded)["pending"][0]]
                mover.play(mover.look(founded))
                until(partial(has_come_to, anna, founded, ply + 1))
            for one in (anna, bela):
                assert one.get(f"/tables/{founded['id']}/game")["components"]["goods"]["water"]["points"] == 9
            return goal

        ply = play_on(8)
        before = server.children()
        for child in before:
            os.kill(child, signal.SIGKILL)
        until(lambda: len(server.children()) == 2 and not set(before) & set(server.children()))
        until(server.healthy)
        anna = anna.moved_to(server.address)
        bela = connected_elsewhere(bela.moved_to(server.address), anna)
        for one in (anna, bela):
            found = one.look(founded)
            assert (found["ply"], found["changes"]) == (ply, change)
        assert play_on(4) == ply + 4


def test_a_process_that_cannot_start_is_tried_more_and_more_seldom():
    pauses = [1.0]
    for _ in range(7):
        pauses.append(serve.next_pause(2.0, pauses[-1]))
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30]
    assert serve.next_pause(3600.0, 30.0) == 1  # one that has served for an hour is replaced at once


def test_several_processes_need_postgresql(tmp_path):
    command = [sys.executable, "-c", SERVE, "--processes", "2", "--database", f"sqlite:///{tmp_path}/a.db"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode
    assert "PostgreSQL" in ran.stderr


def test_a_computer_player_thinks_in_one_process_at_a_time(pair, here_and_there):
    guests = here_and_there
    guests[1].get("/me")
    table = guests[0].found("tuareg", "me", "open", "6")
    guests[1].act(table, "seats")
    for _ in range(80):
        now = guests[0].look(table)
        heard = bool(now["pending"])  # its process may not know of the second seat yet
        if not heard or now["seats"][now["pending"][0]]["kind"] == "bot":
            time.sleep(0.02)
            continue
        mover = now["pending"][0]
        after = guests[mover].play(guests[mover].look(table))
        if any(after["seats"][seat]["kind"] == "bot" for seat in after["pending"]):
            guests[1 - mover].act(table, "chat", {"text": "it thinks"})
            runners = [one.app.state.server.bot_runner for one in pair]
            assert table["id"] not in runners[1 - mover].active_tables()
            return
    raise AssertionError("the computer player was never asked")
