"""Sentences that depend on the position: what decided between equals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azalai.engine.game import Wording

if TYPE_CHECKING:
    from azalai.engine.position import Position
    from azalai.engine.words import Words


def ending(position: Position, words: Words) -> str:
    """How the game ended; with equal points also the goods that arrived, which decided."""
    told = words.end(str(position.end))
    best = max(position.scores)
    level = [seat for seat in range(position.seats) if position.scores[seat] == best]
    if len(level) < 2:
        return told
    goods = [int(position.state.kept[seat].sum()) for seat in range(position.seats)]
    return f"{told} {words.tie_break(level, best, goods, 'asked.arrived')}"


WORDING = Wording(ending=ending)
