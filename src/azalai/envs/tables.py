"""Many tables at which one seat is yours and computer players have the others: what the Gymnasium environments are made of.

Table i has its own seed; its k-th game is game k of that seed, so a table alone plays the same games as among thousands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from azalai.bots import BASELINES, Player, make
from azalai.bots.baseline import POLICIES
from azalai.engine import flow
from azalai.engine.batch import Batch
from azalai.engine.compile import Task, use_compiled, wait_compiled
from azalai.engine.encode import layout_for
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.observe import Layout
from azalai.engine.playing import PlayPlan, hashed_thought
from azalai.engine.policies import OUTSIDE
from azalai.engine.position import Position
from azalai.engine.rule import duplicate

CHOICE_OF_SEAT = 1 << 40  # stands in place of a ply where your seat is drawn

Array = np.ndarray[Any, Any]
Opponents = str | Player | Sequence[str | Player]


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that tables call."""
    tables, everywhere = Tables(game, 1), np.ones(1, np.bool_)
    return [
        lambda: tables._play_on(everywhere),
        lambda: flow.step(duplicate(tables.states)[0], tables.position(0).move_ids()[0]),
    ]


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
        conclusions: bool = False,
    ) -> None:
        self.game = game
        self._conclusions = conclusions
        self.seats = game.check_seats(seats)
        if seat is not None and seat not in range(self.seats):
            raise BadOption(f"there is no seat {seat}; seats go from 0 to {self.seats - 1}, and None is another every game")
        self._seat = seat
        self._players = _invite(game, opponents, self.seats)
        self._batch: Batch = game.batch(count, seats, threads=threads, **(options or {}))
        self.states = self._batch.states
        self.rewards = self._batch.rewards  # per seat, where the game ended by the last `decide`
        self.mask: Array = self._batch.legal_mask()  # your legal moves
        self.own = np.zeros(count, np.int8)  # your seat at each table
        policies = [POLICIES[one] if isinstance(one, str) else OUTSIDE for one in self._players]
        self._plans = [PlayPlan.of(game, policies, hashed=True) for _ in range(threads)]
        use_compiled(game, __name__)

    def __len__(self) -> int:
        return len(self._batch)

    @cached_property
    def layout(self) -> Layout:
        """Of what `observe` returns. A game that declares no features has none."""
        return layout_for(self.game, "float32", self._conclusions)

    @property
    def over(self) -> Array:
        """Where the game is over."""
        return self._batch.over

    def reseed(self, seeds: Array, where: Array) -> None:
        """Let the next game at the tables `where` be the first of these seeds."""
        self._batch.reseed(seeds, where)

    def deal(self, where: Array) -> None:
        """Deal the next game at the tables `where`, and let the others play up to your turn."""
        self._batch.restart(where)
        seeds, dealt = self._batch.seeds, self._batch.dealt
        for table in np.flatnonzero(where):
            drawn = self._seat if self._seat is not None else hashed_thought(seeds[table], dealt[table], CHOICE_OF_SEAT)
            self.own[table] = drawn % self.seats
        self._play_on(where)

    def decide(self, moves: Any, where: Array) -> Array:
        """Play your moves at the tables `where`; then the others play. Return which moves were illegal: they change nothing."""
        chosen = np.asarray(moves, np.int32)
        known = (chosen >= 0) & (chosen < self.mask.shape[1])
        illegal: Array = where & ~(known & self.mask[np.arange(len(self)), np.where(known, chosen, 0)])
        self._batch.step(chosen, where=where & ~illegal)
        self._play_on(where & ~illegal)
        return illegal

    def observe(self) -> Array:
        """Return what you may know at every table, in a new array; see `layout`."""
        rows = np.empty((len(self), self.layout.size), np.float32)
        return self._batch.observe(self.own, rows, conclusions=self._conclusions)

    def position(self, table: int) -> Position:
        """Return one table's game, to look at."""
        return Position(self.game, None, self.states[table : table + 1].tobytes())

    def _play_on(self, where: Array) -> None:
        """Let the opponents play at the tables `where`, until it is your turn or the game is over."""
        self._batch.play_on(self._plans, self.own, where)
        while (waiting := where & ~self.over & (self._batch.seat != self.own)).any():
            for table in np.flatnonzero(waiting).tolist():
                position = self.position(table)
                player: Any = self._players[(position.seat - int(self.own[table])) % self.seats]
                flow.step(self.states[table], player.choose(position.seen_by(position.seat)).id)
            self._batch.play_on(self._plans, self.own, waiting)


def _invite(game: Game, opponents: Opponents, seats: int) -> list[str | Player | None]:
    """Return who sits so many places after you: names of baselines, or players. The first place is your own: None."""
    alone = isinstance(opponents, str) or not isinstance(opponents, Sequence)
    guests: list[Any] = [opponents] * (seats - 1) if alone else list(opponents)  # type: ignore[arg-type]
    if len(guests) != seats - 1:
        raise BadOption(f"{seats} seats need {seats - 1} opponents, or one for all, not {len(guests)}")
    if any(isinstance(one, str) and one not in BASELINES for one in guests):
        wait_compiled(game, "azalai.bots.player")  # a level plays weaker until then
    return [None, *(make(one, game, 0) if isinstance(one, str) and one not in BASELINES else one for one in guests)]
