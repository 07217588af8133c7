"""Hints, replays, the first turn explained, the rules at hand."""

from __future__ import annotations

import re

import pytest

from tests.browser.visitor import GAMES, HeldRequests


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_names_the_best_moves_and_lights_them(visit, game):
    anna = visit()
    anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
    anna.wait()
    board = anna.page.locator(".board")
    size = board.bounding_box()
    anna.button("Hint").click()
    hints = anna.page.locator(".hints li")
    hints.first.wait_for()
    assert board.bounding_box() == size
    assert re.search(r"\d+ %", hints.first.inner_text())
    assert anna.page.locator(".hinted").count() > 0
    before = anna.wait()
    hints.first.get_by_role("button").first.click()
    assert anna.wait(before)


def test_a_hint_asked_for_by_keyboard_can_be_followed_at_once(visit):
    anna = visit()
    anna.found("targi", "me", "greedy")
    before = anna.wait()
    anna.button("Hint").press("Enter")
    anna.page.locator(".hints button:focus").wait_for()
    anna.page.keyboard.press("Enter")
    assert anna.wait(before).split("|")[0] != before.split("|")[0]


def test_a_finished_game_is_looked_at_step_by_step_and_played_on_from_a_moment(visit):
    anna = visit()
    anna.found("targi", "me", "greedy")
    for _ in range(6):
        anna.step()
    anna.button("Give up").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    assert anna.wait() == "over"
    anna.button("Look at it again").click()
    ply = anna.page.locator(".table")
    ply.and_(anna.page.locator("[data-ply='0']")).wait_for()
    for moment in ("1", "2", "3"):
        anna.button("One step on").click()
        ply.and_(anna.page.locator(f"[data-ply='{moment}']")).wait_for()
    anna.page.get_by_label("Moment of the game").press("ArrowRight")
    ply.and_(anna.page.locator("[data-ply='4']")).wait_for()
    old = anna.page.url.split("#")[0]
    anna.page.goto(f"{old}#ply=2")
    anna.page.reload()
    ply.and_(anna.page.locator("[data-ply='2']")).wait_for()
    anna.button("Play on from here").click()
    anna.page.wait_for_url(lambda url: not url.startswith(old))
    anna.step()


@pytest.mark.parametrize("game", GAMES)
def test_the_chances_of_a_game_are_shown_whatever_was_played(visit, game):
    anna = visit()
    seats = 2 if game == "timbuktu" else 1
    anna.found(game, "me", *["random"] * seats)
    for _ in range(5):
        anna.step()
    anna.button("Give up").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    assert anna.wait() == "over"
    figure = anna.page.locator("figure").filter(has_text="How the chances went")
    figure.wait_for()
    lines = [line.get_attribute("d") or "" for line in figure.locator(".plot path.line:not(.edge)").all()]
    assert len(lines) == seats + 1
    assert all(line.startswith("M") and "NaN" not in line and "undefined" not in line for line in lines)


def test_playing_on_from_a_moment_does_not_depend_on_what_has_been_loaded(visit):
    anna = visit()
    anna.found("targi", "me", "greedy")
    anna.step()
    anna.button("Give up").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    assert anna.wait() == "over"
    old = anna.page.url.split("#")[0]
    held = HeldRequests(anna.page, "**/api/games/targi*")
    anna.page.goto(f"{old}#ply=1")
    anna.page.reload()
    anna.page.locator(".table[data-ply='1']").wait_for()
    anna.button("Play on from here").click()
    held.release()
    anna.page.wait_for_url(lambda url: not url.startswith(old))


@pytest.mark.parametrize("game", GAMES)
def test_the_first_table_of_a_game_explains_itself_once(visit, game):
    anna = visit(knows=False)
    anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
    guide = anna.page.get_by_role("complementary", name="First turn")
    guide.wait_for()
    log = anna.page.locator(".log")
    assert guide.bounding_box()["y"] + guide.bounding_box()["height"] <= log.bounding_box()["y"], "the guide covers the log"
    for _ in range(20):
        on = guide.get_by_role("button", name="Next")
        if not on.is_visible():
            break
        on.click()
    guide.get_by_role("button", name=re.compile("Play|Skip")).last.click()
    anna.page.reload()
    anna.wait()
    assert guide.count() == 0
    anna.button("Explain the table").filter(visible=True).first.click()
    guide.wait_for()


@pytest.mark.parametrize(("other", "lamps"), [("greedy", 1), ("open", 0)])
def test_the_guide_speaks_of_hints_only_where_they_are_given(visit, other, lamps):
    anna, bela = visit(knows=False), visit()
    table = anna.found("targi", "me", other)
    bela.arrive("Bela")
    if other == "open":
        assert bela.page.request.post(f"/api/tables/{table}/seats", data={}).ok
    guide = anna.page.get_by_role("complementary", name="First turn")
    while not guide.get_by_text("Log, talk, all moves").is_visible():
        guide.get_by_role("button", name="Next").click()
    assert guide.get_by_text("The lamp beside the question").count() == lamps


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_a_book_in_both_languages(visit, game):
    anna = visit()
    anna.page.goto(f"/rules/{game}")
    english = anna.page.get_by_role("main")
    contents = anna.page.get_by_role("navigation", name="Contents").get_by_role("link")
    contents.first.wait_for()
    assert contents.count() >= 4
    text = english.inner_text()
    assert "reconstruct" in text.lower()
    anna.button("Settings").click()
    anna.page.get_by_text("Deutsch", exact=True).click()
    anna.page.get_by_role("navigation", name="Inhalt").get_by_role("link").first.wait_for()
    assert english.inner_text() != text
    assert "rekonstru" in english.inner_text().lower()
