"""Many games between computer players."""

import hashlib
import json
from pathlib import Path

import pytest

import azalai
from azalai.arena.series import Series
from azalai.arena.simulate import simulate
from azalai.arena.tally import share_interval
from azalai.engine.errors import BadOption
from azalai.engine.playing import DECISIONS, GAME
from tests.engine.nim import NIM


def test_every_game_has_one_win_to_share_among_players_and_among_seats():
    results = simulate(NIM, ["greedy", "random"], 501, seed=2, threads=2)
    assert results.games == 501
    assert sum(tally.wins for tally in results.by_player.values()) == pytest.approx(501)
    assert sum(tally.wins for tally in results.by_seat) == pytest.approx(501)
    assert sum(results.ends.values()) == 501
    assert results.by_player["greedy"].share[1] > 0.9
    assert results.shortest <= results.length[0] <= results.longest


def test_threads_change_nothing():
    one, two = (simulate(NIM, ["greedy", "random"], 400, seed=7, threads=threads).as_dict() for threads in (1, 2))
    assert one == two


RECORDED = json.loads(
    Path(__file__).with_name("series.json").read_text(encoding="utf-8")
)  # digests of rows, written by an earlier version


@pytest.mark.parametrize("key", RECORDED)
def test_the_same_seed_gives_the_same_games_as_ever(key):
    name, seats, players = key.split("/")
    first, count = ("greedy", 60) if players.startswith("greedy") else ("random", 300)
    series = Series.of(azalai.game(name), [first, *["random"] * (int(seats) - 1)], 5)
    assert hashlib.sha256(series.play(7, count).rows.astype("int32").tobytes()).hexdigest()[:16] == RECORDED[key]


def test_logging_decisions_changes_no_game_and_fills_the_log_more_than_once(monkeypatch):
    monkeypatch.setattr("azalai.arena.series.LOG_ROOM", 1)
    plain, logged = (Series.of(NIM, ["greedy", "random"], 5, decisions=decisions).play(3, 60) for decisions in (False, True))
    assert plain.log is None
    assert logged.log is not None
    assert (plain.rows == logged.rows).all()
    assert len(logged.log) == logged.rows[:, DECISIONS].sum() > NIM.longest
    assert sorted(set(logged.log[:, GAME].tolist())) == list(range(3, 63))


def test_players_of_one_name_are_counted_together():
    results = simulate(NIM, ["random", "random"], 100)
    assert results.by_player["random"].games == 200
    assert results.by_player["random"].share[0] == 0.5


def test_searching_players_can_be_simulated_too():
    one, two = (simulate(NIM, ["2", "random"], 12, seed=3, threads=threads).as_dict() for threads in (1, 2))
    assert one == two
    assert one["by_player"]["2"]["share"][0] > 0.8


def test_progress_counts_every_game():
    told: list[int] = []
    simulate(NIM, ["random", "random"], 777, progress=told.append)
    assert sum(told) == 777


def test_games_may_begin_anywhere():
    """The games from 40 on are those that a longer series has there."""
    whole = simulate(NIM, ["greedy", "random"], 100, seed=5)
    parts = [simulate(NIM, ["greedy", "random"], count, seed=5, first=first) for first, count in ((0, 40), (40, 60))]
    assert whole.decisions == sum(part.decisions for part in parts)
    assert whole.by_player["greedy"].wins == sum(part.by_player["greedy"].wins for part in parts)


@pytest.mark.parametrize(
    ("players", "games", "extra", "complaint"),
    [
        (["random"], 5, {}, "nim is for 2 players, not 1"),
        (["random", "nobody"], 5, {}, "no player 'nobody'"),
        (["random", "random"], 0, {}, "at least 1"),
        (["random", "random"], 5, {"on": "paper"}, "here or on ray, not on 'paper'"),
        (["random", "random"], 5, {"decisions": True}, "name one"),
        (["random", "random"], 5, {"seed": -1}, "a seed is a number"),
    ],
)
def test_bad_wishes_are_refused(players, games, extra, complaint):
    with pytest.raises(BadOption, match=complaint):
        simulate(NIM, players, games, **extra)


def test_wilson_intervals_are_the_published_ones():
    """Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611."""
    assert share_interval(81, 263) == pytest.approx((81 / 263, 0.2553, 0.3662), abs=1e-4)
    assert share_interval(0, 20) == pytest.approx((0, 0, 0.1611), abs=1e-4)
