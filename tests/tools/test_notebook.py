"""The notebook of the documentation runs, and shows pictures."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tools.notebook import execute

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "research.ipynb"


def pictures(notebook):
    return [
        "".join(output["data"]["image/svg+xml"])
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if "image/svg+xml" in output.get("data", {})
    ]


def test_every_cell_of_the_notebook_runs_and_pictures_are_shown():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    stored = pictures(notebook)
    assert len(stored) == 3, "run: python -m tools.notebook docs/research.ipynb"
    execute(notebook)
    assert len(pictures(notebook)) == 3
    assert pictures(notebook)[0] == stored[0]
    for picture in pictures(notebook):
        assert ElementTree.fromstring(picture).tag.endswith("svg")


def test_a_cell_shows_what_it_prints_and_its_last_expression():
    notebook: dict[str, Any] = {"cells": [{"cell_type": "code", "source": ["x = 2\n", "print('two')\n", "x + 1"]}]}
    execute(notebook)
    printed, shown = notebook["cells"][0]["outputs"]
    assert printed["text"] == ["two\n"]
    assert shown["data"] == {"text/plain": ["3"]}
