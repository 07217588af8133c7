"""Who plays whom in a tournament, and how it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest

from azalai.server.pairings import Encounter, Format, Kind, next_pairings, settled, standings, table_sizes, total_rounds

NOBODY: frozenset[int] = frozenset()
Rule = Callable[[Encounter], tuple[int, ...]]


def lower_wins(pairing: Encounter) -> tuple[int, ...]:
    """Who has the lower number comes first; computer players that fill seats come last."""
    ranked = sorted(pairing.seats, key=lambda one: 10**6 if one is None else one)
    return tuple(ranked.index(one) + 1 for one in pairing.seats)


def played_through(form: Format, people: int, rule: Rule = lower_wins, removed: frozenset[int] = NOBODY) -> list[Encounter]:
    """All games of a tournament."""
    played: list[Encounter] = []
    for _ in range(1000):
        new, over = next_pairings(form, list(range(people)), removed, played)
        if over:
            return played
        assert new
        for one in new:
            known = settled(one, removed)
            played.append(known if known.places else replace(one, table="t", places=rule(one)))
    raise AssertionError("it does not end")


def two(kind: Kind, games: int = 1) -> Format:
    return Format(kind, 2, 2, games)


@pytest.mark.parametrize("people", range(2, 13))
def test_in_a_round_robin_everybody_meets_everybody_once(people):
    played = played_through(two("round_robin"), people)
    pairs = Counter(frozenset(one.entrants) for one in played if len(one.seats) == 2)
    assert pairs == Counter(frozenset(pair) for pair in combinations(range(people), 2))
    assert max(one.round_no for one in played) == total_rounds(two("round_robin"), people)
    for number in range(1, people):
        seated = [seat for one in played if one.round_no == number for seat in one.seats]
        assert len(seated) == len(set(seated))


@pytest.mark.parametrize("people", range(2, 13))
def test_everybody_begins_about_as_often_as_not(people):
    played = [one for one in played_through(two("round_robin"), people) if len(one.seats) == 2]
    for number in range(people):
        first = sum(one.seats[0] == number for one in played)
        assert abs(first - sum(one.seats[1] == number for one in played)) <= 1, number


@pytest.mark.parametrize("people", range(3, 14))
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_with_more_seats_everybody_meets_everybody_too(people, seats):
    played = played_through(Format("round_robin", seats, 2, 1), people)
    assert {frozenset(pair) for one in played for pair in combinations(one.entrants, 2)} == {
        frozenset(pair) for pair in combinations(range(people), 2)
    }
    assert all(len(one.seats) <= seats for one in played)
    best = -(-(people - 1) // (seats - 1))  # rounds that nobody can do without
    assert max(one.round_no for one in played) <= 2 * best + 3


def test_tables_are_filled_by_computer_players_where_a_game_needs_more():
    for kind in ("round_robin", "knock_out"):
        played = played_through(Format(kind, 3, 3, 1), 4)
        assert all(len(one.seats) == 3 for one in played)
        assert any(None in one.seats for one in played)


@pytest.mark.parametrize("people", range(2, 20))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_knock_out_leaves_one(people, seats):
    form = Format("knock_out", seats, 2, 1)
    played = played_through(form, people)
    assert max(one.round_no for one in played) == total_rounds(form, people)
    table = standings(form, list(range(people)), NOBODY, played)
    assert [one.number for one in table if one.place == 1] == [0]
    assert sorted(one.number for one in table) == list(range(people))


def test_nobody_has_a_second_free_round_before_others_had_one():
    played = played_through(two("knock_out"), 11)
    free = Counter(one.seats[0] for one in played if len(one.seats) == 1)
    assert set(free.values()) == {1}


def test_a_drawn_game_of_a_knock_out_is_replayed_with_changed_seats():
    def drawn_twice(pairing: Encounter) -> tuple[int, ...]:
        return (1, 1) if pairing.game_no < 2 else lower_wins(pairing)

    played = played_through(two("knock_out"), 4, drawn_twice)
    for number in (0, 1):
        seats = [one.seats for one in played if (one.round_no, one.match_no) == (1, number)]
        assert seats[0] == seats[1][::-1] == seats[2]


def test_a_series_ends_when_nobody_can_catch_up():
    assert len(played_through(two("series", 5), 2)) == 3
    alternating = played_through(two("series", 3), 2, lambda one: (1, 2))
    assert [one.seats for one in alternating] == [(0, 1), (1, 0), (0, 1)]


def test_a_level_series_goes_on():
    played = played_through(two("series", 3), 2, lambda one: (1, 1) if one.game_no < 4 else lower_wins(one))
    assert len(played) == 5


def test_points_are_shared_by_whom_one_has_beaten():
    form = Format("series", 3, 2, 1)
    game = Encounter(1, 0, 0, (2, 0, 1), (1, 2, 2), "t")
    points = {one.number: one.points for one in standings(form, [0, 1, 2], NOBODY, [game])}
    assert points == {2: 1.0, 0: 0.25, 1: 0.25}


def test_equal_points_are_told_apart_by_sonneborn_berger():
    # 0 beats 1 and 2 and loses to 3; 1 beats 2 and 3; 2 beats 3: 0 and 1 have two points, 0 has beaten the stronger ones
    results = {(0, 1): 0, (0, 2): 0, (0, 3): 3, (1, 2): 1, (1, 3): 1, (2, 3): 2}
    games = [Encounter(1, n, 0, pair, (1, 2) if won == pair[0] else (2, 1), "t") for n, (pair, won) in enumerate(results.items())]
    table = standings(two("round_robin"), [3, 2, 1, 0], NOBODY, games)
    assert [(one.number, one.place, one.points, one.tie_break) for one in table] == [
        (0, 1, 2.0, 3.0),
        (1, 2, 2.0, 2.0),
        (3, 3, 1.0, 2.0),
        (2, 4, 1.0, 1.0),
    ]


def test_whoever_is_removed_loses_what_is_left_and_comes_last():
    removed = frozenset({0})
    played = played_through(two("round_robin"), 4, removed=removed)
    table = standings(two("round_robin"), list(range(4)), removed, played)
    assert table[-1].number == 0
    assert [one.won for one in table] == [3, 2, 1, 0]
    assert all(one.table is None for one in played if 0 in one.seats)


def test_a_free_round_gives_no_point():
    table = standings(two("round_robin"), [0], NOBODY, [Encounter(1, 0, 0, (0,), (1,))])
    assert (table[0].points, table[0].played) == (0, 0)


@pytest.mark.parametrize(
    ("people", "seats", "sizes"), [(7, 4, [4, 3]), (5, 4, [3, 2]), (5, 2, [2, 2, 1]), (4, 3, [2, 2]), (2, 5, [2])]
)
def test_tables_are_of_even_size(people, seats, sizes):
    assert table_sizes(people, seats) == sizes
