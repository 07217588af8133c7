"""The ratings of computer players are those of the ladder whose games are kept."""

from __future__ import annotations

import pytest

import azalai
from tools import strength


@pytest.mark.parametrize("name", azalai.games())
def test_ratings_of_levels_follow_from_the_games_of_the_ladder(name):
    game = azalai.game(name)
    written = (game.extras / "ratings.toml").read_text(encoding="utf-8")
    assert written == strength.ratings(strength.played(game)), "run python -m tools.strength"
