"""The games inside OpenSpiel."""

import collections
import pickle
import random

import numpy as np
import pytest

import azalai
from azalai.engine.errors import BadOption
from azalai.engine.rng import bits
from tests.harness.play import EVERY_GAME, EVERY_TABLE

pyspiel = pytest.importorskip("pyspiel")

from azalai.envs import openspiel  # noqa: E402

every_game = pytest.mark.parametrize("name", EVERY_GAME)
every_table = pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)


def load(name, seats=None, **parameters):
    players = {} if seats is None else {"players": seats}
    return pyspiel.load_game(f"azalai_{name}", {**players, **parameters})


def wander(state, seed, limit=10_000):
    """Play on by chance, yielding the state before every decision of a player."""
    chance = random.Random(seed)
    for _ in range(limit):
        if state.is_terminal():
            return
        if state.is_chance_node():
            state.apply_action(chance.randrange(len(state.chance_outcomes())))
        else:
            yield state
            state.apply_action(chance.choice(state.legal_actions()))


# ---------------------------------------------------------------- OpenSpiel's own tests


@every_table
def test_openspiels_random_simulation_test_passes(name, seats):
    pyspiel.random_sim_test(load(name, seats), num_sims=2, serialize=True, verbose=False)
    pyspiel.random_sim_test(load(name, seats, chance="sampled"), num_sims=2, serialize=False, verbose=False)


@every_table
def test_openspiels_simulation_test_in_python_passes(name, seats):
    from open_spiel.python.tests import games_sim_test

    games_sim_test.GamesSimTest().sim_game(load(name, seats))


@every_game
def test_openspiels_test_of_the_interface_passes(name):
    from open_spiel.integration_tests import api_test

    class OurGame(api_test.EnforceAPIOnPartialTreeBase):
        game_name = f"azalai_{name}"
        game = load(name)

    OurGame.setUpClass()
    for test in sorted(method for method in dir(OurGame) if method.startswith("test_")):
        getattr(OurGame(test), test)()


# ---------------------------------------------------------------- chance


@every_game
def test_explicit_chance_is_decided_by_its_outcomes_alone(name):
    """The same actions lead to the same state, so a history is a game."""
    state = load(name).new_initial_state()
    for _ in wander(state, 1, limit=300):
        pass
    replayed = load(name).new_initial_state()
    for action in state.history():
        replayed.apply_action(action)
    assert replayed.record == state.record
    assert replayed.memories == state.memories


@every_game
def test_sampled_chance_draws_anew_every_time(name):
    """Players who choose alike in every game: the games differ by chance alone. The same seed gives the same games."""

    def play(game):
        state, choice = game.new_initial_state(), random.Random(1)
        while not state.is_terminal() and state.move_number() < 100:
            if state.is_chance_node():
                assert state.chance_outcomes() == [(0, 1.0)]
            state.apply_action(0 if state.is_chance_node() else choice.choice(state.legal_actions()))
        return state.record

    game = load(name, chance="sampled")
    played = [play(game) for _ in range(5)]
    assert len(set(played)) == 5
    assert play(pyspiel.load_game(f"azalai_{name}(chance=sampled)")) == played[0]


@every_game
def test_the_record_at_rest_holds_no_future(name):
    """Between chance events the generator's words are always the same, so a state tells nothing of what will be drawn."""
    for state in wander(load(name).new_initial_state(), 2, limit=200):
        assert tuple(state.position().state.rng.tolist()) == openspiel.AT_REST


def test_a_generator_can_be_made_to_give_any_number():
    state = azalai.game(EVERY_GAME[0]).new(seed=1).state
    for share in (0.0, 0.25, 0.5, 0.999):
        state.rng[:] = openspiel.generator_words(share, 5)
        assert float(bits(state)) / 2.0**64 == pytest.approx(share)


def test_a_die_is_even_when_its_sides_divide_the_outcomes():
    """The first die of Targui: each side has exactly as many of the 840 outcomes as any other."""
    state = load("targui").new_initial_state()
    chance = random.Random(1)
    while state.chance_of == openspiel.DEAL or not state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    sides: collections.Counter[int] = collections.Counter()
    for outcome, _ in state.chance_outcomes():
        rolled = state.child(outcome)
        sides[int(rolled.position().state.die)] += 1
    assert set(sides.values()) == {840 // 6}


# ---------------------------------------------------------------- knowledge


@every_table
def test_a_resampled_state_cannot_be_told_from_the_true_one(name, seats):
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for index, state in enumerate(wander(load(name, seats).new_initial_state(), 3, limit=400)):
        if index % 20:
            continue
        player = state.current_player()
        for _ in range(3):
            twin = state.resample_from_infostate(player, sampler)
            assert twin.current_player() == player
            assert twin.legal_actions() == state.legal_actions()
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.observation_string(player) == state.observation_string(player)
            assert twin.information_state_tensor(player) == state.information_state_tensor(player)


@every_game
def test_an_information_state_remembers_the_whole_game(name):
    """No two moments of a game are the same to a player, even where all that is to be seen is."""
    game = load(name)
    for seed in range(3):
        strings = [state.information_state_string() for state in wander(game.new_initial_state(), seed, limit=200)]
        assert len(set(strings)) == len(strings)


@every_game
def test_the_tensor_has_the_parts_our_game_names(name):
    game = load(name)
    observation = game.make_py_observer()
    assert list(observation.dict) == list(azalai.game(name).observation.slices)
    for state in wander(game.new_initial_state(), 1, limit=30):
        observation.set_from(state, 0)
        assert (observation.tensor == state.position().observe(0)).all()


def test_an_observer_tells_conclusions_where_they_are_asked_for():
    game = load("timbuktu")
    observation = game.make_py_observer(params={"conclusions": True})
    assert list(observation.dict) == list(azalai.game("timbuktu").observation.with_conclusions.slices)
    for state in wander(game.new_initial_state(), 1, limit=30):
        observation.set_from(state, 0)
        assert (observation.tensor == state.position().observe(0, conclusions=True)).all()
    with pytest.raises(ValueError, match="observers have the parameter conclusions alone"):
        game.make_py_observer(params={"hints": True})


# ---------------------------------------------------------------- play


@every_game
def test_returns_are_zero_sum_and_the_winners_are_highest(name):
    state = load(name).new_initial_state()
    for _ in wander(state, 4):
        assert state.returns() == [0.0] * state.num_players()
    returns = state.returns()
    assert sum(returns) == pytest.approx(0)
    assert [value == max(returns) for value in returns] == [place == 1 for place in state.position().ranking]


@every_game
def test_states_can_be_pickled(name):
    for state in wander(load(name).new_initial_state(), 5, limit=40):
        twin = pickle.loads(pickle.dumps(state))
        assert (str(twin), twin.history()) == (str(state), state.history())


@every_game
def test_openspiels_ismcts_plays(name):
    from open_spiel.python.algorithms import ismcts

    game = load(name)
    evaluator = openspiel.PlayoutEvaluator(seed=1)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=1.4, max_simulations=8, random_state=np.random.RandomState(1))
    chance = random.Random(1)
    state = game.new_initial_state()
    decisions = 0
    while decisions < 10:
        if state.is_chance_node():
            state.apply_action(chance.randrange(len(state.chance_outcomes())))
        else:
            state.apply_action(bot.step(state))
            decisions += 1


@every_game
def test_openspiels_mcts_takes_our_evaluator(name):
    from open_spiel.python.algorithms import mcts

    game = load(name)
    bot = mcts.MCTSBot(game, 1.4, 5, openspiel.PlayoutEvaluator(seed=1), random_state=np.random.RandomState(1))
    for state in wander(game.new_initial_state(), 6, limit=8):
        assert bot.step(state) in state.legal_actions()


def test_bad_wishes_are_refused():
    with pytest.raises(BadOption, match="chance must be explicit or sampled"):
        load(EVERY_GAME[0], chance="loaded")
    with pytest.raises(BadOption, match="is for"):
        load(EVERY_GAME[0], seats=9)
