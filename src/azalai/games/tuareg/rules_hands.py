"""Goods coming into a hand and leaving it, and what the others can remember of that.

All see which goods become the deck of the second stage, so all know by counting which goods the hands together have kept. What
follows from that later is noted here, so that `secrets.determinize` never guesses what a seat can be certain is not so.
"""

from __future__ import annotations

from azalai.engine.rng import draw
from azalai.engine.rule import rule
from azalai.engine.schema import Cells

from .components import DINAR, KINDS
from .state import State


@rule
def draw_good(s: State) -> int:
    """Turn over the top card of the deck. The deck has no order before: any of its cards is as likely to be on top."""
    good = pick(s.deck, draw(s, s.deck_size))
    s.deck[good] -= 1
    s.deck_size -= 1
    return good


@rule
def pick(goods: Cells, number: int) -> int:
    """The kind of card `number`, when the cards are laid out by kind."""
    for good in range(KINDS - 1):
        if number < goods[good]:
            return good
        number -= goods[good]
    return KINDS - 1


@rule
def take_into_hand(s: State, seat: int, good: int) -> None:
    """A good from the deck comes into a hand."""
    s.hand[seat, good] += 1
    s.hand_size[seat] += 1
    if s.kept_most[seat] > 0:
        s.mixed[seat] = 1


@rule
def show_from_hand(s: State, seat: int, good: int) -> None:
    """A good leaves a hand, and all see it."""
    s.hand[seat, good] -= 1
    s.hand_size[seat] -= 1
    if s.kept_most[seat] > 0:
        if s.mixed[seat]:
            s.shown[seat, good] += 1
        else:
            s.kept[seat, good] -= 1
            s.kept_count[seat] -= 1
            s.kept_goods[good] -= 1
        s.kept_most[seat] = min(s.kept_most[seat], s.hand_size[seat])


@rule
def slip_from_hand(s: State, seat: int, good: int) -> None:
    """A good leaves a hand face down."""
    s.hand[seat, good] -= 1
    s.hand_size[seat] -= 1
    s.kept_most[seat] = min(s.kept_most[seat], s.hand_size[seat])


@rule
def keep_hands(s: State) -> None:
    """At the start of the second stage every hand is what its owner has kept."""
    for seat in range(s.seats):
        for good in range(KINDS):
            s.kept[seat, good] = s.hand[seat, good]
            s.kept_goods[good] += s.hand[seat, good]
        s.kept_count[seat] = s.kept_most[seat] = s.hand_size[seat]


@rule
def worth_of_hand(s: State, seat: int) -> int:
    """What the goods in a hand are worth, in dinar."""
    worth = 0
    for good in range(KINDS):
        worth += s.hand[seat, good] * DINAR[good]
    return worth
