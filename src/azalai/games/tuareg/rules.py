"""The rules of Tuareg: preparation, what a seat may decide, what a decision does."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, emit

from .components import COPIES, KINDS, MARKET_START, SPECIALS, STACKS
from .rules_actions import (
    amounts_to_take,
    animals_for_market,
    begin_buy,
    begin_load,
    begin_take,
    choose_animal,
    draw_goods,
    end_load,
    give,
    goods_to_give,
    goods_to_pay,
    goods_to_put,
    main_actions,
    pay,
    put,
    take,
    ways_to_pay,
)
from .rules_hands import draw_good
from .rules_specials import begin_hide, begin_rob, free_uses, goods_to_hide, hide_good, places_to_rob, steal
from .rules_stage import begin_turn, clear_loot, end_turn, unload
from .state import NOBODY, NOTHING, Events, Moves, Phases, State


@rule
def setup(s: State) -> None:
    """All goods into the deck, two of them open into the market, special cards by the number of players. Hands are empty."""
    s.stage = 1
    for good in range(KINDS):
        s.deck[good] = COPIES[good]
        s.deck_size += COPIES[good]
    for special in range(len(SPECIALS)):
        s.stack[special] = STACKS[s.seats, special]
    for seat in range(len(s.hand_size)):
        unload(s, seat)
    clear_loot(s)
    s.animal = s.good = s.special = s.cave = NOTHING
    s.victim = NOBODY
    for i in range(2):
        s.paid_from[i] = NOTHING
    for _ in range(MARKET_START):
        good = draw_good(s)
        s.market[good] += 1
        emit(s, Events.MARKET, good)
    begin_turn(s, 0)


# ---------------------------------------------------------------- what may be decided


@rule
def legal(s: State, out: Cells) -> int:
    """The moves of the seat to decide."""
    if s.phase == Phases.TURN:
        n = free_uses(s, out, main_actions(s, out, 0))
        if s.deck_size == 0:  # ruling 2: in the last round a seat may pass
            out[n] = Moves.END
            n += 1
        return n
    if s.phase == Phases.GIVE:
        return free_uses(s, out, goods_to_give(s, out, 0))
    if s.phase == Phases.AFTER:
        n = free_uses(s, out, goods_to_give(s, out, 0))
        out[n] = Moves.END
        return n + 1
    if s.phase == Phases.LOAD:
        return goods_to_put(s, out, 0)
    if s.phase == Phases.PAY:
        return goods_to_pay(s, out, 0)
    if s.phase == Phases.ONTO:
        return animals_for_market(s, out, 0)
    if s.phase == Phases.AMOUNT:
        return amounts_to_take(s, out, 0)
    if s.phase == Phases.HIDE:
        return goods_to_hide(s, out, 0)
    return places_to_rob(s, out, 0)


# ---------------------------------------------------------------- what a decision does


@rule
def play(s: State, move: int) -> None:
    """One decision, and all that follows by itself: where there is no choice, nobody is asked."""
    carry_out(s, move)
    while not s.over and has_no_choice(s):
        carry_out(s, s.menu[0])


@rule
def has_no_choice(s: State) -> bool:
    """Whether there is only one possible move, which is then the first of the menu, or only one way to pay."""
    count = legal(s, s.menu)
    return count == 1 or (s.phase == Phases.PAY and ways_to_pay(s)[1] == 1)


@rule
def carry_out(s: State, move: int) -> None:
    """One move, chosen or the only one possible."""
    if move == Moves.DRAW:
        draw_goods(s)
    elif move < Moves.PUT:
        begin_load(s, move - Moves.LOAD)
    elif move < Moves.DONE:
        put(s, move - Moves.PUT)
    elif move == Moves.DONE:
        end_load(s)
    elif move < Moves.ONTO:
        begin_take(s, move - Moves.TAKE)
    elif move < Moves.AMOUNT:
        choose_animal(s, move - Moves.ONTO)
    elif move < Moves.BUY:
        take(s, move - Moves.AMOUNT + 1)
    elif move < Moves.PAY:
        begin_buy(s, move - Moves.BUY)
    elif move < Moves.GIVE:
        pay(s, move - Moves.PAY)
    elif move < Moves.CAVE:
        give(s, move - Moves.GIVE)
    elif move < Moves.HIDE:
        begin_hide(s, move - Moves.CAVE)
    elif move < Moves.ROB:
        hide_good(s, move - Moves.HIDE)
    elif move < Moves.STEAL:
        begin_rob(s, move - Moves.ROB)
    elif move < Moves.END:
        steal(s, move - Moves.STEAL)
    else:
        if s.phase == Phases.TURN:
            emit(s, Events.PASSED, s.seat)
        end_turn(s)
