"""The four main actions: drawing goods, loading an animal from the camp, loading one from the market, buying a special card."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit, tell

from .components import (
    ALL_GOODS,
    ANIMALS,
    CAVE,
    DINAR,
    DONKEY,
    DRAWN,
    HAND_LIMIT,
    KINDS,
    MAP,
    MOST_CAMELS,
    PRICE,
    SOURCES,
    SPECIALS,
    THIEF,
)
from .rules_animals import fits_anywhere, is_spare, load_on_top, room_for, take_from_top
from .rules_hands import draw_good, show_from_hand, take_into_hand, worth_of_hand
from .state import NOTHING, Events, Moves, Phases, State


@rule
def main_actions(s: State, out: Cells, n: int) -> int:
    """List the main actions open to the seat."""
    seat = s.seat
    if s.deck_size > 0:
        out[n] = Moves.DRAW
        n += 1
    in_hand, fitting = kinds_in(s.hand[seat]), fits_anywhere(s, seat)
    if in_hand & fitting:
        for animal in range(ANIMALS):
            if s.fits[seat, animal] & in_hand and not is_spare(s, seat, animal):
                out[n] = Moves.LOAD + animal
                n += 1
    for good in range(KINDS):
        if s.market[good] > 0 and fitting >> good & 1:
            out[n] = Moves.TAKE + good
            n += 1
    if can_pay(s, seat):
        for special in range(len(SPECIALS)):
            if s.stack[special] > 0:  # ruling 27: none left, none sold
                out[n] = Moves.BUY + special
                n += 1
    return n


@rule
def kinds_in(goods: Cells) -> int:
    """Which kinds there are among some goods, a bit each."""
    kinds = 0
    for good in range(KINDS):
        kinds |= (goods[good] > 0) << good
    return kinds


@rule
def end_action(s: State) -> None:
    """The main action is done; caves and thieves may still be used (ruling 3)."""
    s.acted = 1
    go_on(s)


@rule
def go_on(s: State) -> None:
    """The turn goes on: before its main action, after it, or with goods that are due to the market."""
    phase = Phases.TURN
    if s.acted:
        phase = Phases.GIVE if must_give(s) else Phases.AFTER
    s.unfinished = phase == Phases.GIVE
    ask(s, s.seat, phase)


# ---------------------------------------------------------------- drawing goods from the deck into the camp


@rule
def draw_goods(s: State) -> None:
    """Draw three goods. With fewer left, draw these, and nothing has to go into the market (ruling 24)."""
    seat = s.seat
    number = min(DRAWN, s.deck_size)
    emit(s, Events.DREW, seat, number)
    for _ in range(number):
        good = draw_good(s)
        take_into_hand(s, seat, good)
        tell(s, 1 << seat, Events.DREW_GOOD, seat, good)
    s.drew = 1
    s.owes = number == DRAWN  # ruling 25: with exactly three left the duty holds
    if s.deck_size == 0:
        s.turns_left = s.seats
        emit(s, Events.LAST_ROUND, seat)
    end_action(s)


@rule
def must_give(s: State) -> bool:
    """Whether the seat cannot end its turn yet: a good is due to the market, or the hand is too large (rulings 5 and 6)."""
    return s.owes > 0 or s.hand_size[s.seat] > HAND_LIMIT


@rule
def goods_to_give(s: State, out: Cells, n: int) -> int:
    """List the goods that the seat can lay into the market, after drawing."""
    if s.drew:
        for good in range(KINDS):
            if s.hand[s.seat, good] > 0:
                out[n] = Moves.GIVE + good
                n += 1
    return n


@rule
def give(s: State, good: int) -> None:
    """Lay a good from the hand into the market."""
    show_from_hand(s, s.seat, good)
    s.market[good] += 1
    s.owes = 0
    emit(s, Events.GAVE, s.seat, good)
    go_on(s)


# ---------------------------------------------------------------- loading an animal from the camp


@rule
def begin_load(s: State, animal: int) -> None:
    """Choose the animal to load from the hand."""
    s.animal = animal
    s.unfinished = 1
    ask(s, s.seat, Phases.LOAD)


@rule
def goods_to_put(s: State, out: Cells, n: int) -> int:
    """List the goods in hand that fit onto the animal, and stopping once there is one more on it."""
    for good in range(KINDS):
        if s.hand[s.seat, good] > 0 and s.fits[s.seat, s.animal] >> good & 1:
            out[n] = Moves.PUT + good
            n += 1
    if s.put_on > 0:
        out[n] = Moves.DONE
        n += 1
    return n


@rule
def put(s: State, good: int) -> None:
    """Put a good from the hand on top of the animal's load."""
    show_from_hand(s, s.seat, good)
    load_on_top(s, s.seat, s.animal, good)
    s.put_on += 1
    emit(s, Events.LOADED, s.seat, good, s.animal)


@rule
def end_load(s: State) -> None:
    """The animal is loaded."""
    s.animal = NOTHING
    s.put_on = 0
    end_action(s)


# ---------------------------------------------------------------- loading an animal from the market


@rule
def begin_take(s: State, good: int) -> None:
    """Choose the kind of goods to take from the market: one kind only, and nothing from the hand with it (ruling 8)."""
    s.good = good
    s.unfinished = 1
    ask(s, s.seat, Phases.ONTO)


@rule
def animals_for_market(s: State, out: Cells, n: int) -> int:
    """List the animals that the goods from the market fit onto; donkeys too (ruling 9)."""
    for animal in range(ANIMALS):
        if s.fits[s.seat, animal] >> s.good & 1 and not is_spare(s, s.seat, animal):
            out[n] = Moves.ONTO + animal
            n += 1
    return n


@rule
def choose_animal(s: State, animal: int) -> None:
    """Choose the animal that gets them."""
    s.animal = animal
    ask(s, s.seat, Phases.AMOUNT)


@rule
def amounts_to_take(s: State, out: Cells, n: int) -> int:
    """List how many of these goods can be taken."""
    most = min(s.market[s.good], room_for(s, s.seat, s.animal, s.good))
    for amount in range(1, most + 1):
        out[n] = Moves.AMOUNT + amount - 1
        n += 1
    return n


@rule
def take(s: State, amount: int) -> None:
    """Load so many goods from the market onto the animal."""
    s.market[s.good] -= amount
    for _ in range(amount):
        load_on_top(s, s.seat, s.animal, s.good)
    emit(s, Events.TOOK, s.seat, amount, s.good, s.animal)
    s.good = s.animal = NOTHING
    end_action(s)


# ---------------------------------------------------------------- buying a special card


@rule
def can_pay(s: State, seat: int) -> bool:
    """Whether a seat has goods enough in hand and on its animals. Whoever has can always pay without a needless card."""
    worth = worth_of_hand(s, seat)
    for good in range(KINDS):
        worth += s.carried[seat, good] * DINAR[good]
    return worth >= PRICE


@rule
def begin_buy(s: State, special: int) -> None:
    """Choose the special card to buy."""
    s.special = special
    s.unfinished = 1
    ask(s, s.seat, Phases.PAY)


@rule
def goods_to_pay(s: State, out: Cells, n: int) -> int:
    """List the goods that can be paid next: from the hand, or the free-lying good of an animal, in any order."""
    sources, _ = ways_to_pay(s)
    for source in range(SOURCES):
        if sources >> source & 1:
            out[n] = Moves.PAY + source
            n += 1
    return n


@rule
def ways_to_pay(s: State) -> tuple[int, int]:
    """All ways to end the payment: the sources that take part in any of them, a bit each, and how many ways there are.

    The order of goods makes no other way, so sources are looked at in their order only.
    """
    before, last = s.paid_from[0], s.paid_from[1]
    before_dinar, last_dinar = s.paid_dinar[0], s.paid_dinar[1]
    sources, ways = 0, 0
    for one in range(SOURCES):
        dinar = worth_at(s, one, NOTHING, NOTHING)
        if dinar == 0:
            continue
        if before_dinar + last_dinar + dinar >= PRICE:
            if nothing_is_needless(before, before_dinar, last, last_dinar, one, dinar):
                sources |= 1 << one
                ways += 1
            continue
        for two in range(one, SOURCES):
            more = worth_at(s, two, one, NOTHING)
            if more == 0:
                continue
            if last_dinar + dinar + more >= PRICE:
                if nothing_is_needless(last, last_dinar, one, dinar, two, more):
                    sources |= 1 << one | 1 << two
                    ways += 1
                continue
            for three in range(two, SOURCES):
                most = worth_at(s, three, one, two)
                if most > 0 and nothing_is_needless(one, dinar, two, more, three, most):
                    sources |= 1 << one | 1 << two | 1 << three
                    ways += 1
    return sources, ways


@rule
def worth_at(s: State, source: int, first: int, second: int) -> int:
    """What the next good from a source is worth when one each from `first` and `second` is gone; 0 where there is none."""
    gone = (source == first) + (source == second)
    if source < KINDS:
        return DINAR[source] if s.hand[s.seat, source] > gone else 0
    place = s.height[s.seat, source - KINDS] - gone - 1
    return DINAR[s.load[s.seat, source - KINDS, place]] if place >= 0 else 0


@rule
def nothing_is_needless(first: int, first_dinar: int, second: int, second_dinar: int, last: int, last_dinar: int) -> bool:
    """Whether none of the goods of a payment, the last of them needed, could have been left where it was (ruling 10).

    A good that lay on another one paid from the same animal could not.
    """
    total = first_dinar + second_dinar + last_dinar
    if first != NOTHING and (first < KINDS or (first != second and first != last)) and total - first_dinar >= PRICE:
        return False
    return second == NOTHING or (second >= KINDS and second == last) or total - second_dinar < PRICE


@rule
def pay(s: State, source: int) -> None:
    """Pay a good; with the last one the special card is bought."""
    seat = s.seat
    if source < KINDS:
        good = source
        show_from_hand(s, seat, good)
        emit(s, Events.PAID, seat, good, 0)
    else:
        good = take_from_top(s, seat, source - KINDS)
        emit(s, Events.PAID, seat, good, 1 + source - KINDS)
    s.discard[good] += 1
    if s.paid_dinar[0] + s.paid_dinar[1] + DINAR[good] >= PRICE:
        buy(s)
    else:
        s.paid_from[0], s.paid_dinar[0] = s.paid_from[1], s.paid_dinar[1]
        s.paid_from[1], s.paid_dinar[1] = source, DINAR[good]


@rule
def buy(s: State) -> None:
    """Take the special card. A donkey is not loaded in the same turn: buying was the main action (ruling 4)."""
    seat, special = s.seat, s.special
    s.stack[special] -= 1
    if special == DONKEY:
        s.fits[seat, MOST_CAMELS + s.donkeys[seat]] = ALL_GOODS
        s.donkeys[seat] += 1
    elif special == CAVE:
        s.caves[seat, 0] += 1
    elif special == THIEF:
        s.thieves[seat] += 1
    elif special == MAP:
        s.maps[seat] += 1
    emit(s, Events.BOUGHT, seat, special)
    s.special = NOTHING
    for i in range(2):
        s.paid_from[i] = NOTHING
        s.paid_dinar[i] = 0
    end_action(s)
