"""A position in a programmer's hands, shown on the smallest game."""

import copy
from typing import Any

import pytest

from azalai.engine.errors import BadOption, IllegalMove
from tests.engine.nim import NIM


def test_a_seed_deals_the_same_game_again():
    assert NIM.new(seed=5) == NIM.new(seed=5)
    assert NIM.new(seed=5) != NIM.new(seed=6)


def test_without_a_seed_every_game_is_another():
    assert NIM.new().seed != NIM.new().seed


@pytest.mark.parametrize("seed", [-1, 1 << 63])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(BadOption, match="a seed is a number"):
        NIM.new(seed=seed)


def test_wrong_seats_and_unknown_options_are_refused():
    with pytest.raises(BadOption, match="nim is for 2 players, not 3"):
        NIM.new(seats=3)
    with pytest.raises(BadOption, match="no option 'colour'"):
        NIM.new(colour="red")


def test_a_move_is_given_as_itself_its_id_or_its_text():
    positions = [NIM.new(seed=1) for _ in range(3)]
    move = positions[0].moves()[0]
    positions[0].play(move)
    positions[1].play(move.id)
    positions[2].play(str(move))
    assert positions[0] == positions[1] == positions[2]


def test_events_tell_what_happened():
    position = NIM.new(seed=1)
    assert [event.as_dict() for event in position.play("take left 2")] == [{"kind": "took", "seat": 0, "heap": 0, "stones": 2}]


def test_a_private_event_reaches_only_its_audience():
    position = NIM.new(seed=1)
    position.play("roll")
    kinds = {seat: [event.kind for event in position.seen_by(seat).events] for seat in (0, 1, None)}
    assert kinds == {0: ["rolled", "secret"], 1: ["rolled"], None: ["rolled"]}


def test_chance_marks_a_decision_as_revealing_and_so_not_to_be_taken_back():
    position = NIM.new(seed=1)
    assert not position.takes_back
    position.play("take left 1")
    assert position.takes_back
    position.play("roll")
    assert position.revealed
    assert not position.takes_back
    position.undo()
    assert position.takes_back


def test_a_seat_without_a_decision_cannot_play():
    position = NIM.new(seed=1)
    with pytest.raises(IllegalMove, match="seat 1 has nothing to decide now"):
        position.play("roll", seat=1)
    with pytest.raises(BadOption, match="no seat 2"):
        position.seen_by(2)


def test_what_is_concealed_can_be_imagined_but_not_played():
    seen = NIM.new(seed=1).seen_by(0)
    assert seen.state.secret[0] != 0
    assert seen.state.secret[1] == 0
    with pytest.raises(IllegalMove, match="imagine"):
        seen.play("roll")
    assert seen.imagine(3).play("roll")
    with pytest.raises(ValueError, match="only be seen by"):
        seen.seen_by(1)


def test_a_finished_game_shows_everything_but_plays_no_more():
    position = NIM.new(seed=1)
    while not position.over:
        position.play(position.moves()[-2])
    assert position.end == "last stone"
    assert position.pending == ()
    assert position.moves() == []
    assert sorted(position.ranking) == [1, 2]
    assert 0 not in position.view(None)["secret"]
    with pytest.raises(IllegalMove, match="over"):
        position.play("roll")


def test_whatever_is_no_seed_is_refused_in_one_short_line():
    nonsense: list[Any] = ["9" * 5000, 10**5000, 1.5, [1]]
    for seed in nonsense:
        with pytest.raises(BadOption, match="a seed is a number from 0 to") as caught:
            NIM.new(seed=seed)
        assert len(str(caught.value)) < 200


def test_whatever_is_no_number_of_seats_is_refused_in_one_short_line():
    nonsense: list[Any] = ["2" * 5000, 10**5000, [2]]
    for seats in nonsense:
        with pytest.raises(BadOption, match="nim is for 2 players") as caught:
            NIM.new(seats=seats)
        assert len(str(caught.value)) < 200


def test_a_move_of_any_length_is_refused_in_one_short_line():
    for nonsense in ("x" * 5000, "take " + "9" * 5000, "take left " + "9" * 5000, 10**5000):
        with pytest.raises(IllegalMove) as caught:
            NIM.new(seed=1).play(nonsense)
        assert len(str(caught.value)) < 300


def test_a_position_of_a_long_game_is_copied_by_pythons_own_ways_too():
    position = NIM.new(seed=1)
    position.play(position.moves()[0])
    for twin in (copy.copy(position), copy.deepcopy(position)):
        assert twin == position
        twin.undo()
        assert twin != position
