"""The rules of Tuareg: preparation, what a seat may decide, what a decision does."""

from __future__ import annotations

from typing import Any

from azalai.engine.rule import rule
from azalai.engine.schema import emit

from .hands import draw_good
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
from .rules_specials import begin_hide, begin_rob, free_uses, goods_to_hide, hide_good, places_to_rob, steal
from .rules_stage import begin_turn, clear_loot, end_turn, unload
from .state import (
    AFTER,
    COPIES,
    E_MARKET,
    E_PASSED,
    GIVE,
    HIDE,
    KINDS,
    LOAD,
    M_AMOUNT,
    M_BUY,
    M_CAVE,
    M_DONE,
    M_DRAW,
    M_END,
    M_GIVE,
    M_HIDE,
    M_LOAD,
    M_ONTO,
    M_PAY,
    M_PUT,
    M_ROB,
    M_STEAL,
    M_TAKE,
    MARKET_START,
    NOBODY,
    NOTHING,
    ONTO,
    PAY,
    SPECIALS,
    STACKS,
    TAKE_AMOUNT,
    TURN,
)


@rule
def setup(s: Any) -> None:
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
        emit(s, E_MARKET, good)
    begin_turn(s, 0)


# ---------------------------------------------------------------- what may be decided


@rule
def legal(s: Any, out: Any) -> Any:
    """The moves of the seat to decide."""
    if s.phase == TURN:
        n = free_uses(s, out, main_actions(s, out, 0))
        if s.deck_size == 0:  # ruling 2: in the last round a seat may pass
            out[n] = M_END
            n += 1
        return n
    if s.phase == GIVE:
        return free_uses(s, out, goods_to_give(s, out, 0))
    if s.phase == AFTER:
        n = free_uses(s, out, goods_to_give(s, out, 0))
        out[n] = M_END
        return n + 1
    if s.phase == LOAD:
        return goods_to_put(s, out, 0)
    if s.phase == PAY:
        return goods_to_pay(s, out, 0)
    if s.phase == ONTO:
        return animals_for_market(s, out, 0)
    if s.phase == TAKE_AMOUNT:
        return amounts_to_take(s, out, 0)
    if s.phase == HIDE:
        return goods_to_hide(s, out, 0)
    return places_to_rob(s, out, 0)


# ---------------------------------------------------------------- what a decision does


@rule
def play(s: Any, move: Any) -> None:
    """One decision, and all that follows by itself: where there is no choice, nobody is asked."""
    carry_out(s, move)
    while not s.over and has_no_choice(s):
        carry_out(s, s.menu[0])


@rule
def has_no_choice(s: Any) -> Any:
    """Whether there is only one possible move, which is then the first of the menu, or only one way to pay."""
    count = legal(s, s.menu)
    return count == 1 or (s.phase == PAY and ways_to_pay(s)[1] == 1)


@rule
def carry_out(s: Any, move: Any) -> None:
    """One move, chosen or the only one possible."""
    if move == M_DRAW:
        draw_goods(s)
    elif move < M_PUT:
        begin_load(s, move - M_LOAD)
    elif move < M_DONE:
        put(s, move - M_PUT)
    elif move == M_DONE:
        end_load(s)
    elif move < M_ONTO:
        begin_take(s, move - M_TAKE)
    elif move < M_AMOUNT:
        choose_animal(s, move - M_ONTO)
    elif move < M_BUY:
        take(s, move - M_AMOUNT + 1)
    elif move < M_PAY:
        begin_buy(s, move - M_BUY)
    elif move < M_GIVE:
        pay(s, move - M_PAY)
    elif move < M_CAVE:
        give(s, move - M_GIVE)
    elif move < M_HIDE:
        begin_hide(s, move - M_CAVE)
    elif move < M_ROB:
        hide_good(s, move - M_HIDE)
    elif move < M_STEAL:
        begin_rob(s, move - M_ROB)
    elif move < M_END:
        steal(s, move - M_STEAL)
    else:
        if s.phase == TURN:
            emit(s, E_PASSED, s.seat)
        end_turn(s)
