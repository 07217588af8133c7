"""What a move brings: camels where no known thief strikes, goods kept."""

from __future__ import annotations

from typing import Any

from azalai.engine.position import Position
from azalai.engine.words import Words

from ..components import CAMELS, GOODS, GOODS_PAIR, SETS, STALL_PAIR, STALLS
from ..state import CAMEL, GOOD, PEN


def explain(before: Position, after: Position, seat: int, words: Words) -> list[str]:
    """Return what the seat has gained between two positions, the most important first."""
    old, new = before.state, after.state
    said = []
    known = [number for number in range(SETS) if old.thief_pen[number] >= 0]
    for camel in range(int(CAMELS[before.seats])):
        if new.place[seat, camel] == old.place[seat, camel] or new.place[seat, camel] < 0:
            continue
        pen, stall = divmod(int(new.place[seat, camel]), STALLS)
        named = {"camel": words.name(CAMEL, camel), "pen": words.name(PEN, pen)}
        here = [number for number in known if old.thief_pen[number] == pen]
        if any(stall in STALL_PAIR[int(old.thief_stalls[number])] for number in here):
            at_risk = goods_at_risk(old, old if after.revealed else new, seat, camel, here, stall)
            said.append(words("explain.risk" if at_risk else "explain.nothing_there", n=at_risk, **named))
        elif here:
            said.append(words("explain.beside", **named))
        elif known:
            said.append(words("explain.away", **named))
        else:
            said.append(words("explain.leads", **named))
    if new.choice[seat] >= 0 > old.choice[seat]:
        camel = int(new.choice[seat])
        load = [words.name(GOOD, good) for good in range(GOODS) if old.load[seat, camel, good]]
        key = "explain.chooses" if load else "explain.chooses_empty"
        said.append(words(key, camel=words.name(CAMEL, camel), goods=words.listed(load)))
    paid = int(old.kept[seat].sum() - new.kept[seat].sum())
    if paid > 0:
        said.append(words("explain.pays", n=paid))
    return said


def goods_at_risk(s: Any, now: Any, seat: int, camel: int, sets: list[int], stall: int) -> int:
    """Return how many of the goods that a camel carries `now` known thieves would take in a stall."""
    taken = {
        int(good)
        for number in sets
        if stall in STALL_PAIR[int(s.thief_stalls[number])]
        for good in GOODS_PAIR[int(s.thief_goods[number])]
    }
    return sum(int(now.load[seat, camel, good]) for good in taken)
