"""Puzzles as guests meet them: which there are, what is shown of one, what an answer is worth, which comes next."""

from __future__ import annotations

import asyncio
import datetime
import functools
import random
from collections import Counter
from typing import Any

from azalai import puzzles
from azalai.engine.discovery import installed
from azalai.engine.errors import BadOption
from azalai.engine.position import Position
from azalai.puzzles import Puzzle
from azalai.server.catalog import game_info, translator_for
from azalai.server.errors import ApiError
from azalai.server.guests import Guest, Guests
from azalai.server.puzzle_scores import FirstTry, count_try, ratings_of, score_of, share_of, tries_of
from azalai.server.ratings import MU, shown
from azalai.server.server_time import now
from azalai.server.store import Store
from azalai.server.views import line_views, position_view

LEVELS = ("easy", "medium", "hard")  # thirds of a game's puzzles
NEAREST = 6  # puzzles nearest to somebody's rating, of which one is chosen


class Puzzles:
    """What guests do with puzzles. Whatever replays a game runs in a thread."""

    def __init__(self, store: Store, guests: Guests) -> None:
        self.store, self.guests = store, guests

    async def overview(self, guest: Guest | None, language: str) -> dict[str, Any]:
        """Return how many puzzles there are, the puzzle of the day, and a guest's score."""
        games = await asyncio.to_thread(games_with_puzzles)
        day = today()
        own = guest.id if guest else None
        async with self.store.engine.connect() as connection:
            tries = await connection.run_sync(tries_of, own)
            score = await connection.run_sync(score_of, own, language)
            chosen = puzzles.of_the_day(day) if games else None
            share = await connection.run_sync(share_of, chosen.id) if chosen else (0, 0)
        return {
            "date": day.isoformat(),
            "day": brief(chosen, language, share, tries.get(chosen.id)) if chosen else None,
            "games": [game_puzzles(name, tries, language) for name in games],
            "score": score,
        }

    async def look(self, guest: Guest | None, puzzle_id: str, language: str) -> dict[str, Any]:
        """Return a puzzle as the seat that decides sees it, without its solution."""
        puzzle = await find(puzzle_id)
        async with self.store.engine.connect() as connection:
            tries = await connection.run_sync(tries_of, guest.id if guest else None)
            share = await connection.run_sync(share_of, puzzle.id)
            score = await connection.run_sync(score_of, guest.id if guest else None, language)
        position = await asyncio.to_thread(render_position, puzzle, language)
        return {**brief(puzzle, language, share, tries.get(puzzle.id)), **position, "score": score}

    async def draw(self, puzzle_id: str, theme: str, language: str) -> str:
        """Return a drawing of a puzzle's position as SVG."""
        puzzle = await find(puzzle_id)
        seen = await asyncio.to_thread(seen_in, puzzle.id)
        if seen.game.drawing is None:
            raise ApiError(404, "no_drawing", f"{puzzle.game} has no drawing")
        return await asyncio.to_thread(seen.to_svg, theme, language)

    async def choose_next(
        self, guest: Guest | None, game: str | None, theme: str | None, level: str | None, last: str | None
    ) -> dict[str, Any]:
        """Choose a puzzle near a guest's rating that they have not tried, other than the last one; else one they missed."""
        games = await asyncio.to_thread(games_with_puzzles)
        fitting = [
            one
            for name in games
            if game in (None, name)
            for one in puzzles.collection(name)
            if one.id != last and theme in (None, *one.themes) and level in (None, level_of(one))
        ]
        async with self.store.engine.connect() as connection:
            tries = await connection.run_sync(tries_of, guest.id if guest else None)
            ratings = await connection.run_sync(ratings_of, guest.id if guest else None)
        new = [one for one in fitting if one.id not in tries]
        choice = new or [one for one in fitting if not tries[one.id]] or fitting
        if not choice:
            raise ApiError(404, "no_such_puzzle", "there is no other puzzle of this kind")
        choice.sort(key=lambda one: abs(one.difficulty - ratings.get(one.game, (MU, 0))[0]))
        return {"id": random.choice(choice[:NEAREST]).id, "new": bool(new)}

    async def answer(self, guest: Guest, puzzle_id: str, move: int, language: str) -> dict[str, Any]:
        """Judge a guest's answer; the first one counts."""
        puzzle = await find(puzzle_id)
        seen = await asyncio.to_thread(seen_in, puzzle.id)
        if move not in seen.move_ids(puzzle.seat):
            raise ApiError(422, "illegal_move", "that move is not possible here")
        text = str(seen.game.moves[move])
        right = puzzle.is_right(text)
        chance = puzzle.chance if right else puzzle.verdicts.get(text)
        return {
            "right": right,
            "chance": chance,
            "loss": None if chance is None else round(max(0.0, puzzle.chance - chance), 4),
            **await self._count(guest, puzzle, right, language),
            "solution": await asyncio.to_thread(render_solution, puzzle, language) if right else None,
        }

    async def solve(self, guest: Guest, puzzle_id: str, language: str) -> dict[str, Any]:
        """Return the solution; without a try before, the puzzle counts as missed."""
        puzzle = await find(puzzle_id)
        return {
            "right": False,
            "chance": None,
            "loss": None,
            **await self._count(guest, puzzle, False, language),
            "solution": await asyncio.to_thread(render_solution, puzzle, language),
        }

    async def _count(self, guest: Guest, puzzle: Puzzle, solved: bool, language: str) -> dict[str, Any]:
        """Count a first try, and return what it changed."""
        first: FirstTry = await count_try(self.store, guest.id, puzzle, solved)
        if first.counted:
            await self.guests.store_name(guest.id, guest.name)
        async with self.store.engine.connect() as connection:
            score = await connection.run_sync(score_of, guest.id, language)
        return {"counted": first.counted, "before": shown(first.before), "after": shown(first.after), "score": score}


def today() -> datetime.date:
    """Return the date of puzzles: that of UTC, for everybody."""
    return datetime.datetime.fromtimestamp(now() / 1000, datetime.UTC).date()


def games_with_puzzles() -> list[str]:
    """Return the games that have puzzles. The first time, it reads them all."""
    return [name for name in installed() if puzzles.collection(name)]


async def find(puzzle_id: str) -> Puzzle:
    """Return a puzzle by its id."""
    try:
        return await asyncio.to_thread(puzzles.find, puzzle_id)
    except BadOption:
        raise ApiError(404, "no_such_puzzle", "there is no such puzzle") from None


@functools.lru_cache(256)
def seen_in(puzzle_id: str) -> Position:
    """Return a puzzle's position as the seat that decides sees it."""
    puzzle = puzzles.find(puzzle_id)
    return puzzle.position().seen_by(puzzle.seat)


@functools.cache
def level_limits(game: str) -> tuple[int, int]:
    """Return the difficulties at which the middle and the last third of a game's puzzles begin."""
    ranked = sorted(one.difficulty for one in puzzles.collection(game))
    return ranked[len(ranked) // 3], ranked[len(ranked) * 2 // 3]


def level_of(puzzle: Puzzle) -> str:
    """Return how difficult a puzzle is among those of its game: one of LEVELS."""
    return LEVELS[sum(puzzle.difficulty >= limit for limit in level_limits(puzzle.game))]


def theme(game: str, name: str, language: str) -> dict[str, str]:
    """Render a theme."""
    return {"theme": name, "name": puzzles.theme_name(game, name, language)}


def brief(puzzle: Puzzle, language: str, share: tuple[int, int], solved: bool | None) -> dict[str, Any]:
    """Render a puzzle for a list. `solved`: how a guest's first try ended."""
    return {
        "id": puzzle.id,
        "game": puzzle.game,
        "title": game_info(puzzle.game, language)["title"],
        "difficulty": puzzle.difficulty,
        "level": level_of(puzzle),
        "themes": [theme(puzzle.game, one, language) for one in puzzle.themes],
        "tries": share[0],
        "solutions": share[1],
        "yours": None if solved is None else "solved" if solved else "missed",
    }


def game_puzzles(game: str, tries: dict[str, bool], language: str) -> dict[str, Any]:
    """Render how many puzzles a game has, and how many of them a guest has tried."""
    every = puzzles.collection(game)
    own = [tries[one.id] for one in every if one.id in tries]
    counts = Counter(name for one in every for name in one.themes)
    return {
        "game": game,
        "title": game_info(game, language)["title"],
        "puzzles": len(every),
        "tried": len(own),
        "solved": sum(own),
        "themes": [{**theme(game, name, language), "puzzles": count} for name, count in counts.most_common()],
    }


def render_position(puzzle: Puzzle, language: str) -> dict[str, Any]:
    """Render a puzzle's position from what the seat that decides knows."""
    seen = seen_in(puzzle.id)
    translator = translator_for(seen.game, seen.seats, language)
    labels = translator.words.seat_labels
    return {
        "seat": puzzle.seat,
        "seats": [{"seat": one, "label": labels[one], "colour": translator.seat_names[one]} for one in range(seen.seats)],
        **position_view(seen, puzzle.seat, translator),
        "pending": list(seen.pending),
        "moves": [translator.move(one, seen) for one in seen.move_ids(puzzle.seat)],
        "day": today().isoformat() if puzzles.of_the_day(today()).id == puzzle.id else None,
    }


def render_solution(puzzle: Puzzle, language: str) -> dict[str, Any]:
    """Render what solves a puzzle, why, and how the game may go on, in a world sampled from what the seat knows."""
    seen = seen_in(puzzle.id)
    translator = translator_for(seen.game, seen.seats, language)
    right = [seen.game.moves.parse(text) for text in puzzle.solutions]
    return {
        "moves": [translator.move(one.id, seen) for one in right],
        "chance": puzzle.chance,
        "reason": puzzle.reason(language) or None,
        "line": line_views(seen.imagine(1), puzzle.steps(), puzzle.seat, translator),
    }
