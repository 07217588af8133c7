"""What a move brings: goods, gold, crosses, tribe cards, places the other cannot take any more."""

from __future__ import annotations

from azalai.engine.position import Position
from azalai.engine.words import Words

from ..components import TARGIS
from ..state import BORDER, STUFF

# events that tell what chance did or what came to light, the most telling first
LUCK = ("drew", "drawn", "turned_tribe", "turned_goods", "took")


def explain(before: Position, after: Position, seat: int, words: Words) -> list[str]:
    """Return what the seat has gained between two positions, the most important first."""
    old, new, other = before.state, after.state, 1 - seat
    said = []
    cards = int(new.length[seat].sum() - old.length[seat].sum())
    if cards > 0:
        said.append(words("explain.cards", n=cards))
    points = after.scores[seat] - before.scores[seat]
    if points > 0:
        said.append(words("explain.points", n=points))
    gains = [
        words("explain.stuff", n=int(new.stock[seat, stuff] - old.stock[seat, stuff]), stuff=words.name(STUFF, stuff))
        for stuff in range(len(STUFF))
        if new.stock[seat, stuff] > old.stock[seat, stuff]
    ]
    if gains:
        said.append(words("explain.brings", gains=words.listed(gains)))
    for targi in range(TARGIS):
        place = int(new.targi[seat, targi])
        if place >= 0 and place not in old.targi[seat]:
            key = "explain.blocks" if new.placed[other] < new.targis[other] else "explain.occupies"
            said.append(words(key, place=words.name(BORDER, place), seat=words.seat(other)))
    if old.hand[seat] == -1 and new.hand[seat] != -1:
        said.append(words("explain.keeps"))
    return said
