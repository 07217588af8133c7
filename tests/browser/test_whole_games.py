"""A whole game of each, from the start page to the end, by clicking the board."""

from __future__ import annotations

import pytest

from tests.browser.visitor import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_game_against_computers_is_played_by_clicking_the_board(visit, game):
    anna = visit()
    anna.set_up(game, "More choices", level="Caravan boy")
    assert anna.finish() > 10
    assert "win" in anna.page.locator(".ending").get_by_role("heading").first.inner_text()
