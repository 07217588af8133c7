"""Vacations: slow clocks stand still for some days a year."""

from __future__ import annotations

from typing import Any

import pytest

from azalai.server import server_time
from azalai.server.clocks import DAY
from tests.server.running import Guest
from tests.server.test_clocks import Played

SLOW = {"kind": "slow", "days": 3}


def test_a_slow_clock_stands_still_during_a_vacation_and_goes_on_after_it():
    game = Played(kind="slow", days=3)
    seat = game.table.pending[0]
    game.wait(86_400)
    game.add("away", seat, until=game.at + 10 * DAY)
    game.wait(9 * 86_400)
    assert game.left(seat) == 2 * 86_400
    assert game.table.clocks.expired(game.at) == []
    assert game.table.clocks.deadline == game.at + 3 * DAY
    game.wait(2 * 86_400)
    assert game.left(seat) == 86_400
    game.wait(86_400)
    assert game.table.clocks.expired(game.at) == [seat]


def test_a_vacation_that_ends_early_gives_no_time_for_free():
    game = Played(kind="slow", days=3)
    seat = game.table.pending[0]
    game.add("away", seat, until=game.at + 10 * DAY)
    game.wait(5 * 86_400)
    game.add("away", seat, until=game.at)
    game.wait(86_400)
    assert game.left(seat) == 2 * 86_400


def test_a_vacation_is_its_holders_alone_and_lasts_over_turns():
    game = Played(kind="slow", days=3)
    seat = game.table.pending[0]
    game.add("away", seat, until=game.at + 10 * DAY)
    game.play_turn(seat)
    game.wait(86_400)
    assert game.left(1 - seat) == 2 * 86_400
    game.play_turn(1 - seat)
    game.wait(86_400)
    assert game.left(seat) == 3 * 86_400


def test_a_live_clock_knows_no_vacation():
    game = Played(kind="live", minutes=10)
    seat = game.table.pending[0]
    game.add("away", seat, until=game.at + 10 * DAY)
    game.wait(60)
    assert game.left(seat) == 9 * 60


def seat_of(guest: Guest, table: Any) -> Any:
    return next(seat for seat in guest.look(table)["seats"] if seat["mine"])


def test_a_guest_goes_on_vacation_at_all_slow_tables_and_others_see_it(anna, bela):
    slow = anna.found("targui", "me", "open", clock=SLOW)
    bela.act(slow, "seats")
    live = anna.found("targui", "me", "greedy", clock={"kind": "live", "minutes": 5})
    told = anna.ask("PUT", "/me/vacation", json={"days": 7})
    assert told["days_left"] == pytest.approx(23, abs=0.01)
    assert bela.look(slow)["seats"][0]["away_until"] == told["until"]
    assert seat_of(anna, live)["away_until"] is None
    later = anna.found("targui", "me", "greedy", clock=SLOW)
    assert seat_of(anna, later)["away_until"] == told["until"]
    assert anna.ask("PUT", "/me/vacation", 409, json={"days": 1})["error"] == "on_vacation"
    ended = anna.ask("DELETE", "/me/vacation")
    assert ended["until"] is None
    assert ended["days_left"] == pytest.approx(30, abs=0.01)
    assert bela.look(slow)["seats"][0]["away_until"] is None


def test_nobody_has_more_than_thirty_days_a_year(anna, monkeypatch):
    assert anna.ask("PUT", "/me/vacation", 409, json={"days": 31})["error"] == "no_vacation"
    anna.ask("PUT", "/me/vacation", json={"days": 20})
    begun = server_time.now()
    monkeypatch.setattr("azalai.server.vacations.now", lambda: begun + 21 * DAY)
    assert anna.ask("PUT", "/me/vacation", 409, json={"days": 11})["error"] == "no_vacation"
    anna.ask("PUT", "/me/vacation", json={"days": 10})
    monkeypatch.setattr("azalai.server.vacations.now", lambda: begun + 386 * DAY)
    assert anna.get("/me/vacation")["days_left"] == pytest.approx(20, abs=0.1)


def test_a_rematch_asked_for_during_a_vacation_waits_without_a_running_clock(anna, bela):
    table = anna.found("targui", "me", "open", clock=SLOW)
    bela.act(table, "seats")
    anna.act(table, "resign")
    told = bela.ask("PUT", "/me/vacation", json={"days": 7})
    again = anna.act(table, "rematch")
    kept = next(seat for seat in anna.look(again)["seats"] if seat["name"] == "Bela")
    assert (kept["kind"], kept["away_until"]) == ("open", told["until"])
    bela.act(again, "seats")
    assert seat_of(bela, again)["away_until"] == told["until"]


def test_who_comes_back_before_sitting_down_at_a_rematch_has_a_clock_that_runs(anna, bela):
    table = anna.found("targui", "me", "open", clock=SLOW)
    bela.act(table, "seats")
    anna.act(table, "resign")
    anna.ask("PUT", "/me/vacation", json={"days": 7})
    bela.ask("PUT", "/me/vacation", json={"days": 7})
    again = anna.act(table, "rematch")
    assert seat_of(anna, again)["away_until"] is not None
    bela.ask("DELETE", "/me/vacation")
    bela.act(again, "seats")
    assert seat_of(bela, again)["away_until"] is None
