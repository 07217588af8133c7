"""The border cards that are more than a good: Trader, Silversmith, Mirage, Caravan and Tribal Expansion.

What carries out an action returns True when it is complete, False when the player is asked something.
"""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit, tell

from .components import (
    BORDERS,
    CELLS,
    CROSSES,
    FOR_GOLD,
    FOR_GOOD,
    GOLD,
    GOODS_KIND,
    GOODS_PILE,
    KINDS,
    MARKERS,
    MOST_SOLD,
    OFFERS,
    POWER_EVEN_TRADE,
    TRIBE_PILE,
)
from .rules_cards import BY_THE_RULEBOOK, can_play, keep, legal_tribe_card, throw_away
from .rules_goods import collect
from .rules_piles import discard, draw_card
from .rules_placing import has_card
from .state import FROM_EXPANSION, NOTHING, Events, Moves, Phases, State

# ---------------------------------------------------------------- Trader


@rule
def goods_for_good(s: State, seat: int) -> int:
    """How many identical goods one other good costs; 1 with T39."""
    return 1 if s.power[seat, POWER_EVEN_TRADE] > 0 else FOR_GOOD


@rule
def can_trade(s: State, seat: int) -> bool:
    """Whether the seat has enough of some good."""
    least = min(goods_for_good(s, seat), FOR_GOLD)
    for good in range(KINDS):
        if s.stock[seat, good] >= least:
            return True
    return False


@rule
def may_trade(s: State, seat: int, good: int, other: int) -> bool:
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
def legal_trading(s: State, seat: int, out: Cells) -> int:
    """All exchanges, any number of times; after the first one also to stop."""
    n = 0
    for good in range(KINDS):
        for other in range(GOLD + 1):
            if may_trade(s, seat, good, other):
                out[n] = Moves.TRADE + good * (GOLD + 1) + other
                n += 1
    if s.traded:
        out[n] = Moves.DONE
        n += 1
    return n


@rule
def trade(s: State, seat: int, good: int, other: int) -> bool:
    """One exchange; True when no other is possible."""
    count = FOR_GOLD if other == GOLD else goods_for_good(s, seat)
    s.stock[seat, good] -= count
    s.stock[seat, other] += 1
    emit(s, Events.TRADED, seat, good, count, other)
    s.traded |= 1 << 2 * KINDS
    if other != GOLD and count == 1:
        s.traded |= 1 << other | 1 << KINDS + good
    for given in range(KINDS):
        for got in range(GOLD + 1):
            if may_trade(s, seat, given, got):
                ask(s, seat, Phases.TRADING)
                return False
    return end_trading(s)


@rule
def end_trading(s: State) -> bool:
    """The player leaves the Trader."""
    s.traded = 0
    return True


# ---------------------------------------------------------------- Silversmith


@rule
def may_sell(s: State, seat: int, count: int, stuff: int) -> bool:
    """Whether the Silversmith buys so many, and the seat has them."""
    return OFFERS[stuff, count] > 0 and s.stock[seat, stuff] >= count


@rule
def can_sell(s: State, seat: int) -> bool:
    """Whether the seat has anything the Silversmith buys."""
    for stuff in range(GOLD + 1):
        for count in range(1, MOST_SOLD + 1):
            if may_sell(s, seat, count, stuff):
                return True
    return False


@rule
def legal_selling(s: State, seat: int, out: Cells) -> int:
    """All that the Silversmith would buy."""
    n = 0
    for count in range(1, MOST_SOLD + 1):
        for stuff in range(GOLD + 1):
            if may_sell(s, seat, count, stuff):
                out[n] = Moves.SELL + (count - 1) * (GOLD + 1) + stuff
                n += 1
    return n


@rule
def visit_silversmith(s: State, seat: int) -> bool:
    """Ask what to sell, if there is a choice."""
    n, only_count, only_stuff = 0, 0, 0
    for count in range(1, MOST_SOLD + 1):
        for stuff in range(GOLD + 1):
            if may_sell(s, seat, count, stuff):
                only_count, only_stuff = count, stuff
                n += 1
    if n == 1:
        return sell(s, seat, only_count, only_stuff)
    ask(s, seat, Phases.SELLING)
    return False


@rule
def sell(s: State, seat: int, count: int, stuff: int) -> bool:
    """The one deal with the Silversmith."""
    s.stock[seat, stuff] -= count
    s.stock[seat, CROSSES] += OFFERS[stuff, count]
    emit(s, Events.SOLD, seat, stuff, count, OFFERS[stuff, count])
    return True


# ---------------------------------------------------------------- Mirage


@rule
def is_marked(s: State, cell: int) -> bool:
    """Whether a marker of either player lies on a cell."""
    for i in range(MARKERS):
        if s.marker[0, i] == cell or s.marker[1, i] == cell:
            return True
    return False


@rule
def can_send(s: State, seat: int) -> bool:
    """Whether the seat has a marker left and there is a card it could go to."""
    if s.marker[seat, 0] < 0 and s.marker[seat, 1] < 0:
        return False
    for cell in range(CELLS):
        if has_card(s, cell) and not is_marked(s, cell):
            return True
    return False


@rule
def legal_sending(s: State, seat: int, out: Cells) -> int:
    """Any own marker to any open card without a marker; face-down cards are none (ruling)."""
    n = 0
    for target in range(CELLS):
        if has_card(s, target) and not is_marked(s, target):
            for i in range(MARKERS):
                cell = s.marker[seat, i]
                if cell >= 0:
                    out[n] = Moves.SEND + cell * CELLS + target
                    n += 1
    return n


@rule
def see_mirage(s: State, seat: int) -> bool:
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
    ask(s, seat, Phases.SENDING)
    return False


@rule
def send(s: State, seat: int, cell: int, target: int) -> bool:
    """A marker moves to another card, to be used there."""
    first, second = s.marker[seat, 0], s.marker[seat, 1]
    other = second if first == cell else first
    s.marker[seat, 0] = min(other, target) if other >= 0 else target  # kept in order, like Targis
    s.marker[seat, 1] = max(other, target) if other >= 0 else NOTHING
    emit(s, Events.SENT, seat, BORDERS + cell, BORDERS + target)
    return True


# ---------------------------------------------------------------- Caravan and Tribal Expansion


@rule
def meet_caravan(s: State, seat: int, place: int) -> bool:
    """Turn over the top goods card and take what it shows."""
    card = draw_card(s, GOODS_PILE)
    discard(s, GOODS_PILE, card)
    emit(s, Events.TOOK, seat, GOODS_KIND[card], place)
    return collect(s, seat, card)


@rule
def expand(s: State, seat: int) -> bool:
    """Draw the top tribe card, which only its player sees; ask what to do with it, if there is a choice."""
    s.card = draw_card(s, TRIBE_PILE)
    s.origin = FROM_EXPANSION
    emit(s, Events.DREW, seat)
    tell(s, 1 << seat, Events.DRAWN, s.card, s.card)
    if has_choice(s, seat):
        ask(s, seat, Phases.DRAWN)
        return False
    if s.hand[seat] == NOTHING:
        keep(s, seat)
    else:
        throw_away(s, seat)
    return True


@rule
def has_choice(s: State, seat: int) -> bool:
    """Whether more than one thing can become of the card drawn."""
    may_keep_or_discard = s.hand[seat] == NOTHING and s.options[0] != BY_THE_RULEBOOK
    return may_keep_or_discard or can_play(s, seat, s.card, FROM_EXPANSION)


@rule
def legal_drawn(s: State, seat: int, out: Cells) -> int:
    """Play, keep or discard the card drawn."""
    return legal_tribe_card(s, seat, s.card, FROM_EXPANSION, out, 0)
