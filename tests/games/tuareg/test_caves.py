"""Caves: one good a turn each, two at most, from the hand or from the top of an animal."""

from __future__ import annotations

import pytest

from azalai.engine.errors import IllegalMove
from tests.games.tuareg.table import can, hand, listed, load, play, table, told


def test_a_good_from_the_hand_is_hidden():
    position = table(hands={0: "gold salt"}, caves={0: 1})
    play(position, "cave empty", "hide gold")
    assert hand(position, 0) == "salt"
    assert listed(position.state.cave_goods[0]) == "gold"
    assert position.state.caves[0].tolist() == [0, 1, 0]


def test_the_top_good_of_an_animal_is_hidden():
    position = table(loads={(0, "camel1"): "gold salt"}, caves={0: 1})
    play(position, "cave empty")
    assert load(position, 0, "camel1") == "gold"
    assert listed(position.state.cave_seen[0]) == "salt"


def test_a_donkey_gives_its_top_good_too():
    """Ruling 9."""
    position = table(hands={0: "salt"}, loads={(0, "donkey1"): "gold water"}, donkeys={0: 1}, caves={0: 1})
    play(position, "cave empty", "hide donkey1")
    assert listed(position.state.cave_seen[0]) == "water"


def test_a_cave_takes_one_good_a_turn_and_two_in_all():
    position = table(hands={0: "gold salt salt millet", 1: "salt"}, caves={0: 1})
    play(position, "cave empty", "hide gold")
    assert not can(position, "cave")
    play(position, "load camel1", "put millet", "done", "draw", "give salt", "end")
    assert position.seat == 0
    assert can(position, "cave") == {"cave started"}
    play(position, "cave started", "hide salt")
    assert position.state.caves[0].tolist() == [0, 0, 1]
    assert not can(position, "cave")


def test_with_two_caves_two_goods_are_hidden_in_a_turn():
    position = table(hands={0: "gold salt millet"}, caves={0: 2})
    play(position, "cave empty", "hide gold", "cave empty", "hide salt")
    assert position.state.caves[0].tolist() == [0, 2, 0]
    assert not can(position, "cave")


def test_one_may_choose_between_an_empty_and_a_started_cave():
    position = table(hands={0: "gold salt millet", 1: "salt"}, caves={0: 2})
    play(position, "cave empty", "hide gold", "load camel1", "put salt", "done", "end", "draw", "give salt", "end")
    assert can(position, "cave") == {"cave empty", "cave started"}


def test_caves_can_be_used_before_and_after_the_main_action():
    """Ruling 3."""
    position = table(hands={0: "gold salt millet"}, caves={0: 2})
    play(position, "cave empty", "hide gold", "load camel1", "put salt", "done")
    assert position.phase == "after"
    play(position, "cave empty", "hide millet")
    assert position.seat == 1


def test_a_cave_can_be_used_in_the_turn_it_was_bought():
    """Ruling 3."""
    position = table(hands={0: "water gold"})
    play(position, "buy cave")
    assert can(position) == {"cave empty", "end"}
    play(position, "cave empty")
    assert listed(position.state.cave_goods[0]) == "gold"


def test_hiding_does_not_replace_the_good_that_is_due_to_the_market():
    """Ruling 5."""
    position = table(hands={0: "gold"}, deck="salt salt millet water", caves={0: 1})
    play(position, "draw", "cave empty", "hide gold")
    assert position.phase == "give"
    with pytest.raises(IllegalMove):
        position.play("end")


def test_the_good_that_is_due_to_the_market_cannot_be_hidden():
    """Ruling 5: of three drawn goods and with three caves, two are hidden at most."""
    position = table(seats=3, deck="salt salt salt salt", caves={0: 3})
    events = play(position, "draw", "cave empty", "cave empty")
    assert told(events, "gave") == [{"seat": 0, "good": 2}]
    assert position.state.caves[0].tolist() == [1, 2, 0]


def test_hiding_helps_to_keep_the_hand_limit():
    """Rulings 5 and 6: of six goods after drawing, one goes into the market, one into the cave, four stay in hand."""
    position = table(hands={0: "gold gold salt"}, deck="millet millet millet millet", caves={0: 1})
    play(position, "draw", "give millet")
    assert position.phase == "give"
    play(position, "cave empty", "hide gold")
    assert hand(position, 0) == "gold salt millet millet"
    assert "end" in can(position)


def test_without_goods_a_cave_cannot_be_used():
    position = table(caves={0: 1}, market="salt")
    assert not can(position, "cave")


def test_all_see_what_goes_from_an_animal_into_a_cave():
    """Ruling 12."""
    position = table(seats=3, hands={0: "gold"}, loads={(0, "camel1"): "salt"}, caves={0: 1})
    play(position, "cave empty", "hide camel1")
    for seat in (0, 1, 2, None):
        assert position.view(seat)["cave_seen"][0] == [0, 0, 1, 0]
        assert told(position.seen_by(seat).events, "hid_seen")


def test_only_the_owner_sees_what_goes_from_the_hand_into_a_cave():
    """Ruling 12."""
    position = table(seats=3, hands={0: "gold salt"}, caves={0: 1})
    play(position, "cave empty", "hide gold")
    assert position.view(0)["cave_goods"][0] == [0, 1, 0, 0]
    for seat in (1, 2, None):
        view = position.view(seat)
        assert view["cave_goods"][0] == [0, 0, 0, 0]
        assert view["caves"][0] == [0, 1, 0]
        assert view["notes"]["hidden"] == [1, 0, 0]
        assert told(position.seen_by(seat).events, "hid") == [{"seat": 0, "cave": 0}]
        assert not told(position.seen_by(seat).events, "hid_good")


def test_hidden_goods_count_at_the_end_of_the_stage():
    position = table(hands={0: "gold salt"}, caves={0: 1}, deck="", turns_left=0)
    play(position, "cave empty", "hide gold", "end")
    assert position.state.stage == 2
    assert position.state.points[0] == 5
