"""The last round, scoring, the second stage, the end."""

from __future__ import annotations

from typing import Any

import pytest

from azalai.engine.errors import IllegalMove
from azalai.engine.position import Position
from tests.games.tuareg.table import TUAREG, can, finish_round, hand, listed, play, table, told


def test_when_the_last_card_is_drawn_everybody_has_one_more_turn_the_drawer_the_last():
    position = table(seats=3, hands=dict.fromkeys(range(3), "salt millet"), deck="gold gold water", turn=1)
    play(position, "draw", "give gold", "end")
    turns = []
    while position.state.stage == 1:
        turns.append(position.seat)
        assert not can(position, "draw")
        play(position, "end")
    assert turns == [2, 0, 1]


def test_the_turn_that_drew_the_last_card_is_completed():
    position = table(hands={0: "salt millet gold gold"}, deck="gold salt water")
    play(position, "draw")
    assert position.seat == 0
    assert position.state.hand_size[0] == 7


def test_passing_is_possible_in_the_last_round_only():
    """Ruling 2."""
    position = table(hands={0: "salt"}, market="gold")
    with pytest.raises(IllegalMove):
        position.play("end")
    position = table(hands={0: "salt"}, market="gold", deck="")
    assert told(play(position, "end"), "passed") == [{"seat": 0}]
    assert position.seat == 1


def test_who_can_do_nothing_in_the_last_round_is_passed_over():
    """Ruling 2: no action is possible, so nobody is asked."""
    position = table(seats=3, hands={0: "salt", 2: "gold"}, deck="", turns_left=2)
    events = play(position, "end")
    assert told(events, "passed") == [{"seat": 0}, {"seat": 1}]
    assert position.seat == 2


def test_the_most_goods_of_a_kind_bring_its_points_however_many_they_are():
    loads = {(0, "camel1"): "water", (1, "camel1"): "gold gold", (1, "camel2"): "salt salt salt salt", (0, "camel2"): "millet"}
    position = table(hands={0: "salt"}, loads=loads, deck="", turns_left=0)
    finish_round(position)
    assert position.state.points.tolist()[:2] == [6 + 3, 5 + 4]


def test_all_who_tie_for_the_most_get_one_point_less():
    """Ruling 21."""
    loads = {(0, "camel1"): "gold", (1, "camel1"): "gold", (2, "camel1"): "salt", (0, "camel2"): "salt salt"}
    position = table(seats=3, hands={0: "salt"}, loads=loads, deck="", turns_left=0)
    events = finish_round(position)
    assert position.state.points.tolist()[:3] == [4 + 4, 4, 0]
    assert [event["seat"] for event in told(events, "shared")] == [0, 1]


def test_a_tie_of_three_costs_one_point_as_well():
    """Ruling 21."""
    position = table(seats=3, hands={0: "salt"}, loads={(seat, "camel1"): "water" for seat in range(3)}, deck="", turns_left=0)
    finish_round(position)
    assert position.state.points.tolist()[:3] == [5, 5, 5]


def test_a_kind_nobody_shows_brings_nobody_points():
    """Ruling 20."""
    position = table(hands={0: "salt"}, loads={(0, "camel1"): "gold"}, deck="", turns_left=0)
    events = finish_round(position)
    assert position.state.points.tolist()[:2] == [5, 0]
    assert {event["good"] for event in told(events, "nobody")} == {0, 2, 3}


def test_goods_in_hand_do_not_count():
    position = table(hands={0: "gold gold gold", 1: "salt"}, loads={(1, "camel1"): "gold"}, deck="", turns_left=0)
    finish_round(position)
    assert position.state.points.tolist()[:2] == [0, 5]


# ---------------------------------------------------------------- the second stage


def stage_one_ends(**more: Any) -> Position:
    """A table at the last turn of stage one, with goods on all animals of seat 0, hands, a market and paid goods."""
    setting: dict[str, Any] = {
        "hands": {0: "salt", 1: "gold millet"},
        "loads": {(0, "camel1"): "gold salt", (0, "donkey1"): "water", (1, "camel2"): "millet"},
        "market": "millet millet",
        "deck": "",
        "donkeys": {0: 2},
        "turns_left": 0,
    } | more
    return table(**setting)


def test_hands_and_market_stay():
    position = stage_one_ends()
    finish_round(position)
    assert hand(position, 0) == "salt"
    assert hand(position, 1) == "gold millet"
    assert listed(position.state.market) == "millet millet"


def test_the_scored_goods_become_the_new_deck():
    position = stage_one_ends()
    finish_round(position)
    assert listed(position.state.deck) == "water gold salt millet"
    assert position.state.height.sum() == 0
    assert position.state.stage == 2


def test_paid_goods_stay_out():
    """Ruling 18."""
    position = stage_one_ends()
    discarded = sum(position.state.discard)
    finish_round(position)
    assert sum(position.state.discard) == discarded > 0


def test_paid_goods_are_shuffled_in_where_players_agreed_so():
    """Ruling 18, the option."""
    position = stage_one_ends(discards="reshuffled")
    discarded = sum(position.state.discard)
    finish_round(position)
    assert sum(position.state.discard) == 0
    assert position.state.deck_size == discarded + 4


def test_a_loaded_donkey_goes_back_and_an_empty_one_stays():
    """Ruling 17."""
    position = stage_one_ends()
    events = finish_round(position)
    assert position.state.donkeys[0] == 1
    assert told(events, "returned") == [{"seat": 0, "number": 1, "special": 0}]
    assert [int(fits) for fits in position.state.fits[0]] == [15, 15, 15, 15, 0, 0, 0, 0]


def test_a_donkey_that_was_unloaded_again_counts_as_unused():
    """Ruling 17."""
    position = stage_one_ends(caves={0: 1})
    play(position, "cave empty", "hide donkey1", "end")
    assert position.state.donkeys[0] == 2


def test_a_cave_with_a_single_good_goes_back():
    """Ruling 16."""
    position = stage_one_ends(caves={0: 2})
    play(position, "cave empty", "hide salt", "end")
    assert position.state.caves[0].tolist() == [1, 0, 0]
    assert position.state.stack.tolist() == [1, 1, 3, 3]


def test_a_thief_that_has_stolen_goes_back_and_another_stays():
    position = stage_one_ends(thieves={0: 2})
    play(position, "rob 1", "steal camel2", "end")
    s = position.state
    assert s.thieves[0] == 1
    assert s.stack[2] == 2
    assert s.loot_count == 0
    assert listed(s.deck) == "water gold salt millet"


def test_unused_special_cards_bring_nothing_after_the_first_stage_and_stay():
    """Rulings 14 and 15."""
    position = stage_one_ends(caves={0: 1}, thieves={0: 1}, maps={0: 1})
    finish_round(position)
    s = position.state
    assert s.points.tolist()[:2] == [6 + 5 + 4, 3]
    assert (int(s.caves[0, 0]), int(s.thieves[0]), int(s.maps[0])) == (1, 1, 1)


def test_the_left_neighbour_of_who_drew_the_last_card_begins_the_second_stage():
    """Ruling 22."""
    loads = {(seat, "camel1"): "salt" for seat in range(3)}
    position = table(seats=3, hands=dict.fromkeys(range(3), "salt millet"), loads=loads, deck="gold gold water", turn=1)
    play(position, "draw", "give gold", "end")
    finish_round(position)
    assert position.state.stage == 2
    assert position.seat == 2


def test_without_scored_goods_the_second_stage_is_one_last_round():
    """Ruling 19."""
    position = table(seats=3, hands=dict.fromkeys(range(3), "salt millet"), deck="", turns_left=0, turn=2)
    play(position, "end")
    assert position.state.stage == 2
    turns = []
    while not position.over:
        assert not can(position, "draw")
        turns.append(position.seat)
        play(position, "end")
    assert turns == [0, 1, 2]


def test_the_second_stage_ends_like_the_first_also_with_a_short_draw():
    position = table(hands={0: "salt millet", 1: "salt millet"}, deck="gold", stage=2)
    events = play(position, "draw", "end", "end")
    assert told(events, "drew") == [{"seat": 0, "number": 1}]
    assert position.seat == 0
    play(position, "end")
    assert position.over
    assert position.end == "second stage"


# ---------------------------------------------------------------- the end of the game


def last_turn(**setting: Any) -> Position:
    """A table at the last turn of the game."""
    usual: dict[str, Any] = {"hands": {0: "salt"}, "deck": "", "turns_left": 0, "stage": 2}
    return table(**(usual | setting))


def test_unused_special_cards_bring_a_point_each_and_maps_two():
    """Rulings 14 and 15."""
    position = last_turn(donkeys={0: 2}, caves={0: 2}, thieves={0: 3}, maps={0: 3})
    finish_round(position)
    assert position.scores == (2 + 2 + 3 + 6, 0)


def test_used_special_cards_bring_nothing():
    position = last_turn(
        hands={0: "salt gold", 1: "millet"}, loads={(0, "donkey1"): "gold"}, donkeys={0: 1}, caves={0: 1}, thieves={0: 1}
    )
    play(position, "cave empty", "hide salt", "rob 1", "end")
    assert position.scores == (5 + 4 + 3, 0)


def test_a_map_of_the_first_stage_brings_two_points_exactly_once():
    """Ruling 14."""
    position = table(hands={0: "salt", 1: "salt"}, maps={0: 1}, deck="", turns_left=0, turn=1)
    finish_round(position)
    assert position.state.points.tolist()[:2] == [0, 0]
    finish_round(position)
    assert position.scores == (2, 0)


def test_points_of_both_stages_count_together():
    position = last_turn(loads={(0, "camel1"): "gold"})
    position.state.points[:2] = 7, 20
    finish_round(position)
    assert position.scores == (12, 20)
    assert position.ranking == (2, 1)


def test_who_ties_is_parted_by_the_worth_of_the_hand():
    """Ruling 23: salt and millet are two dinar, gold and salt three."""
    position = last_turn(hands={0: "salt millet", 1: "gold salt"})
    finish_round(position)
    assert position.scores == (0, 0)
    assert position.ranking == (2, 1)


def test_with_hands_of_equal_worth_the_win_is_shared():
    """Ruling 23: two millet are worth a gold."""
    position = last_turn(seats=3, hands={0: "millet millet", 1: "gold", 2: "salt"})
    finish_round(position)
    assert position.ranking == (1, 1, 3)


def test_a_valuable_hand_never_beats_a_point():
    position = last_turn(hands={0: "water water water water"}, maps={1: 1})
    finish_round(position)
    assert position.ranking == (2, 1)


def test_scores_as_things_stand_count_what_lies_open():
    position = table(hands={0: "salt"}, loads={(0, "camel1"): "gold", (1, "camel1"): "salt"}, maps={1: 1})
    assert position.scores == (5, 4 + 2)


def test_every_number_of_players_plays_to_the_end():
    for seats in TUAREG.seats:
        position = TUAREG.new(seats, seats)
        while not position.over:
            position.play(position.moves()[0])
        assert position.end == "second stage"
        assert len(position.scores) == seats
