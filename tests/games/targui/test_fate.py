"""The sixteen fate cards. `fate(position, card)` lets the first player pass and the card come up, the round still running."""

from __future__ import annotations

import pytest

from tests.games.targui.desert import (
    GREEN,
    GREEN4,
    YELLOW,
    at,
    camels,
    clear,
    desert,
    dice,
    fate,
    kinds,
    lawful,
    lay,
    lucky,
    money,
    only,
    owner,
    pack,
    pass_turn,
    play,
    put,
    seat_of,
    turn,
)


def test_1_all_camels_on_the_great_saline_are_lost_but_not_the_marker() -> None:
    position = desert(2)
    put(position, GREEN, d4=23, c3=4)
    events = fate(position, 1)
    assert only(events, "lost") == [{"seat": GREEN, "field": at("d4"), "camels": 23}]
    assert (camels(position, "d4"), owner(position, "d4"), camels(position, "c3")) == (0, GREEN, 4)
    assert lawful(position)


@pytest.mark.parametrize(
    ("card", "colour", "home"), [(2, "blue", "b2"), (3, "red", "f2"), (4, "green", "b6"), (5, "yellow", "f6")]
)
def test_2_to_5_ten_camels_come_to_the_settlement_of_one_tribe(card: int, colour: str, home: str) -> None:
    position = desert(4)
    events = fate(position, card)
    seat = seat_of(colour, 4)
    assert only(events, "gained") == [{"seat": seat, "field": at(home), "camels": 10}]
    assert [camels(position, label) for label in ("b2", "f2", "b6", "f6")] == [20 if one == seat else 10 for one in range(4)]
    assert lawful(position)


@pytest.mark.parametrize(("seats", "card", "home"), [(2, 4, "b2"), (2, 5, "f6"), (3, 3, "f1"), (3, 4, "a4"), (3, 5, "f7")])
def test_gifts_find_their_colour_with_fewer_players_too(seats: int, card: int, home: str) -> None:
    position = desert(seats)
    fate(position, card)
    assert camels(position, home) == 20


@pytest.mark.parametrize("card", [2, 3, 4, 5])
def test_2_to_5_a_settlement_held_by_another_gets_no_gift(card: int) -> None:
    position = desert(4)
    for seat, home in enumerate(("b2", "f2", "b6", "f6")):
        put(position, (seat + 1) % 4, **{home: 3})
    events = fate(position, card)
    assert kinds(events)[:2] == ["fate", "nothing"]
    assert camels(position, "b2") == 3


def test_2_to_5_an_own_settlement_without_camels_gets_the_gift() -> None:
    position = desert(4)
    put(position, GREEN4, b6=0)
    fate(position, 4)
    assert camels(position, "b6") == 10


def test_ruling_7_a_gift_is_as_many_camels_as_the_box_has() -> None:
    position = desert(2)
    put(position, YELLOW, f6=386)
    fate(position, 4)
    assert camels(position, "b2") == 14
    assert position.state.box == 0
    assert lawful(position)


def test_ruling_23_the_gift_of_an_eliminated_player_has_no_effect() -> None:
    position = desert(3)
    clear(position, "a4")
    put(position, 0, a4=2)
    position.state.silver[1] = 0
    events = fate(position, 4)
    assert kinds(events)[:2] == ["fate", "nothing"]
    assert lawful(position)


def test_6_every_erg_loses_three_camels_or_all_it_has() -> None:
    position = desert(2)
    lay(position, c3="erg", c4="erg", c5="erg", d3="reg")
    put(position, GREEN, c3=8, c4=2, c5=0, d3=5)
    fate(position, 6)
    assert [camels(position, label) for label in ("c3", "c4", "c5", "d3", "b2")] == [5, 0, 0, 5, 10]
    assert owner(position, "c4") == GREEN
    assert lawful(position)


def test_7_every_guelta_keeps_fifteen_camels_at_most() -> None:
    position = desert(2)
    lay(position, c3="guelta", c4="guelta", d3="reg")
    put(position, GREEN, c3=21, d3=30)
    put(position, YELLOW, c4=15)
    fate(position, 7)
    assert [camels(position, label) for label in ("c3", "c4", "d3")] == [15, 15, 30]
    assert lawful(position)


def test_8_ten_silver_for_every_tribe_that_holds_its_own_settlement() -> None:
    position = desert(3)
    put(position, 0, a4=1)  # red has green's settlement as well as its own
    put(position, 1, c3=1)
    money(position, 0, 1, 2)
    events = fate(position, 8)
    assert only(events, "paid") == [{"seat": 0, "silver": 10}, {"seat": 2, "silver": 10}]
    assert list(position.state.silver[:3]) == [10, 1, 12]


@pytest.mark.parametrize(("before", "after"), [(10, 5), (7, 4), (1, 1), (0, 0)])
def test_9_every_settlement_loses_half_of_its_camels_rounded_down(before: int, after: int) -> None:
    position = desert(2)
    put(position, GREEN, b2=before, c3=9)
    put(position, GREEN, f6=12)  # whoever stands there
    put(position, YELLOW, g7=4)
    fate(position, 9)
    assert [camels(position, label) for label in ("b2", "f6", "c3", "g7")] == [after, 6, 9, 4]
    assert lawful(position)


def test_10_one_camel_is_lost_wherever_there_are_camels() -> None:
    position = desert(2)
    put(position, GREEN, c3=1, c4=0, d4=6)
    put(position, YELLOW, e5=2)
    events = fate(position, 10)
    assert [camels(position, label) for label in ("b2", "c3", "c4", "d4", "e5", "f6")] == [9, 0, 0, 5, 1, 9]
    assert owner(position, "c3") == GREEN
    assert len(only(events, "lost")) == 5
    assert lawful(position)


def test_11_every_reg_loses_five_camels_or_all_it_has() -> None:
    position = desert(2)
    lay(position, c3="reg", c4="reg", d3="erg")
    put(position, GREEN, c3=8, c4=4, d3=5)
    fate(position, 11)
    assert [camels(position, label) for label in ("c3", "c4", "d3")] == [3, 0, 5]
    assert owner(position, "c4") == GREEN


def test_12_five_camels_are_born_in_every_guelta_with_a_marker_even_an_empty_one() -> None:
    position = desert(2)
    lay(position, c3="guelta", c4="guelta", c5="guelta", d3="reg")
    put(position, GREEN, c3=3, c4=0, d3=1)
    fate(position, 12)
    assert [camels(position, label) for label in ("c3", "c4", "c5", "d3")] == [8, 5, 0, 1]
    assert lawful(position)


@pytest.mark.parametrize(("box", "each"), [(9, 3), (8, 2), (2, 0), (15, 5), (0, 0)])
def test_12_if_the_box_is_short_every_guelta_gets_the_same_number(box: int, each: int) -> None:
    position = desert(2)
    lay(position, c3="guelta", c4="guelta", e5="guelta")
    put(position, GREEN, c3=0, c4=0)
    put(position, YELLOW, e5=1, f6=400 - 10 - 1 - box)
    assert position.state.box == box
    fate(position, 12)
    assert [camels(position, label) for label in ("c3", "c4", "e5")] == [each, each, 1 + each]
    assert lawful(position)


def test_12_without_a_marked_guelta_nothing_is_born() -> None:
    position = desert(2)
    lay(position, c3="guelta")
    events = fate(position, 12)
    assert kinds(events)[:2] == ["fate", "nothing"]


def on_ergs(card: int | None) -> list[dict[str, int]]:
    """A fight from erg to erg with two sixes, after this fate card came up."""
    position = desert(2)
    lay(position, c3="erg", d3="erg")
    put(position, GREEN, c3=20)
    put(position, YELLOW, d3=20)
    money(position, 0, 0)
    if card is not None:
        fate(position, card)
    play(position, "march c3")
    return only(dice(position, "to d3", 6, 6), "struck")


def test_13_and_ruling_22_ergs_have_strategic_value_3_in_attack_and_defence() -> None:
    assert [blow["camels"] for blow in on_ergs(None)] == [3, 3]
    assert [blow["camels"] for blow in on_ergs(13)] == [4, 4]


def test_13_other_areas_keep_their_value() -> None:
    position = desert(2)
    lay(position, c3="mountain")
    put(position, GREEN, c3=20)
    put(position, YELLOW, d3=20)
    money(position, 0, 0)
    fate(position, 13)
    play(position, "march c3")
    assert only(dice(position, "to d3", 6, 6), "struck")[0]["camels"] == 3


def test_ruling_21_card_13_ends_with_its_round_however_late_it_comes() -> None:
    position = desert(2)
    lay(position, c3="erg", d3="erg")
    put(position, GREEN, c3=20)
    put(position, YELLOW, d3=20)
    money(position, 0, 0)
    pack(position, fate=13, later=(1,))  # the last card of its round: it lasts for no turn at all
    events = lucky(
        position, "stay", lambda events: only(events, "fate") == [{"fate": 13}] and only(events, "turn")[-1]["seat"] == 0
    )
    assert kinds(events).index("fate") < kinds(events).index("rolled")
    clear(position, "b2")
    put(position, GREEN, b2=0)
    play(position, "march c3")
    assert only(dice(position, "to d3", 6, 6), "struck")[0]["camels"] == 3


def test_14_every_guelta_loses_ten_camels_or_all_it_has() -> None:
    position = desert(2)
    lay(position, c3="guelta", c4="guelta")
    put(position, GREEN, c3=14)
    put(position, YELLOW, c4=10)
    fate(position, 14)
    assert [camels(position, label) for label in ("c3", "c4", "b2")] == [4, 0, 10]
    assert owner(position, "c4") == YELLOW


def test_15_who_holds_his_own_settlement_loses_all_his_silver_and_others_keep_theirs() -> None:
    position = desert(3)
    put(position, 0, a4=1)
    put(position, 1, c3=1)
    money(position, 8, 9, 0)
    events = fate(position, 15)
    assert only(events, "robbed") == [{"seat": 0, "silver": 8}]
    assert list(position.state.silver[:3]) == [0, 9, 0]


@pytest.mark.parametrize("first", [True, False])
def test_16_and_ruling_21_mountains_bring_three_at_the_end_of_the_round_whenever_the_card_comes(first: bool) -> None:
    position = desert(2)
    lay(position, c3="mountain", c4="mountain", d3="mountain")
    put(position, GREEN, c3=1, c4=0)
    put(position, YELLOW, d3=1)
    money(position, 0, 0)
    pack(position, 1, 0, fate=16, later=(1,))
    events = lucky(
        position,
        "stay",
        lambda events: (only(events, "fate") == [{"fate": 16}]) if first else (not only(events, "fate")),
    )
    events += lucky(position, "stay", lambda events: first or only(events, "fate")[0] == {"fate": 16})
    assert only(events, "income") == [{"seat": GREEN, "silver": 4 + 6}, {"seat": YELLOW, "silver": 4 + 3}]


def test_16_mountains_bring_nothing_in_the_next_round() -> None:
    position = desert(2)
    lay(position, c3="mountain")
    put(position, GREEN, c3=1)
    money(position, 0, 0)
    pack(position, fate=16, later=(1,))
    lucky(position, "stay", lambda events: only(events, "fate") == [{"fate": 16}])
    position.state.silver[:2] = 0
    turn(position, GREEN)
    events = pass_turn(position)
    assert only(events, "income")[0] == {"seat": GREEN, "silver": 4}


def test_16_mountains_are_worth_nothing_without_the_own_settlement() -> None:
    position = desert(2)
    lay(position, c3="mountain")
    put(position, YELLOW, b2=1)
    put(position, GREEN, c3=1)
    money(position, 0, 0)
    pack(position, fate=16, later=())
    events = pass_turn(position)
    assert only(events, "no_income") == [{"seat": GREEN}]
