"""The start page: one's own games, open tables, invitations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.browser.visitor import PHONE, Visitor
from tests.server.running import Guest


@pytest.fixture
def meet(house: Any) -> Iterator[Callable[[str], Guest]]:
    """Makes others, who have no browser."""
    with ExitStack() as stack:

        def make(name: str) -> Guest:
            guest = Guest(house.address)
            stack.callback(guest.http.close)
            guest.ask("PATCH", "/me", json={"name": name})
            return guest

        yield make


def play_and_lose(visitor: Visitor, game: str) -> str:
    """A game that is over at once."""
    table = visitor.found(game, "me", "greedy")
    assert visitor.page.request.post(f"/api/tables/{table}/resign", data={}).ok
    return table


def test_a_guest_finds_the_first_game_again_looks_at_it_and_plays_again(visit, axe):
    anna = visit()
    table = play_and_lose(anna, "targi")
    anna.page.goto("/")
    game = anna.page.get_by_role("region", name="My games").get_by_role("group", name="Targi")
    game.get_by_text("Place 2 of 2").wait_for()
    picture = game.locator("img")
    picture.scroll_into_view_if_needed()
    anna.page.wait_for_function("(image) => image.naturalWidth > 0", arg=picture.element_handle())
    anna.has_no_barriers(axe)
    game.get_by_role("link", name="Look again").click()
    anna.page.wait_for_url(f"**/table/{table}#ply=0")
    anna.page.go_back()
    game.get_by_role("button", name="Play again").click()
    anna.page.wait_for_url(re.compile(f"/table/(?!{table})"))
    anna.wait()


def test_finished_games_are_searched_by_opponent_game_and_result(visit, meet):
    anna, bela = visit(), meet("Bela")
    play_and_lose(anna, "targi")
    table = anna.found("targui", "me", "open")
    bela.post(f"/tables/{table}/seats")
    bela.post(f"/tables/{table}/resign")
    anna.page.goto("/")
    mine = anna.page.get_by_role("region", name="My games")
    games = mine.get_by_role("group")
    games.nth(1).wait_for()
    mine.get_by_label("Search by the name of an opponent").fill("bel")
    games.nth(1).wait_for(state="detached")
    assert "against Bela" in games.first.inner_text()
    mine.get_by_label("Result").select_option("Not won")
    mine.get_by_text("No finished game fits.").wait_for()
    mine.get_by_label("Search by the name of an opponent").fill("")
    mine.get_by_role("group", name="Targi").wait_for()
    mine.get_by_label("Result").select_option("All results")
    mine.get_by_label("Game", exact=True).select_option("Targui")
    mine.get_by_role("group", name="Targi").wait_for(state="detached")


def test_running_games_say_whose_turn_it_is_since_when(visit, meet, axe):
    anna, bela = visit(viewport=PHONE, color_scheme="dark", locale="de-DE"), meet("Bela")
    table = anna.found("targui", "me", "open")
    bela.post(f"/tables/{table}/seats")
    anna.page.goto("/")
    game = anna.page.get_by_role("region", name="Meine Partien").get_by_role("group", name="Targui")
    game.get_by_text(re.compile("Du bist dran|Am Zug: Bela")).wait_for()
    game.get_by_text("letzter Zug eben").wait_for()
    anna.has_no_barriers(axe)
    game.get_by_role("link", name="Weiterspielen").click()
    anna.page.wait_for_url(f"**/table/{table}")


def start_page(visitor: Visitor) -> Any:
    """The start page, once it follows what happens; its list of open tables."""
    with visitor.page.expect_websocket(lambda socket: "/api/lobby" in socket.url):
        visitor.page.goto("/")
    visitor.card("targi").get_by_role("button", name="Play now").wait_for()
    return visitor.page.get_by_role("region", name="Open tables")


def test_an_open_table_appears_at_once_and_one_click_seats_there(visit, axe):
    anna, bela = visit(), visit()
    page = start_page(anna)
    page.get_by_text("No open tables just now.").wait_for()
    anna.has_no_barriers(axe)
    bela.set_up("targi", "With friends", who="Let anybody join")
    page.get_by_text(re.compile("^Targi")).wait_for()
    anna.has_no_barriers(axe)
    page.get_by_role("button", name="Sit down").click()
    anna.page.wait_for_url("**/table/*")
    assert anna.page.url == bela.page.url
    for one in (anna, bela):
        one.page.get_by_role("region", name="Board").locator("svg").first.wait_for()


def test_two_who_play_with_anyone_meet_and_may_take_a_computer_player_meanwhile(visit, axe):
    anna, bela = visit(viewport=PHONE), visit()
    start_page(anna)
    anna.card("tuareg").get_by_role("button", name="With anyone").click()
    anna.page.wait_for_url("**/table/*")
    anna.button("Begin, a computer takes the open seat").wait_for()
    anna.has_no_barriers(axe)
    start_page(bela)
    bela.card("tuareg").get_by_role("button", name="With anyone").click()
    bela.page.wait_for_url(anna.page.url)
    for one in (anna, bela):
        one.page.get_by_role("region", name="Board").locator("svg").first.wait_for()


def test_somebody_is_invited_by_name_and_sees_it_on_the_start_page_at_once(visit, axe):
    anna, bela = visit(), visit(locale="de-DE", color_scheme="dark", viewport=PHONE)
    bela.arrive("Bela")
    table = anna.found("targi", "me", "open")
    assert bela.page.request.post(f"/api/tables/{table}/seats", data={}).ok
    assert anna.page.request.post(f"/api/tables/{table}/resign", data={}).ok
    with bela.page.expect_websocket(lambda socket: "/api/lobby" in socket.url):
        bela.page.goto("/")
    for answer in ("Nein, danke", "Hinsetzen"):
        anna.page.goto("/")
        anna.card("targi").get_by_role("button", name="With friends").click()
        anna.page.get_by_role("dialog").get_by_text("Bela", exact=True).click()
        anna.has_no_barriers(axe)
        anna.page.get_by_role("dialog").get_by_role("button", name="Set up the table").click()
        anna.page.wait_for_url("**/table/*")
        page = bela.page.get_by_role("region", name="Offene Tische")
        page.get_by_text("lädt dich ein").wait_for()
        bela.has_no_barriers(axe)
        page.get_by_role("button", name=answer).click()
        page.get_by_text("lädt dich ein").wait_for(state="detached")
    bela.page.wait_for_url(anna.page.url)


def test_a_host_may_begin_with_those_who_are_there_if_they_are_enough(visit):
    anna = visit()
    anna.found("targui", "me", "3", "open")
    anna.button("Begin with 2 players").wait_for()
    anna.found("timbuktu", "me", "3", "open")  # a game for three
    anna.button("Begin, a computer takes the open seat").wait_for()
    assert anna.button("Begin with 2 players").count() == 0


def test_the_best_are_compared_with_the_computer_players_one_can_choose(visit):
    anna = visit()
    anna.page.goto("/best/targi")
    anna.page.get_by_role("row", name="Pathfinder").wait_for()
    assert anna.page.get_by_role("row", name="greedy").count() == 0
