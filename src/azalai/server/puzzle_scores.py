"""First tries of puzzles, and what follows from them: everybody's streak and puzzle ratings.

A try is a game of the guest against the puzzle, whose difficulty is its rating and never changes. Each row holds the streak
and the rating after it, so the latest rows of a guest are their score.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Float, Index, String, case, func, insert, select
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from azalai.engine.discovery import installed
from azalai.puzzles import Puzzle
from azalai.server.catalog import game_info
from azalai.server.ratings import MU, SIGMA, Strength, after_game, shown
from azalai.server.rows import Base
from azalai.server.server_time import now
from azalai.server.store import Store

PUZZLE_SIGMA = 60.0  # how sure the difficulty of a puzzle is
ATTEMPTS = 20  # to count a try while the same guest sends others
SOLVED_FIRST, MISSED_FIRST = [1, 2], [2, 1]  # places of guest and puzzle


class PuzzleTryRow(Base):
    """A guest's first try of a puzzle. Later tries do not count. Of two at once, one fails."""

    __tablename__ = "puzzle_tries"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    puzzle: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)
    number: Mapped[int]  # counts the guest's puzzles, from 1
    game: Mapped[str] = mapped_column(String(40))
    solved: Mapped[bool]
    streak: Mapped[int]  # puzzles solved in a row, up to this one
    best_streak: Mapped[int]
    mu: Mapped[float] = mapped_column(Float)  # the rating in this game after it
    sigma: Mapped[float] = mapped_column(Float)
    at: Mapped[int]
    __table_args__ = (Index("puzzle_tries_in_order", "guest", "number", unique=True),)


SOLVED = case((PuzzleTryRow.solved, 1), else_=0)


class FirstTry(NamedTuple):
    """A guest's first try of a puzzle."""

    solved: bool
    counted: bool  # it has just been counted; else it was made before
    before: Strength  # the rating before it and after it
    after: Strength


async def count_try(store: Store, guest: str, puzzle: Puzzle, solved: bool) -> FirstTry:
    """Count a try, if it is the guest's first of this puzzle; return the first one."""
    for left in reversed(range(ATTEMPTS)):
        try:
            return await store.transact(lambda connection: _count_try(connection, guest, puzzle, solved, now()))
        except IntegrityError:  # another request has counted a try of this guest meanwhile
            if not left:
                raise
    raise AssertionError


def _count_try(connection: Connection, guest: str, puzzle: Puzzle, solved: bool, at: int) -> FirstTry:
    own = select(PuzzleTryRow).where(PuzzleTryRow.guest == guest)
    known = connection.execute(own.where(PuzzleTryRow.puzzle == puzzle.id)).first()
    if known is not None:
        strength = known.mu, known.sigma
        return FirstTry(known.solved, False, strength, strength)
    last = connection.execute(own.order_by(PuzzleTryRow.number.desc()).limit(1)).first()
    before = ratings_of(connection, guest).get(puzzle.game, (MU, SIGMA))
    places = SOLVED_FIRST if solved else MISSED_FIRST
    after = after_game([before, (float(puzzle.difficulty), PUZZLE_SIGMA)], places)[0]
    streak = (last.streak if last else 0) + 1 if solved else 0
    row = {
        "guest": guest,
        "puzzle": puzzle.id,
        "number": last.number + 1 if last else 1,
        "game": puzzle.game,
        "solved": solved,
        "streak": streak,
        "best_streak": max(streak, last.best_streak if last else 0),
        "mu": after[0],
        "sigma": after[1],
        "at": at,
    }
    connection.execute(insert(PuzzleTryRow), [row])
    return FirstTry(solved, True, before, after)


def _latest(connection: Connection, guest: str | None) -> dict[str, Any]:
    """Return a guest's latest try in each game."""
    last = select(func.max(PuzzleTryRow.number)).where(PuzzleTryRow.guest == guest).group_by(PuzzleTryRow.game)
    query = select(PuzzleTryRow).where(PuzzleTryRow.guest == guest, PuzzleTryRow.number.in_(last))
    return {row.game: row for row in connection.execute(query)}


def ratings_of(connection: Connection, guest: str | None) -> dict[str, Strength]:
    """Return a guest's puzzle ratings by game."""
    return {game: (row.mu, row.sigma) for game, row in _latest(connection, guest).items()}


def tries_of(connection: Connection, guest: str | None) -> dict[str, bool]:
    """Return which puzzles a guest has tried, and whether they were solved at the first try."""
    query = select(PuzzleTryRow.puzzle, PuzzleTryRow.solved).where(PuzzleTryRow.guest == guest)
    return {row.puzzle: row.solved for row in connection.execute(query)}


def score_of(connection: Connection, guest: str | None, language: str) -> dict[str, Any]:
    """Return a guest's streak, and their ratings in the games of which they have tried puzzles."""
    query = (
        select(PuzzleTryRow.game, func.count().label("tried"), func.sum(SOLVED).label("solved"))
        .where(PuzzleTryRow.guest == guest)
        .group_by(PuzzleTryRow.game)
    )
    games = connection.execute(query).all()
    latest = _latest(connection, guest)
    last = max(latest.values(), key=lambda row: row.number, default=None)
    return {
        "tried": sum(one.tried for one in games),
        "solved": int(sum(one.solved for one in games)),
        "streak": last.streak if last else 0,
        "best_streak": last.best_streak if last else 0,
        "ratings": [
            {
                "game": one.game,
                "title": game_info(one.game, language)["title"],
                "tried": one.tried,
                "solved": int(one.solved),
                **shown((latest[one.game].mu, latest[one.game].sigma)),
            }
            for one in sorted(games, key=lambda one: (-one.tried, one.game))
            if one.game in installed()
        ],
    }


def share_of(connection: Connection, puzzle: str) -> tuple[int, int]:
    """Return how many people have tried a puzzle, and how many of them solved it at the first try."""
    query = select(func.count(), func.sum(SOLVED)).where(PuzzleTryRow.puzzle == puzzle)
    tried, solved = connection.execute(query).one()
    return tried, int(solved or 0)
