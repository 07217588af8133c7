"""A game without any code for the page: it is played on the server's drawing of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from azalai.server import page
from tests.browser.visitor import GAMES, PHONE, WIDE, HeldRequests
from tests.server.running import InThread, quick


@pytest.fixture(scope="module")
def house(wells: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A server that knows the game."""
    with InThread(quick(f"sqlite:///{tmp_path_factory.mktemp('data') / 'azalai.db'}")) as running:
        yield running


def test_it_is_offered_on_the_start_page_and_played_to_the_end_by_clicking(visit):
    anna = visit()
    anna.page.goto("/")
    card = anna.card("wells")
    assert "Bid for water in the desert." in card.inner_text()
    card.get_by_role("button", name="Play now").click()
    anna.page.wait_for_url("**/table/*")
    assert anna.finish() >= 3
    ending = anna.page.locator(".ending")
    assert "win" in ending.get_by_role("heading").first.inner_text()
    assert ending.locator("ol").first.get_by_role("listitem").count() == 3


def test_parts_of_the_drawing_are_lit_for_the_moves_that_name_them(visit):
    anna = visit()
    anna.found("wells", "me", "me")
    pass_on = re.compile("^I am ")
    for bid in ("Bid 12", "Bid 1"):
        anna.page.get_by_role("button", name=pass_on).click()
        anna.button(bid).filter(visible=True).first.click()
    anna.page.get_by_role("button", name=pass_on).click()
    wells = anna.page.locator(".board").get_by_role("button", name=re.compile("^Go to"))
    wells.first.wait_for()
    assert wells.count() == 2
    assert anna.button("Leave empty-handed").first.is_visible()
    anna.page.get_by_role("button", name="Go to the southern well").first.press("Enter")
    anna.button("Draw 6 skins").filter(visible=True).first.click()
    anna.page.locator(".board").get_by_text("the southern well: 0").wait_for()


def test_hints_are_ranked_on_it_and_replays_show_it(visit):
    anna = visit()
    anna.found("wells", "me", "greedy")
    anna.wait()
    anna.button("Hint").click()
    anna.page.locator(".hints li").first.wait_for()
    assert anna.page.locator(".board .rank").count() > 0
    assert anna.finish() >= 3
    now = anna.page.locator(".board svg text").all_text_contents()
    anna.button("Look at it again").click()
    anna.page.locator(".table[data-ply='0']").wait_for()
    anna.page.locator(".board").get_by_text("the northern well: 6").wait_for()
    expect(anna.page.locator(".board svg text")).not_to_have_text(now)  # which may say the same of that well


def test_a_hint_is_shown_although_somebody_else_has_bid_meanwhile(visit):
    """All bid at the same time: another's bid changes nothing for who has asked."""
    anna, bela = visit(), visit()
    anna.arrive("Anna")
    bela.arrive("Bela")
    seats = [{"kind": "me"}, {"kind": "open"}]
    made = anna.page.request.post("/api/tables", data={"game": "wells", "seats": seats, "hints": True}).json()
    table = f"/api/tables/{made['id']}"
    bela.page.request.post(f"{table}/seats", data={})
    anna.page.goto(f"/table/{made['id']}")
    anna.wait()
    held = HeldRequests(anna.page, "**/api/jobs/*")
    with anna.page.expect_request("**/api/jobs/*"):
        anna.button("Hint").click()
    bid = bela.page.request.post(f"{table}/moves", data={"ply": 0, "move": "bid 3"})
    assert bid.ok, bid.text()
    anna.page.locator(".table[data-ply='1']").wait_for()
    held.release()
    anna.page.locator(".hints li").first.wait_for()


def test_its_rules_are_a_book_without_pictures(visit):
    anna = visit()
    anna.page.goto("/rules/wells")
    anna.page.get_by_text("The highest bid draws water.").wait_for()
    assert anna.page.locator("figure").count() == 0


@pytest.mark.parametrize(("look", "viewport"), [("light", WIDE), ("dark", PHONE)])
def test_nothing_on_it_keeps_people_out(visit, axe, look, viewport):
    anna = visit(color_scheme=look, viewport=viewport)
    anna.found("wells", "me", "greedy")
    anna.step()
    anna.has_no_barriers(axe)
    assert anna.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_a_board_of_its_own_could_do_without(visit, game):
    """Its chunk of the page is replaced by the one for games that bring none."""
    script, styles = (next((page.FOLDER / "assets").glob(f"drawing-*.{kind}")) for kind in ("js", "css"))
    anna = visit()
    imported = f"export {{ default }} from './{script.name}'"
    anna.page.route(f"**/assets/{game}-*.js", lambda route: route.fulfill(content_type="text/javascript", body=imported))
    anna.page.route(f"**/assets/{game}-*.css", lambda route: route.fulfill(path=styles))
    anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
    anna.wait()
    assert anna.page.locator(".drawing svg").count() == 1
    for _ in range(12):
        anna.step()
    assert int(anna.page.locator(".table").get_attribute("data-ply") or 0) >= 12
