"""A game as a file: what it was dealt from and what was decided. Replaying it gives the same game, byte for byte."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from azalai.engine.errors import AzalaiError, BadRecord, brief
from azalai.engine.game import Game
from azalai.engine.position import Position

FORMAT = 1


def to_record(position: Position) -> dict[str, Any]:
    """The record of a game as plain data. A decision out of turn, among simultaneous ones, names its seat: `choose C @2`."""
    if position.seed is None:
        raise BadRecord("a concealed or imagined position has no record: it does not know how it was dealt")
    replayed = Position.begin(position.game, position.seats, position.seed, position.options)
    moves = []
    for seat, move in position.history:
        moves.append(str(move) if seat == replayed.seat else f"{move} @{seat}")
        replayed.play(move, seat)
    record = {
        "format": FORMAT,
        "game": position.game.name,
        "rules": position.game.rules,
        "seats": position.seats,
        "options": position.options,
        "seed": position.seed,
        "moves": moves,
    }
    changes = position.game.changes
    return {**record, "components": changes} if changes else record


def from_record(record: Any, find_game: Callable[..., Game]) -> Position:
    """Replay a record. Raises BadRecord, saying what is wrong with it.

    `find_game` is called with the game's name and, for a variant, with its changed components.
    """
    if not isinstance(record, dict):
        raise BadRecord("this is not the record of a game")
    wrong = [key for key, kind in _KEYS.items() if not isinstance(record.get(key), kind) or isinstance(record.get(key), bool)]
    if wrong:
        raise BadRecord(f"this is not the record of a game: {wrong[0]!r} is missing or not what it should be")
    if record["format"] != FORMAT:
        raise BadRecord(f"the record has format {record['format']}; this version reads format {FORMAT}")
    try:
        changes = record.get("components", {})
        if not isinstance(changes, dict):
            raise BadRecord("this is not the record of a game: 'components' is not what it should be")
        game = find_game(record["game"], changes) if changes else find_game(record["game"])
        version = f"the record was played by rules version {brief(record['rules'])} of {game.name}; this is version {game.rules}"
        earlier = game.earlier.get(record["rules"])
        if record["rules"] != game.rules and earlier is None:
            raise BadRecord(version)
        position = Position.begin(game, record["seats"], record["seed"], record["options"])
    except BadRecord:
        raise
    except AzalaiError as error:
        raise BadRecord(f"the record cannot be replayed: {error}") from None
    for number, text in enumerate(record["moves"], 1):
        move, _, seat = str(text).partition(" @")
        try:
            if earlier is not None and earlier.is_settled(position, game.moves.parse(move)):
                continue
            position.play(move, int(seat) if seat else None)
        except ValueError as error:
            fault = f"move {number} of the record, {brief(text)}: {error}"
            raise BadRecord(fault if earlier is None else f"{version}, and they part: {fault}") from None
        if earlier is not None and earlier.differs(position):
            raise BadRecord(f"{version}, and they part after move {number} of the record, {brief(text)}")
    return position


_KEYS: dict[str, type] = {"format": int, "game": str, "rules": int, "seats": int, "options": dict, "seed": int, "moves": list}


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write a file so that it is never seen half-written: all of it or what was there before."""
    with whole_file(path) as file:
        file.write(text.encode())


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to be filled, which takes its place when all is in it and on the disk."""
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target))
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def save(position: Position, path: str | os.PathLike[str]) -> None:
    """Write a game's record to a file, for `load`."""
    write_atomically(path, json.dumps(to_record(position), indent=1) + "\n")


def read(path: str | os.PathLike[str]) -> Any:
    """The plain data of a record file."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRecord(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise BadRecord(f"{path} is not the record of a game: it is no JSON text") from None
