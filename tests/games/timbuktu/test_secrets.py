"""Who knows what, what is guessed in its place, and choices made at the same time."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from azalai.engine.dispatch import invariant
from azalai.games.timbuktu.components import CAMELS, PENS, SETS, TOTALS
from tests.games.timbuktu.table import (
    BLUE,
    GREEN,
    RED,
    camel,
    choose_all,
    load_of,
    new,
    on_the_way,
    play,
    sets_of,
    wander,
)

EVERY_NUMBER = pytest.mark.parametrize("seats", [3, 4, 5])
TRIES = 4000


def even(counts: Counter[Any], cases: int) -> bool:
    """Whether all cases came up about equally often: chi-square well within what chance allows."""
    expected = counts.total() / cases
    spread = sum((count - expected) ** 2 / expected for count in counts.values()) + expected * (cases - len(counts))
    return len(counts) <= cases and spread < cases + 5 * (2 * cases) ** 0.5


# ---------------------------------------------------------------- what is seen


@EVERY_NUMBER
def test_a_seat_sees_the_sets_it_holds_or_has_held_in_this_stage_and_nothing_of_others(seats):
    for seed in range(3):
        position = on_the_way(seats, seed)
        while not position.over:
            truth = sets_of(position)
            for seat in range(seats):
                seen = sets_of(position.seen_by(seat))
                known = [number for number in range(SETS) if seen[number] != (-1, -1, -1)]
                assert len(known) == 1 + position.state.passes
                assert all(seen[number] == truth[number] for number in known)
                own = next(i for i, one in enumerate(position.view(seat)["notes"]["sets"]) if one["holder"] == seat)
                assert own in known
            assert sets_of(position.seen_by(None)) == [(-1, -1, -1)] * SETS
            wander(position, seed, until=lambda now, ply=position.ply: now.ply > ply + 8)


def test_what_was_seen_in_one_stage_is_forgotten_in_the_next():
    position = wander(on_the_way(3), 5, until=lambda now: now.state.passes == 2)
    assert (position.seen_by(RED).state.thief_pen >= 0).sum() == 3
    wander(position, 5, until=lambda now: now.state.stage == 1)
    assert (position.seen_by(RED).state.thief_pen >= 0).sum() == 1


def test_a_choice_is_secret_until_its_card_is_revealed():
    position = on_the_way(4)
    choose_all(position, "BCDE")
    letters = [camel(letter) for letter in "BCDE"]
    assert position.seen_by(RED).state.choice.tolist()[:4] == [letters[0], letters[1], -1, -1]
    assert position.seen_by(None).state.choice.tolist()[:4] == [letters[0], -1, -1, -1]
    play(position, "to palm")
    if position.phase == "paying":
        play(position, str(position.moves()[0]))
    assert position.seen_by(None).state.choice.tolist()[:4] == [letters[0], letters[1], -1, -1]


def test_everybody_sees_who_has_chosen():
    position = on_the_way(4)
    play(position, "choose B", seat=GREEN)
    for seat in (*range(4), None):
        assert position.seen_by(seat).pending == (0, 1, 3)
    assert position.seen_by(GREEN).state.choice[GREEN] == camel("B")


def test_two_choices_look_alike_to_everybody_else():
    views = []
    for letter in "AF":
        position = on_the_way(4)
        play(position, f"choose {letter}", seat=GREEN)
        views.append([position.seen_by(seat).tobytes() for seat in (0, 1, 3, None)])
    assert views[0] == views[1]


def test_all_loads_and_losses_are_open():
    position = wander(on_the_way(4), 1, until=lambda now: now.state.stage == 1)
    for seat in (*range(4), None):
        seen = position.seen_by(seat).state
        for name in ("load", "kept", "lost", "place", "used", "filled"):
            assert getattr(seen, name).tolist() == getattr(position.state, name).tolist()


def test_at_the_end_nothing_is_hidden():
    position = wander(on_the_way(3), 2)
    assert sets_of(position.seen_by(None)) == sets_of(position)


# ---------------------------------------------------------------- what is guessed


def test_unseen_thief_cards_are_guessed_evenly():
    """With two sets unseen there are two ways to deal each kind of card, eight in all."""
    position = wander(on_the_way(4), 3, until=lambda now: now.state.passes == 2)
    seen = position.seen_by(BLUE)
    deals = Counter(tuple(sets_of(seen.imagine(seed))) for seed in range(TRIES))
    assert len(deals) == 8
    assert even(deals, 8)
    assert tuple(sets_of(position)) in deals


def test_a_spectator_guesses_all_cards_evenly():
    seen = on_the_way(5).seen_by(None)
    for kind in range(3):
        deals = Counter(tuple(one[kind] for one in sets_of(seen.imagine(seed))) for seed in range(TRIES))
        assert len(deals) == 120
        assert even(deals, 120)


def test_kinds_of_cards_are_guessed_independently_of_each_other():
    seen = on_the_way(3).seen_by(GREEN)
    known = next(number for number in range(SETS) if seen.state.thief_pen[number] >= 0)
    unseen = (known + 1) % SETS
    pairs: Counter[Any] = Counter()
    for seed in range(TRIES):
        one = sets_of(seen.imagine(seed))[unseen]
        pairs[one[0], one[1]] += 1
    assert len(pairs) == 16
    assert even(pairs, 16)


def test_secret_choices_are_guessed_evenly_among_the_camels_that_have_not_moved():
    position = on_the_way(4)
    choose_all(position, "CCCC")
    wander(position, 1, until=lambda now: now.phase == "choosing")
    play(position, "choose A", seat=RED)
    play(position, "choose F", seat=GREEN)
    seen = position.seen_by(BLUE)
    guesses: Counter[Any] = Counter()
    for seed in range(TRIES):
        whole = seen.imagine(seed)
        guesses[int(whole.state.choice[RED]), int(whole.state.choice[GREEN])] += 1
        assert whole.state.choice[BLUE] == -1
        assert whole.pending == (0, 3)
    left = [camel(letter) for letter in "ABDEF"]
    assert set(guesses) == set(itertools.product(left, left))
    assert even(guesses, 25)


def test_the_own_choice_and_revealed_ones_are_never_guessed():
    position = on_the_way(4)
    choose_all(position, "BCDE")
    seen = position.seen_by(GREEN)
    guesses = Counter(tuple(seen.imagine(seed).state.choice.tolist()[:4]) for seed in range(300))
    assert {(guess[0], guess[2]) for guess in guesses} == {(camel("B"), camel("D"))}
    assert len({guess[1] for guess in guesses}) == len({guess[3] for guess in guesses}) == 6


@EVERY_NUMBER
def test_guesses_hold_to_all_laws_and_look_like_the_truth(seats):
    for seed, loads in itertools.product(range(2), ("printed", "free")):
        position = new(seats, seed, loads=loads)
        while not position.over:
            for seat in (*range(seats), None):
                seen = position.seen_by(seat)
                whole = seen.imagine(position.ply)
                assert invariant(whole.state) == 0
                assert whole.seen_by(seat) == seen
            wander(position, seed, until=lambda now, ply=position.ply: now.ply > ply + 10)


# ---------------------------------------------------------------- loads in the making


def test_loads_are_secret_until_all_are_ready():
    position = new(3, loads="free")
    while RED in position.pending:
        position.play(position.moves(RED)[0], RED)
    play(position, "load salt", seat=GREEN)
    for seat in (BLUE, GREEN, None):
        seen = position.seen_by(seat)
        assert not load_of(seen, RED, "A")
        assert not seen.state.kept[RED].any()
    assert load_of(position.seen_by(GREEN), GREEN, "A") == {"salt": 1}
    assert load_of(position.seen_by(RED), RED, "A")
    for seat in (BLUE, GREEN):
        while seat in position.pending:
            position.play(position.moves(seat)[-1], seat)
    for seat in (*range(3), None):
        assert load_of(position.seen_by(seat), RED, "A") == load_of(position, RED, "A") == {"gold": 4}


def test_only_the_loader_is_told_what_is_loaded():
    position = new(4, loads="free")
    play(position, "load pepper", seat=GREEN)
    for seat in (*range(4), None):
        told = [event.kind for event in position.seen_by(seat).events]
        assert told == (["loaded"] if seat == GREEN else [])


def test_secret_loads_are_guessed_by_shuffling_the_goods():
    position = new(5, loads="free")
    while RED in position.pending:
        position.play(position.moves(RED)[0], RED)
    seen = position.seen_by(BLUE)
    first: Counter[Any] = Counter()
    for seed in range(2000):
        whole = seen.imagine(seed)
        assert whole.state.kept[RED].tolist() == TOTALS[5].tolist()
        assert whole.state.load[RED, : CAMELS[5]].sum(axis=1).tolist() == [4] * 5
        assert not whole.state.load[GREEN].any()
        for kind in range(5):
            first[kind] += int(whole.state.load[RED, 0, kind])
    assert even(first, 5)


# ---------------------------------------------------------------- at the same time


@EVERY_NUMBER
def test_the_order_of_secret_choices_changes_nothing(seats):
    """Every order gives the same bytes once all have chosen, in every round of a stage."""
    position = on_the_way(seats)
    orders = list(itertools.permutations(range(seats)))
    chance = random.Random(seats)
    for number in range(CAMELS[seats] - 1):
        choices = [chance.choice(position.moves(seat)) for seat in range(seats)]
        results = set()
        for order in orders if number < 2 else orders[::17]:
            twin = position.copy()
            for seat in order:
                twin.play(choices[seat], seat)
            results.add(twin.tobytes())
        assert len(results) == 1
        for seat in range(seats):
            position.play(choices[seat], seat)
        wander(position, number, until=lambda now: now.phase == "choosing")


@EVERY_NUMBER
def test_the_order_of_free_loading_changes_nothing(seats):
    """Whole caravans one after the other, or good by good in any mixture: the same bytes when all are ready."""
    chance = random.Random(seats)
    plans = []
    for seat in range(seats):
        position = new(seats, loads="free")
        plan = []
        while seat in position.pending:
            move = chance.choice(position.moves(seat))
            plan.append(move)
            position.play(move, seat)
        plans.append(plan)
    turns = [seat for seat in range(seats) for _ in plans[seat]]
    results = set()
    for mixture in range(12):
        order = turns.copy()
        if mixture == 1:
            order.reverse()
        elif mixture > 1:
            chance.shuffle(order)
        position = new(seats, loads="free")
        waiting = [iter(plan) for plan in plans]
        for seat in order:
            position.play(next(waiting[seat]), seat)
        assert position.phase == "placing"
        results.add(position.tobytes())
    assert len(results) == 1


def test_a_seat_may_choose_before_the_one_that_is_asked_first():
    position = on_the_way(5)
    assert position.seat == BLUE
    play(position, "choose E", seat=4)
    assert position.pending == (0, 1, 2, 3)
    assert position.phase == "choosing"
    assert position.seen_by(4).state.choice[4] == camel("E")


def test_no_move_is_made_before_all_have_chosen():
    position = on_the_way(3)
    play(position, "choose A", seat=BLUE)
    play(position, "choose B", seat=GREEN)
    assert position.phase == "choosing"
    assert position.state.filled.tolist() == [0] * PENS
    play(position, "choose C", seat=RED)
    assert position.phase == "moving"
    assert position.revealed


def test_what_was_chosen_can_be_taken_back_until_a_card_is_revealed():
    position = on_the_way(3)
    play(position, "choose A", seat=BLUE)
    assert position.takes_back
    play(position, "choose B", seat=GREEN)
    play(position, "choose C", seat=RED)
    assert not position.takes_back
