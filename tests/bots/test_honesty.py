"""No player knows more than its seat: whatever is hidden may be different, the choice is the same."""

from dataclasses import replace

import pytest

import azalai
from azalai.bots import BASELINES, play_as
from azalai.bots.levels import levels, searches

TABLES = [("targui", 2), ("tuareg", 3), ("timbuktu", 3), ("targi", 2)]
MOMENTS = 6
WORK = 150  # iterations are enough to see whether a level looks where it must not


def moments(name, seats):
    """Positions from all parts of a greedy game, some in the middle of a move."""
    game = azalai.game(name)
    position = game.new(seats, seed=11)
    greedy = azalai.bot("greedy", game, seed=1)
    everything = []
    while not position.over:
        if len(position.moves()) > 1:
            everything.append(position.copy())
        position.play(greedy.choose(position.seen_by(position.seat)))
    return everything[:: max(1, len(everything) // MOMENTS)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_is_hidden_changes_no_choice(name, seats):
    game = azalai.game(name)
    makers = [lambda name=name: azalai.bot(name, game, seed=5) for name in BASELINES]
    strengths = {replace(one, iterations=min(WORK, one.iterations)) for one in (*levels(name), *searches(name))}
    makers += [lambda one=one: play_as(game, one, 5) for one in strengths]
    for position in moments(name, seats):
        other = position.seen_by(position.seat).imagine(seed=99)  # another truth, the same to this seat
        assert other.tobytes() != position.tobytes()
        for make in makers:
            assert make().choose(position) == make().choose(other)
