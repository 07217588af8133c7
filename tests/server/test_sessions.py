"""Who one is: moving to another device and back, ending sessions, deleted tokens, bans, deleted guests."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import insert, select, text, update
from websockets.exceptions import ConnectionClosed

from azalai.cli import admin
from azalai.engine.errors import AzalaiError
from azalai.server.database import open_engine
from azalai.server.guests import new_guest
from azalai.server.ids import new_id
from azalai.server.rows import EntryRow, GuestRow, TableRow
from tests.server.running import Guest, InThread, Live, quick, until
from tests.server.test_operations import arguments


def closed(socket: Live) -> str:
    """Wait until the server closes a socket; return why."""
    with pytest.raises(ConnectionClosed):
        socket.table(lambda one: False)
    return socket.connection.close_reason or ""


def operate(database: str, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Run a command of the operator; return what it prints as JSON, if anything."""
    admin.run(arguments(admin, "--database", database, *words))
    printed = capsys.readouterr().out
    return json.loads(printed) if printed else None


def database_of(server: InThread) -> str:
    return str(server.app.state.server.settings.database)


def id_of(name: str, database: str, capsys: pytest.CaptureFixture[str]) -> str:
    (found,) = operate(database, capsys, "guests", "--name", name, "--json")
    return str(found["id"])


# ---------------------------------------------------------------- another device


def test_a_link_is_looked_at_before_it_is_used_and_who_one_was_can_be_had_back(anna, bela, guest):
    table = bela.found("targui", "me", "greedy")
    link = anna.post("/me/link")
    assert bela.post("/me/move/preview", {"code": link["code"]})["name"] == "Anna"
    assert bela.get("/me") == {"name": "Bela", "tables": 1, "before": None, "player": None}
    assert bela.post("/me/move", {"code": link["code"]}) == {"name": "Anna", "tables": 0, "before": "Bela", "player": None}
    assert bela.get("/me")["before"] == "Bela"
    assert not bela.look(table)["seats"][0]["mine"]
    assert bela.post("/me/back") == {"name": "Bela", "tables": 1, "before": "Anna", "player": None}
    assert bela.look(table)["seats"][0]["mine"]
    assert bela.post("/me/back")["name"] == "Anna"
    assert guest().post("/me/back", status=404)["error"] == "no_before"
    assert guest().post("/me/move/preview", {"code": link["code"]}, 404)["error"] == "bad_link"


def test_a_link_used_at_the_same_device_changes_nothing(anna):
    link = anna.post("/me/link")
    assert anna.post("/me/move", {"code": link["code"]})["before"] is None
    assert anna.get("/me")["name"] == "Anna"


# ---------------------------------------------------------------- ending sessions


def test_ending_all_other_sessions_leaves_this_device_alone(anna, guest):
    table = anna.found("targui", "me", "greedy")
    thief, program = guest(), guest(token=anna.post("/me/tokens", {}, 201)["token"])
    thief.post("/me/move", {"code": anna.post("/me/link")["code"]})
    unused = anna.post("/me/link")["code"]
    with thief.live(table) as stolen, program.live(table) as running:
        assert stolen.table()["seat"] == running.table()["seat"] == 0
        assert anna.ask("DELETE", "/me/sessions")["name"] == "Anna"
        assert closed(stolen) == closed(running) == "session_ended"
    assert anna.look(table)["seats"][0]["mine"]
    assert not thief.look(table)["seats"][0]["mine"]
    assert thief.play(anna.look(table), status=403)["error"] == "not_seated"
    assert thief.get("/me")["name"] != "Anna"
    assert program.get("/me", 401)["error"] == "bad_token"
    assert guest().post("/me/move", {"code": unused}, 404)["error"] == "bad_link"
    anna.ask("DELETE", "/me/sessions")
    assert anna.get("/me")["name"] == "Anna"


def test_a_program_that_ends_all_other_sessions_keeps_its_token(anna, guest):
    program = guest(token=anna.post("/me/tokens", {}, 201)["token"])
    assert program.ask("DELETE", "/me/sessions")["name"] == "Anna"
    assert program.get("/me")["name"] == "Anna"
    assert anna.get("/me")["name"] != "Anna"


def test_ending_sessions_ends_the_way_back_to_who_one_was(anna, bela):
    bela.post("/me/move", {"code": anna.post("/me/link")["code"]})
    other = Guest(anna.address)
    other.post("/me/move", {"code": bela.post("/me/link")["code"]})
    bela.post("/me/back")  # Bela's device is Bela again, and was Anna before
    anna.ask("DELETE", "/me/sessions")
    assert bela.get("/me") == {"name": "Bela", "tables": 0, "before": None, "player": None}
    assert bela.post("/me/back", status=404)["error"] == "no_before"
    other.http.close()


def test_the_socket_of_a_deleted_token_is_closed(anna, guest):
    table = anna.found("targui", "me", "greedy")
    token, other = (anna.post("/me/tokens", {}, 201) for _ in range(2))
    deleted, program = guest(token=token["token"]), guest(token=other["token"])
    with deleted.live(table) as socket, program.live(table) as kept, anna.live(table) as own:
        for one in (socket, kept, own):
            one.table()
        anna.ask("DELETE", f"/me/tokens/{token['id']}", 204)
        assert closed(socket) == "session_ended"
        for one in (kept, own):
            assert one.ask(type="ping")["type"] == "pong"


def test_sessions_end_at_all_processes(postgres):
    database = postgres.database("sessions")
    with InThread(quick(database)) as here, InThread(quick(database)) as there:
        anna, thief = Guest(here.address), Guest(there.address)
        table = anna.found("targui", "me", "greedy")
        thief.post("/me/move", {"code": anna.post("/me/link")["code"]})
        with thief.live(table) as stolen:
            assert stolen.table()["seat"] == 0
            anna.ask("DELETE", "/me/sessions")
            assert closed(stolen) == "session_ended"
        assert not thief.look(table)["seats"][0]["mine"]
        anna.http.close()
        thief.http.close()


# ---------------------------------------------------------------- the operator


def test_an_operator_can_ban_a_guest_and_lift_the_ban(server, bela, guest, capsys):
    database = database_of(server)
    troll = guest()
    troll.ask("PATCH", "/me", json={"name": f"Troll {database[-6:]}"})
    table = troll.found("targui", "me", "open")
    program = guest(token=troll.post("/me/tokens", {}, 201)["token"])
    assert program.look(table)["seats"][0]["mine"]
    (found,) = operate(database, capsys, "guests", "--table", table["id"], "--json")
    with troll.live(table) as socket:
        socket.table()
        operate(database, capsys, "ban", found["id"])
        assert closed(socket) == "session_ended"
    for one in (troll, program):
        assert one.get("/me", 403)["error"] == "banned"
        assert one.act(table, "chat", {"text": "I am back"}, 403)["error"] == "banned"
    assert bela.look(table)["seats"][0]["kind"] == "human"
    operate(database, capsys, "unban", found["id"])
    until(lambda: troll.http.get("/me").status_code == 200)
    assert troll.look(table)["seats"][0]["mine"]
    with pytest.raises(AzalaiError, match="no guest"):
        operate(database, capsys, "ban", "nobody")


def test_a_deleted_guest_leaves_nothing_but_moves(server, anna, bela, capsys):
    database = database_of(server)
    name = f"Clara {database[-6:]}"
    anna.ask("PATCH", "/me", json={"name": name})
    alone = anna.found("targui", "me", "greedy")
    shared = anna.found("targui", "open", "me", "open", wait=True)
    bela.act(shared, "seats", {"seat": 2})
    anna.act(shared, "chat", {"text": "my address is …"})
    bela.act(shared, "chat", {"text": "keep it to yourself"})
    anna.act(shared, "start")
    anna.play(anna.look(shared), status=200)
    anna.act(shared, "chat", {"text": "gone soon"})
    guest_id = id_of(name, database, capsys)
    anna.post("/me/tokens", {}, 201)
    operate(database, capsys, "forget", guest_id)
    until(lambda: bela.look(shared)["seats"][0]["name"] == "")
    assert [line["text"] for line in bela.look(shared)["chat"]] == ["keep it to yourself"]
    assert bela.get(f"/tables/{alone['id']}", 404)["error"] == "no_such_table"
    assert not anna.look(shared)["seats"][0]["mine"]
    assert name not in everything_in(database)
    assert guest_id not in everything_in(database)
    assert "my address" not in everything_in(database)
    with pytest.raises(AzalaiError, match="no guest"):
        operate(database, capsys, "forget", guest_id)


def everything_in(database: str, but: str = "") -> str:
    """All rows of all tables as one text."""

    async def read() -> str:
        engine = open_engine(database)
        async with engine.connect() as connection:
            names = ("settings", "guests", "tokens", "tables", "players", "entries", "jobs")
            rows = [str((await connection.execute(text(f"SELECT * FROM {name}"))).all()) for name in names if name != but]
        await engine.dispose()
        return "\n".join(rows)

    return asyncio.run(read())


def test_everything_older_than_some_days_is_deleted_by_one_command(new_database, capsys):
    database = new_database()
    with InThread(quick(database)) as server:
        old, young = Guest(server.address), Guest(server.address)
        for one, name in ((old, "Old"), (young, "Young")):
            one.ask("PATCH", "/me", json={"name": name})
            one.post("/me/tokens", {}, 201)
        tables = [old.act(old.found("targui", "me", "greedy"), "resign"), old.found("targui", "me", "greedy")]
        kept = young.found("targui", "me", "open")
        old.http.close()
        young.http.close()

    async def age() -> None:
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.execute(update(TableRow).where(TableRow.id != kept["id"]).values(updated=1))
            await connection.execute(text("UPDATE guests SET created = 1"))
            await connection.execute(text("UPDATE tokens SET created = 1"))
        await engine.dispose()

    asyncio.run(age())
    operate(database, capsys, "delete", "--older", "30")  # waiting tables alone
    assert len(operate(database, capsys, "list", "--json")) == 3
    operate(database, capsys, "delete", "--older", "30", "--everything")
    assert [one["id"] for one in operate(database, capsys, "list", "--json")] == [kept["id"]]
    assert [one["name"] for one in operate(database, capsys, "guests", "--json")] == ["Young"]
    rest = everything_in(database, but="settings")  # where the next server is told of it
    assert not any(table["id"] in rest for table in tables)


def test_a_database_of_the_second_schema_keeps_its_guests_and_marks_deals_that_are_known(empty_database):
    from azalai.server.database import migrate, upgrade

    database = empty_database()
    row = {
        "game": "targui", "rules": 1, "layout": "?", "options": {}, "public": True, "creator": "somebody", "updated": 1,
        "status": "playing", "number": 1, "ply": 0, "pending": 0,
    }  # fmt: skip
    tables = [
        {**row, "id": "first", "seed": 7, "created": 1, "setup": {"seats": 2}},
        {**row, "id": "again", "seed": 7, "created": 2, "setup": {"seats": 2}},
        {**row, "id": "record", "seed": 7, "created": 3, "setup": {"seats": 2, "imported": True}},
        {**row, "id": "other", "seed": 8, "created": 4, "setup": {"seats": 2}},
    ]

    async def migrated() -> tuple[Any, dict[str, Any]]:
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.run_sync(lambda sync: upgrade(sync, "0002"))
            await connection.execute(text("INSERT INTO guests (id, name, created) VALUES ('somebody', 'Anna', 1)"))
            await connection.execute(insert(TableRow), tables)
        await migrate(engine)
        async with engine.connect() as connection:
            guest = (await connection.execute(select(GuestRow.name, GuestRow.epoch, GuestRow.banned))).one()
            found = await connection.execute(select(TableRow.id, TableRow.setup, TableRow.public))
            marked = {one.id: (one.setup.get("known", False), one.public) for one in found}
            await connection.execute(select(EntryRow.number))
        await engine.dispose()
        return tuple(guest), marked

    guest, marked = asyncio.run(migrated())
    assert guest == ("Anna", 0, None)
    assert marked == {"first": (False, True), "again": (True, False), "record": (False, True), "other": (False, True)}


def test_no_id_can_be_taken_for_an_option_of_a_command(monkeypatch):
    made = iter(["-guest", "guest", "-table", "table"])
    monkeypatch.setattr("azalai.server.ids.secrets.token_urlsafe", lambda size: next(made))
    assert (new_guest(), new_id()) == ("guest", "table")
