"""The sample game, installed into a fresh environment as a stranger would, is played everywhere a game can be played."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import sync_playwright

from azalai.server import page
from tests.browser.visitor import Visitor, find_chromium
from tests.server.running import Process

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "seven_wells"
COMMAND = "import sys; from azalai.cli import main; sys.exit(main(sys.argv[1:]))"
OWN = {"AZALAI_INTERPRET": "1", "PYTHONPATH": ""}  # nothing has to be compiled, and nothing but the environment is searched


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment with Azalai, as it is installed here, and the sample game."""
    home = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    site = next(home.glob("lib/python*/site-packages"))
    here = [entry for entry in sys.path if entry.endswith(("site-packages", "src"))]
    (site / "here.pth").write_text("\n".join(here), encoding="utf-8")
    quiet = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation"]
    python = str(home / "bin" / "python")
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", *quiet, str(EXAMPLE)], check=True)
    return python


def run(python: str, folder: Path, *arguments: str, typed: str = "") -> str:
    """What a command in that environment prints."""
    done = subprocess.run(
        [python, "-c", *arguments],
        cwd=folder,
        env={**os.environ, **OWN},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_played_from_python_saved_and_loaded(python, tmp_path):
    code = """
import azalai
game = azalai.game("seven_wells")
position = game.new(seats=3, seed=4)
bots = [azalai.bot("greedy", game, seed) for seed in range(3)]
while not position.over:
    position.play(bots[position.seat].choose(position.seen_by(position.seat)))
azalai.save(position, "game.json")
assert azalai.load("game.json") == position
print(azalai.games(), position.end)
"""
    out = run(python, tmp_path, code)
    assert "'seven_wells'" in out
    assert "all claimed" in out


def test_it_is_played_and_explained_in_the_terminal(python, tmp_path):
    out = run(python, tmp_path, COMMAND, "play", "seven_wells", "--you", "blue", "--seed", "1", typed="scout 3\nquit\n")
    assert "Look into a well, or claim one." in out
    assert "Blue looks into the third well." in out
    assert "sieben" in run(python, tmp_path, COMMAND, "rules", "seven_wells", "--lang", "de").lower()
    assert "Seven Wells" in run(python, tmp_path, COMMAND, "games")


def test_two_processes_simulate_it_as_one_would(python, tmp_path):
    line = ["simulate", "seven_wells", "--players", "greedy,random", "--seed", "3", "--json"]
    run(python, tmp_path, COMMAND, *line, "--games", "30", "--out", "first")
    run(python, tmp_path, COMMAND, *line, "--games", "30", "--first", "30", "--out", "second")
    assert "60" in run(python, tmp_path, COMMAND, "merge", "first", "second", "--into", "both")
    together = json.loads(run(python, tmp_path, COMMAND, *line, "--games", "60", "--out", "both"))
    alone = json.loads(run(python, tmp_path, COMMAND, *line, "--games", "60"))
    assert together["by_player"] == alone["by_player"]
    assert alone["by_player"]["greedy"]["games"] == 60


def test_it_is_an_environment_of_pettingzoo(python, tmp_path):
    code = """
from azalai.envs.pettingzoo import env
from pettingzoo.test import api_test
played = env("seven_wells", render_mode="ansi")
played.reset(seed=1)
print(played.render())
api_test(env("seven_wells"), num_cycles=20)
"""
    assert "~?~" in run(python, tmp_path, code)


@pytest.fixture(scope="module")
def server(python: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server in that environment."""
    database = f"sqlite:///{tmp_path_factory.mktemp('data') / 'azalai.db'}"
    process = Process(database, None, "127.0.0.1", **OWN)
    process.python = python
    with process as running:
        yield running


def test_it_has_tables_on_a_server(server):
    with httpx.Client(base_url=f"{server.address}/api", timeout=30) as anna:
        names = [game["name"] for game in anna.get("/games").json()["games"]]
        assert "seven_wells" in names
        wish: dict[str, Any] = {"game": "seven_wells", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]}
        table = anna.post("/tables", json=wish).json()
        move = {"ply": table["ply"], "move": "scout 3", "seat": 0}
        after = anna.post(f"/tables/{table['id']}/moves", json=move).json()
        assert [event["kind"] for event in after["events"] if event["seat"] == 0] == ["scouted", "found"]
        assert 'data-part="well:3"' in anna.get(f"/tables/{table['id']}/drawing").text


def test_it_is_played_on_the_page(server):
    program = find_chromium()
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    assert (page.FOLDER / "index.html").exists(), "the page has not been built: python web/build.py build"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        anna = Visitor(browser, server.address)
        anna.page.goto("/")
        card = anna.card("Seven Wells")
        assert "nobody knows how deep they are" in card.inner_text()
        anna.found("seven_wells", "me", "greedy")  # levels think too long here: nothing is compiled
        assert anna.finish() >= 3
        anna.page.locator(".ending").get_by_role("heading").first.wait_for()
        assert anna.problems == []
        browser.close()
