"""What a search found out about a decision, for people to read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azalai.bots.search import Memory, finish_games, follow
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.playing import PLACES, POINTS, ROW, PlayPlan
from azalai.engine.policies import GREEDY
from azalai.engine.position import Position
from azalai.engine.rule import numbers, records

Z = 1.959964  # of a 95 % interval
CONTINUATION = 12  # decisions of the likely continuation
BEST = 3  # moves for which games are played to the end


@dataclass(frozen=True)
class Outlook:
    """What to expect after a move, per seat; `error` is half the width of a 95 % interval."""

    value: tuple[float, ...]  # what the search expects, from 0 (last) to 1 (first)
    error: tuple[float, ...]
    win: tuple[float, ...] | None = None  # share of wins in games played on to the end
    points: tuple[float, ...] | None = None  # mean of the final points in these games
    games: int = 0


@dataclass(frozen=True)
class MoveReport:
    """One move of the decision."""

    move: Move
    share: float  # of the search's attention
    outlook: Outlook
    continuation: tuple[tuple[int, Move], ...]  # (seat, move), beginning with this one


@dataclass(frozen=True)
class Analysis:
    """All moves, the best first."""

    seat: int
    iterations: int
    moves: tuple[MoveReport, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "seat": self.seat,
            "iterations": self.iterations,
            "moves": [
                {
                    "id": one.move.id,
                    "text": str(one.move),
                    "share": one.share,
                    "value": one.outlook.value,
                    "error": one.outlook.error,
                    "win": one.outlook.win,
                    "points": one.outlook.points,
                    "games": one.outlook.games,
                    "continuation": [[seat, str(move)] for seat, move in one.continuation],
                }
                for one in self.moves
            ],
        }


def sum_up(game: Game, position: Position, memories: Sequence[Memory], count: int, iterations: int, games: int) -> Analysis:
    """Add up the statistics of all trees; with `games`, also play games to the end after the best moves."""
    seats = position.seats
    first = memories[0]
    visits = np.sum([m.first_visits[:count] for m in memories], axis=0)
    sums = np.sum([m.first_rewards[:count, :seats] for m in memories], axis=0)
    squares = np.sum([m.first_squares[:count, :seats] for m in memories], axis=0)
    order = np.argsort(-visits, kind="stable")
    reports = []
    for rank, index in enumerate(order.tolist()):
        n = int(visits[index])
        move = game.moves[int(first.first_moves[index])]
        mean = sums[index] / max(1, n)
        spread = np.sqrt(np.maximum(0.0, squares[index] / max(1, n) - mean**2))
        error = spread * (Z / math.sqrt(n)) if n > 1 else np.ones(seats)
        win, points = (None, None)
        if games and rank < BEST and n:
            win, points = _play_to_the_end(game, first, move.id, seats, games)
        outlook = Outlook(tuple(mean.tolist()), tuple(error.tolist()), win, points, games if win else 0)
        reports.append(MoveReport(move, n / max(1, int(visits.sum())), outlook, _continuation(game, first, move.id)))
    return Analysis(position.seat, iterations, tuple(reports))


def _continuation(game: Game, m: Memory, move: int) -> tuple[tuple[int, Move], ...]:
    moves, seats = numbers(CONTINUATION), numbers(CONTINUATION)
    count = int(follow(m, move, 1, moves, seats))
    return tuple((int(seats[i]), game.moves[int(moves[i])]) for i in range(count))


def finish_none(game: Game, m: Memory) -> None:
    """Play no game to the end, so that `finish_games` is compiled: there are games that greedy players never end."""
    finish_games(m.root, 0, PlayPlan.of(game, [GREEDY] * game.seats[0]), records(1, game.schema.dtype), numbers((0, ROW)))


def _play_to_the_end(game: Game, m: Memory, move: int, seats: int, games: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return shares of wins and mean points over games in which, after `move`, every seat plays greedily."""
    rows = numbers((games, ROW))
    finish_games(m.root, move, PlayPlan.of(game, [GREEDY] * seats), records(1, game.schema.dtype), rows)
    played = np.asarray(rows)
    won = played[:, PLACES : PLACES + seats] == 1
    wins = (won / won.sum(axis=1, keepdims=True)).sum(axis=0)
    points = played[:, POINTS : POINTS + seats].astype(float).sum(axis=0)
    return tuple((wins / games).tolist()), tuple((points / games).tolist())
