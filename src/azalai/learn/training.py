"""A training from its first decision to its last, over as many sittings as it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from azalai.bots.network import layout_version
from azalai.engine.errors import AzalaiError
from azalai.engine.game import Game
from azalai.learn.form import Form
from azalai.learn.networks import make_critic, make_network
from azalai.learn.ppo import Learner, LearningSettings, collector_for, win_share
from azalai.learn.selfplay import Arena

TESTERS = 1024  # games against each fixed opponent
WARM = 20.0  # seconds between two lines of progress,
MEASURED = 150.0  # and between two measurements of how often the network wins


class WrongFile(AzalaiError):
    """A file of a training that cannot be gone on with."""


class Training:
    """What a training's file holds: the network, the optimiser's memory, settings, and what was measured on the way."""

    def __init__(self, game: Game, form: Form, settings: LearningSettings, device: str) -> None:
        self.game, self.form, self.device = game, form, device
        self.learner = Learner(make_network(game, form), settings, device, make_critic(game, form))
        self.opponent: Learner | None = None  # in all other seats; otherwise the network itself
        self.rivals: dict[str, Any] = {}  # networks that stay as they are, by name: how often does it win against them?
        self.seconds = 0.0
        self.history: list[dict[str, Any]] = []

    def save(self, path: Path) -> None:
        """Write the file; it is never half-written. The optimiser's memory is kept in half precision."""
        state = {
            "game": self.game.name,
            "layout": layout_version(self.game),
            "form": self.form.as_dict(),
            "settings": asdict(self.learner.settings),
            "network": self.learner.network.state_dict(),
            "critic": self.learner.critic and self.learner.critic.state_dict(),
            "optimizer": _half(self.learner.optimizer.state_dict()),
            "decisions": self.learner.decisions,
            "seconds": self.seconds,
            "history": self.history,
        }
        unfinished = path.with_suffix(".unfinished")
        torch.save(state, unfinished)
        unfinished.replace(path)

    @classmethod
    def load(cls, path: Path, game: Game, device: str, **changes: Any) -> Training:
        """Go on with a training, with some settings changed."""
        state = torch.load(path, map_location=device, weights_only=True)
        if state["game"] != game.name or state["layout"] != layout_version(game):
            raise WrongFile(f"{path} is of {state['game']} with another layout of observations or moves: train anew")
        settings = LearningSettings(**state["settings"])
        training = cls(game, Form.read(state["form"]), replace(settings, **changes), device)
        training.learner.network.load_state_dict(state["network"])
        if training.learner.critic is not None:
            training.learner.critic.load_state_dict(state["critic"])
        training.learner.optimizer.load_state_dict(state["optimizer"])
        training.learner.decisions = state["decisions"]
        training.seconds, training.history = state["seconds"], state["history"]
        return training

    def run(self, seconds: float, seed: int, path: Path | None, report: Callable[[dict[str, Any]], None]) -> None:
        """Learn for so long, or to the end of the training; then measure and save."""
        learner = self.learner
        collector = collector_for(self.game, learner.settings, self.device, seed, self.form.critic)
        critic = learner.criticize if learner.critic else None
        began = told = measured = time.perf_counter()
        before, spent = learner.decisions, self.seconds
        games = 0
        while time.perf_counter() - began < seconds and learner.progress < 1:
            opponent = self.opponent.think if self.opponent else None
            facts = learner.learn(collector.arena, collector.collect(learner.think, opponent, critic))
            games += int(facts["games"])
            now = time.perf_counter()
            if now - told > WARM or learner.progress >= 1 or now - began >= seconds:
                told = now
                self.seconds = spent + now - began
                line: dict[str, Any] = {
                    "seconds": round(self.seconds, 1),
                    "decisions": learner.decisions,
                    "games": games,
                    "rate": round((learner.decisions - before) / (now - began)),
                    **{name: round(float(fact), 4) for name, fact in facts.items() if name != "games"},
                }
                if now - measured > MEASURED:
                    line |= self.measure_all(seed)
                    measured = time.perf_counter()
                self.history.append(line)
                report(line)
                if path is not None:
                    self.save(path)
        shares = self.measure_all(seed)
        if self.history:
            self.history[-1] |= shares
        report({"won against": shares})
        if path is not None:
            self.save(path)

    def measure_all(self, seed: int) -> dict[str, dict[int, float]]:
        """The network's share of wins against everybody it is compared with: random moves, its opponent, its rivals."""
        others = {"opponent": self.opponent, **{name: self._player(network) for name, network in self.rivals.items()}}
        shares = {name: self.measure(seed, one.think) for name, one in others.items() if one is not None}
        return {"random": self.measure(seed), **shares}

    def _player(self, network: Any) -> Learner:
        return Learner(network, self.learner.settings, self.device)

    def measure(self, seed: int, opponent: Any = None, games: int = TESTERS) -> dict[int, float]:
        """The network's share of wins against an opponent in all other seats, per number of seats; by default random moves."""
        arena = Arena(self.game, games, self.device, seed + 77)
        shares: dict[int, float] = win_share(arena, self.learner.think, opponent)
        return shares


def _half(state: dict[str, Any]) -> dict[str, Any]:
    """The optimiser's state with its large parts in half precision."""
    kinds = {"exp_avg": torch.float16, "exp_avg_sq": torch.bfloat16}
    moments = {
        key: {name: part.to(kinds[name]) if name in kinds else part for name, part in one.items()}
        for key, one in state["state"].items()
    }
    return {**state, "state": moments}
