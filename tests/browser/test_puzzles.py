"""Puzzles on the page: the puzzle of the day, a right and a wrong answer, the line on the board, the streak on the profile."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest

import azalai
from azalai import puzzles
from tests.browser.visitor import PHONE, Visitor

GAME = next(name for name in azalai.games() if puzzles.collection(name))
RIGHT, WRONG = "Right", "There is something better"


def open_puzzle(anna: Visitor) -> Any:
    """The puzzle whose address is open, as the server tells it."""
    anna.page.wait_for_url("**/puzzle/**")
    return anna.page.request.get(f"/api/puzzles/{anna.page.url.rsplit('/', 1)[1].partition('?')[0]}").json()


def answer(anna: Visitor, puzzle: Any, right: bool) -> None:
    """Choose a right or a wrong move from the list of all moves."""
    solutions = puzzles.find(puzzle["id"]).solutions
    words = next(one["words"] for one in puzzle["moves"] if (one["text"] in solutions) == right)
    name = re.compile(f"^{re.escape(words)}$", re.IGNORECASE)
    anna.page.get_by_role("list", name="All moves").get_by_role("button", name=name).first.click()
    anna.page.get_by_role("heading", name=RIGHT if right else WRONG, exact=True).wait_for()


def test_the_puzzle_of_the_day_is_solved_the_next_one_missed_and_the_profile_shows_the_streak(visit):
    anna = visit()
    anna.arrive("Anna")
    anna.page.goto("/")
    day = anna.page.get_by_role("region", name="Puzzle of the day")
    day.get_by_role("link", name="Solve it").click()
    first = open_puzzle(anna)
    assert first["id"] == puzzles.of_the_day(datetime.datetime.now(datetime.UTC).date()).id or first["day"] is None
    answer(anna, first, right=True)
    verdict = anna.page.get_by_role("region", name="What your answer is worth")
    verdict.get_by_text("1 solved in a row").wait_for()
    verdict.get_by_role("button", name="One step on in this line").click()
    verdict.get_by_text("1 of").wait_for()
    anna.page.goto("/puzzles")
    anna.button("Give me a puzzle").click()
    second = open_puzzle(anna)
    assert second["yours"] is None
    answer(anna, second, right=False)
    verdict.get_by_text("gives away").wait_for()
    verdict.get_by_text("0 solved in a row").wait_for()
    verdict.get_by_role("button", name="Try again").click()
    answer(anna, second, right=True)
    verdict.get_by_text("Your first try has counted already.").wait_for()
    verdict.get_by_role("button", name="Next puzzle").click()
    anna.page.wait_for_url(lambda url: "/puzzle/" in url and second["id"] not in url)
    anna.page.goto("/player")
    profile = anna.page.get_by_role("region", name="Puzzles")
    profile.get_by_text("Best streak: 1. 1 of 2 solved at the first try.").wait_for()
    anna.page.goto("/")
    day.get_by_role("link", name="Look again").wait_for()
    day.get_by_text("Solved. 100 % of 1 player solved it.").wait_for()


def test_puzzles_are_chosen_and_looked_up_on_a_phone_without_barriers(visit, axe):
    anna = visit(viewport=PHONE)
    anna.arrive()
    anna.page.goto(f"/puzzles/{GAME}")
    anna.page.get_by_text("Hard", exact=True).click()
    anna.has_no_barriers(axe)
    anna.button("Give me a puzzle").click()
    anna.page.wait_for_url("**/puzzle/*?level=hard")
    anna.page.locator(".prompt.mine").wait_for()
    anna.has_no_barriers(axe)
    anna.button("Show the solution").click()
    anna.page.get_by_role("heading", name="The solution").wait_for()
    anna.page.get_by_role("region", name="What your answer is worth").get_by_text("0 solved in a row").wait_for()
    anna.has_no_barriers(axe)


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "window"])
def test_the_own_cards_stay_in_sight_when_an_answer_is_told(visit, viewport):
    anna = visit(viewport=viewport)
    anna.arrive()
    anna.page.goto(f"/puzzle/{puzzles.collection('tuareg')[0].id}")
    hand = anna.page.get_by_role("region", name="Your things")
    hand.wait_for()
    before = hand.bounding_box()
    anna.button("Show the solution").click()
    anna.page.get_by_role("heading", name="The solution").wait_for()
    after = hand.bounding_box()
    assert after["x"] == before["x"]
    assert after["y"] + after["height"] <= viewport["height"]
    if viewport != PHONE:
        assert after["y"] == before["y"]


def test_in_a_small_window_the_solution_leaves_the_board_its_size(visit):
    anna = visit(viewport={"width": 1024, "height": 768})
    anna.arrive()
    anna.page.goto(f"/puzzle/{puzzles.collection('timbuktu')[0].id}")
    board = anna.page.get_by_role("region", name="Board", exact=True)
    board.wait_for()
    before = board.bounding_box()
    anna.button("Show the solution").click()
    anna.page.get_by_role("heading", name="The solution").wait_for()
    assert board.bounding_box()["height"] >= before["height"]
