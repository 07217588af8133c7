"""How a turn is asked for: small decisions in a natural order, none without a choice, taken back until something is revealed."""

from __future__ import annotations

import pytest

from tests.games.tuareg.table import TUAREG, can, play, table
from tests.harness.play import wander


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nobody_is_asked_where_there_is_no_choice(seats):
    for seed in range(6):
        for position in wander(TUAREG.new(seats, seed), seed):
            assert position.over or len(position.moves()) > 1


def test_an_action_comes_first_then_its_parts():
    position = table(hands={0: "gold salt"}, market="millet millet", loads={(0, "camel1"): "millet"})
    assert {move.name for move in position.moves()} == {"draw", "load", "take", "buy"}
    play(position, "take millet")
    assert {move.name for move in position.moves()} == {"onto"}
    play(position, "onto camel2")
    assert {move.name for move in position.moves()} == {"amount"}


def test_a_move_is_unfinished_until_its_last_part():
    position = table(hands={0: "gold salt millet", 1: "salt"}, thieves={0: 1})
    play(position, "load camel1")
    assert position.unfinished
    play(position, "put gold")
    assert position.unfinished
    play(position, "done")
    assert not position.unfinished


def test_after_drawing_the_move_is_unfinished_until_enough_goods_are_laid_down():
    position = table(hands={0: "gold gold salt salt"}, deck="millet millet millet millet")
    play(position, "draw")
    for _ in range(3):
        assert position.unfinished
        play(position, "give millet")
    assert not position.unfinished


def test_loading_taking_and_buying_can_be_taken_back_and_drawing_cannot():
    position = table(hands={0: "gold salt millet", 1: "salt"}, market="millet millet", thieves={0: 1})
    for moves in (("load camel1", "put gold", "done"), ("take millet", "amount 2"), ("buy map", "pay gold")):
        before = position.tobytes()
        for move in moves:
            play(position, move)
            assert position.takes_back
        for _ in moves:
            position.undo()
        assert position.tobytes() == before
    play(position, "draw")
    assert not position.takes_back


def test_the_end_of_a_stage_with_hidden_goods_cannot_be_taken_back():
    position = table(hands={0: "gold salt"}, caves={0: 1}, deck="", turns_left=0)
    play(position, "cave empty", "hide gold")
    assert position.takes_back
    play(position, "end")
    assert not position.takes_back


def test_where_there_is_only_one_way_to_pay_nobody_is_asked_in_which_order():
    position = table(hands={0: "gold salt"})
    play(position, "buy map")
    assert position.state.maps[0] == 1


def test_goods_may_be_paid_in_any_order():
    position = table(hands={0: "gold salt millet"}, loads={(0, "camel1"): "salt"})
    play(position, "buy map")
    assert can(position) == {"pay gold", "pay salt", "pay millet", "pay camel1"}
    for first, second in (("camel1", "gold"), ("gold", "camel1")):
        twin = position.copy()
        play(twin, f"pay {first}", f"pay {second}")
        assert twin.state.maps[0] == 1
