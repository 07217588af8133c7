"""A thing has one name, and a game's name stands in its own folders alone."""

from __future__ import annotations

import ast
import collections
import re
from pathlib import Path

import azalai

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "azalai"
OWN_NAMES = ("engine", "bots", "arena", "envs")  # folders whose classes share a name with no class of the package


def test_no_two_classes_have_one_name():
    places = collections.defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.relative_to(SOURCE))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if any(path.parts[0] in OWN_NAMES for path in found)} == {}


def test_a_game_is_named_in_its_own_folder_alone():
    names = re.compile("|".join(azalai.games()), re.IGNORECASE)
    files = [SOURCE / "__init__.py", *(ROOT / "tools").rglob("*.*")]
    files += [path for name in OWN_NAMES for path in (SOURCE / name).rglob("*.*")]
    found = [path for path in files if path.suffix in (".py", ".toml", ".md") and names.search(path.read_text(encoding="utf-8"))]
    assert found == []
