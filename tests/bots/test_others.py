"""The package in docs/bots.md, installed as a stranger would, plays wherever a player can be named."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "bots.md"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder the package is installed in."""
    home = tmp_path_factory.mktemp("dreamer")
    text = PAGE.read_text(encoding="utf-8")
    for name, content in re.findall(r"^`(pyproject.toml|dreamer.py)`:\n\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        (home / name).write_text(content, encoding="utf-8")
    target = home / "site"
    quiet = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([sys.executable, "-m", "pip", "install", *quiet, "--target", str(target), str(home)], check=True)
    return target


def azalai(installed, *arguments, typed=""):
    code = f"import sys; sys.path.insert(0, {str(installed)!r}); from azalai.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=installed, input=typed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_plays_in_simulations(installed):
    line = "simulate targi --players dreamer,random --games 4 --seed 1 --json"
    found = json.loads(azalai(installed, *line.split()))
    assert found["players"] == ["dreamer", "random"]
    assert found["by_player"]["dreamer"]["games"] == 4


def test_it_stands_on_the_ladder(installed):
    line = "ladder targi --players random,dreamer --games 2 --json"
    ladder = json.loads(azalai(installed, *line.split()))
    assert {rating["player"] for rating in ladder["ratings"]} == {"random", "dreamer"}
    assert ladder["standings"][0]["pairing"] == {"one": "dreamer", "others": "random"}


def test_it_is_rated_on_the_leaderboard_of_the_quickstart(installed):
    """As the page has it, with fewer games."""
    page = (DOCS / "quickstart-research.md").read_text(encoding="utf-8")
    board = re.findall(r"^```toml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert len(board) == 1
    few = re.sub(r"games = \d+", "games = 2", board[0])
    (installed / "board.toml").write_text(few, encoding="utf-8")
    azalai(installed, "ladder", "--leaderboard", "board.toml")
    found = json.loads((installed / "board.json").read_text(encoding="utf-8"))
    dreamer = next(one for one in found["players"] if one["name"] == "dreamer")
    assert (dreamer["version"], dreamer["author"], dreamer["games"]) == ("1.0", "Tin Hinan", 4)


def test_it_sits_down_to_play(installed):
    out = azalai(installed, *["play", "targi", "--bots", "dreamer", "--you", "blue", "--seed", "1"], typed="1\nquit\n")
    assert "dreamer" in out
