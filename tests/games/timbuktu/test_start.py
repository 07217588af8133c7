"""Before the journey: loads, and placing camels in the start area."""

from __future__ import annotations

import random

import pytest

from azalai.engine.errors import BadOption, IllegalMove
from azalai.games.timbuktu.components import CAMELS, PENS, STALLS, TOTALS
from tests.games.timbuktu.table import BLUE, GREEN, RED, load_of, new, place_all, play, told, wander

EVERY_NUMBER = pytest.mark.parametrize("seats", [3, 4, 5])


@EVERY_NUMBER
def test_every_camel_in_play_carries_its_printed_goods(seats):
    position = new(seats)
    for seat in range(seats):
        assert load_of(position, seat, "A") == {"gold": 2, "coffee": 1, "pepper": 1}
        assert load_of(position, seat, "E") == {"gold": 1, "pepper": 2, "water": 1}
    assert position.state.load.sum() == seats * CAMELS[seats] * 4
    assert position.state.kept[:seats].sum() == position.state.load.sum()


def test_camels_that_are_not_used_carry_nothing():
    position = new(5)
    assert all(not load_of(position, seat, letter) for seat in range(5) for letter in "FGH")


def test_two_or_six_players_are_refused():
    for seats in (2, 6):
        with pytest.raises(BadOption, match="3 to 5"):
            new(seats)


@EVERY_NUMBER
def test_the_oldest_places_first_and_then_all_clockwise(seats):
    position = new(seats)
    seen = []
    while position.phase == "placing" and position.ply < 2 * seats:
        seen.append(position.seat)
        position.play(position.moves()[0])
    assert seen == [*range(seats), *range(seats)]


@EVERY_NUMBER
def test_in_the_end_everybody_has_a_camel_in_every_pen(seats):
    """However badly camels are placed, nobody ever runs out of moves (section 7)."""
    for seed in range(60):
        chance = random.Random(seed)
        position = new(seats)
        while position.phase == "placing":
            position.play(chance.choice(position.moves()))
        for seat in range(seats):
            assert {int(place) // STALLS for place in position.state.place[seat, : CAMELS[seats]]} == set(range(PENS))


def test_with_five_players_everybody_has_exactly_one_camel_in_every_pen():
    position = new(5)
    play(position, "place A palm")
    for _ in range(4):
        position.play(position.moves()[0])
    with pytest.raises(IllegalMove):
        play(position, "place B palm")
    play(position, "place B lamp")


def test_with_four_players_one_camel_is_spare():
    position = new(4)
    play(position, "place A palm", "place A lamp", "place A lamp", "place A lamp")
    play(position, "place B palm", "place B star", "place B star", "place B star")
    assert not [move for move in position.moves() if str(move).endswith("palm")]


def test_nobody_may_take_the_last_room_that_others_need():
    position = new(3)
    for letter in "ABC":
        play(position, f"place {letter} palm", f"place {letter} lamp", f"place {letter} star")
    with pytest.raises(IllegalMove):  # two fields are left in the Palm pen, for Red and Green
        play(position, "place D palm")
    play(position, "place D moon", "place D palm")


def test_a_start_pen_holds_five_camels():
    position = new(3)
    for letter in "ABC":
        play(position, f"place {letter} palm", f"place {letter} lamp", f"place {letter} star")
    play(position, "place D moon", "place D palm", "place D palm", "place E scimitar")
    assert position.state.filled[0] == 5
    assert not [move for move in position.moves() if str(move).endswith("palm")]


def test_any_camel_may_be_placed_first():
    assert [str(move) for move in new(4).moves() if str(move).endswith("star")] == [f"place {letter} star" for letter in "ABCDEF"]


def test_a_camel_stands_only_once():
    position = new(3)
    play(position, "place A palm", "place A palm", "place A palm")
    assert not [move for move in position.moves() if str(move).startswith("place A")]


def test_the_last_camel_goes_by_itself_where_only_one_pen_is_possible():
    position = new(5)
    events = []
    while position.phase == "placing":
        events = position.play(position.moves()[0])
    assert len(told(events, "placed")) > 1
    assert position.state.place[:5, :5].min() >= 0


def test_thief_cards_are_dealt_when_all_camels_stand():
    position = new(4)
    assert position.state.thief_pen.tolist() == [-1] * 5
    place_all(position)
    assert sorted(position.state.thief_pen.tolist()) == [0, 1, 2, 3, 4]


# ---------------------------------------------------------------- the option loads = free


def load_up(position, seat):
    """Load a whole caravan, always with the first good there is."""
    while seat in position.pending and position.phase == "loading":
        position.play(position.moves(seat)[0], seat)


def test_loads_are_printed_unless_asked_otherwise():
    assert new(3).options == {"loads": "printed"}
    with pytest.raises(BadOption, match="printed, free"):
        new(3, loads="full")


@EVERY_NUMBER
def test_with_free_loads_all_players_load_at_the_same_time(seats):
    position = new(seats, loads="free")
    assert position.phase == "loading"
    assert position.pending == tuple(range(seats))


@EVERY_NUMBER
def test_with_free_loads_everybody_has_the_printed_goods_in_all(seats):
    chance = random.Random(seats)
    position = new(seats, loads="free")
    while position.phase == "loading":
        seat = chance.choice(position.pending)
        position.play(chance.choice(position.moves(seat)), seat)
    for seat in range(seats):
        assert position.state.kept[seat].tolist() == TOTALS[seats].tolist()
        assert position.state.load[seat, : CAMELS[seats]].sum(axis=1).tolist() == [4] * CAMELS[seats]
    assert position.phase == "placing"
    assert position.seat == BLUE


def test_camels_are_loaded_by_their_letters():
    position = new(5, loads="free")
    for move in ("load gold", "load gold", "load gold", "load gold", "load water"):
        play(position, move, seat=RED)
    assert load_of(position, RED, "A") == {"gold": 4}
    assert load_of(position, RED, "B") == {"water": 1}
    assert "load gold" not in [str(move) for move in position.moves(RED)]
    assert "load gold" in [str(move) for move in position.moves(BLUE)]


def test_the_last_camel_takes_what_is_left():
    position = new(5, loads="free")
    for name in ("coffee", "pepper", "salt", "water"):
        for _ in range(4):
            play(position, f"load {name}", seat=GREEN)
    assert GREEN not in position.pending
    assert load_of(position, GREEN, "E") == {"gold": 4}


@EVERY_NUMBER
def test_the_number_of_decisions_tells_nothing_about_a_load(seats):
    for pick in (0, -1):
        position = new(seats, loads="free")
        count = 0
        while BLUE in position.pending:
            position.play(position.moves(BLUE)[pick], BLUE)
            count += 1
        assert count == 4 * (CAMELS[seats] - 1)


def test_a_loaded_caravan_cannot_be_changed():
    position = new(3, loads="free")
    load_up(position, BLUE)
    assert position.pending == (RED, GREEN)
    with pytest.raises(IllegalMove, match="nothing to decide"):
        play(position, "load gold", seat=BLUE)


@EVERY_NUMBER
def test_a_game_with_free_loads_goes_to_its_end(seats):
    for seed in range(5):
        position = wander(new(seats, seed, loads="free"), seed)
        assert position.end == "arrival"
        assert position.state.kept.sum() + position.state.lost.sum() == seats * CAMELS[seats] * 4
