"""Many games in one array, stepped in compiled code.

Every array here is made once and then brought up to date in place, so it may be wrapped once, by `torch.from_dlpack` for one,
and goes on showing the present without a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from azalai.engine import flow
from azalai.engine.compile import compile_once
from azalai.engine.crew import AWAY, FIRST_ORDER, Crew, next_order, report
from azalai.engine.dispatch import legal, score
from azalai.engine.errors import IllegalMove
from azalai.engine.game import Game, score_buffer
from azalai.engine.observe import Observer
from azalai.engine.rng import GOLDEN, LOW_HALF, MIX_1, mix
from azalai.engine.rule import duplicate, numbers, records, rule

Array = np.ndarray[Any, Any]


CHECK, STEP, CHOOSE, DEAL = range(FIRST_ORDER, FIRST_ORDER + 4)  # what the threads of a batch are ordered to do


class Desk(NamedTuple):
    """All that the threads of a batch work on; each has its own games and is the only one to write what belongs to them."""

    edges: Any  # the first game of each thread, and the number of all
    words: Any  # how the threads give each other orders, see `Crew`
    states: Any
    rewards: Any
    done: Any
    mask: Any
    moves: Any  # the legal moves of each game,
    counts: Any  # and how many they are
    dealt: Any  # the number of games dealt in each place
    chosen: Any  # the moves to play
    blank: Any  # a record before the deal
    terms: Any  # the numbers that belong to an order, see `_carry_out`
    found: Any  # [thread]: what it found
    places: Any  # [thread]: memory for scores


class Batch:
    """`count` games side by side. Game i of a batch is game i of its seed, whatever the number of threads."""

    states: Any  # the records themselves
    rewards: Array  # [game, seat], of games that ended in the last step: 1 for winning alone, together 0; see `share_out`
    done: Array  # [game], which games ended in the last step

    def __init__(self, game: Game, count: int, seats: int | None, seed: int, threads: int, options: Mapping[str, Any]) -> None:
        self.game = game
        self.seed = seed
        self.seats = game.check_seats(seats)
        self._crew = crew = Crew(count, threads)
        self.states = records(count, game.schema.dtype)
        self.rewards = np.zeros((count, self.seats), np.float32)
        self.done = np.zeros(count, np.bool_)
        self._mask = np.zeros((count, game.moves.count), np.bool_)
        blank = records(1, game.schema.dtype)
        game.header(blank[0], seats, options)
        self._desk = Desk(
            crew.edges, crew.words, self.states, self.rewards, self.done, self._mask,
            moves=numbers((count, game.max_moves)), counts=numbers(count), dealt=numbers(count, np.int64),
            chosen=numbers(count), blank=blank, terms=numbers(3, np.int64), found=numbers(threads),
            places=numbers((threads, *score_buffer().shape), score_buffer().dtype),
        )  # fmt: skip
        self._draws = 0
        self._observer: Observer | None = None
        self._observations: dict[str, Array] = {}
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

    def observe(self, seat: Any = None, out: Array | None = None, kind: str = "float32") -> Array:
        """What `seat` may know in every game, as numbers: [game, number], see `game.observation`.

        `seat` is one for all or one per game; without it each game is seen by the seat to decide. The numbers are written into
        `out`, or else into the batch's own array, which the next call overwrites. `kind` is float32, float16, uint8 (0 to 255) or
        bits (8 to a byte, see `game.packed_observation`).
        """
        if self._observer is None:
            self._observer = Observer(self.game, self.states, self._crew)
        if out is None:
            if kind not in self._observations:
                self._observations[kind] = self._observer.make_array(kind)
            out = self._observations[kind]
        return self._observer.write(self.seat if seat is None else seat, out, kind)

    def seen_by(self, seat: int | None = None) -> Any:
        """Copies of all records, blanked of all that `seat` may not know; without a seat, as each game's decider sees it."""
        seen = duplicate(self.states)
        self._crew.each(lambda part: _conceal(seen[part], -2 if seat is None else seat), self._crew.slices)
        return seen

    # ------------------------------------------------------------ playing

    def random_moves(self, out: Array | None = None) -> Array:
        """A legal move for every game, all equally likely, by a generator of the batch's own; 0 where a game is over."""
        self._draws += 1
        self._order(CHOOSE, (self.seed + self._draws * len(self)) & 0x7FFFFFFFFFFFFFFF)
        moves = np.empty(len(self), np.int32) if out is None else out
        moves[:] = self._desk.chosen
        return moves

    def step(self, moves: Any, restart: bool = False) -> None:
        """One decision in every game; games that are over stay as they are. An illegal move raises and changes nothing.

        With `restart` a new game is dealt at once wherever one has ended; `rewards` and `done` tell of the old one.
        """
        chosen = np.asarray(moves, np.int32)
        if chosen.shape != (len(self),):
            raise IllegalMove(f"a batch of {len(self)} games takes as many moves, not {chosen.shape}")
        self._desk.chosen[:] = chosen
        self._order(CHECK)
        bad = [game for game in self._desk.found.tolist() if game >= 0]
        if bad:
            raise IllegalMove(f"move {chosen[bad[0]]} is not legal in game {bad[0]}")
        self._order(STEP, restart)

    def restart(self) -> int:
        """Deal a new game, from streams not used before, wherever one is over; how many that were."""
        self._order(DEAL, False)
        return int(self._desk.found.sum())

    def deal(self) -> None:
        """Begin all over, with the very first games of the seed."""
        self._desk.dealt[:] = 0
        self._draws = 0
        self.rewards[:] = 0
        self.done[:] = False
        self._order(DEAL, True)

    def _order(self, order: int, term: int = 0) -> None:
        self._desk.terms[:] = term, self.seed, len(self)
        self._crew.order(order, _serve, _carry_out, self._desk)


@rule
def share_out(s: Any, places: Any, rewards: Any) -> None:
    """The reward of every seat at the end: 1 for a winner alone, what he gains is lost by the others in equal parts.

    Winners who tie share the win. The rewards of a game add up to 0: with two seats they are 1 and -1, or 0 and 0.
    """
    score(s, places)
    winners = 0
    for seat in range(s.seats):
        winners += places[seat, 1] == 1
    for seat in range(s.seats):  # one division each: a GPU may round the steps of a longer formula otherwise
        won = places[seat, 1] == 1
        rewards[seat] = (s.seats - winners) / (winners * (s.seats - 1)) if won else -1 / (s.seats - 1)


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
def _serve(d: Any, worker: Any) -> None:
    """Carry out one order after another, until none comes any more."""
    while True:
        order = next_order(d.words, worker)
        if order == AWAY:
            break
        _carry_out(d, order, worker)
        report(d.words, worker, order)


@rule
def _carry_out(d: Any, order: Any, part: Any) -> None:
    """What a thread does with its own games: what it has written it reads itself, for memory shared by cores is slow."""
    if order == CHECK:
        first, end = d.edges[part], d.edges[part + 1]
        bad = first_illegal(d.chosen[first:end], d.moves[first:end], d.counts[first:end])
        d.found[part] = bad + first if bad >= 0 else bad
    elif order == STEP:
        _step(d, part, d.terms[0])
    elif order == CHOOSE:
        _choose(d, part, d.terms[0])
    else:
        d.found[part] = _deal(d, part, d.terms[0])


@rule
def _step(d: Any, part: Any, restart: Any) -> None:
    first, end = d.edges[part], d.edges[part + 1]
    d.rewards[first:end] = 0.0
    d.done[first:end] = False
    for i in range(first, end):
        s = d.states[i]
        if s.over:
            continue
        flow.step(s, d.chosen[i])
        if s.over:
            d.done[i] = True
            share_out(s, d.places[part], d.rewards[i])
            if restart:
                _begin(d, i)
        list_moves(s, d.mask, d.moves, d.counts, i)


@rule
def _choose(d: Any, part: Any, number: Any) -> None:
    for i in range(d.edges[part], d.edges[part + 1]):
        count = np.uint64(d.counts[i])
        chance = mix(np.uint64(number + i) * GOLDEN + MIX_1) & LOW_HALF
        d.chosen[i] = d.moves[i, chance * count >> np.uint64(32)] if count else 0


@rule
def _deal(d: Any, part: Any, everywhere: Any) -> Any:
    fresh = 0
    for i in range(d.edges[part], d.edges[part + 1]):
        if everywhere or d.states[i].over:
            _begin(d, i)
            list_moves(d.states[i], d.mask, d.moves, d.counts, i)
            fresh += 1
    return fresh


@rule
def _begin(d: Any, i: Any) -> None:
    """Deal the next game in place i: place p of a batch has the games p, p + total, p + 2 total … of the seed."""
    d.states[i] = d.blank[0]
    flow.begin(d.states[i], d.terms[1], i + d.dealt[i] * d.terms[2])
    d.dealt[i] += 1


@rule
def _conceal(states: Any, seat: Any) -> None:
    for i in range(len(states)):
        flow.conceal(states[i], states[i].seat if seat == -2 else seat)
