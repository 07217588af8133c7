"""axe finds nothing serious on any page, by day and by night, wide and on a phone."""

from __future__ import annotations

import pytest

from tests.browser.visitor import GAMES, PHONE, WIDE

SEATS = {"timbuktu": 3}


@pytest.fixture(params=["light", "dark"])
def anna(visit, request):
    return visit(color_scheme=request.param, viewport=WIDE if request.param == "light" else PHONE)


@pytest.mark.parametrize("path", ["/", "/rules/tuareg", "/nowhere", "/move"])
def test_pages(anna, axe, path):
    anna.page.goto(path)
    anna.page.wait_for_load_state("networkidle")
    anna.has_no_barriers(axe)


def test_dialogs(anna, axe):
    anna.page.goto("/")
    anna.button("Settings").click()
    anna.has_no_barriers(axe)
    anna.page.keyboard.press("Escape")
    anna.card("timbuktu").get_by_role("button", name="With friends").click()
    anna.has_no_barriers(axe)
    anna.page.get_by_role("dialog").get_by_role("button", name="Set up the table").click()
    anna.page.get_by_label("Link to this table").wait_for()
    anna.has_no_barriers(axe)


@pytest.mark.parametrize("game", GAMES)
def test_tables(anna, axe, game):
    table = anna.found(game, "me", *["greedy"] * (SEATS.get(game, 2) - 1))
    for _ in range(3):
        anna.step()
    anna.has_no_barriers(axe)
    assert anna.page.request.post(f"/api/tables/{table}/resign", data={}).ok
    anna.page.locator(".ending, .prompt:not(.mine)").first.wait_for()
    anna.has_no_barriers(axe)


@pytest.mark.parametrize("place", ["/", "/rules/targui", *GAMES])
def test_text_of_double_size_stays_on_the_page(visit, place):
    anna = visit()
    if place in GAMES:
        anna.found(place, "me", *["greedy"] * (SEATS.get(place, 2) - 1))
        anna.wait()
    else:
        anna.page.goto(place)
        anna.page.wait_for_load_state("networkidle")
    anna.page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert anna.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
