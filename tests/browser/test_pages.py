"""What people find around the games: an invitation, a notice over a dialog, a way back from where there is nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from azalai import puzzles
from tests.browser.test_puzzles import answer
from tests.browser.visitor import PHONE, Visitor
from tests.server.running import Guest, InThread

LAPTOP = {"width": 1280, "height": 800}


def test_who_comes_by_a_link_is_offered_a_seat_and_told_of_clock_and_game(visit: Callable[..., Visitor], house: InThread):
    anna = visit()
    clock = {"kind": "live", "minutes": 30, "increment": 20}
    guest = Guest(house.address)
    table = guest.found("timbuktu", "me", "open", "open", clock=clock)["id"]
    guest.http.close()
    anna.arrive("Anna")
    anna.page.goto(f"/table/{table}")
    expect(anna.page.get_by_text("A seat is free for you.")).to_be_visible()
    expect(anna.page.get_by_text("30 minutes and 20 seconds a turn")).to_be_visible()
    expect(anna.page.get_by_text("Thieves lie in wait.")).to_be_visible()
    expect(anna.page.get_by_role("link", name="Rules")).to_have_attribute("href", "/rules/timbuktu")
    expect(anna.page.get_by_text("Send this link to your friends.")).to_have_count(0)
    anna.button("Sit down here").first.click()
    expect(anna.page.get_by_text("Send this link to your friends.")).to_be_visible()


def test_an_open_table_says_how_many_seats_are_free_in_german(visit: Callable[..., Visitor], house: InThread):
    guest = Guest(house.address)
    guest.ask("PATCH", "/me", json={"name": "Kella"})
    table = guest.found("timbuktu", "me", "open", "open", public=True)["id"]
    anna = visit(locale="de-DE")
    anna.arrive()
    anna.page.goto("/")
    expect(anna.page.get_by_text("Kella wartet, 2 freie Plätze")).to_be_visible()
    guest.ask("DELETE", f"/tables/{table}/seats/0")
    guest.http.close()


def test_a_phone_tells_a_newcomer_what_this_page_is(visit: Callable[..., Visitor]):
    anna = visit(viewport=PHONE)
    anna.arrive()
    anna.page.goto("/")
    expect(anna.page.get_by_text("four board games to play with friends or against the computer").last).to_be_in_viewport()


@pytest.mark.parametrize(
    ("address", "said", "back"),
    [
        ("/lost", "There is nothing here but sand.", "Back to the oasis"),
        ("/table/gone", "There is no such table.", "Back to the oasis"),
        ("/tournament/gone", "There is no such tournament.", "Back to the oasis"),
        ("/player/nobody", "There is no such player.", "Back to the oasis"),
        ("/puzzle/gone", "There is no such puzzle.", "More puzzles"),
    ],
)
def test_where_there_is_nothing_a_heading_says_so_and_a_button_leads_on(
    visit: Callable[..., Visitor], address: str, said: str, back: str
):
    anna = visit()
    anna.arrive()
    anna.page.goto(address)
    expect(anna.page.get_by_role("heading", name=said)).to_be_visible()
    expect(anna.page.get_by_role("link", name=back)).to_be_visible()
    anna.problems.clear()  # the browser says of every request that it failed


def test_the_page_of_pictures_is_for_developers_alone(visit: Callable[..., Visitor]):
    anna = visit()
    anna.page.goto("/")
    anna.card("targi").wait_for()
    ways: list[str] = anna.page.locator("a").evaluate_all("(links) => links.map((one) => one.pathname)")
    assert "/" in ways
    assert [way for way in ways if "style" in way or "pictures" in way] == []
    anna.page.goto("/style/")
    anna.page.get_by_text("There is nothing here but sand.").wait_for()


def test_a_notice_lies_above_the_dialog_that_it_is_about(visit: Callable[..., Visitor]):
    anna = visit(viewport=PHONE)
    anna.arrive()
    anna.page.goto("/")
    anna.button("Settings").click()
    dialog = anna.page.get_by_role("dialog")
    dialog.get_by_label("Your name at the table").fill("Antinea")
    dialog.get_by_role("button", name="Take this name").click()
    notice = anna.page.locator(".toasts", has=anna.page.locator("p"))
    notice.wait_for()
    assert notice.evaluate("(one) => one.matches(':popover-open')")


def test_a_recovery_code_can_be_read_whole_where_it_is_typed_on_a_phone(visit: Callable[..., Visitor]):
    anna = visit(viewport=PHONE)
    anna.arrive("Anna")
    anna.page.goto("/player")
    anna.button("I have a recovery code").click()
    field = anna.page.get_by_label("Recovery code")
    field.fill("WWWWW-WWWWW-0MRT8-B4CZW")
    assert field.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_the_verdict_on_a_wrong_answer_has_one_line_for_its_heading_and_a_round_sign(visit: Callable[..., Visitor]):
    anna = visit(viewport=LAPTOP)
    anna.arrive()
    anna.page.goto(f"/puzzle/{puzzles.collection('targui')[0].id}")
    anna.page.locator(".prompt.mine").wait_for()
    found = anna.page.request.get(f"/api/puzzles/{puzzles.collection('targui')[0].id}").json()
    answer(anna, found, right=False)
    sizes = anna.page.locator(".verdict .sign").evaluate("(one) => [one.offsetWidth, one.offsetHeight]")
    assert sizes[0] == sizes[1]
    assert anna.page.locator(".verdict h2").evaluate("(one) => one.offsetHeight") < 1.5 * sizes[1]
