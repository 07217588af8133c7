"""What a search knows about a decision, put so that a person can read it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azalai.bots.baseline import GREEDY, Scratch, baseline_move
from azalai.bots.search import Memory, follow, suppose
from azalai.engine import flow
from azalai.engine.dispatch import score
from azalai.engine.game import Game, score_buffer
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.rule import numbers, records, rule
from azalai.engine.schema import MAX_SEATS

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
    """Put together what all trees know; with `games`, play the best moves on to the end as well."""
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


def _play_to_the_end(game: Game, m: Memory, move: int, seats: int, games: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Shares of wins and mean points over games in which, after `move`, every seat plays greedily."""
    scratch = Scratch.of(game)
    wins, points = np.zeros(MAX_SEATS), np.zeros(MAX_SEATS)
    _finish_games(m.root, move, games, records(1, game.schema.dtype), score_buffer(), wins, points, scratch)
    return tuple((wins[:seats] / games).tolist()), tuple((points[:seats] / games).tolist())


@rule
def _finish_games(
    root: Any, move: Any, games: Any, true: Any, places: Any, wins: Any, points: Any, scratch: Scratch
) -> None:  # fmt: skip
    s = true[0]
    for game in range(games):
        suppose(root, true, scratch.hidden, game)
        flow.step(s, move)
        while not s.over:
            scratch.hidden[0] = true[0]
            flow.conceal(scratch.hidden[0], s.seat)
            flow.step(s, baseline_move(GREEDY, scratch, game * 1_000_003 + s.ply * 2))
        score(s, places)
        winners = 0
        for seat in range(s.seats):
            winners += places[seat, 1] == 1
        for seat in range(s.seats):
            points[seat] += places[seat, 0]
            if places[seat, 1] == 1:
                wins[seat] += 1.0 / winners
