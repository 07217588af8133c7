"""What a move brings: majorities, goods aboard, special cards, goods in hand."""

from __future__ import annotations

from typing import Any

from azalai.engine.position import Position
from azalai.engine.words import Words

from ..components import KINDS, SPECIALS
from ..state import GOOD_NAMES, SPECIAL_NAMES

# events that tell what chance did or what came to light, the most telling first
LUCK = ("opened_cave", "opened_thief", "stole", "stole_seen", "drew", "new_deck")


def explain(before: Position, after: Position, seat: int, words: Words) -> list[str]:
    """Return what the seat has gained between two positions, the most important first."""
    old, new = before.state, after.state
    said = []
    others = [other for other in range(before.seats) if other != seat]
    for good in range(KINDS):
        rival = max(int(new.carried[other, good]) for other in others)
        mine, mine_before = int(new.carried[seat, good]), int(old.carried[seat, good])
        if mine > rival >= mine_before:
            said.append(words("explain.leads", good=words.name(GOOD_NAMES, good), n=mine, rival=rival))
        elif mine == rival > mine_before:
            said.append(words("explain.level", good=words.name(GOOD_NAMES, good), n=mine))
    bought = [special for special in range(len(SPECIALS)) if new.stack[special] < old.stack[special]]
    said += [words("explain.special", special=words.name(SPECIAL_NAMES, special)) for special in bought]
    loaded = int(new.carried[seat].sum() - old.carried[seat].sum())
    if loaded > 0:
        said.append(words("explain.loads", n=loaded))
    hidden = in_caves(new, seat) - in_caves(old, seat)
    if hidden > 0:
        said.append(words("explain.hides", n=hidden))
    drawn = int(old.deck_size - new.deck_size)
    if drawn > 0 and new.hand_size[seat] > old.hand_size[seat]:
        said.append(words("explain.draws", n=drawn))
    if new.loot_count > old.loot_count and new.loot_victim[int(old.loot_count)] >= 0:
        said.append(words("explain.robs", seat=words.seat(int(new.loot_victim[int(old.loot_count)]))))
    unused = int(old.caves[seat, :-1].sum() + old.thieves[seat])
    if not said and before.phase == "after" and unused:
        said.append(words("explain.saves", n=unused))
    if not said and new.hand_size[seat] < old.hand_size[seat]:
        said.append(words("explain.room", n=int(new.hand_size[seat])))
    return said


def in_caves(s: Any, seat: int) -> int:
    """Return how many goods a seat's caves hide."""
    return sum(count * int(caves) for count, caves in enumerate(s.caves[seat]))
