"""A thing has one name: no two classes share one."""

from __future__ import annotations

import ast
import collections
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "azalai"
IN_EVERY_GAME = {"State", "Phases", "Ends", "Moves", "Events", "Notes"}  # what every game declares under the same name


def test_no_two_classes_have_one_name():
    places = collections.defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not ("games" in path.parts and node.name in IN_EVERY_GAME):
                places[node.name].append(path.relative_to(SOURCE).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
