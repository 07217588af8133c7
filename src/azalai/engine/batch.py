"""Many games in one array, stepped in compiled code.

Every array here is made once and then brought up to date in place, so it may be wrapped once, by `torch.from_dlpack` for one,
and goes on showing the present without a copy.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from azalai.engine import flow
from azalai.engine.compile import compile_once
from azalai.engine.dispatch import legal, score
from azalai.engine.errors import BadOption, IllegalMove
from azalai.engine.game import Game, score_buffer
from azalai.engine.observe import encode_many, number_views
from azalai.engine.rng import GOLDEN, LOW_HALF, MIX_1, mix
from azalai.engine.rule import duplicate, numbers, records, rule

Array = np.ndarray[Any, Any]


class Part(NamedTuple):
    """The games of one thread, and memory of its own."""

    first: int  # the number of the first of them
    states: Any
    rewards: Any
    done: Any
    mask: Any
    moves: Any  # the legal moves,
    counts: Any  # and how many they are
    dealt: Any  # the number of games dealt in each place
    places: Any  # for scores


class Batch:
    """`count` games side by side. Game i of a batch is game i of its seed, whatever the number of threads."""

    states: Any  # the records themselves
    rewards: Array  # [game, seat], of games that ended in the last step: 1 for winning alone, together 0; see `share_out`
    done: Array  # [game], which games ended in the last step

    def __init__(self, game: Game, count: int, seats: int | None, seed: int, threads: int, options: Mapping[str, Any]) -> None:
        self.game = game
        self.seed = seed
        self.seats = game.check_seats(seats)
        self._crew = Crew(count, threads)
        self.states = records(count, game.schema.dtype)
        self.rewards = np.zeros((count, self.seats), np.float32)
        self.done = np.zeros(count, np.bool_)
        self._mask = np.zeros((count, game.moves.count), np.bool_)
        self._moves, self._counts, self._dealt = numbers((count, game.max_moves)), numbers(count), numbers(count, np.int64)
        arrays = (self.states, self.rewards, self.done, self._mask, self._moves, self._counts, self._dealt)
        self._parts = [Part._make((part.start, *(one[part] for one in arrays), score_buffer())) for part in self._crew.slices]
        self._blank = records(1, game.schema.dtype)
        game.header(self._blank[0], seats, options)
        self._draws = 0
        self._observer: Observer | None = None
        self._observations: Array = np.empty(0, np.float32)
        compile_once(game, "batch", [self.deal, lambda: self.step(self.random_moves(), restart=True)])
        self.deal()

    def __len__(self) -> int:
        return len(self.states)

    # ------------------------------------------------------------ looking

    @property
    def seat(self) -> Array:
        """The seat to decide, per game: a view of the records."""
        return np.asarray(self.states["seat"])

    @property
    def over(self) -> Array:
        """Whether a game is over, per game."""
        over: Array = np.asarray(self.states["over"]) != 0
        return over

    def legal_mask(self) -> Array:
        """Which of all move ids are legal: [game, move id]. The batch's own array, which every step brings up to date."""
        return self._mask

    def observe(self, seat: Any = None, out: Array | None = None) -> Array:
        """What `seat` may know in every game, as numbers: [game, number], see `game.observation`.

        `seat` is one for all or one per game; without it each game is seen by the seat to decide. The numbers are written into
        `out`, or else into the batch's own array, which the next call overwrites.
        """
        if self._observer is None:
            self._observer = Observer(self.game, self.states, self._crew)
            self._observations = np.empty((len(self), self._observer.size), np.float32)
        return self._observer.write(self.seat if seat is None else seat, self._observations if out is None else out)

    def seen_by(self, seat: int | None = None) -> Any:
        """Copies of all records, blanked of all that `seat` may not know; without a seat, as each game's decider sees it."""
        seen = duplicate(self.states)
        self._crew.each(lambda part: _conceal(seen[part], -2 if seat is None else seat), self._crew.slices)
        return seen

    # ------------------------------------------------------------ playing

    def random_moves(self, out: Array | None = None) -> Array:
        """A legal move for every game, all equally likely, by a generator of the batch's own; 0 where a game is over."""
        moves = np.empty(len(self), np.int32) if out is None else out
        self._draws += 1
        number = (self.seed + self._draws * len(self)) & 0x7FFFFFFFFFFFFFFF
        self._crew.each(lambda part: _choose(part, number, moves), self._parts)
        return moves

    def step(self, moves: Any, restart: bool = False) -> None:
        """One decision in every game; games that are over stay as they are. An illegal move raises and changes nothing.

        With `restart` a new game is dealt at once wherever one has ended; `rewards` and `done` tell of the old one.
        """
        chosen = np.ascontiguousarray(moves, np.int32)
        if chosen.shape != (len(self),):
            raise IllegalMove(f"a batch of {len(self)} games takes as many moves, not {chosen.shape}")
        bad = [game for game in self._crew.each(lambda part: _first_illegal(part, chosen), self._parts) if game >= 0]
        if bad:
            raise IllegalMove(f"move {chosen[bad[0]]} is not legal in game {bad[0]}")
        self._crew.each(lambda part: _step(part, chosen, restart, self._blank, self.seed, len(self)), self._parts)

    def restart(self) -> int:
        """Deal a new game, from streams not used before, wherever one is over; how many that were."""
        return sum(self._crew.each(lambda part: _deal(part, False, self._blank, self.seed, len(self)), self._parts))

    def deal(self) -> None:
        """Begin all over, with the very first games of the seed."""
        self._dealt[:] = 0
        self._draws = 0
        self.rewards[:] = 0
        self.done[:] = False
        self._crew.each(lambda part: _deal(part, True, self._blank, self.seed, len(self)), self._parts)


class Crew:
    """Threads that share out `count` games among themselves, in equal parts."""

    def __init__(self, count: int, threads: int) -> None:
        if count < 1 or threads < 1:
            raise BadOption(f"there must be at least one game and one thread, not {min(count, threads)}")
        edges = np.linspace(0, count, threads + 1).astype(int).tolist()
        self.slices = [slice(a, b) for a, b in itertools.pairwise(edges)]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def each(self, work: Callable[[Any], Any], parts: Sequence[Any]) -> list[Any]:
        """Do `work` for every thread's part; the first part in the thread that calls."""
        if self._pool is None:
            return [work(parts[0])]
        started = [self._pool.submit(work, part) for part in parts[1:]]
        return [work(parts[0]), *(one.result() for one in started)]


class Observer:
    """Writes what seats may know of many games, in all threads of a crew."""

    def __init__(self, game: Game, states: Any, crew: Crew) -> None:
        self.size = game.observation.size
        self._count = len(states)
        self._tables = game.observation.tables
        self._crew = crew
        self._parts = []
        for part in crew.slices:
            scratch = records(1, game.schema.dtype)
            self._parts.append((part, states[part], scratch, number_views(scratch)))

    def write(self, seat: Any, out: Array) -> Array:
        """What `seat` (one for all, or one per game) may know, into `out`."""
        viewers = np.ascontiguousarray(np.broadcast_to(seat, self._count), np.int8)

        def work(mine: Any) -> None:
            part, states, scratch, views = mine
            encode_many(states, viewers[part], scratch, views, self._tables, out[part])

        self._crew.each(work, self._parts)
        return out


@rule
def share_out(s: Any, places: Any, rewards: Any) -> None:
    """The reward of every seat at the end: 1 for a winner alone, what he gains is lost by the others in equal parts.

    Winners who tie share the win. The rewards of a game add up to 0: with two seats they are 1 and -1, or 0 and 0.
    """
    score(s, places)
    winners = 0
    for seat in range(s.seats):
        winners += places[seat, 1] == 1
    for seat in range(s.seats):
        part = 1.0 / winners if places[seat, 1] == 1 else 0.0
        rewards[seat] = (part * s.seats - 1.0) / (s.seats - 1.0)


@rule
def list_moves(s: Any, mask: Any, moves: Any, counts: Any, i: Any) -> None:
    """Bring the legal moves of game i up to date, in the list and in the mask."""
    for k in range(counts[i]):
        mask[i, moves[i, k]] = False
    counts[i] = 0 if s.over else legal(s, moves[i])
    for k in range(counts[i]):
        mask[i, moves[i, k]] = True


@rule
def first_illegal(chosen: Any, moves: Any, counts: Any) -> Any:
    """The first game whose chosen move is not among its legal ones, or -1; a game without any takes what comes."""
    for i in range(len(chosen)):
        found = counts[i] == 0
        for k in range(counts[i]):
            if moves[i, k] == chosen[i]:
                found = True
                break
        if not found:
            return i
    return -1


@rule
def _first_illegal(part: Any, chosen: Any) -> Any:
    """The same for the games of one thread: what a thread has written it reads itself, memory shared by cores is slow."""
    bad = first_illegal(chosen[part.first : part.first + len(part.counts)], part.moves, part.counts)
    return bad + part.first if bad >= 0 else bad


@rule
def _begin(part: Any, i: Any, blank: Any, number: Any, total: Any) -> None:
    """Deal the next game in place i: place p of a batch has the games p, p + total, p + 2 total … of the seed."""
    part.states[i] = blank[0]
    flow.begin(part.states[i], number, part.first + i + part.dealt[i] * total)
    part.dealt[i] += 1


@rule
def _deal(part: Any, everywhere: Any, blank: Any, number: Any, total: Any) -> Any:
    fresh = 0
    for i in range(len(part.states)):
        if everywhere or part.states[i].over:
            _begin(part, i, blank, number, total)
            list_moves(part.states[i], part.mask, part.moves, part.counts, i)
            fresh += 1
    return fresh


@rule
def _step(part: Any, chosen: Any, restart: Any, blank: Any, number: Any, total: Any) -> None:
    part.rewards[:] = 0.0
    for i in range(len(part.states)):
        part.done[i] = False
        s = part.states[i]
        if s.over:
            continue
        flow.step(s, chosen[part.first + i])
        if s.over:
            part.done[i] = True
            share_out(s, part.places, part.rewards[i])
            if restart:
                _begin(part, i, blank, number, total)
        list_moves(s, part.mask, part.moves, part.counts, i)


@rule
def _choose(part: Any, number: Any, out: Any) -> None:
    for i in range(len(part.counts)):
        count = np.uint64(part.counts[i])
        chance = mix(np.uint64(number + part.first + i) * GOLDEN + MIX_1) & LOW_HALF
        out[part.first + i] = part.moves[i, chance * count >> np.uint64(32)] if count else 0


@rule
def _conceal(states: Any, seat: Any) -> None:
    for i in range(len(states)):
        flow.conceal(states[i], states[i].seat if seat == -2 else seat)
