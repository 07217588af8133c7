"""What a move brings: fields won, camels that hold a field, income."""

from __future__ import annotations

from typing import Any

from azalai.engine.position import Position
from azalai.engine.words import Words

from ..components import FIELDS, NEIGHBOURS
from ..state import FIELD
from .notes import alive


def explain(before: Position, after: Position, seat: int, words: Words) -> list[str]:
    """Return what the seat has gained between two positions, the most important first."""
    old, new = before.state, after.state
    said = [
        words("explain.eliminates", seat=words.seat(other))
        for other in range(before.seats)
        if other != seat and alive(old, other) and not alive(new, other)
    ]
    won = [field for field in range(FIELDS) if new.owner[field] == seat and old.owner[field] != seat]
    for field in won:
        owner = int(old.owner[field])
        key = "explain.claims" if owner < 0 else "explain.takes"
        said.append(words(key, field=words.name(FIELD, field), seat="" if owner < 0 else words.seat(owner)))
    income = int(new.economy[seat]) - int(old.economy[seat])
    if income > 0:
        said.append(words("explain.income", n=income))
    for field in range(FIELDS):
        stronger = new.owner[field] == seat and new.camels[field] > old.camels[field]
        danger = threat(new, field, seat)
        if stronger and danger:
            held = int(new.camels[field]) >= danger
            said.append(words("explain.holds" if held else "explain.supports", field=words.name(FIELD, field), n=danger))
    bought = int(new.herd[seat]) - int(old.herd[seat])
    if bought > 0:
        said.append(words("explain.camels", n=bought))
    target = int(new.target)
    if not said and target >= 0 and new.owner[target] not in (-1, seat):
        holder = words.seat(int(new.owner[target]))
        said.append(words("explain.attacks", field=words.name(FIELD, target), seat=holder, n=int(old.camels[target])))
    if not said and before.phase == "buying" and new.silver[seat]:
        said.append(words("explain.saves", n=int(new.silver[seat])))
    return said


def threat(s: Any, field: int, seat: int) -> int:
    """Return the most camels of another player on one field beside this one."""
    around = int(NEIGHBOURS[field])
    return max(
        (int(s.camels[other]) for other in range(FIELDS) if around >> other & 1 and s.owner[other] not in (-1, seat)), default=0
    )
