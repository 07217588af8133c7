"""Gymnasium: one seat of a game against chosen computer players, alone or in a vector of thousands.

>>> import azalai
>>> import azalai.envs.gymnasium
>>> import gymnasium
>>> env = gymnasium.make(f"azalai/{azalai.games()[0]}-v1", opponents="greedy")
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

An observation is the vector that `game.observation` describes; with `conclusions=True` those of the game follow. An action is the
id of a move, and the mask of legal moves is in `info`. The reward comes at the end: 1 for winning, -1 divided among those who did
not, 0 for a draw of all. An illegal move ends the game, which is lost.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import azalai
from azalai.engine.game import Game
from azalai.envs.common import VERSION, game_of, picture
from azalai.envs.tables import Array, Opponents, Tables

SEEDS = 1 << 62
Info = dict[str, Any]


class SeatEnv(gymnasium.Env[Array, int]):
    """One seat of a game. Opponents are one for all, or one for each place after yours: names of players, or players."""

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's own way

    def __init__(
        self,
        game: str | Game,
        seat: int | None = 0,
        opponents: Opponents = "random",
        seats: int | None = None,
        render_mode: str | None = None,
        conclusions: bool = False,
        **options: Any,
    ) -> None:
        self.render_mode = render_mode
        self.tables = Tables(game_of(game), 1, seat, opponents, seats, 1, options, conclusions)
        self.observation_space, self.action_space = _spaces(self.tables)
        self._here = np.ones(1, np.bool_)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Array, Info]:
        """Deal a new game: with a seed its first, without one the next."""
        first = self._np_random is None
        super().reset(seed=seed)
        if seed is not None or first:
            self.tables.reseed(np.array([self.np_random.integers(SEEDS) if seed is None else seed]), self._here)
        self.tables.deal(self._here)
        return self.tables.observe()[0], self._info()

    def step(self, action: int) -> tuple[Array, float, bool, bool, Info]:
        """Your move; then all others play up to your next turn."""
        illegal = self.tables.decide([action], self._here)[0]
        reward = -1.0 if illegal else float(self.tables.rewards[0, self.tables.own[0]])
        if self.render_mode == "human":
            self.render()
        return self.tables.observe()[0], reward, bool(illegal or self.tables.over[0]), False, self._info()

    def action_masks(self) -> Array:
        """Your legal moves, by the name that sb3-contrib's MaskablePPO looks for."""
        mask: Array = self.tables.mask[0].copy()
        return mask

    def render(self) -> str | None:
        """The picture as you see it: a string with the mode `ansi`, else printed."""
        text = picture(self.tables.position(0), int(self.tables.own[0]))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _info(self) -> Info:
        return {"action_mask": self.tables.mask[0].astype(np.int8)}


class SeatVectorEnv(VectorEnv[Array, Array, Array]):
    """Thousands of such seats side by side, in compiled code and as many threads as asked for.

    Copy i of seed s plays what `SeatEnv` plays with seed s + i. When a game ends, the next is dealt in the next step, in the same
    step or when asked for by `reset(options={"reset_mask": …})`, as Gymnasium's autoreset modes say.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        seat: int | None = 0,
        opponents: Opponents = "random",
        seats: int | None = None,
        threads: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        conclusions: bool = False,
        **options: Any,
    ) -> None:
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.tables = Tables(game_of(game), num_envs, seat, opponents, seats, threads, options, conclusions)
        self.single_observation_space, self.single_action_space = _spaces(self.tables)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: Info | None = None,
    ) -> tuple[Array, Info]:
        """Deal new games everywhere, or where `options["reset_mask"]` says; copy i has the seed `seed + i`, or `seed[i]`."""
        first = self._np_random is None
        super().reset(seed=seed if isinstance(seed, int) else None)
        everywhere = np.ones(self.num_envs, np.bool_)
        where = everywhere if options is None else np.asarray(options.get("reset_mask", everywhere), np.bool_)
        if where.shape != (self.num_envs,) or not where.any():
            raise ValueError(f"reset_mask must have a True among {self.num_envs} booleans")
        if first:
            self.tables.reseed(self.np_random.integers(SEEDS, size=self.num_envs), everywhere)
        if seed is not None:
            wanted = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed
            given = np.array([one is not None for one in wanted])
            self.tables.reseed(np.array([one or 0 for one in wanted]), where & given)
        self.tables.deal(where)
        self._ended &= ~where
        return self.tables.observe(), self._info(where)

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, Info]:
        """Your move in every game; then all others play up to your next turns."""
        mode, tables = self.autoreset_mode, self.tables
        if mode == AutoresetMode.DISABLED and self._ended.any():
            raise gymnasium.error.ResetNeeded("some games are over: reset(options={'reset_mask': …}) deals new ones")
        again = self._ended if mode == AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, np.bool_)
        illegal = tables.decide(actions, ~again)
        rewards = tables.rewards[np.arange(self.num_envs), tables.own].astype(np.float64)
        rewards[illegal] = -1.0
        ended = (tables.over | illegal) & ~again
        info: Info = {}
        if mode == AutoresetMode.SAME_STEP and ended.any():
            info = self._final(ended)
            tables.deal(ended)
        if again.any():
            tables.deal(again)
        self._ended = ended if mode != AutoresetMode.SAME_STEP else np.zeros(self.num_envs, np.bool_)
        info |= self._info(np.ones(self.num_envs, np.bool_))
        return tables.observe(), rewards, ended.copy(), np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> Array:
        """Your legal moves: [copy, move id]."""
        return self.tables.mask.copy()

    def render(self) -> tuple[str, ...]:
        """All pictures as you see them."""
        return tuple(picture(self.tables.position(i), int(self.tables.own[i])) for i in range(self.num_envs))

    def _info(self, where: Array) -> Info:
        masks = self.tables.mask.astype(np.int8)
        masks[~where] = 0
        return {"action_mask": masks, "_action_mask": where.copy()}

    def _final(self, ended: Array) -> Info:
        """What was last seen of the games that have ended."""
        seen, last = self.tables.observe(), np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            last[i] = seen[i]
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": self._info(ended), "_final_info": ended.copy()}


def _spaces(tables: Tables) -> tuple[Box, Discrete]:
    return Box(0.0, 1.0, (tables.layout.size,), np.float32), Discrete(tables.game.moves.count)


def make(name: str, num_envs: int | None = None, **options: Any) -> Any:
    """See `azalai.make`."""
    identity = f"azalai/{name.lower()}"
    if num_envs is None:
        return gymnasium.make(identity, **options)
    return gymnasium.make_vec(identity, num_envs, "vector_entry_point", **options)


def register() -> None:
    """Register all games for `gymnasium.make` and `make_vec`, as `azalai/<name>-v1`."""
    for name in azalai.games():
        identity, here = f"azalai/{name}-v{VERSION}", "azalai.envs.gymnasium"
        if identity not in gymnasium.registry:
            gymnasium.register(identity, f"{here}:SeatEnv", vector_entry_point=f"{here}:SeatVectorEnv", kwargs={"game": name})


register()
