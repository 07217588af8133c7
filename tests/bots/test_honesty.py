"""No player knows more than its seat: whatever is hidden may be different, the choice is the same."""

import pytest

import azalai
from azalai.bots import BASELINES, LEVELS

QUICK = (*BASELINES, *LEVELS[:5])  # the sixth differs from the fifth in nothing but work and temperature
TABLES = [("targui", 2), ("tuareg", 3), ("timbuktu", 3), ("targi", 2)]
MOMENTS = 6


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
    different = 0
    for position in moments(name, seats):
        other = position.seen_by(position.seat).imagine(seed=99)  # another truth, the same to this seat
        different += other.tobytes() != position.tobytes()
        for player in QUICK:
            one, two = (azalai.bot(player, game, seed=5).choose(truth) for truth in (position, other))
            assert one == two, (player, position)
    assert different == len(moments(name, seats))
