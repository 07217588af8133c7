"""Helpers of the harness: games played by chance, told in text, searched for a way to end."""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import azalai
from azalai.engine import flow
from azalai.engine.game import Game, load_game, score_buffer
from azalai.engine.position import Position
from azalai.engine.rule import numbers, records
from azalai.engine.words import Words

RECORDS = Path(__file__).resolve().parent.parent / "records"
EVERY_GAME = azalai.games()
EVERY_TABLE = [(name, seats) for name in EVERY_GAME for seats in load_game(name).seats]


def wander(position: Position, seed: int, limit: int = 1 << 30) -> Iterator[Position]:
    """Play on at random, by any seat that is asked, yielding the same position before every decision and at the end."""
    chance = random.Random(seed)
    while not position.over and position.ply < limit:
        yield position
        seat = chance.choice(position.pending)
        position.play(chance.choice(position.move_ids(seat)), seat)
    yield position


def some_positions(name: str, seats: int, seed: int, count: int = 12) -> Iterator[Position]:
    """Copies of positions spread over one whole random game."""
    game = azalai.game(name)
    length = _length(name, seats, seed)
    for position in wander(game.new(seats, seed), seed):
        if position.ply % max(1, length // count) == 0:
            yield position.copy()


@functools.cache
def _length(name: str, seats: int, seed: int) -> int:
    position = azalai.game(name).new(seats, seed)
    for _ in wander(position, seed):
        pass
    return position.ply


def fingerprints(name: str, seats: int, seed: int, limit: int) -> list[str]:
    """A hash of every state of a random game, as a whole and as every seat and a spectator sees it, with some observations."""
    prints = []
    for position in wander(azalai.game(name).new(seats, seed), seed, limit):
        digest = hashlib.sha256(position.tobytes())
        for seat in (*range(seats), None):
            seen = position.seen_by(seat)
            digest.update(seen.tobytes())
            digest.update(seen.imagine(position.ply).tobytes())
        if position.ply % 10 == 0:
            for seat in range(seats):
                digest.update(position.observe(seat, conclusions=True).tobytes())
        digest.update(repr((position.scores, position.ranking)).encode())
        prints.append(digest.hexdigest()[:16])
    return prints


def soak(game: Game, seats: int, games: int, seed: int = 1, first: int = 0, **options: Any) -> tuple[int, int]:
    """Random games under all invariants: (0, decisions) or (number of the broken invariant, stream number of the game)."""
    start, work = records(1, game.schema.dtype), records(1, game.schema.dtype)
    game.header(start[0], seats, options)
    result = flow.soak(
        work,
        start,
        first,
        games,
        seed,
        game.longest,
        game.moves.count,
        game.move_buffer(),
        numbers(game.moves.count, "int64"),
        score_buffer(),
    )
    return int(result[0]), int(result[1])


def playthrough(name: str, seats: int, seed: int, decisions: int) -> str:
    """A game told in text: every decision and what it brought about, with scores at the end."""
    game = azalai.game(name)
    words = Words(game, seats)
    position = game.new(seats, seed)
    lines = [f"{name}, {seats} seats, seed {seed}, rules {game.rules}", *_told(position, words)]
    chance = random.Random(seed)
    while not position.over and position.ply < decisions:
        moves = position.moves()
        move = chance.choice(moves)
        lines.append(f"{position.ply}. {words.seat(position.seat)} ({position.phase}, 1 of {len(moves)}): {move}")
        position.play(move)
        lines += _told(position, words)
    lines.append(f"scores {position.scores}, places {position.ranking}, {position.end or 'unfinished'}")
    lines.append(hashlib.sha256(position.tobytes()).hexdigest()[:16])
    return "\n".join(lines) + "\n"


def _told(position: Position, words: Words) -> list[str]:
    return [f"    {words.event(event)}" for event in position.events]


def count_positions(name: str, seats: int, seed: int, most: int = 20_000) -> list[int]:
    """How many different positions there are after 0, 1, 2, … decisions, until they are too many to count."""
    level = {(start := azalai.game(name).new(seats, seed)).tobytes(): start}
    counts = [1]
    while True:
        branches = sum(len(position.move_ids()) for position in level.values())
        if not branches or counts[-1] + branches > most or len(counts) > 12:
            return counts
        following: dict[bytes, Position] = {}
        for position in level.values():
            for move in position.move_ids():
                twin = position.copy()
                twin.play(move)
                following[twin.tobytes()] = twin
        level = following
        counts.append(len(level))
