"""The desert and the start: section 3 of the rulebook, and its changes for two and three players."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

import azalai
from azalai.engine.position import Position
from azalai.games.targui.components import AREAS, ECONOMIC, IN_ORDER, NUMBERS, PARTS, STRATEGIC
from azalai.games.targui.state import FIELD
from tests.games.targui.desert import at, camels, desert, kinds, lawful, lay, lucky, moves, neighbours, only, owner, turn

GAME = azalai.game("targui")
VALUES = {
    "settlement": (4, 4),
    "erg": (0, 1),
    "guelta": (3, 3),
    "mountain": (1, 0),
    "saline": (5, 5),
    "reg": (0, 2),
    "feche": (2, 0),
    "chott": (0, 0),
}
CARDS = {"erg": 12, "guelta": 6, "mountain": 6, "saline": 1, "reg": 12, "feche": 8, "chott": 4}


def areas(position: Position) -> list[str]:
    return [AREAS[area] for area in position.state.terrain]


@pytest.mark.parametrize("area", VALUES)
def test_an_area_has_its_strategic_and_economic_value(area: str) -> None:
    assert (STRATEGIC[AREAS.index(area)], ECONOMIC[AREAS.index(area)]) == VALUES[area]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_desert_is_made_of_all_area_cards_with_the_great_saline_in_the_centre(seats: int) -> None:
    position = GAME.new(seats=seats, seed=3)
    assert Counter(areas(position)) == CARDS
    assert areas(position)[at("d4")] == "saline"


def test_no_two_deserts_are_alike() -> None:
    assert len({tuple(areas(GAME.new(seats=2, seed=number))) for number in range(50)}) == 50


def test_every_field_gets_every_kind_of_card_as_often_as_there_are_cards() -> None:
    games = 2000
    counts = Counter((field, area) for number in range(games) for field, area in enumerate(areas(GAME.new(seats=2, seed=number))))
    for field in range(49):
        if field != at("d4"):
            for area, cards in CARDS.items():
                expected = games * cards / 48 if area != "saline" else 0
                assert abs(counts[field, area] - expected) <= 5 * expected**0.5, (FIELD.labels[field], area)


def test_the_numbers_of_the_fields_form_one_spiral_from_the_centre() -> None:
    assert NUMBERS[at("d4")] == 1
    assert sorted(NUMBERS) == list(range(1, 50))
    for one, following in itertools.pairwise(IN_ORDER):
        assert abs(one - following) in (1, 7)  # the next number lies right beside, above or below


def test_a_field_has_eight_neighbours_fewer_at_the_rim() -> None:
    assert neighbours("d4") == {"c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5"}
    assert neighbours("a1") == {"a2", "b1", "b2"}
    assert neighbours("g4") == {"g3", "g5", "f3", "f4", "f5"}


def zones(seats: int) -> list[set[str]]:
    position = GAME.new(seats=seats, seed=1)
    found = []
    while position.phase == "settling":
        found.append({move.text.split()[1] for move in position.moves()})
        position.play(position.moves()[0])
    return found


TOP_LEFT = {"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3"}
TOP_RIGHT = {"e1", "f1", "g1", "e2", "f2", "g2", "f3", "g3"}
BOTTOM_LEFT = {"a5", "b5", "a6", "b6", "c6", "a7", "b7", "c7"}
BOTTOM_RIGHT = {"f5", "g5", "e6", "f6", "g6", "e7", "f7", "g7"}


def test_four_players_settle_each_in_a_corner() -> None:
    assert zones(4) == [TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT]


def test_three_players_settle_on_three_numbered_fields_each() -> None:
    by_number = [{int(NUMBERS[at(label)]) for label in zone} for zone in zones(3)]
    assert by_number == [{31, 32, 33}, {39, 40, 41}, {47, 48, 49}]
    assert zones(3) == [{"e1", "f1", "g1"}, {"a3", "a4", "a5"}, {"e7", "f7", "g7"}]


def test_two_players_settle_in_opposite_corners() -> None:
    assert zones(2) == [TOP_LEFT, BOTTOM_RIGHT]


@pytest.mark.parametrize(
    ("seats", "colours"),
    [(2, ("green", "yellow")), (3, ("red", "green", "yellow")), (4, ("blue", "red", "green", "yellow"))],
)
def test_blue_stays_out_with_three_players_and_red_too_with_two(seats: int, colours: tuple[str, ...]) -> None:
    assert GAME.new(seats=seats, seed=1).seat_labels == colours


def test_ruling_1_settlements_are_chosen_in_the_order_blue_red_green_yellow() -> None:
    position = GAME.new(seats=4, seed=1)
    order = []
    while position.phase == "settling":
        order.append(position.seat_labels[position.seat])
        position.play(position.moves()[0])
    assert order == ["blue", "red", "green", "yellow"]


@pytest.mark.parametrize("area", ["chott", "guelta", "erg"])
def test_ruling_2_a_settlement_may_replace_any_card_of_the_zone_even_salt_sea(area: str) -> None:
    position = GAME.new(seats=2, seed=1)
    lay(position, b2=area)
    before = Counter(areas(position))
    events = position.play("settle b2")
    assert areas(position)[at("b2")] == "settlement"
    assert Counter(areas(position))[area] == before[area] - 1  # the card has left the game
    assert only(events, "settled") == [{"seat": 0, "field": at("b2"), "area": AREAS.index(area)}]


def test_ruling_2_camels_may_walk_where_a_settlement_replaced_salt_sea() -> None:
    position = GAME.new(seats=2, seed=1)
    lay(position, b2="chott")
    position.play("settle b2")
    position.play("settle f6")
    assert int(position.state.land) >> at("b2") & 1


def test_ruling_3_a_settlement_walled_in_by_salt_sea_is_legal_but_its_camels_cannot_march() -> None:
    position = GAME.new(seats=2, seed=1)
    lay(position, a2="chott", b1="chott", b2="chott")
    position.play("settle a1")
    lucky(position, "settle f6", lambda events: only(events, "turn") == [{"seat": 0}])
    assert position.phase == "buying"  # nothing to march with: the first question is what to buy
    assert moves(position) == {"buy a1", "done"}


def test_every_player_starts_with_ten_camels_on_his_settlement_and_ten_silver() -> None:
    position = GAME.new(seats=4, seed=1)
    for seat, label in enumerate(("a1", "g1", "a7", "g7")):
        position.play(f"settle {label}")
        assert owner(position, label) == seat
        assert camels(position, label) == 10
        assert position.state.silver[seat] == 10
    assert position.state.box == 360


@pytest.mark.parametrize(("seats", "rounds", "missing"), [(4, 16, set()), (3, 15, {2}), (2, 14, {2, 3})])
def test_there_are_as_many_rounds_as_fate_cards(seats: int, rounds: int, missing: set[int]) -> None:
    left = GAME.new(seats=seats, seed=1).view()["notes"]["fates_left"]
    assert set(left) == set(range(1, 17)) - missing
    assert len(left) == rounds


def test_the_box_has_400_camels_in_100_light_and_60_dark_ones() -> None:
    assert GAME.new(seats=2, seed=1).state.box == 400
    assert PARTS["supply"] == {"light_camels": 100, "dark_camels": 60, "dark_worth": 5}


def test_the_first_round_begins_when_all_have_settled() -> None:
    position = GAME.new(seats=3, seed=1)
    assert kinds(position.events) == ["laid"]
    position.play("settle f1")
    position.play("settle a4")
    assert position.state.round_no == 0
    events = position.play("settle f7")
    assert kinds(events)[:2] == ["settled", "rolled"]
    assert position.state.round_no == 1


def test_a_desert_made_for_tests_breaks_no_law() -> None:
    for seats in (2, 3, 4):
        position = desert(seats)
        turn(position, 1)
        assert lawful(position)
