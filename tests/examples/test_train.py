"""The example that learns runs; docs/environments.md has a smaller one that needs no PyTorch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from examples import train_targi  # noqa: E402


def test_advantages_are_what_their_definition_says():
    chance = np.random.default_rng(1)
    reward, value = chance.normal(size=(6, 3)).astype(np.float32), chance.normal(size=(7, 3)).astype(np.float32)
    ended = chance.random((6, 3)) < 0.3
    found = train_targi.advantages(reward, value, ended)
    for game in range(3):
        for step in range(6):
            expected, factor = 0.0, 1.0
            for later in range(step, 6):
                goes_on = 0.0 if ended[later, game] else 1.0
                after = train_targi.DISCOUNT * value[later + 1, game] * goes_on
                expected += factor * (reward[later, game] + after - value[later, game])
                factor *= train_targi.DISCOUNT * train_targi.TRACE * goes_on
            assert found[step, game] == pytest.approx(expected, abs=1e-5)


def test_a_player_is_trained_and_judged():
    player, history = train_targi.train("targi", "random", minutes=0.0, games=16, steps=200)
    assert history
    assert 0 <= train_targi.judge(player, "targi", "random", 8, seed=5)[0] <= 1


def test_illegal_moves_are_never_chosen():
    player = train_targi.Player(5, 4)
    mask = torch.tensor([[False, True, False, True]]).repeat(100, 1)
    choice, _ = player(torch.randn(100, 5), mask)
    assert set(choice.sample().tolist()) <= {1, 3}
