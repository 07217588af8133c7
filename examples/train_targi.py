"""Learn Targi from nothing but its rules: PPO with masks, against players who move at random.

    pip install 'azalai[envs]' torch
    python examples/train_targi.py --minutes 5 --picture curve.svg

A small network sees what its seat may know (`game.observation`), chooses among the legal moves (`action_mask`) and is told at the
end whether it has won. There is nothing about Targi in this file but its name.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from azalai.arena.charts import Frame
from azalai.arena.tally import share_interval
from azalai.envs.gymnasium import SeatVectorEnv

GAMES, STEPS = 128, 128  # played side by side; decisions in each of them between two updates
EPOCHS, MINIBATCH = 3, 2048
DISCOUNT, TRACE = 0.998, 0.95  # of rewards, and of surprises in the advantage (GAE)
CLIP, ENTROPY, RATE = 0.2, 0.01, 1e-3
HIDDEN = 256
NEVER = -1e9  # as good as impossible


class Player(nn.Module):
    """Two layers that both heads share: how good each move is, and how good the position."""

    def __init__(self, sees: int, moves: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(sees, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.move, self.value = nn.Linear(HIDDEN, moves), nn.Linear(HIDDEN, 1)
        for head in (self.move, self.value):
            nn.init.zeros_(head.weight)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        """The chances of all moves, none for illegal ones; and the reward to be expected."""
        body = self.body(seen)
        logits = self.move(body).masked_fill(~mask, NEVER)
        return Categorical(logits=logits, validate_args=False), self.value(body)[:, 0]


class Experience(NamedTuple):
    """Decisions of all games in one row: what was seen and done, and what came of it."""

    seen: Tensor
    mask: Tensor
    move: Tensor
    chance: Tensor  # the logarithm of the move's chance when it was chosen
    advantage: Tensor  # how much better it went than expected
    worth: Tensor  # the reward that was to be had


class Collector:
    """Lets a player play many games at once and keeps what it lived through."""

    def __init__(self, game: str, opponents: str, games: int, threads: int, seed: int) -> None:
        self.env = SeatVectorEnv(game, games, seat=None, opponents=opponents, threads=threads, autoreset_mode="SameStep")
        self.games = games
        self.seen, info = self.env.reset(seed=seed)
        self.mask = info["action_mask"].astype(bool)

    @torch.no_grad()
    def collect(self, player: Player, steps: int) -> tuple[Experience, list[bool]]:
        """So many decisions in every game; and which games were won among those that ended."""
        shape = (steps, self.games)
        seen, mask = np.empty((*shape, self.seen.shape[1]), np.float32), np.empty((*shape, self.mask.shape[1]), np.bool_)
        move, chance = np.empty(shape, np.int64), np.empty(shape, np.float32)
        value, reward, ended = (
            np.empty((steps + 1, self.games), np.float32),
            np.empty(shape, np.float32),
            np.empty(shape, np.bool_),
        )
        won: list[bool] = []
        for step in range(steps):
            seen[step], mask[step] = self.seen, self.mask
            choice, value[step] = self.think(player)
            moves = choice.sample()
            move[step], chance[step] = moves, choice.log_prob(moves)
            self.seen, reward[step], ended[step], _, info = self.env.step(move[step])
            self.mask = info["action_mask"].astype(bool)
            won += (reward[step, ended[step]] == 1).tolist()
        value[steps] = self.think(player)[1]
        advantage = advantages(reward, value, ended)
        parts = (seen, mask, move, chance, advantage, advantage + value[:steps])
        return Experience._make(torch.from_numpy(part.reshape(-1, *part.shape[2:])) for part in parts), won

    def think(self, player: Player) -> tuple[Categorical, Tensor]:
        """What the player makes of all games as they stand."""
        choice, value = player(torch.from_numpy(self.seen), torch.from_numpy(self.mask))
        return choice, value


def advantages(reward: np.ndarray, value: np.ndarray, ended: np.ndarray) -> np.ndarray:
    """How much better each decision went than expected: generalised advantage estimation."""
    found, after = np.empty_like(reward), np.zeros(reward.shape[1], np.float32)
    for step in reversed(range(len(reward))):
        goes_on = 1.0 - ended[step]
        surprise = reward[step] + DISCOUNT * value[step + 1] * goes_on - value[step]
        found[step] = after = surprise + DISCOUNT * TRACE * goes_on * after
    return found


def learn(player: Player, optimizer: torch.optim.Optimizer, lived: Experience) -> None:
    """A few passes over what was lived through, each in small steps that do not lead too far at once."""
    count = len(lived.move)
    for _ in range(EPOCHS):
        for part in torch.randperm(count).split(min(MINIBATCH, count)):
            seen, mask, move, before, advantage, worth = (column[part] for column in lived)
            choice, value = player(seen, mask)
            ratio = (choice.log_prob(move) - before).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            loss = 0.5 * (value - worth).square().mean() - gain - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimizer.step()


def judge(player: Player, game: str, opponents: str, games: int, seed: int) -> tuple[float, float, float]:
    """Share of so many fresh games won, with its 95 % interval."""
    collector = Collector(game, opponents, games, 1, seed)
    won, ended = np.zeros(games, np.bool_), np.zeros(games, np.bool_)
    with torch.no_grad():
        while not ended.all():
            moves = collector.think(player)[0].sample().numpy()
            collector.seen, reward, over, _, info = collector.env.step(moves)
            collector.mask = info["action_mask"].astype(bool)
            won |= over & ~ended & (reward == 1)
            ended |= over
    return share_interval(float(won.sum()), games)


def train(
    game: str, opponents: str, minutes: float, threads: int = 1, seed: int = 0, games: int = GAMES, steps: int = STEPS
) -> tuple[Player, list[tuple[float, float]]]:
    """A trained player, and the share of games it won in training: (decisions so far, share)."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    collector = Collector(game, opponents, games, threads, seed)
    player = Player(collector.seen.shape[1], collector.mask.shape[1])
    optimizer = torch.optim.Adam(player.parameters(), RATE)
    history: list[tuple[float, float]] = []
    decisions, latest, began = 0, list[bool](), time.monotonic()
    while time.monotonic() - began < 60 * minutes or not history:
        lived, won = collector.collect(player, steps)
        learn(player, optimizer, lived)
        decisions += steps * games
        latest = (latest + won)[-500:]
        if latest:
            share = sum(latest) / len(latest)
            history.append((decisions, share))
            print(
                f"{time.monotonic() - began:6.0f} s  {decisions:9,} decisions  {share:6.1%} of the latest {len(latest)} games won"
            )
    return player, history


def main() -> None:
    """Train, judge, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="targi")
    parser.add_argument("--opponents", default="random", help="random, greedy, or a level from 1 to 6")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the player's weights")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw the learning curve as SVG")
    arguments = parser.parse_args()
    game, opponents = arguments.game, arguments.opponents
    player, history = train(game, opponents, arguments.minutes, arguments.threads, arguments.seed)
    share, low, high = judge(player, game, opponents, 2000, arguments.seed + 1_000_000)
    print(f"against {opponents} players: {share:.1%} of 2000 fresh games won (95 % interval {low:.1%} to {high:.1%})")
    if arguments.save:
        torch.save(player.state_dict(), arguments.save)
    if arguments.picture:
        title = f"Learning {game.capitalize()} against {opponents} players"
        frame = Frame(title, (0, max(decisions for decisions, _ in history)), (0, 1), ("decisions", "games won"), percent=True)
        frame.drawing.path([(frame.x(decisions), frame.y(won)) for decisions, won in history], "blue", 2)
        arguments.picture.write_text(frame.drawing.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
