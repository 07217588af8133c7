"""A turn: march, fight, purchase (section 5 of the rulebook)."""

from __future__ import annotations

import pytest

from azalai.engine.errors import IllegalMove
from tests.games.targui.desert import (
    GREEN,
    YELLOW,
    at,
    camels,
    clear,
    desert,
    dice,
    kinds,
    lawful,
    lay,
    money,
    moves,
    neighbours,
    only,
    owner,
    pack,
    play,
    put,
)

# ---------------------------------------------------------------- march


def test_example_of_twelve_camels_in_an_oasis_up_to_twelve_may_march_to_one_neighbour() -> None:
    position = desert(2)
    clear(position, "b2")
    lay(position, c3="guelta", c4="chott")
    put(position, GREEN, c3=12, a1=5)
    money(position, 0, 0)
    play(position, "march c3")
    assert moves(position) == {f"to {label}" for label in neighbours("c3") if label != "c4"}  # any neighbour but salt sea
    play(position, "to d2")
    assert moves(position) == {f"camels {number}" for number in range(1, 13)}
    play(position, "camels 7")
    assert (camels(position, "c3"), camels(position, "d2")) == (5, 7)
    assert position.phase != "heading"  # none may go elsewhere in this turn, and none from a1 may come along
    assert camels(position, "a1") == 5


def test_at_least_one_camel_marches() -> None:
    position = desert(2)
    play(position, "march b2", "to b3")
    with pytest.raises(IllegalMove):
        position.play("camels 0")
    assert "camels 1" in moves(position)


def test_camels_march_straight_or_diagonally_to_a_neighbour_only() -> None:
    position = desert(2)
    play(position, "march b2")
    assert moves(position) == {"to a1", "to b1", "to c1", "to a2", "to c2", "to a3", "to b3", "to c3"}


def test_nobody_enters_salt_sea() -> None:
    position = desert(2)
    lay(position, b3="chott", a1="chott")
    play(position, "march b2")
    assert not moves(position) & {"to b3", "to a1"}


def test_where_only_one_field_can_be_reached_it_is_not_asked_for() -> None:
    position = desert(2)
    lay(position, a2="chott", b1="chott")
    put(position, GREEN, a1=3)
    play(position, "march a1")
    assert position.phase == "leading"
    assert position.state.target == at("b2")


def test_a_field_that_is_entered_gets_a_marker() -> None:
    position = desert(2)
    play(position, "march b2", "to c3", "camels 1")
    assert owner(position, "c3") == GREEN


def test_a_field_left_by_all_camels_keeps_its_marker() -> None:
    position = desert(2)
    play(position, "march b2", "to c3", "camels 10")
    assert camels(position, "b2") == 0
    assert owner(position, "b2") == GREEN


def test_the_march_comes_before_the_purchase_and_never_after_it() -> None:
    position = desert(2)
    pack(position, 0, 1)
    play(position, "stay")
    assert all(move.startswith(("buy", "done")) for move in moves(position))
    play(position, "buy b2", "camels 3")
    assert position.seat == YELLOW


def test_ruling_8_camels_may_march_to_a_field_of_their_own_and_join_others() -> None:
    position = desert(2)
    put(position, GREEN, c3=4)
    play(position, "march b2", "to c3", "camels 6")
    assert camels(position, "c3") == 10


@pytest.mark.parametrize("target", ["c3", "b3"])
def test_ruling_9_a_field_without_camels_is_taken_without_a_fight(target: str) -> None:
    position = desert(2)
    put(position, YELLOW, c3=0, b3=0)
    events = play(position, "march b2", f"to {target}", "camels 2")
    assert kinds(events) == ["marched", "took"]
    assert only(events, "took") == [{"seat": GREEN, "field": at(target), "loser": YELLOW}]
    assert owner(position, target) == GREEN
    assert lawful(position)


def test_ruling_9_even_a_settlement_is_taken_without_a_fight_when_no_camels_are_there() -> None:
    position = desert(2)
    put(position, YELLOW, f6=0, g7=3)
    put(position, GREEN, e5=1)
    events = play(position, "march e5", "to f6")
    assert kinds(events) == ["marched", "took"]
    assert owner(position, "f6") == GREEN
    assert position.scores == (8, 0)
    assert lawful(position)


def test_ruling_6_a_player_may_mark_more_than_35_fields() -> None:
    position = desert(2)
    labels = [f"{column}{row}" for row in range(1, 7) for column in "abcdefg"]
    put(position, GREEN, **{label: 1 for label in labels if label != "f6"})
    clear(position, "a6")
    marked = bin(position.state.marks[GREEN]).count("1")
    assert marked == 40
    play(position, "march a5", "to a6")
    assert bin(position.state.marks[GREEN]).count("1") == 41
    assert lawful(position)


# ---------------------------------------------------------------- fight


def duel(attackers: int = 10, defenders: int = 10, own: str = "feche", other: str = "feche"):
    """Green on c3 beside Yellow on d3, nothing else around, nobody with money; the turn is not the last of the round."""
    position = desert(2)
    lay(position, c3=own, d3=other)
    put(position, GREEN, c3=attackers)
    put(position, YELLOW, d3=defenders)
    money(position, 0, 0)
    pack(position, 1, 0)
    play(position, "march c3")
    return position


def test_example_an_attack_from_mountains_with_a_six_costs_three_camels() -> None:
    position = duel(own="mountain")
    events = dice(position, "to d3", 6, 1)
    assert only(events, "struck")[0] == {"seat": GREEN, "die": 6, "field": at("d3"), "camels": 3}
    assert camels(position, "d3") == 7


@pytest.mark.parametrize(("area", "die", "loss"), [("guelta", 4, 3), ("feche", 6, 4)])
def test_more_examples_of_blows(area: str, die: int, loss: int) -> None:
    position = duel(own=area)
    dice(position, "to d3", die, 1)
    assert camels(position, "d3") == 10 - loss


LOSSES = {
    "reg": (0, 1, 1, 2, 2, 3),
    "mountain": (1, 1, 2, 2, 3, 3),
    "feche": (1, 2, 2, 3, 3, 4),
    "guelta": (2, 2, 3, 3, 4, 4),
    "settlement": (2, 3, 3, 4, 4, 5),
    "saline": (3, 3, 4, 4, 5, 5),
}


@pytest.mark.parametrize("area", LOSSES)
def test_the_loss_is_half_of_value_and_die_rounded_down(area: str) -> None:
    for die, loss in enumerate(LOSSES[area], 1):
        position = duel(own=area)
        dice(position, "to d3", die, 1)
        assert camels(position, "d3") == 10 - loss


@pytest.mark.parametrize("area", LOSSES)
def test_the_defender_strikes_back_with_the_value_of_his_own_field(area: str) -> None:
    for die, loss in enumerate(LOSSES[area], 1):
        position = duel(own="reg", other=area)
        events = dice(position, "to d3", 1, die)
        assert only(events, "struck")[1] == {"seat": YELLOW, "die": die, "field": at("c3"), "camels": loss}
        assert camels(position, "c3") == 10 - loss


def test_the_number_of_camels_does_not_change_a_blow() -> None:
    for attackers in (3, 100):
        position = duel(attackers=attackers, defenders=50)
        dice(position, "to d3", 4, 1)
        assert camels(position, "d3") == 47


def test_a_blow_kills_no_more_camels_than_there_are() -> None:
    position = duel(defenders=2)
    events = dice(position, "to d3", 6)
    assert only(events, "struck") == [{"seat": GREEN, "die": 6, "field": at("d3"), "camels": 2}]
    assert lawful(position)


def test_camels_lost_in_a_fight_go_back_to_the_box() -> None:
    position = duel()
    before = position.state.box
    dice(position, "to d3", 4, 2)
    assert position.state.box == before + 3 + 2


def test_the_attacker_strikes_first_and_a_defender_without_camels_does_not_strike_back() -> None:
    position = duel(defenders=1)
    events = dice(position, "to d3", 3)
    assert kinds(events) == ["attacked", "struck", "conquered"]


def test_after_a_victory_the_markers_change_and_camels_move_in() -> None:
    position = duel(attackers=5, defenders=1)
    dice(position, "to d3", 3)
    assert position.phase == "entering"
    events = play(position, "camels 3")
    assert only(events, "marched") == [{"seat": GREEN, "origin": at("c3"), "field": at("d3"), "camels": 3}]
    assert (owner(position, "d3"), camels(position, "c3"), camels(position, "d3")) == (GREEN, 2, 3)
    assert lawful(position)


def test_an_attacker_without_camels_has_lost_but_keeps_his_field() -> None:
    position = duel(attackers=1)
    events = dice(position, "to d3", 1, 6)
    assert kinds(events)[:4] == ["attacked", "struck", "struck", "beaten"]
    assert (owner(position, "c3"), camels(position, "c3")) == (GREEN, 0)
    assert owner(position, "d3") == YELLOW  # and the defender does not follow


def test_the_attacker_may_break_off_after_the_defender_has_struck_back() -> None:
    position = duel()
    dice(position, "to d3", 2, 2)
    assert moves(position) == {"strike", "retreat"}
    events = play(position, "retreat")
    assert kinds(events)[0] == "retreated"
    assert (camels(position, "c3"), camels(position, "d3")) == (8, 8)
    assert owner(position, "d3") == YELLOW


def test_a_fight_goes_on_until_one_side_is_gone() -> None:
    position = duel(attackers=9, defenders=6)
    dice(position, "to d3", 4, 1)
    assert (camels(position, "c3"), camels(position, "d3")) == (8, 3)
    events = dice(position, "strike", 5)
    assert kinds(events) == ["struck", "conquered"]


@pytest.mark.parametrize("end", ["won", "lost", "broken off"])
def test_every_fight_counts_as_the_march(end: str) -> None:
    position = duel(attackers=3 if end == "lost" else 10, defenders=1 if end == "won" else 10)
    position.state.silver[GREEN] = 5
    if end == "won":
        dice(position, "to d3", 6)
        play(position, "camels 1")
    elif end == "lost":
        dice(position, "to d3", 1, 6)
    else:
        dice(position, "to d3", 1, 1)
        play(position, "retreat")
    assert position.phase == "buying"


def test_ruling_10_a_single_camel_may_attack_and_leave_its_field_empty() -> None:
    position = duel(attackers=1, defenders=1)
    events = dice(position, "to d3", 3)
    assert kinds(events)[:4] == ["attacked", "struck", "conquered", "marched"]  # nobody is asked how many
    assert (camels(position, "c3"), owner(position, "c3"), camels(position, "d3")) == (0, GREEN, 1)


def test_ruling_11_all_camels_of_the_field_are_in_the_fight_and_one_to_all_move_in() -> None:
    position = duel(attackers=6, defenders=1)
    assert not any(move.startswith("camels") for move in moves(position))  # no number is asked before the fight
    dice(position, "to d3", 6)
    assert moves(position) == {f"camels {number}" for number in range(1, 7)}
    play(position, "camels 6")
    assert (camels(position, "c3"), camels(position, "d3")) == (0, 6)


def test_ruling_12_the_first_blow_cannot_be_taken_back() -> None:
    position = duel()
    events = dice(position, "to d3", 3, 3)
    assert kinds(events) == ["attacked", "struck", "struck"]
    assert position.phase == "fighting"
    assert not position.takes_back


def test_who_conquers_the_last_field_of_a_player_eliminates_him() -> None:
    position = desert(3)
    clear(position, "a4")
    put(position, 1, c3=1)
    put(position, 0, c2=5)
    money(position, 0, 3, 0)
    pack(position, 1, 1, 1)
    play(position, "march c2")
    events = dice(position, "to c3", 4)
    assert kinds(events) == ["attacked", "struck", "conquered", "eliminated"]
    play(position, "camels 2")
    assert lawful(position)
    assert not position.over


# ---------------------------------------------------------------- purchase


def test_a_camel_costs_one_silver() -> None:
    position = desert(2)
    money(position, 7, 0)
    pack(position, 1, 0)
    play(position, "stay", "buy b2")
    assert moves(position) == {f"camels {number}" for number in range(1, 8)}
    play(position, "camels 5")
    assert (camels(position, "b2"), position.state.silver[GREEN]) == (15, 2)


def test_ruling_5_no_more_camels_can_be_bought_than_the_box_has() -> None:
    position = desert(2)
    put(position, GREEN, b2=200)
    put(position, YELLOW, f6=197)
    money(position, 50, 0)
    pack(position, 1, 0)
    play(position, "stay", "buy b2")
    assert moves(position) == {"camels 1", "camels 2", "camels 3"}
    play(position, "camels 3")
    assert position.state.box == 0
    assert lawful(position)


def test_ruling_5_with_an_empty_box_nothing_is_asked() -> None:
    position = desert(2)
    put(position, GREEN, b2=200)
    put(position, YELLOW, f6=200)
    money(position, 50, 0)
    pack(position, 0, 1)
    play(position, "stay")
    assert (position.seat, position.phase) == (YELLOW, "marching")


def test_ruling_14_all_camels_bought_in_a_turn_go_to_one_field() -> None:
    position = desert(2)
    put(position, GREEN, c3=1)
    money(position, 9, 0)
    pack(position, 0, 1)
    play(position, "stay", "buy b2", "camels 4")
    assert position.seat == YELLOW  # with five silver left the turn is over


def test_ruling_15_camels_may_be_bought_for_the_field_just_taken_and_for_one_far_away() -> None:
    position = desert(2)
    put(position, GREEN, g1=0)
    play(position, "march b2", "to c3", "camels 2")
    assert moves(position) == {"buy b2", "buy c3", "buy g1", "done"}
    play(position, "buy g1", "camels 10")
    assert camels(position, "g1") == 10


def test_camels_are_not_bought_for_fields_of_others_or_of_nobody() -> None:
    position = desert(2)
    play(position, "stay")
    assert moves(position) == {"buy b2", "done"}


def test_one_silver_buys_one_camel_without_asking_how_many() -> None:
    position = desert(2)
    money(position, 1, 0)
    pack(position, 0, 1)
    play(position, "stay", "buy b2")
    assert camels(position, "b2") == 11
    assert position.seat == YELLOW


def test_without_money_nobody_is_asked_to_buy() -> None:
    position = desert(2)
    money(position, 0, 0)
    pack(position, 0, 1)
    play(position, "march b2", "to b3", "camels 1")
    assert position.seat == YELLOW


def test_only_the_choices_before_chance_decides_can_be_taken_back() -> None:
    position = desert(2)
    play(position, "march b2")
    assert position.takes_back
    play(position, "to b3")
    assert position.takes_back
    play(position, "camels 2")
    assert position.takes_back
    play(position, "done")
    assert not position.takes_back  # a card has been turned
