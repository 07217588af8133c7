"""Moves and events by name, number and text."""

from enum import auto
from typing import Any

import pytest

from azalai.engine.errors import IllegalMove
from azalai.engine.moves import SEAT, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, names, span

FIELD = names("field", "a1", "a2", "b1")
COUNT = span("count", 1, 4)


class Moves(MoveEnum):
    PASS = kind()
    GO = kind(field=FIELD, count=COUNT)
    BUY = kind(count=COUNT)


MOVES = Moves.table()


def test_every_id_stands_for_one_move_and_back():
    assert MOVES.count == 1 + 12 + 4
    for number in range(MOVES.count):
        move = MOVES[number]
        assert MOVES.encode(move.name, *move.args.values()) == number
        assert MOVES.parse(str(move)) is move
    assert len({str(MOVES[number]) for number in range(MOVES.count)}) == MOVES.count


def test_ids_follow_the_arguments_with_the_last_one_fastest():
    assert Moves.GO.value == 1
    assert MOVES.encode("go", 0, 1) == 1
    assert MOVES.encode("go", 0, 2) == 2
    assert MOVES.encode("go", 1, 1) == 5


def test_text_is_read_in_any_case_and_spacing():
    assert str(MOVES.parse("  GO   A2 3 ")) == "go a2 3"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "empty"),
        ("fly a1", "there are pass, go, buy"),
        ("go a1", "should read 'go FIELD COUNT'"),
        ("go z9 1", "'z9' is no field: a1, a2, b1"),
        ("buy 5", "'5' is no count: 1, 2, 3, 4"),
    ],
)
def test_a_text_that_is_no_move_is_answered_with_what_would_be_right(text, hint):
    with pytest.raises(IllegalMove, match=hint):
        MOVES.parse(text)


def test_an_id_out_of_range_is_no_move():
    with pytest.raises(IllegalMove, match="ids go from 0 to 16"):
        MOVES[17]


def test_events_leave_out_what_does_not_apply():
    class Events(EventEnum):
        BEGUN = kind()
        WENT = kind(seat=SEAT, field=FIELD)

    table = Events.table()
    rows = [[1, -1, 0, 2, -1, -1], [0, -1, -1, -1, -1, -1], [1, -1, 0, -1, -1, -1]]
    assert [event.as_dict() for event in table.decode(rows)] == [
        {"kind": "went", "seat": 0, "field": 2},
        {"kind": "begun"},
        {"kind": "went", "seat": 0},
    ]


def test_an_event_has_room_for_four_numbers():
    with pytest.raises(ValueError, match="at most four"):

        class Events(EventEnum):
            CROWD = kind(a=SEAT, b=SEAT, c=SEAT, d=SEAT, e=SEAT)


def test_a_member_that_hides_a_domain_is_noticed():
    hidden: Any = kind()
    with pytest.raises(TypeError, match="argument 'field' needs a domain"):
        kind(field=hidden)


def test_phases_are_numbered_from_0_and_ends_from_1():
    class Phases(PhaseEnum):
        FIRST_HALF = auto()
        SECOND_HALF = auto()

    class Ends(EndEnum):
        LAST_ROUND = auto()

    assert [one.value for one in Phases] == [0, 1]
    assert Phases.names() == ("first_half", "second_half")
    assert [one.value for one in Ends] == [1]
    assert Ends.names() == ("last round",)
