"""Learning: what a decision is judged by, and a small game learnt from nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import azalai
from azalai.engine.observe import one_of
from tests.engine.nim import NIM
from tests.engine.test_observe import CONCLUDING

torch = pytest.importorskip("torch")

from azalai.learn import curves  # noqa: E402 - needs PyTorch
from azalai.learn.form import Form  # noqa: E402
from azalai.learn.networks import make_network, widen  # noqa: E402
from azalai.learn.ppo import LearningSettings, collector_for, judge  # noqa: E402
from azalai.learn.selfplay import Arena, Experience  # noqa: E402
from azalai.learn.training import Training, WrongFile  # noqa: E402

GAME = replace(NIM, features=(one_of("heap", 8), one_of("secret", 7, first=1, seat_axis=0)))

PATIENCE = 200.0  # seconds; a few are enough where nothing else runs
torch.set_num_threads(1)  # several wait for each other, for very long where the processors are busy
QUICK = LearningSettings(games=256, steps=32, minibatch=2048, decisions=1.6e5, rate=(3e-3, 3e-4))


def test_a_decision_is_judged_by_how_the_chances_of_its_seat_change():
    """Three decisions of one game of three seats; with a trace of 1 all that counts is the end."""
    value = torch.tensor([[[0.2, 0.3, 0.5]], [[0.4, 0.3, 0.3]], [[0.1, 0.6, 0.3]], [[0.3, 0.3, 0.4]]])
    none = torch.zeros(3, 1)
    lived = Experience(
        seen=none, mask=none, move=none, chance=none, seat=torch.tensor([[0], [1], [2]]), value=value,
        result=torch.tensor([[[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]]]),
        ended=torch.tensor([[False], [False], [True]]), own=none, told=none,
    )  # fmt: skip
    advantage, worth = judge(lived, 1.0)
    assert torch.allclose(advantage[:, 0], torch.tensor([-0.2, 0.7, -0.3]))
    assert torch.allclose(worth, torch.tensor([0.0, 1.0, 0.0]).expand(3, 1, 3), atol=1e-6)
    advantage, worth = judge(lived, 0.0)
    assert torch.allclose(advantage[:, 0], torch.tensor([0.2, 0.3, -0.3]))
    assert torch.allclose(worth.sum(2), torch.ones(3, 1))


def test_numbers_are_turned_to_the_seats_they_belong_to():
    arena = Arena(GAME, 4, "cpu", 1)
    own_first = torch.tensor([[0.9, 0.1]]).expand(4, 2)
    turned = arena.turned(own_first, torch.tensor([0, 1, 0, 1]))
    assert turned[:, 0].tolist() == pytest.approx([0.9, 0.1, 0.9, 0.1])


def test_a_network_learns_from_conclusions_too():
    arena = Arena(CONCLUDING, 4, "cpu", 1)
    seen = torch.zeros((4, arena.sees))
    arena.observe(seen)
    assert seen.tolist() == arena.batches[0].observe(conclusions=True).tolist()
    assert arena.sees == CONCLUDING.observation.size + 3


def test_games_of_a_training_are_not_in_step():
    arena = Arena(GAME, 64, "cpu", 1)
    plies: Any = arena.batches[0].states["ply"]
    assert len(set(plies.tolist())) == 1
    arena.stagger(4)
    assert len(set(plies.tolist())) > 1


def test_a_network_learns_a_small_game_and_goes_on_from_its_file(tmp_path):
    torch.manual_seed(1)
    path = tmp_path / "nim.run"
    training = Training(GAME, Form(width=64), QUICK, "cpu")
    training.rivals["shipped"] = make_network(GAME, Form(width=8))
    lines: list[dict[str, Any]] = []
    training.run(PATIENCE, 1, path, lines.append)
    assert training.learner.progress == 1
    assert all(lines[-1]["won against"][rival][2] > 0.8 for rival in ("random", "shipped"))
    curves.main([str(path), str(tmp_path / "nim.svg")])
    assert (tmp_path / "nim.svg").read_text(encoding="utf-8").count("<polyline") == len(curves.FACTS)
    again = Training.load(path, GAME, "cpu", decisions=2e5)
    assert again.learner.decisions == training.learner.decisions
    assert again.measure(3)[2] == pytest.approx(training.measure(3)[2], abs=0.05)
    with pytest.raises(WrongFile, match="another layout"):
        Training.load(path, replace(GAME, features=GAME.features[:1]), "cpu")


def test_a_critic_sees_what_is_hidden_and_what_it_is_told_of_that():
    arena = Arena(azalai.game("timbuktu"), 6, "cpu", 1)
    arena.stagger(40)
    (told_field, most), *_ = Form.of(azalai.game("timbuktu")).critic.items()
    before = [np.asarray(batch.states).tobytes() for batch in arena.batches]
    seen, told = torch.zeros((6, arena.sees)), torch.zeros((6, arena.sees + 1))
    arena.observe(seen)
    arena.observe_as_critic({told_field: most}, told)
    assert [np.asarray(batch.states).tobytes() for batch in arena.batches] == before
    for batch, part in zip(arena.batches, arena.parts, strict=True):
        held = np.asarray(batch.states[told_field])
        assert told[part, -1].tolist() == (held / most).tolist()
        held[:] = most
    laid_open = torch.zeros_like(seen)
    arena.observe(laid_open)
    assert torch.equal(told[:, :-1], laid_open)
    assert not torch.equal(seen, laid_open)


def test_a_critic_learns_beside_its_network_and_goes_on_from_the_file(tmp_path):
    torch.manual_seed(1)
    game, path = azalai.game("timbuktu"), tmp_path / "timbuktu.run"
    form, settings = replace(Form.of(game), width=8), replace(QUICK, games=12, steps=16, decisions=400)
    training = Training(game, form, settings, "cpu")
    lived = collector_for(game, settings, "cpu", 1, form.critic).collect(training.learner.think, None, training.learner.criticize)
    before = training.learner.criticize(lived.told[0])
    training.run(PATIENCE, 1, path, lambda line: None)
    after = training.learner.criticize(lived.told[0])
    assert not torch.equal(before, after)
    assert training.history[-1]["critic"] > 0
    again = Training.load(path, game, "cpu")
    assert torch.equal(again.learner.criticize(lived.told[0]), after)


@pytest.mark.parametrize(
    ("name", "narrow", "wide"),
    [("targui", {"channels": 8, "width": 16}, {"channels": 12, "width": 24}), ("targi", {"width": 16}, {"width": 24})],
)
def test_a_widened_network_says_what_the_narrower_one_says(name, narrow, wide):
    torch.manual_seed(1)
    game = azalai.game(name)
    known, network = (make_network(game, replace(Form.of(game), **sizes)) for sizes in (narrow, wide))
    for weights in known.parameters():
        torch.nn.init.normal_(weights, std=0.2)
    widen(network, known)
    seen = torch.rand(5, game.observation.size)
    for before, after in zip(known(seen), network(seen), strict=True):
        assert torch.allclose(before, after, rtol=1e-3, atol=1e-3)
        assert before.std() > 0


def test_an_exploiter_learns_against_a_network_that_stays_as_it_is():
    torch.manual_seed(1)
    training = Training(GAME, Form(width=32), replace(QUICK, decisions=2.4e5), "cpu")
    training.opponent = Training(GAME, Form(width=32), QUICK, "cpu").learner
    before = [weights.clone() for weights in training.opponent.network.parameters()]
    lines: list[dict[str, Any]] = []
    training.run(PATIENCE, 1, None, lines.append)
    assert lines[-1]["won against"]["opponent"][2] > 0.6  # a network that knows nothing plays at random
    assert all(torch.equal(one, other) for one, other in zip(before, training.opponent.network.parameters()))
