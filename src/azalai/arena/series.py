"""A series of games between computer players: what is played, game by game, wherever it is played.

Players change seats from game to game: game g is deal g // seats, with everybody g % seats places further on. So each deal is
played from every seat, and neither luck of the deal nor a good seat tells in favour of a player. Every game follows from the
series and its number alone, so games may be played in any order, in any number of threads, on any machine.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import azalai
from azalai.bots import BASELINES, make
from azalai.bots.baseline import Scratch, baseline_move
from azalai.engine import flow
from azalai.engine.compile import compile_once
from azalai.engine.dispatch import legal, score
from azalai.engine.errors import BadOption
from azalai.engine.game import Game, score_buffer
from azalai.engine.position import SEED_LIMIT, Position
from azalai.engine.rule import numbers, records, rule
from azalai.engine.schema import MAX_SEATS

END, DECISIONS, POINTS = 0, 1, 2  # columns of a row; each seat's points and then each seat's places follow
PLACES = POINTS + MAX_SEATS
ROW = PLACES + MAX_SEATS
GAME, PLY, SEAT, PHASE, CHOICES, MOVE, LOG_ROW = range(7)  # columns of a decision

Array = np.ndarray[Any, Any]


class Part(NamedTuple):
    """What became of some games in a row."""

    first: int  # the number of the first of them
    rows: Array  # a row per game
    log: Array | None  # a row per decision, if asked for


@dataclass(frozen=True)
class Series:
    """As many games as wanted between the same players."""

    game: Game
    players: tuple[str, ...]
    seed: int
    options: Mapping[str, Any]
    decisions: bool = False  # whether every decision is noted

    @classmethod
    def of(
        cls, game: Game, players: Sequence[str], seed: int = 0, options: Mapping[str, Any] | None = None, decisions: bool = False
    ) -> Series:
        """A series; raises BadOption for what cannot be played."""
        game.check_seats(len(players))
        if not 0 <= seed < SEED_LIMIT:
            raise BadOption(f"a seed is a number from 0 to 2**63 - 1, not {seed}")
        blank = records(1, game.schema.dtype)
        game.header(blank[0], len(players), options or {})
        for name in set(players) - set(BASELINES):
            make(name, game, 0)
        return cls(game, tuple(players), seed, game.options_of(blank[0]), decisions)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)

    @property
    def compiled(self) -> bool:
        """Whether whole games run in compiled code: where all players are baselines."""
        return set(self.players) <= set(BASELINES)

    def as_dict(self) -> dict[str, Any]:
        """Plain data that tells one series from another."""
        return {
            "game": self.game.name,
            "rules": self.game.rules,
            "players": list(self.players),
            "seed": self.seed,
            "options": dict(self.options),
            "decisions": self.decisions,
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Series:
        """The series that `as_dict` told of; its game must have the same rules here."""
        game = azalai.game(told["game"])
        if game.rules != told["rules"]:
            raise BadOption(f"the series was begun with rules version {told['rules']} of {game.name}; this is {game.rules}")
        return cls.of(game, told["players"], told["seed"], told["options"], told["decisions"])

    def start(self) -> Any:
        """A record with seats and options set."""
        blank = records(1, self.game.schema.dtype)
        self.game.header(blank[0], self.seats, self.options)
        return blank

    def play(self, first: int, count: int) -> Part:
        """Games `first` to `first + count - 1`."""
        compile_once(self.game, "simulation", [lambda: make("greedy", self.game), lambda: self._play_compiled(0, 1)])
        return self._play_compiled(first, count) if self.compiled else self._play_interpreted(first, count)

    def _play_compiled(self, first: int, count: int) -> Part:
        scratch = Scratch.of(self.game)
        start, true = self.start(), records(1, self.game.schema.dtype)
        policies = np.array([BASELINES.index(name) if name in BASELINES else 0 for name in self.players], np.int32)
        rows = numbers((count, ROW))
        log = numbers((self.game.longest if self.decisions else 0, LOG_ROW), np.int64)
        logs = []
        step = 1 if self.decisions else count  # noting decisions, one game at a time, so that there is always room for it
        for begun in range(0, count, step):
            used = _play_series(
                rows[begun : begun + step], start, true, policies, first + begun, self.seed, score_buffer(), log,
                scratch,
            )  # fmt: skip
            logs.append(np.array(log[:used]))
        return Part(first, np.asarray(rows), np.concatenate(logs) if self.decisions else None)

    def _play_interpreted(self, first: int, count: int) -> Part:
        rows: Array = np.zeros((count, ROW), np.int32)
        log: list[tuple[int, ...]] = []
        for row, number in enumerate(range(first, first + count)):
            cells = self.start()
            flow.begin(cells[0], self.seed, number // self.seats)
            position = Position(self.game, None, cells)
            chance = random.Random(f"{self.seed}/{number}")
            bots = [make(name, self.game, chance.getrandbits(40)) for name in self.players]
            while not position.over:
                seat = position.seat
                choices = position.move_ids()
                move = bots[(seat - number) % self.seats].choose(position.seen_by(seat))
                log.append((number, position.ply, seat, int(position.state.phase), len(choices), move.id))
                position.play(move)
            rows[row, END], rows[row, DECISIONS] = int(position.state.over), position.ply
            rows[row, POINTS : POINTS + self.seats] = position.scores
            rows[row, PLACES : PLACES + self.seats] = position.ranking
        return Part(first, rows, np.array(log, np.int64).reshape(-1, LOG_ROW) if self.decisions else None)


@rule
def _play_series(
    rows: Any, start: Any, true: Any, policies: Any, first: Any, number: Any, places: Any, log: Any,
    scratch: Scratch,
) -> Any:  # fmt: skip
    """Play one game per row; note the decisions as long as there is room in `log`, and return how many were noted."""
    s = true[0]
    used = 0
    for row in range(len(rows)):
        game = first + row
        true[0] = start[0]
        seats = s.seats
        flow.begin(s, number, game // seats)
        while not s.over:
            policy = policies[(s.seat - game) % seats]
            scratch.hidden[0] = true[0]
            flow.conceal(scratch.hidden[0], s.seat)
            thought = (number ^ (game * 1_000_003 + s.ply * 2)) & 0x7FFFFFFFFFFFFFFF
            move = baseline_move(policy, scratch, thought)
            if used < len(log):
                log[used, GAME] = game
                log[used, PLY] = s.ply
                log[used, SEAT] = s.seat
                log[used, PHASE] = s.phase
                log[used, CHOICES] = legal(s, scratch.buffers[0])
                log[used, MOVE] = move
                used += 1
            flow.step(s, move)
        score(s, places)
        rows[row, END] = s.over
        rows[row, DECISIONS] = s.ply
        for seat in range(seats):
            rows[row, POINTS + seat] = places[seat, 0]
            rows[row, PLACES + seat] = places[seat, 1]
    return used
