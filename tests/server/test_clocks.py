"""Clocks: server time decides."""

from __future__ import annotations

import pytest

from azalai.server.clocks import DAY, MINUTE, SECOND, Clocks, ClockSettings
from tests.server.running import until


def test_a_live_clock_runs_for_who_is_asked_and_gains_at_the_end_of_a_turn():
    clocks = Clocks(ClockSettings("live", minutes=1, increment=5))
    clocks.reset(2)
    clocks.switch(1000, frozenset({0}))
    assert clocks.remaining(0, 11_000) == 50_000
    clocks.switch(11_000, frozenset({0}))  # a step of a longer turn
    clocks.switch(21_000, frozenset({1}))
    assert clocks.remaining(0, 99_000) == 45_000
    assert clocks.remaining(1, 31_000) == 50_000
    assert clocks.deadline == 21_000 + MINUTE
    assert clocks.expired(21_000 + MINUTE) == [1]


def test_taking_a_turn_back_takes_its_gain_back():
    clocks = Clocks(ClockSettings("live", minutes=1, increment=5))
    clocks.reset(2)
    clocks.switch(0, frozenset({0}))
    clocks.switch(10_000, frozenset({1}))
    clocks.switch(20_000, frozenset({0}), back=True)
    assert clocks.remaining(0, 20_000) == 50 * SECOND
    assert clocks.remaining(1, 20_000) == 50 * SECOND


def test_a_slow_clock_begins_anew_with_every_turn():
    clocks = Clocks(ClockSettings("slow", days=2))
    clocks.reset(2)
    clocks.switch(0, frozenset({0, 1}))
    clocks.switch(DAY, frozenset({0}))
    assert clocks.remaining(0, DAY) == DAY
    clocks.switch(DAY, frozenset({1}))
    assert clocks.remaining(1, DAY) == 2 * DAY


def test_without_clocks_there_is_no_time():
    clocks = Clocks(ClockSettings())
    clocks.reset(2)
    clocks.switch(0, frozenset({0}))
    assert clocks.remaining(0, 10) is None
    assert clocks.deadline is None


@pytest.mark.parametrize("rule", ["bot", "lose"])
def test_when_time_runs_out_the_tables_rule_decides(anna, bela, rule):
    table = anna.found("targui", "me", "open", clock={"kind": "live", "minutes": 0.01}, time_out=rule, substitute="random")
    begun = bela.act(table, "seats")
    assert 0 < begun["seats"][0]["clock"] <= 600
    if rule == "lose":
        over = until(lambda: (one := anna.look(table))["status"] == "over" and one)
        assert over["result"]["end"] == "time"
        assert over["result"]["ranking"] == [2, 1]
    else:
        until(lambda: anna.look(table)["seats"][0]["kind"] == "bot")
        until(lambda: anna.look(table)["status"] != "playing" or anna.look(table)["seats"][1]["kind"] == "bot")
        assert anna.look(table)["seats"][0]["name"] == "Anna"


def test_computer_players_and_empty_seats_have_no_clock_that_runs_out(anna):
    table = anna.found("targui", "me", "greedy", clock={"kind": "live", "minutes": 60, "increment": 1})
    table = anna.play(table)
    until(lambda: anna.look(table)["pending"] == [0])
    assert anna.look(table)["seats"][1]["clock"] == 60 * MINUTE
    assert anna.look(table)["seats"][0]["clock"] < 60 * MINUTE + SECOND


def test_a_clock_without_time_is_refused(anna):
    assert anna.found("targui", "me", "greedy", clock={"kind": "live"}, status=422)["error"] == "bad_clock"
