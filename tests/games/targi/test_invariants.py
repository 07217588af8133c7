"""The invariants that hold in every position find what they are there to find."""

from __future__ import annotations

from typing import Any

import pytest

from azalai.engine.dispatch import invariant
from azalai.games.targi.components import GOLD, GOODS_PILE, POWER_DISCOUNT, SALT, TRIBE_PILE
from azalai.games.targi.state import NOTHING
from tests.games.targi.table import BLUE, GAME, WHITE, Table, cell, place, tribe
from tests.harness.play import soak


def two_of_a_kind(s: Any) -> None:
    s.centre[GOODS_PILE, 0] = s.centre[GOODS_PILE, 2]


def lost_tribe_card(s: Any) -> None:
    s.centre[TRIBE_PILE, 1] = NOTHING


def card_in_two_hands(s: Any) -> None:
    s.hand[WHITE], s.hand_round[WHITE] = s.display[BLUE, 0, 0], 1


def pile_too_high(s: Any) -> None:
    s.left[TRIBE_PILE] += 1


def debt(s: Any) -> None:
    s.stock[BLUE, SALT] = -1


def eleven_goods(s: Any) -> None:
    s.stock[BLUE, SALT] = 11


def gap(s: Any) -> None:
    s.display[BLUE, 0, 2], s.display[BLUE, 0, 1] = s.display[BLUE, 0, 1], NOTHING


def unearned_discount(s: Any) -> None:
    s.power[WHITE, POWER_DISCOUNT] = 1


def on_a_corner(s: Any) -> None:
    s.targi[BLUE, 0] = place("raid4")


def on_the_robber(s: Any) -> None:
    s.targi[BLUE, 0] = place("noble")


def face_to_face(s: Any) -> None:
    s.targi[BLUE, 0], s.targi[WHITE, 0] = place("caravan"), place("dates7")


def same_mark(s: Any) -> None:
    s.marker[BLUE, 0] = s.marker[WHITE, 0] = cell("a1")


def timeless_hand(s: Any) -> None:
    s.hand_round[BLUE] = 2


def robber_astray(s: Any) -> None:
    s.robber = place("dates2")


def unpaid_price(s: Any) -> None:
    s.owed[GOLD] = 1


@pytest.mark.parametrize(
    ("number", "spoil"),
    [
        (1, two_of_a_kind),
        (2, lost_tribe_card),
        (2, card_in_two_hands),
        (3, pile_too_high),
        (4, debt),
        (4, eleven_goods),
        (5, gap),
        (6, unearned_discount),
        (7, on_a_corner),
        (7, on_the_robber),
        (7, face_to_face),
        (8, same_mark),
        (9, timeless_hand),
        (10, robber_astray),
        (11, unpaid_price),
    ],
)
def test_a_law_is_broken_by_what_it_forbids(number, spoil):
    table = Table().display(BLUE, "T06 T07")
    table.check()
    spoil(table.s)
    assert invariant(table.position.state) == number


def test_every_law_can_be_broken():
    assert len(GAME.invariants) == 11


@pytest.mark.parametrize("option", ["author", "rulebook"])
def test_random_games_of_either_option_break_no_law(option):
    broken, where = soak(GAME, 2, 2000, tribe_cards=option)
    assert broken == 0, f"{GAME.invariants[broken - 1] if broken > 0 else broken} in game {where}"


def test_every_tribe_card_is_played_in_random_games():
    """So that the invariants have been tried with every effect."""
    batch = GAME.batch(2000, seed=5)
    seen: set[int] = set()
    while not batch.over.all():
        batch.step(batch.random_moves())
        seen |= set(batch.states["display"].ravel().tolist())
    assert seen >= {tribe(f"T{number:02d}") for number in range(45)}
