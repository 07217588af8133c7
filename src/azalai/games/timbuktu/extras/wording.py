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
    level.sort(key=lambda seat: -goods[seat])
    equal = words("asked.level", seats=words.listed([words.seat(seat) for seat in level]), n=best)
    if goods[level[0]] == goods[level[1]]:
        return f"{told} {equal} {words('asked.shared')}"
    shares = words.listed([words("asked.arrived", seat=words.seat(seat), n=goods[seat]) for seat in level])
    return f"{told} {equal} {words('asked.decided', shares=shares)}"


WORDING = Wording(ending=ending)
