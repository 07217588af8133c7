"""Keeping a name: passkeys, signing in elsewhere, recovery codes, all data as a file, deleting everything."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from sqlalchemy import inspect, text

from azalai.server.database import open_engine
from azalai.server.passkeys import site_of
from azalai.server.settings import Limits, Rate
from tests.server.authenticator import VERIFIED, Authenticator, at_site, keep_name, sign_in
from tests.server.running import Guest, InThread, quick
from tests.server.test_sessions import closed, database_of, id_of, operate


def written_anywhere(database: str, *words: str) -> list[str]:
    """Which tables of the database have one of these words in any column."""

    async def look() -> list[str]:
        engine = open_engine(database)
        async with engine.connect() as connection:
            names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
            found = []
            for name in names:
                rows = (await connection.execute(text(f'SELECT * FROM "{name}"'))).all()
                found += [f"{name}: {word}" for word in words if any(word in str(row) for row in rows)]
        await engine.dispose()
        return found

    return asyncio.run(look())


# ---------------------------------------------------------------- passkeys


def test_a_guest_keeps_the_name_by_a_passkey_and_signs_in_elsewhere(anna, guest):
    table = anna.found("targui", "me", "greedy")
    assert anna.get("/me")["player"] is None
    device = keep_name(anna, "my phone")
    assert anna.get("/me")["player"]
    (passkey,) = anna.get("/me/passkeys")["passkeys"]
    assert (passkey["label"], passkey["host"], passkey["used"]) == ("my phone", "azalai.example", None)
    elsewhere = guest()
    before = elsewhere.get("/me")["name"]
    assert sign_in(elsewhere, device) == {"name": "Anna", "tables": 1, "before": before, "player": anna.get("/me")["player"]}
    assert elsewhere.look(table)["seats"][0]["mine"]
    assert anna.look(table)["seats"][0]["mine"], "the first device stays signed in"
    assert anna.get("/me/passkeys")["passkeys"][0]["used"] is not None
    assert elsewhere.post("/me/back")["name"] == before


def test_who_signs_out_is_a_new_guest_on_this_device_and_can_come_back(anna, bela):
    assert bela.post("/me/sign-out", status=409)["error"] == "no_kept_name"
    device = keep_name(anna)
    assert anna.post("/me/sign-out")["name"] != "Anna"
    assert anna.get("/me")["player"] is None
    assert sign_in(anna, device)["name"] == "Anna"


def test_a_second_passkey_signs_in_too_and_one_that_is_removed_does_not(anna, guest):
    first, second = keep_name(anna, "first"), keep_name(anna, "second")
    player = anna.get("/me")["player"]
    assert sign_in(guest(), second)["player"] == sign_in(guest(), first)["player"] == player
    labels = {one["label"]: one["id"] for one in anna.get("/me/passkeys")["passkeys"]}
    left = anna.ask("DELETE", f"/me/passkeys/{labels['first']}")
    assert [one["label"] for one in left["passkeys"]] == ["second"]
    assert sign_in(guest(), first, 404)["error"] == "unknown_passkey"
    assert sign_in(guest(), second)["player"] == player
    assert anna.ask("DELETE", f"/me/passkeys/{labels['first']}", 404)["error"] == "no_such_passkey"
    assert at_site(guest()).ask("DELETE", f"/me/passkeys/{labels['second']}", 404)["error"] == "no_such_passkey"


def test_a_challenge_works_once_and_only_for_who_asked(anna, bela, guest):
    device = keep_name(anna)
    options = at_site(bela).post("/me/sign-in/options")["options"]
    signed = {"credential": device.get(options)}
    assert bela.post("/me/sign-in", signed)["name"] == "Anna"
    assert bela.post("/me/sign-in", signed, 409)["error"] == "bad_challenge"
    other = at_site(guest())
    made = {"credential": Authenticator().create(at_site(anna).post("/me/passkeys/options")["options"])}
    assert other.post("/me/passkeys", made, 409)["error"] == "bad_challenge"
    assert anna.post("/me/passkeys", made, 409)["error"] == "bad_challenge", "it was used up"


def test_a_passkey_must_be_signed_by_its_key_for_this_site_by_somebody_it_knows(anna, guest):
    device, stranger = keep_name(anna), Authenticator()
    stranger.id = device.id
    assert sign_in(guest(), stranger, 403)["error"] == "bad_passkey"
    thief = at_site(guest())
    options = thief.post("/me/sign-in/options")["options"]
    assert thief.post("/me/sign-in", {"credential": device.get(options, "https://evil.example")}, 403)["error"] == "bad_passkey"
    device.flags &= ~VERIFIED
    assert sign_in(guest(), device, 403)["error"] == "bad_passkey"
    device.flags |= VERIFIED
    assert sign_in(guest(), device)["name"] == "Anna"
    unknown = Authenticator(verified=False)
    asked = at_site(anna).post("/me/passkeys/options")["options"]
    assert anna.post("/me/passkeys", {"credential": unknown.create(asked)}, 422)["error"] == "bad_passkey"


def test_a_copy_of_a_passkey_that_counts_less_is_refused(anna, guest):
    device = keep_name(anna)
    for _ in range(3):
        sign_in(guest(), device)
    device.uses = 1
    assert sign_in(guest(), device, 403)["error"] == "bad_passkey"


def test_a_passkey_of_one_site_is_none_at_another(anna, guest):
    device = keep_name(anna)
    elsewhere = at_site(guest(), "https://other.example")
    options = elsewhere.post("/me/sign-in/options")["options"]
    assert options["rpId"] == "other.example"
    signed = {"credential": device.get(options, "https://other.example")}
    assert elsewhere.post("/me/sign-in", signed, 404)["error"] == "unknown_passkey"


def test_passkeys_need_a_name_and_https_or_this_machine(guest):
    assert site_of("https://azalai.example:8443").host == "azalai.example"
    assert site_of("http://localhost:8000").host == "localhost"
    for origin in (None, "null", "http://azalai.example", "https://192.168.1.5", "https://[::1]"):
        with pytest.raises(Exception, match="passkeys need"):
            site_of(origin)
    assert guest().post("/me/passkeys/options", status=409)["error"] == "no_passkeys_here"


@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"response": {}},
        {"response": []},
        {"id": 5, "response": {"clientDataJSON": "AAAA"}},
        {"response": {"clientDataJSON": 7}},
    ],
)
def test_what_is_no_passkey_is_refused(guest, credential):
    one = at_site(guest())
    assert one.post("/me/passkeys", {"credential": credential}, 422)["error"] == "bad_passkey"
    assert one.post("/me/sign-in", {"credential": credential}, 422)["error"] == "bad_passkey"


def test_a_damaged_credential_with_a_good_challenge_is_refused(anna, guest):
    device = keep_name(anna)
    for damage in ({"authenticatorData": "AAAA"}, {"authenticatorData": None}, {"signature": "%%"}):
        thief = at_site(guest())
        credential: dict[str, Any] = device.get(thief.post("/me/sign-in/options")["options"])
        credential["response"].update(damage)
        assert thief.post("/me/sign-in", {"credential": credential}, 403)["error"] == "bad_passkey"
    broken = Authenticator().create(at_site(anna).post("/me/passkeys/options")["options"])
    broken["response"]["attestationObject"] = "AAAA"
    assert anna.post("/me/passkeys", {"credential": broken}, 422)["error"] == "bad_passkey"


def test_a_program_with_a_token_decides_nothing_about_who_somebody_is(anna, guest):
    program = guest(token=anna.post("/me/tokens", {}, 201)["token"])
    for method, path in (("POST", "/me/passkeys/options"), ("GET", "/me/passkeys"), ("POST", "/me/recovery"), ("DELETE", "/me")):
        assert at_site(program).ask(method, path, 403)["error"] == "not_by_token"
    assert anna.get("/me")["name"] == "Anna"


def test_who_is_banned_does_not_sign_in(server, anna, guest, capsys):
    device = keep_name(anna)
    code = anna.post("/me/recovery", status=201)["code"]
    anna.ask("PATCH", "/me", json={"name": "Banned Anna"})
    operate(database_of(server), capsys, "ban", id_of("Banned Anna", database_of(server), capsys))
    server.app.state.server.guests.forget()
    assert sign_in(guest(), device, 403)["error"] == "banned"
    assert guest().post("/me/recover", {"code": code}, 403)["error"] == "banned"


def test_large_libraries_are_loaded_when_they_are_needed():
    """The server's memory is counted: who uses no passkey pays for none."""
    look = "import sys, azalai.server.app; print(sorted({'webauthn', 'cryptography', 'openskill'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


# ---------------------------------------------------------------- recovery


def test_a_recovery_code_works_once_however_it_is_typed(anna, guest):
    keep_name(anna)
    assert anna.get("/me/passkeys")["recovery"] is None
    code = anna.post("/me/recovery", status=201)["code"]
    assert anna.get("/me/passkeys")["recovery"] is not None
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert guest().post("/me/recover", {"code": typed})["name"] == "Anna"
    assert guest().post("/me/recover", {"code": code}, 404)["error"] == "bad_code"
    assert anna.get("/me/passkeys")["recovery"] is None


def test_a_new_recovery_code_replaces_the_former_one_and_survives_the_end_of_sessions(anna, guest):
    former, code = (anna.post("/me/recovery", status=201)["code"] for _ in range(2))
    device = keep_name(anna)
    anna.ask("DELETE", "/me/sessions")
    assert guest().post("/me/recover", {"code": former}, 404)["error"] == "bad_code"
    assert guest().post("/me/recover", {"code": code})["name"] == "Anna"
    assert sign_in(guest(), device)["name"] == "Anna"


def test_neither_codes_nor_challenges_are_written_as_they_are(server, anna):
    keep_name(anna)
    code = anna.post("/me/recovery", status=201)["code"]
    challenge = at_site(anna).post("/me/sign-in/options")["options"]["challenge"]
    assert written_anywhere(database_of(server), code, code.replace("-", ""), challenge) == []


def test_attempts_to_sign_in_are_limited(new_database):
    limits = Limits(sign_ins=Rate(0.001, 3))
    with InThread(quick(new_database(), limits=limits)) as server:
        guest = Guest(server.address)
        for _ in range(3):
            guest.post("/me/recover", {"code": "AAAAA-AAAAA"}, 404)
        assert guest.post("/me/recover", {"code": "AAAAA-AAAAA"}, 429)["error"] == "too_much"
        assert at_site(guest).post("/me/sign-in/options", status=429)["error"] == "too_much"
        guest.http.close()


# ---------------------------------------------------------------- all data, and none


def played(anna: Guest, bela: Guest) -> tuple[Any, Any, Any, Any]:
    """Anna's tables: a finished and a running one with Bela, one that waits for others, one alone."""
    over, running = anna.found("targui", "me", "open"), anna.found("tuareg", "me", "open")
    for table in (over, running):
        bela.act(table, "seats")
        anna.act(table, "chat", {"text": f"The camels of {anna.get('/me')['name']}"})
        bela.act(table, "chat", {"text": "The camels of Bela"})
    anna.play(anna.look(over))
    bela.act(over, "resign")
    waiting = bela.found("targui", "me", "open", "open")
    anna.act(waiting, "seats")
    return over, running, waiting, anna.found("targui", "me", "greedy")


def test_a_guest_downloads_all_that_is_kept_about_them_and_nothing_of_others(anna, bela):
    keep_name(anna, "my phone")
    token = anna.post("/me/tokens", {"label": "a program"}, 201)["token"]
    over, running, waiting, alone = played(anna, bela)
    answer = anna.http.get("/me/data")
    data = answer.json()
    assert "attachment" in answer.headers["content-disposition"]
    assert data["you"]["name"] == "Anna"
    assert data["you"]["player"] == anna.get("/me")["player"]
    assert [one["label"] for one in data["passkeys"]] == ["my phone"]
    assert [one["label"] for one in data["tokens"] if one["kind"] == "api"] == ["a program"]
    tables = {one["id"]: one for one in data["tables"]}
    assert set(tables) == {one["id"] for one in (over, running, waiting, alone)}
    assert len(tables[over["id"]]["decisions"]) == 1
    assert [line["text"] for line in tables[running["id"]]["said"]] == ["The camels of Anna"]
    assert tables[over["id"]]["founded"]
    assert not tables[waiting["id"]]["founded"]
    for word in (token, "Bela", "seed", "public_key"):
        assert word not in json.dumps(data)


def test_deleting_everything_leaves_nothing_of_the_person(server, anna, bela, guest):
    anna.ask("PATCH", "/me", json={"name": "Antinea of Anna"})
    device = keep_name(anna, "Antinea's phone")
    code = anna.post("/me/recovery", status=201)["code"]
    player = anna.get("/me")["player"]
    program = guest(token=anna.post("/me/tokens", {"label": "Antinea's program"}, 201)["token"])
    over, running, waiting, alone = played(anna, bela)
    identity = anna.get("/me/data")["you"]["id"]
    with anna.live(running) as socket, bela.live(running) as watching:
        socket.table()
        assert anna.ask("DELETE", "/me")["name"] != "Antinea of Anna"
        assert closed(socket)
        assert watching.table(lambda one: one["status"] == "over")["seats"][0]["resigned"] == "left"
    assert written_anywhere(database_of(server), "Antinea", identity, player) == []
    assert anna.get("/me")["tables"] == 0
    seen = bela.look(over)
    assert [one["name"] for one in seen["seats"]] == ["", "Bela"]
    assert seen["ply"] == 1
    assert bela.get(f"/tables/{over['id']}/record")["players"] == ["", "Bela"]
    assert [one["kind"] for one in bela.look(waiting)["seats"]] == ["human", "open", "open"]
    assert bela.get(f"/tables/{alone['id']}", 404)["error"] == "no_such_table"
    assert [line["text"] for line in bela.look(running)["chat"]] == ["The camels of Bela"]
    assert sign_in(guest(), device, 404)["error"] == "unknown_passkey"
    assert guest().post("/me/recover", {"code": code}, 404)["error"] == "bad_code"
    assert program.get("/me", 401)["error"] == "bad_token"


def test_a_person_deleted_by_the_operator_loses_the_passkeys_too(server, anna, guest, capsys):
    anna.ask("PATCH", "/me", json={"name": "Forgotten Anna"})
    device = keep_name(anna, "Forgotten phone")
    operate(database_of(server), capsys, "forget", id_of("Forgotten Anna", database_of(server), capsys))
    assert written_anywhere(database_of(server), "Forgotten") == []
    assert sign_in(guest(), device, 404)["error"] == "unknown_passkey"


def test_passkeys_unused_for_long_go_with_everything_old(new_database, capsys):
    database = new_database()
    with InThread(quick(database)) as server:
        anna = Guest(server.address)
        anna.ask("PATCH", "/me", json={"name": "Anna"})
        keep_name(anna)
        operate(database, capsys, "delete", "--older", "1", "--everything")
        assert len(anna.get("/me/passkeys")["passkeys"]) == 1
        operate(database, capsys, "delete", "--older", "-1", "--everything")
        assert anna.get("/me/passkeys")["passkeys"] == []
        anna.http.close()
