"""A series of games between computer players: what is played, game by game, wherever it is played.

Players rotate: game g is deal g // seats, with every player g % seats seats further on. So each deal is played from every seat,
and neither a lucky deal nor a good seat favours a player. A game follows from the series and its number alone, so games may be
played in any order, in any number of threads, on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import azalai
from azalai.arena.match import invite, play_out
from azalai.bots import BASELINES, make
from azalai.bots.baseline import POLICIES
from azalai.engine import flow
from azalai.engine.compile import Task, wait_compiled
from azalai.engine.errors import BadOption, brief
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.playing import DECISIONS, END, LOG_ROW, PLACES, POINTS, ROW, PlayPlan, play_games
from azalai.engine.policies import SCRIPT
from azalai.engine.position import SEED_LIMIT, Position
from azalai.engine.rule import numbers, records

LOG_ROOM = 1 << 16  # decisions that are logged between two returns from compiled code

Array = np.ndarray[Any, Any]


class Part(NamedTuple):
    """The results of consecutive games."""

    first: int  # the number of the first of them
    rows: Array  # a row per game, see `engine.playing`
    log: Array | None  # a row per decision, if asked for


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that a series between baselines calls."""
    series = Series(game, ("random",) * game.seats[0], 0, {})
    return [lambda: series._play_policies(0, 1)]


@dataclass(frozen=True)
class Series:
    """As many games as wanted between the same players."""

    game: Game
    players: tuple[str, ...]
    seed: int
    options: Mapping[str, Any]
    decisions: bool = False  # whether every decision is logged

    @classmethod
    def of(
        cls, game: Game, players: Sequence[str], seed: int = 0, options: Mapping[str, Any] | None = None, decisions: bool = False
    ) -> Series:
        """Make a series; raise BadOption for what cannot be played."""
        game.check_seats(len(players))
        if not 0 <= seed < SEED_LIMIT:
            raise BadOption(f"a seed is a number from 0 to 2**63 - 1, not {brief(seed)}")
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
        """Return plain data that tells one series from another."""
        series = {
            "game": self.game.name,
            "rules": self.game.rules,
            "players": list(self.players),
            "seed": self.seed,
            "options": dict(self.options),
            "decisions": self.decisions,
        }
        return {**series, "components": self.game.changes} if self.game.variant else series

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Series:
        """Make a series from what `as_dict` returned; its game must have the same rules here."""
        game = azalai.game(data["game"], data.get("components"))
        if game.rules != data["rules"]:
            raise BadOption(f"the series was begun with rules version {data['rules']} of {game.name}; this is {game.rules}")
        return cls.of(game, data["players"], data["seed"], data["options"], data["decisions"])

    def play(self, first: int, count: int) -> Part:
        """Play the games `first` to `first + count - 1`."""
        if self.compiled:
            wait_compiled(self.game, __name__)
            return self._play_policies(first, count)
        return self._play_players(first, count)

    def begin(self, number: int) -> Position:
        """Return a game of the series before its first decision."""
        cells = self._start()
        flow.begin(cells[0], self.seed, number // self.seats)
        return Position(self.game, None, cells.tobytes())

    def trace(self, game: int, moves: Array) -> tuple[Array, Array]:
        """Replay a game from its moves; return all events (see `engine.playing`) and the points before and after every move."""
        plan = PlayPlan.of(self.game, [SCRIPT] * self.seats, script=moves, traced=True)
        play_games(plan, self._start(), records(1, self.game.schema.dtype), numbers((1, ROW)), game, self.seed)
        return np.asarray(plan.events)[: int(plan.used[1])], np.asarray(plan.points)

    def _start(self) -> Any:
        """Return a record with seats and options set."""
        blank = records(1, self.game.schema.dtype)
        self.game.header(blank[0], self.seats, self.options)
        return blank

    def _play_policies(self, first: int, count: int) -> Part:
        room = max(LOG_ROOM, self.game.longest) if self.decisions else 0
        plan = PlayPlan.of(self.game, [POLICIES[name] for name in self.players], log=room)
        start, cells, rows = self._start(), records(1, self.game.schema.dtype), numbers((count, ROW))
        played, logs = 0, []
        while played < count:
            played += int(play_games(plan, start, cells, rows[played:], first + played, self.seed))
            logs.append(np.array(plan.log[: plan.used[0]]))
            plan.used[0] = 0
        return Part(first, np.asarray(rows), np.concatenate(logs) if self.decisions else None)

    def _play_players(self, first: int, count: int) -> Part:
        rows: Array = np.zeros((count, ROW), np.int32)
        log: list[tuple[int, ...]] = []
        for row, number in enumerate(range(first, first + count)):
            position = self.begin(number)
            players = invite(self.game, self.players, f"{self.seed}/{number}")
            turn = number % self.seats

            def note(now: Position, move: Move, game: int = number) -> None:
                log.append((game, now.ply, now.seat, int(now.state.phase), len(now.move_ids()), move.id))

            play_out(position, players[-turn:] + players[:-turn], note if self.decisions else None)
            rows[row, END], rows[row, DECISIONS] = int(position.state.over), position.ply
            rows[row, POINTS : POINTS + self.seats] = position.scores
            rows[row, PLACES : PLACES + self.seats] = position.ranking
        return Part(first, rows, np.array(log, np.int64).reshape(-1, LOG_ROW) if self.decisions else None)
