"""The two decks: drawing, laying face down, turning up, shuffling the discards.

No deck has an order in the record. A card that nobody has seen is any of the cards in `deck`, and chance decides which one
when it comes to light; so there is nothing to hide. Cards that lay face down while their deck was shuffled anew cannot be among
the shuffled ones: they are any of the cards in `aside`.
"""

from __future__ import annotations

from azalai.engine.rng import below
from azalai.engine.rule import rule
from azalai.engine.schema import emit

from .components import BORDERS, CELLS, GOODS_KIND, GOODS_PILE, TRIBE_PILE
from .state import FACE_DOWN, FROM_ASIDE, FROM_DECK, NOTHING, SET_ASIDE, Events, State


@rule
def count_bits(x: int) -> int:
    """How many cards are in a set."""
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x = x + (x >> 8)
    x = x + (x >> 16)
    return (x + (x >> 32)) & 0x7F


@rule
def any_card(s: State, cards: int) -> int:
    """A card out of a set, all equally likely."""
    for _ in range(below(s, count_bits(cards))):
        cards &= cards - 1
    return count_bits((cards & -cards) - 1)


@rule
def can_draw(s: State, pile: int) -> bool:
    """Whether a card is left to draw, be it after shuffling the discards."""
    return s.left[pile] > 0 or s.discard[pile] != 0


@rule
def shuffle_if_empty(s: State, pile: int) -> None:
    """Make the discards the new draw pile when the old one is used up."""
    if s.left[pile] > 0 or s.discard[pile] == 0:
        return
    s.aside[pile] |= s.deck[pile]  # what is left lies face down in the centre
    for cell in range(CELLS):
        if s.centre[pile, cell] == FACE_DOWN:
            s.centre[pile, cell] = SET_ASIDE
    if pile == TRIBE_PILE:
        for seat in range(2):
            if s.hand_secret[seat] == FROM_DECK:
                s.hand_secret[seat] = FROM_ASIDE
    s.deck[pile] = s.discard[pile]
    s.discard[pile] = 0
    s.left[pile] = count_bits(s.deck[pile])
    emit(s, Events.SHUFFLED, pile)


@rule
def draw_card(s: State, pile: int) -> int:
    """The top card of a draw pile, which must not be empty."""
    shuffle_if_empty(s, pile)
    card = any_card(s, s.deck[pile])
    s.revealed = 1
    s.deck[pile] &= ~(1 << card)
    s.left[pile] -= 1
    return card


@rule
def discard(s: State, pile: int, card: int) -> None:
    """Put a card on its discard pile."""
    s.discard[pile] |= 1 << card


@rule
def cover(s: State, pile: int, cell: int) -> None:
    """Lay a card face down on a cell that has become free. With no card left anywhere it stays free (ruling)."""
    shuffle_if_empty(s, pile)
    if s.left[pile] == 0:
        emit(s, Events.BARE, BORDERS + cell)
        return
    s.centre[pile, cell] = FACE_DOWN
    s.left[pile] -= 1
    emit(s, Events.COVERED, BORDERS + cell, pile)


@rule
def turn_up(s: State) -> None:
    """Turn over all cards that were laid face down during the round."""
    for cell in range(CELLS):
        for pile in range(2):
            if s.centre[pile, cell] < NOTHING:
                if s.centre[pile, cell] == FACE_DOWN:
                    card = any_card(s, s.deck[pile])
                    s.deck[pile] &= ~(1 << card)
                else:
                    card = any_card(s, s.aside[pile])
                    s.aside[pile] &= ~(1 << card)
                s.centre[pile, cell] = card
                s.revealed = 1
                if pile == GOODS_PILE:
                    emit(s, Events.TURNED_GOODS, BORDERS + cell, GOODS_KIND[card])
                else:
                    emit(s, Events.TURNED_TRIBE, BORDERS + cell, card, card)
