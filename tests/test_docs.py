"""Every example in the documentation runs."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from azalai.cli.parser import build_parser
from azalai.cli.texts import Texts

ROOT = Path(__file__).resolve().parent.parent
TUTORIAL = "docs/add-a-game.md"  # tests/examples follows it step by step
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md"))]


@pytest.mark.parametrize("page", [page for page in PAGES if page != TUTORIAL])
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    """Blocks with >>> are checked for what they print; Python blocks without are run."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    failed, _ = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0
    if page == "docs/server-api.md":
        return  # its program needs a server: tests/server runs it
    programs = [block for block in blocks if ">>>" not in block]
    for block in sorted(programs, key=lambda one: "import torch" in one):
        if "import torch" in block:
            pytest.importorskip("torch")  # all programs that do without it have run by now
        exec(compile(block, page, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("page", [*PAGES, "docs/reports/README.md"])
def test_the_commands_of_a_page_are_understood(page):
    """They are not carried out, since many play for hours; but all that they ask for is there."""
    parser = build_parser(Texts("en"))
    text = (ROOT / page).read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines() if language in ("", "sh") else ():
            if line.startswith("azalai "):
                parser.parse_args(shlex.split(re.sub(r"\[.*?\]", "", line), comments=True)[1:])  # [what one may leave out]


@pytest.mark.parametrize("page", [*PAGES, "docs/reports/README.md"])
def test_links_inside_the_project_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        if "://" not in target:
            assert (ROOT / page).parent.joinpath(target).exists(), target
