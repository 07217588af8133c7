"""Thefts at the end of a stage, and what goods are worth at the end of all."""

from __future__ import annotations

import pytest

from azalai.games.timbuktu.state import GOOD, OASIS, PEN
from tests.games.timbuktu.table import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    camel,
    carry,
    deal,
    evening,
    good,
    load_of,
    lost,
    new,
    on_the_way,
    play,
    told,
    wander,
)

EXAMPLE = "lamp 1+3 water+gold"


def night(position):
    """The last camel goes to the Moon pen and pays salt for it; then the thieves come."""
    return play(position, "to moon", "pay salt")


def robbed(events, pen: str) -> list[tuple[int, int, str, int]]:
    """Seat, camel, good and number of all that was stolen in a pen."""
    found = []
    here = False
    for event in events:
        if event.kind == "struck":
            here = event.args["pen"] == PEN.value(pen)
        elif event.kind == "robbed" and here:
            args = event.args
            found.append((args["seat"], args["camel"], GOOD.label(args["good"]), args["count"]))
    return found


def test_the_rulebooks_example_of_a_theft():
    """Lamp pen, stalls 1 and 3, water and gold: green camel C loses 1 gold, red camel D loses 2 water."""
    position = evening(standing={"lamp1": (GREEN, "C"), "lamp3": (RED, "D"), "lamp2": (BLUE, "A")})
    deal(position, EXAMPLE)
    events = night(position)
    assert robbed(events, "lamp") == [(GREEN, camel("C"), "gold", 1), (RED, camel("D"), "water", 2)]
    assert load_of(position, GREEN, "C") == {"coffee": 2, "salt": 1}
    assert load_of(position, RED, "D") == {"salt": 1, "pepper": 1}


def test_a_camel_beside_the_named_stalls_loses_nothing():
    position = evening(standing={"lamp2": (BLUE, "A"), "lamp4": (YELLOW, "D")})
    deal(position, EXAMPLE)
    night(position)
    assert load_of(position, BLUE, "A") == {"gold": 2, "coffee": 1, "pepper": 1}
    assert load_of(position, YELLOW, "D") == {"water": 2, "salt": 1, "pepper": 1}


def test_all_goods_of_both_kinds_are_taken():
    position = evening(standing={"lamp1": (GREEN, "A")})
    carry(position, GREEN, "A", "gold", "gold", "water", "salt")
    deal(position, EXAMPLE)
    events = night(position)
    assert [loss for loss in robbed(events, "lamp") if loss[:2] == (GREEN, 0)] == [(GREEN, 0, "water", 1), (GREEN, 0, "gold", 2)]
    assert load_of(position, GREEN, "A") == {"salt": 1}


def test_a_camel_that_carries_neither_good_loses_nothing():
    """Clarification: camel lacks both kinds."""
    position = evening(standing={"lamp1": (GREEN, "C"), "lamp3": (RED, "F")})
    carry(position, GREEN, "C", "coffee", "salt", "pepper", "pepper")
    carry(position, RED, "F", "coffee")
    deal(position, EXAMPLE)
    assert robbed(night(position), "lamp") == []
    assert load_of(position, RED, "F") == {"coffee": 1}


def test_in_an_empty_stall_nothing_happens():
    """Clarification: the named stall is empty, which can only be a stall 5."""
    position = evening(free=("scimitar5", "moon5"), standing={"scimitar1": (RED, "F")})
    carry(position, RED, "F", "coffee")
    deal(position, "scimitar 1+5 water+gold")
    events = night(position)
    assert PEN.value("scimitar") in [event["pen"] for event in told(events, "struck")]
    assert robbed(events, "scimitar") == []


def test_every_pen_is_struck_by_one_set_and_ten_stalls_in_all():
    position = evening()
    events = night(position)
    struck = told(events, "struck")
    assert sorted(event["pen"] for event in struck) == [0, 1, 2, 3, 4]
    assert sorted(event["stalls"] for event in struck) == [0, 1, 2, 3, 4]
    assert sorted(event["goods"] for event in struck) == [0, 1, 2, 3, 4]


def test_what_is_stolen_lies_open_with_what_was_paid():
    position = evening()
    before = position.state.lost.copy()
    events = night(position)
    taken = before.astype(int)
    for event in told(events, "robbed"):
        taken[event["good"]] += event["count"]
    taken[good("salt")] += 1
    assert position.state.lost.tolist() == taken.tolist()
    for seat in (*range(4), None):
        assert position.seen_by(seat).state.lost.tolist() == taken.tolist()


def test_camels_go_on_from_where_they_stand():
    position = evening(standing={"lamp1": (GREEN, "C")})
    night(position)
    assert position.state.stage == 1
    assert position.state.place[GREEN, camel("C")] == 5
    assert position.state.filled.tolist() == [0] * 5
    assert position.state.used.tolist() == [0] * 5
    assert position.state.passes == 0


# ---------------------------------------------------------------- values


def arrived(seats: int, losses: str, *kept: dict[str, int]):
    """A game as it stands when these goods are lost and kept."""
    position = new(seats)
    s = position.state
    for kind, number in enumerate(losses.split()):
        s.lost[kind] = int(number)
    for seat in range(seats):
        for kind in range(5):
            s.kept[seat, kind] = kept[seat].get(GOOD.label(kind), 0) if seat < len(kept) else 0
    return position


def test_a_good_is_worth_as_many_points_as_its_kind_has_lost():
    """The rulebook's example: gold 3, coffee 2, pepper 4, salt 3, water 4."""
    for kind, value in {"gold": 3, "coffee": 2, "pepper": 4, "salt": 3, "water": 4}.items():
        assert arrived(3, "3 2 4 3 4", {kind: 1}).scores == (value, 0, 0)
        assert arrived(3, "3 2 4 3 4", {kind: 5}).scores == (5 * value, 0, 0)


def test_the_score_is_the_sum_over_all_kinds():
    position = arrived(3, "3 2 4 3 4", {"gold": 4, "coffee": 5, "water": 1}, {"pepper": 6}, {"salt": 9})
    assert position.scores == (26, 24, 27)
    assert position.ranking == (2, 3, 1)


def test_eleven_lost_gold_make_every_other_gold_worth_eleven():
    assert arrived(3, "11 0 0 0 0", {"gold": 2}).scores[0] == 22


def test_a_kind_that_was_never_lost_is_worth_nothing():
    assert arrived(4, "0 9 9 9 9", {"gold": 5}).scores == (0, 0, 0, 0)


def test_in_a_tie_more_goods_decide():
    position = arrived(3, "2 1 0 0 0", {"gold": 2}, {"coffee": 4}, {"gold": 1})
    assert position.scores == (4, 4, 2)
    assert position.ranking == (2, 1, 3)


def test_with_as_many_goods_the_win_is_shared():
    position = arrived(3, "2 2 0 0 0", {"gold": 2}, {"coffee": 2}, {"gold": 1})
    assert position.ranking == (1, 1, 3)


def test_goods_paid_for_moves_count_as_lost():
    position = on_the_way(5)
    for seat in range(5):
        play(position, "choose A", seat=seat)
    while not lost(position):
        position.play(position.moves()[-1])
    assert position.scores != (0,) * 5


# ---------------------------------------------------------------- the end


@pytest.mark.parametrize(
    ("seats", "way"),
    [
        (3, ["taghaza", "araouane", "timbuktu"]),
        (4, ["taghaza", "taoudenni", "araouane", "timbuktu"]),
        (5, ["taghaza", "taoudenni", "ounane", "araouane", "timbuktu"]),
    ],
)
def test_the_journey_ends_in_timbuktu_with_one_last_theft(seats, way):
    position = on_the_way(seats)
    oases, nights = [], 0
    stages = told(position.events, "stage")
    while True:
        oases += [OASIS.label(event["oasis"]) for event in stages]
        if position.over:
            break
        events = position.play(position.moves()[0])
        nights += bool(told(events, "struck"))
        stages = told(events, "stage")
    assert oases == way
    assert nights == seats
    assert told(position.events, "struck")
    assert position.end == "arrival"
    assert position.pending == ()


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_goods_are_neither_made_nor_mislaid(seats):
    for seed in range(5):
        position = wander(new(seats, seed), seed)
        s = position.state
        assert (s.kept[:seats].sum(axis=0) + s.lost).tolist() == (new(seats).state.kept[:seats].sum(axis=0)).tolist()
        assert position.scores == tuple(int((s.kept[seat].astype(int) * s.lost).sum()) for seat in range(seats))


def test_the_last_thefts_are_revealed_and_not_taken_back():
    """In Timbuktu the sets are laid open as everywhere."""
    position = wander(new(3, 4), 4)
    assert position.over
    assert position.revealed
    assert not position.takes_back


def test_equal_points_are_parted_by_the_goods_that_arrived_and_the_end_says_so():
    from azalai.engine.words import Words

    position = wander(new(3, 4), 4)
    s, words = position.state, Words(position.game, 3)
    s.kept[:] = 0
    s.lost[:] = [2, 4, 0, 0, 0]
    s.kept[0, 0], s.kept[1, 1], s.kept[2, 1] = 4, 2, 1
    assert words.ending(position) == (
        f"{words.end('arrival')} Blue and Red have the same points, 8. The goods that arrived decide: Blue with 4 and Red with 2."
    )
