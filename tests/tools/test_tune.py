"""Weights that are bad get better; the file keeps its remarks."""

import numpy as np

import azalai
from azalai.engine.game import weights_of
from tools.tune import improve, match, rewrite


def test_a_player_with_foolish_weights_is_beaten_by_the_games_own():
    game = azalai.game("targui")
    foolish = {name: np.array(game.weights[name][0]) for name in game.weights.dtype.names}
    foolish["camel"] = foolish["camel"] * 30
    share, error = match(game, 2, weights_of(foolish), 60, seed=1)
    assert share + error < 0.5


def test_an_improvement_stays_near_and_keeps_all_names():
    game = azalai.game("targui")
    new = improve(game, 2, generations=2, deals=2, seed=1)
    assert new.dtype == game.weights.dtype
    ratios = [new[name][0] / game.weights[name][0] for name in new.dtype.names]
    assert all(0.3 < ratio < 3 for ratio in ratios)
    assert any(ratio != 1 for ratio in ratios)


def test_a_file_is_rewritten_with_its_remarks():
    text = "# What things are worth.\ncamel = 0.5  # each\nrow = [1.0, 2.0]\n"
    new = weights_of({"camel": 0.123456, "row": [3.0, 4.0]})
    assert rewrite(text, new) == "# What things are worth.\ncamel = 0.123  # each\nrow = [3.0, 4.0]\n"


def test_every_game_has_weights_and_they_are_numbers():
    for name in azalai.games():
        game = azalai.game(name)
        assert "none" not in game.weights.dtype.names
        assert all(np.isfinite(game.weights[one]).all() for one in game.weights.dtype.names)
