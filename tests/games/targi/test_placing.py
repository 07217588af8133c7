"""The frame, where Targis may stand, and the markers that follow."""

from __future__ import annotations

import pytest

from azalai.games.targi.components import BORDERS, CELLS, COLUMN_OF, FACING, GOODS_CELLS, GOODS_PILE, ROW_OF, TRIBE_PILE
from tests.games.targi.table import BLUE, WHITE, Table, cell, place

FRAME = (
    "raid16 noble dates2 salt3 raid4",
    "salt15 a1 b1 c1 trader",
    "expansion a2 b2 c2 pepper6",
    "caravan a3 b3 c3 dates7",
    "raid12 pepper11 silversmith mirage raid8",
)
NOT_CORNERS = {label for row in FRAME for label in row.split() if place(label) < BORDERS and not label.startswith("raid")}


def test_the_frame_lies_as_printed():
    """Number 1 is the second card of the top row; numbers go on clockwise; facing cards look upon the same row or column."""
    around = [FRAME[0].split()[1:], *([row.split()[4]] for row in FRAME[1:4]), FRAME[4].split()[::-1]]
    around += [*([row.split()[0]] for row in FRAME[3:0:-1]), [FRAME[0].split()[0]]]
    assert [place(label) for part in around for label in part] == list(range(16))
    for one, other in ((1, 11), (2, 10), (3, 9), (15, 5), (14, 6), (13, 7)):
        assert FACING[one - 1] == other - 1
        assert FACING[other - 1] == one - 1
        assert (ROW_OF[one - 1], COLUMN_OF[one - 1]) == (ROW_OF[other - 1], COLUMN_OF[other - 1])


def test_lines_lead_to_the_cells_beside_them():
    for row, labels in enumerate(FRAME[1:4]):
        left, *cells, right = labels.split()
        assert ROW_OF[place(left)] == ROW_OF[place(right)] == row
        assert [cell(label) // 3 for label in cells] == [row] * 3
    for column in range(3):
        top, bottom = FRAME[0].split()[column + 1], FRAME[4].split()[column + 1]
        assert COLUMN_OF[place(top)] == COLUMN_OF[place(bottom)] == column


def test_at_the_start_goods_lie_on_the_corners_and_in_the_middle():
    s = Table().s
    for number in range(CELLS):
        assert (s.centre[GOODS_PILE, number] >= 0) == (number in GOODS_CELLS)
        assert (s.centre[TRIBE_PILE, number] >= 0) == (number not in GOODS_CELLS)


def test_everybody_begins_with_two_of_each_good_one_gold_and_four_crosses():
    table = Table()
    for seat in (BLUE, WHITE):
        assert table.stock(seat) == {"dates": 2, "salt": 2, "pepper": 2, "gold": 1, "crosses": 4}


def test_blue_places_first_and_the_robber_stands_on_the_noble_in_round_one():
    table = Table()
    assert (table.seat, table.phase, table.s.round_no) == (BLUE, "placing", 1)
    assert table.moves == {f"place {label}" for label in NOT_CORNERS - {"noble"}}


def test_the_rulebooks_example_of_placing():
    """A Targi closes its card to all and the facing one to the opponent; facing the robber is allowed, on him it is not."""
    table = Table().play("place caravan")
    assert "place dates7" not in table.moves  # White may not face the blue Targi
    assert "place caravan" not in table.moves
    table.play("place dates2")
    assert "place silversmith" not in table.moves  # Blue may not face the white Targi
    assert "place dates7" in table.moves  # but his own
    table.play("place salt3")
    assert "place noble" not in table.moves  # the robber
    table.play("place pepper11")  # facing the robber
    table.play("place trader", "place expansion")
    assert table.phase == "acting"
    assert sorted(table.s.targi[BLUE].tolist()) == sorted(map(place, ("caravan", "salt3", "trader")))
    assert sorted(table.s.targi[WHITE].tolist()) == sorted(map(place, ("dates2", "pepper11", "expansion")))


def test_the_rulebooks_example_of_markers():
    """Every crossing of two own lines gets a marker, two for each player here; then the start player acts."""
    table = Table().play("place caravan", "place dates2", "place salt3", "place pepper11", "place trader", "place expansion")
    assert table.s.marker[BLUE].tolist() == [cell("c1"), cell("c3")]
    assert table.s.marker[WHITE].tolist() == [cell("a2"), cell("b2")]
    assert table.told == ["placed", "marked", "marked", "marked", "marked"]
    assert (table.seat, table.phase) == (BLUE, "acting")


def test_two_own_targis_that_face_each_other_give_one_marker():
    table = Table().play("place caravan", "place pepper6", "place dates7", "place salt15", "place dates2", "place pepper11")
    assert table.s.marker[BLUE].tolist() == [cell("b3"), -1]
    assert table.s.marker[WHITE].tolist() == [cell("a1"), cell("a2")]


def test_three_targis_that_look_the_same_way_give_no_marker():
    table = Table().play("place caravan", "place dates2", "place expansion", "place salt3", "place salt15", "place pepper11")
    assert table.s.marker.tolist() == [[-1, -1], [-1, -1]]


def test_the_two_players_never_mark_the_same_card():
    for seed in range(30):
        table = Table(seed)
        while table.phase == "placing":
            moves = sorted(table.moves)
            table.play(moves[seed * 7 % len(moves)])
        marks = [mark for mark in table.s.marker.ravel().tolist() if mark >= 0]
        assert len(marks) == len(set(marks))


def test_there_is_always_a_place_for_the_last_targi():
    """Even when three Targis of the opponent close six cards, two own ones two, and the robber one."""
    table = Table().play("place dates2", "place salt15", "place salt3", "place expansion", "place pepper11")
    assert len(table.moves) >= 2


def test_the_robbers_card_is_open_to_the_owner_of_t32():
    table = Table().display(BLUE, "T32")
    assert "place noble" in table.moves
    table.play("place noble")
    assert "place noble" not in table.moves  # occupied now
    assert "place pepper11" not in table.moves  # faces a blue Targi


def test_t32_opens_the_robbers_card_only_and_only_to_its_owner():
    """T32: occupied and facing cards stay closed, and so do corners."""
    table = Table().display(BLUE, "T32")
    assert not {move for move in table.moves if "raid" in move}
    table.play("place dates7")
    assert "place noble" not in table.moves
    table.play("place pepper11")
    assert "place noble" not in table.moves  # for Blue too: it faces a white Targi


def test_a_targi_on_the_robbers_card_is_used_as_usual():
    table = Table().display(BLUE, "T32").in_round(2).own(BLUE).acting(BLUE, "dates2")
    assert table.play("use dates2").stock(BLUE) == {"dates": 1}


@pytest.mark.parametrize("starts", [BLUE, WHITE])
def test_t44_leaves_the_opponent_two_targis_in_the_next_round_only(starts):
    """T44: when the third would come, the opponent is skipped."""
    table = Table().in_round(4).own(BLUE, dates=1, salt=1, pepper=2).show("b1", "T44")
    table.acting(starts, *(("", "") if starts == WHITE else ("", "b1")))
    if starts == WHITE:
        table.s.seat, table.s.pending = BLUE, 1
        table.s.marker[BLUE, 0] = cell("b1")
    table.play("play b1", "row 1")
    if table.phase == "acting":
        table.play("done")
    assert (table.phase, table.seat) == ("placing", 1 - starts)
    assert table.s.targis.tolist() == [3, 2]
    seats = []
    while table.phase == "placing":
        seats.append(table.seat)
        table.play(min(table.moves))
    first, second = 1 - starts, starts
    expected = [first, second, first, second, BLUE] if first == BLUE else [WHITE, BLUE, WHITE, BLUE, BLUE]
    assert seats == expected
    assert sum(place >= 0 for place in table.s.targi[WHITE].tolist()) == 2
    assert table.s.hobbled.tolist() == [0, 0]


def test_t44_in_the_last_round_has_no_effect():
    table = Table().in_round(12).own(BLUE, dates=1, salt=1, pepper=2, crosses=5).own(WHITE, crosses=5).show("b1", "T44")
    table.acting(WHITE)
    table.s.seat, table.s.pending = BLUE, 1
    table.s.marker[BLUE, 0] = cell("b1")
    table.play("play b1", "row 1")
    assert table.position.over
    assert table.points(BLUE) == 5 - 3 + 2
