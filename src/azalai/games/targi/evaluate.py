"""A cheap guess of each seat's prospects: points so far, and in points what goods, cards, effects and open actions are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Floats

from .components import (
    ACTION,
    BORDERS,
    CARAVAN,
    CARD_CHOICE,
    CARD_GIVES,
    COLUMN_OF,
    COLUMNS,
    COST,
    COST_GOODS,
    CROSSES,
    DISPLAY,
    EFFECT,
    EFFECTS,
    END_LAST_PLACE,
    END_MANY_CARDS,
    END_MIXED_ROWS,
    END_MOST_CARDS,
    END_PAIRS,
    EXPANSION,
    FEWER_TARGIS,
    FIELD_GOODS,
    GOLD,
    GOODS_KIND,
    GOODS_PER_CARDS,
    GOODS_PER_GAPS,
    GOODS_PILE,
    KINDS,
    LAST_ROUND,
    MARKERS,
    MIRAGE,
    MOST_GOODS,
    NOBLE,
    OFFERS,
    OR_GOLD,
    POWER,
    POWER_DISCOUNT,
    POWER_EVEN_TRADE,
    POWER_HAND_PLAY,
    POWER_HARVEST,
    POWER_IDLE,
    POWER_NOBLE,
    POWER_ON_ROBBER,
    POWER_RAID_FREE,
    POWER_RAID_REWARD,
    POWERS,
    PRINTED,
    REARRANGE,
    ROW_OF,
    ROWS,
    SIDE,
    SILVERSMITH,
    STORED_GOLD,
    TARGIS,
    TRADER,
    TRIBE_PILE,
    WINDFALL,
)
from .rules import legal
from .rules_cards import discount, open_rows
from .rules_effects import cards_of
from .rules_frame import can_send, can_trade
from .rules_piles import count_bits
from .rules_scoring import points, ranking_key, row_symbols
from .state import FROM_NOBLE, NOTHING, Moves, Phases, State

MOST_TURNS = 4  # weights by the number of turns a player still has go so far

# Which weight belongs to a lasting effect (what it is worth in a round), and to others (once and for all).
POWER_WEIGHT = np.full(POWERS, -1)
POWER_WEIGHT[POWER_DISCOUNT : POWER_DISCOUNT + 5] = 0
POWER_WEIGHT[POWER_HARVEST : POWER_HARVEST + KINDS] = 1
for _weight, _power in enumerate(
    (POWER_NOBLE, POWER_RAID_FREE, POWER_RAID_REWARD, POWER_ON_ROBBER, POWER_IDLE, POWER_HAND_PLAY, POWER_EVEN_TRADE), 2
):
    POWER_WEIGHT[_power] = _weight
EFFECT_WEIGHT = np.full(len(EFFECTS), -1)
for _weight, _effect in enumerate(
    (END_PAIRS, END_MOST_CARDS, END_MANY_CARDS, END_MIXED_ROWS, END_LAST_PLACE, STORED_GOLD, WINDFALL, REARRANGE, FEWER_TARGIS)
):
    EFFECT_WEIGHT[_effect] = _weight


@rule
def evaluate(s: State, w: Any, out: Floats) -> None:
    """For each seat, how likely it seems to win."""
    for seat in range(2):
        out[seat] = ranking_key(s, seat) if s.over else prospects(s, w, seat)
    lead = out[0] - out[1]
    if s.over:
        lead = 1.0 if lead > 0.0 else -1.0 if lead < 0.0 else 0.0
    else:
        lead /= w.doubt + w.doubt_per_round * (LAST_ROUND - s.round_no) + abs(lead)
    out[0] = 0.5 + 0.5 * lead
    out[1] = 0.5 - 0.5 * lead


@rule
def prospects(s: State, w: Any, seat: int) -> float:
    """What a seat has, counted in points."""
    turns = LAST_ROUND - s.round_no + has_turn(s, seat)
    short = min(turns, MOST_TURNS)
    good, gold = w.good[short], w.gold[short]
    value = points(s, seat) + stock_worth(s, w, seat, short)
    for power in range(POWERS):
        if s.power[seat, power] > 0:
            value += power_worth(w, power) * s.power[seat, power] * turns
    value += rows_hope(s, w, seat) * min(1.0, 0.25 * turns)
    if s.hand[seat] >= 0:
        value += w.hand[short] * PRINTED[s.hand[seat]]
    if has_turn(s, seat):
        value += w.open_action * open_actions(s, w, seat, turns, good, gold)
        if s.seat == seat:
            value += under_way(s, w, seat, turns, good, gold)
    return value


@rule
def power_worth(w: Any, power: int) -> float:
    """What a lasting effect brings in a round."""
    weight = POWER_WEIGHT[power]
    return w.power[weight] if weight >= 0 else 0.0


@rule
def has_turn(s: State, seat: int) -> int:
    """Whether a seat's actions of this round are still to come, or not finished."""
    if s.phase == Phases.PLACING:
        return 1
    if s.phase == Phases.RAID or s.phase == Phases.RAID_GOODS or (s.phase == Phases.DROPPING and s.seat == seat):
        return 0
    return 1 if s.seat == seat or s.seat == s.start else 0


@rule
def stock_worth(s: State, w: Any, seat: int, short: int) -> float:
    """Goods, better mixed than of one kind, and gold."""
    value = 0.0
    for good in range(KINDS):
        value += min(s.stock[seat, good], 3) + 0.7 * max(0, s.stock[seat, good] - 3)
    value = w.good[short] * min(value, 1.0 * MOST_GOODS)
    value += w.gold[short] * (min(s.stock[seat, GOLD], 3) + 0.8 * s.stored[seat])
    if s.stock[seat, GOLD] > 0 or s.power[seat, POWER_RAID_FREE] > 0:
        value += w.last_gold[short]
    return value


@rule
def rows_hope(s: State, w: Any, seat: int) -> float:
    """What rows of one symbol, or of different ones, may still become."""
    hope = 0.0
    for row in range(ROWS):
        length = s.length[seat, row]
        if 0 < length < COLUMNS:
            symbols = count_bits(row_symbols(s, seat, row))
            if symbols == 1:
                hope += w.row_alike[length]
            elif symbols == length:
                hope += w.row_mixed[length]
    return hope


@rule
def card_worth(s: State, w: Any, seat: int, card: int, origin: int, turns: int, good: float, gold: float) -> float:
    """What laying a card out would bring, its price taken off; less where something is missing."""
    effect = EFFECT[card]
    worth = PRINTED[card] + w.card
    if EFFECT_WEIGHT[effect] >= 0:
        worth += w.effect[EFFECT_WEIGHT[effect]]
    if POWER[card] >= 0:
        worth += power_worth(w, POWER[card]) * turns
    elif effect == GOODS_PER_CARDS:
        worth += good * (cards_of(s, seat) // 2)
    elif effect == GOODS_PER_GAPS:
        worth += good * ((DISPLAY - cards_of(s, seat)) // 2)
    saved = discount(s, seat, card, origin)
    missing = -saved
    for kind in range(KINDS):
        missing += max(0, COST[card, kind] - s.stock[seat, kind])
    missing = max(0, missing) + 2 * max(0, COST[card, GOLD] - s.stock[seat, GOLD] - s.stored[seat])
    price = good * (COST_GOODS[card] - saved) + gold * COST[card, GOLD]
    if OR_GOLD[card] > 0 and missing > 0 and s.stock[seat, GOLD] > 0:
        missing, price = 0, gold * OR_GOLD[card]
    return (worth - price) * w.nearly[min(missing, 3)]


@rule
def cell_worth(s: State, w: Any, seat: int, cell: int, turns: int, good: float, gold: float) -> float:
    """What a marker on a card of the centre promises."""
    card = s.centre[GOODS_PILE, cell]
    if card >= 0:
        return goods_worth(GOODS_KIND[card], good, gold)
    card = s.centre[TRIBE_PILE, cell]
    if card < 0:
        return 0.0
    spare = w.hand[min(turns, MOST_TURNS)] * PRINTED[card] if s.hand[seat] == NOTHING else 0.05
    if open_rows(s, seat) == 0:
        return 0.0
    return max(spare, card_worth(s, w, seat, card, cell, turns, good, gold))


@rule
def goods_worth(kind: int, good: float, gold: float) -> float:
    """What a goods card gives."""
    value = CARD_GIVES[kind, GOLD] * gold + CARD_GIVES[kind, CROSSES] + CARD_CHOICE[kind] * good * 1.2
    for one in range(KINDS):
        value += CARD_GIVES[kind, one] * good
    return value


@rule
def border_worth(s: State, w: Any, seat: int, place: int, turns: int, good: float, gold: float) -> float:
    """What a Targi on a border card promises."""
    action = ACTION[place]
    if action == FIELD_GOODS:
        return good
    if action == CARAVAN:
        return w.caravan * good
    if action == EXPANSION:
        return w.expansion if turns > 1 else 0.3
    if action == NOBLE:
        card = s.hand[seat]
        if card < 0:
            return 0.0
        if s.hand_round[seat] == s.round_no or open_rows(s, seat) == 0:
            return 0.05
        held = w.hand[min(turns, MOST_TURNS)] * PRINTED[card]
        return max(0.1, card_worth(s, w, seat, card, FROM_NOBLE, turns, good, gold) - held)
    if action == TRADER:
        return w.trade if can_trade(s, seat) else 0.1
    if action == SILVERSMITH:
        return silver_worth(s, seat, good, gold)
    return w.mirage if s.phase == Phases.PLACING or can_send(s, seat) else 0.0


@rule
def silver_worth(s: State, seat: int, good: float, gold: float) -> float:
    """The best deal with the Silversmith."""
    best = 0.0
    for stuff in range(GOLD + 1):
        price = gold if stuff == GOLD else good
        for count in range(1, OFFERS.shape[1]):
            if OFFERS[stuff, count] > 0 and s.stock[seat, stuff] >= count:
                best = max(best, OFFERS[stuff, count] - count * price)
    return best


@rule
def open_actions(s: State, w: Any, seat: int, turns: int, good: float, gold: float) -> float:
    """What Targis and markers not used yet promise. While Targis are placed, markers are where their lines cross so far."""
    value = 0.0
    rows, columns = 0, 0
    for i in range(TARGIS):
        place = s.targi[seat, i]
        if place >= 0:
            value += border_worth(s, w, seat, place, turns, good, gold)
            if COLUMN_OF[place] >= 0:
                columns |= 1 << COLUMN_OF[place]
            else:
                rows |= 1 << ROW_OF[place]
    if s.phase == Phases.PLACING:
        for row in range(SIDE):
            for column in range(SIDE):
                if rows >> row & 1 and columns >> column & 1:
                    value += cell_worth(s, w, seat, row * SIDE + column, turns, good, gold)
    else:
        for i in range(MARKERS):
            if s.marker[seat, i] >= 0:
                value += cell_worth(s, w, seat, s.marker[seat, i], turns, good, gold)
    return value


@rule
def under_way(s: State, w: Any, seat: int, turns: int, good: float, gold: float) -> float:
    """What is in the middle of being done."""
    value = 0.0
    if s.phase == Phases.CHOOSING:
        value += s.choices * good
    if s.card >= 0 and open_rows(s, seat) > 0:
        worth = card_worth(s, w, seat, s.card, s.origin, turns, good, gold)
        value += max(worth, 0.2) if s.phase == Phases.DRAWN else worth
    return value


# ---------------------------------------------------------------- moves worth thinking about


@rule
def candidates(s: State, out: Cells) -> int:
    """All legal moves, but for goods that are free and can only help: those are taken first. Empty rows are all the same."""
    if s.phase == Phases.ACTING:
        move = free_goods(s, s.seat + 0)
        if move >= 0:
            out[0] = move
            return 1
    elif s.phase == Phases.LAYING:
        return different_rows(s, s.seat + 0, out)
    return legal(s, out)


@rule
def free_goods(s: State, seat: int) -> int:
    """An action that brings goods and costs nothing, or -1. With T36 a goods card may be better left alone."""
    idle = s.power[seat, POWER_IDLE] > 0
    mirage = False
    for i in range(TARGIS):
        place = s.targi[seat, i]
        if place >= 0:
            if ACTION[place] == FIELD_GOODS:
                return Moves.USE + place
            if ACTION[place] == CARAVAN and not idle and (s.left[GOODS_PILE] > 0 or s.discard[GOODS_PILE] != 0):
                return Moves.USE + place
            mirage = mirage or ACTION[place] == MIRAGE
    if not idle and not mirage:
        for i in range(MARKERS):
            cell = s.marker[seat, i]
            if cell >= 0 and s.centre[GOODS_PILE, cell] >= 0:
                return Moves.USE + BORDERS + cell
    return -1


@rule
def different_rows(s: State, seat: int, out: Cells) -> int:
    """The rows with a free place, of empty ones only the first."""
    n, empty = 0, False
    for row in range(ROWS):
        length = s.length[seat, row]
        if length < COLUMNS and not (empty and length == 0):
            out[n] = Moves.ROW + row
            n += 1
            empty = empty or length == 0
    return n
