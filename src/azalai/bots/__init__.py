"""Who plays. A player is any object with `choose(position) -> Move`."""

from __future__ import annotations

import random
from collections.abc import Collection
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol

from azalai.engine.errors import BadOption, brief

if TYPE_CHECKING:
    from azalai.bots.levels import Level
    from azalai.engine.game import Game
    from azalai.engine.moves import Move
    from azalai.engine.position import Position

BASELINES = ("random", "greedy")
POLICY = "policy"
LEVELS = ("1", "2", "3", "4", "5", "6")
DEFAULT_LEVEL = 3
PARTS = ("azalai.engine.position", "azalai.bots.baseline", "azalai.bots.player")  # what players use, see engine/compile.py
NETWORK_PARTS = ("azalai.bots.guided", "azalai.bots.network")  # what those use besides that play by a network,
AHEAD_PART = "azalai.bots.ahead"  # and those that try moves with it


class Player(Protocol):
    """Anything that can choose a move for the seat to decide."""

    def choose(self, position: Position) -> Move:
        """A legal move of `position`, which is concealed for the seat that decides."""
        ...


def names() -> tuple[str, ...]:
    """Return the names of the players of every game: the baselines, the six levels, and those of other packages."""
    return (*BASELINES, *LEVELS, *sorted(entry.name for entry in entry_points(group="azalai.bots")))


def make(name: str, game: Game, seed: int | None = None, level: int | None = None, threads: int = 1) -> Player:
    """Make a player by name: `random`, `greedy`, `policy` (the bare network), `guided` (a search that the network guides), a
    level's number, `search1` to `search6` (searches without a network; `search` with a level is the same), or another package's.

    `3x4` is level 3 with four times its work. Without a seed it plays differently every time. Where a game has no network,
    `policy` and `guided` raise BadOption.
    """
    number = random.SystemRandom().getrandbits(40) if seed is None else seed
    if name in BASELINES:
        from azalai.bots.baseline import POLICIES, Baseline

        return Baseline(game, POLICIES[name], number)
    if name == POLICY:
        from azalai.bots.policy import Policy

        return Policy(game, number)
    from azalai.bots.levels import named

    strength = named(game, f"search{level or DEFAULT_LEVEL}" if name == "search" else name)
    if strength is not None:
        return play_as(game, strength, number, threads)
    for entry in entry_points(group="azalai.bots", name=name):
        player: Player = entry.load()(game, number)
        return player
    raise BadOption(f"there is no player {brief(name)}; there are {', '.join(names())}")


def play_as(game: Game, level: Level, seed: int, threads: int = 1) -> Player:
    """Make a player that plays as a level says: by a search, by trying moves or, where that is no work, by the network alone."""
    if level.guided and not level.iterations:
        from azalai.bots.policy import Fallible, Policy

        return Fallible(game, seed, level.temperature, level.margin) if level.margin else Policy(game, seed)
    if level.looks_ahead:
        from azalai.bots.ahead import Ahead

        return Ahead(game, level, seed)
    from azalai.bots.player import Search

    return Search(game, level, seed, threads)


def parts(game: Game, players: Collection[str]) -> tuple[str, ...]:
    """Return what has to be compiled before these players play as they should."""
    from azalai.bots.levels import named

    strengths = [named(game, name) for name in players]
    guided = POLICY in players or any(one is not None and one.guided for one in strengths)
    ahead = any(one is not None and one.looks_ahead for one in strengths)
    return (*PARTS, *(NETWORK_PARTS if guided else ()), *((AHEAD_PART,) if ahead else ()))


def thought(seed: int, ply: int) -> int:
    """Return the number from which all of a player's chance in one decision comes."""
    return random.Random(f"{seed}/{ply}").getrandbits(60)
