"""What a seat may know, and what it can be certain of without having seen it."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import pytest

from azalai.engine.position import Position
from azalai.games.tuareg.components import KINDS
from azalai.games.tuareg.secrets import gather_unseen, hide, is_possible
from tests.games.tuareg.table import broken_invariant, finish_round, hand, listed, play, table, told
from tests.harness.play import wander


def guesses(position: Position, seat: int | None, number: int) -> list[Any]:
    """What a seat may imagine the truth to be, so many times."""
    seen = position.seen_by(seat)
    return [seen.imagine(seed) for seed in range(number)]


def surprise(counts: Counter[Any], expected: dict[Any, float]) -> float:
    """Chi-square against expected shares, in standard deviations above its mean; what is not expected must not occur."""
    assert set(counts) <= set(expected)
    total = counts.total()
    value = sum((counts[key] - total * share) ** 2 / (total * share) for key, share in expected.items())
    freedom = len(expected) - 1
    return (value - freedom) / math.sqrt(2 * freedom)


# ---------------------------------------------------------------- seeing


def test_a_seat_sees_its_own_hand_and_only_the_size_of_others():
    """Ruling 26."""
    position = table(seats=3, hands={0: "gold", 1: "salt salt", 2: "water"})
    view = position.view(1)
    assert view["hand"][:3] == [[0] * 4, [0, 0, 2, 0], [0] * 4]
    assert view["hand_size"][:3] == [1, 2, 1]
    assert position.view(None)["hand"] == [[0] * 4] * 5


def test_nobody_sees_the_deck_but_all_know_its_size():
    """Ruling 26."""
    position = table(hands={0: "gold"}, market="salt")
    for seat in (0, 1, None):
        assert position.view(seat)["deck"] == [0] * 4
        assert position.view(seat)["deck_size"] == 42


def test_all_see_market_loads_special_cards_and_discards():
    """Ruling 26."""
    setting: dict[str, Any] = {
        "loads": {(0, "camel1"): "gold salt"},
        "market": "millet",
        "discard": "water",
        "caves": {1: 1},
        "maps": {0: 2},
    }
    position = table(**setting)
    true = position.state
    for seat in (0, 1, None):
        view = position.view(seat)
        for name in ("load", "height", "market", "discard", "stack", "caves", "maps", "thieves", "donkeys", "points"):
            assert view[name] == getattr(true, name).tolist(), name


def test_what_was_stolen_from_my_hand_i_keep_knowing():
    position = table(seats=3, hands={1: "gold"}, market="salt millet", thieves={0: 1})
    play(position, "rob 1", "take salt")
    for guess in guesses(position, 1, 20):
        assert guess.state.loot_good[0] == 1
    assert {int(guess.state.loot_good[0]) for guess in guesses(position, 2, 60)} == {0, 1, 2, 3}


def test_at_the_end_everything_is_open():
    position = table(hands={0: "gold", 1: "salt"}, deck="", turns_left=0, stage=2)
    finish_round(position)
    assert position.view(0)["hand"][:2] == [[0, 1, 0, 0], [0, 0, 1, 0]]


# ---------------------------------------------------------------- guessing


def test_a_guess_keeps_all_that_was_seen_and_the_number_of_all_cards():
    hands = {0: "gold salt", 1: "salt millet", 2: "water"}
    position = table(seats=3, hands=hands, caves={1: 1}, thieves={2: 1}, market="gold", turn=1)
    play(position, "cave empty", "hide salt")
    for seat in (0, 1, 2, None):
        for guess in guesses(position, seat, 30):
            assert broken_invariant(guess) is None
            assert guess.seen_by(seat) == position.seen_by(seat)


def test_unseen_goods_are_dealt_evenly_to_all_places_that_cannot_be_seen():
    """Every way to deal the seven unseen cards to hands, a cave and the deck, counted one by one, comes up as often as due."""
    hands = {0: "water", 1: "gold gold", 2: "salt salt"}
    position = table(seats=3, hands=hands, caves={2: 1}, market="gold", deck="water gold millet", turn=2)
    play(position, "cave empty")
    unseen = ["gold", "gold", "salt", "salt", "water", "gold", "millet"]
    deals: Counter[tuple[str, ...]] = Counter()
    for cards in itertools.permutations(unseen, 4):
        deals[(*sorted(cards[:2]), cards[2], cards[3])] += 1
    found = Counter(
        (*sorted(hand(guess, 1).split()), hand(guess, 2), listed(guess.state.cave_goods[2]))
        for guess in guesses(position, 0, 8000)
    )
    assert abs(surprise(found, {deal: number / deals.total() for deal, number in deals.items()})) < 5


def test_what_is_left_over_by_counting_is_certain():
    """Three cards are unseen, and all of them are water."""
    position = table(hands={0: "gold", 1: "water water"}, deck="water")
    for guess in guesses(position, 0, 20):
        assert hand(guess, 1) == "water water"


def test_who_is_about_to_pay_has_something_to_pay_with():
    """The others see that a special card is being bought: the hand is worth three dinar at least."""
    position = table(hands={0: "gold salt millet"})
    play(position, "buy map")
    seen = {hand(guess, 0) for guess in guesses(position, 1, 300)}
    assert len(seen) > 5
    assert "gold gold gold" in seen
    for goods in seen:
        assert sum({"water": 3, "gold": 2}.get(good, 1) for good in goods.split()) >= 3


def test_who_is_about_to_load_has_something_that_fits():
    """Water does not fit onto a camel with salt."""
    position = table(hands={0: "salt millet"}, loads={(0, "camel1"): "salt millet", (0, "camel2"): "salt"})
    play(position, "load camel2")
    for guess in guesses(position, 1, 200):
        assert {"gold", "salt", "millet"} & set(hand(guess, 0).split())  # not two water
        assert guess.moves()


# ---------------------------------------------------------------- the second stage: all have seen which goods became the deck


def test_with_two_players_the_other_hand_is_certain_when_the_second_stage_begins():
    position = table(
        hands={0: "water", 1: "gold salt"}, loads={(0, "camel1"): "gold gold", (1, "camel1"): "salt"}, deck="", turns_left=0
    )
    finish_round(position)
    assert position.state.stage == 2
    for guess in guesses(position, 0, 50):
        assert hand(guess, 1) == "gold salt"
        assert listed(guess.state.deck) == "gold gold salt"


def test_with_more_players_the_deck_is_certain_and_the_kept_goods_are_spread_evenly():
    position = table(3, hands={0: "water", 1: "gold salt", 2: "millet"}, deck="gold salt millet", stage=2)
    found: Counter[str] = Counter()
    for guess in guesses(position, 0, 3000):
        assert listed(guess.state.deck) == "gold salt millet"
        found[hand(guess, 2)] += 1
    assert abs(surprise(found, dict.fromkeys(("gold", "salt", "millet"), 1 / 3))) < 5
    for guess in guesses(position, None, 50):
        assert listed(guess.state.deck) == "gold salt millet"


def test_a_kept_good_that_was_not_shown_is_still_there_after_drawing():
    position = table(hands={0: "salt", 1: "water gold"}, deck="salt salt salt millet millet millet", stage=2, turn=1)
    play(position, "draw")
    drawn = next(good for good in ("salt", "millet") if good in hand(position, 1))
    play(position, f"give {drawn}")
    found = {hand(guess, 1) for guess in guesses(position, 0, 200)}
    assert len(found) > 1
    assert all(goods.startswith("water gold") for goods in found)


def test_once_shown_a_kept_good_is_no_longer_certain():
    position = table(hands={0: "salt", 1: "water gold"}, deck="water water salt salt millet millet", stage=2, turn=1)
    play(position, "draw", "give water")
    found = {hand(guess, 1) for guess in guesses(position, 0, 200)}
    assert all("gold" in goods for goods in found)
    assert {"water" in goods for goods in found} == {True, False}


def test_who_has_not_drawn_yet_holds_kept_goods_only():
    """There is water in the deck, but nobody has kept any."""
    hands = {0: "salt", 1: "salt gold", 2: "millet gold"}
    position = table(3, hands=hands, deck="water water water water water salt millet", stage=2)
    play(position, "draw")
    assert any("water" in hand(guess, 0) for guess in guesses(position, 1, 50))
    for guess in guesses(position, 1, 200):
        assert set(hand(guess, 2).split()) <= {"salt", "gold", "millet"}


def test_what_was_kept_is_with_the_one_who_is_left_to_have_it():
    """Seat 1 shows all it has kept and draws anew: gold and water, which were kept too, are in the hand of seat 2."""
    hands = {0: "salt", 1: "salt salt", 2: "water gold"}
    position = table(3, hands=hands, deck="millet " * 9, market="salt", stage=2, turn=1)
    play(position, "load camel1", "put salt")
    assert position.seat == 2
    play(position, "draw", "give millet", "end", "take salt", "draw")
    assert position.seat == 1
    for guess in guesses(position, 0, 100):
        assert hand(guess, 2).startswith("water gold")
        assert not {"water", "gold"} & set(hand(guess, 1).split())


def test_a_thief_remembers_what_he_saw_in_a_hand():
    """Both goods were kept; the thief has the one, so the other is in the hand, though others have been drawn since."""
    position = table(3, hands={1: "water gold"}, thieves={0: 1}, deck="millet " * 9, market="salt", stage=2)
    play(position, "rob 1", "take salt", "draw")
    left = {0: "gold", 1: "water"}[int(position.state.loot_good[0])]
    for guess in guesses(position, 0, 50):
        assert left in hand(guess, 1)
    both = {(hand(guess, 1).split()[0], int(guess.state.loot_good[0])) for guess in guesses(position, 2, 100)}
    assert both == {("water", 1), ("gold", 0)}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_guess_rules_out_the_truth_or_puts_into_the_deck_what_never_went_there(seats):
    for seed in range(3):
        start: list[int] = []
        for position in wander(table(seats, seed=seed), seed):
            s = position.state
            if s.stage == 1 or position.over:
                continue
            if told(position.events, "new_deck"):
                drawn = [int(s.hand[:, good].sum() - s.kept_goods[good]) for good in range(KINDS)]
                start = [int(s.deck[good]) + drawn[good] for good in range(KINDS)]
                assert not told(position.events, "gave")
            for seat in range(-1, seats):
                twin = position.copy().state
                true = twin.kept.copy()
                hide(twin, seat)
                gather_unseen(twin, seat)
                twin.kept[:] = true
                assert is_possible(twin, seat)
            if position.ply % 5 == 0:
                for guess in guesses(position, position.ply % seats, 3):
                    assert all(now <= then for now, then in zip(guess.state.deck.tolist(), start, strict=True))
