"""The networks, as PyTorch modules. Each gives logits for all moves, and for the own seat, the next seat, … to win."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from azalai.engine.game import Game
from azalai.learn.form import DENSE, Form, Sight, sight_of


class DenseBody(nn.Module):
    """One layer that reads the observation, and a residual block of two."""

    def __init__(self, sees: int, width: int) -> None:
        super().__init__()
        self.read = nn.Linear(sees, width)
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def body(self, seen: Tensor) -> Tensor:
        """What is made of an observation."""
        body = functional.relu(self.read(seen))
        return body + functional.relu(self.second(functional.relu(self.first(body))))


class DenseNetwork(DenseBody):
    """Decides and judges by one body."""

    def __init__(self, sees: int, moves: int, seats: int, width: int) -> None:
        super().__init__(sees, width)
        self.policy, self.value = nn.Linear(width, moves), nn.Linear(width, seats)
        _silence(self.policy, self.value)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of moves, and of seats to win."""
        body = self.body(seen)
        return self.policy(body), self.value(body)


class Critic(DenseBody):
    """Judges decisions of a network that learns."""

    def __init__(self, sees: int, seats: int, width: int) -> None:
        super().__init__(sees, width)
        self.value = nn.Linear(width, seats)
        _silence(self.value)

    def forward(self, seen: Tensor) -> Tensor:
        """Logits of seats to win."""
        found: Tensor = self.value(self.body(seen))
        return found


class FieldNetwork(nn.Module):
    """Residual blocks of convolutions over the fields of a board; then what they say of the whole, in one dense layer."""

    def __init__(self, sight: Sight, moves: int, seats: int, form: Form) -> None:
        super().__init__()
        channels, rest = form.channels, len(sight.rest)
        self.rows, self.columns, self.moves = form.rows, form.columns, moves
        for name in ("planes", "pointers", "rest", "field_kinds", "other_moves"):
            self.register_buffer(name, torch.from_numpy(getattr(sight, name)), persistent=False)
        fields = torch.arange(form.rows * form.columns)
        self.register_buffer("field_moves", (torch.from_numpy(sight.field_kinds)[:, None] + fields).ravel(), persistent=False)
        self.read = nn.Conv2d(len(sight.planes), channels, 3, padding=1)
        self.read_rest = nn.Linear(rest, channels)
        self.blocks = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2 * form.blocks))
        self.gather = nn.Linear((2 + len(sight.pointers)) * channels + rest, form.width)
        self.policy, self.value = nn.Linear(form.width, len(sight.other_moves)), nn.Linear(form.width, seats)
        self.field_policy = nn.Linear(channels, len(sight.field_kinds))
        self.kind_policy = nn.Linear(form.width, len(sight.field_kinds))
        _silence(self.policy, self.value, self.field_policy, self.kind_policy)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of moves, and of seats to win."""
        count = len(seen)
        planes = seen[:, self.planes.ravel()].view(count, -1, self.rows, self.columns)
        rest = seen[:, self.rest]
        board = self.read(planes.contiguous(memory_format=torch.channels_last)) + self.read_rest(rest)[:, :, None, None]
        for first, second in zip(self.blocks[::2], self.blocks[1::2]):
            board = board + second(functional.relu(first(functional.relu(board))))
        flat = functional.relu(board).flatten(2)  # [game, channel, field]
        pointed = planes.flatten(2)[:, self.pointers]  # [game, pointer, field]
        at = torch.einsum("gpf,gcf->gpc", pointed.to(flat.dtype), flat).flatten(1)
        body = functional.relu(self.gather(torch.cat([flat.mean(2), flat.amax(2), at, rest.to(flat.dtype)], 1)))
        about = self.field_policy(flat.transpose(1, 2)).transpose(1, 2) + self.kind_policy(body)[:, :, None]
        logits = body.new_empty(count, self.moves)
        logits[:, self.field_moves] = about.flatten(1).to(logits.dtype)
        logits[:, self.other_moves] = self.policy(body).to(logits.dtype)
        return logits, self.value(body)


def make_network(game: Game, form: Form) -> Any:
    """A network that knows nothing yet."""
    sees, moves, seats = game.observation.with_conclusions.size, game.moves.count, game.seats[-1]
    if form.kind == DENSE:
        return DenseNetwork(sees, moves, seats, form.width)
    return FieldNetwork(sight_of(game, form), moves, seats, form)


def make_critic(game: Game, form: Form) -> Critic | None:
    """A critic that knows nothing yet, where the form asks for one."""
    sees = game.observation.with_conclusions.size + len(form.critic)
    return Critic(sees, game.seats[-1], form.width) if form.critic else None


@torch.no_grad()
def widen(network: Any, known: Any) -> None:
    """Let a new network play just as one does that is as deep and no wider. What it has more of hears, but says nothing yet."""
    weights = network.state_dict()
    for name, weight in known.state_dict().items():
        before = weight.to(weights[name].device)
        rows = weights[name][: len(before)]
        if before.dim() == 1:
            rows.copy_(before)
        else:
            rows.zero_()
            rows[:, _columns(network, known, name)] = before


def _columns(network: Any, known: Any, name: str) -> Tensor:
    """Where the inputs of a layer of a network lie in the same layer of a wider one."""
    inputs = torch.arange(known.state_dict()[name].shape[1])
    if name != "gather.weight":
        return inputs
    narrow, wide = known.read.out_channels, network.read.out_channels  # it reads groups of channels, then the rest
    groups = (len(inputs) - len(known.rest)) // narrow
    channels = torch.arange(groups)[:, None] * wide + torch.arange(narrow)
    return torch.cat([channels.flatten(), groups * wide + torch.arange(len(known.rest))])


def _silence(*heads: nn.Linear) -> None:
    """Begin with all moves and all seats equally likely."""
    for head in heads:
        nn.init.zeros_(head.weight)
        nn.init.zeros_(head.bias)
