"""The sixteen fate cards. Losses never exceed the camels that are there, and markers always stay."""

from __future__ import annotations

from azalai.engine.rng import draw
from azalai.engine.rule import rule
from azalai.engine.schema import emit

from .components import (
    CARAVAN_SILVER,
    CENTRE,
    CLIMATE_CHANGE,
    CLIMATE_STRATEGIC,
    DROUGHT_LIMIT,
    ECONOMIC,
    ERG,
    FATES,
    FIELDS,
    FIRST_GIFT,
    FLOOD_LOSS,
    GIFT_CAMELS,
    GIFTS,
    GUELTA,
    LAST_GIFT,
    MOUNTAIN,
    MOUNTAIN_SILVER,
    PLAGUE_DIVISOR,
    POISON_LOSS,
    RAID_LOSS,
    REG,
    SANDSTORM_LOSS,
    SETTLEMENT,
    SILVER_FOUND,
    SPRING_BIRTHS,
    STRATEGIC,
)
from .rules_board import add_camels, alive, holds_home, remove_camels
from .state import NOBODY, Events, State

COLOURS = len(GIFTS)


@rule
def turn_fate(s: State) -> None:
    """The round's fate card comes up: any of those nobody has seen yet."""
    left = 0
    for card in range(FATES):
        left += s.fates >> card & 1
    chosen = draw(s, left)
    card = 1
    while chosen > 0 or not s.fates >> card - 1 & 1:
        chosen -= s.fates >> card - 1 & 1
        card += 1
    s.fates &= ~(1 << card - 1)
    s.fate_waits = 0
    s.fate = card
    emit(s, Events.FATE, card)
    before = s.event_count
    carry_out(s, card)
    if s.event_count == before and card not in (CLIMATE_CHANGE, SILVER_FOUND):
        emit(s, Events.NOTHING, card)


@rule
def carry_out(s: State, card: int) -> None:
    """What a fate card does at once. 13 and 16 are looked at where they matter: `strategic` and `income`."""
    if card == 1:
        lose(s, CENTRE, s.camels[CENTRE])
    elif card <= LAST_GIFT:
        gift(s, card - FIRST_GIFT - COLOURS + s.seats)
    elif card == 6:
        lose_everywhere(s, ERG, SANDSTORM_LOSS)
    elif card == 7:
        drought(s)
    elif card == 8:
        caravan(s)
    elif card == 9:
        plague(s)
    elif card == 10:
        raid(s)
    elif card == 11:
        lose_everywhere(s, REG, FLOOD_LOSS)
    elif card == 12:
        spring(s)
    elif card == 14:
        lose_everywhere(s, GUELTA, POISON_LOSS)
    elif card == 15:
        robbers(s)


@rule
def lose(s: State, field: int, camels: int) -> None:
    """A field loses camels, at most those it has."""
    camels = min(camels, s.camels[field])
    if camels > 0:
        emit(s, Events.LOST, s.owner[field], field, camels)
        remove_camels(s, field, camels)


@rule
def lose_everywhere(s: State, area: int, camels: int) -> None:
    """6, 11, 14: every field of one kind loses camels."""
    for field in range(FIELDS):
        if s.terrain[field] == area:
            lose(s, field, camels)


@rule
def gift(s: State, seat: int) -> None:
    """2 to 5: camels for one settlement, if its own tribe holds it (ruling 23); as many as the box has (ruling 7)."""
    camels = min(GIFT_CAMELS, s.box)
    if holds_home(s, seat) and camels > 0:
        emit(s, Events.GAINED, seat, s.home[seat], camels)
        add_camels(s, s.home[seat], camels)


@rule
def drought(s: State) -> None:
    """7: a guelta has water for so many camels only."""
    for field in range(FIELDS):
        if s.terrain[field] == GUELTA:
            lose(s, field, s.camels[field] - DROUGHT_LIMIT)


@rule
def caravan(s: State) -> None:
    """8: silver for every tribe that holds its own settlement."""
    for seat in range(s.seats):
        if holds_home(s, seat):
            s.silver[seat] += CARAVAN_SILVER
            emit(s, Events.PAID, seat, CARAVAN_SILVER)


@rule
def plague(s: State) -> None:
    """9: half of the camels on every settlement card die, whoever stands there; half of an odd number is rounded down."""
    for field in range(FIELDS):
        if s.terrain[field] == SETTLEMENT:
            lose(s, field, s.camels[field] // PLAGUE_DIVISOR)


@rule
def raid(s: State) -> None:
    """10: one camel is stolen wherever there are camels."""
    for field in range(FIELDS):
        lose(s, field, RAID_LOSS)


@rule
def spring(s: State) -> None:
    """12: camels are born on every marked guelta, even an empty one; if the box is short, as many on each."""
    gueltas = 0
    for field in range(FIELDS):
        gueltas += s.terrain[field] == GUELTA and s.owner[field] != NOBODY
    if gueltas == 0:
        return
    births = min(SPRING_BIRTHS, s.box // gueltas)
    if births == 0:
        return
    for field in range(FIELDS):
        if s.terrain[field] == GUELTA and s.owner[field] != NOBODY:
            emit(s, Events.GAINED, s.owner[field], field, births)
            add_camels(s, field, births)


@rule
def robbers(s: State) -> None:
    """15: whoever holds his own settlement loses all his money."""
    for seat in range(s.seats):
        if holds_home(s, seat) and s.silver[seat] > 0:
            emit(s, Events.ROBBED, seat, s.silver[seat])
            s.silver[seat] = 0


@rule
def strategic(s: State, field: int) -> int:
    """The strategic value of a field. 13: an erg counts more for the rest of the round, in attack and defence (ruling 22)."""
    if s.fate == CLIMATE_CHANGE and s.terrain[field] == ERG:
        return CLIMATE_STRATEGIC
    return STRATEGIC[s.terrain[field]]


@rule
def income(s: State, seat: int) -> int:
    """What a player would be paid now: nothing without his own settlement. 16: mountains count more this round (ruling 21)."""
    if not alive(s, seat) or not holds_home(s, seat):
        return 0
    total = s.economy[seat]
    if s.fate == SILVER_FOUND:
        for field in range(FIELDS):
            if s.owner[field] == seat and s.terrain[field] == MOUNTAIN:
                total += MOUNTAIN_SILVER - ECONOMIC[MOUNTAIN]
    return total
