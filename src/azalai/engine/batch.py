"""Many games in one array, stepped in compiled code."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from azalai.engine import flow
from azalai.engine.dispatch import legal, score
from azalai.engine.errors import IllegalMove
from azalai.engine.game import Game
from azalai.engine.rng import below
from azalai.engine.rule import duplicate, numbers, records, rule
from azalai.engine.schema import MAX_SEATS


class Batch:
    """`count` games side by side. Game i of a batch is game i of its seed, whatever the number of threads."""

    def __init__(self, game: Game, count: int, seats: int | None, seed: int, threads: int, options: Mapping[str, Any]) -> None:
        self.game = game
        self.seed = seed
        self.states = records(count, game.schema.dtype)
        self.rewards = np.zeros(
            (count, MAX_SEATS), np.float32
        )  # of games that ended in the last step: 1 for winning, shared in a tie
        self.done = np.zeros(count, np.bool_)  # which games ended in the last step
        self._dealt = np.full(count, count, np.int64)  # the stream number of the game each place deals next
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        edges = np.linspace(0, count, threads + 1).astype(int).tolist()
        self._slices = [slice(a, b) for a, b in itertools.pairwise(edges)]
        self._blank = records(1, game.schema.dtype)
        game.header(self._blank[0], seats, options)
        self._each(lambda part: _deal(self.states[part], self._blank, seed, part.start))

    def __len__(self) -> int:
        return len(self.states)

    @property
    def seat(self) -> np.ndarray[Any, Any]:
        """The seat to decide, per game."""
        return np.asarray(self.states["seat"])

    @property
    def over(self) -> np.ndarray[Any, Any]:
        """Whether a game is over, per game."""
        over: np.ndarray[Any, Any] = np.asarray(self.states["over"]) != 0
        return over

    def legal_mask(self, out: np.ndarray[Any, Any] | None = None) -> np.ndarray[Any, Any]:
        """Which of all move ids are legal, per game: an array of booleans, written into `out` where given."""
        mask: np.ndarray[Any, Any] = np.empty((len(self), self.game.moves.count), np.bool_) if out is None else out
        self._each(lambda part: _masks(self.states[part], mask[part], self.game.move_buffer()))
        return mask

    def step(self, moves: Any) -> None:
        """One decision in every game; games that are over stay as they are. An illegal move raises and changes nothing."""
        chosen = np.ascontiguousarray(moves, np.int32)
        if chosen.shape != (len(self),):
            raise IllegalMove(f"a batch of {len(self)} games takes as many moves, not {chosen.shape}")
        bad = self._each(lambda part: _first_illegal(self.states[part], chosen[part], self.game.move_buffer()))
        for part, index in zip(self._slices, bad, strict=True):
            if index >= 0:
                raise IllegalMove(f"move {chosen[part.start + index]} is not legal in game {part.start + index}")
        self._each(lambda part: _step(self.states[part], chosen[part], self.rewards[part], self.done[part], _places()))

    def step_random(self) -> None:
        """One random legal decision in every game, by the games' own generators."""
        self._each(
            lambda part: _step_random(self.states[part], self.rewards[part], self.done[part], self.game.move_buffer(), _places())
        )

    def restart(self) -> int:
        """Deal a new game, from streams not used before, wherever one is over; how many that were."""
        fresh = self._each(
            lambda part: _restart(self.states[part], self._blank, self.seed, part.start, self._dealt[part], len(self))
        )
        return sum(fresh)

    def observe(self, seat: int | None = None) -> Any:
        """Copies of all records, blanked of all that `seat` may not know; without a seat, as each game's decider sees it."""
        seen = duplicate(self.states)
        self._each(lambda part: _conceal(seen[part], -2 if seat is None else seat))
        return seen

    def _each(self, work: Callable[[slice], Any]) -> list[Any]:
        if self._pool is None:
            return [work(part) for part in self._slices]
        return list(self._pool.map(work, self._slices))


def _places() -> Any:
    return numbers((MAX_SEATS, 2))


@rule
def _deal(states: Any, blank: Any, number: Any, first: Any) -> None:
    for i in range(len(states)):
        states[i] = blank[0]
        flow.begin(states[i], number, first + i)


@rule
def _restart(states: Any, blank: Any, number: Any, first: Any, dealt: Any, count: Any) -> Any:
    fresh = 0
    for i in range(len(states)):
        if states[i].over:
            states[i] = blank[0]
            flow.begin(states[i], number, dealt[i] + first + i)
            dealt[i] += count
            fresh += 1
    return fresh


@rule
def _masks(states: Any, mask: Any, out: Any) -> None:
    mask[:] = False
    for i in range(len(states)):
        if not states[i].over:
            for k in range(legal(states[i], out)):
                mask[i, out[k]] = True


@rule
def _first_illegal(states: Any, moves: Any, out: Any) -> Any:
    for i in range(len(states)):
        if not states[i].over and not flow.is_legal(states[i], moves[i], out):
            return i
    return -1


@rule
def _after(s: Any, reward: Any, places: Any) -> Any:
    """Share out the win of a game that has just ended."""
    if not s.over:
        return False
    score(s, places)
    winners = 0
    for seat in range(s.seats):
        winners += places[seat, 1] == 1
    for seat in range(s.seats):
        reward[seat] = 1.0 / winners if places[seat, 1] == 1 else 0.0
    return True


@rule
def _step(states: Any, moves: Any, rewards: Any, done: Any, places: Any) -> None:
    rewards[:] = 0
    for i in range(len(states)):
        done[i] = False
        if not states[i].over:
            flow.step(states[i], moves[i])
            done[i] = _after(states[i], rewards[i], places)


@rule
def _step_random(states: Any, rewards: Any, done: Any, out: Any, places: Any) -> None:
    rewards[:] = 0
    for i in range(len(states)):
        done[i] = False
        s = states[i]
        if not s.over:
            flow.step(s, out[below(s, legal(s, out))])
            done[i] = _after(s, rewards[i], places)


@rule
def _conceal(states: Any, seat: Any) -> None:
    for i in range(len(states)):
        flow.conceal(states[i], states[i].seat if seat == -2 else seat)
