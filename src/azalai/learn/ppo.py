"""Proximal policy optimisation against oneself, with a chance to win for every seat.

Each decision is judged by how the chances of the seat that made it changed afterwards, up to the end of the game: generalised
advantage estimation, for all seats at once. The value head learns the same: shares of the win that add up to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from azalai.learn.selfplay import NEVER, Arena, Collector, Experience, choose

STAGGER = 256  # decisions between the games of a training that are furthest on and those that have just begun


@dataclass(frozen=True)
class LearningSettings:
    """How a network learns. Rate and entropy fall evenly from their first to their last number over `decisions`."""

    games: int = 16384  # played side by side
    steps: int = 64  # decisions in each of them between two updates
    epochs: int = 2
    minibatch: int = 32768
    decisions: float = 1e9  # of the whole training
    rate: tuple[float, float] = (1e-3, 2e-5)
    entropy: tuple[float, float] = (0.02, 0.002)
    trace: float = 0.95  # how far ahead surprises count
    clip: float = 0.2
    decay: float = 1e-4


def judge(lived: Experience, trace: float) -> tuple[Tensor, Tensor]:
    """Return how much better each decision went for its seat than expected, and the chances to learn: [step, game, seat]."""
    after = torch.zeros_like(lived.value[0])
    advantage = torch.empty_like(lived.chance)
    worth = torch.empty_like(lived.value[:-1])
    for step in reversed(range(len(lived.move))):
        ended = lived.ended[step][:, None]
        follows = torch.where(ended, lived.result[step], lived.value[step + 1])
        after = follows - lived.value[step] + trace * torch.where(ended, 0.0, after)
        advantage[step] = after.gather(1, lived.seat[step][:, None])[:, 0]
        worth[step] = after + lived.value[step]
    return advantage, worth


class Learner:
    """A network, its optimiser, and how far it has come."""

    def __init__(self, network: Any, settings: LearningSettings, device: str, critic: Any = None) -> None:
        self.network = network.to(device)
        self.critic = None if critic is None else critic.to(device)
        self.settings = settings
        self.device = torch.device(device)
        self.decisions = 0
        self._learning = [one for one in (self.network, self.critic) if one is not None]
        self.optimizer = torch.optim.AdamW(
            [weights for one in self._learning for weights in one.parameters()],
            settings.rate[0],
            weight_decay=settings.decay,
            eps=1e-5,
            fused=self.device.type == "cuda",
        )

    def think(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """The network's logits, on a GPU in half precision."""
        logits: tuple[Tensor, Tensor] = self._ask(self.network, seen)
        return logits

    def criticize(self, told: Tensor) -> Tensor:
        """The critic's logits, likewise."""
        logits: Tensor = self._ask(self.critic, told)
        return logits

    def _ask(self, network: Any, seen: Tensor) -> Any:
        if self.device.type == "cpu":
            return network(seen)
        with torch.autocast("cuda", torch.bfloat16):
            return network(seen.to(torch.bfloat16))

    @property
    def progress(self) -> float:
        """How much of the training is done, from 0 to 1."""
        return min(1.0, self.decisions / self.settings.decisions)

    def now(self, numbers: tuple[float, float]) -> float:
        """Where a number that falls evenly is by now."""
        return numbers[0] + (numbers[1] - numbers[0]) * self.progress

    def learn(self, arena: Arena, lived: Experience) -> dict[str, Tensor]:
        """Learn from all decisions at which there was a choice; return what can be told about it."""
        settings = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = self.now(settings.rate)
        entropy_weight = self.now(settings.entropy)
        with torch.no_grad():
            advantage, worth = judge(lived, settings.trace)
            index = (torch.arange(arena.most, device=self.device) + lived.seat[..., None]) % arena.seats[:, None]
            worth = worth.gather(2, index) * arena.present  # as the deciding seat counts: itself, the next, …
            chosen = (lived.own & (lived.mask.sum(2) > 1)).flatten().nonzero()[:, 0]
            flat = [part.flatten(0, 1) for part in (lived.seen, lived.told, lived.mask, lived.move, lived.chance, worth)]
            advantage = advantage.flatten()
            kept = advantage[chosen]
            advantage = (advantage - kept.mean()) / (kept.std() + 1e-6)
            present = arena.present.repeat(len(lived.move), 1)
        facts: dict[str, Tensor] = {}
        for _ in range(settings.epochs):
            for rows in chosen[torch.randperm(len(chosen), device=self.device)].split(settings.minibatch):
                seen, told, mask, move, before, goal = (part[rows] for part in flat)
                policy, value = self.think(seen)
                logs = torch.log_softmax(policy.float().masked_fill(~mask, NEVER), 1)
                chance = logs.gather(1, move[:, None])[:, 0]
                ratio = (chance - before).exp()
                gain = torch.min(ratio * advantage[rows], ratio.clamp(1 - settings.clip, 1 + settings.clip) * advantage[rows])
                entropy = -(logs.exp() * logs.masked_fill(~mask, 0)).sum(1).mean()
                error = surprise(value, goal, present[rows])
                loss = 0.5 * error - gain.mean() - entropy_weight * entropy
                facts = {"entropy": entropy, "error": error, "moved": (chance - before).abs().mean()}
                if self.critic is not None:
                    facts["critic"] = surprise(self.criticize(told), goal, present[rows])
                    loss = loss + 0.5 * facts["critic"]
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                for one in self._learning:
                    nn.utils.clip_grad_norm_(one.parameters(), 1.0)
                self.optimizer.step()
        self.decisions += lived.move.numel()
        return {**{name: fact.detach() for name, fact in facts.items()}, "games": lived.ended.sum()}


def surprise(value: Tensor, goal: Tensor, present: Tensor) -> Tensor:
    """How far chances to win, as logits, are from what they should have been (cross entropy)."""
    logs = torch.log_softmax(value.float().masked_fill(~present, NEVER), 1)
    return -(goal * logs.masked_fill(~present, 0)).sum(1).mean()


@torch.no_grad()
def win_share(arena: Arena, think: Any, opponent: Any) -> dict[int, float]:
    """Let a network play one seat per game against an opponent in all others; its share of wins per number of seats.

    `opponent` gives logits, or is None for moves at random. Only the first game of each place counts.
    """
    device = arena.device
    own = torch.arange(arena.count, device=device) % arena.seats
    seen = torch.zeros((arena.count, arena.sees), dtype=arena.kind, device=device)
    mask = torch.zeros((arena.count, arena.moves), dtype=torch.bool, device=device)
    result = torch.zeros((arena.count, arena.most), device=device)
    ended = torch.zeros(arena.count, dtype=torch.bool, device=device)
    over, won = torch.zeros_like(ended), torch.zeros(arena.count, device=device)
    for _ in range(arena.game.longest):
        arena.observe(seen)
        arena.mask(mask)
        mine = arena.deciders() == own
        moves = choose(think(seen)[0], mask)[0]
        others = arena.random_moves() if opponent is None else choose(opponent(seen)[0], mask)[0]
        arena.step(torch.where(mine, moves, others), result, ended)
        first = ended & ~over
        won = torch.where(first, result.gather(1, own[:, None])[:, 0], won)
        over |= ended
        if bool(over.all()):
            break
    return {batch.seats: float(won[part][over[part]].mean()) for batch, part in zip(arena.batches, arena.parts)}


def collector_for(
    game: Any, settings: LearningSettings, device: str, seed: int, told: Mapping[str, int] | None = None
) -> Collector:
    """Games for a training."""
    arena = Arena(game, settings.games, device, seed)
    arena.stagger(STAGGER)
    return Collector(arena, settings.steps, told)
