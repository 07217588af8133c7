"""How the screen is laid out: lists, tables of answers, the log beside the picture."""

from __future__ import annotations

import dataclasses

from azalai.cli.choices import Choices
from azalai.cli.display import Display
from azalai.cli.screen import Screen
from azalai.cli.texts import Texts
from azalai.engine.moves import MoveEnum, kind, names
from azalai.engine.words import Words
from tests.cli.conftest import Command
from tests.cli.wells import GAME
from tests.cli.wells.state import WELL

ANIMAL = names("animal", "camel", "donkey", "goat", "sheep", "horse", "ox", "hen", "cat", "dog", "jerboa", "fox")


class Moves(MoveEnum):
    WATER = kind(animal=ANIMAL, well=WELL)
    LEAVE = kind()


HERDS = dataclasses.replace(GAME, moves=Moves.table())


def shown(texts: list[str]) -> list[str]:
    screen = Screen(width=80, force_terminal=False)
    display = Display(HERDS.new(seats=2, seed=1), Words(HERDS, 2), Texts("en"), screen)
    with screen.capture() as capture:
        screen.print(display.question(0, "choosing", Choices(HERDS, [HERDS.moves.parse(text) for text in texts])))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_many_answers_that_name_two_things_are_a_table_of_numbers(wells: str):
    lines = shown(
        [f"water {animal} {well}" for animal in ANIMAL.labels for well in WELL.labels if (animal, well) != ("fox", "north")]
    )
    assert lines[1].split() == ["water", "ANIMAL", "WELL", "the", "northern", "well", "the", "southern", "well"]
    assert lines[2].split() == ["camel", "1", "2"]
    assert lines[12].split() == ["fox", "21"]
    assert len(lines) == 13


def test_the_other_answers_stand_below_the_table(wells: str):
    lines = shown([*(f"water {animal} {well}" for animal in ANIMAL.labels for well in WELL.labels), "leave"])
    assert lines[12].split() == ["fox", "21", "22"]
    assert lines[13].split() == ["23", "leave", "empty-handed", "leave"]


def test_on_a_wide_terminal_the_whole_log_stands_beside_the_picture(command: Command, wells: str):
    typed = "12\n1\nsouth, 2\n"
    wide = command("play wells --seats 2 --you 1,2 --seed 3", typed.replace("\n", "\n\n"), terminal=True, columns=160).out
    assert any("~~~" in line and "omen" in line for line in wide.splitlines())
    narrow = command("play wells --seats 2 --you 1,2 --seed 3", typed.replace("\n", "\n\n"), terminal=True).out
    assert not any("~~~" in line and "omen" in line for line in narrow.splitlines())


def test_on_a_small_terminal_the_latest_news_stay_and_a_word_tells_of_the_rest(command: Command, wells: str):
    said = command("play wells --you none --seats 3 --seed 3", "e\n", terminal=True, columns=60, lines=12)
    assert "earlier lines" in said.out
    assert "A window of 100 × 40" in said.out
    assert "A window of" not in command("play wells --you none", "e\n", terminal=True, columns=100, lines=40).out


def test_a_level_is_called_by_its_name(command: Command, wells: str):
    assert "Red: Caravan boy (1)" in command("play wells --seats 2 --bots 1").out
    assert "Rot: Karawanenjunge (1)" in command("play wells --seats 2 --bots 1 --lang de").out
