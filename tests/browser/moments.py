"""Moments of games at which the page is tried, so that nobody has to click through a whole game to get there."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import azalai
from azalai.engine.position import Position
from azalai.engine.record import to_record

Record = dict[str, object]
GAMES_PLAYED = 30
FROM_THE_END = 3  # own decisions
CLOSE_TO = 0.1  # of a game


@functools.cache
def every_decision(name: str) -> dict[str, Record]:
    """By phase, a moment at which the first seat has to decide: all phases that come up in many games."""
    found: dict[str, Record] = {}
    for seed in range(GAMES_PLAYED):
        for position in own_moments(name, seed):
            if position.phase not in found:
                found[position.phase] = to_record(position)
    return found


@functools.cache
def shortly_before_the_end(name: str) -> Record:
    """The first seat has a few decisions left."""
    return to_record(own_moments(name, 1)[-FROM_THE_END])


def own_moments(name: str, seed: int) -> list[Position]:
    """Every position at which the first seat decides, by chance, in a game among greedy players."""
    position = azalai.game(name).new(seed=seed)
    chance, greedy = random.Random(seed), azalai.bot("greedy", position.game, seed=seed)
    found = []
    while not position.over:
        if position.seat == 0:
            found.append(position.copy())
            position.play(chance.choice(position.move_ids()))
        else:
            position.play(greedy.choose(position.seen_by(position.seat)))
    return found


@functools.cache
def played_well(name: str, seats: int, seed: int) -> list[Position]:
    """Every position of a game among greedy players, of whom the first plays each tenth time by chance."""
    position = azalai.game(name).new(seats, seed=seed)
    chance, greedy = random.Random(seed), azalai.bot("greedy", position.game, seed=seed)
    found = [position.copy()]
    while not position.over:
        if position.seat == 0 and chance.random() < 0.1:
            position.play(chance.choice(position.move_ids()))
        else:
            position.play(greedy.choose(position.seen_by(position.seat)))
        found.append(position.copy())
    return found


def near(name: str, seats: int, part: float, wanted: Callable[[Position], object]) -> Position:
    """A wanted position, as near as can be to a part of the game: 0 is its beginning, 1 its end."""
    best, least = None, 2.0
    for seed in range(GAMES_PLAYED):
        positions = played_well(name, seats, seed)
        for number, position in enumerate(positions[:-1]):
            away = abs(number / len(positions) - part)
            if away < least and wanted(position):
                best, least = position, away
        if best and least < CLOSE_TO:
            break
    assert best is not None, f"{name}: there is no such position in {GAMES_PLAYED} games"
    return best
