"""Arrows point one way: nothing in the engine knows a game, nothing in a game knows a player or a server."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "azalai"
MAY_IMPORT = {
    "engine": {"engine"},
    "games": {"engine", "games"},
    "bots": {"engine", "bots"},
    "arena": {"engine", "bots", "learn", "arena", ""},
    "envs": {"engine", "bots", "envs", ""},
    "learn": {"engine", "bots", "learn", ""},
    "reviews": {"engine", "bots", "reviews"},
    "puzzles": {"engine", "bots", "reviews", "puzzles", ""},
    "server": {"engine", "bots", "reviews", "puzzles", "server", "games", ""},
    "cli": {"engine", "games", "bots", "arena", "envs", "reviews", "puzzles", "server", "cli", ""},
}


def imports(path: Path) -> set[str]:
    """The layers a file imports; the package itself, its public API, is the layer without a name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 or "games" in path.parts, f"{path}: imports are absolute, except inside a game"
            names = [node.module or ""] if node.level == 0 else ["azalai.games"]
        found |= {[*name.split("."), ""][1] for name in names if name.split(".")[0] == "azalai"}
    return found


@pytest.mark.parametrize("path", sorted(SOURCE.glob("*/**/*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_layer_imports_only_what_lies_below(path):
    layer = path.relative_to(SOURCE).parts[0]
    assert imports(path) <= MAY_IMPORT[layer]


@pytest.mark.parametrize("path", sorted(SOURCE.glob("games/*/**/*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_game_knows_no_other_game(path):
    game = path.relative_to(SOURCE).parts[1]
    text = path.read_text(encoding="utf-8")
    others = {folder.name for folder in (SOURCE / "games").iterdir() if folder.is_dir() and folder.name != game}
    assert not any(f"azalai.games.{other}" in text for other in others)
