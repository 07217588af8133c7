"""Many games in one array."""

import numpy as np
import pytest

from azalai.engine.errors import BadOption, IllegalMove
from azalai.engine.playing import PlayPlan
from azalai.engine.policies import GREEDY, OUTSIDE
from tests.engine.nim import NIM
from tests.engine.test_observe import OBSERVED


def finished(threads):
    batch = NIM.batch(50, seed=3, threads=threads)
    rewards = np.zeros((50, 2), np.float32)
    while not batch.over.all():
        batch.step(batch.random_moves())
        rewards += batch.rewards
    return batch, rewards


def test_the_number_of_threads_changes_nothing():
    one, three = finished(1), finished(3)
    assert one[0].states.tobytes() == three[0].states.tobytes()
    assert (one[1] == three[1]).all()


def test_with_restarts_too_the_number_of_threads_changes_nothing():
    batches = [OBSERVED.batch(10, seed=3, threads=threads) for threads in (1, 2, 10)]
    for _ in range(200):
        for batch in batches:
            batch.step(batch.random_moves(), restart=True)
        first, *others = batches
        for other in others:
            assert other.states.tobytes() == first.states.tobytes()
            assert (other.legal_mask() == first.legal_mask()).all()
            assert (other.rewards == first.rewards).all()
            assert (other.done == first.done).all()
            assert (other.observe() == first.observe()).all()


def test_game_i_is_game_i_of_its_seed():
    """The first game of a batch is the game that `new` deals."""
    assert NIM.batch(3, seed=8).states[:1].tobytes() == NIM.new(seed=8).tobytes()
    assert NIM.batch(9, seed=8).states[:3].tobytes() == NIM.batch(3, seed=8).states.tobytes()


def test_masks_are_the_legal_moves():
    batch, position = NIM.batch(20, seed=1), NIM.new(seed=1)
    mask = batch.legal_mask()
    assert mask.shape == (20, NIM.moves.count)
    while not position.over:
        assert set(np.flatnonzero(mask[0])) == set(position.move_ids())
        moves = batch.random_moves()
        assert mask[np.arange(20), moves][~batch.over].all()
        batch.step(moves)
        position.play(int(moves[0]))
    assert not mask[0].any()
    assert batch.states[:1].tobytes() == position.tobytes()


def test_random_moves_are_even():
    batch = NIM.batch(20_000, seed=1)
    batch.states[:] = batch.states[0]
    memory = batch._memory
    memory.mask[:], memory.moves[:], memory.counts[:] = memory.mask[0], memory.moves[0], memory.counts[0]
    moves, counts = np.unique(np.concatenate([batch.random_moves(), batch.random_moves()]), return_counts=True)
    expected = 40_000 / memory.counts[0]
    assert set(moves) == set(NIM.new(seed=1).move_ids())
    assert ((counts - expected) ** 2 / expected).sum() < 3 * len(moves)  # chi-square, far beyond chance


def test_an_illegal_move_stops_the_whole_step():
    batch = NIM.batch(4, seed=1, threads=2)
    before = batch.states.tobytes()
    for wrong in (NIM.moves.count, -1, int(np.flatnonzero(~batch.legal_mask()[2])[0])):
        moves = batch.random_moves()
        moves[2] = wrong
        with pytest.raises(IllegalMove, match="not legal in game 2"):
            batch.step(moves)
    with pytest.raises(IllegalMove, match="takes as many moves"):
        batch.step(moves[:2])
    assert batch.states.tobytes() == before


def test_writing_into_a_mask_makes_nothing_legal():
    batch = NIM.batch(1, seed=1)
    wrong = int(np.flatnonzero(~batch.legal_mask()[0])[0])
    batch.legal_mask()[0, wrong] = True
    with pytest.raises(IllegalMove, match="not legal"):
        batch.step([wrong])


def test_the_rewards_of_a_finished_game_add_up_to_nothing():
    _, rewards = finished(1)
    assert (rewards.sum(axis=1) == 0).all()
    assert (np.abs(rewards) == 1).all()


def test_games_that_are_over_stay_as_they_are():
    batch, _ = finished(1)
    before = batch.states.tobytes()
    batch.step(np.zeros(50))
    assert batch.states.tobytes() == before
    assert not batch.done.any()
    assert not batch.rewards.any()


def test_restart_deals_new_games_where_old_ones_are_over():
    batch, _ = finished(1)
    first = batch.states.copy()
    assert batch.restart() == 50
    assert not batch.over.any()
    assert batch.legal_mask().any(axis=1).all()
    assert batch.restart() == 0
    fresh = {row.tobytes() for row in batch.states}
    assert len(fresh) == 50
    assert not fresh & {row.tobytes() for row in first}


def test_restarting_at_once_is_stepping_and_then_restarting():
    one, other = NIM.batch(30, seed=4), NIM.batch(30, seed=4)
    ended = 0
    for _ in range(300):
        one.step(one.random_moves(), restart=True)
        other.step(other.random_moves())
        other.restart()
        assert one.states.tobytes() == other.states.tobytes()
        assert (one.done == other.done).all()
        assert (one.rewards == other.rewards).all()
        assert (one.legal_mask() == other.legal_mask()).all()
        ended += int(one.done.sum())
    assert ended > 30


def test_dealing_again_begins_with_the_same_games():
    batch = NIM.batch(7, seed=4)
    before = batch.states.tobytes()
    for _ in range(50):
        batch.step(batch.random_moves(), restart=True)
    batch.deal()
    assert batch.states.tobytes() == before


def test_concealed_records_are_what_a_seat_may_know():
    batch = NIM.batch(5, seed=2)
    own = batch.seen_by()
    assert (own["secret"][:, 0] > 0).all()
    assert (own["secret"][:, 1] == 0).all()
    assert (own["rng"] == 0).all()
    assert (batch.seen_by(1)["secret"][:, 0] == 0).all()


def test_observations_may_be_of_one_seat_or_of_one_per_game():
    batch = OBSERVED.batch(6, seed=2)
    seats = np.array([0, 1, 0, 1, 1, 0])
    mixed = batch.observe(seats, out=np.empty((6, OBSERVED.observation.size), np.float32))
    for game, seat in enumerate(seats):
        assert (mixed[game] == batch.observe(int(seat))[game]).all()
    assert batch.observe() is batch.observe(1)


def test_observations_are_written_only_into_an_array_of_their_shape():
    batch = OBSERVED.batch(6, seed=2)
    size = OBSERVED.observation.size
    for shape in ((5, size), (6, size - 1), (6, size + 1), (6 * size,)):
        with pytest.raises(BadOption, match=f"observations are 6 rows of {size} columns"):
            batch.observe(out=np.empty(shape, np.float32))


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_arrays_are_shared_without_a_copy(library):
    """Wrapped once, an array shows every later step."""
    wrap = pytest.importorskip(library).from_dlpack
    batch = OBSERVED.batch(6, seed=2)
    mask, rewards, done = (wrap(array) for array in (batch.legal_mask(), batch.rewards, batch.done))
    tensor, seat = wrap(batch.observe()), wrap(batch.seat)
    for _ in range(40):
        batch.step(batch.random_moves(), restart=True)
        batch.observe()
        assert (np.asarray(mask) == batch.legal_mask()).all()
        assert (np.asarray(rewards) == batch.rewards).all()
        assert (np.asarray(done) == batch.done).all()
        assert (np.asarray(tensor) == batch.observe()).all()
        assert (np.asarray(seat) == batch.seat).all()
    assert np.shares_memory(np.asarray(mask), batch.legal_mask())


def test_a_batch_needs_games_and_threads():
    with pytest.raises(BadOption, match="at least one game"):
        NIM.batch(0)
    with pytest.raises(BadOption, match="at least one game and one thread"):
        NIM.batch(5, threads=0)


def test_a_step_may_be_for_some_games_alone():
    batch = NIM.batch(4, seed=2)
    where = np.array([True, False, True, False])
    moves = np.where(where, batch.random_moves(), -1)  # elsewhere any move will do
    before = batch.states[1:2].tobytes()  # a copy of the array would leave out the gaps between fields
    batch.step(moves, where=where)
    assert batch.states["ply"].tolist() == [1, 0, 1, 0]
    assert batch.states[1:2].tobytes() == before
    batch.restart(~where)
    assert batch.dealt.tolist() == [1, 2, 1, 2]


def test_a_place_with_a_seed_of_its_own_plays_the_games_of_that_seed():
    batch = NIM.batch(3, seed=2)
    batch.reseed([7, 8, 9], np.array([True, False, True]))
    batch.restart(np.array([True, False, True]))
    assert batch.seeds.tolist() == [7, 2, 9]
    for place, seed in ((0, 7), (2, 9)):
        assert batch.states[place : place + 1].tobytes() == NIM.new(2, seed).tobytes()


def test_policies_play_up_to_the_seat_that_is_decided_outside():
    batch = NIM.batch(6, seed=2, threads=2)
    turns = np.array([0, 1, 0, 1, 0, 1], np.int8)
    plans = [PlayPlan.of(NIM, (OUTSIDE, GREEDY), hashed=True) for _ in range(2)]
    ended = 0
    for _ in range(200):
        batch.play_on(plans, turns, ~batch.over)
        running = ~batch.over
        assert (batch.seat[running] == turns[running]).all()
        assert (batch.legal_mask().any(axis=1) == running).all()
        assert (batch.rewards[batch.done].sum(axis=1) == 0).all()
        ended += int(batch.done.sum())
        batch.step(batch.random_moves(), restart=True)
        batch.restart()
    assert ended > 5
