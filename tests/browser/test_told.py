"""What the table tells: questions that fit, buttons with numbers, own secrets, endings that explain themselves."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import azalai
from azalai.engine.position import Position
from azalai.engine.record import to_record
from azalai.engine.words import Words
from azalai.games.targi.state import TRIBE_CARD
from tests.browser.moments import every_decision, near
from tests.browser.screenshots import sit_down
from tests.browser.visitor import PHONE, WIDE

Found = Callable[[Position], bool]


def search(name: str, seats: int, found: Found, games: int = 400) -> Position:
    """Play random games until one is at a decision of the first seat, or over, as it is wanted."""
    for seed in range(games):
        position, chance = azalai.game(name).new(seats, seed), random.Random(seed)
        while True:
            if (position.over or position.pending == (0,)) and found(position):
                return position
            if position.over:
                break
            seat = chance.choice(position.pending)
            position.play(chance.choice(position.move_ids(seat)), seat)
    raise AssertionError(f"{name}: no such position in {games} games")


def watch(visitor: Any, position: Position) -> None:
    """Look at a finished game."""
    visitor.arrive()
    imported = visitor.page.request.post("/api/records", data=to_record(position)).json()
    visitor.page.goto(f"/table/{imported['id']}")
    visitor.page.locator(".ending").wait_for()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_raid_states_its_demand_and_its_answers_say_how_much(visit, size):
    visitor = visit(viewport=size)
    sit_down(visitor, to_record(search("targi", 2, lambda position: position.phase == "raid" and position.state.robber == 11)))
    question = visitor.page.locator(".question")
    assert question.inner_text() == "The robber demands 3 goods or 2 silver crosses. What do you give?"
    buttons = visitor.page.locator(".prompt .buttons button").all()
    assert "Give 2 silver crosses" in [button.get_attribute("aria-label") for button in buttons]
    assert any("Give 3 goods, first 1 × " in (button.get_attribute("aria-label") or "") for button in buttons)


def test_gold_on_a_tribe_card_is_seen_while_it_lies_there(visit):
    visitor = visit()
    sit_down(visitor, every_decision("targi")["paying"])
    own = visitor.page.locator(".mine .shelves [data-stored]")
    assert own.count() == 1
    assert visitor.page.locator(".players .stored").all_inner_texts() == ["+1"]
    visitor.button("Pay the gold on your tribe card").click()
    own.wait_for(state="detached")
    assert visitor.page.locator(".players .stored").count() == 0


def test_a_hand_card_that_all_have_seen_lies_open(visit):
    visitor = visit()
    position = near("targi", 2, 0.5, lambda one: one.seat == 0 and one.state.hand[1] >= 0 == one.state.hand_secret[1])
    sit_down(visitor, to_record(position))
    symbol = Words(position.game, 2).name(TRIBE_CARD, int(position.state.hand[1])).split(" T")[0]
    label = visitor.page.locator(".theirs h2 .open svg").get_attribute("aria-label") or ""
    assert symbol in label
    assert "costs" in label


def test_the_traders_card_shows_what_he_takes_by_house_rules(visit):
    visitor = visit()
    visitor.arrive()
    body = {"game": "targi", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]}
    for rules, taken in (("", [3, 2]), ("[trader]\nfor_gold = 2\n", [2, 2])):
        made = visitor.page.request.post("/api/tables", data={**body, **({"components": rules} if rules else {})}).json()
        visitor.page.goto(f"/table/{made['id']}")
        visitor.wait()
        given = visitor.page.locator(".board [data-given]")
        assert [int(one.get_attribute("data-given") or 0) for one in given.all()] == taken
        assert [one.locator("> g").count() for one in given.all()] == taken


def test_a_trade_shows_how_many_goods_it_takes(visit):
    visitor = visit()
    sit_down(visitor, to_record(search("targi", 2, lambda position: position.phase == "trading")))
    shown = visitor.page.locator(".prompt .buttons button b").all_inner_texts()
    assert shown
    assert set(shown[::2]) <= {"1 ×", "2 ×", "3 ×"}
    assert set(shown[1::2]) == {"1 ×"}


def test_a_sale_shows_how_many_crosses_it_brings(visit):
    visitor = visit()
    sit_down(visitor, to_record(search("targi", 2, lambda position: position.phase == "selling")))
    for button in visitor.page.locator(".prompt .buttons button:has(b)").all():
        given, got = (int(text.split()[0]) for text in button.locator("b").all_inner_texts())
        words = button.get_attribute("aria-label") or ""
        assert words.startswith(f"Sell {given} × ")
        assert f"for {got} silver cross" in words
    assert visitor.page.locator(".prompt .buttons button:has(b)").count() > 0


def test_a_tribe_card_that_can_only_be_discarded_is_not_lost_by_one_click(visit):
    def discards_alone(position: Position) -> list[int]:
        moves = position.moves() if position.phase == "acting" else []
        origins = [move.args["origin"] for move in moves if "origin" in move.args]
        return [move.args["origin"] for move in moves if move.name == "discard" and origins.count(move.args["origin"]) == 1]

    visitor = visit()
    sit_down(visitor, to_record(search("targi", 2, lambda position: any(origin < 9 for origin in discards_alone(position)))))
    ply = visitor.page.locator(".table").get_attribute("data-ply")
    visitor.page.locator('.board .hit[aria-label^="discard" i]').first.click()
    asked = visitor.page.locator(".board .menu").get_by_role("button", name=re.compile("^Discard"))
    asked.wait_for()
    assert visitor.page.locator(".table").get_attribute("data-ply") == ply
    asked.click()
    visitor.page.locator(f".table:not([data-ply='{ply}'])").wait_for()


def test_income_is_what_would_be_paid(visit):
    def unpaid(position: Position) -> bool:
        return position.phase == "marching" and position.scores[1] == 0 and int(position.state.economy[1]) > 0

    visitor = visit()
    position = search("targui", 4, unpaid)
    sit_down(visitor, to_record(position))
    panel = visitor.page.locator('[data-seat="1"]')
    income = panel.locator("li:has([aria-label='income'])")
    assert income.inner_text().strip() == "0"


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_own_caves_show_what_lies_in_them(visit, size):
    visitor = visit(viewport=size)
    position = search("tuareg", 3, lambda position: position.phase == "turn" and position.state.cave_goods[0].sum() > 0)
    sit_down(visitor, to_record(position))
    hidden = [good for good, count in zip(("water", "gold", "salt", "millet"), position.state.cave_goods[0].tolist()) if count]
    caves = [spot.get_attribute("aria-label") or "" for spot in visitor.page.locator('[data-spot="cave-0"]').all()]
    labels = visitor.page.locator('.own [aria-label^="cave: "]').evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert any(hidden[0] in text for text in [*caves, *labels])


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_end_tells_what_decided_between_equals(visit, language):
    def tied(position: Position) -> bool:
        best = max(position.scores)
        return position.over and position.scores.count(best) > 1 and position.ranking.count(1) == 1

    visitor = visit(locale=f"{language}-{language.upper()}")
    watch(visitor, search("tuareg", 3, tied))
    told = visitor.page.locator(".ending header").inner_text()
    assert ("The worth of the hand decides" if language == "en" else "Der Wert der Handkarten entscheidet") in told


def test_hands_are_laid_open_at_the_end(visit):
    visitor = visit()
    position = search("tuareg", 3, lambda position: position.over and position.state.hand_size[1] > 0)
    watch(visitor, position)
    visitor.button("To the board").click()
    hand = visitor.page.locator('.others [data-spot="hand-1"]').get_attribute("aria-label") or ""
    goods = [
        one for one, count in zip(("water", "gold", "salt", "millet"), position.state.hand[1].tolist(), strict=True) if count
    ]
    assert [one for one in goods if f" × {one}" not in hand] == []


def test_own_fields_that_are_lit_keep_their_owners_colour(visit):
    visitor = visit(reduced_motion="reduce")
    sit_down(visitor, to_record(search("targui", 4, lambda position: position.phase == "marching")))
    lit = visitor.page.locator(".board .target.lit")
    assert lit.count() > 0
    colours = lit.evaluate_all(
        """(fields) => fields.map((field) => [
          getComputedStyle(field.querySelector('.owner.hi')).stroke, getComputedStyle(field.querySelector('.rim')).stroke])"""
    )
    owner = visitor.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--player-blue')")
    assert {stroke for stroke, _ in colours} == {rgb(owner)}
    assert all(stroke != glow for stroke, glow in colours)


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour.strip()[place : place + 2], 16)) for place in (1, 3, 5))})"


def test_a_game_given_up_shows_its_scoring_and_no_total_for_who_gave_up(visit):
    visitor = visit()
    record = to_record(search("targui", 3, lambda position: position.phase == "marching" and position.state.round_no == 4))
    sit_down(visitor, record)
    table = visitor.page.url.rsplit("/", 1)[1]
    visitor.page.request.post(f"/api/tables/{table}/resign", data={})
    ending = visitor.page.locator(".ending")
    ending.wait_for()
    assert "Out before the end" in ending.inner_text()
    totals = ending.locator("tfoot td").all_inner_texts()
    assert len(totals) == 3
    assert totals[2].startswith("has given up")
