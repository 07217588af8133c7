"""A game is one folder in Python and one in the page: no file elsewhere contains a game's name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from azalai.engine.discovery import BUILT_IN

ROOT = Path(__file__).resolve().parent.parent
GAMES = sorted(path.parent.name for path in BUILT_IN.glob("*/components.toml"))
SEARCHED = ("src", "web", "tools")
OWN = ("src/azalai/games", "web/src/games")  # where a game's folder lies

ANY = "|".join(GAMES)
CAPITAL = "|".join(name.capitalize() for name in GAMES)
NAMED = re.compile(rf"(?<![A-Za-z])(?i:{ANY})(?![a-z])|(?:{CAPITAL})(?![a-z])")


def naming_files() -> dict[str, list[str]]:
    """The files outside the games' own folders that name a game, and the names in them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *SEARCHED],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    found = {}
    for name in listed.splitlines():
        path = ROOT / name
        own = any(name.startswith(f"{folder}/{game}/") for folder in OWN for game in GAMES)
        if own or name.startswith("web/tests/") or not path.is_file():
            continue
        text = f"{name}\n" + path.read_bytes().decode("utf-8", errors="ignore")
        if names := NAMED.findall(text):
            found[name] = sorted(set(names))
    return found


def test_no_file_outside_a_games_folders_names_it():
    assert naming_files() == {}


@pytest.mark.parametrize("text", ["name === 'targi'", "CoverTargui", "tuareg.html", "TIMBUKTU_SEATS", "Targi's frame"])
def test_a_name_is_found_in_every_spelling(text):
    assert NAMED.search(text)


@pytest.mark.parametrize("text", ["fewer_targis", "targia", "targeted"])
def test_other_words_are_not_taken_for_names(text):
    assert not NAMED.search(text)
