"""A game is one folder, and the same thing has the same place in every game."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import azalai
from azalai.engine.discovery import BUILT_IN

GAMES = sorted(path.parent for path in BUILT_IN.glob("*/components.toml"))
REQUIRED = {
    "__init__.py", "components.toml", "components.py", "state.py", "rules.py", "secrets.py", "invariants.py", "evaluate.py",
    "extras",
}  # fmt: skip
IN_EXTRAS = {
    "__init__.py", "notes.py", "features.py", "drawing.py", "terminal.py", "wording.py", "weights.toml", "report.toml", "words",
    "help",
}  # fmt: skip
OPTIONAL_IN_EXTRAS = {
    "options.py", "earlier.py", "levels.toml", "network.toml", "network.npz", "critic.npz", "ratings.toml", "reasons.py",
    "explain.py", "review.toml", "themes.py", "puzzles.jsonl",
}  # fmt: skip
PART = re.compile(r"(rules|secrets)_[a-z]+\.py")  # a phase or a part of the rules, or of the secrets

every_game = pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name != "__pycache__"}


@every_game
def test_a_game_has_the_files_that_every_game_has_and_no_others(folder):
    found = names(folder)
    assert found >= REQUIRED
    assert [name for name in found - REQUIRED if not PART.fullmatch(name)] == []
    assert IN_EXTRAS <= names(folder / "extras") <= IN_EXTRAS | OPTIONAL_IN_EXTRAS


def test_contributing_describes_every_file_of_a_game():
    text = (BUILT_IN.parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in (REQUIRED | IN_EXTRAS | OPTIONAL_IN_EXTRAS) - {"extras"}:
        assert re.search(rf"`(extras/)?{re.escape(name)}", text), name


@every_game
def test_a_games_state_is_typed_and_its_kinds_are_enums(folder):
    """No rule takes a state of unknown type, and no constant stands for a phase, an end, a kind of move or of event."""
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bs: Any", text), path
        assert not re.search(r"\.(base|code)\(\"|MoveTable\(|EventTable\(", text), path


@every_game
def test_every_game_says_who_made_it_and_for_how_many(folder):
    about = tomllib.loads((folder / "components.toml").read_text(encoding="utf-8"))["game"]
    assert set(about) >= {"designers", "publisher", "year", "players", "minutes"}
    seats = azalai.game(folder.name).seats
    assert [seats[0], seats[-1]] == [about["players"][0], about["players"][-1]]
