"""How well the look-ahead player does with this game's judgement of positions."""

from __future__ import annotations

import pytest

from azalai.arena.simulate import simulate
from azalai.engine.dispatch import evaluate
from azalai.engine.rule import numbers
from tests.games.tuareg.table import TUAREG, finish_round, table


@pytest.mark.parametrize(("seats", "games", "share"), [(2, 100, 0.95), (4, 100, 0.6)])
def test_greedy_beats_players_who_move_at_random(seats, games, share):
    results = simulate(TUAREG, ["greedy"] + ["random"] * (seats - 1), games, seed=3)
    assert results.by_player["greedy"].share[0] >= share


def judged(position) -> list[float]:
    values = numbers(5, float)
    evaluate(position.state, position.game.weights[0], values)
    return [float(value) for value in values[: position.seats]]


def test_a_lead_in_goods_is_judged_better_than_none():
    ahead, behind = judged(table(loads={(0, "camel1"): "water water", (1, "camel1"): "millet"}))
    assert 0 < behind < ahead < 1


def test_a_finished_game_is_judged_by_its_winner():
    position = table(hands={0: "salt", 1: "gold"}, maps={0: 1}, deck="", turns_left=0, stage=2)
    finish_round(position)
    first, second = judged(position)
    assert first > 0.9
    assert second < 0.1
