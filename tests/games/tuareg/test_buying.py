"""Buying special cards: three dinar, from the hand and from the top of animals, without a needless card."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from azalai.engine.errors import IllegalMove
from azalai.games.tuareg.components import ANIMAL_LABELS, DINAR, GOODS, KINDS
from tests.games.tuareg.table import can, hand, listed, load, play, table, told

PAYMENTS = {
    ("water",),
    ("gold", "gold"),
    ("gold", "salt"),
    ("gold", "millet"),
    *itertools.combinations_with_replacement(("salt", "millet"), 3),
}


def test_a_special_card_costs_three_dinar_and_lies_open_before_its_owner():
    position = table(hands={0: "water"}, discard="")
    events = play(position, "buy map")
    assert told(events, "paid") == [{"seat": 0, "good": 0, "place": 0}]
    assert told(events, "bought") == [{"seat": 0, "special": 3}]
    assert position.state.maps[0] == 1
    assert position.state.stack.tolist() == [2, 2, 3, 2]
    assert listed(position.state.discard) == "water"


def test_two_gold_are_four_dinar_and_nothing_is_given_back():
    """The rulebook's example of overpaying."""
    position = table(hands={0: "gold gold"})
    play(position, "buy map")
    assert hand(position, 0) == ""
    assert listed(position.state.discard) == "gold gold"
    assert position.state.maps[0] == 1


def test_with_two_dinar_nothing_can_be_bought():
    assert not can(table(hands={0: "gold"}), "buy")
    assert not can(table(hands={0: "salt millet"}), "buy")


def test_hand_and_animals_can_be_combined():
    position = table(hands={0: "salt"}, loads={(0, "camel1"): "gold"})
    play(position, "buy cave")
    assert load(position, 0, "camel1") == hand(position, 0) == ""


def test_goods_of_an_animal_are_paid_from_the_top_one_after_the_other():
    position = table(loads={(0, "camel1"): "gold millet millet", (0, "camel2"): "salt"})
    play(position, "buy cave", "pay camel1")
    assert load(position, 0, "camel1") == "gold millet"
    play(position, "pay camel1", "pay camel2")
    assert load(position, 0, "camel1") == "gold"


def test_a_donkey_pays_like_a_camel():
    """Ruling 9."""
    position = table(donkeys={0: 1}, loads={(0, "donkey1"): "salt gold", (0, "camel1"): "salt"})
    play(position, "buy map", "pay donkey1", "pay donkey1")
    assert load(position, 0, "donkey1") == ""


def test_covered_goods_cannot_be_paid():
    position = table(hands={0: "gold"}, loads={(0, "camel1"): "gold salt"})
    play(position, "buy map", "pay gold")
    assert listed(position.state.discard) == "gold salt"
    assert load(position, 0, "camel1") == "gold"


@pytest.mark.parametrize(
    "goods", [" ".join(goods) for size in (1, 2, 3) for goods in itertools.combinations_with_replacement(GOODS, size)]
)
def test_from_the_hand_exactly_the_payments_without_a_needless_card_are_possible(goods):
    """Ruling 10, for every set of up to three goods in a hand that has two of each kind and more."""
    paid = tuple(goods.split())
    for order in set(itertools.permutations(paid)):
        position = table(hands={0: "salt salt millet millet"})
        s = position.state
        for good in (0, 1):
            s.hand[0, good] += 2
            s.deck[good] -= 2
        s.hand[0, 2:] += 1
        s.deck[2:] -= 1
        s.hand_size[0] += 6
        s.deck_size -= 6
        position.play("buy map")
        try:
            for good in order:
                position.play(f"pay {good}")
            bought = position.state.maps[0] == 1
        except IllegalMove:
            bought = False
        assert bought == (paid in PAYMENTS), order


def test_water_is_not_paid_on_top_of_millet():
    """Ruling 10: with millet and water in hand, millet is never the first card of a payment."""
    position = table(hands={0: "water millet"})
    play(position, "buy map")
    assert hand(position, 0) == "millet"


def test_nobody_is_led_into_a_payment_that_cannot_be_ended():
    """Ruling 10: gold cannot be paid where only water could follow."""
    position = table(hands={0: "water water gold"})
    play(position, "buy map")
    assert listed(position.state.discard) == "water"


def test_a_good_that_lay_on_a_paid_one_was_not_needless():
    """Ruling 10: the gold can only be reached by paying both salts."""
    position = table(loads={(0, "camel1"): "gold gold salt salt"})
    play(position, "buy map")
    assert load(position, 0, "camel1") == "gold"
    assert listed(position.state.discard) == "gold salt salt"


def test_where_a_single_card_is_enough_no_other_is_paid_from_elsewhere():
    """Ruling 10: salt from the hand, then salt and gold from the camel would be one salt too many."""
    position = table(hands={0: "salt millet"}, loads={(0, "camel1"): "gold salt"})
    play(position, "buy map", "pay salt")
    assert listed(position.state.discard) == "salt salt millet"
    assert load(position, 0, "camel1") == "gold"


def payments(hand_goods: list[int], stacks: dict[str, list[int]]) -> set[tuple[tuple[str, int], ...]]:
    """All payments by brute force: goods from the hand, and so many from the top of each animal, none of which could stay."""
    found = set()
    worth = [int(dinar) for dinar in DINAR]
    for counts in itertools.product(*(range(number + 1) for number in hand_goods)):
        for depths in itertools.product(*(range(len(stack) + 1) for stack in stacks.values())):
            removable = [worth[good] for good in range(KINDS) if counts[good]]
            total = sum(worth[good] * counts[good] for good in range(KINDS))
            for stack, depth in zip(stacks.values(), depths, strict=True):
                total += sum(worth[good] for good in stack[len(stack) - depth :])
                if depth:
                    removable.append(worth[stack[len(stack) - depth]])
            if total >= 3 and all(total - dinar < 3 for dinar in removable):
                named = [(good, counts[number]) for number, good in enumerate(GOODS)]
                named += zip(stacks, depths, strict=True)
                found.add(tuple((name, number) for name, number in named if number))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_the_possible_payments_are_those_found_by_brute_force(seed):
    """Ruling 10, on random hands and loads: all ways to pay, tried to their end, against all sets that pass its sentence."""
    chance = random.Random(seed)
    loads: dict[tuple[int, str], str] = {}
    for animal in chance.sample(ANIMAL_LABELS[:4], 3):
        stack = [chance.choice(GOODS) for _ in range(chance.randint(1, 3))]
        if animal.startswith("camel"):
            stack = [stack[0]] * min(len(stack), 2)
        loads[0, animal] = " ".join(stack)
    goods = [chance.choice(GOODS) for _ in range(chance.randint(0, 3))]
    position = table(hands={0: " ".join(goods)}, loads=loads, donkeys={0: 1}, maps={1: 2})
    stacks = {animal: [GOODS.index(good) for good in stack.split()] for (_, animal), stack in loads.items()}
    expected = payments([goods.count(good) for good in GOODS], stacks)
    if not expected:
        assert not can(position, "buy")
        return
    position.play("buy map")
    found: set[tuple[Any, ...]] = set()

    def follow(now: Any) -> None:
        if now.state.special < 0 or now.phase != "pay":
            state = now.state
            left = [(good, goods.count(good) - int(state.hand[0, number])) for number, good in enumerate(GOODS)]
            left += [(animal, len(stack) - int(state.height[0, ANIMAL_LABELS.index(animal)])) for animal, stack in stacks.items()]
            found.add(tuple((name, number) for name, number in left if number))
            return
        for move in now.moves():
            twin = now.copy()
            twin.play(move)
            follow(twin)

    follow(position)
    assert found == expected


def test_several_cards_of_a_kind_may_be_owned():
    position = table(hands={0: "water"}, thieves={0: 2})
    play(position, "buy thief")
    assert position.state.thieves[0] == 3


def test_a_donkey_is_not_loaded_in_the_turn_it_was_bought():
    """Ruling 4."""
    position = table(hands={0: "water gold salt"}, thieves={0: 1}, loads={(1, "camel1"): "salt"})
    play(position, "buy donkey", "pay water")
    assert position.seat == 0
    assert not can(position, "load") | can(position, "take")
    play(position, "end")
    assert position.state.donkeys[0] == 1


def test_goods_paid_are_open_to_all():
    position = table(seats=3, hands={0: "water salt"})
    play(position, "buy map")
    for seat in (0, 1, 2, None):
        assert position.view(seat)["discard"] == [1, 0, 0, 0]
