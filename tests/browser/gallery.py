"""Photographs every screen of the page: `python -m tests.browser.gallery FOLDER --screens 'targui-*'`."""

from __future__ import annotations

import argparse
import fnmatch
import itertools
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

import azalai
from tests.browser import screens_of_games, screens_of_pages, screens_of_people  # noqa: F401 (they name the screens)
from tests.browser.screens import PATIENCE, SCREENS, Screen, Sitter
from tests.browser.visitor import GAMES, ContextPool, find_chromium
from tests.compiled import compile_played
from tests.server.running import InThread, quick

SIZES = {"phone": (390, 844), "1024": (1024, 768), "1280": (1280, 800), "1920": (1920, 1080)}
LANGUAGES = ("en", "de")
THEMES = ("light", "dark")
# Until pictures in sight are there, what is measured on the page has found its place, and all has the colours of the theme.
DRAWN = """async () => {
  const inSight = (one) => { const { top, bottom } = one.getBoundingClientRect(); return bottom > 0 && top < innerHeight }
  await Promise.all([...document.images].filter(inSight).map((one) => one.decode().catch(() => {})))
  await document.fonts.ready
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
}"""


def visits(screen: Screen, sizes: Sequence[str]) -> list[list[str]]:
    """The sizes that one visit serves: a phone is a device of its own, a window can be resized."""
    windows = [size for size in sizes if size != "phone" and not screen.only_phone]
    groups = [["phone"] if "phone" in sizes else [], *([[size] for size in windows] if screen.each_size else [windows])]
    return [group for group in groups if group]


def photograph(sitter: Sitter, file: Path, size: str, theme: str) -> None:
    """Take a picture of what the sitter has in front."""
    width, height = SIZES[size]
    sitter.page.mouse.move(2, 2)  # away from what explains itself
    if sitter.page.viewport_size != {"width": width, "height": height}:
        sitter.page.set_viewport_size({"width": width, "height": height})
    sitter.page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    sitter.page.locator(".explanation:not([role=status])").wait_for(state="detached")
    sitter.page.evaluate(DRAWN)
    file.parent.mkdir(parents=True, exist_ok=True)
    sitter.page.screenshot(path=file, animations="disabled")


def take_all(
    browser: Browser, server: InThread, names: Sequence[str], folder: Path, wanted: argparse.Namespace
) -> dict[str, str]:
    """Take all pictures of some screens; return what went wrong, by screen."""
    pool, failed = ContextPool(browser), {}
    for name in names:
        screen, began, problems = SCREENS[name], time.monotonic(), []
        for sizes, language in itertools.product(visits(screen, wanted.sizes), wanted.languages):
            width, height = SIZES[sizes[0]]
            look = {"viewport": {"width": width, "height": height}, "knows": not screen.newcomer}
            sitter = Sitter(browser, server, pool, language, phone=sizes == ["phone"], **look)
            try:
                screen.show(sitter)
                for size, theme in itertools.product(sizes, wanted.themes):
                    photograph(sitter, folder / name / f"{size}-{language}-{theme}.png", size, theme)
            except Exception as error:  # the other screens shall have their pictures
                failed[name] = f"{sizes[0]}-{language}: {type(error).__name__}: {str(error)[:600]}"
            problems += sitter.problems
            sitter.leave()
        said = failed.get(name) or "; ".join(sorted(set(problems)))[:300]
        print(f"{name}  {time.monotonic() - began:.1f} s  {said}", flush=True)
    return failed


def main() -> int:
    """Take the pictures that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.gallery", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="gets FOLDER/<screen>/<size>-<language>-<theme>.png")
    parser.add_argument("--screens", default="*", metavar="PATTERN", help="such as 'targui-*' or 'page-*'; several by commas")
    parser.add_argument("--list", action="store_true", help="only say which screens there are")
    for name, all_of_them in (("sizes", tuple(SIZES)), ("languages", LANGUAGES), ("themes", THEMES)):
        parser.add_argument(
            f"--{name}", type=lambda text: text.split(","), default=list(all_of_them), help=",".join(all_of_them), metavar="…"
        )
    wanted = parser.parse_args()
    names = [name for name in SCREENS if any(fnmatch.fnmatch(name, one) for one in wanted.screens.split(","))]
    if wanted.list or not names:
        print("\n".join(names) or f"no screen is called {wanted.screens}")
        return not names
    if wanted.folder is None:
        parser.error("name a FOLDER for the pictures, or --list to see which screens there are")
    for game in GAMES:
        if any(not name.startswith(tuple(GAMES)) or name.startswith(game) for name in names):
            compile_played(azalai.game(game).name)
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as home,
        InThread(quick(f"sqlite:///{home}/azalai.db", tick=0.5, absent_after=3600.0)) as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=find_chromium())
        failed = take_all(browser, server, names, wanted.folder, wanted)
        browser.close()
    print("\n".join(f"failed: {name}: {why}" for name, why in failed.items()))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
