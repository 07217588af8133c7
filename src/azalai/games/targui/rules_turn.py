"""A turn: march or fight, then buy. Either may be left out; the order is fixed."""

from __future__ import annotations

from azalai.engine.rng import draw
from azalai.engine.rule import rule
from azalai.engine.schema import emit, finish

from .rules_board import add_camels, alive, first_field, mark, move_camels, remove_camels, within_reach
from .rules_fate import strategic
from .rules_round import announce, can_buy
from .state import NOBODY, NOWHERE, Ends, Events, Phases, State

# ---------------------------------------------------------------- march


@rule
def march_from(s: State, field: int) -> None:
    """The player picks the field his camels leave."""
    s.origin = field
    s.unfinished = 1
    fields = within_reach(s, field)
    if fields & fields - 1:
        s.phase = Phases.HEADING
    else:
        march_to(s, first_field(fields))


@rule
def march_to(s: State, field: int) -> None:
    """He picks the neighbour they go to; camels of another player there mean a fight."""
    s.target = field
    owner = s.owner[field]
    if owner != s.seat and s.camels[field] > 0:
        emit(s, Events.ATTACKED, s.seat, s.origin, field, owner)
        exchange_blows(s)
    elif s.camels[s.origin] > 1:
        s.phase = Phases.LEADING
    else:
        march(s, 1)


@rule
def march(s: State, camels: int) -> None:
    """Any number of camels goes from one field to one field, and marks it."""
    seat, field = s.seat, s.target
    loser = s.owner[field]
    move_camels(s, seat, s.origin, field, camels)
    emit(s, Events.MARCHED, seat, s.origin, field, camels)
    if loser != seat:
        mark(s, seat, field)
        if loser != NOBODY:  # ruling 9: an abandoned field changes hands without a fight
            emit(s, Events.TOOK, seat, field, loser)
            eliminate_if_gone(s, loser)
    end_march(s)


@rule
def stay(s: State) -> None:
    """He leads nobody anywhere."""
    emit(s, Events.STAYED, s.seat)
    end_march(s)


@rule
def end_march(s: State) -> None:
    """Marching or fighting is done: now the player may buy."""
    s.origin = NOWHERE
    s.target = NOWHERE
    s.unfinished = 0
    if s.over:
        announce(s)
    elif can_buy(s, s.seat):
        s.phase = Phases.BUYING
    else:
        end_turn(s)


# ---------------------------------------------------------------- fight


@rule
def exchange_blows(s: State) -> None:
    """The attacker strikes; the defender, if anything is left of him, strikes back. Then the attacker may think again."""
    strike(s, s.seat, s.origin, s.target)
    if s.camels[s.target] == 0:
        conquer(s)
        return
    strike(s, s.owner[s.target], s.target, s.origin)
    if s.camels[s.origin] == 0:
        emit(s, Events.BEATEN, s.seat, s.origin, s.target)  # he keeps his marker, and the defender may not follow
        end_march(s)
    else:
        s.phase = Phases.FIGHTING


@rule
def strike(s: State, seat: int, field: int, other: int) -> None:
    """Half of the striker's own strategic value and a die, rounded down: so many camels the other field loses."""
    die = 1 + draw(s, 6)
    loss = min((strategic(s, field) + die) // 2, s.camels[other])
    remove_camels(s, other, loss)
    emit(s, Events.STRUCK, seat, die, other, loss)


@rule
def conquer(s: State) -> None:
    """The defender's camels are gone: his marker goes back, and one or more camels of the attacking field move in."""
    loser = s.owner[s.target]
    mark(s, s.seat, s.target)
    emit(s, Events.CONQUERED, s.seat, s.target, loser)
    eliminate_if_gone(s, loser)
    if s.over or s.camels[s.origin] == 1:
        move_in(s, 1)
    else:
        s.phase = Phases.ENTERING


@rule
def move_in(s: State, camels: int) -> None:
    """The conquerors enter; how many is up to them (ruling 11)."""
    move_camels(s, s.seat, s.origin, s.target, camels)
    emit(s, Events.MARCHED, s.seat, s.origin, s.target, camels)
    end_march(s)


@rule
def break_off(s: State) -> None:
    """The attacker gives up; only after a blow of the defender is he asked (ruling 12)."""
    emit(s, Events.RETREATED, s.seat, s.origin, s.target)
    end_march(s)


@rule
def eliminate_if_gone(s: State, seat: int) -> None:
    """Who has no marker left is out: his cards and his money too (rulings 16, 19). The last one left has won (ruling 29)."""
    if alive(s, seat):
        return
    s.pack[seat] = 0
    s.silver[seat] = 0
    emit(s, Events.ELIMINATED, seat)
    left = 0
    for other in range(s.seats):
        left += alive(s, other)
    if left == 1:
        finish(s, Ends.LAST_SURVIVOR)


# ---------------------------------------------------------------- buy


@rule
def buy_for(s: State, field: int) -> None:
    """The player picks one field of his own, near or far, for all camels he buys (rulings 14, 15)."""
    s.target = field
    if affordable(s) == 1:
        buy(s, 1)
    else:
        s.unfinished = 1
        s.phase = Phases.PAYING


@rule
def affordable(s: State) -> int:
    """One silver a camel, as long as the box has any."""
    return min(s.silver[s.seat], s.box)


@rule
def buy(s: State, camels: int) -> None:
    """He pays and gets them."""
    s.silver[s.seat] -= camels
    add_camels(s, s.target, camels)
    emit(s, Events.BOUGHT, s.seat, s.target, camels)
    end_turn(s)


@rule
def end_turn(s: State) -> None:
    """Nobody is asked any more: the next card decides whose turn it is."""
    s.target = NOWHERE
    s.unfinished = 0
    s.pending = 0
