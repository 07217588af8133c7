"""A stage: dealing the thief sets, choosing camels, moving them, exchange fields."""

from __future__ import annotations

import random

import pytest

from azalai.engine.errors import IllegalMove
from azalai.engine.moves import Event
from azalai.games.timbuktu.components import CAMELS, EXCHANGE, FREE, PEN_NAMES, PENS, ROUTE, STALLS
from azalai.games.timbuktu.rules_stage import has_seen
from tests.games.timbuktu.table import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    camel,
    carry,
    choose_all,
    evening,
    load_of,
    lost,
    on_the_way,
    origin,
    play,
    sets_of,
    texts,
    told,
    wander,
)

EVERY_NUMBER = pytest.mark.parametrize("seats", [3, 4, 5])


def free_pens(pen: str) -> list[str]:
    """The pens that the arrows of a pen lead to."""
    return [PEN_NAMES[to] for to in range(PENS) if FREE[PEN_NAMES.index(pen), to]]


def dear_pens(pen: str) -> list[str]:
    """The other pens."""
    return [to for to in PEN_NAMES if to not in free_pens(pen)]


# ---------------------------------------------------------------- dealing


@EVERY_NUMBER
def test_five_sets_are_dealt_with_one_card_of_each_kind(seats):
    position = on_the_way(seats)
    for column in zip(*sets_of(position), strict=True):
        assert sorted(column) == [0, 1, 2, 3, 4]


def test_each_kind_of_thief_card_is_shuffled_by_itself():
    deals = [sets_of(on_the_way(3, seed)) for seed in range(80)]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert len({(deal[0][one], deal[0][other]) for deal in deals}) > 15  # of 25 pairs


@EVERY_NUMBER
def test_every_stage_has_cards_of_its_own(seats):
    """At the end of a stage all cards are shuffled anew (section 7, step 5)."""
    deals = []
    for seed in range(4):
        position = on_the_way(seats, seed)
        while not position.over:
            deals.append(tuple(sets_of(position)))
            stage = int(position.state.stage)
            wander(position, seed, until=lambda now, stage=stage: now.state.stage > stage)
    assert len(set(deals)) == len(deals) == 4 * seats


@EVERY_NUMBER
def test_everybody_learns_the_own_set_and_only_that(seats):
    position = on_the_way(seats)
    for seat in range(seats):
        learned = told(position.seen_by(seat).events, "learned")
        assert [event["seat"] for event in learned] == [seat]
    assert not told(position.seen_by(None).events, "learned")


def holders(position) -> list[int | None]:
    """Who holds each set, by the notes."""
    return [one["holder"] for one in position.view()["notes"]["sets"]]


def test_with_five_players_everybody_holds_a_set():
    assert holders(on_the_way(5)) == [0, 1, 2, 3, 4]


def test_with_four_players_a_set_lies_between_the_first_and_the_right_neighbour():
    assert holders(on_the_way(4)) == [BLUE, RED, GREEN, YELLOW, None]


def test_with_three_players_a_set_lies_on_either_side_of_the_first():
    assert holders(on_the_way(3)) == [BLUE, None, RED, GREEN, None]


def test_the_lying_sets_go_by_the_stage_stone():
    position = wander(on_the_way(3), 1, until=lambda now: now.state.stage == 1)
    assert position.state.stage_stone == RED
    assert holders(position) == [RED, None, GREEN, BLUE, None]


# ---------------------------------------------------------------- choosing


def test_red_chooses_camel_d_and_nobody_else_knows():
    """The rulebook's example: Red lays card D face down."""
    position = on_the_way(3)
    play(position, "choose D", seat=RED)
    assert position.state.choice[RED] == camel("D")
    for other in (BLUE, GREEN, None):
        assert position.seen_by(other).state.choice[RED] == -1


def test_all_cards_are_told_of_in_the_order_of_the_seats_once_they_lie():
    position = on_the_way(3)
    chosen = {GREEN: "B", RED: "D", BLUE: "A"}
    for seat, letter in chosen.items():
        events = play(position, f"choose {letter}", seat=seat)
        assert bool(told(events, "chosen")) == (seat == BLUE)  # when the last card lies
    assert told(events, "chosen") == [{"seat": seat} for seat in range(3)]
    for seat, letter in chosen.items():
        assert told(position.seen_by(seat).events, "choice") == [{"seat": seat, "camel": camel(letter)}]
    assert not told(position.seen_by(None).events, "choice")


def test_cards_are_revealed_in_turn_order_and_each_camel_moves_at_once():
    position = on_the_way(3)
    events = choose_all(position, "DAC")
    assert told(events, "revealed") == [{"seat": BLUE, "camel": camel("D")}]
    assert (position.phase, position.seat) == ("moving", BLUE)
    assert position.seen_by(RED).state.choice.tolist()[:3] == [camel("D"), camel("A"), -1]
    events = play(position, f"to {free_pens(origin(position, BLUE, 'D'))[0]}")
    assert [event.kind for event in events if event.kind in ("moved", "revealed")] == ["moved", "revealed"]
    assert position.seat == RED


def test_a_card_once_laid_stays():
    position = on_the_way(3)
    play(position, "choose D", seat=GREEN)
    with pytest.raises(IllegalMove, match="nothing to decide"):
        play(position, "choose A", seat=GREEN)


def test_a_camel_moves_once_in_a_stage():
    position = on_the_way(4)
    choose_all(position, "CCCC")
    wander(position, 1, until=lambda now: now.phase == "choosing")
    for seat in range(4):
        assert texts(position, seat) == [f"choose {letter}" for letter in "ABDEF"]


def test_in_the_next_stage_all_camels_can_be_chosen_again():
    position = wander(on_the_way(5), 1, until=lambda now: now.state.stage == 1)
    assert texts(position, GREEN) == [f"choose {letter}" for letter in "ABCDE"]


@EVERY_NUMBER
def test_nobody_is_asked_which_camel_when_one_is_left(seats):
    position = wander(on_the_way(seats), 2, until=lambda now: now.state.round_no == CAMELS[seats] - 1)
    assert position.phase in ("moving", "paying")
    for seat in range(seats):
        assert bin(position.state.used[seat]).count("1") in (CAMELS[seats] - 1, CAMELS[seats])


@EVERY_NUMBER
def test_the_round_stone_goes_to_the_left_after_every_round(seats):
    position = on_the_way(seats)
    for number in range(CAMELS[seats]):
        assert position.state.round_stone == number % seats
        assert position.state.stage_stone == BLUE
        wander(position, number, until=lambda now, number=number: now.state.round_no > number or now.state.stage == 1)


@EVERY_NUMBER
def test_the_stage_stone_goes_to_the_left_and_its_holder_takes_the_round_stone(seats):
    position = wander(on_the_way(seats), 3, until=lambda now: now.state.stage == 1)
    assert position.state.stage_stone == position.state.round_stone == RED
    assert position.state.round_no == 0
    position = wander(position, 3, until=lambda now: now.state.stage == 2)
    assert position.state.stage_stone == position.state.round_stone == GREEN


# ---------------------------------------------------------------- moving


def test_a_camel_takes_the_free_stall_with_the_lowest_number():
    position = on_the_way(3)
    choose_all(position, "AAA")
    places = []
    for _ in range(3):
        seat, letter = position.seat, "A"
        events = play(position, "to star")
        if position.phase == "paying":
            events = position.play(position.moves()[0])
        places.append(told(events, "moved")[0]["place"])
        assert position.state.place[seat, camel(letter)] == places[-1]
    assert places == [10, 11, 12]


@pytest.mark.parametrize("pen", PEN_NAMES)
def test_two_pens_are_free_and_three_cost_a_good(pen):
    """Arrows depend on the pen, not on the stall (section 3)."""
    position = on_the_way(5)
    letters = "".join(next(letter for letter in "ABCDE" if origin(position, seat, letter) == pen) for seat in range(5))
    choose_all(position, letters)
    assert texts(position) == [f"to {name}" for name in PEN_NAMES]
    for target in PEN_NAMES:
        twin = position.copy()
        play(twin, f"to {target}")
        assert (twin.phase == "paying") == (target in dear_pens(pen))
    assert len(dear_pens(pen)) == 3


def test_the_owner_chooses_which_good_to_pay_and_it_is_out_of_the_game():
    position = on_the_way(4)
    choose_all(position, "DAAA")
    target = dear_pens(origin(position, BLUE, "D"))[0]
    play(position, f"to {target}")
    assert position.unfinished
    assert (position.seat, position.phase) == (BLUE, "paying")
    assert texts(position) == ["pay pepper", "pay salt", "pay water"]
    assert not lost(position)
    events = play(position, "pay water")
    assert told(events, "paid") == [{"seat": BLUE, "camel": camel("D"), "good": 4}]
    assert load_of(position, BLUE, "D") == {"pepper": 1, "salt": 1, "water": 1}
    assert lost(position) == {"water": 1}
    assert position.state.place[BLUE, camel("D")] == PEN_NAMES.index(target) * STALLS
    assert not position.unfinished


def test_paying_is_allowed_though_the_arrows_are_free():
    """Clarification: a voluntary payment."""
    position = on_the_way(3)
    choose_all(position, "AAA")
    assert position.state.filled.tolist() == [0] * 5
    play(position, f"to {dear_pens(origin(position, BLUE, 'A'))[2]}", "pay gold")
    assert lost(position) == {"gold": 1}


def test_a_camel_without_goods_goes_anywhere_for_nothing():
    position = on_the_way(3)
    carry(position, BLUE, "A")
    choose_all(position, "AAA")
    before = lost(position)
    for target in PEN_NAMES:
        twin = position.copy()
        events = play(twin, f"to {target}")
        assert told(events, "moved")[0]["place"] == PEN_NAMES.index(target) * STALLS
        assert not told(events, "paid")
        assert lost(twin) == before


def test_the_only_kind_of_good_is_paid_without_asking():
    position = on_the_way(3)
    carry(position, BLUE, "A", "salt", "salt")
    choose_all(position, "AAA")
    salt = lost(position).get("salt", 0)
    events = play(position, f"to {dear_pens(origin(position, BLUE, 'A'))[0]}")
    assert told(events, "paid") == [{"seat": BLUE, "camel": camel("A"), "good": 3}]
    assert lost(position).get("salt", 0) == salt + 1
    assert position.seat == RED


def test_a_full_pen_may_not_be_entered():
    """Clarification: pen full."""
    position = evening(free=("lamp5", "moon5"))
    assert texts(position) == ["to lamp", "to moon"]
    with pytest.raises(IllegalMove):
        play(position, "to star")


def test_a_camel_whose_arrows_lead_to_full_pens_must_pay():
    position = evening(free=("scimitar5", "moon5"))  # it comes from the Star pen: Star and Lamp are full
    seat, letter = position.seat, "F"
    before = position.state.lost.sum()
    assert dear_pens("star") == ["palm", "scimitar", "moon"]
    play(position, "to moon")
    assert position.phase == "paying"
    assert texts(position) == ["pay gold", "pay coffee", "pay pepper", "pay salt"]
    assert load_of(position, seat, letter) == {"gold": 1, "coffee": 1, "pepper": 1, "salt": 1}
    assert position.state.lost.sum() == before


@EVERY_NUMBER
def test_a_camel_goes_by_itself_where_one_pen_is_open(seats):
    """Nobody is asked a question that has one answer."""
    for seed in range(30):
        position = on_the_way(seats, seed)
        while not position.over:
            assert len(position.moves()) > 1
            position.play(position.moves()[-1 - seed % 2])


@EVERY_NUMBER
def test_the_stall_that_stays_empty_is_a_number_five(seats):
    """Clarification: with 24 camels one stall stays empty."""
    for seed in range(10):
        position = wander(on_the_way(seats, seed), seed)
        filled = sorted(position.state.filled.tolist())
        assert filled == ([5] * 5 if seats == 5 else [4, 5, 5, 5, 5])


# ---------------------------------------------------------------- exchange fields

# In Taghaza, Palm 2 and Star 3 are exchange fields.


def knowledge(position) -> list[list[int]]:
    """The sets that every seat has seen in this stage."""
    return [[number for number in range(5) if has_seen(position.state, seat, number)] for seat in range(position.seats)]


def enter(position, target: str) -> list[Event]:
    """The camel revealed now goes to a pen, paying what comes first if it must."""
    events = play(position, f"to {target}")
    return events + (position.play(position.moves()[0]) if position.phase == "paying" else [])


def test_an_exchange_field_passes_all_sets_to_the_left_with_five_players():
    position = on_the_way(5)
    choose_all(position, "AAAAA")
    assert knowledge(position) == [[0], [1], [2], [3], [4]]
    enter(position, "palm")
    assert position.state.passes == 0
    events = enter(position, "palm")
    assert told(events, "passed") == [{"seat": RED, "place": 1}]
    assert knowledge(position) == [[0, 4], [0, 1], [1, 2], [2, 3], [3, 4]]
    assert holders(position) == [1, 2, 3, 4, 0]


def test_passing_with_three_players_takes_the_lying_sets_along():
    """Ruling: ring S, X, L, R, Y. What lay to the left of the first player comes to the left neighbour, unseen by others."""
    position = on_the_way(3)
    choose_all(position, "AAA")
    assert knowledge(position) == [[0], [2], [3]]
    enter(position, "palm")
    enter(position, "palm")
    assert knowledge(position) == [[0, 4], [1, 2], [2, 3]]
    assert holders(position) == [None, RED, GREEN, None, BLUE]


def test_passing_with_four_players_takes_the_lying_set_along():
    """Ruling: ring S, L, O, R, Y."""
    position = on_the_way(4)
    choose_all(position, "AAAA")
    assert knowledge(position) == [[0], [1], [2], [3]]
    enter(position, "palm")
    enter(position, "palm")
    assert knowledge(position) == [[0, 4], [0, 1], [1, 2], [2, 3]]
    assert holders(position) == [RED, GREEN, YELLOW, None, BLUE]


def test_nobody_looks_at_a_set_lying_between_players():
    """Clarification: face down until it reaches a hand."""
    position = on_the_way(3)
    for number in (1, 4):
        assert not any(has_seen(position.state, seat, number) for seat in range(3))
        assert all(position.seen_by(seat).state.thief_pen[number] == -1 for seat in range(3))


def test_an_exchange_field_entered_by_a_paid_move_works_too():
    """Clarification: entry by a paid move."""
    position = on_the_way(5)
    letters = ["A"] * 5
    letters[RED] = next(letter for letter in "ABCDE" if "palm" in dear_pens(origin(position, RED, letter)))
    choose_all(position, "".join(letters))
    enter(position, "palm")
    play(position, "to palm")
    assert position.phase == "paying"
    assert position.state.passes == 0
    events = position.play(position.moves()[0])
    assert [event.kind for event in events[:3]] == ["paid", "moved", "passed"]
    assert position.state.passes == 1


def test_two_exchange_fields_in_one_round_are_two_passes():
    """Clarification: each works at once when it is entered, and those who have not moved yet choose with the new knowledge."""
    position = on_the_way(5)
    choose_all(position, "AAAAA")
    for target in ("palm", "star", "star", "palm"):
        enter(position, target)
    assert position.state.passes == 1
    assert position.seat == 4
    assert position.seen_by(4).state.thief_pen.min() == -1
    before = (position.seen_by(4).state.thief_pen >= 0).sum()
    assert before == 2
    events = enter(position, "star")
    assert len(told(events, "passed")) == 1
    assert position.state.passes == 2
    assert knowledge(position)[4] == [2, 3, 4]


def test_the_cards_of_a_round_are_chosen_before_what_is_learned_in_it():
    position = on_the_way(4)
    choose_all(position, "AAAA")
    enter(position, "palm")
    enter(position, "palm")
    assert told(position.seen_by(GREEN).events, "learned")
    assert position.phase == "moving"
    assert position.state.choice[GREEN] == camel("A")
    assert len(texts(position)) == 5


def test_the_ring_stays_as_it_is_when_the_round_stone_moves():
    """Clarification: the ring is fixed within a stage."""
    position = on_the_way(3)
    before = holders(position)
    choose_all(position, "AAA")
    for target in ("lamp", "moon", "scimitar"):
        enter(position, target)
    assert position.state.round_stone == RED
    assert holders(position) == before


@EVERY_NUMBER
def test_everybody_gets_to_know_three_of_the_five_sets_in_a_stage(seats):
    for seed in range(5):
        position = on_the_way(seats, seed)
        chance = random.Random(seed)
        fields: list[set[int]] = [set() for _ in range(seats)]
        stage = 0
        while not position.over:
            for event in position.play(chance.choice(position.moves())):
                stage += event.kind == "stage"
                if event.kind == "passed":
                    fields[stage].add(event.args["place"])
        assert fields == [set(EXCHANGE[oasis].nonzero()[0].tolist()) for oasis in ROUTE[seats, :seats]]
        assert all(len(sets) == 3 for sets in knowledge(position))


def test_who_has_seen_which_set_is_open_to_all():
    position = on_the_way(4)
    choose_all(position, "AAAA")
    enter(position, "palm")
    enter(position, "palm")
    seen_by = [[0, 1], [1, 2], [2, 3], [3], [0]]
    assert [one["seen_by"] for one in position.view()["notes"]["sets"]] == seen_by
    for seat in range(4):
        assert [one["seen_by"] for one in position.view(seat)["notes"]["sets"]] == seen_by
