"""Guests: cookies, names, other devices, tokens."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.server.running import fetch

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "server-api.md"


def test_whoever_is_new_gets_a_signed_cookie_and_a_name(guest):
    one = guest()
    answer = one.http.get("/me")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert re.fullmatch(r"[A-Z][a-z]+ \d+", answer.json()["name"])
    assert "set-cookie" not in one.http.get("/me").headers
    forged = fetch(one.http.base_url.join("me"), headers={"cookie": "azalai=InNvbWVib2R5Ig.AAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    assert "set-cookie" in forged.headers


def test_somebody_new_may_ask_for_several_things_at_once(guest):
    for _ in range(4):
        one = guest()
        one.get("/me")
        with ThreadPoolExecutor(6) as pool:
            tables = list(pool.map(lambda game, who=one: who.found(game, "me", "open"), ["targui", "targi", "tuareg"] * 2))
        assert len({table["id"] for table in tables}) == 6


def test_looking_around_leaves_no_cookie(guest):
    one = guest()
    for path in ("/games", "/tables", "/games/targui"):
        assert "set-cookie" not in one.http.get(path).headers


def test_a_name_is_cleaned_and_shown_at_all_unfinished_tables(anna, bela):
    table = anna.found("targui", "me", "greedy")
    assert anna.ask("PATCH", "/me", json={"name": "  Tin\u202e \x00Hinan  "})["name"] == "Tin Hinan"
    assert bela.look(table)["seats"][0]["name"] == "Tin Hinan"
    assert anna.ask("PATCH", "/me", 422, json={"name": "\u200b\u200b"})["error"] == "bad_name"
    assert len(anna.ask("PATCH", "/me", json={"name": "x" * 100})["name"]) == 24


def test_a_link_moves_a_guest_to_another_device_once(anna, guest):
    table = anna.found("targui", "me", "greedy")
    link = anna.post("/me/link")
    phone = guest()
    assert phone.post("/me/move", {"code": link["code"]})["name"] == "Anna"
    assert phone.look(table)["seats"][0]["mine"]
    assert guest().post("/me/move", {"code": link["code"]}, 404)["error"] == "bad_link"


def test_a_token_stands_for_its_guest_until_it_is_deleted(anna, guest):
    table = anna.found("targui", "me", "greedy")
    token = anna.post("/me/tokens", {"label": "my bot"}, 201)
    program = guest(token=token["token"])
    assert program.get("/me")["name"] == "Anna"
    assert program.play(program.look(table))["ply"] >= 1
    assert anna.get("/me/tokens")["tokens"] == [{"id": token["id"], "label": "my bot", "created": token["created"]}]
    anna.ask("DELETE", f"/me/tokens/{token['id']}", 204)
    assert program.get("/me", 401)["error"] == "bad_token"
    assert guest(token="azalai_nonsense").get("/me", 401)["error"] == "bad_token"


def test_the_twenty_line_bot_of_the_documentation_plays_a_game(anna, server, tmp_path):
    code = re.search(r"## A bot in twenty lines.*?```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
    assert code is not None
    assert len([line for line in code[1].splitlines() if line.strip()]) <= 20
    (tmp_path / "bot.py").write_text(code[1], encoding="utf-8")
    token = anna.post("/me/tokens", {"label": "a bot"}, 201)["token"]
    table = anna.found("targui", "open", "random")
    command = [sys.executable, str(tmp_path / "bot.py"), server.address, table["id"], token]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "ranking" in ran.stdout
    assert anna.look(table)["status"] == "over"
