"""Numbers, short texts and phrases, and what they mean."""

from __future__ import annotations

from azalai.cli.choices import Choices
from azalai.engine.words import Words
from tests.cli.wells import GAME
from tests.engine.nim import NIM

WORDS = Words(GAME, 3)
GERMAN = Words(GAME, 3, "de")


def choices(*texts: str) -> Choices:
    return Choices(GAME, [GAME.moves.parse(text) for text in texts])


def meant(found: Choices, typed: str, words: Words = WORDS) -> list[str]:
    return [move.text for move in found.find(typed, words)]


WELLS = choices("go north", "go south", "leave")
DRAWING = choices(*(f"draw {skins}" for skins in range(1, 12)), "leave")


def test_the_number_before_a_move_means_that_move():
    assert meant(WELLS, "1") == ["go north"]
    assert meant(WELLS, "3") == ["leave"]
    assert meant(WELLS, "4") == []
    assert meant(WELLS, "0") == []


def test_where_an_amount_is_asked_a_number_is_the_amount():
    some = choices(*(f"draw {skins}" for skins in range(3, 9)), "leave")
    assert meant(some, "3") == ["draw 3"]
    assert meant(some, "8") == ["draw 8"]
    assert meant(some, "9") == ["leave"]
    assert meant(some, "1") == []


def test_an_amount_is_listed_as_one_line_before_the_other_answers():
    assert [(line.first, line.last, line.text) for line in DRAWING.lines] == [(1, 11, "draw 1–11"), (12, 12, "leave")]


def test_long_runs_of_numbers_are_one_line_and_short_ones_are_not():
    moves = [
        NIM.moves.parse(f"take {heap} {stones}") for heap, most in (("left", 7), ("right", 2)) for stones in range(1, most + 1)
    ]
    found = Choices(NIM, [*moves, NIM.moves.parse("roll")])
    assert [line.text for line in found.lines] == ["take left 1–7", "take right 1", "take right 2", "roll"]
    assert found.by_number[7].text == "take left 7"
    assert found.by_number[9].text == "take right 2"
    assert found.by_number[10].text == "roll"


def test_short_text_may_be_shortened_and_its_first_word_left_out():
    for typed in ("go north", "GO North", "g n", "north", "n"):
        assert meant(WELLS, typed) == ["go north"]
    assert meant(WELLS, "le") == ["leave"]
    assert meant(DRAWING, "d 11") == ["draw 11"]


def test_a_shortened_number_is_no_number():
    assert meant(choices("draw 11", "draw 12", "leave"), "draw 1") == []
    assert meant(DRAWING, "draw 1") == ["draw 1"]


def test_what_fits_several_moves_names_them_all():
    assert meant(WELLS, "go") == ["go north", "go south"]
    assert meant(choices("bid 1", "bid 2", "bid 3"), "b") == ["bid 1", "bid 2", "bid 3"]


def test_the_words_of_the_list_are_understood_in_every_language():
    assert meant(WELLS, "northern well") == ["go north"]
    assert meant(WELLS, "empty-handed") == ["leave"]
    assert meant(WELLS, "zum süd", GERMAN) == ["go south"]
    assert meant(WELLS, "leer weg", GERMAN) == ["leave"]
    assert meant(WELLS, "weg leer", GERMAN) == []


def test_what_is_no_move_means_nothing():
    for typed in ("", "xyzzy", "go west", "rest", "go north now", "²", "-1"):
        assert meant(WELLS, typed) == []
