"""The picture in the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from azalai.engine.words import Words
from azalai.games.tuareg.extras.terminal import draw
from tests.games.tuareg.table import TUAREG, play, table
from tests.harness.play import some_positions


def picture(position, seat, language="en") -> str:
    console = Console(width=100, file=io.StringIO())
    with console.capture() as captured:
        console.print(draw(position.seen_by(seat), seat, Words(TUAREG, position.seats, language)))
    return captured.get()


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_position_has_a_picture_of_at_most_100_columns(seats, language):
    for position in some_positions("tuareg", seats, 3):
        for seat in (0, seats - 1, None):
            assert max(map(len, picture(position, seat, language).splitlines())) <= 100


def test_loads_stand_on_their_animals_from_the_bottom():
    lines = picture(table(loads={(0, "camel2"): "gold salt salt"}), 0).splitlines()
    foot = next(number for number, line in enumerate(lines) if "camel 2" in line)
    column = lines[foot].index("camel 2")
    tower = [lines[foot - height][column - 1 : column + 8].strip() for height in range(1, 5)]
    assert tower == ["gold", "salt", "salt", "·"]


def test_a_seat_sees_its_own_hand_and_the_size_of_others():
    position = table(hands={0: "gold salt", 1: "water millet millet"})
    own, other = picture(position, 0), picture(position, 1)
    assert "hand: gold salt" in own
    assert "3 cards" in own
    assert "hand: water millet millet" in other
    assert "2 cards" in other


def test_hidden_goods_are_question_marks_for_those_who_have_not_seen_them():
    position = table(hands={0: "gold salt", 1: "millet"}, market="salt salt", caves={0: 1}, thieves={0: 1})
    play(position, "cave empty", "hide gold", "rob 1")
    assert "caves: gold" in picture(position, 0)
    assert "caves: ?" in picture(position, 1)
    assert "thief: millet (from Red)" in picture(position, 1)
    assert "thief: ? (from Red)" in picture(position, None)


def test_market_and_special_stacks_are_shown():
    text = picture(table(market="salt salt gold", thieves={0: 3}), 1, "de")
    assert "■ ■ 2" in text
    assert "Dieb ausverkauft" in text
    assert "Landkarte × 3" in text
