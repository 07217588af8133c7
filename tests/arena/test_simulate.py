"""Many games between baselines."""

import pytest

from azalai.arena.simulate import simulate
from azalai.arena.tally import share_interval
from azalai.engine.errors import BadOption
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


def test_players_of_one_name_are_counted_together():
    results = simulate(NIM, ["random", "random"], 100)
    assert results.by_player["random"].games == 200
    assert results.by_player["random"].share[0] == 0.5


def test_progress_counts_every_game():
    told: list[int] = []
    simulate(NIM, ["random", "random"], 777, progress=told.append)
    assert sum(told) == 777


@pytest.mark.parametrize(
    ("players", "games", "complaint"),
    [
        (["random"], 5, "nim is for 2 players, not 1"),
        (["random", "5"], 5, "no player '5'"),
        (["random", "random"], 0, "at least 1"),
    ],
)
def test_bad_wishes_are_refused(players, games, complaint):
    with pytest.raises(BadOption, match=complaint):
        simulate(NIM, players, games)


def test_wilson_intervals_are_the_published_ones():
    """Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611."""
    assert share_interval(81, 263) == pytest.approx((81 / 263, 0.2553, 0.3662), abs=1e-4)
    assert share_interval(0, 20) == pytest.approx((0, 0, 0.1611), abs=1e-4)
