"""Many games in one array."""

import numpy as np
import pytest

from azalai.engine.errors import IllegalMove
from tests.engine.nim import NIM


def finished(threads):
    batch = NIM.batch(50, seed=3, threads=threads)
    rewards = np.zeros((50, 5), np.float32)
    while not batch.over.all():
        batch.step_random()
        rewards += batch.rewards
    return batch, rewards


def test_the_number_of_threads_changes_nothing():
    one, two = finished(1), finished(2)
    assert one[0].states.tobytes() == two[0].states.tobytes()
    assert (one[1] == two[1]).all()


def test_game_i_is_game_i_of_its_seed():
    """The first game of a batch is the game that `new` deals."""
    assert NIM.batch(3, seed=8).states[:1].tobytes() == NIM.new(seed=8).tobytes()


def test_masks_are_the_legal_moves():
    batch = NIM.batch(20, seed=1)
    mask = batch.legal_mask()
    assert mask.shape == (20, NIM.moves.count)
    assert set(np.flatnonzero(mask[0])) == set(NIM.new(seed=1).move_ids())
    batch.step(mask.argmax(axis=1))
    assert (batch.seat == 1).all()


def test_an_illegal_move_stops_the_whole_step():
    batch = NIM.batch(4, seed=1)
    before = batch.states.tobytes()
    moves = batch.legal_mask().argmax(axis=1)
    moves[2] = NIM.moves.count
    with pytest.raises(IllegalMove, match="not legal in game 2"):
        batch.step(moves)
    with pytest.raises(IllegalMove, match="takes as many moves"):
        batch.step(moves[:2])
    assert batch.states.tobytes() == before


def test_each_finished_game_has_one_win_to_share():
    _, rewards = finished(1)
    assert (rewards.sum(axis=1) == 1).all()


def test_restart_deals_new_games_where_old_ones_are_over():
    batch, _ = finished(1)
    first = batch.states.copy()
    assert batch.restart() == 50
    assert not batch.over.any()
    assert batch.restart() == 0
    fresh = {row.tobytes() for row in batch.states}
    assert len(fresh) == 50
    assert not fresh & {row.tobytes() for row in first}


def test_an_observation_conceals():
    batch = NIM.batch(5, seed=2)
    own = batch.observe()
    assert (own["secret"][:, 0] > 0).all()
    assert (own["secret"][:, 1] == 0).all()
    assert (own["rng"] == 0).all()
    assert (batch.observe(1)["secret"][:, 0] == 0).all()
