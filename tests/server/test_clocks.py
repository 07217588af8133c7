"""Clocks: server time decides."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

import azalai
from azalai.server import server_time
from azalai.server.clocks import DAY, MINUTE, SECOND, Clocks, ClockSettings
from azalai.server.commands import time_out
from azalai.server.store import Store
from azalai.server.table import BOT, HUMAN, OPEN, Entry, Table
from tests.server.running import Guest, InThread, Process, quick, until


class Played:
    """A table of two people at which entries are applied at given times."""

    def __init__(self, **clock: Any) -> None:
        row = {"id": "t", "rules": 1, "options": {}, "seed": 1, "public": False, "creator": "g0", "created": 0}
        self.table = Table(azalai.game("targui"), {**row, "setup": {"seats": 2, "clock": clock}})
        self.at = 0
        for seat in (0, 1):
            self.sit(seat)
        self.add("start")

    def add(self, kind: str, seat: int | None = None, /, **data: Any) -> None:
        self.table.apply(Entry(kind, seat, data, self.table.number + 1, self.at))

    def sit(self, seat: int, kind: str = HUMAN) -> None:
        self.add("sit", seat, kind=kind, guest=f"g{seat}", bot="random" if kind == BOT else None)

    def wait(self, seconds: float) -> None:
        self.at += int(seconds * SECOND)

    def play(self) -> int:
        """Play the first legal move of the seat whose turn it is; return the seat."""
        assert self.table.position is not None
        (seat,) = self.table.pending
        self.add("move", seat, move=self.table.position.moves()[0].text)
        return seat

    def play_turn(self, seat: int) -> None:
        """Play until the turn of `seat` is over."""
        while seat in self.table.pending:
            self.play()

    def left(self, seat: int) -> float:
        """The seconds left to a seat."""
        left = self.table.clocks.remaining(seat, self.at)
        assert left is not None
        return left / SECOND


def test_a_live_clock_runs_for_who_is_asked_and_gains_at_the_end_of_a_turn():
    clocks = Clocks(ClockSettings("live", minutes=1, increment=5))
    clocks.reset(2)
    switch(clocks, 1000, {0}, 0)
    assert clocks.remaining(0, 11_000) == 50_000
    switch(clocks, 11_000, {0}, 1)  # a step of a longer turn
    switch(clocks, 21_000, {1}, 2)
    assert clocks.remaining(0, 99_000) == 45_000
    assert clocks.remaining(1, 31_000) == 50_000
    assert clocks.deadline == 21_000 + MINUTE
    assert clocks.expired(21_000 + MINUTE) == [1]


def switch(clocks: Clocks, at: int, people: set[int], ply: int) -> None:
    clocks.switch(at, frozenset(people), frozenset(people), ply)


def test_taking_a_turn_back_takes_its_gain_back():
    game = Played(kind="live", minutes=1, increment=5)
    game.wait(10)
    game.play_turn(0)
    assert (game.left(0), game.left(1)) == (55, 60)
    game.wait(10)
    game.add("undo", 0, to=0)
    assert (game.left(0), game.left(1)) == (50, 50)


def test_a_slow_clock_begins_anew_with_every_turn():
    clocks = Clocks(ClockSettings("slow", days=2))
    clocks.reset(2)
    switch(clocks, 0, {0, 1}, 0)
    switch(clocks, DAY, {0}, 1)
    assert clocks.remaining(0, DAY) == DAY
    switch(clocks, DAY, {1}, 2)
    assert clocks.remaining(1, DAY) == 2 * DAY


@pytest.mark.parametrize("clock", [{"kind": "live", "minutes": 1, "increment": 60}, {"kind": "slow", "days": 60 / 86_400}])
def test_who_comes_back_for_a_substitute_has_the_time_that_was_left(clock):
    game = Played(**clock)
    for used in range(1, 6):
        game.wait(10)
        game.sit(0, BOT)
        game.wait(10)
        game.sit(0)
        assert game.left(0) == 60 - 10 * used


@pytest.mark.parametrize("clock", [{"kind": "live", "minutes": 1, "increment": 60}, {"kind": "slow", "days": 60 / 86_400}])
def test_leaving_a_seat_does_not_stop_its_clock(clock):
    game = Played(**clock)
    game.wait(10)
    game.sit(0, OPEN)
    game.wait(10)
    assert game.left(0) == 40
    game.sit(0)
    assert game.left(0) == 40
    game.sit(0, OPEN)
    game.wait(41)
    assert game.table.clocks.expired(game.at) == [0]
    assert [(entry.kind, entry.data["kind"]) for entry in time_out(game.table, game.at)] == [("sit", BOT)]


def test_a_seat_that_was_left_has_no_clock_while_others_decide():
    game = Played(kind="live", minutes=1)
    game.sit(1, OPEN)
    game.wait(30)
    game.play_turn(0)
    game.wait(5)
    assert (game.left(0), game.left(1)) == (30, 55)


def test_the_turns_of_a_substitute_gain_nothing():
    game = Played(kind="live", minutes=1, increment=5)
    game.wait(10)
    game.sit(0, BOT)
    game.play_turn(0)
    game.play_turn(1)
    game.sit(0)
    assert game.left(0) == 50
    game.wait(1)
    game.play_turn(0)
    assert game.left(0) == 54


def test_a_slow_clock_begins_anew_for_who_comes_back_in_a_later_turn():
    game = Played(kind="slow", days=2)
    game.wait(2 * 86_400)
    game.sit(0, BOT)
    assert game.table.clocks.used_up(0)
    game.play_turn(0)
    assert not game.table.clocks.used_up(0)
    game.play_turn(1)
    game.sit(0)
    assert game.left(0) == 2 * 86_400


@pytest.mark.parametrize("clock", [{"kind": "live", "minutes": 1, "increment": 5}, {"kind": "slow", "days": 60 / 86_400}])
def test_playing_and_undoing_again_and_again_wins_no_time(clock):
    game = Played(**clock)
    for used in range(1, 120):
        game.wait(0.5)
        game.play_turn(0)
        game.add("undo", 0, to=0)
        assert game.left(0) == 60 - used / 2


def test_time_used_in_live_turns_that_are_taken_back_is_used():
    """Someone who always goes back several turns cannot think longer than someone who never does."""
    game = Played(kind="live", minutes=1, increment=5)
    thought = 0.0
    for _ in range(20):
        for _ in range(3):
            thinks = max(0, game.left(0) - 1)
            thought += thinks
            game.wait(thinks)
            game.play_turn(0)
            game.play_turn(1)
        game.add("undo", 0, to=0)
    assert 60 < thought <= 60 + 3 * 5


def test_time_used_in_slow_turns_that_are_taken_back_is_used():
    game = Played(kind="slow", days=60 / 86_400)
    for used in range(1, 6):
        game.wait(10)
        game.play_turn(0)
        game.wait(10)
        game.play_turn(1)
        game.wait(5)
        game.add("undo", 0, to=0)
        assert game.left(0) == 60 - 10 * used
    game.play_turn(0)
    assert game.left(1) == 60  # it was not this player's wish
    game.play_turn(1)
    assert game.left(0) == 60 - 5 * 5
    game.play_turn(0)
    game.play_turn(1)
    assert game.left(0) == 60


def test_without_clocks_there_is_no_time():
    clocks = Clocks(ClockSettings())
    clocks.reset(2)
    switch(clocks, 0, {0}, 0)
    assert clocks.remaining(0, 10) is None
    assert clocks.deadline is None


def test_who_has_no_time_left_cannot_come_back(anna, bela):
    table = anna.found("targui", "me", "open", clock={"kind": "live", "minutes": 0.01, "increment": 5}, substitute="random")
    bela.act(table, "seats")
    until(lambda: anna.look(table)["seats"][0]["kind"] == "bot")
    assert anna.act(table, "seats", {"seat": 0}, 409)["error"] == "time_out"


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


# ---------------------------------------------------------------- the machine's clock


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Lets the machine's clock jump by some seconds; the server's time is right again afterwards."""
    true_clock, offset = time.time_ns, server_time._offset
    yield lambda seconds: monkeypatch.setattr(time, "time_ns", lambda: true_clock() + seconds * 10**9)
    server_time._offset = offset


def restarted(machine: Any, jump: int) -> None:
    """Do what a new process does first: take the time from the machine's clock."""
    machine(jump)
    server_time.set_time(time.time_ns() // 1_000_000)


def live_game(anna: Guest, bela: Guest) -> Any:
    return bela.act(anna.found("targui", "me", "open", clock={"kind": "live", "minutes": 10}), "seats")


def lost_no_more_than_has_passed(guest: Guest, table: Any, began: float) -> None:
    """The first seat's clock runs, and has lost no more since `began` than has really passed, however busy the machine is."""
    until(lambda: guest.look(table)["seats"][0]["clock"] < 10 * MINUTE - SECOND // 2)
    seat = guest.look(table)["seats"][0]
    passed = 1000 * (time.monotonic() - began)
    assert seat["clock"] > 10 * MINUTE - passed - SECOND
    assert seat["kind"] == "human"


@pytest.mark.parametrize("jump", [3600, -3600])
def test_a_jump_of_the_machines_clock_harms_no_game_clock(anna, bela, machine, jump):
    began = time.monotonic()
    table = live_game(anna, bela)
    machine(jump)
    lost_no_more_than_has_passed(anna, table, began)
    table = anna.play(anna.look(table))
    assert table["status"] == "playing"
    assert [seat["kind"] for seat in table["seats"]] == ["human", "human"]


@pytest.mark.parametrize("boot", ["the same", "another"])
@pytest.mark.parametrize("jump", [3600, -3600])
def test_a_jump_between_two_runs_harms_no_game_clock(tmp_path, machine, monkeypatch, boot, jump):
    """A machine that was started anew has nothing but its clock; it may not go back."""
    if boot == "another" and jump > 0:
        pytest.skip("whether the clock has jumped or the machine was off for so long cannot be known")
    database = f"sqlite:///{tmp_path / 'azalai.db'}"
    began = time.monotonic()
    with InThread(quick(database)) as server:
        anna, bela = Guest(server.address), Guest(server.address)
        table = live_game(anna, bela)
    monkeypatch.setattr(server_time, "boot_id", lambda: boot if boot == "another" else true_boot)
    restarted(machine, jump)
    with InThread(quick(database)) as server:
        anna = anna.moved_to(server.address)
        lost_no_more_than_has_passed(anna, table, began)
        anna.http.close()
        bela.http.close()


true_boot = server_time.boot_id()


def test_processes_agree_on_the_time_though_the_clock_has_jumped_between_their_starts(postgres, machine, monkeypatch):
    database = postgres.database("time")
    with Process(database):
        right = server_time.now()

        async def start_time(store: Store) -> None:
            server_time.set_time(right + 3_600_000)

        monkeypatch.setattr("azalai.server.server.start_time", start_time)
        with InThread(quick(database)):
            assert 0 <= server_time.now() - right < 60_000
