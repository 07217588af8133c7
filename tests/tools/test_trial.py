"""Settings against each other."""

import azalai
from azalai.bots.levels import level
from azalai.bots.player import Search
from tools.trial import player, win


def test_a_player_is_made_from_the_settings_in_a_ladders_row():
    game = azalai.game("targi")
    made = player(game, level("targi", 4).settings, 1)
    assert isinstance(made, Search)
    assert made.level.settings == level("targi", 4).settings
    position = game.new(seed=1)
    assert made.choose(position) == azalai.bot("4", game, seed=1).choose(position)


def test_the_one_sits_at_every_seat_of_a_deal():
    game = azalai.game("targi")
    assert sum(win(game, "greedy", "random", 2, 1, number) for number in range(4)) == 4
    assert sum(win(game, "random", "greedy", 2, 1, number) for number in range(4)) == 0
