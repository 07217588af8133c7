"""Puzzles at the terminal: solved, failed, by id, by day, for programs."""

from __future__ import annotations

import json
import sys

import pytest

import azalai
from azalai.cli.puzzle import PuzzleSession
from azalai.cli.screen import open_screen
from azalai.cli.texts import Texts
from azalai.puzzles import Puzzle, collection
from tests.cli.conftest import Command, Typing


@pytest.fixture
def puzzle() -> Puzzle:
    """Any puzzle."""
    return collection(azalai.games()[0])[0]


def wrong_answer(puzzle: Puzzle) -> str:
    """The worst move."""
    return min(puzzle.verdicts, key=lambda text: puzzle.verdicts[text])


def test_a_right_answer_is_told_with_its_reason_and_the_line(command: Command, puzzle: Puzzle):
    said = command(f"puzzle --id {puzzle.id}", f"{puzzle.solutions[0]}\n")
    assert said.status == 0
    assert f"puzzle {puzzle.id}, difficulty {puzzle.difficulty}" in said.out
    assert "Right! It leaves a chance to win of" in said.out
    assert f"Why: it {puzzle.reason('en')}." in said.out.replace("\n", " ")
    assert "1 in a row; 1 of 1 solved." in said.out


def test_a_wrong_answer_is_told_with_what_it_costs_and_what_is_right(command: Command, puzzle: Puzzle):
    said = command(f"puzzle --id {puzzle.id}", f"{wrong_answer(puzzle)}\n")
    assert f"It costs {100 * puzzle.cost(wrong_answer(puzzle)):.0f} %." in said.out
    assert "Right is: " in said.out
    assert "0 in a row; 0 of 1 solved." in said.out


def test_an_answer_that_is_no_move_is_asked_again_and_one_may_stop(command: Command, puzzle: Puzzle):
    said = command(f"puzzle --id {puzzle.id}", "jump\n\nq\n")
    assert said.status == 0
    assert "'jump' is not possible here" in said.out
    assert said.out.count(f"puzzle {puzzle.id}") == 2  # shown again by an empty line
    assert "solved" not in said.out


def test_a_streak_counts_right_answers_and_ends_with_a_wrong_one(puzzle: Puzzle, monkeypatch, capsys):
    answers = [puzzle.solutions[0], "", puzzle.solutions[0], "", wrong_answer(puzzle), "q"]
    monkeypatch.setattr(sys, "stdin", Typing("\n".join(answers) + "\n", False))
    PuzzleSession(Texts("en"), open_screen()).ask_all([puzzle] * 4)
    said = capsys.readouterr().out
    for line in ("1 in a row; 1 of 1 solved.", "2 in a row; 2 of 2 solved.", "0 in a row; 2 of 3 solved."):
        assert line in said


def test_puzzles_of_a_game_come_one_after_the_other(command: Command):
    name = azalai.games()[0]
    said = command(f"puzzle {name} --lang de", "1\n")
    assert f"Aufgabe {name}-" in said.out
    assert "Warum: Der Zug " in said.out
    assert "Enter: nächste Aufgabe" not in said.out or len(collection(name)) > 1


def test_the_puzzle_of_a_day_is_there_for_programs(command: Command):
    found = json.loads(command("puzzle --day 2026-11-16 --json").out)
    assert found == json.loads(command("puzzle --day 2026-11-16 --json").out)
    assert azalai.puzzle(found["id"]).record == found["record"]
    assert json.loads(command(f"puzzle {found['game']} --day --json").out)["game"] == found["game"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("puzzle --id nothing-123456", "there is no puzzle 'nothing-123456'"),
        ("puzzle --day tomorrow", "'tomorrow' is no date; dates are written like 2026-11-16"),
        ("puzzle chess", "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(command: Command, line: str, why: str):
    said = command(line)
    assert said.status == 2
    assert why in said.err
    assert said.err.count("\n") == 1
