"""Settings against each other."""

import azalai
from azalai.bots.levels import levels, searches
from tools.trial import player, win


def test_a_player_is_made_from_the_settings_in_a_ladders_row():
    game = azalai.game("targi")
    position = game.new(seed=1)
    for name, one in (("search4", searches(game)[3]), ("2", levels(game)[1]), ("5", levels(game)[4])):
        made, named = player(game, one.settings, 1), azalai.bot(name, game, seed=1)
        assert type(made) is type(named)
        assert made.choose(position) == named.choose(position)


def test_the_one_sits_at_every_seat_of_a_deal():
    game = azalai.game("targi")
    assert sum(win(game, "greedy", "random", 2, 1, number) for number in range(4)) == 4
    assert sum(win(game, "random", "greedy", 2, 1, number) for number in range(4)) == 0
