"""Why a move is good, in words: what the line that begins with it brings.

A game's `extras/explain.py`, if it has one, says it: `explain(before, after, seat, words)` compares two positions, before the
decision as the seat sees it and at the end of its move, and returns phrases, the most important first. `LUCK` lists the events
that tell what chance did.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from azalai.engine.errors import IllegalMove

if TYPE_CHECKING:
    from types import ModuleType

    from azalai.engine.game import Game
    from azalai.engine.moves import Move
    from azalai.engine.position import Position
    from azalai.engine.words import Words

PHRASES = 2
Line = Sequence[tuple[int, "Move"]]


def follow_line(position: Position, line: Line) -> list[Position]:
    """Return the positions after each decision of a line, as far as it can be played and nothing comes to light."""
    found: list[Position] = []
    here = position.copy()
    for seat, move in line:
        if here.over or seat not in here.pending:
            break
        try:
            here.play(move, seat)
        except IllegalMove:
            break
        found.append(here.copy())
        if here.revealed:
            break
    return found


def finish_move(seen: Position, line: Line) -> tuple[list[Move], Position | None]:
    """Return the decisions of the deciding seat that a line begins with, and the position when its move is complete.

    `seen` is concealed, so the line is played in one sampled world. The position is None where it cannot be played there.
    """
    seat = seen.seat
    own: list[tuple[int, Move]] = []
    for mover, move in line:
        if mover != seat:
            break
        own.append((mover, move))
    steps = follow_line(seen.imagine(1), own)
    end = next((number for number, one in enumerate(steps, 1) if one.seat != seat or not one.unfinished), len(steps))
    return [move for _, move in own[:end]], steps[end - 1] if steps else None


def explain(seen: Position, line: Line, words: Words) -> str:
    """Return what the seat that decides in a concealed position gains by a line; empty where the game says nothing of it."""
    module = _module(seen.game)
    if module is None:
        return ""
    _, after = finish_move(seen, line)
    if after is None:
        return ""
    phrases: list[str] = module.explain(seen, after, seen.seat, words)
    return words.listed(phrases[:PHRASES])


def name_luck(after: Position, words: Words) -> str:
    """Return what chance did in the last step, or what came to light; empty where the game has no word for it."""
    module = _module(after.game)
    happened = {event.kind for event in after.events}
    kind = None if module is None else next((one for one in module.LUCK if one in happened), None)
    return "" if kind is None else words(f"luck.{kind}")


def _module(game: Game) -> ModuleType | None:
    """Return a game's `extras/explain.py`."""
    found = (game.extras / "explain.py").exists()
    return importlib.import_module(f"{game.package}.extras.explain") if found else None
