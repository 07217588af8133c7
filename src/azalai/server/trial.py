"""A process that tries changed components out: it plays some games by them, with little time and memory, and says what failed.

It reads a game's name and the changes from its input as JSON, and writes the problem, or an empty text.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

from azalai import bots
from azalai.engine import dispatch
from azalai.engine.errors import AzalaiError, BadOption
from azalai.engine.game import Game, load_game
from azalai.engine.position import Position
from azalai.engine.words import languages
from azalai.server.catalog import Translator
from azalai.server.views import position_view

GAMES = 3
SECONDS = 3.0  # of computing, after which no further game is begun
MOST_SECONDS = 20  # of computing, then the process is ended
MEMORY = 2 << 30  # bytes of addresses
ROOMIER, MOST_ROOM = 4, 1 << 16  # how much larger than the game's a record or the list of moves may be; bytes always allowed
SELDOM = 8  # decisions between two that are looked at closely


def main() -> None:
    """Answer one question."""
    asked = json.loads(sys.stdin.read())
    _limit()
    print(json.dumps({"problem": examine(asked["game"], asked["changes"])}))


def _limit() -> None:
    """Take little time and memory, where the system can see to that."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def examine(name: str, changes: dict[str, Any]) -> str:
    """Play games by changed components; return what is wrong with them, or an empty text."""
    try:
        usual, game = load_game(name), load_game(name, changes)
        _check_size(usual, game)
        for seats in game.seats:
            game.new(seats, seed=1)
        for seed in range(GAMES):
            if not seed or time.process_time() < SECONDS:
                _play(game, game.seats[seed % len(game.seats)], seed)
    except AzalaiError as error:
        return brief_line(str(error))
    except Exception as error:
        return brief_line(f"{name} cannot be played with these components: {type(error).__name__}: {error}")
    return ""


def brief_line(text: str) -> str:
    """Return a text as one line that is not too long."""
    return " ".join(text.split())[:300]


def _check_size(usual: Game, game: Game) -> None:
    sizes = (
        ("seats", len(game.seats), len(usual.seats)),
        ("bytes of a position", game.schema.dtype.itemsize, max(MOST_ROOM, usual.schema.dtype.itemsize)),
        ("moves", game.moves.count, ROOMIER * usual.moves.count),
        ("moves at a time", game.max_moves, ROOMIER * usual.max_moves),
        ("decisions", game.longest, ROOMIER * usual.longest),
    )
    for what, size, most in sizes:
        if size > most:
            raise BadOption(f"these components make the game too large: {size} {what}, at most {most}")


def _play(game: Game, seats: int, seed: int) -> None:
    """Play a game by chance, and look at it as all who may look at a table do."""
    chance = random.Random(seed)
    greedy = bots.make("greedy", game, seed)
    translators = [Translator(game, seats, language) for language in languages(game.extras)]
    position = game.new(seats, seed)
    eyes = [(seat, translator) for translator in translators for seat in (None, *range(seats))]
    for seat, translator in eyes:
        _look(position, seat, translator)
    while not position.over:
        if position.ply > game.longest:
            raise BadOption(f"a game with these components has not ended after {game.longest} decisions")
        if position.ply % SELDOM:
            move = chance.choice(position.moves())
        else:
            seen = position.seen_by(position.seat)
            seen.imagine(seed)
            move = greedy.choose(seen)
            _look(position, *chance.choice(eyes))
            _check_invariant(position)
        position.play(move, position.seat)
    _check_invariant(position)
    for seat, translator in eyes:
        _look(position, seat, translator)
        translator.words.ending(position)
    assert len(position.ranking) == seats


def _check_invariant(position: Position) -> None:
    broken = dispatch.invariant(position.state)
    if broken:
        raise BadOption(f"with these components something goes wrong in play: {position.game.invariants[int(broken) - 1]}")


def _look(position: Position, seat: int | None, translator: Translator) -> None:
    """Render a position as a table shows it to one viewer."""
    seen = position.seen_by(seat)
    json.dumps(position_view(seen, seat, translator))
    for event in seen.events:
        translator.event(event)
    if seat is not None and seat in seen.pending:
        for move in seen.move_ids(seat):
            translator.move(move, seen)


if __name__ == "__main__":
    main()
