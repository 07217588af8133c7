"""The game from the deal to the end, round by round. What happens inside each part of a round stands in the other rules files."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rule import rule
from azalai.engine.schema import ask, emit, finish

from .rules_actions import can_act, legal_acting, use, use_tribe_card
from .rules_cards import (
    add_extra,
    fix_price,
    go_on_paying,
    lay_out,
    legal_adding,
    legal_laying,
    legal_paying,
    legal_pricing,
    legal_saving,
    pay_coin,
    save,
)
from .rules_effects import cards_of, end_moving, legal_moving, legal_prizes, move_card, take_prize
from .rules_frame import (
    end_trading,
    legal_drawn,
    legal_selling,
    legal_sending,
    legal_trading,
    sell,
    send,
    trade,
)
from .rules_goods import choose_good, goods_of, idle_harvest, legal_choosing
from .rules_piles import count_bits, draw_card, turn_up
from .rules_placing import legal_placing, place_markers, place_targi
from .rules_raid import give, legal_giving, legal_raided, raid_players
from .rules_scoring import points, row_points
from .state import (
    ACTING,
    ACTION,
    ADD,
    ADDING,
    ALL_CARDS,
    BY_IDLENESS,
    CELLS,
    CHOOSE,
    CHOOSING,
    COLUMNS,
    CROSSES,
    DISPLAY,
    DONE,
    DRAWN,
    DROP,
    DROPPING,
    E_COUNTED,
    E_DROPPED,
    E_ENDED,
    E_LEFT,
    E_RAID,
    E_ROBBER,
    E_ROUND,
    E_SCORED,
    FOURTH_RAID,
    FULL_DISPLAY,
    GIVE,
    GIVING,
    GOLD,
    GOODS_CELLS,
    GOODS_PILE,
    KINDS,
    LAY_ROW,
    LAYING,
    MARKERS,
    MOST_GOLD,
    MOST_GOODS,
    MOVING,
    NOTHING,
    PAY_COIN,
    PAY_PRICE,
    PAYING,
    PLACE_ON,
    PLACING,
    PLAY,
    PRICING,
    RAID,
    RAIDED,
    ROBBER_END,
    ROBBER_START,
    ROWS,
    SAVE,
    SAVING,
    SELL,
    SELLING,
    SEND,
    SENDING,
    SHIFT,
    START,
    TAKE_PRIZE,
    TARGIS,
    TRADE,
    TRADING,
    TRIBE_PILE,
    USE,
    WINNING,
)

# ---------------------------------------------------------------- the deal


@rule
def setup(s: Any) -> None:
    """Lay out the centre like a chessboard, hand out what players begin with, stand the robber on the Noble."""
    for pile in range(2):
        s.deck[pile] = ALL_CARDS[pile]
        s.left[pile] = count_bits(ALL_CARDS[pile])
        for cell in range(CELLS):
            s.centre[pile, cell] = NOTHING
    for cell in range(CELLS):
        pile = GOODS_PILE if cell in GOODS_CELLS else TRIBE_PILE
        s.centre[pile, cell] = draw_card(s, pile)
    for seat in range(2):
        for stuff in range(5):
            s.stock[seat, stuff] = START[stuff]
        for row in range(ROWS):
            for column in range(COLUMNS):
                s.display[seat, row, column] = NOTHING
        s.hand[seat] = NOTHING
        clear_frame(s, seat)
    s.card = NOTHING
    s.hole = NOTHING
    s.moved = NOTHING
    s.robber = ROBBER_START
    s.start = 0  # blue begins
    begin_round(s)


@rule
def clear_frame(s: Any, seat: Any) -> None:
    """Take back all Targis and markers of a seat."""
    for i in range(TARGIS):
        s.targi[seat, i] = NOTHING
    for i in range(MARKERS):
        s.marker[seat, i] = NOTHING


# ---------------------------------------------------------------- what may be decided, and what comes of it


@rule
def legal(s: Any, out: Any) -> Any:
    """The moves of the seat to decide."""
    seat, phase = np.int64(s.seat), s.phase
    if phase == PLACING:
        return legal_placing(s, seat, out)
    if phase == ACTING:
        return legal_acting(s, seat, out)
    if phase == DRAWN:
        return legal_drawn(s, seat, out)
    if phase == PRICING:
        return legal_pricing(s, seat, out)
    if phase == SAVING:
        return legal_saving(s, seat, out)
    if phase == ADDING:
        return legal_adding(s, seat, out)
    if phase == PAYING:
        return legal_paying(s, seat, out)
    if phase == LAYING:
        return legal_laying(s, seat, out)
    if phase == CHOOSING:
        return legal_choosing(s, seat, out)
    if phase == WINNING:
        return legal_prizes(s, seat, out)
    if phase == MOVING:
        return legal_moving(s, seat, out)
    if phase == TRADING:
        return legal_trading(s, seat, out)
    if phase == SELLING:
        return legal_selling(s, seat, out)
    if phase == SENDING:
        return legal_sending(s, seat, out)
    if phase == DROPPING:
        return legal_dropping(s, seat, out)
    if phase == RAIDED:
        return legal_raided(s, seat, out)
    return legal_giving(s, seat, out)


@rule
def play(s: Any, move: Any) -> None:
    """Carry out one decision, and all that follows until the next one."""
    seat, phase, move = np.int64(s.seat), np.int64(s.phase), np.int64(move)  # one type, so that rules are compiled once
    if phase == PLACING:
        if place_targi(s, seat, move - PLACE_ON):
            begin_actions(s)
    elif phase in (RAIDED, GIVING):
        if give(s, seat, move - GIVE):
            s.raided += 1
            go_on_raiding(s)
    elif phase == DROPPING:
        drop(s, seat, move - DROP)
        end_turn(s, seat, phase)
    elif phase == ACTING and move == DONE:
        end_turn(s, seat, phase)
    elif act(s, seat, phase, move):
        go_on_acting(s, seat)


@rule
def act(s: Any, seat: Any, phase: Any, move: Any) -> Any:
    """One decision about an action; True when the action is complete."""
    if phase in (ACTING, DRAWN):
        return use_tribe_card(s, seat, move) if move >= PLAY else use(s, seat, move - USE)
    if phase == PRICING:
        return fix_price(s, seat, move == PAY_PRICE + 1)
    if phase == SAVING:
        save(s, move - SAVE)
        return go_on_paying(s, seat)
    if phase == ADDING:
        add_extra(s, move - ADD)
        return go_on_paying(s, seat)
    if phase == PAYING:
        pay_coin(s, seat, move == PAY_COIN + 1)
        return go_on_paying(s, seat)
    if phase == LAYING:
        return lay_out(s, seat, move - LAY_ROW)
    if phase == CHOOSING:
        return choose_good(s, seat, move - CHOOSE)
    if phase == WINNING:
        return take_prize(s, seat, move - TAKE_PRIZE)
    if phase == MOVING:
        return leave(s, seat) if move == DONE else move_card(s, seat, (move - SHIFT) // DISPLAY, (move - SHIFT) % DISPLAY)
    if phase == TRADING:
        return leave(s, seat) if move == DONE else trade(s, seat, (move - TRADE) // (GOLD + 1), (move - TRADE) % (GOLD + 1))
    if phase == SELLING:
        return sell(s, seat, (move - SELL) // (GOLD + 1) + 1, (move - SELL) % (GOLD + 1))
    return send(s, seat, (move - SEND) // CELLS, (move - SEND) % CELLS)  # SENDING


@rule
def leave(s: Any, seat: Any) -> Any:
    """Make no use of what else the Trader, or T43, would allow."""
    emit(s, E_LEFT, seat)
    return end_trading(s) if s.phase == TRADING else end_moving(s)


# ---------------------------------------------------------------- the round


@rule
def begin_round(s: Any) -> None:
    """The robber stands; Targis are placed in turn, the start player first."""
    s.round_no += 1
    for seat in range(2):
        s.placed[seat] = 0
        s.targis[seat] = max(1, TARGIS - s.hobbled[seat])  # T44
        s.hobbled[seat] = 0
        s.gathered[seat] = 0
    emit(s, E_ROUND, s.start, s.round_no, s.robber)
    ask(s, s.start, PLACING)


@rule
def begin_actions(s: Any) -> None:
    """All Targis are placed: markers follow, then the start player acts first."""
    for seat in range(2):
        place_markers(s, seat)
    go_on_acting(s, np.int64(s.start))


@rule
def go_on_acting(s: Any, seat: Any) -> None:
    """An action is complete: ask for the next one, or end the turn when nothing is left to do."""
    ending = s.reason == BY_IDLENESS  # the good of T36 was chosen, at the end of the turn
    s.reason = 0
    s.unfinished = 0
    if not ending and can_act(s, seat):
        ask(s, seat, ACTING)
    else:
        end_turn(s, seat, CHOOSING if ending else ACTING)


@rule
def end_turn(s: Any, seat: Any, step: Any) -> None:
    """End a seat's turn; `step` is what has been done last: its actions, its choice of a good (T36), its limit.

    Then it is the other player's turn, or the round is over.
    """
    while True:
        s.unfinished = 0
        if step == ACTING:
            clear_frame(s, seat)  # what was not used is forfeited
            emit(s, E_ENDED, seat)
            if idle_harvest(s, seat):
                return
        if exceeds_limit(s, seat):
            return
        if seat != s.start:
            end_round(s)
            return
        seat, step = 1 - seat, ACTING
        if can_act(s, seat):
            ask(s, seat, ACTING)
            return


@rule
def exceeds_limit(s: Any, seat: Any) -> Any:
    """At most 10 goods and 3 gold are kept. Excess that leaves no choice goes at once; True when the player is asked."""
    if s.stock[seat, GOLD] > MOST_GOLD:
        emit(s, E_DROPPED, seat, GOLD, s.stock[seat, GOLD] - MOST_GOLD)
        s.stock[seat, GOLD] = MOST_GOLD
    excess = goods_of(s, seat) - MOST_GOODS
    if excess <= 0:
        return False
    for good in range(KINDS):
        if s.stock[seat, good] == goods_of(s, seat):
            s.stock[seat, good] -= excess
            emit(s, E_DROPPED, seat, good, excess)
            return False
    s.unfinished = 1
    ask(s, seat, DROPPING)
    return True


@rule
def legal_dropping(s: Any, seat: Any, out: Any) -> Any:
    """Any good the seat has."""
    n = 0
    for good in range(KINDS):
        if s.stock[seat, good] > 0:
            out[n] = DROP + good
            n += 1
    return n


@rule
def drop(s: Any, seat: Any, good: Any) -> None:
    """Put one good too many back into the supply."""
    s.stock[seat, good] -= 1
    emit(s, E_DROPPED, seat, good, 1)


@rule
def end_round(s: Any) -> None:
    """Turn up the new cards, pass the amulet on, move the robber. A full display ends the game instead."""
    for seat in range(2):
        if cards_of(s, seat) == DISPLAY:
            end_game(s, FULL_DISPLAY)
            return
    turn_up(s)
    s.start = 1 - s.start
    s.robber += 1
    if ACTION[s.robber] == RAID:
        emit(s, E_RAID, s.robber)
        go_on_raiding(s)
    else:
        emit(s, E_ROBBER, s.robber)
        begin_round(s)


@rule
def go_on_raiding(s: Any) -> None:
    """Raid both players; after the fourth raid the game is over, after the others the robber goes on at once."""
    if not raid_players(s):
        return
    if s.robber == ROBBER_END:
        end_game(s, FOURTH_RAID)
        return
    s.robber += 1
    emit(s, E_ROBBER, s.robber)
    begin_round(s)


@rule
def end_game(s: Any, end: Any) -> None:
    """Count the points."""
    for seat in range(2):
        total, crosses, rows = points(s, seat), s.stock[seat, CROSSES], row_points(s, seat)
        emit(s, E_COUNTED, seat, crosses, total - crosses - rows, rows)
        emit(s, E_SCORED, seat, total)
    finish(s, end)
