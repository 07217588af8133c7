"""Ratings from results: Bradley–Terry for two players, Plackett–Luce for more, with intervals."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azalai.arena.match import GameResult

ELO = 400 / math.log(10)  # points per unit of log-strength
Z = 1.959964
PRIOR = 0.25  # of a won and of a lost game against an average player: keeps a player without a loss finite


Pick = tuple[int, tuple[int, ...]]  # who was picked, among whom


@dataclass(frozen=True)
class Rating:
    """How strong a player is, in Elo points, with a 95 % interval."""

    player: str
    rating: float
    low: float
    high: float
    games: int


def rate(results: Sequence[GameResult]) -> list[Rating]:
    """Return the ratings of all players in `results`, the strongest first; the mean is 0.

    In the model a player's chance to be first of a group is its strength over the group's (Plackett–Luce, which for two is
    Bradley–Terry): the winner is drawn first, then the second among the rest, and so on. Newton's method fits the logarithms
    of the strengths; intervals come from the curvature there. A tie counts half for either order.
    """
    if not results:
        return []
    names = sorted({name for result in results for name in result.players})
    index = {name: number for number, name in enumerate(names)}
    rounds: defaultdict[Pick, float] = defaultdict(float)  # the same choice among the same players comes up again and again
    for result in results:
        for picked, group, weight in _picks(result, index):
            rounds[picked, group] += weight
    theta = np.zeros(len(names))
    for _ in range(100):
        gradient, curvature = _slope(theta, rounds)
        step = np.linalg.solve(curvature, gradient)
        theta += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    _, curvature = _slope(theta, rounds)
    centre = np.eye(len(names)) - 1 / len(names)  # ratings are relative to their mean
    spread = np.sqrt(np.diag(centre @ np.linalg.inv(curvature) @ centre)) * ELO * Z
    elo = (theta - theta.mean()) * ELO
    games = {name: sum(name in result.players for result in results) for name in names}
    table = [
        Rating(name, float(r), float(r - d), float(r + d), games[name]) for name, r, d in zip(names, elo, spread, strict=True)
    ]
    return sorted(table, key=lambda one: -one.rating)


def _picks(result: GameResult, index: dict[str, int]) -> list[tuple[int, tuple[int, ...], float]]:
    """(who was picked, among whom, with what weight) for every place of a game."""
    everyone = [index[name] for name in result.players]
    picks = []
    for seat, player in enumerate(everyone):
        level = [s for s, place in enumerate(result.places) if place == result.places[seat]]
        rest = [s for s, place in enumerate(result.places) if place > result.places[seat]]
        if rest:
            picks.append((player, (player, *sorted(everyone[s] for s in rest)), 1.0))
        picks += [(player, (player, everyone[other]), 0.5) for other in level if everyone[other] != player]
    return picks


def _slope(theta: Any, rounds: Mapping[Pick, float]) -> tuple[Any, Any]:
    """Gradient of the log-likelihood and the (negated) matrix of second derivatives."""
    size = len(theta)
    chance = 1 / (1 + np.exp(-theta))  # against the average player of the prior
    gradient = PRIOR * (1 - 2 * chance)
    curvature = np.diag(2 * PRIOR * chance * (1 - chance))
    for (picked, group), weight in rounds.items():
        strength = np.exp(theta[list(group)])
        share = strength / strength.sum()
        gradient[picked] += weight
        for place, member in enumerate(group):
            gradient[member] -= weight * share[place]
            curvature[member, member] += weight * share[place]
            for other_place, other in enumerate(group):
                curvature[member, other] -= weight * share[place] * share[other_place]
    assert gradient.shape == (size,)
    return gradient, curvature
