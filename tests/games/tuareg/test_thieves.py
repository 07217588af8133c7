"""Thieves: once each, blindly from a hand or the top good of an animal."""

from __future__ import annotations

from typing import Any

from tests.games.tuareg.table import can, hand, load, play, table, told


def test_a_thief_steals_a_random_card_from_a_hand():
    stolen = set()
    for seed in range(40):
        position = table(hands={1: "gold salt millet"}, market="salt", thieves={0: 1}, seed=seed)
        play(position, "rob 1")
        good = int(position.state.loot_good[0])
        stolen.add(good)
        assert len(hand(position, 1).split()) == 2
        assert position.revealed
    assert stolen == {1, 2, 3}


def test_a_thief_steals_every_card_of_a_hand_as_often():
    gold = 0
    for seed in range(600):
        position = table(hands={1: "gold salt salt salt"}, market="millet", thieves={0: 1}, seed=seed)
        play(position, "rob 1")
        gold += position.state.loot_good[0] == 1
    assert 105 <= gold <= 195  # 150 expected, standard deviation 10.6


def test_a_thief_steals_the_top_good_of_an_animal():
    position = table(hands={1: "water"}, loads={(1, "camel1"): "gold salt"}, market="salt", thieves={0: 1})
    play(position, "rob 1", "steal camel1")
    assert load(position, 1, "camel1") == "gold"
    assert position.state.loot_good[0] == 2
    assert not position.revealed


def test_a_thief_steals_from_a_donkey_too():
    """Ruling 9."""
    position = table(donkeys={1: 1}, loads={(1, "donkey1"): "salt water"}, market="salt", thieves={0: 1})
    play(position, "rob 1")
    assert load(position, 1, "donkey1") == "salt"
    assert position.state.loot_good[0] == 0


def test_a_thief_robs_hands_and_animals_only():
    """Ruling 11: not caves, not thieves, not the market, no special cards."""
    belongings: dict[str, Any] = {"caves": {1: 1}, "thieves": {0: 1, 1: 1}, "maps": {1: 1}}
    position = table(hands={0: "gold", 1: "salt millet"}, loads={(1, "camel2"): "gold"}, market="salt gold", turn=1, **belongings)
    play(position, "cave empty", "hide camel2", "rob 0", "take salt")
    assert position.seat == 0
    play(position, "rob 1")
    assert can(position) == {"steal hand", "steal camel1"}


def test_from_an_empty_hand_nothing_is_stolen():
    """Ruling 13."""
    position = table(
        seats=3, hands={2: "salt"}, loads={(1, "camel1"): "gold", (1, "camel2"): "salt"}, market="salt", thieves={0: 1}
    )
    assert can(position, "rob") == {"rob 1", "rob 2"}
    play(position, "rob 1")
    assert can(position) == {"steal camel1", "steal camel2"}


def test_who_has_nothing_cannot_be_robbed():
    """Ruling 13: another must be chosen, or the thief waits."""
    position = table(seats=3, hands={2: "salt"}, market="salt", thieves={0: 1})
    assert can(position, "rob") == {"rob 2"}
    position = table(seats=3, market="salt", thieves={0: 1})
    assert not can(position, "rob")


def test_several_thieves_can_be_used_in_a_turn_before_and_after_the_main_action():
    """Ruling 3."""
    position = table(hands={1: "salt salt salt salt"}, market="millet", thieves={0: 3})
    play(position, "rob 1", "rob 1", "take millet", "rob 1")
    assert position.state.loot_count == 3
    assert hand(position, 1) == "salt"
    assert position.seat == 1


def test_a_thief_can_be_used_in_the_turn_he_was_bought():
    """Ruling 3."""
    position = table(hands={0: "water", 1: "salt"})
    play(position, "buy thief")
    assert can(position) == {"rob 1", "end"}


def test_a_thief_steals_only_once():
    position = table(hands={1: "salt salt"}, market="salt millet", thieves={0: 1})
    play(position, "rob 1")
    assert not can(position, "rob")
    assert position.state.thieves[0] == 0


def test_thief_and_victim_alone_know_a_card_stolen_from_a_hand():
    """Ruling 12."""
    position = table(seats=3, hands={1: "gold"}, market="salt", thieves={0: 1})
    play(position, "rob 1")
    for seat, known in ((0, 1), (1, 1), (2, -1), (None, -1)):
        assert position.view(seat)["loot_good"][0] == known
        assert len(told(position.seen_by(seat).events, "stole_good")) == (known == 1)
        assert told(position.seen_by(seat).events, "stole") == [{"seat": 0, "victim": 1}]


def test_all_know_a_good_stolen_from_an_animal():
    """Ruling 12."""
    position = table(seats=3, loads={(1, "camel1"): "gold"}, market="salt", thieves={0: 1})
    play(position, "rob 1")
    for seat in (0, 1, 2, None):
        assert position.view(seat)["loot_good"][0] == 1


def test_stolen_goods_count_for_the_thief():
    position = table(hands={0: "salt"}, loads={(1, "camel1"): "gold gold"}, thieves={0: 1}, deck="", turns_left=0)
    play(position, "rob 1", "end")
    assert position.state.points.tolist()[:2] == [4, 4]  # one gold each


def test_stealing_from_an_animal_can_be_taken_back_and_from_a_hand_cannot():
    position = table(hands={1: "salt"}, loads={(1, "camel1"): "gold"}, market="salt", thieves={0: 2})
    play(position, "rob 1", "steal camel1")
    assert position.takes_back
    position.undo()
    play(position, "steal hand")
    assert not position.takes_back
