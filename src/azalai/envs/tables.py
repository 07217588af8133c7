"""Many tables at which one seat is yours and computer players have the others: what the Gymnasium environments are made of.

Table i has its own seed; its k-th game is game k of that seed, so a table alone plays the same games as among thousands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from azalai.bots import BASELINES, Player, make
from azalai.bots.baseline import RANDOM, Scratch, baseline_move
from azalai.engine import flow
from azalai.engine.batch import first_illegal, list_moves, share_out
from azalai.engine.compile import compile_once
from azalai.engine.crew import Crew
from azalai.engine.dispatch import legal
from azalai.engine.errors import BadOption
from azalai.engine.game import Game, score_buffer
from azalai.engine.observe import Observer
from azalai.engine.position import Position
from azalai.engine.rng import GOLDEN, LOW_HALF, MIX_1, mix
from azalai.engine.rule import duplicate, numbers, records, rule

OTHER = -1  # an opponent that is not compiled into the loop

Array = np.ndarray[Any, Any]
Opponents = str | Player | Sequence[str | Player]


class Part(NamedTuple):
    """The tables of one thread, and memory of its own."""

    first: int  # the number of the first of them
    states: Any
    own: Any
    rewards: Any
    mask: Any
    seeds: Any
    waiting: Any
    moves: Any
    counts: Any
    dealt: Any
    policies: Any  # who sits so many places after you
    places: Any  # for scores
    scratch: Scratch  # for players to think in


class Tables:
    """`count` tables. After `deal` and `decide` it is your turn at each, or the game there is over."""

    def __init__(
        self,
        game: Game,
        count: int,
        seat: int | None = 0,
        opponents: Opponents = "random",
        seats: int | None = None,
        threads: int = 1,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.seats = game.check_seats(seats)
        if seat is not None and seat not in range(self.seats):
            raise BadOption(f"there is no seat {seat}; seats go from 0 to {self.seats - 1}, and None is another every game")
        self._seat = -1 if seat is None else seat
        self._crew = Crew(count, threads)
        self.states = records(count, game.schema.dtype)
        self.own = np.zeros(count, np.int8)  # your seat at each table
        self.rewards = np.zeros((count, self.seats), np.float32)  # per seat, where the game ended by the last `decide`
        self.mask = np.zeros((count, game.moves.count), np.bool_)  # your legal moves
        self.seeds = np.zeros(count, np.int64)
        self._waiting = np.zeros(count, np.bool_)  # where somebody is asked who is not compiled into the loop
        self._moves, self._counts, self._dealt = numbers((count, game.max_moves)), numbers(count), numbers(count, np.int64)
        self._blank = records(1, game.schema.dtype)
        game.header(self._blank[0], seats, options or {})
        self._players = _invite(game, opponents, self.seats)
        policies = np.array([BASELINES.index(one) if isinstance(one, str) else OTHER for one in self._players], np.int32)
        arrays = (
            self.states, self.own, self.rewards, self.mask, self.seeds, self._waiting, self._moves, self._counts, self._dealt
        )  # fmt: skip
        self._parts = []
        for part in self._crew.slices:
            memory = (policies, score_buffer(), Scratch.of(game))
            self._parts.append(Part._make((part.start, *(one[part] for one in arrays), *memory)))
        self._observer = Observer(game, self.states, self._crew)
        everywhere = np.ones(count, np.bool_)
        tasks = [lambda: self.deal(everywhere), lambda: self.decide(self.mask.argmax(axis=1), everywhere)]
        compile_once(game, "opponents", [lambda: make("greedy", game), *tasks])
        self._dealt[:] = 0

    def __len__(self) -> int:
        return len(self.states)

    @property
    def over(self) -> Array:
        """Where the game is over."""
        over: Array = np.asarray(self.states["over"]) != 0
        return over

    def reseed(self, seeds: Array, where: Array) -> None:
        """Let the next game at the tables `where` be the first of these seeds."""
        self.seeds[where] = seeds[where]
        self._dealt[where] = 0

    def deal(self, where: Array) -> None:
        """Deal the next game at the tables `where`, and let the others play up to your turn."""
        self._crew.each(lambda part: _deal(part, where, self._blank, self._seat), self._parts)
        self._play_on(where)

    def decide(self, moves: Any, where: Array) -> Array:
        """Your moves at the tables `where`; then the others play. Tells which moves were illegal: there nothing happened."""
        chosen = np.ascontiguousarray(moves, np.int32)
        illegal = np.zeros(len(self), np.bool_)
        self._crew.each(lambda part: _decide(part, chosen, where, illegal), self._parts)
        self._play_on(where & ~illegal)
        return illegal

    def observe(self) -> Array:
        """What you may know at every table, in a new array; see `game.observation`."""
        return self._observer.write(self.own, self._observer.make_array("float32"))

    def position(self, table: int) -> Position:
        """One table's game, to look at."""
        return Position(self.game, None, duplicate(self.states[table : table + 1]))

    def _play_on(self, where: Array) -> None:
        """Let the opponents play at the tables `where`, until it is your turn or the game is over."""
        self._waiting[:] = where
        self._crew.each(_advance, self._parts)
        while self._waiting.any():
            for table in np.flatnonzero(self._waiting).tolist():
                position = self.position(table)
                player: Any = self._players[(position.seat - int(self.own[table])) % self.seats]
                flow.step(self.states[table], player.choose(position.seen_by(position.seat)).id)
            self._crew.each(_advance, self._parts)


def _invite(game: Game, opponents: Opponents, seats: int) -> list[str | Player]:
    """Who sits so many places after you: names of baselines, or players. The first place is your own and its entry unused."""
    alone = isinstance(opponents, str) or not isinstance(opponents, Sequence)
    guests: list[Any] = [opponents] * (seats - 1) if alone else list(opponents)  # type: ignore[arg-type]
    if len(guests) != seats - 1:
        raise BadOption(f"{seats} seats need {seats - 1} opponents, or one for all, not {len(guests)}")
    return ["random", *(make(one, game, 0) if isinstance(one, str) and one not in BASELINES else one for one in guests)]


@rule
def _thought(number: Any, dealt: Any, ply: Any) -> Any:
    """The number from which an opponent's chance comes: the same for the same game and decision."""
    return np.int64(mix(mix(np.uint64(number) + GOLDEN) + np.uint64(dealt) * GOLDEN + np.uint64(ply) * MIX_1) >> np.uint64(2))


@rule
def _deal(part: Any, where: Any, blank: Any, seat: Any) -> None:
    for i in range(len(part.states)):
        if where[part.first + i]:
            part.states[i] = blank[0]
            flow.begin(part.states[i], part.seeds[i], part.dealt[i])
            part.dealt[i] += 1
            part.own[i] = seat if seat >= 0 else _thought(part.seeds[i], part.dealt[i], 1 << 40) % part.states[i].seats
            part.rewards[i] = 0.0


@rule
def _decide(part: Any, chosen: Any, where: Any, illegal: Any) -> None:
    for i in range(len(part.states)):
        at = part.first + i
        part.rewards[i] = 0.0
        if where[at]:
            if part.counts[i] == 0 or first_illegal(chosen[at : at + 1], part.moves[i : i + 1], part.counts[i : i + 1]) == 0:
                illegal[at] = True
            else:
                flow.step(part.states[i], chosen[at])


@rule
def _advance(part: Any) -> None:
    """Play the opponents' decisions where they are waited for; that stays so where one is asked who is not compiled in."""
    for i in range(len(part.states)):
        if not part.waiting[i]:
            continue
        part.waiting[i] = False
        s = part.states[i]
        while not s.over and s.seat != part.own[i]:
            policy = part.policies[(s.seat - part.own[i]) % s.seats]
            number = _thought(part.seeds[i], part.dealt[i], s.ply)
            if policy == OTHER:
                part.waiting[i] = True
                break
            if policy == RANDOM:
                count = np.uint64(legal(s, part.scratch.buffers[0]))
                flow.step(s, part.scratch.buffers[0][(np.uint64(number) & LOW_HALF) * count >> np.uint64(32)])
            else:
                part.scratch.hidden[0] = part.states[i]
                flow.conceal(part.scratch.hidden[0], s.seat)
                flow.step(s, baseline_move(policy, part.scratch, number))
        if not part.waiting[i]:
            if s.over:
                share_out(s, part.places, part.rewards[i])
            list_moves(s, part.mask, part.moves, part.counts, i)
