"""A cheap guess of everybody's prospects, and the moves worth thinking about."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Floats

from .components import CAMELS, ECONOMIC, NEIGHBOURS
from .rules import legal, list_fields
from .rules_board import alive, around, first_field, holds_home, how_many, within_reach, worth_of
from .rules_fate import strategic
from .rules_round import can_buy, prospects
from .rules_turn import affordable
from .state import LEAD, Moves, Phases, State

MEAN_LOSS = np.array([sum((value + die) // 2 for die in range(1, 7)) / 6 for value in range(6)])  # per blow, by strategic value
EXCHANGE = MEAN_LOSS[None, :] / MEAN_LOSS[:, None]  # [attacker, defender]: camels lost for each camel killed


@rule
def evaluate(s: State, w: Any, out: Floats) -> None:
    """Each seat's share of the squares of all strengths; when the game is over, of the victory."""
    total = 0.0
    for seat in range(s.seats):
        out[seat] = victory(s, seat) if s.over else max(strength(s, w, seat), 0.01) ** 2
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total


@rule
def victory(s: State, seat: int) -> float:
    """1 for who has won, else 0."""
    for other in range(s.seats):
        if prospects(s, other) > prospects(s, seat):
            return 0.0
    return 1.0


@rule
def strength(s: State, w: Any, seat: int) -> float:
    """What a player has and may gain, less what he may lose."""
    if not alive(s, seat):
        return 0.0
    time_left = min((how_many(s.fates) + 1) / w.late, 1.0)
    wealth = (w.camel * s.herd[seat] + w.silver * s.silver[seat]) * time_left
    fields = s.economy[seat] + land_ahead(s, w, seat)
    if s.phase == Phases.FIGHTING:
        price = cost(s, s.origin, s.target)
        success = odds(w, s.camels[s.origin] - price)
        worth = ECONOMIC[s.terrain[s.target]]
        if seat == s.seat:
            fields += success * worth
            wealth -= min(s.camels[s.origin], price) * w.camel * time_left
        elif seat == s.owner[s.target]:
            fields -= success * worth * (1 - w.risk)
            wealth -= success * s.camels[s.target] * w.camel * time_left
    if not holds_home(s, seat):
        return fields * w.homeless + wealth
    home_danger = danger(s, w, s.home[seat], camels_of_others(s, seat))
    return fields + wealth - w.home_risk * home_danger * (s.economy[seat] + wealth)


@rule
def land_ahead(s: State, w: Any, seat: int) -> float:
    """What may come of fields: those within reach, less the own ones that others can take."""
    enemies = camels_of_others(s, seat)
    near = around(s.stands[seat]) & s.land
    far = around(near) & s.land & ~s.marks[seat]
    gain = w.near_land * worth_of(s, near & ~s.marks[seat] & ~enemies) + w.far_land * worth_of(s, far)
    exposed = s.marks[seat] & around(enemies)
    gain -= w.risk * worth_of(s, exposed & ~s.stands[seat])
    exposed &= s.stands[seat]
    while exposed:
        field = first_field(exposed)
        gain -= w.risk * danger(s, w, field, enemies) * ECONOMIC[s.terrain[field]]
        exposed &= exposed - 1
    return gain


@rule
def camels_of_others(s: State, seat: int) -> int:
    """The fields where a player's enemies stand."""
    enemies = 0
    for other in range(s.seats):
        if other != seat:
            enemies |= s.stands[other]
    return enemies


@rule
def danger(s: State, w: Any, field: int, enemies: int) -> float:
    """The chance that the strongest neighbour would take a field."""
    attackers = NEIGHBOURS[field] & enemies
    if s.camels[field] == 0:
        return 1.0 if attackers else 0.0
    best = -1.0 * CAMELS
    while attackers:
        origin = first_field(attackers)
        best = max(best, s.camels[origin] - cost(s, origin, field))
        attackers &= attackers - 1
    return odds(w, best)


@rule
def cost(s: State, origin: int, target: int) -> float:
    """How many camels an attack costs on average before the defender has none."""
    attack, defence = strategic(s, origin), strategic(s, target)
    return max(s.camels[target] * EXCHANGE[attack, defence] - MEAN_LOSS[defence] / 2, 0.0)


@rule
def odds(w: Any, left: float) -> float:
    """A rough chance to conquer a field, from the camels an attacker would have left on average."""
    return min(max(0.5 + w.margin * left, 0.0), 1.0)


# ---------------------------------------------------------------- moves worth thinking about


@rule
def candidates(s: State, out: Cells) -> int:
    """All moves, but only a few of the many numbers of camels, and of the fields to march from or buy for."""
    seat, phase = s.seat, s.phase
    if phase == Phases.MARCHING:
        n = 0
        movers = s.stands[seat] & ~s.walled
        while movers:
            field = first_field(movers)
            if s.camels[field] > 1 or within_reach(s, field) & ~s.marks[seat]:
                out[n] = Moves.MARCH + field
                n += 1
            movers &= movers - 1
        out[n] = Moves.STAY
        return n + 1
    if phase in (Phases.LEADING, Phases.ENTERING):
        inland = s.owner[s.target] == seat and phase == Phases.LEADING
        return few_numbers(s.camels[s.origin], not inland, out)
    if phase == Phases.PAYING:
        return few_numbers(affordable(s), False, out)
    if phase == Phases.BUYING and can_buy(s, seat):
        n = list_fields(fields_to_buy_for(s, seat), Moves.BUY, out)
        out[n] = Moves.DONE
        return n + 1
    return legal(s, out)


@rule
def fields_to_buy_for(s: State, seat: int) -> int:
    """The settlement and the fields that enemies can reach; where there are none, the border of the own land."""
    fields = s.marks[seat] & around(camels_of_others(s, seat))
    if holds_home(s, seat):
        fields |= 1 << s.home[seat]
    if fields & fields - 1 == 0:
        fields |= s.marks[seat] & around(s.land & ~s.marks[seat])
    return fields


@rule
def few_numbers(most: int, fine: int, out: Cells) -> int:
    """Half of the camels and all; also, where it may matter, one and all but one."""
    n = 0
    if fine:
        n = add_number(1, out, n)
    n = add_number((most + 1) // 2, out, n)
    if fine:
        n = add_number(most - 1, out, n)
    return add_number(most, out, n)


@rule
def add_number(number: int, out: Cells, n: int) -> int:
    """One more number of camels, unless it is in the list already."""
    if number > 0 and (n == 0 or out[n - 1] < LEAD + number):
        out[n] = LEAD + number
        n += 1
    return n
