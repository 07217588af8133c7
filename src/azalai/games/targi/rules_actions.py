"""Carrying out actions: what a Targi does on its border card and a tribe marker on its card of the centre.

A player uses own Targis and markers in any order, one after the other, and may leave any unused.
"""

from __future__ import annotations

from typing import Any

from azalai.engine.rule import rule
from azalai.engine.schema import ask, emit

from .rules_cards import (
    can_play_hand,
    can_play_without_noble,
    keep,
    legal_tribe_card,
    lift,
    start_paying,
    throw_away,
)
from .rules_frame import can_sell, can_send, can_trade, expand, meet_caravan, see_mirage, visit_silversmith
from .rules_goods import collect, gain
from .rules_piles import can_draw, cover, discard
from .state import (
    ACTION,
    BORDERS,
    CARAVAN,
    CELLS,
    DISCARD,
    DONE,
    E_TOOK,
    E_USED,
    EXPANSION,
    FIELD_GOODS,
    FROM_HAND,
    FROM_NOBLE,
    GOODS_KIND,
    GOODS_PILE,
    KEEP,
    MARKERS,
    MIRAGE,
    NOBLE,
    NOTHING,
    ORIGINS,
    PLACE_GOOD,
    PLAY,
    SILVERSMITH,
    TARGIS,
    TRADER,
    TRADING,
    TRIBE_PILE,
    USE,
)

# ---------------------------------------------------------------- which actions there are


@rule
def legal_acting(s: Any, seat: Any, out: Any) -> Any:
    """Every Targi and marker that can do something, the hand card (T38), or to leave it at that."""
    n = 0
    for i in range(TARGIS):
        place = s.targi[seat, i]
        if place >= 0 and is_useful(s, seat, place):
            if ACTION[place] == NOBLE:
                n = legal_noble(s, seat, out, n)
            else:
                out[n] = USE + place
                n += 1
    for i in range(MARKERS):
        cell = s.marker[seat, i]
        if cell >= 0:
            if s.centre[GOODS_PILE, cell] >= 0:
                out[n] = USE + BORDERS + cell
                n += 1
            else:
                n = legal_tribe_card(s, seat, s.centre[TRIBE_PILE, cell], cell, out, n)
    if can_play_without_noble(s, seat):
        out[n] = PLAY + FROM_HAND
        n += 1
    out[n] = DONE
    return n + 1


@rule
def can_act(s: Any, seat: Any) -> Any:
    """Whether any action is left that can do something."""
    for i in range(MARKERS):
        if s.marker[seat, i] >= 0:
            return True
    for i in range(TARGIS):
        if s.targi[seat, i] >= 0 and is_useful(s, seat, s.targi[seat, i]):
            return True
    return can_play_without_noble(s, seat)


@rule
def is_useful(s: Any, seat: Any, place: Any) -> Any:
    """Whether a Targi on this border card can do something now."""
    action = ACTION[place]
    if action == FIELD_GOODS:
        return True
    if action == NOBLE:
        return s.hand[seat] != NOTHING
    if action == TRADER:
        return can_trade(s, seat)
    if action == SILVERSMITH:
        return can_sell(s, seat)
    if action == MIRAGE:
        return can_send(s, seat)
    return can_draw(s, GOODS_PILE if action == CARAVAN else TRIBE_PILE)


@rule
def legal_noble(s: Any, seat: Any, out: Any, n: Any) -> Any:
    """The Noble: play the hand card, or discard it."""
    if can_play_hand(s, seat, FROM_NOBLE):
        out[n] = PLAY + FROM_NOBLE
        n += 1
    out[n] = DISCARD + FROM_NOBLE
    return n + 1


# ---------------------------------------------------------------- carrying out. Each returns True when the action is complete


@rule
def take_targi(s: Any, seat: Any, place: Any) -> None:
    """A Targi that is used goes back to its player."""
    for i in range(TARGIS):
        if s.targi[seat, i] == place:
            s.targi[seat, i] = NOTHING
    emit(s, E_USED, seat, place)


@rule
def take_marker(s: Any, seat: Any, cell: Any) -> None:
    """A marker that is used goes back to its player."""
    for i in range(MARKERS):
        if s.marker[seat, i] == cell:
            s.marker[seat, i] = NOTHING
    emit(s, E_USED, seat, BORDERS + cell)


@rule
def place_of(s: Any, action: Any) -> Any:
    """The border place with an action that is there only once."""
    for place in range(BORDERS):
        if ACTION[place] == action:
            return place
    return 0


@rule
def use(s: Any, seat: Any, place: Any) -> Any:
    """Use a Targi on a border card, or a marker on a goods card."""
    if place >= BORDERS:
        return use_goods_card(s, seat, place - BORDERS)
    take_targi(s, seat, place)
    s.unfinished = 1
    action = ACTION[place]
    if action == TRADER:
        ask(s, seat, TRADING)
        return False
    if action == SILVERSMITH:
        return visit_silversmith(s, seat)
    if action == MIRAGE:
        return see_mirage(s, seat)
    if action == CARAVAN:
        return meet_caravan(s, seat, place)
    if action == EXPANSION:
        return expand(s, seat)
    gain(s, seat, PLACE_GOOD[place], 1)
    return True


@rule
def use_goods_card(s: Any, seat: Any, cell: Any) -> Any:
    """Take what a goods card of the centre shows; a tribe card takes its place, face down."""
    card = s.centre[GOODS_PILE, cell]
    take_marker(s, seat, cell)
    s.centre[GOODS_PILE, cell] = NOTHING
    discard(s, GOODS_PILE, card)
    emit(s, E_TOOK, seat, GOODS_KIND[card], BORDERS + cell)
    cover(s, TRIBE_PILE, cell)
    return collect(s, seat, card)


@rule
def use_tribe_card(s: Any, seat: Any, move: Any) -> Any:
    """Play, keep or discard a tribe card, wherever it comes from."""
    origin = (move - PLAY) % ORIGINS
    if origin < CELLS:
        take_marker(s, seat, origin)
    elif origin == FROM_NOBLE:
        take_targi(s, seat, place_of(s, NOBLE))
    lift(s, seat, origin)
    if move < KEEP:
        return start_paying(s, seat)
    if move < DISCARD:
        keep(s, seat)
    else:
        throw_away(s, seat)
    return True
