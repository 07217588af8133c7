"""What we say of the computer players' strength is what the games say."""

import re

import pytest

import azalai
from tools.strength import PAGE, played, tables


@pytest.mark.parametrize("name", azalai.games())
def test_the_page_tells_what_the_games_of_the_ladder_came_to(name):
    said = re.search(f"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    game = azalai.game(name)
    assert said is not None
    assert said[1] == tables(game, played(game))


@pytest.mark.parametrize("name", azalai.games())
def test_every_level_is_stronger_than_the_one_below(name):
    ladder = played(azalai.game(name))
    neighbours = [one for one in ladder.standings if (one.pairing.one, one.pairing.others) in zip("23456", "12345", strict=True)]
    assert len(neighbours) == 5
    for one in neighbours:
        assert one.games >= (40 if one.pairing.one in "56" else 100)
        assert one.low > one.fair
