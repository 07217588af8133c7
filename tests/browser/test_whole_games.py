"""Each game from the start page to the end, by clicking the board."""

from __future__ import annotations

import pytest

from tests.browser.moments import every_decision, shortly_before_the_end
from tests.browser.screenshots import sit_down
from tests.browser.visitor import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_game_against_computers_is_begun_on_the_start_page_and_played_by_clicking_the_board(visit, game):
    anna = visit()
    anna.set_up(game, "More choices", level="Caravan boy")
    for _ in range(10):
        assert anna.step() != "over"


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_decision_is_made_by_clicking_the_board(visit, game):
    anna = visit()
    for record in every_decision(game).values():
        sit_down(anna, record, "greedy")
        anna.step()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_clicking_the_board(visit, game):
    anna = visit()
    sit_down(anna, shortly_before_the_end(game), "greedy")
    anna.finish()
    assert "win" in anna.page.locator(".ending").get_by_role("heading").first.inner_text()
