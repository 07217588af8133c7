"""Gaining goods: from the frame, from goods cards, by choice."""

from __future__ import annotations

from typing import Any

from azalai.engine.rule import rule
from azalai.engine.schema import ask, emit

from .state import (
    BY_GOODS_CARD,
    BY_IDLENESS,
    CARD_CHOICE,
    CARD_GIVES,
    CHOOSE,
    CHOOSING,
    CROSSES,
    E_GAINED,
    E_HARVESTED,
    GOODS_KIND,
    KINDS,
    POWER_HARVEST,
    POWER_IDLE,
)


@rule
def goods_of(s: Any, seat: Any) -> Any:
    """How many goods a seat has; gold is none."""
    return s.stock[seat, 0] + s.stock[seat, 1] + s.stock[seat, 2]


@rule
def gain(s: Any, seat: Any, stuff: Any, count: Any) -> None:
    """Take so much from the supply, which never runs out."""
    s.stock[seat, stuff] += count
    emit(s, E_GAINED, seat, stuff, count)


@rule
def gain_from_card(s: Any, seat: Any, good: Any, count: Any) -> None:
    """Take goods from a goods card; the first of a kind in a round bring the harvest of tribe cards (T33, T34, T35)."""
    gain(s, seat, good, count)
    if not s.gathered[seat] >> good & 1:
        s.gathered[seat] |= 1 << good
        harvest(s, seat, good, s.power[seat, POWER_HARVEST + good])


@rule
def harvest(s: Any, seat: Any, good: Any, count: Any) -> None:
    """What tribe cards add to a good; paid at once (ruling)."""
    if count > 0:
        s.stock[seat, good] += count
        emit(s, E_HARVESTED, seat, good, count)


@rule
def collect(s: Any, seat: Any, card: Any) -> Any:
    """Take what a goods card shows. True when that is all; otherwise the player is asked to choose."""
    kind = GOODS_KIND[card]
    for good in range(KINDS):
        if CARD_GIVES[kind, good] > 0:
            gain_from_card(s, seat, good, CARD_GIVES[kind, good])
    for stuff in range(KINDS, CROSSES + 1):
        if CARD_GIVES[kind, stuff] > 0:
            gain(s, seat, stuff, CARD_GIVES[kind, stuff])
    return not choose_goods(s, seat, CARD_CHOICE[kind], BY_GOODS_CARD)


@rule
def choose_goods(s: Any, seat: Any, count: Any, reason: Any) -> Any:
    """Ask for so many goods of choice; False where there are none to choose."""
    if count <= 0:
        return False
    s.choices = count
    s.reason = reason
    s.unfinished = 1
    ask(s, seat, CHOOSING)
    return True


@rule
def legal_choosing(s: Any, seat: Any, out: Any) -> Any:
    """Any of the three goods."""
    for good in range(KINDS):
        out[good] = CHOOSE + good
    return KINDS


@rule
def choose_good(s: Any, seat: Any, good: Any) -> Any:
    """Take one good of choice; True when it was the last."""
    if s.reason == BY_GOODS_CARD:
        gain_from_card(s, seat, good, 1)
    else:
        gain(s, seat, good, 1)
    s.choices -= 1
    return s.choices == 0


@rule
def idle_harvest(s: Any, seat: Any) -> Any:
    """T36, at the end of a turn in a round without goods from goods cards: 1 good of choice. Whether the player is asked."""
    return s.gathered[seat] == 0 and choose_goods(s, seat, s.power[seat, POWER_IDLE], BY_IDLENESS)
