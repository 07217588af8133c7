"""docs/add-a-game.md, followed step by step: what it shows is what stands in examples/seven_wells, and every step runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "seven_wells"
PAGE = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
STEPS = re.split(r"^## Step \d+: .*\n", PAGE, flags=re.MULTILINE)[1:]


def files_of(step: str) -> dict[str, str]:
    """The files that a step shows, by path."""
    return dict(re.findall(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```", step, re.DOTALL | re.MULTILINE))


def test_the_page_shows_the_files_of_the_example():
    shown = {path: text for step in STEPS for path, text in files_of(step).items()}
    assert len(shown) == 12
    for path, text in shown.items():
        assert (EXAMPLE / path).read_text(encoding="utf-8") == text, path


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_a_step_runs_with_the_files_shown_so_far(number, tmp_path):
    for step in STEPS[:number]:
        for path, text in files_of(step).items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
    for folder in (tmp_path / "azalai_seven_wells", tmp_path / "azalai_seven_wells" / "extras"):
        if folder.exists():
            (folder / "__init__.py").touch()
    sources = [path.relative_to(tmp_path).with_suffix("") for path in sorted(tmp_path.rglob("*.py"))]
    modules = [".".join(path.parts) for path in sources if path.name != "__init__"]
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", STEPS[number - 1], re.DOTALL))
    (tmp_path / "examples.txt").write_text(examples)
    code = f"import doctest, importlib; [importlib.import_module(name) for name in {modules}]; " + (
        "failed = doctest.testfile('examples.txt', module_relative=False).failed; raise SystemExit(failed)"
    )
    search = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": search, "AZALAI_INTERPRET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
