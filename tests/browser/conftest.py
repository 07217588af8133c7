"""A browser and the real server with the built page."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from azalai.engine.discovery import installed
from azalai.server import page
from tests.browser.visitor import PATIENCE, ContextPool, Visitor, find_chromium
from tests.compiled import compile_played
from tests.server.running import InThread, quick


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile before any test waits for it, the search of hints and levels too."""
    if any("tests/browser" in item.nodeid for item in session.items) and not session.config.option.collectonly:
        for name in installed():
            compile_played(name)


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Chromium. One for each file: while Playwright runs, nothing else can use asyncio in this thread.

    The shell is quickest; a file for which that is not browser enough says so: `WHOLE_BROWSER = True`.
    """
    program = find_chromium(whole=getattr(request.module, "WHOLE_BROWSER", False))
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, timeout=PATIENCE)
        yield running
        running.close()


@pytest.fixture(scope="module")
def wells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A game from a package of its own, found by its entry point; the page has not a line of code for it."""
    site = tmp_path_factory.mktemp("site")
    package = site / "wells-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: wells\nVersion: 1\n", encoding="utf-8")
    (package / "entry_points.txt").write_text("[azalai.games]\nwells = tests.cli.wells\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        installed.cache_clear()
        compile_played("wells")
        yield "wells"
    installed.cache_clear()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A server whose games are dealt the same in every run."""
    assert (page.FOLDER / "index.html").exists(), "the page has not been built: python web/build.py build"
    deal = random.Random(8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("azalai.server.registry.secrets.randbits", deal.getrandbits)
        database = f"sqlite:///{tmp_path_factory.mktemp('data') / 'azalai.db'}"
        with InThread(quick(database, tick=0.5)) as running:
            yield running


@pytest.fixture(scope="module")
def pool(browser: Browser) -> ContextPool:
    """Contexts that visitors use one after another."""
    return ContextPool(browser)


@pytest.fixture
def visit(browser: Browser, pool: ContextPool, house: InThread) -> Iterator[Callable[..., Visitor]]:
    """Opens browsers, each a person of its own. At the end none of them may have met an error.

    With `cold` nothing of the page is in the browser's cache, as at somebody's first visit.
    """
    visitors: list[Visitor] = []

    def open_browser(address: str | None = None, cold: bool = False, **how: Any) -> Visitor:
        visitors.append(Visitor(browser, address or house.address, pool=None if cold else pool, **how))
        return visitors[-1]

    yield open_browser
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        visitor.leave()
    assert problems == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that looks for what keeps people out."""
    return Path("web/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
