"""Health, metrics, logs, the page, the commands."""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import logging
import os
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from azalai import cli
from azalai.cli import admin, serve
from azalai.cli.texts import Texts
from azalai.engine.errors import AzalaiError, BadOption
from azalai.server import page
from azalai.server.admin import Admin
from azalai.server.database import address, open_engine, opened
from azalai.server.ids import new_id
from azalai.server.logs import JsonLines
from azalai.server.rows import EntryRow
from azalai.server.settings import from_environment
from azalai.server.table import Entry
from tests.server.running import Guest, InThread, Process, fetch, quick, until


def test_health_tells_whether_the_database_answers_and_which_games_can_be_played(server):
    answer = until(lambda: all((one := fetch(f"{server.address}/healthz").json())["games"].values()) and one)
    assert answer["status"] == "ok"


def test_metrics_are_for_the_machine_itself(server, anna):
    anna.found("targui", "me", "greedy")
    text = fetch(f"{server.address}/metrics").text
    assert "azalai_entries_total" in text
    assert "azalai_commit_seconds" in text
    assert fetch(f"{server.address}/metrics", headers={"x-forwarded-for": "1.2.3.4"}).status_code == 403


def test_what_was_handed_to_the_store_is_kept_though_whoever_asked_is_cancelled(server, anna):
    """As happens when the server stops: the change is written, and everybody is told of it."""
    table = anna.found("targui", "me", "greedy")
    inside = server.app.state.server

    async def ask_and_go() -> bool:
        decided = asyncio.Event()

        def decide(table: Any, at: int) -> list[Entry]:
            decided.set()  # what is decided is handed to the store before anybody else's turn
            return [Entry("chat", 0, {"name": "Anna", "text": "hello"})]

        asking = asyncio.create_task(inside.registry.execute(table["id"], decide))
        await decided.wait()
        return asking.cancel()

    with anna.live(table) as socket:
        assert asyncio.run_coroutine_threadsafe(ask_and_go(), inside.store._writer.get_loop()).result(10)
        socket.table(lambda seen: [line["text"] for line in seen["chat"]] == ["hello"])
    assert [line["text"] for line in anna.act(table, "chat", {"text": "again"})["chat"]] == ["hello", "again"]


def test_logs_are_one_object_a_line():
    record = logging.LogRecord("azalai.test", logging.INFO, "file", 1, "hello %s", ("there",), None)
    record.table = "abc"
    line = json.loads(JsonLines().format(record))
    assert line["message"] == "hello there"
    assert line["table"] == "abc"
    assert line["level"] == "info"


def test_games_are_described_in_both_languages(anna):
    english, german = (anna.get("/games", lang=lang)["games"] for lang in ("en", "de"))
    assert [game["name"] for game in english] == [game["name"] for game in german]
    assert all(one["blurb"] != other["blurb"] for one, other in zip(english, german, strict=True))
    assert {bot["name"] for bot in english[0]["bots"]} != {bot["name"] for bot in german[0]["bots"]}
    details = anna.get("/games/targui")
    assert details["domains"]
    assert details["fields"]["silver"]["about"]
    assert anna.http.get("/games/targui", headers={"accept-language": "de-AT,en;q=0.5"}).json()["words"] != details["words"]
    assert anna.get("/games/chess", 404)["error"] == "no_such_game"
    assert anna.get("/games", lang="xx")["games"] == english  # a language that no game has
    assert anna.get("/games", 422, lang="x1")["error"] == "bad_request"


def test_the_description_of_the_api_is_complete(anna):
    description = anna.get("/openapi.json")
    shapes = description["components"]["schemas"]

    def shape(content):
        schema = content["application/json"]["schema"]
        schema = schema.get("oneOf", [schema])[0]
        return shapes[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema

    for path, methods in description["paths"].items():
        for method, one in methods.items():
            assert one["summary"], path
            assert one["description"], path
            good = [answer for status, answer in one["responses"].items() if status.startswith("2")]
            assert good, path
            for answer in good:
                assert "application/json" not in answer.get("content", {}) or shape(answer["content"])["examples"], (path, method)
            body = one.get("requestBody", {}).get("content")
            assert body is None or shape(body)["examples"], (path, method)
            refusals = {status for status in one["responses"] if status.startswith("4")}
            assert path == "/healthz" or "429" in refusals, path


def test_every_code_of_a_refusal_is_in_the_documentation():
    sources = "".join(path.read_text(encoding="utf-8") for path in Path(page.__file__).parent.rglob("*.py"))
    codes = set(re.findall(r'ApiError\(\s*\d{3},\s*"([a-z_]+)"', sources))
    document = (Path(__file__).parents[2] / "docs" / "server-api.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`([a-z_]+)`", document[document.index("## Errors") : document.index("## Language")]))
    assert len(codes) > 30
    assert codes <= told


def test_the_page_is_served_from_the_package(server, tmp_path, monkeypatch):
    assert "Azalai" in fetch(server.address).text
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>the page</title>" + " " * 2000)
    (tmp_path / "assets" / "app-1234.js").write_text("console.log(1)\n" * 200)
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    first = fetch(f"{server.address}/table/abc")
    assert "the page" in first.text
    assert first.headers["content-encoding"] == "gzip"
    assert fetch(server.address, headers={"if-none-match": first.headers["etag"]}).status_code == 304
    script = fetch(f"{server.address}/assets/app-1234.js")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"].startswith("text/javascript")
    assert fetch(f"{server.address}/missing.js").status_code == 404
    assert fetch(f"{server.address}/table/abc", "POST").status_code == 405


def test_the_documentation_is_served_beside_the_page(server, tmp_path, monkeypatch):
    monkeypatch.setattr(page, "DOCS", tmp_path / "site")
    assert "has not been built" in fetch(f"{server.address}/docs/").text
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>the guides</title>")
    (tmp_path / "secret.html").write_text("outside")
    moved = fetch(f"{server.address}/docs")
    assert (moved.status_code, moved.headers["location"]) == (307, "/docs/")
    found = fetch(f"{server.address}/docs/")
    assert "the guides" in found.text
    assert "img-src 'self' data:" in found.headers["content-security-policy"]
    assert fetch(f"{server.address}/docs/", headers={"if-none-match": found.headers["etag"]}).status_code == 304
    for nowhere in ("/docs/missing.html", "/docs/%2e%2e/secret.html", "/docs/..%2fsecret.html"):
        assert fetch(f"{server.address}{nowhere}").status_code == 404


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("AZALAI_ORIGINS", "https://a.example/, https://b.example")
    monkeypatch.setenv("AZALAI_THREADS", "3")
    settings = from_environment()
    assert settings.origins == ("https://a.example", "https://b.example")
    assert settings.threads == 3
    monkeypatch.setenv("AZALAI_THREADS", "many")
    with pytest.raises(BadOption, match="whole number"):
        from_environment()
    assert address("postgresql://me@host/db").startswith("postgresql+asyncpg://")
    with pytest.raises(BadOption, match="sqlite"):
        address("mysql://host/db")


def test_the_signing_key_can_come_from_a_file_of_its_own(tmp_path, monkeypatch):
    file = tmp_path / "secret"
    monkeypatch.delenv("AZALAI_SECRET", raising=False)
    monkeypatch.setenv("AZALAI_SECRET_FILE", str(file))
    with pytest.raises(BadOption, match="cannot be read"):
        from_environment()
    file.write_text("\n")
    with pytest.raises(BadOption, match="is empty"):
        from_environment()
    file.write_text("key of this server\n")
    assert from_environment().secret == "key of this server"
    monkeypatch.setenv("AZALAI_SECRET", "another")
    with pytest.raises(BadOption, match="not both"):
        from_environment()


def test_a_signing_key_of_ones_own_is_not_in_the_database(tmp_path):
    database = f"sqlite:///{tmp_path / 'azalai.db'}"
    key = "a key that nobody knows"
    with InThread(quick(database, secret=key)) as running:
        anna = Guest(running.address)
        anna.ask("PATCH", "/me", json={"name": "Anna"})
    admin.run(arguments(admin, "--database", database, "backup", str(tmp_path / "backup.gz")))
    names = [row["name"] for kind, row in rows_of(tmp_path / "backup.gz") if kind == "settings"]
    assert "secret" not in names
    with InThread(quick(database, secret=key)) as running:
        anna = anna.moved_to(running.address)
        assert anna.get("/me")["name"] == "Anna"
        anna.http.close()


def rows_of(backup: Path) -> list[Any]:
    with gzip.open(backup, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file][1:]


def test_files_with_secrets_are_for_their_owner_alone(tmp_path):
    database = f"sqlite:///{tmp_path / 'azalai.db'}"
    before = os.umask(0o022)
    try:
        with InThread(quick(database)) as running:
            anna = Guest(running.address)
            table = anna.play(anna.found("targui", "me", "me"))
            anna.http.close()
            admin.run(arguments(admin, "--database", database, "backup", str(tmp_path / "backup.gz")))
            admin.run(arguments(admin, "--database", database, "export", table["id"], str(tmp_path / "record.json")))
            restored = f"sqlite:///{tmp_path / 'restored.db'}"
            admin.run(arguments(admin, "--database", restored, "restore", str(tmp_path / "backup.gz")))
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert {"azalai.db", "azalai.db-wal", "backup.gz", "record.json", "restored.db"} <= set(modes)
    assert {name: oct(mode) for name, mode in modes.items() if mode != 0o600} == {}


def arguments(module, *words):
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("module", [serve, admin])
def test_the_commands_explain_themselves_in_both_languages(module, language):
    parser = argparse.ArgumentParser()
    module.add_arguments(parser, Texts(language))
    section = module.__name__.rpartition(".")[2]
    assert Texts(language)(f"{section}.database") in " ".join(parser.format_help().split())


def test_tables_can_be_listed_exported_and_deleted_by_command(anna, server, tmp_path, capsys):
    database = server.app.state.server.settings.database
    table = anna.found("targui", "me", "greedy")
    anna.play(table)
    admin.run(arguments(admin, "--database", database, "list", "--json"))
    assert table["id"] in [one["id"] for one in json.loads(capsys.readouterr().out)]
    admin.run(arguments(admin, "--database", database, "export", table["id"]))
    record = json.loads(capsys.readouterr().out)
    assert record["game"] == "targui"
    admin.run(arguments(admin, "--database", database, "export", "--all", str(tmp_path / "all")))
    assert (tmp_path / "all" / f"targui-{table['id']}.json").exists()
    waiting = anna.found("targui", "me", "open")
    admin.run(arguments(admin, "--database", database, "delete", waiting["id"]))
    with pytest.raises(AzalaiError, match="no table"):
        admin.run(arguments(admin, "--database", database, "delete", waiting["id"]))
    with pytest.raises(AzalaiError, match="name one table"):
        admin.run(arguments(admin, "--database", database, "delete"))
    admin.run(arguments(admin, "--database", database, "delete", "--older", "0", "--status", "waiting"))
    admin.run(arguments(admin, "--database", database, "backup", str(tmp_path / "backup.gz")))
    with pytest.raises(AzalaiError, match="not empty"):
        admin.run(arguments(admin, "--database", database, "restore", str(tmp_path / "backup.gz")))


def test_a_port_that_is_taken_is_one_clear_sentence(server):
    with pytest.raises(AzalaiError, match="is taken"):
        serve.run(arguments(serve, "--port", str(server.port), "--database", "sqlite:///unused.db"))


@pytest.mark.parametrize(
    ("database", "sentence"),
    [
        ("postgresql://nobody:secret@127.0.0.1:1/azalai", "cannot be opened"),
        ("sqlite:////nowhere/at/all/azalai.db", "no folder /nowhere/at/all"),
        ("mysql://localhost/azalai", "not mysql"),
        ("azalai.db", "not 'azalai.db'"),
    ],
)
def test_a_database_that_cannot_be_opened_is_one_clear_sentence(database, sentence):
    with pytest.raises(AzalaiError, match=sentence) as problem, opened(database):
        pass
    assert "secret" not in str(problem.value)


def test_an_sqlite_file_is_for_one_server_alone(tmp_path):
    database = f"sqlite:///{tmp_path / 'azalai.db'}"
    with opened(database), pytest.raises(AzalaiError, match="another server"), opened(database):
        pass
    with opened(database):
        pass


def test_plain_azalai_opens_the_page(monkeypatch):
    called: list[Any] = []

    def run(args, texts):
        called.append(args)
        return 0

    monkeypatch.setattr(serve, "run", run)
    assert cli.main([]) == 0
    assert called[0].open


def test_who_starts_it_a_second_time_is_shown_the_first(server, monkeypatch, capsys):
    shown: list[str] = []
    monkeypatch.setattr(serve, "USUAL_PORT", server.port)
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setenv("BROWSER", "some")
    assert serve.run(arguments(serve, "--open")) == 0
    assert shown == [server.address]
    assert server.address in capsys.readouterr().out


def test_the_page_takes_another_port_where_the_usual_one_belongs_to_somebody_else(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr(serve, "USUAL_PORT", taken)
        (listener,) = serve.listen(arguments(serve, "--open"), Texts())
        with listener:
            assert listener.getsockname()[1] != taken


@pytest.mark.parametrize(("host", "families"), [("::", {socket.AF_INET, socket.AF_INET6}), ("::1", {socket.AF_INET6})])
def test_the_server_listens_to_ipv6(host, families):
    listeners = serve.listen(arguments(serve, "--host", host, "--port", "0"), Texts())
    assert {one.family for one in listeners} == families
    assert len({one.getsockname()[1] for one in listeners}) == 1
    for listener in listeners:
        address = "::1" if listener.family == socket.AF_INET6 else "127.0.0.1"
        socket.create_connection((address, listener.getsockname()[1]), timeout=5).close()
        listener.close()


def test_a_server_at_ipv6_answers_requests_by_either_address(tmp_path):
    database = f"sqlite:///{tmp_path / 'azalai.db'}"
    with Process(database, host="::") as running:
        for address in ("127.0.0.1", "[::1]"):
            assert fetch(f"http://{address}:{running.port}/api/me").status_code == 200
            assert fetch(f"http://{address}:{running.port}/metrics").status_code == 200


def test_no_id_looks_like_an_option_of_a_command():
    assert not any(new_id().startswith("-") for _ in range(2000))


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_who_waits_for_a_hint_is_told_that_the_server_was_restarted(tmp_path, end):
    database = f"sqlite:///{tmp_path / 'azalai.db'}"
    with Process(database) as running:
        guest = Guest(running.address)
        table = guest.found("timbuktu", "me", "greedy", "greedy")
        table = until(lambda: (seen := guest.look(table))["moves"] and seen)
        jobs = [guest.act(table, "jobs", {"kind": "hint"}, 202) for _ in range(40)]  # more than it can think of before it ends
        assert jobs[-1]["problem"] is None
        getattr(running, end)()
        running.start()
        found = guest.get(f"/jobs/{jobs[-1]['id']}")
        guest.http.close()
    assert (found["status"], found["result"], found["problem"]["error"]) == ("failed", None, "restarted")


def test_a_taken_port_and_a_foreign_address_are_told_apart():
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(AzalaiError, match=f"port {taken} is taken"):
            serve.listen(arguments(serve, "--port", str(taken)), Texts())
    with pytest.raises(AzalaiError, match=r"192\.0\.2\.1 is no address"):
        serve.listen(arguments(serve, "--host", "192.0.2.1", "--port", "0"), Texts())


def test_an_operators_command_leaves_no_connection_open(tmp_path):
    """Python 3.13 warns of one that is."""

    async def work() -> Admin:
        async with Admin(f"sqlite:///{tmp_path / 'azalai.db'}", new=True) as admin:
            await admin.store.transact(lambda connection: None)
        return admin

    file = asyncio.run(work()).store._file
    assert file is not None
    assert "Connections in pool: 0 " in file.pool.status()


def damage(database: str, *tables: str) -> None:
    """Change the last move in the journals of some tables to one that does not exist."""

    async def work() -> None:
        engine = open_engine(database)
        async with engine.begin() as connection:
            for one in tables:
                last = (
                    select(func.max(EntryRow.number)).where(EntryRow.table_id == one, EntryRow.kind == "move").scalar_subquery()
                )
                change = (
                    update(EntryRow).where(EntryRow.table_id == one, EntryRow.number == last).values(data={"move": "nonsense"})
                )
                assert (await connection.execute(change)).rowcount == 1
        await engine.dispose()

    asyncio.run(work())


def test_a_table_that_cannot_be_replayed_is_set_aside_and_harms_no_other(new_database, tmp_path, caplog, capsys):
    database = new_database()
    with InThread(quick(database)) as running:
        anna = Guest(running.address)
        bad = [anna.play(anna.found("targui", "me", "me", clock={"kind": "live", "minutes": 0.02}))["id"] for _ in range(3)]
        good = anna.found("targui", "me", "random", clock={"kind": "live", "minutes": 0.05})
    damage(database, *bad)
    with InThread(quick(database)) as running:
        anna = anna.moved_to(running.address)
        until(lambda: anna.look(good)["seats"][0]["kind"] == "bot")  # its clock ran out, and computer players play it to the end
        until(lambda: anna.look(good)["status"] == "over")
        for one in bad:
            assert anna.get(f"/tables/{one}", 500)["error"] == "unreadable"
        assert anna.ask("PATCH", "/me", json={"name": "Anna"})["name"] == "Anna"
        assert "azalai_tables_set_aside 3.0" in fetch(f"{running.address}/metrics").text
        logged = [record.table for record in caplog.records if record.levelno >= logging.WARNING]
        assert sorted(logged) == sorted(bad)
        anna.http.close()
    assert admin.run(arguments(admin, "--database", database, "check")) == 1
    told = capsys.readouterr().out.splitlines()
    assert all(any(one in line and "nonsense" in line for line in told) for one in bad)
    assert len(told) == 3
    admin.run(arguments(admin, "--database", database, "export", "--all", str(tmp_path / "all")))
    assert [path.name for path in (tmp_path / "all").iterdir()] == [f"targui-{good['id']}.json"]


def test_a_database_of_a_newer_version_is_refused_in_one_line(new_database):
    database = new_database()
    with opened(database):
        pass

    async def become_newer() -> None:
        engine = open_engine(database)
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await engine.dispose()

    asyncio.run(become_newer())
    with pytest.raises(AzalaiError, match="newer version of Azalai") as problem, opened(database):
        pass
    assert "\n" not in str(problem.value)
