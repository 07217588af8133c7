"""The tables of the game agree with what is known of it."""

from __future__ import annotations

import pytest

from azalai.engine.words import languages, load_help
from azalai.games.timbuktu.components import (
    CAMELS,
    EXCHANGE,
    FREE,
    GOOD_NAMES,
    GOODS_PAIR,
    LOADS,
    OASIS_NAMES,
    PARTS,
    PEN_NAMES,
    ROUTE,
    STAGES,
    STALL_PAIR,
    TOTALS,
)
from tests.games.timbuktu.table import GAME


def test_three_four_and_five_players_have_eight_six_and_five_camels_each():
    assert [int(CAMELS[seats]) for seats in (3, 4, 5)] == [8, 6, 5]


def test_there_are_as_many_stages_as_players():
    assert [int(STAGES[seats]) for seats in (3, 4, 5)] == [3, 4, 5]


def test_every_journey_starts_in_the_first_oasis_and_ends_in_timbuktu_by_way_of_the_last_but_one():
    for seats in (3, 4, 5):
        way = [OASIS_NAMES[oasis] for oasis in ROUTE[seats] if oasis >= 0]
        assert way[0] == OASIS_NAMES[0]
        assert way[-2:] == [OASIS_NAMES[3], "timbuktu"]


def test_every_stall_and_every_good_is_on_two_cards():
    for pairs in (STALL_PAIR, GOODS_PAIR):
        named = pairs.flatten().tolist()
        assert sorted(named) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
        assert len({frozenset(pair) for pair in pairs.tolist()}) == 5


def test_the_cards_that_are_known_for_certain_are_there():
    assert [1, 3] in PARTS["thieves"]["stall_cards"]
    assert [1, 5] in PARTS["thieves"]["stall_cards"]
    assert ["water", "gold"] in PARTS["thieves"]["goods_cards"]
    assert ["salt", "pepper"] in PARTS["thieves"]["goods_cards"]


def test_two_arrows_leave_every_pen_and_two_arrive():
    assert FREE.sum(axis=0).tolist() == FREE.sum(axis=1).tolist() == [2] * 5


def test_arrows_lead_straight_on_or_one_pen_to_the_left():
    for pen in range(5):
        assert FREE[pen, pen]
        assert FREE[pen, (pen - 1) % 5]


def test_every_oasis_has_two_exchange_fields_that_are_always_entered():
    """A stall 5 could stay empty; over all oases each pen has one field on a stall 2 and one on a stall 3."""
    assert EXCHANGE.sum(axis=1).tolist() == [2] * 5
    places = [divmod(int(place), 5) for oasis in EXCHANGE for place in oasis.nonzero()[0]]
    assert sorted(pen for pen, stall in places if stall == 1) == [0, 1, 2, 3, 4]
    assert sorted(pen for pen, stall in places if stall == 2) == [0, 1, 2, 3, 4]


def test_a_camel_carries_four_goods():
    assert LOADS.sum(axis=1).tolist() == [4] * 8


def test_the_caravans_have_the_goods_that_the_box_allows():
    assert TOTALS[5].tolist() == [4, 4, 4, 4, 4]
    assert TOTALS[4].tolist() == [5, 5, 5, 5, 4]
    assert TOTALS[3].tolist() == [7, 7, 6, 6, 6]
    for seats in (3, 4, 5):
        assert (TOTALS[seats] * seats <= PARTS["goods"]["of_each"]).all()


def test_all_camels_are_equally_exposed_to_the_thieves():
    for load in LOADS:
        losses = [int(load[one] + load[other]) for one, other in GOODS_PAIR]
        assert sum(losses) == 8
        assert max(losses) == 2


def test_camels_c_and_d_carry_what_the_rulebooks_example_takes_from_them():
    gold, water = GOOD_NAMES.index("gold"), GOOD_NAMES.index("water")
    assert (LOADS[2][gold], LOADS[2][water]) == (1, 0)
    assert (LOADS[3][gold], LOADS[3][water]) == (0, 2)


def test_every_reconstructed_table_exists():
    assert PARTS["reconstructed"]
    for path in PARTS["reconstructed"]:
        table = PARTS
        for key in path.split("."):
            table = table[key]
        assert table


@pytest.mark.parametrize("language", languages(GAME.extras))
def test_the_help_names_the_cards_and_loads_as_the_tables_have_them(language):
    text = load_help(GAME.extras, language)
    for pair in PARTS["thieves"]["stall_cards"]:
        assert "+".join(map(str, pair)) in text
    words = GAME.extras / "words" / f"{language}.toml"
    for name in PEN_NAMES + OASIS_NAMES:
        assert f'{name} = "' in words.read_text(encoding="utf-8")
    assert "components.toml" in text
