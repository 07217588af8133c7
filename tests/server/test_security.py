"""What strangers cannot do."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from azalai.server.logs import JsonLines
from azalai.server.middleware import as_api_error, network
from azalai.server.rows import GuestRow
from azalai.server.settings import Limits, Rate
from tests.server.running import Guest, InThread, fetch, quick

STRICT = Limits(
    requests=Rate(50, 60),
    arrivals=Rate(0.1, 8),
    creations=Rate(0.1, 4),
    chat=Rate(0.1, 3),
    jobs=Rate(0.1, 2),
    open_tables=3,
    sockets=2,
    body=2000,
)


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server that allows little."""
    settings = replace(quick(f"sqlite:///{tmp_path_factory.mktemp('strict') / 'azalai.db'}"), limits=STRICT)
    with InThread(settings) as running:
        yield running


@pytest.fixture
def stranger(strict):
    """A guest of the strict server."""
    one = Guest(strict.address)
    yield one
    one.http.close()


def test_every_answer_carries_the_headers_that_protect_a_browser(server):
    for path in ("/", "/api/games", "/healthz", "/api/nowhere", "/nowhere.js"):
        headers = fetch(f"{server.address}{path}").headers
        policy = headers["content-security-policy"]
        assert "default-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers or "uvicorn" not in headers["server"]


def test_many_addresses_of_one_network_do_not_help_against_limits():
    assert network("2001:db8:1:2::7") == network("2001:db8:1:2:ffff::9") != network("2001:db8:1:3::7")
    assert network("192.0.2.7") == "192.0.2.7" != network("192.0.2.8")
    assert network("fe80::1%eth0") == network("fe80::2%eth0")
    assert network("testclient:x") == "testclient:x"


def test_a_request_from_another_site_changes_nothing(anna):
    table = anna.found("targui", "me", "greedy")
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1"):
        answer = anna.http.post(
            f"/tables/{table['id']}/moves", json={"ply": 0, "move": table["moves"][0]["text"]}, headers={"origin": origin}
        )
        assert (answer.status_code, answer.json()["error"]) == (403, "bad_origin")
    assert anna.look(table)["ply"] == 0
    own = str(anna.http.base_url).removesuffix("/api/")
    assert anna.http.get("/games", headers={"origin": "https://elsewhere.example"}).status_code == 200
    assert anna.http.post(f"/tables/{table['id']}/chat", json={"text": "hi"}, headers={"origin": own}).status_code == 200


def test_ids_cannot_be_guessed(anna):
    ids = {anna.found("targui", "me", "open")["id"] for _ in range(20)}
    assert all(len(one) == 16 for one in ids)
    assert len({one[:6] for one in ids}) == 20


def test_others_never_learn_a_guests_id(anna, bela, server):
    table = anna.found("targui", "me", "greedy", public=True)
    inside = server.app.state.server.registry.slots[table["id"]].table
    assert inside.creator
    for path in (f"/tables/{table['id']}", "/tables?list=watch", f"/tables/{table['id']}/plies/0"):
        assert inside.creator not in bela.http.get(path).text


def test_too_large_bodies_are_refused_before_they_are_read(stranger, strict):
    assert stranger.http.post("/tables", content=b"x" * 3000).status_code == 413
    chunks = (b"y" * 500 for _ in range(10))
    assert stranger.http.post("/tables", content=chunks, headers={"content-type": "application/json"}).status_code == 413
    table = stranger.found("targui", "me", "greedy")
    with stranger.live(table) as socket:
        socket.table()
        socket.connection.send("[" * 20_000)
        assert socket.next("error")["error"] == "too_large"


def test_tables_chat_jobs_and_sockets_are_limited(strict):
    one = Guest(strict.address)
    tables = [one.found("targui", "me", "open") for _ in range(3)]
    assert one.found("targui", "me", "open", status=409)["error"] == "too_many_tables"
    assert one.found("targui", "me", "open", status=429)["error"] == "too_much"
    for _ in range(3):
        one.act(tables[0], "chat", {"text": "hello"})
    answer = one.http.post(f"/tables/{tables[0]['id']}/chat", json={"text": "hello"})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    with one.live(tables[0]) as first, one.live(tables[0]) as second:
        first.table()
        second.table()
        with one.live(tables[0]) as third, pytest.raises(Exception, match="1013"):
            third.next()
    one.http.close()


def test_a_flood_of_requests_and_of_new_guests_is_stopped(strict):
    one = Guest(strict.address)
    one.get("/me")
    statuses = [one.http.get("/games/targui/help").status_code for _ in range(300)]
    assert 429 in statuses
    assert statuses[0] in (200, 429)
    one.http.close()
    arrivals = [fetch(f"{strict.address}/api/me").status_code for _ in range(12)]
    assert 429 in arrivals


def test_errors_never_carry_internals(anna, server, monkeypatch):
    table = anna.found("targui", "me", "greedy")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr("azalai.server.routes.tables.past_view", broken)
    answer = anna.http.get(f"/tables/{table['id']}/plies/0")
    assert answer.status_code == 500
    assert answer.json() == {"error": "internal", "message": "something went wrong on the server; it has been noted"}
    assert "swordfish" not in answer.text
    assert "content-security-policy" in answer.headers


def test_the_page_folder_is_all_that_is_served(server):
    for path in (
        "/../settings.py",
        "/%2e%2e/settings.py",
        "/..%2f..%2fserver/settings.py",
        "/assets/../../server/app.py",
        "/%00",
    ):
        answer = fetch(f"{server.address}{path}")
        assert "import" not in answer.text


def test_sql_is_written_by_the_mapper_alone():
    from pathlib import Path

    import azalai.server

    for path in Path(azalai.server.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\btext\(", text), path
        assert "exec_driver_sql" not in text, path


def test_only_one_module_looks_at_positions_for_others():
    """Views are rendered in views.py; bots and jobs get concealed positions from `seen_by`."""
    from pathlib import Path

    import azalai.server

    for path in Path(azalai.server.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name not in ("views.py", "catalog.py"):
            assert ".view(" not in text, path


def test_the_log_tells_nothing_about_people(new_database, caplog):
    caplog.set_level("INFO")
    with InThread(quick(new_database())) as running:
        anna = Guest(running.address)
        anna.ask("PATCH", "/me", json={"name": "Tin Hinan"})
        table = anna.found("targui", "me", "greedy")
        anna.act(table, "chat", {"text": "meet me at the well"})
        inside = running.app.state.server
        guest_id = inside.guests.from_cookie(anna.http.cookies["azalai"])[0]
        row = {"id": guest_id, "name": "Tin Hinan", "created": 1, "epoch": 0}

        async def fail() -> None:
            async with inside.store.engine.begin() as connection:
                await connection.execute(insert(GuestRow), [row])  # it is there already

        with pytest.raises(IntegrityError) as problem:
            asyncio.run_coroutine_threadsafe(fail(), inside.store._writer.get_loop()).result(10)
        as_api_error(problem.value, "/api/me")
        anna.http.close()
    told = "\n".join(JsonLines().format(record) for record in caplog.records if record.name.startswith("azalai"))
    assert "a request failed" in told
    for secret in ("Tin Hinan", "well", "127.0.0.1"):
        assert secret not in told
