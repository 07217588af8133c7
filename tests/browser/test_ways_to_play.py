"""Games in other ways: on a phone and in German, by the keyboard alone, passing one device around."""

from __future__ import annotations

import re

from tests.browser.moments import shortly_before_the_end
from tests.browser.screenshots import sit_down
from tests.browser.visitor import PHONE


def test_a_game_on_a_phone_and_in_german(visit):
    anna = visit(viewport=PHONE, locale="de-DE", has_touch=True, is_mobile=True)
    anna.set_up("tuareg", "Mehr Auswahl", level="Karawanenjunge")
    assert anna.page.locator("html").get_attribute("lang") == "de"
    wide = "() => document.documentElement.scrollWidth - innerWidth"
    anna.wait()
    assert anna.page.evaluate(wide) <= 0, "the page is wider than the phone"
    for _ in range(10):
        assert anna.step(lambda element: element.tap()) != "over"
    assert anna.page.evaluate(wide) <= 0
    sit_down(anna, shortly_before_the_end("tuareg"), "greedy")
    anna.finish(lambda element: element.tap())
    anna.page.get_by_role("heading", name=re.compile("gewinn|teilen")).wait_for()
    assert anna.page.evaluate(wide) <= 0


def test_a_game_by_the_keyboard_alone(visit):
    anna = visit()
    keyboard = anna.page.keyboard
    focused = "(wanted) => document.activeElement === wanted"

    def walk_to(element):
        for _ in range(400):
            if anna.page.evaluate(focused, element):
                return
            keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {element.evaluate('(one) => one.outerHTML.slice(0, 300)')}")

    def press(element):
        walk_to(element)
        keyboard.press(anna.random.choice(["Enter", "Space"]))

    anna.page.goto("/")
    anna.card("targi").get_by_role("button", name="Play now").wait_for()
    press(anna.card("targi").get_by_role("button", name="Play now").element_handle())
    anna.page.wait_for_url("**/table/*")
    for _ in range(12):
        assert anna.step(press) != "over"
    # the end from the list of all moves
    sit_down(anna, shortly_before_the_end("targi"), "greedy")
    walk_to(anna.page.get_by_role("tab").first.element_handle())
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    moves = anna.page.get_by_role("tabpanel").get_by_role("button")
    while (before := anna.wait()) != "over":
        press(anna.random.choice(moves.element_handles()))
        anna.wait(before)


def test_a_device_passed_around_covers_what_the_next_must_not_see(visit):
    anna = visit()
    anna.set_up("tuareg", "On one device")
    cover = anna.button(re.compile("^I am"))
    players: set[str] = set()
    for _ in range(60):  # hands are empty at first
        if len(players) == 2:
            break
        cover.or_(anna.page.locator(".prompt.mine")).first.wait_for()
        if cover.is_visible():
            players.add(cover.inner_text())
            seen = anna.page.locator(".hand, .board > :not(.cover), .log, .players .things")
            assert seen.count() == 0, "something of the other one can be seen"
            cover.click()
        before = anna.wait()
        anna.choose()
        anna.wait_for_change(before)
    assert len(players) == 2


def test_one_touch_looks_along_a_line_and_a_second_places_the_targi(visit):
    anna = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    anna.found("targi", "me", "greedy")
    anna.wait()
    places, menu = anna.page.locator(".board .hit"), anna.page.locator(".menu")
    places.first.tap()
    looked_at = menu.inner_text()
    places.last.tap()  # another line, without closing what was opened
    assert menu.inner_text() != looked_at
    assert anna.page.locator(".preview").count() > 0
    assert "first Targi" in anna.question
    places.last.tap()
    menu.wait_for(state="detached")
    anna.wait()
    assert "second Targi" in anna.question
