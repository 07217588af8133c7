"""The game from the deal to the end, round by round. What happens inside each part of a round stands in the other rules files."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit, finish

from .components import (
    ACTION,
    ALL_CARDS,
    CELLS,
    COLUMNS,
    CROSSES,
    DISPLAY,
    GOLD,
    GOODS_CELLS,
    GOODS_PILE,
    KINDS,
    MARKERS,
    MOST_GOLD,
    MOST_GOODS,
    RAID,
    ROBBER_END,
    ROBBER_START,
    ROWS,
    START,
    TARGIS,
    TRIBE_PILE,
)
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
from .rules_raid import answer_raid, legal_giving, legal_raided, raid_players
from .rules_scoring import points, row_points
from .state import BY_IDLENESS, NOTHING, Ends, Events, Moves, Phases, State

# ---------------------------------------------------------------- the deal


@rule
def setup(s: State) -> None:
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
def clear_frame(s: State, seat: int) -> None:
    """Take back all Targis and markers of a seat."""
    for i in range(TARGIS):
        s.targi[seat, i] = NOTHING
    for i in range(MARKERS):
        s.marker[seat, i] = NOTHING


# ---------------------------------------------------------------- what may be decided, and what comes of it


@rule
def legal(s: State, out: Cells) -> int:
    """The moves of the seat to decide."""
    seat, phase = s.seat + 0, s.phase
    if phase == Phases.PLACING:
        return legal_placing(s, seat, out)
    if phase == Phases.ACTING:
        return legal_acting(s, seat, out)
    if phase == Phases.DRAWN:
        return legal_drawn(s, seat, out)
    if phase == Phases.PRICING:
        return legal_pricing(s, seat, out)
    if phase == Phases.SAVING:
        return legal_saving(s, seat, out)
    if phase == Phases.ADDING:
        return legal_adding(s, seat, out)
    if phase == Phases.PAYING:
        return legal_paying(s, seat, out)
    if phase == Phases.LAYING:
        return legal_laying(s, seat, out)
    if phase == Phases.CHOOSING:
        return legal_choosing(s, seat, out)
    if phase == Phases.PRIZE:
        return legal_prizes(s, seat, out)
    if phase == Phases.MOVING:
        return legal_moving(s, seat, out)
    if phase == Phases.TRADING:
        return legal_trading(s, seat, out)
    if phase == Phases.SELLING:
        return legal_selling(s, seat, out)
    if phase == Phases.SENDING:
        return legal_sending(s, seat, out)
    if phase == Phases.DROPPING:
        return legal_dropping(s, seat, out)
    if phase == Phases.RAID:
        return legal_raided(s, seat, out)
    return legal_giving(s, seat, out)


@rule
def play(s: State, move: int) -> None:
    """Carry out one decision, and all that follows until the next one."""
    seat, phase, move = s.seat + 0, s.phase + 0, move + 0  # numbers of 64 bits: rules are compiled for one type only
    if phase == Phases.PLACING:
        if place_targi(s, seat, move - Moves.PLACE):
            begin_actions(s)
    elif phase in (Phases.RAID, Phases.RAID_GOODS):
        if answer_raid(s, seat, move):
            s.raided += 1
            go_on_raiding(s)
    elif phase == Phases.DROPPING:
        drop(s, seat, move - Moves.DROP)
        end_turn(s, seat, False)
    elif phase == Phases.ACTING and move == Moves.DONE:
        end_turn(s, seat, True)
    elif act(s, seat, phase, move):
        go_on_acting(s, seat)


@rule
def act(s: State, seat: int, phase: int, move: int) -> bool:
    """One decision about an action; True when the action is complete."""
    if phase in (Phases.ACTING, Phases.DRAWN):
        return use_tribe_card(s, seat, move) if move >= Moves.PLAY else use(s, seat, move - Moves.USE)
    if phase == Phases.PRICING:
        return fix_price(s, seat, move == Moves.PRICE + 1)
    if phase == Phases.SAVING:
        save(s, move - Moves.SAVE)
        return go_on_paying(s, seat)
    if phase == Phases.ADDING:
        add_extra(s, move - Moves.ADD)
        return go_on_paying(s, seat)
    if phase == Phases.PAYING:
        pay_coin(s, seat, move == Moves.COIN + 1)
        return go_on_paying(s, seat)
    if phase == Phases.LAYING:
        return lay_out(s, seat, move - Moves.ROW)
    if phase == Phases.CHOOSING:
        return choose_good(s, seat, move - Moves.CHOOSE)
    if phase == Phases.PRIZE:
        return take_prize(s, seat, move - Moves.PRIZE)
    if move == Moves.DONE:
        return leave(s, seat)
    if phase == Phases.MOVING:
        return move_card(s, seat, (move - Moves.SHIFT) // DISPLAY, (move - Moves.SHIFT) % DISPLAY)
    if phase == Phases.TRADING:
        return trade(s, seat, (move - Moves.TRADE) // (GOLD + 1), (move - Moves.TRADE) % (GOLD + 1))
    if phase == Phases.SELLING:
        return sell(s, seat, (move - Moves.SELL) // (GOLD + 1) + 1, (move - Moves.SELL) % (GOLD + 1))
    return send(s, seat, (move - Moves.SEND) // CELLS, (move - Moves.SEND) % CELLS)  # SENDING


@rule
def leave(s: State, seat: int) -> bool:
    """Make no use of what else the Trader, or T43, would allow."""
    emit(s, Events.LEFT, seat)
    return end_trading(s) if s.phase == Phases.TRADING else end_moving(s)


# ---------------------------------------------------------------- the round


@rule
def begin_round(s: State) -> None:
    """The robber stands; Targis are placed in turn, the start player first."""
    s.round_no += 1
    for seat in range(2):
        s.placed[seat] = 0
        s.targis[seat] = max(1, TARGIS - s.hobbled[seat])  # T44
        s.hobbled[seat] = 0
        s.gathered[seat] = 0
    emit(s, Events.ROUND, s.start, s.round_no, s.robber)
    ask(s, s.start, Phases.PLACING)


@rule
def begin_actions(s: State) -> None:
    """All Targis are placed: markers follow, then the start player acts first."""
    for seat in range(2):
        place_markers(s, seat)
    go_on_acting(s, s.start + 0)


@rule
def go_on_acting(s: State, seat: int) -> None:
    """An action is complete: ask for the next one, or end the turn when nothing is left to do."""
    ending = s.reason == BY_IDLENESS  # the good of T36 was chosen, at the end of the turn
    s.reason = 0
    s.unfinished = 0
    if not ending and can_act(s, seat):
        ask(s, seat, Phases.ACTING)
    else:
        end_turn(s, seat, not ending)


@rule
def end_turn(s: State, seat: int, acting: bool) -> None:
    """End a seat's turn, from its actions if it is still `acting`, else from its limit of goods.

    Then it is the other player's turn, or the round is over.
    """
    while True:
        s.unfinished = 0
        if acting:
            clear_frame(s, seat)  # what was not used is forfeited
            if idle_harvest(s, seat):
                return
        if exceeds_limit(s, seat):
            return
        emit(s, Events.ENDED, seat)
        if seat != s.start:
            end_round(s)
            return
        seat, acting = 1 - seat, True
        if can_act(s, seat):
            ask(s, seat, Phases.ACTING)
            return


@rule
def exceeds_limit(s: State, seat: int) -> bool:
    """At most 10 goods and 3 gold are kept. Excess that leaves no choice goes at once; True when the player is asked."""
    if s.stock[seat, GOLD] > MOST_GOLD:
        emit(s, Events.DROPPED, seat, GOLD, s.stock[seat, GOLD] - MOST_GOLD)
        s.stock[seat, GOLD] = MOST_GOLD
    excess = goods_of(s, seat) - MOST_GOODS
    if excess <= 0:
        return False
    for good in range(KINDS):
        if s.stock[seat, good] == goods_of(s, seat):
            s.stock[seat, good] -= excess
            emit(s, Events.DROPPED, seat, good, excess)
            return False
    s.unfinished = 1
    ask(s, seat, Phases.DROPPING)
    return True


@rule
def legal_dropping(s: State, seat: int, out: Cells) -> int:
    """Any good the seat has."""
    n = 0
    for good in range(KINDS):
        if s.stock[seat, good] > 0:
            out[n] = Moves.DROP + good
            n += 1
    return n


@rule
def drop(s: State, seat: int, good: int) -> None:
    """Put one good too many back into the supply."""
    s.stock[seat, good] -= 1
    emit(s, Events.DROPPED, seat, good, 1)


@rule
def end_round(s: State) -> None:
    """Turn up the new cards, pass the amulet on, move the robber. A full display ends the game instead."""
    for seat in range(2):
        if cards_of(s, seat) == DISPLAY:
            end_game(s, Ends.FULL_DISPLAY)
            return
    turn_up(s)
    s.start = 1 - s.start
    s.robber += 1
    if ACTION[s.robber] == RAID:
        emit(s, Events.RAID, s.robber)
        go_on_raiding(s)
    else:
        emit(s, Events.ROBBER, s.robber)
        begin_round(s)


@rule
def go_on_raiding(s: State) -> None:
    """Raid both players; after the fourth raid the game is over, after the others the robber goes on at once."""
    if not raid_players(s):
        return
    if s.robber == ROBBER_END:
        end_game(s, Ends.FOURTH_RAID)
        return
    s.robber += 1
    emit(s, Events.ROBBER, s.robber)
    begin_round(s)


@rule
def end_game(s: State, end: int) -> None:
    """Count the points."""
    for seat in range(2):
        total, crosses, rows = points(s, seat), s.stock[seat, CROSSES], row_points(s, seat)
        emit(s, Events.COUNTED, seat, crosses, total - crosses - rows, rows)
        emit(s, Events.SCORED, seat, total)
    finish(s, end)
