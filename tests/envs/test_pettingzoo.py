"""The games as PettingZoo environments."""

import random
import warnings

import numpy as np
import pytest

import azalai
from azalai.engine.errors import BadOption, IllegalMove
from tests.harness.play import EVERY_GAME, EVERY_TABLE

pettingzoo = pytest.importorskip("pettingzoo")
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's tests load an old environment, where pygame is installed
    from pettingzoo.test import api_test, render_test, seed_test

from azalai.envs.pettingzoo import env, raw_env  # noqa: E402

every_game = pytest.mark.parametrize("name", EVERY_GAME)
every_table = pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)

# PettingZoo knows by name which environments may have masks in their observations, and reminds all others.
with_masks = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]


def masked(test):
    for mark in with_masks:
        test = mark(test)
    return test


@every_table
@masked
def test_pettingzoos_own_test_of_the_interface_passes(name, seats):
    api_test(env(name, seats), num_cycles=2000)


@every_table
def test_pettingzoos_own_test_of_seeds_passes(name, seats):
    seed_test(lambda: env(name, seats), num_cycles=500)


@every_game
def test_pettingzoos_own_test_of_pictures_passes(name, capsys):
    render_test(lambda render_mode: env(name, render_mode=render_mode))
    assert len(capsys.readouterr().out) > 1000


@every_table
def test_a_game_ends_for_all_with_rewards_that_add_up_to_nothing(name, seats):
    table = env(name, seats)
    table.reset(seed=3)
    chance = random.Random(3)
    total = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, termination, truncation, _ = table.last()
        total[agent] += reward
        over = termination or truncation
        table.step(None if over else chance.choice(np.flatnonzero(observation["action_mask"])))
    position = table.unwrapped.position
    assert position.over
    assert sum(total.values()) == pytest.approx(0, abs=1e-6)
    best = max(total.values())
    assert [reward == best for reward in total.values()] == [place == 1 for place in position.ranking]


@every_game
def test_pettingzoo_makes_our_environments_by_name(name):
    table = pettingzoo.make("aec", f"azalai/{name}-v1")
    assert isinstance(table.unwrapped, raw_env)
    assert str(table.unwrapped) == f"azalai_{name}_v1"


@every_game
def test_a_seed_deals_the_game_that_new_deals_and_goes_on_from_there(name):
    table = raw_env(name)
    table.reset(seed=5)
    assert table.position == azalai.game(name).new(seed=5)
    table.reset()
    second = table.position
    table.reset(seed=5)
    table.reset()
    assert table.position == second
    assert second.seed != 5


@every_game
def test_an_agent_sees_no_more_than_it_may(name):
    """Whatever it cannot know may be otherwise: its observation stays the same."""
    table = raw_env(name)
    table.reset(seed=9)
    for _ in range(60):
        agent = table.agent_selection
        observation = table.observe(agent)
        table.step(int(np.flatnonzero(observation["action_mask"])[0]))
        if table.position.over:
            break
        for seat, other in enumerate(table.agents):
            twin = table.position.seen_by(seat).imagine(1)
            assert (table.observe(other)["observation"] == twin.observe(seat)).all()


def test_agents_are_told_conclusions_where_they_are_asked_for():
    table = env("timbuktu", conclusions=True)
    table.reset(seed=9)
    seen = table.observe(table.agent_selection)["observation"]
    assert seen in table.observation_space(table.agent_selection)["observation"]
    assert (seen == table.unwrapped.position.observe(conclusions=True)).all()
    assert len(seen) > azalai.game("timbuktu").observation.size


@every_game
@pytest.mark.filterwarnings("ignore:.*Illegal move made:UserWarning")
def test_an_illegal_move_loses(name):
    table = env(name)
    table.reset(seed=1)
    observation, *_ = table.last()
    agent = table.agent_selection
    table.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert table.terminations[agent]
    assert table.unwrapped._cumulative_rewards[agent] == -1
    bare = raw_env(name)
    bare.reset(seed=1)
    with pytest.raises(IllegalMove):
        bare.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))


def test_bad_wishes_are_refused():
    with pytest.raises(BadOption):
        env(EVERY_GAME[0], seats=9)
    with pytest.raises(BadOption, match="no option 'nonsense'"):
        env(EVERY_GAME[0], nonsense=1)
