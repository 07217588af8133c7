"""The page is small, quick, and lies still."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.browser.visitor import GAMES

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = """() => performance.getEntriesByType('resource').filter((one) => new URL(one.name).pathname.endsWith('.js'))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
WATCH_SHIFTS = """window.shifts = []
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter((one) => !one.hadRecentInput)
  .map((one) => ({ value: one.value, what: one.sources.map((source) => source.node?.className ?? source.node?.nodeName) }))))
  .observe({ type: 'layout-shift', buffered: true })"""


def test_the_first_page_needs_less_than_150_kilobytes_of_script(visit):
    anna = visit()
    anna.page.goto("/")
    anna.page.wait_for_load_state("networkidle")
    assert 20_000 < anna.page.evaluate(SCRIPTS) < 150_000


def test_from_the_start_page_to_the_board_in_one_click(visit):
    anna = visit()
    anna.page.goto("/")
    anna.card("targui").get_by_role("button", name="Play now").click()
    anna.wait()


@pytest.mark.parametrize("game", ["start", *GAMES])
def test_nothing_jumps_while_a_page_is_loaded(visit, game):
    anna = visit()
    anna.context.add_init_script(WATCH_SHIFTS)
    if game == "start":
        anna.page.goto("/")
        anna.page.wait_for_load_state("networkidle")
    else:
        anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
        anna.wait()
        anna.page.reload()
        anna.wait()
    shifts = anna.page.evaluate("window.shifts")
    assert sum(one["value"] for one in shifts) < 0.02, shifts


def test_a_wheel_contains_the_page(tmp_path):
    wheel = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    names = zipfile.ZipFile(wheel).namelist()
    assert "azalai/web/index.html" in names
    assert any(name.startswith("azalai/web/assets/") and name.endswith(".js") for name in names)
