"""A leaderboard's file: who plays, and what comes of it."""

import json

import pytest

from azalai.arena.leaderboard import Entrant, Leaderboard
from azalai.cli import main
from azalai.engine.errors import BadRecord

BOARD = """
game = "targui"
games = 4
seed = 2

[[players]]
name = "random"
about = "any legal move"

[[players]]
name = "greedy"
"""


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "board.toml"
    path.write_text(BOARD, encoding="utf-8")
    return path


def test_everybody_plays_everybody_and_is_rated(board, capsys):
    assert main(["ladder", "--leaderboard", str(board)]) == 0
    capsys.readouterr()
    found = json.loads(board.with_suffix(".json").read_text(encoding="utf-8"))
    assert (found["game"], found["seats"], found["games"]) == ("targui", 2, 4)
    assert sorted(one["name"] for one in found["players"]) == ["greedy", "random"]
    assert [one["place"] for one in found["players"]] == [1, 2]
    assert all(one["low"] <= one["rating"] <= one["high"] for one in found["players"])
    assert next(one for one in found["players"] if one["name"] == "random")["about"] == "any legal move"
    played = board.with_suffix(".jsonl").read_text(encoding="utf-8")
    assert main(["ladder", "--leaderboard", str(board)]) == 0
    assert board.with_suffix(".jsonl").read_text(encoding="utf-8") == played


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("game =", "is no leaderboard"),
        ('game = "targi"', "at least two"),
        ('game = "targi"\nspeed = 3', "should be one of game"),
        (BOARD + '[[players]]\nname = "greedy"', "names a player twice"),
        (BOARD + "[[players]]\nname = 3", "a player has a name"),
    ],
)
def test_a_file_that_is_wrong_is_told_what_would_be_right(board, text, right):
    board.write_text(text, encoding="utf-8")
    with pytest.raises(BadRecord, match=right):
        Leaderboard.read(board)


def test_a_package_that_is_missing_is_named():
    with pytest.raises(BadRecord, match="pip install azalai-dreamer"):
        _ = Entrant("dreamer", "azalai-dreamer").version


def test_a_ladder_needs_a_game_or_a_leaderboard(capsys):
    assert main(["ladder"]) == 2
    assert "name a game" in capsys.readouterr().err
