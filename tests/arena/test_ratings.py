"""Ratings recover strengths that are known."""

import math
import random

import pytest

from azalai.arena.match import GameResult
from azalai.arena.ratings import rate


def results(strengths, seats, games, seed=1):
    """Games drawn from the model itself."""
    chance = random.Random(seed)
    rows = []
    for number in range(games):
        table = chance.sample(list(strengths), seats)
        order, left = [], table.copy()
        while left:
            pick = chance.choices(left, [strengths[name] for name in left])[0]
            left.remove(pick)
            order.append(pick)
        places = tuple(order.index(name) + 1 for name in table)
        rows.append(GameResult(str(number), tuple(table), places, (0,) * seats, 0, ""))
    return rows


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_strengths_are_found_again(seats):
    strengths = {"a": 1.0, "b": 2.0, "c": 4.0, "d": 8.0}
    table = {one.player: one for one in rate(results(strengths, seats, 3000))}
    mean = sum(math.log(one) for one in strengths.values()) / 4
    for name, strength in strengths.items():
        truth = (math.log(strength) - mean) * 400 / math.log(10)
        assert abs(table[name].rating - truth) < 25
        assert table[name].low - 8 < truth < table[name].high + 8


def test_a_player_without_a_loss_has_a_finite_rating():
    rows = [GameResult(str(n), ("a", "b"), (1, 2), (0, 0), 0, "") for n in range(20)]
    best, worst = rate(rows)
    assert best.player == "a"
    assert 0 < best.rating < 1000
    assert best.high > best.rating > best.low > worst.rating


def test_ties_are_even():
    rows = [GameResult(str(n), ("a", "b"), (1, 1), (0, 0), 0, "") for n in range(50)]
    assert all(abs(one.rating) < 1e-6 for one in rate(rows))


def test_one_among_two_copies_of_another_is_as_strong_when_it_wins_a_third():
    orders = [(1, 2, 3), (2, 1, 3), (3, 1, 2)] * 9
    rows = [GameResult(str(n), ("a", "b", "b"), places, (0, 0, 0), 0, "") for n, places in enumerate(orders)]
    assert all(abs(one.rating) < 1e-3 for one in rate(rows))
