"""A player that tries moves, for many games side by side.

The policy plays on after each move that it likes, and the network judges what came of it. It is `bots/ahead.py` on a GPU, without
the rounds that leave out the worse half.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from azalai.engine.errors import BadOption

CANDIDATES = 4  # moves that are tried
WORLDS = 8  # how often each is tried, with other chance but the same for all candidates
DECISIONS = 8  # that the policy makes after each before the network judges; a seat with one legal move decides nothing
DOUBT = 0.02  # moves that the policy finds less likely than this share of the likeliest are not tried
TRUST = 0.02  # a move that the policy finds e times as likely may be so much worse
NEVER = -1e9  # as good as impossible
ROOM = 1 << 17  # tries side by side
AT_ONCE = 1 << 16  # positions that a network sees in one go


class Lookahead:
    """Chooses moves in the games of a batch by trying them out in a batch of its own."""

    settings = f"ahead/{CANDIDATES}/{WORLDS}/{DECISIONS}"  # everything that makes its strength, in one word

    def __init__(self, batch: Any, network: Any, device: str = "cpu", seed: int = 0, room: int = ROOM) -> None:
        """`network` is a PyTorch module that gives logits of moves, and of seats to win."""
        if batch.game.secrets:
            raise BadOption(f"{batch.game.name} has secrets, which a batch does not guess: play it by a level instead")
        self.network, self.device, self.gpu = network, torch.device(device), device != "cpu"
        self.tries: Any = batch.game.batch(room, batch.seats, device=device)
        self.theirs = [self._tensor(array) for array in batch.contents()]
        self.mine = [self._tensor(array) for array in self.tries.contents()]
        self.their_seat, self.seat = self._tensor(batch.states["seat"]), self._tensor(self.tries.states["seat"])
        self.done, self.rewards = self._tensor(self.tries.done), self._tensor(self.tries.rewards)
        self.words, self.moves, self.counts, self.mask = self.mine
        self.chance = batch.game.schema.dtype.fields["rng"][1] // 8  # the first word of the generator
        self.kind = torch.float16 if self.gpu else torch.float32
        self.seen = torch.zeros((room, batch.game.observation.with_conclusions.size), dtype=self.kind, device=self.device)
        self.generator = torch.Generator(self.device).manual_seed(seed)

    def _tensor(self, array: Any) -> Tensor:
        return torch.as_tensor(array if self.gpu else np.asarray(array), device=self.device)

    def choose(self, games: Tensor, logits: Tensor) -> Tensor:
        """Return a move for each of these games, of whose moves the policy gives the logits."""
        chances, moves = logits.softmax(1).topk(min(CANDIDATES, logits.shape[1]))
        tried = chances >= DOUBT * chances[:, :1]
        best: Tensor = moves[:, 0].clone()
        contested = (tried.sum(1) > 1).nonzero()[:, 0]
        for some in contested.split(len(self.tries) // CANDIDATES // WORLDS):
            worth = self._try_out(games[some], moves[some], tried[some]) + TRUST * chances[some].clamp(min=1e-9).log()
            worth = worth.masked_fill(~tried[some], NEVER)
            best[some] = moves[some].gather(1, worth.argmax(1)[:, None])[:, 0]
        return best

    def _try_out(self, games: Tensor, moves: Tensor, tried: Tensor) -> Tensor:
        """Return what the chances of the deciding seat are after each of its moves that is tried, on average."""
        game, candidate = tried.nonzero(as_tuple=True)
        source = games[game].repeat_interleave(WORLDS)
        for mine, theirs in zip(self.mine, self.theirs):
            mine[: len(source)] = theirs[source]
        worlds = torch.randint(-(1 << 62), 1 << 62, (len(games), WORLDS, 2), generator=self.generator, device=self.device)
        worlds[..., 1] |= 1  # a generator's words are never both zero
        self.words[: len(source), self.chance : self.chance + 2] = worlds[game].flatten(0, 1)
        found = self._play_on(self.their_seat[source].long(), moves[game, candidate].repeat_interleave(WORLDS))
        values = torch.zeros(tried.shape, device=self.device)
        values[game, candidate] = found.view(-1, WORLDS).mean(1)
        return values

    def _play_on(self, own: Tensor, first: Tensor) -> Tensor:
        """Play these first moves, then the policy's, each in a try; return the chances of the seats that moved first."""
        seats, count = self.tries.seats, len(own)
        values = torch.zeros(count, device=self.device)
        left = torch.full((count,), DECISIONS, device=self.device)
        moves = torch.zeros(len(self.tries), dtype=torch.int64, device=self.device)
        running = torch.zeros(len(self.tries), dtype=torch.bool, device=self.device)
        moves[:count], running[:count] = first, True
        while True:
            if self.gpu:
                self.tries.step(moves, where=running)
            else:
                self.tries.step(moves.numpy(), where=running.numpy())
            ended = (running & self.done).nonzero()[:, 0]
            shares = (self.rewards[ended] * (seats - 1) + 1) / seats  # of the win
            values[ended] = shares.gather(1, own[ended, None])[:, 0]
            running[ended] = False
            rows = running.nonzero()[:, 0]
            if not len(rows):
                return values
            moves[rows] = self.moves[rows, 0].long()
            kind = str(self.kind).removeprefix("torch.")
            self.tries.observe(out=self.seen if self.gpu else self.seen.numpy(), kind=kind, conclusions=True)
            for some in rows[self.counts[rows] > 1].split(AT_ONCE):
                with torch.autocast(self.device.type, torch.float16, self.gpu):
                    logits, chances = (found.float() for found in self.network(self.seen[some].float()))
                mine = (own[some] - self.seat[some].long()) % seats  # the network sees its own seat first
                judged = chances[:, :seats].softmax(1).gather(1, mine[:, None])[:, 0]
                last = left[some] == 0
                values[some[last]], running[some[last]] = judged[last], False
                left[some] -= 1
                noise = torch.empty_like(logits).exponential_(generator=self.generator).log()
                moves[some] = (logits - noise).masked_fill(~self.mask[some], NEVER).argmax(1)
