"""Gaining goods: from the frame, from goods cards, by choice."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit

from .components import (
    CARD_CHOICE,
    CARD_GIVES,
    COLUMNS,
    CROSSES,
    EFFECT,
    GOODS_KIND,
    GOODS_PER_CARDS,
    GOODS_PER_GAPS,
    IDLE_HARVEST,
    KINDS,
    POWER_HARVEST,
    POWER_IDLE,
    ROWS,
    WINDFALL,
)
from .state import BY_CARDS, BY_GAPS, BY_GOODS_CARD, BY_IDLENESS, NOTHING, Events, Moves, Phases, State


@rule
def goods_of(s: State, seat: int) -> int:
    """How many goods a seat has; gold is none."""
    return s.stock[seat, 0] + s.stock[seat, 1] + s.stock[seat, 2]


@rule
def gain(s: State, seat: int, stuff: int, count: int) -> None:
    """Take so much from the supply, which never runs out."""
    s.stock[seat, stuff] += count
    emit(s, Events.GAINED, seat, stuff, count)


@rule
def gain_from_card(s: State, seat: int, good: int, count: int) -> None:
    """Take goods from a goods card; the first of a kind in a round bring the harvest of tribe cards (T33, T34, T35)."""
    gain(s, seat, good, count)
    if not s.gathered[seat] >> good & 1:
        s.gathered[seat] |= 1 << good
        harvest(s, seat, good, s.power[seat, POWER_HARVEST + good])


@rule
def harvest(s: State, seat: int, good: int, count: int) -> None:
    """What tribe cards add to a good; paid at once (ruling)."""
    if count > 0:
        s.stock[seat, good] += count
        emit(s, Events.HARVESTED, seat, good, count)


@rule
def collect(s: State, seat: int, card: int) -> bool:
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
def choose_goods(s: State, seat: int, count: int, reason: int) -> bool:
    """Ask for so many goods of choice; False where there are none to choose."""
    if count <= 0:
        return False
    s.choices = count
    s.reason = reason
    s.unfinished = 1
    ask(s, seat, Phases.CHOOSING)
    return True


@rule
def legal_choosing(s: State, seat: int, out: Cells) -> int:
    """Any of the three goods."""
    for good in range(KINDS):
        out[good] = Moves.CHOOSE + good
    return KINDS


@rule
def granting_card(s: State, seat: int, reason: int) -> int:
    """The tribe card in a seat's display that gives for this reason."""
    effect = WINDFALL
    if reason == BY_CARDS:
        effect = GOODS_PER_CARDS
    elif reason == BY_IDLENESS:
        effect = IDLE_HARVEST
    elif reason == BY_GAPS:
        effect = GOODS_PER_GAPS
    for row in range(ROWS):
        for column in range(COLUMNS):
            card = s.display[seat, row, column]
            if card >= 0 and EFFECT[card] == effect:
                return card
    return NOTHING


@rule
def grant(s: State, seat: int, stuff: int, reason: int) -> None:
    """Take one thing that a tribe card gives."""
    s.stock[seat, stuff] += 1
    emit(s, Events.GRANTED, seat, stuff, granting_card(s, seat, reason), reason - BY_CARDS)


@rule
def choose_good(s: State, seat: int, good: int) -> bool:
    """Take one good of choice; True when it was the last."""
    if s.reason == BY_GOODS_CARD:
        gain_from_card(s, seat, good, 1)
    else:
        grant(s, seat, good, s.reason + 0)
    s.choices -= 1
    return s.choices == 0


@rule
def idle_harvest(s: State, seat: int) -> bool:
    """T36, at the end of a turn in a round without goods from goods cards: 1 good of choice. Whether the player is asked."""
    return s.gathered[seat] == 0 and choose_goods(s, seat, s.power[seat, POWER_IDLE], BY_IDLENESS)
