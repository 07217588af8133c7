"""A tournament of friends in the browser: made, joined by its link, played to the end with computer players for absent people."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.visitor import PHONE, Visitor
from tests.server.running import Guest, until


def test_it_is_made_by_keyboard_and_joined_by_its_link_on_a_phone_in_german(visit: Callable[..., Visitor], axe: str):
    anna, bela = visit(), visit(viewport=PHONE, locale="de-DE")
    anna.arrive("Anna")
    bela.arrive("Bela")
    anna.page.goto("/")
    expect(anna.page.get_by_role("link", name="The best players")).to_have_attribute("href", "/best")
    expect(anna.button("New tournament")).to_be_enabled()  # once the games are there
    anna.button("New tournament").focus()
    anna.page.keyboard.press("Enter")
    dialog = anna.page.get_by_role("dialog")
    dialog.get_by_text("Knock-out", exact=True).click()
    anna.has_no_barriers(axe)
    dialog.get_by_role("button", name="Make the tournament").click()
    expect(dialog.get_by_label("Name", exact=True)).to_be_focused()  # it needs one
    dialog.get_by_label("Name", exact=True).fill("Friday evening")
    anna.page.keyboard.press("Enter")
    anna.page.wait_for_url("**/tournament/*")
    expect(anna.page.get_by_role("heading", name="Friday evening")).to_be_visible()
    expect(anna.button("Start it")).to_be_disabled()

    bela.page.goto(anna.page.url)
    bela.button("Mitmachen").click()
    expect(bela.button("Turnier verlassen")).to_be_visible()
    bela.has_no_barriers(axe)
    assert bela.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    anna.button("Start it").click()
    expect(anna.page.get_by_text("Your table is ready.")).to_be_visible()
    row = anna.page.get_by_role("row")
    expect(row.filter(has_text="Bela")).to_contain_text("has not come yet")
    expect(row.filter(has_text="Anna")).not_to_contain_text("has not come yet")
    anna.has_no_barriers(axe)
    bela.button("Zu meiner Partie").click()
    bela.page.wait_for_url("**/table/*")
    expect(bela.page.get_by_text("Eine Partie eines Turniers.")).to_be_visible()
    expect(bela.page.get_by_role("link", name="Zum Turnier")).to_be_visible()
    anna.page.goto("/")
    expect(anna.page.get_by_text("Your game in a tournament")).to_be_visible()
    anna.button("Sit down").click()
    bela.page.wait_for_selector(".board")


def test_four_with_computer_players_for_absent_people(visit: Callable[..., Visitor], axe: str):
    anna, bela = visit(), visit(viewport=PHONE, color_scheme="dark")
    anna.arrive("Anna")
    bela.arrive("Bela")
    body = {"name": "Cup", "kind": "knock_out", "game": "targi", "bot": "random"}
    tournament = anna.page.request.post("/api/tournaments", data=body).json()["id"]
    absent = [Guest(anna.address) for _ in range(2)]
    for guest, name in zip(absent, ("Cleo", "Dana"), strict=True):
        guest.ask("PATCH", "/me", json={"name": name})
        guest.post(f"/tournaments/{tournament}/entrants")
        guest.http.close()
    assert bela.page.request.post(f"/api/tournaments/{tournament}/entrants", data={}).ok
    for visitor in (anna, bela):
        visitor.page.goto(f"/tournament/{tournament}")
    anna.button("Start it").click()
    for name in ("Cleo", "Dana"):
        anna.button(f"Let a computer play for {name}").click()
        row = anna.page.get_by_role("row").filter(has=anna.page.get_by_role("rowheader", name=re.compile(name)))
        expect(row).to_contain_text("plays instead")
    numbers = {visitor: look(visitor, tournament)["me"] for visitor in (anna, bela)}

    def go_on() -> bool:
        """Whoever is present takes their seat and gives up; computer players play by themselves."""
        view = look(anna, tournament)
        for game in [game for matches in view["matches"] for match in matches for game in match["games"]]:
            here = [visitor for visitor, number in numbers.items() if number in game["seats"]]
            if game["status"] == "waiting" and here:
                for visitor in here:
                    visitor.page.request.post(f"/api/tables/{game['table']}/seats", data={})
                here[0].page.request.post(f"/api/tables/{game['table']}/resign", data={})
        return bool(view["status"] == "over")

    until(go_on)
    expect(anna.page.get_by_role("status").filter(has_text="has won.")).to_be_visible()
    expect(anna.page.get_by_role("row").get_by_text(re.compile(r"\bout\b"))).to_have_count(3)
    bela.page.reload()
    expect(bela.page.get_by_role("heading", name="Round 2")).to_be_visible()
    bela.has_no_barriers(axe)
    assert bela.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    places = [one["place"] for one in look(anna, tournament)["entrants"]]
    assert sorted(places) == [1, 2, 3, 3]


def look(visitor: Visitor, tournament: str) -> Any:
    return visitor.page.request.get(f"/api/tournaments/{tournament}").json()


def test_after_a_game_a_link_leads_to_the_next_one(visit: Callable[..., Visitor]):
    anna, bela = visit(), visit()
    anna.arrive("Anna")
    bela.arrive("Bela")
    body = {"name": "Match", "kind": "series", "games": 3, "game": "targi"}
    tournament = anna.page.request.post("/api/tournaments", data=body).json()["id"]
    bela.page.request.post(f"/api/tournaments/{tournament}/entrants", data={})
    anna.page.request.post(f"/api/tournaments/{tournament}/start", data={})
    first = look(anna, tournament)["next"]
    for visitor in (anna, bela):
        assert visitor.page.request.post(f"/api/tables/{first}/seats", data={}).ok
    anna.page.goto(f"/table/{first}")
    anna.page.wait_for_selector(".board")
    assert bela.page.request.post(f"/api/tables/{first}/resign", data={}).ok
    anna.page.locator(".ending").get_by_role("link", name="Next game").click()
    anna.page.wait_for_url(re.compile(f"/table/(?!{re.escape(first)})"))
    expect(anna.page.get_by_text("A game of a tournament.")).to_be_visible()
    anna.page.get_by_role("link", name="To the tournament").click()
    expect(anna.page.get_by_role("rowheader", name=re.compile("^Anna"))).to_be_visible()
