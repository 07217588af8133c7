"""The shipped networks: they fit their games, and compiled code, NumPy and PyTorch agree about them."""

import random
from dataclasses import replace

import numpy as np
import pytest

import azalai
from azalai.bots import network, thought
from azalai.bots.ahead import DOUBT, Ahead
from azalai.bots.levels import GUIDED, levels, named, searches
from azalai.bots.network import Eyes, Judge, Network, WrongNetwork, criticize, layout_version, network_version, read_network
from azalai.bots.player import Search
from azalai.bots.policy import Fallible, Policy
from azalai.bots.search import memory, sample_world
from azalai.engine.compile import wait_compiled
from azalai.engine.dispatch import hide
from azalai.engine.errors import BadOption
from azalai.engine.rule import INTERPRET, records
from azalai.engine.schema import MAX_SEATS

NAMES = [name for name in azalai.games() if (azalai.game(name).extras / network.FILE).exists()]
CRITICS = [name for name in NAMES if Network.critic_of(azalai.game(name))]


def sample(game, count=12):
    """Positions with a choice from random games, one game for each number of seats."""
    found = []
    for seats in game.seats:
        position, chance = game.new(seats, seed=seats), random.Random(seats)
        while not position.over:
            moves = position.move_ids()
            if len(moves) > 1 and chance.random() < 0.1:
                found.append((position.seen_by(position.seat), moves))
            position.play(chance.choice(moves))
    return random.Random(1).sample(found, min(count, len(found)))


def looking_at(game, shipped, position):
    """The eyes of a network that has this position before it."""
    cells = records(1, game.schema.dtype)
    cells[0] = position.state
    return Eyes.of(game, shipped, cells)


def in_numpy(game, shipped, position, moves):
    return network.judge_in_numpy(looking_at(game, shipped, position), position.seat, position.seats, moves)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_network_fits_its_game(name):
    game = azalai.game(name)
    shipped = Network.of(game)
    assert len(shipped.moves) == game.moves.count
    assert (game.extras / network.FILE).stat().st_size <= 2_000_000
    if name in CRITICS:
        assert (game.extras / network.CRITIC_FILE).stat().st_size <= 2_000_000


def test_a_critic_of_another_layout_is_refused():
    game = azalai.game("timbuktu")
    path = game.extras / network.CRITIC_FILE
    with pytest.raises(WrongNetwork, match="was trained for timbuktu with the layout"):
        read_network(path, replace(game, features=game.features[1:]))


def test_a_critic_is_a_part_of_the_networks_version(monkeypatch):
    game = azalai.game("timbuktu")
    whole = network_version(game)
    monkeypatch.setattr(network, "CRITIC_FILE", "missing.npz")
    network_version.cache_clear()
    assert network_version(game) != whole
    network_version.cache_clear()


def test_a_network_of_another_layout_is_refused():
    game = azalai.game("targi")
    path = game.extras / network.FILE
    changed = replace(game, features=game.features[1:])
    with pytest.raises(WrongNetwork, match="train a new network"):
        read_network(path, changed)
    with pytest.raises(WrongNetwork, match="was trained for targi"):
        read_network(path, azalai.game("tuareg"))


def test_the_layout_knows_meanings_and_no_prose():
    game = azalai.game("targi")
    first, *others = game.features
    told_otherwise = replace(game, features=(replace(first, about="something else"), *others))
    assert layout_version(told_otherwise) == layout_version(game)
    wider = replace(game, features=(replace(first, width=first.width + 1), *others))
    assert layout_version(wider) != layout_version(game)


@pytest.mark.skipif(INTERPRET, reason="nothing is compiled")
@pytest.mark.parametrize("name", NAMES)
def test_compiled_code_and_numpy_agree(name):
    game = azalai.game(name)
    wait_compiled(game, network.__name__)
    judge = network.Judge(game)
    for position, moves in sample(game):
        chances, priors = judge.judge(position, moves)
        expected_chances, expected_priors = in_numpy(game, Network.of(game), position, moves)
        assert np.allclose(chances, expected_chances, atol=1e-4)
        assert np.allclose(priors, expected_priors, atol=1e-4)
        assert chances.sum() == pytest.approx(1)
        assert priors.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
def test_numpy_sees_what_an_observation_tells(name):
    game = azalai.game(name)
    for position, _ in sample(game, 4):
        row = network.observe_in_numpy(looking_at(game, Network.of(game), position), position.seat, position.seats)
        assert np.array_equal(row, position.observe(conclusions=True))


@pytest.mark.parametrize("name", azalai.games())
def test_an_exported_network_says_what_the_module_says(name, tmp_path):
    torch = pytest.importorskip("torch")
    from azalai.learn.export import export
    from azalai.learn.form import Form
    from azalai.learn.ppo import LearningSettings
    from azalai.learn.training import Training

    game = azalai.game(name)
    torch.manual_seed(1)
    training = Training(game, Form.of(game), LearningSettings(), "cpu")
    module = training.learner.network
    with torch.no_grad():
        for weights in module.parameters():
            weights.copy_((weights + 0.05 * torch.randn_like(weights)).half())
    training.save(tmp_path / "training")
    exported = read_network(export(tmp_path / "training", game, "a test", tmp_path / "network.npz"), game)
    for position, moves in sample(game, 6):
        chances, priors = in_numpy(game, exported, position, moves)
        seen = torch.from_numpy(position.observe(conclusions=True))
        policy, value = (logits[0].detach() for logits in module(seen[None]))
        assert np.allclose(priors, torch.softmax(policy[moves], 0), atol=1e-4)
        seats = torch.softmax(value[: position.seats], 0).roll(position.seat)
        assert np.allclose(chances, seats, atol=1e-4)


@pytest.mark.parametrize("name", CRITICS)
def test_an_exported_critic_says_what_the_module_says_of_worlds_that_are_not_hidden(name, tmp_path):
    torch = pytest.importorskip("torch")
    from azalai.learn.export import export
    from azalai.learn.form import Form
    from azalai.learn.ppo import LearningSettings
    from azalai.learn.selfplay import Arena
    from azalai.learn.training import Training

    game = azalai.game(name)
    torch.manual_seed(1)
    training = Training(game, replace(Form.of(game), width=16), LearningSettings(), "cpu")
    module = training.learner.critic
    assert module is not None
    with torch.no_grad():
        for weights in module.parameters():
            weights.copy_((weights + 0.05 * torch.randn_like(weights)).half())
    training.save(tmp_path / "training")
    export(tmp_path / "training", game, "a test", tmp_path / "network.npz")
    critic = Eyes.of(game, read_network(tmp_path / network.CRITIC_FILE, game), records(1, game.schema.dtype))

    arena = Arena(game, 6, "cpu", 1)
    arena.stagger(40)
    told = torch.zeros((arena.count, arena.sees + len(training.form.critic)))
    arena.observe_as_critic(training.form.critic, told)
    states = [state for batch in arena.batches for state in np.asarray(batch.states)]
    for state, logits in zip(states, module(told).detach(), strict=True):
        chances = np.zeros(MAX_SEATS)
        before = state.tobytes()
        criticize(critic, state, chances)
        assert state.tobytes() == before
        expected = torch.softmax(logits[: state["seats"]], 0).roll(int(state["seat"]))
        assert np.allclose(chances[: state["seats"]], expected, atol=1e-4)


@pytest.mark.parametrize("name", CRITICS)
def test_a_critic_knows_what_the_deciding_seat_may_not(name):
    game = azalai.game(name)
    m = memory(game, 0, every=True)
    eyes, critic = Eyes.pair(game, m.seen)
    known = 0
    for position, _ in sample(game, 2):
        m.root[0] = position.state
        seen, told = set(), set()
        for world in range(3):
            sample_world(m.root, m.work, m.trial, world)
            m.seen[0] = m.work[0]
            hide(m.seen[0], position.seat)
            seen.add(network.observe_in_numpy(eyes, position.seat, position.seats).tobytes())
            criticize(critic, m.work[0], m.values)
            told.add(critic.row.tobytes())
        assert len(seen) == 1
        known += len(told) > 1
    assert known


def test_the_policy_plays_better_than_chance():
    game = azalai.game("targi")
    players = [azalai.bot("policy", game, seed=1), azalai.bot("random", game, seed=1)]
    position = game.new(2, seed=3)
    while not position.over:
        position.play(players[position.seat].choose(position.seen_by(position.seat)))
    assert position.ranking[0] == 1


def test_a_temperature_lets_the_policy_vary():
    game = azalai.game("targi")
    position = game.new(2, seed=3)
    best = {str(Policy(game, seed).choose(position)) for seed in range(20)}
    drawn = {str(Policy(game, seed, temperature=2.0).choose(position)) for seed in range(20)}
    assert len(best) == 1 < len(drawn)


def test_who_is_fallible_makes_mistakes_but_none_that_gives_away_more_than_a_margin():
    game = azalai.game("targi")
    position = game.new(seed=3)
    seen, moves, margin = position.seen_by(position.seat), position.move_ids(), 0.03
    drawn = []
    for seed in range(30):
        chosen = Fallible(game, seed, 1.0, margin).choose(position).id
        lost = Fallible(game, seed, 1.0, margin)._given_away(seen, moves, thought(seed, position.ply))
        assert lost[moves.index(chosen)] <= margin
        drawn.append(lost)
    assert any(lost[moves.index(Fallible(game, seed, 1.0, margin).choose(position).id)] > 0 for seed, lost in enumerate(drawn))
    assert max(lost.max() for lost in drawn) > margin


@pytest.mark.parametrize("name", azalai.games())
def test_levels_play_by_the_network_where_the_game_says_so(name):
    game = azalai.game(name)
    by_network = levels(game)[-1].guided
    assert all(one.guided == by_network for one in levels(game))
    kinds = [type(azalai.bot(str(number), game)) for number in range(1, 7)]
    own = [Fallible] * 5 + [Ahead] if name == "targui" else [Fallible] * 3 + [Search] * 3
    assert kinds == (own if by_network else [Search] * 6)


@pytest.mark.parametrize("name", azalai.games())
def test_searches_without_a_network_have_a_name(name):
    game = azalai.game(name)
    for number, one in enumerate(searches(game), 1):
        assert not one.guided
        assert named(game, f"search{number}") == one
        assert named(game, f"search{number}x10") == replace(one, iterations=10 * one.iterations)


def test_a_game_without_a_network_has_no_policy(monkeypatch):
    game = azalai.game("targi")
    monkeypatch.setattr(network, "FILE", "missing.npz")
    Network.of.cache_clear()
    with pytest.raises(BadOption, match="targi has no network"):
        azalai.bot("policy", game)
    Network.of.cache_clear()


@pytest.mark.skipif(INTERPRET, reason="a thousand evaluations take minutes")
@pytest.mark.parametrize("name", NAMES)
def test_a_guided_search_judges_every_move_and_every_seat(name):
    game = azalai.game(name)
    wait_compiled(game, "azalai.bots.guided")
    player = Search(game, GUIDED, seed=1)
    position, moves = sample(game, 1)[0]
    found = player.analyse(position, 200, games=0)
    assert {one.move.id for one in found.moves} == set(moves)
    assert sum(one.share for one in found.moves) == pytest.approx(1)
    assert sum(found.moves[0].outlook.value) == pytest.approx(1)
    assert Search(game, GUIDED, seed=1).choose(position) == Search(game, GUIDED, seed=1).choose(position)


@pytest.mark.skipif(INTERPRET, reason="a thousand evaluations take minutes")
def test_who_looks_ahead_plays_a_likely_move_and_the_same_for_the_same_seed():
    game = azalai.game("targui")
    wait_compiled(game, "azalai.bots.ahead")
    level = levels(game)[-1]
    position, moves = sample(game, 1)[0]
    player = Ahead(game, level, seed=1)
    assert player.choose(position) == Ahead(game, level, seed=1).choose(position)
    priors = Judge(game).judge(position, moves)[1]
    assert priors[moves.index(player.choose(position).id)] >= DOUBT * priors.max()
