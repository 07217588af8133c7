"""One seat of a game as a Gymnasium environment."""

from typing import Any

import numpy as np
import pytest

import azalai
from azalai.engine.errors import BadOption
from tests.harness.play import EVERY_GAME, EVERY_TABLE

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from azalai.envs.gymnasium import SeatEnv, SeatVectorEnv  # noqa: E402

every_game = pytest.mark.parametrize("name", EVERY_GAME)
every_table = pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
MODES = tuple(AutoresetMode)


def play(env, seed, choose=np.random.Generator.choice):
    """A whole game by chance; the rewards on the way and the number of steps."""
    chance = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    rewards = []
    while True:
        _, reward, terminated, truncated, info = env.step(int(choose(chance, np.flatnonzero(info["action_mask"]))))
        rewards.append(reward)
        if terminated or truncated:
            return rewards


@every_table
def test_gymnasiums_own_check_passes(name, seats):
    check_env(gymnasium.make(f"azalai/{name}-v1", seats=seats).unwrapped)
    check_env(gymnasium.make(f"azalai/{name}-v1", seats=seats, opponents="greedy", seat=None, render_mode="ansi").unwrapped)


def test_an_environment_tells_conclusions_where_they_are_asked_for():
    known = azalai.game("timbuktu").observation
    pairs: list[tuple[Any, Any]] = [
        (SeatEnv("timbuktu"), SeatEnv("timbuktu", conclusions=True)),
        (SeatVectorEnv("timbuktu", 2), SeatVectorEnv("timbuktu", 2, conclusions=True)),
    ]
    for short, long in pairs:
        (seen, _), (more, _) = short.reset(seed=3), long.reset(seed=3)
        assert seen in short.observation_space
        assert more in long.observation_space
        assert (seen.shape[-1], more.shape[-1]) == (known.size, known.with_conclusions.size)
        assert (more[..., : known.size] == seen).all()


@every_table
def test_a_game_ends_with_the_reward_of_its_place(name, seats):
    env = SeatEnv(name, seats=seats, seat=seats - 1)
    for seed in range(5):
        *before, last = play(env, seed)
        position = env.tables.position(0)
        places = position.ranking
        expected = ((places[-1] == 1) * seats / places.count(1) - 1) / (seats - 1)
        assert position.over
        assert not any(before)
        assert last == pytest.approx(expected, abs=1e-6)


@every_game
def test_greedy_opponents_are_harder_to_beat_than_chance(name):
    won = {}
    for opponents in ("random", "greedy"):
        env = SeatEnv(name, opponents=opponents)
        won[opponents] = np.mean([play(env, seed)[-1] for seed in range(20)])
    assert won["greedy"] < won["random"]


@every_game
def test_any_player_can_be_an_opponent(name):
    """A searching one by its level's number, and an object of one's own."""

    class First:
        def choose(self, position):
            assert position.viewer == position.seat
            return position.moves()[0]

    seats = azalai.game(name).seats[-1]
    guests: list[Any] = [First(), "1", "greedy", "random"]
    env = SeatEnv(name, seats=seats, opponents=guests[: seats - 1])
    chance = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    for _ in range(6):
        _, _, terminated, _, info = env.step(int(chance.choice(np.flatnonzero(info["action_mask"]))))
        assert terminated or env.tables.position(0).seat == 0


@every_game
def test_the_seat_may_change_from_game_to_game(name):
    env = SeatVectorEnv(name, 200, seat=None)
    env.reset(seed=1)
    seats = env.tables.seats
    counts = np.bincount(env.tables.own, minlength=seats)
    assert (np.abs(counts - 200 / seats) < 60).all()
    assert (env.tables.states["seat"] == env.tables.own).all()


@every_game
def test_an_illegal_move_loses_the_game(name):
    env = SeatEnv(name)
    _, info = env.reset(seed=1)
    _, reward, terminated, truncated, _ = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated, truncated) == (-1.0, True, False)


def same(one, other):
    """Whether two vector environments returned the same; arrays of objects are compared one by one."""
    if isinstance(one, dict):
        assert set(one) == set(other)
        for key in one:
            same(one[key], other[key])
    elif isinstance(one, tuple):
        for a, b in zip(one, other, strict=True):
            same(a, b)
    elif one.dtype == object:
        for a, b in zip(one, other, strict=True):
            assert (a is None) == (b is None)
            assert a is None or data_equivalence(a, b, exact=True)
    else:
        assert one.dtype == other.dtype
        assert data_equivalence(one, other, exact=True)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@every_game
def test_the_vector_does_what_gymnasiums_own_vector_does(name, mode):
    """In every autoreset mode, step by step, the same as Gymnasium's vector of single environments."""
    kinds: Any = {"seat": None, "opponents": "random"}
    ours = SeatVectorEnv(name, 5, autoreset_mode=mode, threads=2, **kinds)
    theirs = SyncVectorEnv([lambda: SeatEnv(name, **kinds)] * 5, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] == mode
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    one: Any = ours.reset(seed=3)
    other: Any = theirs.reset(seed=3)
    same(one, other)
    chance = np.random.default_rng(3)
    masks = one[1]["action_mask"]
    ends = 0
    for step in range(2500):
        actions = np.array([chance.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])
        if step % 97 == 0:  # now and then an illegal one
            actions[step % 5] = np.flatnonzero(masks[step % 5] == 0)[0]
        one, other = ours.step(actions), theirs.step(actions)
        same(one, other)
        masks = one[4]["action_mask"]
        ended = one[2] | one[3]
        ends += int(ended.sum())
        if mode == AutoresetMode.DISABLED and ended.any():
            with pytest.raises(gymnasium.error.ResetNeeded):
                ours.step(actions)
            again = [env.reset(options={"reset_mask": ended.copy()}) for env in (ours, theirs)]
            same(again[0][0], again[1][0])
            masks = np.where(ended[:, None], again[0][1]["action_mask"], masks)
        if ends > 12:
            break
    assert ends > 5


@every_game
def test_threads_change_nothing(name):
    vectors = [SeatVectorEnv(name, 7, opponents="greedy", threads=threads) for threads in (1, 3)]
    results: list[Any] = [env.reset(seed=1) for env in vectors]
    for _ in range(20):
        same(*results)
        results = [env.step(results[0][-1]["action_mask"].argmax(axis=1)) for env in vectors]


@every_game
def test_make_vec_makes_our_vector(name):
    env = gymnasium.make_vec(f"azalai/{name}-v1", num_envs=3, opponents="random")
    assert isinstance(env.unwrapped, SeatVectorEnv)
    observations, info = env.reset(seed=1)
    assert observations in env.observation_space
    assert info["action_mask"].shape == (3, azalai.game(name).moves.count)
    assert len(env.unwrapped.render()) == 3
    env.close()


def test_resets_continue_from_the_seed():
    name = EVERY_GAME[0]
    one, other = SeatEnv(name), SeatEnv(name)
    for env in (one, other):
        env.reset(seed=4)
    assert (one.reset()[0] == other.reset()[0]).all()
    assert one.tables.states.tobytes() == other.tables.states.tobytes()


def test_bad_wishes_are_refused():
    name = EVERY_GAME[0]
    with pytest.raises(BadOption, match="there is no seat 9"):
        SeatEnv(name, seat=9)
    with pytest.raises(BadOption, match="2 seats need 1 opponents, or one for all, not 2"):
        SeatEnv("targui", opponents=["greedy", "greedy"])
    with pytest.raises(BadOption, match="no player 'nobody'"):
        SeatEnv(name, opponents="nobody")
    with pytest.raises(ValueError, match="reset_mask"):
        SeatVectorEnv(name, 2).reset(options={"reset_mask": np.zeros(2, bool)})
