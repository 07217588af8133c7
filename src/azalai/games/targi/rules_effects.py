"""What tribe cards do when they are laid out: lasting effects begin, those that come once take place.

What a lasting effect changes stands where it is used: discounts with the price, protection with the raid, and so on. Effects
at the end of the game stand with the scoring.
"""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit

from .components import (
    ARGUMENT,
    COLUMNS,
    CROSSES,
    DISPLAY,
    EFFECT,
    FEWER_TARGIS,
    GOLD,
    GOODS_PER_CARDS,
    GOODS_PER_GAPS,
    HARVEST,
    POWER,
    REARRANGE,
    ROWS,
    STORED_GOLD,
    WINDFALL,
)
from .rules_goods import choose_goods, grant, harvest
from .state import BY_CARDS, BY_GAPS, BY_WINDFALL, NOTHING, Events, Moves, Phases, State


@rule
def laid_out(s: State, seat: int, card: int) -> bool:
    """The effect of a card begins. True when nothing is left to ask."""
    effect, argument = EFFECT[card], ARGUMENT[card]
    if POWER[card] >= 0:
        s.power[seat, POWER[card]] += 1
    if effect == HARVEST:
        begin_harvest(s, seat, argument)
    elif effect == STORED_GOLD:
        store_gold(s, seat, argument)
    elif effect == FEWER_TARGIS:
        hobble(s, 1 - seat, argument)
    elif effect == GOODS_PER_CARDS:
        return not goods_per_cards(s, seat, argument)
    elif effect == GOODS_PER_GAPS:
        return not goods_per_gaps(s, seat, argument)
    elif effect == WINDFALL:
        return offer_prizes(s, seat, argument)
    elif effect == REARRANGE:
        return begin_moving(s, seat)
    return True


@rule
def cards_of(s: State, seat: int) -> int:
    """How many cards lie in a seat's display."""
    return s.length[seat, 0] + s.length[seat, 1] + s.length[seat, 2]


@rule
def begin_harvest(s: State, seat: int, good: int) -> None:
    """T33, T34, T35 hold in the round they are played, too: also for what a goods card gave before."""
    if s.gathered[seat] >> good & 1:
        harvest(s, seat, good, 1)


@rule
def store_gold(s: State, seat: int, count: int) -> None:
    """T40: gold lies on the card, outside the limit, to be spent on a later card."""
    s.stored[seat] += count
    emit(s, Events.STORED, seat, count)


@rule
def hobble(s: State, seat: int, count: int) -> None:
    """T44: fewer Targis for the opponent in the next round."""
    s.hobbled[seat] += count
    emit(s, Events.HOBBLED, seat)


@rule
def goods_per_cards(s: State, seat: int, each: int) -> bool:
    """T37: a good of choice for every so many cards in the display, this one counted. Whether the player is asked."""
    return choose_goods(s, seat, cards_of(s, seat) // each, BY_CARDS)


@rule
def goods_per_gaps(s: State, seat: int, each: int) -> bool:
    """T42: a good of choice for every so many empty places, this one no longer counted. Whether the player is asked."""
    return choose_goods(s, seat, (DISPLAY - cards_of(s, seat)) // each, BY_GAPS)


# ---------------------------------------------------------------- T41: goods, gold or a cross


@rule
def offer_prizes(s: State, seat: int, goods: int) -> bool:
    """Ask which it shall be."""
    s.choices = goods
    ask(s, seat, Phases.PRIZE)
    return False


@rule
def legal_prizes(s: State, seat: int, out: Cells) -> int:
    """All three."""
    for prize in range(3):
        out[prize] = Moves.PRIZE + prize
    return 3


@rule
def take_prize(s: State, seat: int, prize: int) -> bool:
    """Take the gold or the cross, or go on to choose the goods."""
    goods = s.choices
    s.choices = 0
    if prize == 0:
        return not choose_goods(s, seat, goods, BY_WINDFALL)
    grant(s, seat, GOLD if prize == 1 else CROSSES, BY_WINDFALL)
    return True


# ---------------------------------------------------------------- T43: up to two cards change their places, and no gap may arise
#
# Either two cards swap. Or a card goes to the end of a row. If that leaves a gap, the last card of some row must fill it or,
# if it is the only one behind the gap, go to the end of another row. If it leaves none, the last card of some row may follow.


@rule
def begin_moving(s: State, seat: int) -> bool:
    """Ask for the first card to move."""
    ask(s, seat, Phases.MOVING)
    return False


@rule
def last_slot(s: State, seat: int, row: int) -> int:
    """The place of the last card in a row, or -1. In a row with a gap the cards reach one place further."""
    gap = 1 if s.hole >= 0 and s.hole // COLUMNS == row else 0
    return row * COLUMNS + s.length[seat, row] - 1 + gap if s.length[seat, row] > 0 else -1


@rule
def legal_moving(s: State, seat: int, out: Cells) -> int:
    """The moves of one card that can lead to a display without gaps."""
    if s.moved >= 0:
        n = legal_second(s, seat, out)
        if s.hole >= 0:
            return n
    else:
        n = legal_ends(s, seat, out, legal_swaps(s, seat, out))
    out[n] = Moves.DONE
    return n + 1


@rule
def legal_swaps(s: State, seat: int, out: Cells) -> int:
    """Any two cards, written from the earlier place to the later one."""
    n = 0
    for slot in range(DISPLAY):
        if s.display[seat, slot // COLUMNS, slot % COLUMNS] >= 0:
            for other in range(slot + 1, DISPLAY):
                if s.display[seat, other // COLUMNS, other % COLUMNS] >= 0:
                    out[n] = Moves.SHIFT + slot * DISPLAY + other
                    n += 1
    return n


@rule
def legal_ends(s: State, seat: int, out: Cells, n: int) -> int:
    """Any card to the end of a row; to that of its own row only if another row has a card to fill the gap."""
    for slot in range(DISPLAY):
        row = slot // COLUMNS
        if s.display[seat, row, slot % COLUMNS] >= 0:
            for target in range(ROWS):
                fillable = target != row or cards_of(s, seat) > s.length[seat, row]
                if s.length[seat, target] < COLUMNS and fillable:
                    out[n] = Moves.SHIFT + slot * DISPLAY + target * COLUMNS + s.length[seat, target]
                    n += 1
    return n


@rule
def may_fill(s: State, seat: int, row: int) -> bool:
    """Whether the last card of a row could be the second to move, into the gap or to an end."""
    slot = last_slot(s, seat, row)
    return slot >= 0 and slot != s.moved


@rule
def may_follow(s: State, seat: int, row: int, target: int) -> bool:
    """Whether the last card of a row could be the second to move, to the end of row `target`, with no gap left then."""
    if not may_fill(s, seat, row) or target == row or s.length[seat, target] == COLUMNS:
        return False
    return s.hole < 0 or last_slot(s, seat, row) == s.hole + 1


@rule
def legal_second(s: State, seat: int, out: Cells) -> int:
    """What the second card may do."""
    n = 0
    for row in range(ROWS):
        slot = last_slot(s, seat, row)
        if s.hole >= 0 and may_fill(s, seat, row):
            out[n] = Moves.SHIFT + slot * DISPLAY + s.hole
            n += 1
        for target in range(ROWS):
            if may_follow(s, seat, row, target):
                out[n] = Moves.SHIFT + slot * DISPLAY + target * COLUMNS + s.length[seat, target]
                n += 1
    return n


@rule
def move_card(s: State, seat: int, slot: int, target: int) -> bool:
    """Move one card, or swap two. True when no other can follow."""
    if s.display[seat, target // COLUMNS, target % COLUMNS] != NOTHING:
        swap_cards(s, seat, slot, target)
        return end_moving(s)
    gap = slot != last_slot(s, seat, slot // COLUMNS) or slot // COLUMNS == target // COLUMNS
    shift_card(s, seat, slot, target)
    if s.moved >= 0:
        return end_moving(s)
    s.moved = target
    if gap:
        s.hole = slot
    return second_card(s, seat)


@rule
def second_card(s: State, seat: int) -> bool:
    """Ask for the second card, unless there is none, or only one thing it can do and must."""
    n, filler = 0, -1
    for row in range(ROWS):
        if s.hole >= 0 and may_fill(s, seat, row):
            filler = last_slot(s, seat, row)
            n += 1
        for target in range(ROWS):
            n += may_follow(s, seat, row, target)
    if n == 0:
        return end_moving(s)
    if n == 1 and s.hole >= 0:
        shift_card(s, seat, filler, s.hole)
        return end_moving(s)
    ask(s, seat, Phases.MOVING)
    return False


@rule
def shift_card(s: State, seat: int, slot: int, target: int) -> None:
    """Lay a card on an empty place."""
    card = s.display[seat, slot // COLUMNS, slot % COLUMNS]
    s.display[seat, slot // COLUMNS, slot % COLUMNS] = NOTHING
    s.display[seat, target // COLUMNS, target % COLUMNS] = card
    s.length[seat, slot // COLUMNS] -= 1
    s.length[seat, target // COLUMNS] += 1
    emit(s, Events.SHIFTED, seat, card, slot, target)


@rule
def swap_cards(s: State, seat: int, slot: int, target: int) -> None:
    """Let two cards change places."""
    card, other = s.display[seat, slot // COLUMNS, slot % COLUMNS], s.display[seat, target // COLUMNS, target % COLUMNS]
    s.display[seat, slot // COLUMNS, slot % COLUMNS] = other
    s.display[seat, target // COLUMNS, target % COLUMNS] = card
    emit(s, Events.SHIFTED, seat, card, slot, target)
    emit(s, Events.SHIFTED, seat, other, target, slot)


@rule
def end_moving(s: State) -> bool:
    """No more cards are moved."""
    s.hole = NOTHING
    s.moved = NOTHING
    return True
