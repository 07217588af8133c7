"""A finished game is looked at with its review: chances, grades, the better move, another try, playing on."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator

from azalai.engine.compile import use_compiled
from azalai.engine.game import load_game
from azalai.engine.record import to_record
from azalai.reviews.review import Review
from azalai.reviews.scout import parts
from tests.browser.visitor import Visitor

CARAVAN_IN_SIGHT = """() => {
  const [caravan, review] = ['.caravan.own', '.replay'].map((one) => document.querySelector(one)?.getBoundingClientRect())
  const own = document.querySelector('.own:has(.replay)')
  if (!caravan || !review || !own) return false
  return caravan.bottom <= review.top && review.bottom <= innerHeight && own.scrollHeight <= own.clientHeight + 1
}"""


@pytest.fixture(scope="module")
def blunder() -> tuple[Any, int, int]:
    """A record of Tuareg in which the first seat plays badly on purpose, with the ply of its worst move and a better one."""
    game = load_game("tuareg")
    for part in parts(game):
        use_compiled(game, part)
    position = game.new(seats=2, seed=28)
    while position.ply < 40 and not position.over:
        position.play(position.moves()[-1] if position.seat == 0 else position.moves()[0])
    review = Review(position).judge_all()
    worst = max((one for one in review.decisions.values() if one.seat == 0), key=lambda one: one.loss)
    assert worst.grade == "blunder"
    return to_record(position), worst.ply, worst.best.id


def open_table(anna: Visitor, record: Any) -> str:
    """Import a record as this visitor, and open its table."""
    answer = anna.page.request.post("/api/records", data=record)
    assert answer.status == 201
    anna.page.goto(f"/table/{answer.json()['id']}")
    return str(answer.json()["id"])


def judged_line(anna: Visitor, record: Any, ply: int) -> Locator:
    """Review a record; return the line of its blunder among the decisions."""
    open_table(anna, record)
    anna.button("Review the game").first.click()
    line = anna.page.locator(f"[data-at='{ply + 1}'] button")
    line.get_by_text("??").wait_for()
    return line


def test_a_blunder_is_named_a_better_move_is_tried_and_the_game_played_on(visit, blunder):
    record, ply, _ = blunder
    anna = visit()
    open_table(anna, record)
    anna.page.get_by_role("slider", name="How the chances went").wait_for()
    anna.button("Review the game").first.click()
    line = anna.page.locator(f"[data-at='{ply + 1}'] button")
    line.get_by_text("??").wait_for()
    line.click()
    anna.page.locator(f".table[data-ply='{ply + 1}']").wait_for()
    panel = anna.page.get_by_role("group", name="Review", exact=True)
    panel.get_by_text("Blunder").wait_for()
    panel.get_by_role("button", name="Show the better move").click()
    anna.page.locator(f".table[data-ply='{ply}']").wait_for()
    panel.get_by_role("button", name="One step on in this line").click()
    panel.get_by_text("1 of").wait_for()
    panel.get_by_role("button", name="Try again").click()
    panel.get_by_text("Find a better move").wait_for()
    panel.get_by_role("list").get_by_role("button").first.click()
    panel.get_by_text("well found").or_(panel.get_by_text("still gives away")).wait_for()
    old = anna.page.url.split("#")[0]
    anna.button("Play on from here").click()
    anna.page.wait_for_url(lambda url: not url.startswith(old))
    anna.step()


def test_whoever_looks_on_sees_the_hand_and_the_animals_of_the_seat_whose_decision_is_looked_at_again(visit, blunder):
    record, ply, _ = blunder
    anna, bela = visit(), visit()
    open_table(anna, record)
    bela.page.goto(anna.page.url)
    bela.button("Review the game").first.click()
    bela.page.locator(f"[data-at='{ply + 1}'] button").filter(has_text="??").click()
    panel = bela.page.get_by_role("group", name="Review", exact=True)
    panel.get_by_text("Blunder").wait_for()
    assert bela.page.locator(".caravan.own").count() == 0
    panel.get_by_role("button", name="Try again").click()
    bela.page.get_by_role("list", name="hand").wait_for()
    bela.page.locator(".caravan.own").wait_for()


def test_moving_along_the_curve_moves_the_board(visit, blunder):
    anna = visit()
    open_table(anna, blunder[0])
    curve = anna.page.get_by_role("slider", name="How the chances went")
    curve.focus()
    anna.page.keyboard.press("Home")
    anna.page.locator(".table[data-ply='0']").wait_for()
    curve.focus()
    anna.page.keyboard.press("ArrowRight")
    anna.page.locator(".table[data-ply='1']").wait_for()
    box = curve.bounding_box()
    assert box is not None
    anna.page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 20)
    anna.page.locator(f".table[data-ply='{len(blunder[0]['moves'])}']").wait_for()


def test_a_grade_stays_in_sight_after_a_long_word(visit, blunder):
    record, ply, _ = blunder
    anna = visit(viewport={"width": 1024, "height": 768})
    line = judged_line(anna, record, ply)
    line.locator(".words").evaluate("(words) => { words.textContent = 'Stammeserweiterung' }")
    assert line.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_a_review_leaves_the_own_caravan_in_sight(visit, blunder):
    record, ply, _ = blunder
    anna = visit(viewport={"width": 1280, "height": 800})
    line = judged_line(anna, record, ply)
    line.click()
    panel = anna.page.get_by_role("group", name="Review", exact=True)
    panel.get_by_text("Blunder").wait_for()
    anna.page.wait_for_function(CARAVAN_IN_SIGHT)
    panel.get_by_role("button", name="Show the better move").click()
    panel.get_by_text("How it may go on").wait_for()
    anna.page.wait_for_function(CARAVAN_IN_SIGHT)
    panel.get_by_role("button", name="Try again").click()
    panel.get_by_text("Find a better move").wait_for()
    anna.page.wait_for_function(CARAVAN_IN_SIGHT)
    panel.get_by_role("list").get_by_role("button").last.click()
    panel.get_by_text("well found").or_(panel.get_by_text("still gives away")).wait_for()
    anna.page.wait_for_function(CARAVAN_IN_SIGHT)
