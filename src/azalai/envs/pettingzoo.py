"""PettingZoo: every seat an agent, asked in turn (AEC), with a mask of legal moves in its observation.

>>> import azalai
>>> import azalai.envs.pettingzoo
>>> import pettingzoo
>>> table = pettingzoo.make("aec", f"azalai/{azalai.games()[0]}-v1")
>>> table.reset(seed=7)
>>> for agent in table.agent_iter():
...     observation, reward, termination, truncation, info = table.last()
...     over = termination or truncation
...     table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

import azalai
from azalai.engine.encode import layout_for
from azalai.engine.game import Game
from azalai.engine.position import SEED_LIMIT, Position
from azalai.envs.common import VERSION, game_of, picture

Observation = dict[str, Any]


def env(
    game: str | Game, seats: int | None = None, render_mode: str | None = None, conclusions: bool = False, **options: Any
) -> AECEnv[str, Any, Any]:
    """A game as a PettingZoo environment. Whoever plays an illegal move loses 1 and ends the game."""
    wrapped: AECEnv[str, Any, Any] = raw_env(game, seats, render_mode, conclusions, **options)
    wrapped = TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv[str, Observation, int]):  # noqa: N801 - PettingZoo's own name for it
    """A game without PettingZoo's wrappers: an illegal move raises IllegalMove. Agent `player_2` has seat 2."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        render_mode: str | None = None,
        conclusions: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = game_of(game)
        self.layout = layout_for(self.game, "float32", conclusions)  # of observations
        self.metadata = {
            "name": f"azalai_{self.game.name}_v{VERSION}",
            "render_modes": ["human", "ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.seats = self.game.check_seats(seats)
        self._batch = self.game.batch(1, self.seats, **options)
        self._mask = self._batch.legal_mask()[0].view(np.int8)
        self.possible_agents = [f"player_{seat}" for seat in range(self.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size, count = self.layout.size, self.game.moves.count
        self._observation_spaces = {
            agent: Dict({"observation": Box(0, 1, (size,), np.float32), "action_mask": Box(0, 1, (count,), np.int8)})
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: Discrete(count) for agent in self.possible_agents}
        self._seed: int | None = None  # the last that was given,
        self._chance: random.Random | None = None  # and where the seeds of games without one come from, once there are some

    @property
    def position(self) -> Position:
        """The game as it stands, to look at."""
        return Position(self.game, None, self._batch.states.tobytes())

    def observation_space(self, agent: str) -> Dict:
        """What an agent is given: `observation`, see `layout`, and `action_mask`."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The ids of all moves; `game.moves[id]` tells which is which."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game: with a seed the game of that seed, without one the next by chance."""
        if seed is None and self._chance is None:
            self._chance = random.Random(self._seed)
        elif seed is not None:
            self._seed, self._chance = seed, None
        self._batch.reseed(self._chance.randrange(SEED_LIMIT) if self._chance is not None else seed)
        self._batch.restart(True)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._batch.seat[0]]

    def observe(self, agent: str) -> Observation:
        """What an agent may know; its mask is empty where it is not asked."""
        asked = agent == self.agent_selection
        legal = self._mask.copy() if asked else np.zeros_like(self._mask)
        tensor = np.empty((1, self.layout.size), np.float32)
        self._batch.observe(self._seat_of[agent], tensor, conclusions=self.layout.concludes)
        return {"observation": tensor[0], "action_mask": legal}

    def step(self, action: int | None) -> None:
        """One decision of the agent whose turn it is. Who chooses at the same time as others is asked before or after them."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._batch.step([action])
        if self._batch.done[0]:
            self.rewards = dict(zip(self.agents, self._batch.rewards[0].tolist(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            self._accumulate_rewards()
        else:
            self.agent_selection = self.agents[self._batch.seat[0]]
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The picture that the agent to decide sees: as a string with the mode `ansi`, else printed."""
        text = picture(self.position, int(self._batch.seat[0]))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def register() -> None:
    """Register all games for `pettingzoo.make`, as `azalai/<name>-v1`."""
    for name in azalai.games():
        identity = f"azalai/{name}-v{VERSION}"
        if identity not in pettingzoo.aec_registry:
            pettingzoo.register("aec", identity, "azalai.envs.pettingzoo:env", kwargs={"game": name})


register()
