"""Carrying out actions: what a Targi does on its border card and a tribe marker on its card of the centre.

A player uses own Targis and markers in any order, one after the other, and may leave any unused.
"""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit

from .components import (
    ACTION,
    BORDERS,
    CARAVAN,
    CELLS,
    EXPANSION,
    FIELD_GOODS,
    GOODS_KIND,
    GOODS_PILE,
    MARKERS,
    MIRAGE,
    NOBLE,
    PLACE_GOOD,
    SILVERSMITH,
    TARGIS,
    TRADER,
    TRIBE_PILE,
)
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
from .state import FROM_HAND, FROM_NOBLE, NOTHING, ORIGINS, Events, Moves, Phases, State

# ---------------------------------------------------------------- which actions there are


@rule
def legal_acting(s: State, seat: int, out: Cells) -> int:
    """Every Targi and marker that can do something, the hand card (T38), or to leave it at that."""
    n = 0
    for i in range(TARGIS):
        place = s.targi[seat, i]
        if place >= 0 and is_useful(s, seat, place):
            if ACTION[place] == NOBLE:
                n = legal_noble(s, seat, out, n)
            else:
                out[n] = Moves.USE + place
                n += 1
    for i in range(MARKERS):
        cell = s.marker[seat, i]
        if cell >= 0:
            if s.centre[GOODS_PILE, cell] >= 0:
                out[n] = Moves.USE + BORDERS + cell
                n += 1
            else:
                n = legal_tribe_card(s, seat, s.centre[TRIBE_PILE, cell], cell, out, n)
    if can_play_without_noble(s, seat):
        out[n] = Moves.PLAY + FROM_HAND
        n += 1
    out[n] = Moves.DONE
    return n + 1


@rule
def can_act(s: State, seat: int) -> bool:
    """Whether any action is left that can do something."""
    for i in range(MARKERS):
        if s.marker[seat, i] >= 0:
            return True
    for i in range(TARGIS):
        if s.targi[seat, i] >= 0 and is_useful(s, seat, s.targi[seat, i]):
            return True
    return can_play_without_noble(s, seat)


@rule
def is_useful(s: State, seat: int, place: int) -> bool:
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
def legal_noble(s: State, seat: int, out: Cells, n: int) -> int:
    """The Noble: play the hand card, or discard it."""
    if can_play_hand(s, seat, FROM_NOBLE):
        out[n] = Moves.PLAY + FROM_NOBLE
        n += 1
    out[n] = Moves.DISCARD + FROM_NOBLE
    return n + 1


# ---------------------------------------------------------------- carrying out. Each returns True when the action is complete


@rule
def take_targi(s: State, seat: int, place: int) -> None:
    """A Targi that is used goes back to its player."""
    for i in range(TARGIS):
        if s.targi[seat, i] == place:
            s.targi[seat, i] = NOTHING
    emit(s, Events.USED, seat, place)


@rule
def take_marker(s: State, seat: int, cell: int) -> None:
    """A marker that is used goes back to its player."""
    for i in range(MARKERS):
        if s.marker[seat, i] == cell:
            s.marker[seat, i] = NOTHING
    emit(s, Events.USED, seat, BORDERS + cell)


@rule
def place_of(s: State, action: int) -> int:
    """The border place with an action that is there only once."""
    for place in range(BORDERS):
        if ACTION[place] == action:
            return place
    return 0


@rule
def use(s: State, seat: int, place: int) -> bool:
    """Use a Targi on a border card, or a marker on a goods card."""
    if place >= BORDERS:
        return use_goods_card(s, seat, place - BORDERS)
    take_targi(s, seat, place)
    s.unfinished = 1
    action = ACTION[place]
    if action == TRADER:
        ask(s, seat, Phases.TRADING)
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
def use_goods_card(s: State, seat: int, cell: int) -> bool:
    """Take what a goods card of the centre shows; a tribe card takes its place, face down."""
    card = s.centre[GOODS_PILE, cell]
    take_marker(s, seat, cell)
    s.centre[GOODS_PILE, cell] = NOTHING
    discard(s, GOODS_PILE, card)
    emit(s, Events.TOOK, seat, GOODS_KIND[card], BORDERS + cell)
    cover(s, TRIBE_PILE, cell)
    return collect(s, seat, card)


@rule
def use_tribe_card(s: State, seat: int, move: int) -> bool:
    """Play, keep or discard a tribe card, wherever it comes from."""
    origin = (move - Moves.PLAY) % ORIGINS
    if origin < CELLS:
        take_marker(s, seat, origin)
    elif origin == FROM_NOBLE:
        take_targi(s, seat, place_of(s, NOBLE))
    lift(s, seat, origin)
    if move < Moves.KEEP:
        return start_paying(s, seat)
    if move < Moves.DISCARD:
        keep(s, seat)
    else:
        throw_away(s, seat)
    return True
