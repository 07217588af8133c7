"""What must hold in every position."""

from __future__ import annotations

from azalai.engine.rule import rule

from .components import (
    ACTION,
    ALL_CARDS,
    CELLS,
    COLUMNS,
    FACING,
    GOLD,
    GOODS_PILE,
    MARKERS,
    MOST_GOLD,
    MOST_GOODS,
    POWER,
    POWER_ON_ROBBER,
    POWERS,
    RAID,
    ROWS,
    TARGIS,
    TRIBE_PILE,
)
from .rules_piles import count_bits
from .rules_placing import has_card
from .state import FACE_DOWN, NOTHING, SET_ASIDE, Phases, State

INVARIANTS = (
    "every goods card is in one place",
    "every tribe card is in one place",
    "a draw pile has as many cards as are unseen and not laid face down",
    "nobody has less than nothing, and nobody begins a round with too much",
    "displays are filled from the left",
    "lasting effects are those of the cards laid out",
    "Targis stand where they may",
    "markers lie on open cards, each on its own",
    "a hand card and what is known of it belong together",
    "the robber is where the round says",
    "nothing is left over from a finished action",
)


@rule
def invariant(s: State) -> int:
    """0, or the number of the first broken invariant."""
    if cards_in_play(s, GOODS_PILE) != ALL_CARDS[GOODS_PILE]:
        return 1
    if cards_in_play(s, TRIBE_PILE) != ALL_CARDS[TRIBE_PILE]:
        return 2
    if not piles_are_right(s, GOODS_PILE) or not piles_are_right(s, TRIBE_PILE):
        return 3
    for seat in range(2):
        if not stock_is_right(s, seat):
            return 4
        if not display_is_right(s, seat):
            return 5
        if not powers_are_right(s, seat):
            return 6
        if not targis_are_right(s, seat):
            return 7
        if not markers_are_right(s, seat):
            return 8
        if (s.hand[seat] == NOTHING) != (s.hand_round[seat] == 0) or (s.hand[seat] == NOTHING and s.hand_secret[seat] != 0):
            return 9
    on_corner = ACTION[s.robber] == RAID
    if on_corner != (s.over > 1 or s.phase == Phases.RAID or s.phase == Phases.RAID_GOODS):
        return 10
    if not on_corner and s.round_no != s.robber - (s.robber + 1) // 4 + 1:
        return 10
    if not s.unfinished and is_anything_left_over(s):
        return 11
    return 0


@rule
def cards_in_play(s: State, pile: int) -> int:
    """The set of all cards wherever they are; -1 when one is in two places."""
    found = s.deck[pile] | s.aside[pile] | s.discard[pile]
    if count_bits(found) != count_bits(s.deck[pile]) + count_bits(s.aside[pile]) + count_bits(s.discard[pile]):
        return -1
    for cell in range(CELLS):
        found = with_card(found, s.centre[pile, cell])
        if s.centre[GOODS_PILE, cell] != NOTHING and s.centre[TRIBE_PILE, cell] != NOTHING:
            return -1
    if pile == TRIBE_PILE:
        found = with_card(found, s.card)
        for seat in range(2):
            found = with_card(found, s.hand[seat])
            for row in range(ROWS):
                for column in range(COLUMNS):
                    found = with_card(found, s.display[seat, row, column])
    return found


@rule
def with_card(found: int, card: int) -> int:
    """A set with one card more; -1, and for good, when it is there already."""
    if card < 0:
        return found
    return -1 if found < 0 or found >> card & 1 else found | 1 << card


@rule
def piles_are_right(s: State, pile: int) -> bool:
    face_down, set_aside = 0, 0
    for cell in range(CELLS):
        face_down += s.centre[pile, cell] == FACE_DOWN
        set_aside += s.centre[pile, cell] == SET_ASIDE
    return count_bits(s.deck[pile]) == s.left[pile] + face_down and count_bits(s.aside[pile]) == set_aside


@rule
def stock_is_right(s: State, seat: int) -> bool:
    for stuff in range(5):
        if s.stock[seat, stuff] < 0:
            return False
    if s.phase != Phases.PLACING:
        return s.stored[seat] >= 0
    goods = s.stock[seat, 0] + s.stock[seat, 1] + s.stock[seat, 2]
    return goods <= MOST_GOODS and s.stock[seat, GOLD] <= MOST_GOLD


@rule
def display_is_right(s: State, seat: int) -> bool:
    for row in range(ROWS):
        for column in range(COLUMNS):
            if s.hole < 0 and (s.display[seat, row, column] >= 0) != (column < s.length[seat, row]):
                return False
    return True


@rule
def powers_are_right(s: State, seat: int) -> bool:
    count = 0
    for power in range(POWERS):
        count += s.power[seat, power]
    for row in range(ROWS):
        for column in range(COLUMNS):
            card = s.display[seat, row, column]
            if card >= 0 and POWER[card] >= 0:
                if s.power[seat, POWER[card]] == 0:
                    return False
                count -= 1
    return count == 0


@rule
def targis_are_right(s: State, seat: int) -> bool:
    for i in range(TARGIS):
        place = s.targi[seat, i]
        if place >= 0:
            if ACTION[place] == RAID or (place == s.robber and s.power[seat, POWER_ON_ROBBER] == 0):
                return False
            for k in range(TARGIS):
                other = s.targi[1 - seat, k]
                if place == other or (other >= 0 and place == FACING[other]) or (k != i and place == s.targi[seat, k]):
                    return False
    return True


@rule
def markers_are_right(s: State, seat: int) -> bool:
    for i in range(MARKERS):
        cell = s.marker[seat, i]
        if cell >= 0:
            if not has_card(s, cell):
                return False
            for k in range(MARKERS):
                if cell == s.marker[1 - seat, k] or (k != i and cell == s.marker[seat, k]):
                    return False
    return True


@rule
def is_anything_left_over(s: State) -> bool:
    for stuff in range(GOLD + 1):
        if s.owed[stuff]:
            return True
    if s.card != NOTHING or s.hole != NOTHING or s.moved != NOTHING:
        return True
    return s.origin != 0 or s.savings != 0 or s.extra != 0 or s.coins != 0 or s.choices != 0 or s.reason != 0 or s.traded != 0
