"""Camels and donkeys: what may be loaded, from the camp and from the market."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from azalai.engine.errors import IllegalMove
from azalai.games.tuareg.components import GOODS
from azalai.games.tuareg.rules_animals import load_on_top
from tests.games.tuareg.table import TUAREG, can, hand, load, play, table


def loadable(goods: str, animal: str = "camel1") -> bool:
    """Whether an animal can be loaded with these goods from the bottom, one after the other."""
    position = table(hands={0: goods}, donkeys={0: 1})
    try:
        play(position, f"load {animal}", *(f"put {good}" for good in goods.split()))
    except IllegalMove:
        return load(position, 0, animal) == goods  # the last ones may have followed by themselves
    return load(position, 0, animal) == goods


@pytest.mark.parametrize(
    "goods",
    ["salt salt millet", "millet millet gold gold", "gold gold millet millet", "gold salt salt salt", "salt salt salt gold"],
)
def test_a_camel_carries_two_kinds_with_one_change(goods):
    assert loadable(goods)


@pytest.mark.parametrize("goods", ["gold millet millet gold", "millet gold millet millet", "salt millet salt"])
def test_a_camel_carries_nothing_with_two_changes(goods):
    assert not loadable(goods)


def test_a_camel_never_carries_three_kinds():
    assert not loadable("gold salt millet")


def test_a_camel_with_water_carries_nothing_else():
    assert loadable("water water water water")
    for other in ("gold", "salt", "millet"):
        assert not loadable(f"water {other}")
        assert not loadable(f"{other} water")


def test_a_camel_carries_at_most_two_gold():
    assert loadable("gold gold")
    assert not loadable("gold gold gold")
    assert not loadable("salt gold gold gold")


def test_a_camel_carries_at_most_four_goods():
    position = table(hands={0: "salt"}, loads={(0, "camel1"): "salt salt salt salt"})
    assert "load camel1" not in can(position)
    assert "load camel2" in can(position)


def test_every_load_of_a_camel_agrees_with_the_rules_as_written():
    """All 340 stacks of one to four goods, against the four sentences of the rulebook."""

    def allowed(stack: tuple[str, ...]) -> bool:
        changes = sum(one != other for one, other in itertools.pairwise(stack))
        return (
            len(set(stack)) <= 2
            and changes <= 1
            and stack.count("gold") <= 2
            and ("water" not in stack or set(stack) == {"water"})
        )

    for size in range(1, 5):
        for stack in itertools.product(GOODS, repeat=size):
            s = TUAREG.new(2, 1).state
            loaded = True
            for good in map(GOODS.index, stack):
                loaded = loaded and bool(int(s.fits[0, 0]) >> good & 1)
                if loaded:
                    load_on_top(s, 0, 0, good)
            assert loaded == allowed(stack), stack


@pytest.mark.parametrize("goods", ["gold gold water gold", "gold water millet salt", "water water salt water"])
def test_a_donkey_carries_any_goods_in_any_order(goods):
    assert loadable(goods, "donkey1")


def test_a_donkey_carries_at_most_four_goods():
    position = table(hands={0: "gold"}, donkeys={0: 1}, loads={(0, "donkey1"): "gold water gold gold"})
    assert "load donkey1" not in can(position)


# ---------------------------------------------------------------- from the camp


TIMO: dict[str, Any] = {"hands": {0: "gold salt salt salt"}, "loads": {(0, "camel1"): "gold"}}


@pytest.mark.parametrize(
    ("moves", "animal", "result"),
    [
        ("load camel1, put gold, put salt, put salt", "camel1", "gold gold salt salt"),
        ("load camel1, put salt, put salt, put salt", "camel1", "gold salt salt salt"),
        ("load camel2, put gold, put salt, put salt, put salt", "camel2", "gold salt salt salt"),
        ("load camel2, put salt, put salt, put salt", "camel2", "salt salt salt gold"),  # the last good follows by itself
    ],
)
def test_timo_has_four_ways_to_load_as_much_as_he_can(moves, animal, result):
    """The rulebook's example: a camel with 1 gold; 1 gold and 3 salt in hand."""
    position = table(**TIMO)
    wanted = result.split()
    play(position, moves.split(", ")[0])
    while position.phase == "load":
        done = len(load(position, 0, animal).split())
        play(position, f"put {wanted[done]}")
    assert load(position, 0, animal) == result


def test_timo_cannot_lay_gold_on_salt_on_gold():
    position = table(**TIMO)
    play(position, "load camel1", "put salt")
    assert can(position) == {"put salt", "done"}


def test_goods_go_on_top_of_what_an_animal_carries():
    position = table(hands={0: "millet millet"}, loads={(0, "camel1"): "salt salt"})
    play(position, "load camel1", "put millet")
    assert load(position, 0, "camel1") == "salt salt millet millet"


def test_one_may_stop_after_any_good():
    position = table(hands={0: "salt millet gold"})
    play(position, "load camel1", "put salt", "done")
    assert load(position, 0, "camel1") == "salt"
    assert position.seat == 1


def test_an_animal_that_was_chosen_gets_at_least_one_good():
    position = table(hands={0: "salt millet"})
    play(position, "load camel1")
    assert can(position) == {"put salt", "put millet"}


def test_in_a_turn_only_one_animal_is_loaded():
    position = table(hands={0: "salt millet gold", 1: "salt"}, thieves={0: 1})
    play(position, "load camel1", "put salt", "done")
    assert not can(position, "load") | can(position, "take")
    assert position.seat == 0


def test_the_present_load_decides_not_what_an_animal_once_carried():
    """Ruling 7: gold under salt; once the salt is gone, gold fits again."""
    position = table(hands={0: "gold salt"}, loads={(0, "camel1"): "gold salt"}, caves={0: 1})
    play(position, "cave empty", "hide camel1", "load camel1", "put gold")
    assert load(position, 0, "camel1").startswith("gold gold")


def test_a_camel_that_lost_its_water_carries_anything():
    """Ruling 7."""
    position = table(hands={0: "salt", 1: "water"}, loads={(0, "camel1"): "water"}, thieves={1: 1}, turn=1)
    play(position, "rob 0", "steal camel1", "draw")
    s = position.state
    assert int(s.fits[0, 0]) == 15


def test_of_two_empty_camels_it_does_not_matter_which_one_is_loaded():
    position = table(hands={0: "salt millet"}, donkeys={0: 2})
    assert can(position, "load") == {"load camel1", "load donkey1"}


# ---------------------------------------------------------------- from the market


def test_goods_of_one_kind_go_from_the_market_straight_onto_an_animal():
    position = table(market="salt salt salt gold", loads={(0, "camel1"): "millet"})
    play(position, "take salt", "onto camel1", "amount 3")
    assert load(position, 0, "camel1") == "millet salt salt salt"
    assert hand(position, 0) == ""
    assert position.seat == 1


def test_up_to_four_goods_are_taken_from_the_market():
    position = table(market="salt salt salt salt salt")
    play(position, "take salt")
    assert can(position) == {"amount 1", "amount 2", "amount 3", "amount 4"}


def test_no_more_gold_is_taken_than_the_camel_may_carry():
    position = table(market="gold gold gold", loads={(0, "camel1"): "gold", (0, "camel2"): "salt", (0, "camel3"): "water"})
    play(position, "take gold")
    assert can(position) == {"onto camel1", "onto camel2"}
    play(position, "onto camel2")
    assert can(position) == {"amount 1", "amount 2"}


def test_goods_that_fit_no_animal_cannot_be_taken():
    full = {(0, "camel1"): "water", (0, "camel2"): "water", (0, "camel3"): "salt millet"}
    position = table(market="gold salt millet", loads=full)
    assert can(position, "take") == {"take millet"}


def test_goods_from_market_and_hand_are_never_mixed():
    """Ruling 8."""
    position = table(hands={0: "salt"}, market="salt salt")
    play(position, "take salt", "amount 2")
    assert position.seat == 1
    assert hand(position, 0) == "salt"


def test_a_donkey_is_loaded_from_the_market_too():
    """Ruling 9."""
    position = table(market="gold gold gold gold", donkeys={0: 1})
    play(position, "take gold", "onto donkey1", "amount 4")
    assert load(position, 0, "donkey1") == "gold gold gold gold"
