"""A cheap guess of everybody's prospects, and the moves worth thinking about."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rule import rule
from azalai.games.targui.board import around, first_field, holds_home, how_many, within_reach
from azalai.games.targui.rules import legal, list_fields
from azalai.games.targui.rules_fate import strategic
from azalai.games.targui.rules_turn import affordable
from azalai.games.targui.state import (
    BUY,
    BUYING,
    DONE,
    ECONOMIC,
    ENTERING,
    FIGHTING,
    LEAD,
    LEADING,
    MARCH,
    MARCHING,
    NEIGHBOURS,
    PAYING,
    STAY,
)

MEAN_LOSS = np.array([sum((value + die) // 2 for die in range(1, 7)) / 6 for value in range(6)])  # per blow, by strategic value

# What things are worth, in silver of the last income.
CAMEL = 0.18
SILVER = 0.18
HOMELESS = 0.20  # without the own settlement, so much of the fields' value counts
OPEN_LAND = 0.05  # of the value of a free field that can be entered at once
RISK = 0.20  # of the value of a field that would fall if attacked
HOME_RISK = 0.30  # likewise, of everything a player has, for his settlement
LATE = 4  # in so many last rounds camels and silver lose their worth little by little


@rule
def evaluate(s: Any, out: Any) -> None:
    """Each seat's share of the squares of all strengths."""
    total = 0.0
    for seat in range(s.seats):
        strength = max(strength_of(s, seat), 0.01)
        out[seat] = strength * strength
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total


@rule
def strength_of(s: Any, seat: Any) -> Any:
    """What a player has and may gain, less what he may lose."""
    if s.marks[seat] == 0:
        return 0.0
    left = min(how_many(np.int64(s.fates)) + 1, LATE) / LATE
    wealth = (CAMEL * s.herd[seat] + SILVER * s.silver[seat]) * left
    fields = s.economy[seat] * 1.0
    home = holds_home(s, seat)
    free = around(s.stands[seat]) & s.land
    enemies = np.int64(0)
    for other in range(s.seats):
        free &= ~s.marks[other]
        if other != seat:
            enemies |= s.stands[other]
    gain = 0.0
    while free:
        gain += OPEN_LAND * ECONOMIC[s.terrain[first_field(free)]]
        free &= free - 1
    threatened = s.marks[seat] & around(enemies)
    while threatened:
        field = first_field(threatened)
        danger = 1.0
        if s.camels[field] > 0:
            danger = 0.0
            attackers = NEIGHBOURS[field] & enemies
            while attackers:
                danger = max(danger, chance(s, first_field(attackers), field))
                attackers &= attackers - 1
        gain -= RISK * danger * ECONOMIC[s.terrain[field]]
        if home and field == s.home[seat]:
            gain -= HOME_RISK * danger * (fields + wealth)
        threatened &= threatened - 1
    if s.phase == FIGHTING:
        odds = chance(s, s.origin, s.target)
        worth = ECONOMIC[s.terrain[s.target]]
        if seat == s.seat:
            gain += odds * worth
            wealth -= CAMEL * left * (min(s.camels[s.origin], needed(s, s.origin, s.target)))
        elif seat == s.owner[s.target]:
            gain -= odds * (1 - RISK) * worth
            wealth -= CAMEL * left * odds * s.camels[s.target]
    return (fields + gain) * (1.0 if home else HOMELESS) + wealth


@rule
def needed(s: Any, origin: Any, target: Any) -> Any:
    """How many camels an attack costs on average before the defender has none."""
    strikes = s.camels[target] / MEAN_LOSS[strategic(s, origin)] - 0.5
    return max(strikes, 0.0) * MEAN_LOSS[strategic(s, target)]


@rule
def chance(s: Any, origin: Any, target: Any) -> Any:
    """A rough chance that the camels on `origin` would conquer `target`."""
    cost = needed(s, origin, target)
    return min(max((s.camels[origin] - 0.7 * cost) / (0.6 * cost + 1.0), 0.0), 1.0)


# ---------------------------------------------------------------- moves worth thinking about


@rule
def candidates(s: Any, out: Any) -> Any:
    """All moves, but only a few of the many numbers of camels, and of the fields to march from or buy for."""
    seat, phase = s.seat, s.phase
    if phase == MARCHING:
        n = 0
        movers = s.stands[seat] & ~s.walled
        while movers:
            field = first_field(movers)
            if s.camels[field] > 1 or within_reach(s, field) & ~s.marks[seat]:
                out[n] = MARCH + field
                n += 1
            movers &= movers - 1
        out[n] = STAY
        return n + 1
    if phase in (LEADING, ENTERING):
        inland = s.owner[s.target] == seat and phase == LEADING
        return few_numbers(s.camels[s.origin], not inland, out)
    if phase == PAYING:
        return few_numbers(affordable(s), False, out)
    if phase == BUYING and s.silver[seat] > 0 and s.box > 0:
        enemies = np.int64(0)
        for other in range(s.seats):
            if other != seat:
                enemies |= s.stands[other]
        fields = s.marks[seat] & around(enemies)
        if holds_home(s, seat):
            fields |= 1 << s.home[seat]
        if fields & fields - 1 == 0:
            fields |= s.marks[seat] & around(s.land & ~s.marks[seat])
        n = list_fields(fields, BUY, out)
        out[n] = DONE
        return n + 1
    return legal(s, out)


@rule
def few_numbers(most: Any, fine: Any, out: Any) -> Any:
    """Half of the camels and all; also, where it may matter, one and all but one."""
    n = 0
    last = 0
    for choice in range(4):
        number = 1 if choice == 0 else (most + 1) // 2 if choice == 1 else most - 1 if choice == 2 else most
        if number > last and (fine or choice == 1 or choice == 3):
            out[n] = LEAD + number
            n += 1
            last = number
    return n
