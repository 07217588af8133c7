"""PPO of TorchRL on one seat of a game, against players who move at random.

pip install 'azalai[envs]' torch 'torchrl>=0.14'
python examples/torchrl_ppo.py Targui-v1 50000
"""

import sys
from collections.abc import Iterator

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary, LazyTensorStorage, ReplayBuffer, SamplerWithoutReplacement
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import azalai

FRAMES, MINIBATCH, EPOCHS = (
    1024,
    256,
    4,
)  # decisions between two updates, of one step of the optimiser, and how often each is used


def make_env(name: str) -> TransformedEnv:
    """The environment as TorchRL sees it: the mask of legal moves comes along with every observation."""
    env = GymWrapper(azalai.make(name, seat=None, opponents="random"), categorical_action_encoding=True)
    mask = Binary(env.action_spec.n, dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=[mask]))
    return TransformedEnv(env, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))


def networks(env: TransformedEnv) -> tuple[ProbabilisticActor, ValueOperator]:
    """A player that chooses among the legal moves, and how good it finds a position."""
    sees, moves = env.observation_spec["observation"].shape[-1], env.action_spec.n
    body = nn.Sequential(nn.Linear(sees, 256), nn.ReLU(), nn.Linear(256, moves))
    actor = ProbabilisticActor(
        TensorDictModule(body, ["observation"], ["logits"]), in_keys={"logits": "logits", "mask": "action_mask"},
        spec=env.action_spec, distribution_class=MaskedCategorical, return_log_prob=True,
    )  # fmt: skip
    return actor, ValueOperator(nn.Sequential(nn.Linear(sees, 256), nn.ReLU(), nn.Linear(256, 1)))


def train(name: str, frames: int) -> Iterator[tuple[int, float]]:
    """Learn by play; yield after every update how many games have ended since the last, and the mean reward of these."""
    env = make_env(name)
    actor, critic = networks(env)
    advantage = GAE(gamma=0.998, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    buffer = ReplayBuffer(storage=LazyTensorStorage(FRAMES), sampler=SamplerWithoutReplacement(), batch_size=MINIBATCH)
    for played in Collector(env, actor, frames_per_batch=FRAMES, total_frames=frames):
        for _ in range(EPOCHS):
            advantage(played)
            buffer.extend(played.reshape(-1))
            for _ in range(FRAMES // MINIBATCH):
                parts = loss(buffer.sample())
                optimizer.zero_grad()
                (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
                optimizer.step()
        ended = played["next", "done"]
        yield int(ended.sum()), float(played["next", "reward"][ended].mean())


if __name__ == "__main__":
    for number, (games, reward) in enumerate(train(sys.argv[1], int(sys.argv[2]))):
        print(f"{(number + 1) * FRAMES} decisions: {games} games, mean reward {reward:.2f}")
