"""Drawing goods from the deck into the camp."""

from __future__ import annotations

import pytest

from azalai.engine.errors import IllegalMove
from tests.games.tuareg.table import TUAREG, can, hand, listed, play, table, told
from tests.harness.play import wander


def test_karin_improves_her_camp():
    """The rulebook's example: 2 water and 1 millet in hand, 2 water and 1 salt drawn, millet and salt into the market."""
    position = table(hands={0: "water water millet"}, deck="water water salt")
    play(position, "draw")
    assert hand(position, 0) == "water water water water salt millet"
    play(position, "give millet", "give salt")
    assert hand(position, 0) == "water water water water"
    assert listed(position.state.market) == "salt millet"
    play(position, "end")
    assert position.seat == 1


def test_at_least_one_good_goes_into_the_market_even_when_the_hand_is_small():
    position = table(deck="water gold salt millet")
    play(position, "draw")
    assert position.phase == "give"
    assert can(position) == can(position, "give")
    play(position, f"give {hand(position, 0).split()[0]}")
    assert position.phase == "after"
    assert "end" in can(position)


def test_any_good_may_be_laid_down_not_only_a_drawn_one():
    position = table(hands={0: "gold"}, deck="salt salt salt millet millet millet")
    play(position, "draw")
    assert "give gold" in can(position)


def test_more_than_one_good_may_be_laid_down():
    position = table(deck="salt salt millet water")
    play(position, "draw")
    while hand(position, 0):
        play(position, f"give {hand(position, 0).split()[0]}")
    assert sum(position.state.market) == 3


def test_nobody_ends_a_turn_with_more_than_four_cards_in_hand():
    position = table(hands={0: "gold gold salt salt"}, deck="water millet millet water")
    play(position, "draw", "give salt")
    assert position.state.hand_size[0] == 6
    with pytest.raises(IllegalMove):
        position.play("end")
    play(position, "give salt", "give gold")
    assert position.state.hand_size[0] == 4
    assert "end" in can(position)


def test_a_short_draw_brings_no_duty_to_the_market():
    """Ruling 24."""
    position = table(hands={0: "gold"}, deck="salt millet", stage=2)
    events = play(position, "draw")
    assert told(events, "drew") == [{"seat": 0, "number": 2}]
    assert {"end", "give gold"} <= can(position)
    assert told(events, "last_round") == [{"seat": 0}]


def test_after_a_short_draw_the_hand_limit_still_holds():
    """Ruling 24: unless the hand is too large."""
    position = table(hands={0: "gold gold salt salt"}, deck="millet", stage=2)
    play(position, "draw")
    assert position.phase == "give"
    play(position, "give millet")
    assert "end" in can(position)


def test_with_exactly_three_cards_left_the_duty_holds_and_the_end_has_come():
    """Ruling 25."""
    position = table(deck="salt salt millet", stage=2)
    events = play(position, "draw")
    assert position.phase == "give"
    assert told(events, "last_round") == [{"seat": 0}]


def test_in_the_first_stage_a_draw_is_never_short():
    for seed in range(5):
        position = TUAREG.new(3, seed)
        for _ in wander(position, seed):
            if position.state.stage == 2:
                break
            assert {drawn["number"] for drawn in told(position.events, "drew")} <= {3}


def test_the_drawn_goods_are_told_to_their_owner_alone():
    position = table(seats=3, deck="gold gold gold salt")
    play(position, "draw")
    assert len(told(position.events, "drew_good")) == 3
    assert len(told(position.seen_by(0).events, "drew_good")) == 3
    for other in (1, 2, None):
        assert told(position.seen_by(other).events, "drew_good") == []
        assert told(position.seen_by(other).events, "drew") == [{"seat": 0, "number": 3}]


def test_who_holds_one_kind_only_is_not_asked_which_good_is_due():
    position = table(deck="salt salt salt salt")
    events = play(position, "draw")
    assert told(events, "gave") == [{"seat": 0, "good": 2}]
    assert position.phase == "after"


def test_who_can_only_draw_is_not_asked():
    """An empty market, an empty hand and nothing to pay with: drawing is all there is."""
    position = table(hands={0: "gold salt"}, market="")
    events = play(position, "load camel1", "put gold", "put salt")
    assert told(events, "drew") == [{"seat": 1, "number": 3}]
    assert position.seat == 1
