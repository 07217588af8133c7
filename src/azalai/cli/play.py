"""`azalai play`: a game in the terminal, against the computer or with others at the same keyboard."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import azalai
from azalai.cli import saves
from azalai.cli.screen import open_screen
from azalai.cli.session import TerminalSession
from azalai.cli.texts import Texts
from azalai.engine import discovery
from azalai.engine.errors import BadOption
from azalai.engine.words import Words

if TYPE_CHECKING:
    from azalai.bots import Player
    from azalai.engine.position import Position

NOBODY = ("none", "niemand")


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Set the table as the arguments say, and play."""
    position = resume(args, texts) if args.load else begin(args, texts)
    words = Words(position.game, position.seats, texts.language)
    humans = choose_humans(args.you, words, texts)
    bots = choose_bots(args.bots, position, humans, texts)
    left_here = args.load and Path(args.load).resolve().parent == saves.folder().resolve()
    path = Path(args.load).resolve() if left_here else saves.new_path(position.game.name)
    return TerminalSession(position, words, texts, open_screen(), bots, path).play()


def begin(args: argparse.Namespace, texts: Texts) -> Position:
    """A new game."""
    if not args.game:
        raise BadOption(texts("error.name_a_game", games=", ".join(discovery.installed())))
    return azalai.game(args.game, args.components).new(args.seats, args.seed, **read_options(args.option, texts))


def resume(args: argparse.Namespace, texts: Texts) -> Position:
    """The game of a file."""
    if args.seats is not None or args.seed is not None or args.option:
        raise BadOption(texts("error.load_alone"))
    position = azalai.load(args.load)
    if args.game and args.game != position.game.name:
        raise BadOption(texts("error.other_game", file=args.load, game=position.game.name, asked=args.game))
    return position


def read_options(pairs: Sequence[str], texts: Texts) -> dict[str, Any]:
    """The options of a game from `name=value`."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(texts("error.option_form", pair=repr(pair)))
        options[name.strip()] = value.strip()
    return options


def choose_humans(asked: str | None, words: Words, texts: Texts) -> list[int]:
    """The seats people sit on: the first one, where nothing is asked for."""
    if asked is None:
        return [0]
    if asked.lower() in NOBODY:
        return []
    return sorted({find_seat(one.strip(), words, texts) for one in asked.split(",")})


def find_seat(asked: str, words: Words, texts: Texts) -> int:
    """A seat by its label, its name in the user's language, the beginning of one of these, or its number from 1."""
    labels = words.seat_labels
    if asked.isdecimal() and 1 <= int(asked) <= len(labels):
        return int(asked) - 1
    fitting = {seat for seat, label in enumerate(labels) for name in (label, words.seat(seat)) if _begins(name, asked)}
    if len(fitting) != 1:
        raise BadOption(texts("error.no_seat", asked=repr(asked), seats=", ".join(labels), count=len(labels)))
    return fitting.pop()


def _begins(name: str, asked: str) -> bool:
    return bool(asked) and name.lower().startswith(asked.lower())


def choose_bots(asked: str, position: Position, humans: Sequence[int], texts: Texts) -> dict[int, tuple[str, Player]]:
    """A computer player, with its name, for each seat without a person."""
    seats = [seat for seat in range(position.seats) if seat not in humans]
    players = [name.strip() for name in asked.split(",")]
    if len(players) == 1:
        players *= len(seats)
    if len(players) != len(seats):
        raise BadOption(texts("error.bot_count", bots=len(players), seats=len(seats)))
    seed = position.seed or 0
    return {seat: (name, azalai.bot(name, position.game, seed + seat)) for seat, name in zip(seats, players)}
