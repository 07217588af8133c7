"""Slow games: the table that waits comes next, and a vacation stops the clocks."""

from __future__ import annotations

from typing import Any

from tests.browser.visitor import PHONE, Visitor

SLOW = {"kind": "slow", "days": 3}


def slow_table(visitor: Visitor) -> str:
    """A slow game at which it is this person's turn."""
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    answer = visitor.page.request.post("/api/tables", data={"game": "targi", "seats": seats, "clock": SLOW})
    table: str = answer.json()["id"]
    return table


def mine(visitor: Visitor, table: str) -> Any:
    return next(seat for seat in visitor.page.request.get(f"/api/tables/{table}").json()["seats"] if seat["mine"])


def test_after_a_move_the_next_table_that_waits_is_one_click_away(visit):
    anna = visit()
    anna.arrive()
    waiting = slow_table(anna)
    seats = [{"kind": "me"}, {"kind": "open"}]
    done = anna.page.request.post("/api/tables", data={"game": "targi", "seats": seats, "clock": SLOW}).json()["id"]
    bela = visit()
    bela.arrive()
    assert bela.page.request.post(f"/api/tables/{done}/seats", data={}).ok
    for _ in range(20):  # until it is the other's turn
        table = anna.page.request.get(f"/api/tables/{done}").json()
        if not table["moves"]:
            break
        move = {"ply": table["ply"], "move": table["moves"][0]["text"]}
        assert anna.page.request.post(f"/api/tables/{done}/moves", data=move).ok
    anna.page.goto(f"/table/{done}")
    anna.page.get_by_role("link", name="Next table (1)").click()
    anna.page.wait_for_url(f"**/table/{waiting}")


def test_a_vacation_stops_the_clock_and_can_be_ended(visit, axe):
    anna = visit(viewport=PHONE, color_scheme="dark")
    anna.arrive()
    table = slow_table(anna)
    anna.page.goto("/")
    anna.button("Vacation …").click()
    anna.page.get_by_role("dialog").get_by_text("30 days of this year are left to you.").wait_for()
    anna.has_no_barriers(axe)
    anna.button("Go on vacation").click()
    anna.page.get_by_text("On vacation until").wait_for()
    assert mine(anna, table)["away_until"]
    anna.page.goto(f"/table/{table}")
    anna.page.get_by_text("on vacation until").first.wait_for()
    anna.page.goto("/")
    anna.button("Come back").click()
    anna.button("Vacation …").wait_for()
    assert mine(anna, table)["away_until"] is None
