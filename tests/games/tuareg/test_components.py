"""What is in the box, and what lies ready."""

from __future__ import annotations

import pytest

from tests.games.tuareg.table import TUAREG, can, table


def test_the_box_has_44_goods_and_17_special_cards():
    components = TUAREG.components
    assert {good: row["copies"] for good, row in components["goods"].items()} == {
        "water": 8,
        "gold": 10,
        "salt": 12,
        "millet": 14,
    }
    assert {special: row["copies"] for special, row in components["specials"].items()} == {
        "donkey": 5, "cave": 5, "thief": 3, "map": 4,
    }  # fmt: skip
    assert sum(row["copies"] for row in components["goods"].values()) == 44
    assert sum(row["copies"] for row in components["specials"].values()) == 17


def test_gold_is_worth_two_dinar_brings_five_points_and_comes_ten_times():
    assert TUAREG.components["goods"]["gold"] == {"copies": 10, "dinar": 2, "points": 5}


def test_a_special_card_costs_three_dinar_and_brings_a_point_unused_a_map_two():
    assert TUAREG.components["play"]["price"] == 3
    assert [row["points"] for row in TUAREG.components["specials"].values()] == [1, 1, 1, 2]


def test_exactly_the_six_values_no_source_prints_are_marked_as_reconstructed():
    named = {f"goods.{good}.{value}" for good in ("water", "salt", "millet") for value in ("dinar", "points")}
    assert set(TUAREG.components["reconstructed"]) == named


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_help_names_the_reconstructed_values(language):
    text = (TUAREG.extras / "help" / f"{language}.md").read_text(encoding="utf-8")
    assert {"en": "Reconstructed values", "de": "Rekonstruierte Werte"}[language] in text
    goods = TUAREG.components["goods"]
    for row in goods.values():
        assert f"| {row['copies']} | {row['dinar']} " in text


@pytest.mark.parametrize(
    ("seats", "camels", "stacks"),
    [(2, 3, [2, 2, 3, 3]), (3, 2, [3, 3, 3, 2]), (4, 2, [4, 4, 3, 3]), (5, 2, [5, 5, 3, 4])],
)
def test_camels_and_special_cards_depend_on_the_number_of_players(seats, camels, stacks):
    s = TUAREG.new(seats, 1).state
    assert s.stack.tolist() == stacks
    assert [int(sum(row > 0)) for row in s.fits[:seats]] == [camels] * seats


def test_everybody_starts_with_an_empty_hand_and_two_goods_lie_in_the_market():
    for seats in TUAREG.seats:
        position = TUAREG.new(seats, 3)
        s = position.state
        assert s.hand_size.tolist() == [0] * 5
        assert sum(s.market) == 2
        assert s.deck_size == sum(s.deck) == 42
        assert position.seat == 0


def test_there_are_four_main_actions():
    """Ruling 1."""
    position = table(hands={0: "gold salt"}, market="millet")
    assert {move.name for move in position.moves()} == {"draw", "load", "take", "buy"}
    assert can(position, "take") == {"take millet"}


def test_an_empty_stack_sells_nothing():
    """Ruling 27."""
    position = table(hands={0: "water"}, donkeys={1: 2}, thieves={1: 3})
    assert can(position, "buy") == {"buy cave", "buy map"}
