"""Judges positions of one game, with its network if it has one, else by short searches; a search finds the best move.

All numbers are chances to win, one for each seat, that add up to 1. A game's `extras/review.toml` may hold a `sharpness`, the
power that calibrates them: `python -m tools.calibrate` finds it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azalai.bots import thought
from azalai.bots.guided import iterate_guided
from azalai.bots.levels import GUIDED, Level, levels, searches
from azalai.bots.network import FILE, Eyes, Judge, WrongNetwork
from azalai.bots.search import Memory, follow, iterate, memory, prepare
from azalai.engine.compile import finish_compiling, is_ready, use_compiled
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.rule import INTERPRET, numbers

ENTRIES = 1 << 16  # of the search's table
QUICK = Level(0, iterations=24, cutoff=0, temperature=0.0, tries=2, exploration=0.5)  # for chances of games without a network
SEARCH, GUIDED_SEARCH = "azalai.bots.player", "azalai.bots.guided"  # what has to be compiled
LINE = 8  # decisions of the expected continuation
HINTS = 4  # the search of that number judges hints of games whose levels are searches
INTERPRETED = 12  # iterations at most where nothing is compiled

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Look:
    """What a search saw in one decision."""

    moves: tuple[int, ...]  # the most visited first
    visits: tuple[int, ...]
    chances: Array  # [move, seat]
    expected: Array  # every seat's chance, over all that was tried


def parts(game: Game) -> tuple[str, ...]:
    """Return what has to be compiled of a game for its reviews and hints."""
    network = ("azalai.bots.network",) if (game.extras / FILE).exists() else ()
    return (SEARCH, *((GUIDED_SEARCH,) if network and plays_by_network(game) else ()), *network)


def plays_by_network(game: Game) -> bool:
    """Whether the levels of a game play by its network: searches for reviews and hints are guided by it then, too."""
    return levels(game)[-1].guided


@functools.cache
def sharpness(game: Game) -> float:
    """Return the power that turns a game's judgements into calibrated chances."""
    path = game.extras / "review.toml"
    return float(tomllib.loads(path.read_text(encoding="utf-8"))["sharpness"]) if path.exists() else 1.0


def calibrate(game: Game, values: Any) -> Array:
    """Turn values of all seats (the last axis) into calibrated chances that add up to 1."""
    powers = np.maximum(np.asarray(values, float), 1e-6) ** sharpness(game)
    found: Array = powers / powers.sum(axis=-1, keepdims=True)
    return found


def share_win(places: Sequence[int]) -> Array:
    """Return each seat's share of the win."""
    won = np.asarray(places) == 1
    shares: Array = won / won.sum()
    return shares


class Scout:
    """Judges positions of one game. Only one thread at a time may use it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        try:
            self._judge: Judge | None = Judge(game)
        except (BadOption, WrongNetwork):  # a variant may have other moves
            self._judge = None
        self._guided = self._judge is not None and plays_by_network(game)
        self._memory: Memory | None = None
        self._eyes: tuple[Eyes, Eyes] | None = None
        use_compiled(game, SEARCH)
        if self._guided:
            use_compiled(game, GUIDED_SEARCH)

    def wait(self) -> None:
        """Return when searches run compiled. They are guided by a network only then."""
        finish_compiling(self.game, GUIDED_SEARCH if self._guided else SEARCH)

    @property
    def compiled(self) -> bool:
        """Whether searches run compiled; else they make few iterations."""
        return not INTERPRET and is_ready(self.game, SEARCH if self._eyes is None else GUIDED_SEARCH)

    def chances(self, position: Position, number: int = 0) -> Array:
        """Judge a position quickly, as the seat to decide sees it."""
        if position.over:
            return share_win(position.ranking)
        if self._judge is not None:
            return calibrate(self.game, self._judge.judge(position, position.move_ids()[:1])[0])
        return self.look(position.seen_by(position.seat), QUICK.iterations, number, how=QUICK).expected

    def look(self, seen: Position, iterations: int, number: int = 0, also: Move | None = None, how: Level | None = None) -> Look:
        """Search a concealed position; `also` is judged even if it is no candidate."""
        m = self._prepare()
        m.root[0] = seen.state
        m.extra[0] = -1 if also is None else also.id
        count = int(prepare(m))
        work = iterations if self.compiled else min(iterations, INTERPRETED)
        start = thought(number, seen.ply)
        if self._eyes is None:
            level = how or searches(self.game)[HINTS - 1]
            iterate(m, work, level.exploration, level.cutoff, level.tries, start)
        else:
            iterate_guided(m, *self._eyes, work, GUIDED.exploration, start)
        visits = np.array(m.first_visits[:count])
        rewards = np.array(m.first_rewards[:count, : seen.seats])
        order = np.argsort(-visits, kind="stable")
        return Look(
            tuple(np.array(m.first_moves[:count])[order].tolist()),
            tuple(visits[order].tolist()),
            calibrate(self.game, (rewards / np.maximum(1, visits)[:, None])[order]),
            calibrate(self.game, rewards.sum(axis=0) / visits.sum()),
        )

    def _prepare(self) -> Memory:
        """Return the memory of the searches."""
        if self._memory is None:
            guided = self._guided and not INTERPRET and is_ready(self.game, GUIDED_SEARCH)
            self._memory = memory(self.game, ENTRIES, guided)
            if guided:
                self._eyes = Eyes.pair(self.game, self._memory.seen)
        return self._memory

    def line(self, move: int) -> tuple[tuple[int, Move], ...]:
        """Return how play would go on after `move` by the search just made: (seat, move), beginning with it."""
        moves, seats = numbers(LINE), numbers(LINE)
        count = int(follow(self._prepare(), move, 1, moves, seats))
        return tuple((int(seats[i]), self.game.moves[int(moves[i])]) for i in range(count))

    def compare(self, seen: Position, moves: Sequence[int], worlds: int, iterations: int, number: int = 0) -> Array:
        """Return every seat's chances [move, seat] after each of some moves.

        All moves are tried in the same sampled worlds, so that what chance does to one it does to all.
        """
        whole = np.zeros((len(moves), seen.seats))
        for world in range(worlds if self.compiled else 2):
            for index, move in enumerate(moves):
                after = seen.imagine(thought(number, world))
                after.play(move, seen.seat)
                if after.over:
                    whole[index] += share_win(after.ranking)
                else:
                    whole[index] += self.look(after.seen_by(after.seat), iterations, number + world).expected
        mean: Array = whole / whole.sum(axis=1, keepdims=True)
        return mean

    def forget(self) -> None:
        """Forget all searches, so that the next is the same whatever came before."""
        m = self._prepare()
        np.asarray(m.table)["key"] = 0
        m.used[0] = 0
