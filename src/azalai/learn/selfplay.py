"""Many games at once, at all numbers of seats, on a GPU or on the CPU, with everything as PyTorch's tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from azalai.engine.game import Game

NEVER = -1e9  # as good as impossible


class Experience(NamedTuple):
    """What was lived through: [step, game, …]."""

    seen: Tensor
    mask: Tensor
    move: Tensor
    chance: Tensor  # the logarithm of the move's chance when it was chosen
    seat: Tensor  # the seat that decided,
    value: Tensor  # and what it thought of the chances of all seats: [step, game, seat], one step more than the others
    result: Tensor  # shares of the win, where a game ended
    ended: Tensor
    own: Tensor  # where the network decided itself, and not an opponent
    told: Tensor  # what the critic saw; nothing where there is none


class Arena:
    """Batches of games, one for each number of seats, side by side in all tensors."""

    def __init__(self, game: Game, count: int, device: str, seed: int, seats: list[int] | None = None) -> None:
        self.game, self.device = game, torch.device(device)
        numbers = seats or list(game.seats)
        share = count // len(numbers)
        self.count = share * len(numbers)
        self.most = game.seats[-1]
        self.gpu = self.device.type == "cuda"
        self.batches = [
            game.batch(share, number, seed + 1000 * number, device=device, events=False)
            if self.gpu
            else game.batch(share, number, seed + 1000 * number)
            for number in numbers
        ]
        self.parts = [slice(i * share, (i + 1) * share) for i in range(len(numbers))]
        self.seats = torch.tensor(numbers, device=self.device).repeat_interleave(share)
        self.present = torch.arange(self.most, device=self.device) < self.seats[:, None]
        self.kind = torch.float16 if self.gpu else torch.float32
        self.moves = game.moves.count
        self.sees = game.observation.with_conclusions.size
        self._masks = [self._tensor(batch.legal_mask()) for batch in self.batches]
        self._deciders = [self._tensor(batch.seat) for batch in self.batches]

    def stagger(self, decisions: int) -> None:
        """Play on at random, up to so many decisions further in one game than in another.

        Games that begin together and are about equally long would stay in step: every update would see one part of them only.
        """
        for batch in self.batches:
            ahead = np.arange(len(batch)) % decisions
            for step in range(decisions):
                batch.step(batch.random_moves(), restart=True, where=ahead > step)

    def _tensor(self, array: Any) -> Tensor:
        return torch.as_tensor(array, device=self.device)

    def observe(self, out: Tensor) -> None:
        """Write what the deciding seats see, without gaps."""
        assert out.is_contiguous()
        for batch, part in zip(self.batches, self.parts):
            rows = out[part]
            kind = str(self.kind).removeprefix("torch.")
            batch.observe(out=rows if self.gpu else rows.numpy(), kind=kind, conclusions=True)

    def observe_as_critic(self, fields: Mapping[str, int], out: Tensor) -> None:
        """Write what the deciding seats would see if some fields held other numbers; then what they hold, in parts of these."""
        for batch, part in zip(self.batches, self.parts):
            for place, (name, number) in enumerate(fields.items()):
                out[part, self.sees + place] = self._tensor(batch.states[name]) / number
        cells = [(self._tensor(batch.states[name]), number) for batch in self.batches for name, number in fields.items()]
        before = [cell.clone() for cell, _ in cells]
        for cell, number in cells:
            cell.fill_(number)
        seen = torch.zeros((self.count, self.sees), dtype=self.kind, device=self.device)
        self.observe(seen)
        out[:, : self.sees] = seen
        for (cell, _), held in zip(cells, before):
            cell.copy_(held)

    def mask(self, out: Tensor) -> None:
        """Write which moves are legal."""
        for mask, part in zip(self._masks, self.parts):
            out[part] = mask

    def deciders(self) -> Tensor:
        """The deciding seats."""
        return torch.cat(self._deciders).long()

    def random_moves(self) -> Tensor:
        """A legal move for every game, all equally likely."""
        return torch.cat([self._tensor(batch.random_moves()) for batch in self.batches]).long()

    def step(self, moves: Tensor, result: Tensor, ended: Tensor) -> None:
        """Play; write each seat's share of the win where a game ended."""
        result.zero_()
        for batch, part in zip(self.batches, self.parts):
            batch.step(moves[part].contiguous() if self.gpu else moves[part].numpy(), restart=True)
            seats = batch.seats
            ended[part] = self._tensor(batch.done)
            result[part, :seats] = (self._tensor(batch.rewards) * (seats - 1) + 1) / seats
        result *= ended[:, None]

    def turned(self, rows: Tensor, seat: Tensor) -> Tensor:
        """From numbers for the own seat, the next, … to numbers for seat 0, 1, …."""
        index = (torch.arange(self.most, device=self.device) - seat[:, None]) % self.seats[:, None]
        return rows.gather(1, index) * self.present


def choose(logits: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Draw moves by their chances; return them, and the logarithms of their chances."""
    allowed = logits.float().masked_fill(~mask, NEVER)
    noise = torch.rand_like(allowed).clamp_(1e-9, 1 - 1e-7).log_().neg_().log_()
    moves = (allowed - noise).masked_fill_(~mask, 2 * NEVER).argmax(1)
    return moves, torch.log_softmax(allowed, 1).gather(1, moves[:, None])[:, 0]


def chances(value: Tensor, present: Tensor) -> Tensor:
    """Chances to win, of the own seat, the next, …, from the network's logits; those of absent seats are 0."""
    return torch.softmax(value.float().masked_fill(~present, NEVER), 1)


class Collector:
    """Lets a network play all seats of an arena's games and keeps what it lived through."""

    def __init__(self, arena: Arena, steps: int, told: Mapping[str, int] | None = None) -> None:
        """`told` are fields that the critic sees, and what numbers it sees there."""
        self.arena, self.steps, self.told = arena, steps, told or {}
        shape, device = (steps, arena.count), arena.device
        tells = arena.sees + len(self.told) if self.told else 0
        self.lived = Experience(
            seen=torch.zeros((*shape, arena.sees), dtype=arena.kind, device=device),
            mask=torch.zeros((*shape, arena.moves), dtype=torch.bool, device=device),
            move=torch.zeros(shape, dtype=torch.int64, device=device),
            chance=torch.zeros(shape, device=device),
            seat=torch.zeros(shape, dtype=torch.int64, device=device),
            value=torch.zeros((steps + 1, arena.count, arena.most), device=device),
            result=torch.zeros((*shape, arena.most), device=device),
            ended=torch.zeros(shape, dtype=torch.bool, device=device),
            own=torch.ones(shape, dtype=torch.bool, device=device),
            told=torch.zeros((*shape, tells), dtype=arena.kind, device=device),
        )
        self._seat = torch.arange(arena.count, device=device) // 7 % arena.seats  # the network's, against an opponent
        self._last = torch.zeros((arena.count, arena.sees), dtype=arena.kind, device=device)
        self._last_told = torch.zeros((arena.count, tells), dtype=arena.kind, device=device)

    @torch.no_grad()
    def collect(self, think: Any, opponent: Any = None, critic: Any = None) -> Experience:
        """Make so many decisions in every game. `think` gives a network's logits; an opponent's are for all seats but one.

        A critic's logits of the seats are taken instead of the network's.
        """
        arena, lived = self.arena, self.lived
        for step in range(self.steps + 1):
            seat = arena.deciders()
            seen = lived.seen[step] if step < self.steps else self._last
            arena.observe(seen)
            policy, value = think(seen)
            if critic is not None:
                told = lived.told[step] if step < self.steps else self._last_told
                arena.observe_as_critic(self.told, told)
                value = critic(told)
            lived.value[step] = arena.turned(chances(value, arena.present), seat)
            if step == self.steps:
                break
            arena.mask(lived.mask[step])
            move, chance = choose(policy, lived.mask[step])
            if opponent is not None:
                lived.own[step] = seat == self._seat
                move = torch.where(lived.own[step], move, choose(opponent(seen)[0], lived.mask[step])[0])
            lived.move[step], lived.chance[step], lived.seat[step] = move, chance, seat
            arena.step(move, lived.result[step], lived.ended[step])
        return lived
