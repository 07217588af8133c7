"""Playing a tribe card: what it costs, how it is paid, where it is laid, and what it does at once.

A card is played in steps: the price, what discounts save, what is paid on top, whose gold, the row. The player is asked only
where there is a choice: each step settles what needs no question, and stops at the first that does.
"""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit

from .components import (
    BORDERS,
    CELLS,
    COLUMNS,
    COST,
    COST_GOODS,
    GOLD,
    GOODS_PILE,
    KINDS,
    OR_GOLD,
    POWER_DISCOUNT,
    POWER_HAND_PLAY,
    POWER_NOBLE,
    ROWS,
    SYMBOL,
    TRIBE_PILE,
)
from .rules_effects import laid_out
from .rules_goods import goods_of
from .rules_piles import cover, discard
from .state import FROM_DECK, FROM_EXPANSION, FROM_HAND, FROM_NOBLE, NOTHING, SEEN, Events, Moves, Phases, State

BY_THE_RULEBOOK = 1  # the option tribe_cards

# ---------------------------------------------------------------- what a card costs


@rule
def discount(s: State, seat: int, card: int, origin: int) -> int:
    """Goods that the seat's tribe cards take off the price. Discounts add up (ruling)."""
    saved = s.power[seat, POWER_DISCOUNT + SYMBOL[card]]  # T24 to T28
    if origin == FROM_NOBLE:
        saved += s.power[seat, POWER_NOBLE]  # T30
    return min(saved, COST_GOODS[card])  # gold is never saved


@rule
def surcharge(origin: int) -> int:
    """T38: a hand card played without the Noble costs 1 good more."""
    return 1 if origin == FROM_HAND else 0


@rule
def can_pay_goods(s: State, seat: int, card: int, origin: int) -> bool:
    """Whether the seat can pay the price as printed, less discounts."""
    missing = 0
    for good in range(KINDS):
        missing += max(0, COST[card, good] - s.stock[seat, good])
    saved = discount(s, seat, card, origin)
    if missing > saved or goods_of(s, seat) < COST_GOODS[card] - saved + surcharge(origin):
        return False
    return s.stock[seat, GOLD] + s.stored[seat] >= COST[card, GOLD]


@rule
def can_pay_gold(s: State, seat: int, card: int, origin: int) -> bool:
    """Whether the seat can pay gold in place of the goods (T26, T27)."""
    if OR_GOLD[card] == 0 or goods_of(s, seat) < surcharge(origin):
        return False
    return s.stock[seat, GOLD] + s.stored[seat] >= COST[card, GOLD] + OR_GOLD[card]


@rule
def open_rows(s: State, seat: int) -> int:
    """How many rows of the display have a free place."""
    n = 0
    for row in range(ROWS):
        n += s.length[seat, row] < COLUMNS
    return n


@rule
def can_play(s: State, seat: int, card: int, origin: int) -> bool:
    """Whether the seat could lay out a card now."""
    return (can_pay_goods(s, seat, card, origin) or can_pay_gold(s, seat, card, origin)) and open_rows(s, seat) > 0


@rule
def can_play_hand(s: State, seat: int, origin: int) -> bool:
    """Whether the hand card could be played: only in a later round than the one it was taken in."""
    return s.hand[seat] != NOTHING and s.hand_round[seat] < s.round_no and can_play(s, seat, s.hand[seat], origin)


@rule
def can_play_without_noble(s: State, seat: int) -> bool:
    """T38."""
    return s.power[seat, POWER_HAND_PLAY] > 0 and can_play_hand(s, seat, FROM_HAND)


# ---------------------------------------------------------------- what becomes of a card


@rule
def legal_tribe_card(s: State, seat: int, card: int, origin: int, out: Cells, n: int) -> int:
    """A tribe card got: play it, take it in an empty hand, or discard it (by the rulebook only when the hand is full)."""
    if can_play(s, seat, card, origin):
        out[n] = Moves.PLAY + origin
        n += 1
    if s.hand[seat] == NOTHING:
        out[n] = Moves.KEEP + origin
        n += 1
    if s.hand[seat] != NOTHING or s.options[0] != BY_THE_RULEBOOK:
        out[n] = Moves.DISCARD + origin
        n += 1
    return n


@rule
def lift(s: State, seat: int, origin: int) -> None:
    """Take up the card to be played, kept or discarded. In the centre a goods card takes its place, face down."""
    s.origin = origin
    if origin < CELLS:
        s.card = s.centre[TRIBE_PILE, origin]
        s.centre[TRIBE_PILE, origin] = NOTHING
        cover(s, GOODS_PILE, origin)
    elif origin != FROM_EXPANSION:  # the card drawn is taken up already
        s.card = s.hand[seat]
        s.hand[seat] = NOTHING
        s.hand_round[seat] = 0
        s.hand_secret[seat] = SEEN


@rule
def put_down(s: State) -> None:
    """Forget the card that was dealt with."""
    s.card = NOTHING
    s.origin = 0


@rule
def keep(s: State, seat: int) -> None:
    """Take the lifted card in hand. One from the open centre has been seen by all."""
    s.hand[seat] = s.card
    s.hand_round[seat] = s.round_no
    if s.origin == FROM_EXPANSION:
        s.hand_secret[seat] = FROM_DECK
        emit(s, Events.KEPT_HIDDEN, seat)
    else:
        emit(s, Events.KEPT, seat, s.card, BORDERS + s.origin)
    put_down(s)


@rule
def throw_away(s: State, seat: int) -> None:
    """Put the lifted card on the discard pile."""
    discard(s, TRIBE_PILE, s.card)
    emit(s, Events.DISCARDED, seat, s.card, s.origin)
    put_down(s)


# ---------------------------------------------------------------- paying


@rule
def start_paying(s: State, seat: int) -> bool:
    """Begin to play the lifted card. Like all steps that follow: True when nothing is left to ask."""
    s.unfinished = 1
    with_goods = can_pay_goods(s, seat, s.card, s.origin)
    if with_goods and can_pay_gold(s, seat, s.card, s.origin):
        ask(s, seat, Phases.PRICING)
        return False
    return fix_price(s, seat, not with_goods)


@rule
def legal_pricing(s: State, seat: int, out: Cells) -> int:
    """Goods, or gold in their place."""
    out[0] = Moves.PRICE
    out[1] = Moves.PRICE + 1
    return 2


@rule
def fix_price(s: State, seat: int, with_gold: bool) -> bool:
    """Note what has to be paid."""
    s.owed[GOLD] = COST[s.card, GOLD]
    if with_gold:
        s.owed[GOLD] += OR_GOLD[s.card]
    else:
        for good in range(KINDS):
            s.owed[good] = COST[s.card, good]
        s.savings = discount(s, seat, s.card, s.origin)
    s.extra = surcharge(s.origin)
    return go_on_paying(s, seat)


@rule
def go_on_paying(s: State, seat: int) -> bool:
    """Settle what leaves no choice, ask for what does, and pay when all is clear."""
    while s.savings > 0:
        if not settle_saving(s, seat):
            ask(s, seat, Phases.SAVING)
            return False
    while s.extra > 0:
        if not settle_extra(s, seat):
            ask(s, seat, Phases.ADDING)
            return False
    while s.coins < s.owed[GOLD] and s.stored[seat] > s.coins:
        if s.stock[seat, GOLD] >= s.owed[GOLD] - s.coins:
            ask(s, seat, Phases.PAYING)
            return False
        s.coins += 1
    pay(s, seat)
    return choose_row(s, seat)


@rule
def missing_goods(s: State, seat: int) -> int:
    """How many of the goods still owed the seat does not have."""
    missing = 0
    for good in range(KINDS):
        missing += max(0, s.owed[good] - s.stock[seat, good])
    return missing


@rule
def can_save(s: State, seat: int, good: int) -> bool:
    """Whether a discount may be taken off this good: the rest must still be payable."""
    if s.owed[good] == 0:
        return False
    return missing_goods(s, seat) < s.savings or s.owed[good] > s.stock[seat, good]


@rule
def legal_saving(s: State, seat: int, out: Cells) -> int:
    """Which good a discount may be taken off."""
    n = 0
    for good in range(KINDS):
        if can_save(s, seat, good):
            out[n] = Moves.SAVE + good
            n += 1
    return n


@rule
def settle_saving(s: State, seat: int) -> bool:
    """Take one discount off if that leaves no choice: for one good, for all that is owed, or for all that is missing."""
    only, n, owed = 0, 0, 0
    for good in range(KINDS):
        owed += s.owed[good]
        if can_save(s, seat, good):
            only = good
            n += 1
    if n > 1 and owed > s.savings > missing_goods(s, seat):
        return False
    save(s, only)
    return True


@rule
def save(s: State, good: int) -> None:
    """Pay one of this good less."""
    s.owed[good] -= 1
    s.savings -= 1


@rule
def legal_adding(s: State, seat: int, out: Cells) -> int:
    """Which good may be paid on top: one that is not needed for the price itself."""
    n = 0
    for good in range(KINDS):
        if s.stock[seat, good] > s.owed[good]:
            out[n] = Moves.ADD + good
            n += 1
    return n


@rule
def settle_extra(s: State, seat: int) -> bool:
    """Add the good on top if only one kind is left for it."""
    only, n = 0, 0
    for good in range(KINDS):
        if s.stock[seat, good] > s.owed[good]:
            only = good
            n += 1
    if n > 1:
        return False
    add_extra(s, only)
    return True


@rule
def add_extra(s: State, good: int) -> None:
    """Pay one of this good more."""
    s.owed[good] += 1
    s.extra -= 1


@rule
def legal_paying(s: State, seat: int, out: Cells) -> int:
    """Gold of one's own, or from a tribe card (T40)."""
    out[0] = Moves.COIN
    out[1] = Moves.COIN + 1
    return 2


@rule
def pay_coin(s: State, seat: int, stored: bool) -> None:
    """Choose where one gold of the price comes from."""
    if stored:
        s.coins += 1
    else:
        s.owed[GOLD] -= 1
        s.stock[seat, GOLD] -= 1
        emit(s, Events.PAID, seat, GOLD, 1)


@rule
def pay(s: State, seat: int) -> None:
    """Put the price back into the supply."""
    s.owed[GOLD] -= s.coins
    if s.coins > 0:
        s.stored[seat] -= s.coins
        emit(s, Events.PAID_STORED, seat, s.coins)
        s.coins = 0
    for stuff in range(GOLD + 1):
        if s.owed[stuff] > 0:
            s.stock[seat, stuff] -= s.owed[stuff]
            emit(s, Events.PAID, seat, stuff, s.owed[stuff])
            s.owed[stuff] = 0


# ---------------------------------------------------------------- laying out


@rule
def choose_row(s: State, seat: int) -> bool:
    """Ask for the row, unless only one has a free place."""
    if open_rows(s, seat) > 1:
        ask(s, seat, Phases.LAYING)
        return False
    for row in range(ROWS):
        if s.length[seat, row] < COLUMNS:
            return lay_out(s, seat, row)
    return True


@rule
def legal_laying(s: State, seat: int, out: Cells) -> int:
    """Any row with a free place; it need not be begun or finished before another."""
    n = 0
    for row in range(ROWS):
        if s.length[seat, row] < COLUMNS:
            out[n] = Moves.ROW + row
            n += 1
    return n


@rule
def lay_out(s: State, seat: int, row: int) -> bool:
    """Lay the card into the leftmost free place of a row; its effect holds at once."""
    card, column = s.card, s.length[seat, row]
    s.display[seat, row, column] = card
    s.length[seat, row] += 1
    emit(s, Events.LAID, seat, card, row * COLUMNS + column, s.origin)
    put_down(s)
    return laid_out(s, seat, card)
