"""The start page: one's own games."""

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
    game = anna.page.get_by_role("region", name="My games").get_by_role("article", name="Targi")
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
    games = mine.get_by_role("article")
    games.nth(1).wait_for()
    mine.get_by_label("Search by the name of an opponent").fill("bel")
    games.nth(1).wait_for(state="detached")
    assert "against Bela" in games.first.inner_text()
    mine.get_by_label("Result").select_option("Not won")
    mine.get_by_text("No finished game fits.").wait_for()
    mine.get_by_label("Search by the name of an opponent").fill("")
    mine.get_by_role("article", name="Targi").wait_for()
    mine.get_by_label("Result").select_option("All results")
    mine.get_by_label("Game", exact=True).select_option("Targui")
    mine.get_by_role("article", name="Targi").wait_for(state="detached")


def test_running_games_say_whose_turn_it_is_since_when(visit, meet, axe):
    anna, bela = visit(viewport=PHONE, color_scheme="dark", locale="de-DE"), meet("Bela")
    table = anna.found("targui", "me", "open")
    bela.post(f"/tables/{table}/seats")
    anna.page.goto("/")
    game = anna.page.get_by_role("region", name="Meine Spiele").get_by_role("article", name="Targui")
    game.get_by_text(re.compile("Du bist dran|Am Zug: Bela")).wait_for()
    game.get_by_text("letzter Zug eben").wait_for()
    anna.has_no_barriers(axe)
    game.get_by_role("link", name="Weiterspielen").click()
    anna.page.wait_for_url(f"**/table/{table}")
