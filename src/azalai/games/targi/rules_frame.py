"""The border cards that are more than a good: Trader, Silversmith, Mirage, Caravan and Tribal Expansion.

What carries out an action returns True when it is complete, False when the player is asked something.
"""

from __future__ import annotations

from typing import Any

from azalai.engine.rule import rule
from azalai.engine.schema import ask, emit, tell

from .rules_cards import BY_THE_RULEBOOK, can_play, keep, legal_tribe_card, throw_away
from .rules_goods import collect
from .rules_piles import discard, draw_card
from .rules_placing import has_card
from .state import (
    BORDERS,
    CELLS,
    CROSSES,
    DONE,
    DRAWN,
    E_DRAWN,
    E_DREW,
    E_SENT,
    E_SOLD,
    E_TOOK,
    E_TRADED,
    FOR_GOLD,
    FOR_GOOD,
    FROM_EXPANSION,
    GOLD,
    GOODS_KIND,
    GOODS_PILE,
    KINDS,
    MARKERS,
    MOST_SOLD,
    NOTHING,
    OFFERS,
    POWER_EVEN_TRADE,
    SELL,
    SELLING,
    SEND,
    SENDING,
    TRADE,
    TRADING,
    TRIBE_PILE,
)

# ---------------------------------------------------------------- Trader


@rule
def goods_for_good(s: Any, seat: Any) -> Any:
    """How many identical goods one other good costs; 1 with T39."""
    return 1 if s.power[seat, POWER_EVEN_TRADE] > 0 else FOR_GOOD


@rule
def can_trade(s: Any, seat: Any) -> Any:
    """Whether the seat has enough of some good."""
    least = min(goods_for_good(s, seat), FOR_GOLD)
    for good in range(KINDS):
        if s.stock[seat, good] >= least:
            return True
    return False


@rule
def may_trade(s: Any, seat: Any, good: Any, other: Any) -> Any:
    """Whether so much of `good` is there as `other` costs.

    One for one, goods could go to and fro for ever: what was got that way in this action is not given that way again, and
    what was given is not got. Every result can still be reached.
    """
    if other == GOLD:
        return s.stock[seat, good] >= FOR_GOLD
    count = goods_for_good(s, seat)
    if count == 1 and (s.traded >> good & 1 or s.traded >> KINDS + other & 1):
        return False
    return good != other and s.stock[seat, good] >= count


@rule
def legal_trading(s: Any, seat: Any, out: Any) -> Any:
    """All exchanges, any number of times; after the first one also to stop."""
    n = 0
    for good in range(KINDS):
        for other in range(GOLD + 1):
            if may_trade(s, seat, good, other):
                out[n] = TRADE + good * (GOLD + 1) + other
                n += 1
    if s.traded:
        out[n] = DONE
        n += 1
    return n


@rule
def trade(s: Any, seat: Any, good: Any, other: Any) -> Any:
    """One exchange; True when no other is possible."""
    count = FOR_GOLD if other == GOLD else goods_for_good(s, seat)
    s.stock[seat, good] -= count
    s.stock[seat, other] += 1
    emit(s, E_TRADED, seat, good, count, other)
    s.traded |= 1 << 2 * KINDS
    if other != GOLD and count == 1:
        s.traded |= 1 << other | 1 << KINDS + good
    for given in range(KINDS):
        for got in range(GOLD + 1):
            if may_trade(s, seat, given, got):
                ask(s, seat, TRADING)
                return False
    return end_trading(s)


@rule
def end_trading(s: Any) -> Any:
    """The player leaves the Trader."""
    s.traded = 0
    return True


# ---------------------------------------------------------------- Silversmith


@rule
def may_sell(s: Any, seat: Any, count: Any, stuff: Any) -> Any:
    """Whether the Silversmith buys so many, and the seat has them."""
    return OFFERS[stuff, count] > 0 and s.stock[seat, stuff] >= count


@rule
def can_sell(s: Any, seat: Any) -> Any:
    """Whether the seat has anything the Silversmith buys."""
    for stuff in range(GOLD + 1):
        for count in range(1, MOST_SOLD + 1):
            if may_sell(s, seat, count, stuff):
                return True
    return False


@rule
def legal_selling(s: Any, seat: Any, out: Any) -> Any:
    """All that the Silversmith would buy."""
    n = 0
    for count in range(1, MOST_SOLD + 1):
        for stuff in range(GOLD + 1):
            if may_sell(s, seat, count, stuff):
                out[n] = SELL + (count - 1) * (GOLD + 1) + stuff
                n += 1
    return n


@rule
def visit_silversmith(s: Any, seat: Any) -> Any:
    """Ask what to sell, if there is a choice."""
    n, only_count, only_stuff = 0, 0, 0
    for count in range(1, MOST_SOLD + 1):
        for stuff in range(GOLD + 1):
            if may_sell(s, seat, count, stuff):
                only_count, only_stuff = count, stuff
                n += 1
    if n == 1:
        return sell(s, seat, only_count, only_stuff)
    ask(s, seat, SELLING)
    return False


@rule
def sell(s: Any, seat: Any, count: Any, stuff: Any) -> Any:
    """The one deal with the Silversmith."""
    s.stock[seat, stuff] -= count
    s.stock[seat, CROSSES] += OFFERS[stuff, count]
    emit(s, E_SOLD, seat, stuff, count, OFFERS[stuff, count])
    return True


# ---------------------------------------------------------------- Mirage


@rule
def is_marked(s: Any, cell: Any) -> Any:
    """Whether a marker of either player lies on a cell."""
    for i in range(MARKERS):
        if s.marker[0, i] == cell or s.marker[1, i] == cell:
            return True
    return False


@rule
def can_send(s: Any, seat: Any) -> Any:
    """Whether the seat has a marker left and there is a card it could go to."""
    if s.marker[seat, 0] < 0 and s.marker[seat, 1] < 0:
        return False
    for cell in range(CELLS):
        if has_card(s, cell) and not is_marked(s, cell):
            return True
    return False


@rule
def legal_sending(s: Any, seat: Any, out: Any) -> Any:
    """Any own marker to any open card without a marker; face-down cards are none (ruling)."""
    n = 0
    for target in range(CELLS):
        if has_card(s, target) and not is_marked(s, target):
            for i in range(MARKERS):
                cell = s.marker[seat, i]
                if cell >= 0:
                    out[n] = SEND + cell * CELLS + target
                    n += 1
    return n


@rule
def see_mirage(s: Any, seat: Any) -> Any:
    """Ask which marker goes where, if there is a choice."""
    n, only, only_target = 0, 0, 0
    for target in range(CELLS):
        if has_card(s, target) and not is_marked(s, target):
            for i in range(MARKERS):
                if s.marker[seat, i] >= 0:
                    only, only_target = s.marker[seat, i], target
                    n += 1
    if n == 1:
        return send(s, seat, only, only_target)
    ask(s, seat, SENDING)
    return False


@rule
def send(s: Any, seat: Any, cell: Any, target: Any) -> Any:
    """A marker moves to another card, to be used there."""
    first, second = s.marker[seat, 0], s.marker[seat, 1]
    other = second if first == cell else first
    s.marker[seat, 0] = min(other, target) if other >= 0 else target  # kept in order, like Targis
    s.marker[seat, 1] = max(other, target) if other >= 0 else NOTHING
    emit(s, E_SENT, seat, BORDERS + cell, BORDERS + target)
    return True


# ---------------------------------------------------------------- Caravan and Tribal Expansion


@rule
def meet_caravan(s: Any, seat: Any, place: Any) -> Any:
    """Turn over the top goods card and take what it shows."""
    card = draw_card(s, GOODS_PILE)
    discard(s, GOODS_PILE, card)
    emit(s, E_TOOK, seat, GOODS_KIND[card], place)
    return collect(s, seat, card)


@rule
def expand(s: Any, seat: Any) -> Any:
    """Draw the top tribe card, which only its player sees; ask what to do with it, if there is a choice."""
    s.card = draw_card(s, TRIBE_PILE)
    s.origin = FROM_EXPANSION
    emit(s, E_DREW, seat)
    tell(s, 1 << seat, E_DRAWN, s.card, s.card)
    playable, empty = can_play(s, seat, s.card, FROM_EXPANSION), s.hand[seat] == NOTHING
    if playable or (empty and s.options[0] != BY_THE_RULEBOOK):
        ask(s, seat, DRAWN)
        return False
    if empty:
        keep(s, seat)
    else:
        throw_away(s, seat)
    return True


@rule
def legal_drawn(s: Any, seat: Any, out: Any) -> Any:
    """Play, keep or discard the card drawn."""
    return legal_tribe_card(s, seat, s.card, FROM_EXPANSION, out, 0)
