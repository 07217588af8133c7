"""Becoming another guest and going back, ending sessions, removing guests, known deals, tables that cannot be shown."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import update

from azalai.server.database import open_engine
from azalai.server.rows import TableRow
from tests.browser.visitor import PHONE, HeldRequests, Visitor, until_true


def called(visitor: Visitor, name: str) -> Visitor:
    """Give a visitor a name and open the page."""
    visitor.arrive(name)
    visitor.page.goto("/")
    return visitor


def name_of(visitor: Visitor) -> str:
    return str(visitor.page.request.get("/api/me").json()["name"])


def test_who_clicks_before_the_page_knows_them_is_still_one_guest(visit):
    anna = visit()
    sent: list[str] = []
    anna.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    held = HeldRequests(anna.page, "**/api/me*")
    anna.page.goto("/")
    anna.card("targi").get_by_role("button", name="Play now").click()
    anna.page.wait_for_timeout(300)
    assert sent == []  # without the cookie it would make a second guest
    held.release()
    anna.page.wait_for_url("**/table/*")
    anna.wait()  # lit: the table is this guest's own


def link_of(visitor: Visitor) -> str:
    return str(visitor.page.request.post("/api/me/link").json()["url"])


def settings_of(visitor: Visitor) -> Any:
    visitor.page.goto("/")
    visitor.button("Settings").click()
    return visitor.page.get_by_role("dialog")


@pytest.mark.parametrize("how", [{}, {"viewport": PHONE}])
def test_a_link_asks_first_names_both_guests_and_can_be_undone(visit, how):
    anna, bela = called(visit(), "Anna"), called(visit(**how), "Bela")
    link = link_of(anna)
    bela.page.goto(link)
    shown = bela.page.locator("main")
    bela.button("Become Anna").wait_for()
    assert "Anna" in shown.inner_text()
    assert "Bela" in shown.inner_text()
    bela.page.get_by_role("link", name="Stay Bela").click()
    bela.card("targui").wait_for()
    assert name_of(bela) == "Bela"
    bela.page.goto(link)
    bela.button("Become Anna").click()
    bela.card("targui").wait_for()
    assert name_of(bela) == "Anna"
    settings_of(bela).get_by_role("button", name="Become Bela again").click()
    until_true(bela.page, "async () => (await (await fetch('/api/me')).json()).name === 'Bela'")


def test_all_other_sessions_can_be_ended_from_the_settings(visit):
    anna, thief = called(visit(), "Anna"), visit()
    thief.page.goto(link_of(anna))
    thief.button("Become Anna").click()
    thief.card("targui").wait_for()
    settings_of(anna).get_by_role("button", name="End all other sessions").click()
    anna.page.get_by_text("Done. You are signed in on this device alone.").wait_for()
    assert name_of(anna) == "Anna"
    assert name_of(thief) != "Anna"


def test_a_founder_removes_a_guest_and_frees_a_seat_that_is_kept(visit):
    anna, bela = called(visit(), "Anna"), called(visit(), "Bela")
    table = anna.found("targui", "me", "open", "open")
    bela.page.goto(f"/table/{table}")
    bela.button("Sit down here").first.click()
    anna.button("Remove").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    anna.button("Remove").wait_for(state="detached")
    bela.button("Stand up").wait_for(state="detached")
    assert bela.button("Sit down here").count() == 0
    table = anna.found("targi", "me", "open")
    bela.page.goto(f"/table/{table}")
    bela.button("Sit down here").click()
    bela.page.locator("ul.players").wait_for()
    assert anna.page.request.post(f"/api/tables/{table}/resign", data={}).ok
    rematch = anna.page.request.post(f"/api/tables/{table}/rematch").json()["id"]
    anna.page.goto(f"/table/{rematch}")
    anna.page.get_by_text("Kept for Bela").wait_for()
    anna.button("Free the seat").click()
    anna.page.get_by_text("Kept for Bela").wait_for(state="detached")


def test_who_left_a_running_game_takes_the_seat_back_on_the_page(visit):
    anna, bela = visit(), visit()
    table = anna.found("tuareg", "me", "open")
    bela.page.goto(f"/table/{table}")
    bela.button("Sit down here").click()
    bela.page.locator("ul.players").wait_for()
    assert bela.page.request.delete(f"/api/tables/{table}/seats/1").ok
    anna.button("Let a computer play on").click()
    bela.button("Take your seat back").click()
    bela.button("Take your seat back").wait_for(state="detached")
    assert bela.page.request.get(f"/api/tables/{table}").json()["seats"][1]["mine"]


def test_a_table_whose_deal_somebody_can_know_says_so_to_all_but_who_plays_alone(visit):
    anna, bela = visit(), visit()
    table = anna.found("tuareg", "me", "me")
    request = anna.page.request
    request.post(f"/api/tables/{table}/resign", data={"seat": 0})
    body = {"game": "tuareg", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}], "origin": {"table": table, "ply": 0}}
    alone = request.post("/api/tables", data=body).json()["id"]
    anna.page.goto(f"/table/{alone}")
    anna.wait()
    assert anna.page.get_by_role("note").count() == 0
    bela.page.goto(f"/table/{alone}")
    assert "somebody may know" in bela.page.get_by_role("note").inner_text()


def test_onlookers_are_told_that_talk_is_for_those_at_the_table(visit):
    anna, clara = visit(), visit()
    table = anna.found("targi", "me", "greedy")
    anna.page.request.post(f"/api/tables/{table}/chat", data={"text": "between us"})
    clara.page.goto(f"/table/{table}")
    clara.page.get_by_role("tab", name="Talk").click()
    clara.page.get_by_text("for those who sit at it").wait_for()
    assert "between us" not in json.dumps(clara.received)


def test_a_game_of_rules_that_are_not_known_any_more_says_why_it_is_not_shown(visit, house):
    anna = visit()
    table = anna.found("targui", "me", "me")
    anna.page.request.post(f"/api/tables/{table}/resign", data={"seat": 0})
    inside = house.app.state.server

    async def age() -> None:
        engine = open_engine(inside.settings.database)
        async with engine.begin() as connection:
            await connection.execute(update(TableRow).where(TableRow.id == table).values(rules=0, layout="another"))
        await engine.dispose()
        inside.registry.discard(table)

    anna.page.goto("/")
    asyncio.run_coroutine_threadsafe(age(), inside.store._writer.get_loop()).result(10)
    anna.page.goto(f"/table/{table}")
    anna.page.get_by_text("older rules that this server no longer knows").wait_for()
    assert anna.page.get_by_role("link", name="Download").count() == 1
    # the start page may still have asked for its picture, and the browser says of what is refused that it failed
    anna.problems = [one for one in anna.problems if "409" not in one]


def test_a_broken_link_from_another_device_is_explained_in_the_language_of_the_page(visit):
    anna = visit(locale="de-DE")
    anna.arrive()
    anna.page.goto(f"/move#{'x' * 200}")
    anna.page.get_by_role("alert").get_by_text("Dieser Link wurde schon benutzt oder ist zu alt.").wait_for()
    anna.problems.clear()  # the browser says of the request that it failed
