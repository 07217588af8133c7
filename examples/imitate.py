"""Learn to play as the games of a data set were played.

azalai simulate targi --players policy --games 2000 --decisions --out targi-games
python examples/imitate.py targi-games
"""

import sys

import numpy as np
import torch
from torch import nn

import azalai
from azalai.arena.dataset import replay
from azalai.envs.tables import Tables


def train(folder: str, passes: int = 4) -> nn.Module:
    """Let a small network learn which moves were chosen."""
    samples = list(replay(folder))
    seen, mask, move = (torch.from_numpy(np.concatenate([one[k] for one in samples])) for k in (3, 4, 5))
    network = nn.Sequential(nn.Linear(seen.shape[1], 256), nn.ReLU(), nn.Linear(256, mask.shape[1]))
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    for part in (part for _ in range(passes) for part in torch.randperm(len(seen)).split(512)):
        loss = nn.functional.cross_entropy(network(seen[part]).masked_fill(~mask[part], -1e9), move[part].long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return network


@torch.no_grad()
def win_rate(network: nn.Module, game: str, games: int = 200, opponents: str = "greedy") -> float:
    """Let the network play its likeliest moves, a game at each of so many tables; return how often it is the winner."""
    tables = Tables(azalai.game(game), games, seat=None, opponents=opponents)
    everywhere = np.ones(games, np.bool_)
    tables.reseed(np.arange(games), everywhere)
    tables.deal(everywhere)
    while not tables.over.all():
        logits = network(torch.from_numpy(tables.observe())).masked_fill(~torch.from_numpy(tables.mask), -1e9)
        tables.decide(logits.argmax(1).numpy(), ~tables.over)
    return float(np.mean([tables.position(i).ranking[tables.own[i]] == 1 for i in range(games)]))


if __name__ == "__main__":
    learnt = train(sys.argv[1])
    print(f"wins against greedy: {win_rate(learnt, sys.argv[2] if len(sys.argv) > 2 else 'targi'):.0%}")
