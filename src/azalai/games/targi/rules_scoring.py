"""The points: crosses won, crosses on cards, full rows, and what cards score at the end."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Grid, rank

from .components import (
    ARGUMENT,
    COLUMNS,
    CROSSES,
    EFFECT,
    END_LAST_PLACE,
    END_MANY_CARDS,
    END_MIXED_ROWS,
    END_MOST_CARDS,
    END_PAIRS,
    GOLD,
    PRINTED,
    ROW_MIXED,
    ROW_RAISED,
    ROW_SAME,
    ROWS,
    SYMBOL,
)
from .rules_effects import cards_of
from .rules_goods import goods_of
from .rules_piles import count_bits
from .state import State


@rule
def score(s: State, out: Grid) -> None:
    """Points and places as things stand."""
    for seat in range(2):
        out[seat, 0] = points(s, seat)
        out[seat, 2] = ranking_key(s, seat)
    rank(s, out)


@rule
def ranking_key(s: State, seat: int) -> int:
    """What decides who wins: points, then gold, then goods."""
    return (points(s, seat) * 1000 + s.stock[seat, GOLD]) * 1000 + goods_of(s, seat)


@rule
def points(s: State, seat: int) -> int:
    """All points of a seat."""
    total = s.stock[seat, CROSSES] + row_points(s, seat)
    for row in range(ROWS):
        for column in range(COLUMNS):
            card = s.display[seat, row, column]
            if card >= 0:
                total += PRINTED[card] + card_points(s, seat, card, column)
    return total


@rule
def row_points(s: State, seat: int) -> int:
    """Full rows of one symbol, and of four different ones; the latter can be worth more with T22."""
    total, mixed = 0, 0
    for row in range(ROWS):
        symbols = count_bits(row_symbols(s, seat, row)) if s.length[seat, row] == COLUMNS else 0
        if symbols == 1:
            total += ROW_SAME
        elif symbols == COLUMNS:
            mixed += 1
    raised = min(mixed, raised_rows(s, seat)) if mixed else 0
    return total + (mixed - raised) * ROW_MIXED + raised * ROW_RAISED


@rule
def row_symbols(s: State, seat: int, row: int) -> int:
    """Bits of the symbols in a row."""
    symbols = 0
    for column in range(COLUMNS):
        card = s.display[seat, row, column]
        if card >= 0:
            symbols |= 1 << SYMBOL[card]
    return symbols


@rule
def raised_rows(s: State, seat: int) -> int:
    """T22: how many mixed rows are worth more."""
    rows = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            card = s.display[seat, row, column]
            if card >= 0 and EFFECT[card] == END_MIXED_ROWS:
                rows += ARGUMENT[card]
    return rows


@rule
def card_points(s: State, seat: int, card: int, column: int) -> int:
    """What the effect of one card in the display scores, but for T22."""
    effect = EFFECT[card]
    if effect == END_PAIRS:
        return pair_points(s, seat, ARGUMENT[card])
    if effect == END_MOST_CARDS:
        return most_cards_points(s, seat, ARGUMENT[card])
    if effect == END_MANY_CARDS:
        return many_cards_points(s, seat, ARGUMENT[card])
    if effect == END_LAST_PLACE:
        return last_place_points(s, column, ARGUMENT[card])
    return 0


@rule
def pair_points(s: State, seat: int, symbol: int) -> int:
    """T15 to T19: 1 for every two cards of a symbol."""
    n = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            card = s.display[seat, row, column]
            n += card >= 0 and SYMBOL[card] == symbol
    return n // 2


@rule
def most_cards_points(s: State, seat: int, worth: int) -> int:
    """T20: for more cards than the opponent has; the hand does not count."""
    return worth if cards_of(s, seat) > cards_of(s, 1 - seat) else 0


@rule
def many_cards_points(s: State, seat: int, least: int) -> int:
    """T21: 1 for so many cards or more."""
    return 1 if cards_of(s, seat) >= least else 0


@rule
def last_place_points(s: State, column: int, worth: int) -> int:
    """T23: for lying in the last place of a row, which is full then."""
    return worth if column == COLUMNS - 1 else 0
