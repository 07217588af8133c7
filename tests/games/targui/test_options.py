"""A shorter game: fewer fate cards, fewer rounds."""

from __future__ import annotations

from typing import Any

import pytest

import azalai
from azalai.engine.errors import BadOption
from azalai.engine.record import from_record, to_record

GAME = azalai.game("targui")


def fates(seats: int, **options: Any) -> set[int]:
    return set(GAME.new(seats=seats, seed=1, **options).view()["notes"]["fates_left"])


@pytest.mark.parametrize("value", [[6, 7, 10], (10, 7, 6), "without 6,7,10", "without 6, 7, 10", "Without 6 7 10"])
def test_fate_cards_are_left_out_by_number(value: Any) -> None:
    assert fates(4, rounds=value) == set(range(1, 17)) - {6, 7, 10}
    assert GAME.new(seats=4, seed=1, rounds=value).options == {"rounds": "without 6, 7, 10"}


def test_all_fate_cards_play_unless_said_otherwise() -> None:
    assert fates(4) == fates(4, rounds="all") == fates(4, rounds=[]) == fates(4, rounds=16) == set(range(1, 17))
    assert GAME.new(seats=4, seed=1).options == {"rounds": "all"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_number_of_rounds_leaves_so_many_fate_cards_within_the_limits(seats: int) -> None:
    block = fates(seats) & {2, 3, 4, 5}
    for rounds in range(1, len(fates(seats)) + 1):
        for value in (rounds, str(rounds)):
            left = fates(seats, rounds=value)
            assert len(left) == rounds
            assert 1 in left
            assert not left & block or block <= left


def test_eight_rounds_with_four_players_leave_out_the_documented_cards() -> None:
    assert fates(4, rounds=8) == set(range(1, 17)) - {15, 8, 14, 12, 6, 13, 11, 16}


def test_three_rounds_with_four_players_leave_out_the_gifts_too() -> None:
    assert fates(4, rounds=3) == {1, 10, 9}


def test_card_1_always_stays_in() -> None:
    with pytest.raises(BadOption, match="fate card 1 always stays"):
        GAME.new(seats=4, rounds=[1, 6])


@pytest.mark.parametrize("cards", [[2], [2, 3, 4], [5, 6]])
def test_the_gifts_leave_a_game_of_four_only_together(cards: list[int]) -> None:
    with pytest.raises(BadOption, match="2, 3, 4, 5 stay in the game or leave it together"):
        GAME.new(seats=4, rounds=cards)
    assert fates(4, rounds=[2, 3, 4, 5]) == {1, *range(6, 17)}


@pytest.mark.parametrize(("seats", "block"), [(3, [3, 4, 5]), (2, [4, 5])])
def test_ruling_30_the_block_is_smaller_with_fewer_players(seats: int, block: list[int]) -> None:
    assert fates(seats, rounds=block) == {1, *range(6, 17)}
    assert fates(seats, rounds=[2, 3, 4, 5]) == {1, *range(6, 17)}
    with pytest.raises(BadOption, match="leave it together"):
        GAME.new(seats=seats, rounds=block[1:])


NONSENSE: list[Any] = [0, 17, -1, "0", "17", [0], [17], "soon", "without", "without six", 1.5, True, [True, "6"], {"6": 1}]


@pytest.mark.parametrize("value", NONSENSE, ids=repr)
def test_nonsense_is_refused_in_one_clear_line(value: Any) -> None:
    with pytest.raises(BadOption) as caught:
        GAME.new(seats=4, rounds=value)
    assert "\n" not in str(caught.value)


def test_with_two_players_there_are_no_more_than_fourteen_rounds() -> None:
    with pytest.raises(BadOption, match="with 2 players a game has 1 to 14 rounds, not 15"):
        GAME.new(seats=2, rounds=15)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_short_game_has_as_many_rounds_as_asked_for(seats: int) -> None:
    for number in range(20):
        position = GAME.new(seats=seats, seed=number, rounds=3)
        player = azalai.bot("random", GAME, number)
        while not position.over:
            position.play(player.choose(position.seen_by(position.seat)))
        assert position.state.round_no == 3 or position.end == "last survivor"


def test_a_record_remembers_the_cards_that_are_out() -> None:
    position = GAME.new(seats=3, seed=4, rounds=9)
    position.play(position.moves()[0])
    assert from_record(to_record(position), azalai.game) == position


def test_nonsense_of_any_length_is_refused_in_one_short_line():
    for rounds in ("9" * 5000, 10**5000, [10**5000], "without " + "9" * 5000, "x" * 5000, {"a": 1}):
        with pytest.raises(BadOption) as caught:
            azalai.game("targui").new(rounds=rounds)
        assert len(str(caught.value)) < 250
        assert "\n" not in str(caught.value)
