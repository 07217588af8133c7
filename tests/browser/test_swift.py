"""The page is small, quick, and lies still."""

from __future__ import annotations

import functools
import re
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from playwright.sync_api import Route, WebSocketRoute

from tests.browser.visitor import GAMES, PHONE, WIDE, Visitor
from tests.server.running import until

WHOLE_BROWSER = True  # its shell counts shifts on a phone that the browser does not
ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = """() => performance.getEntriesByType('resource').filter((one) => new URL(one.name).pathname.endsWith('.js'))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
WATCH_SHIFTS = """window.shifts = []
new PerformanceObserver((list) => window.shifts.push(...list.getEntries()
  .map((one) => ({ value: one.value, what: one.sources.map((source) => source.node?.className ?? source.node?.nodeName) }))))
  .observe({ type: 'layout-shift', buffered: true })"""
IN_TRANSITION = """() => [...document.querySelectorAll('*')]
  .filter((one) => parseFloat(getComputedStyle(one).transitionDuration)).length"""
FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))"
BIG = {"width": 1920, "height": 1080}
LATE = ("/api/me", "/api/tournaments", "/api/tables", "/api/games", "/api/puzzles", ".woff2")  # what the start page waits for


def test_the_first_page_needs_less_than_150_kilobytes_of_script(visit):
    anna = visit(cold=True)
    anna.page.goto("/")
    anna.page.wait_for_load_state("networkidle")
    assert 20_000 < anna.page.evaluate(SCRIPTS) < 150_000


def test_from_the_start_page_to_the_board_in_one_click(visit):
    anna = visit()
    anna.page.goto("/")
    anna.card("targui").get_by_role("button", name="Play now").click()
    anna.wait()


@pytest.mark.parametrize("size", [WIDE, PHONE, BIG], ids=["wide", "phone", "big"])
def test_nothing_jumps_on_the_start_page_however_late_anything_comes(visit, size):
    host = visit()
    host.arrive()
    seats = [{"kind": "me"}, {"kind": "open"}]
    assert host.page.request.post("/api/tables", data={"game": "targi", "seats": seats, "public": True}).ok
    anna = visit(viewport=size, cold=True)
    anna.found("tuareg", "me", "greedy", "greedy")
    request = anna.page.request
    assert request.post("/api/tournaments", data={"name": "Caravan", "kind": "series", "game": "targi", "bot": "greedy"}).ok
    day = request.get("/api/puzzles").json()["day"]["id"]
    assert request.post(f"/api/puzzles/{day}/solution", data={}).ok

    held: list[Route] = []
    sockets: list[WebSocketRoute] = []

    def hold(route: Route) -> None:
        held.append(route)

    def asked(late: str) -> bool:
        anna.page.evaluate(FRAMES)
        return any(late in one.request.url for one in held)

    def hold_socket(socket: WebSocketRoute) -> None:
        sockets.append(socket)

    anna.page.add_init_script(WATCH_SHIFTS)
    anna.page.route(re.compile("|".join(map(re.escape, LATE))), hold)
    anna.page.route_web_socket("**/api/lobby*", hold_socket)
    anna.page.goto("/", wait_until="commit")
    anna.card("targui").wait_for()  # without any answer
    for late in LATE:
        until(functools.partial(asked, late))
        for route in [one for one in held if late in one.request.url]:
            held.remove(route)
            route.continue_()
            if answer := route.request.response():  # None: the page has asked anew, for it knows more now
                answer.finished()
        anna.page.evaluate(FRAMES)
    for socket in sockets:
        socket.connect_to_server()
    anna.page.get_by_role("link", name="Look again").wait_for()
    anna.page.get_by_role("link", name="Caravan").wait_for()
    anna.page.get_by_role("heading", name="My games").wait_for()
    anna.page.get_by_role("button", name="Sit down").first.wait_for()
    lies_still(anna, 0.002)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_jumps_while_a_table_is_loaded(visit, game):
    anna = visit(cold=True)
    anna.page.add_init_script(WATCH_SHIFTS)
    anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
    anna.wait()
    anna.page.reload()
    anna.wait()
    lies_still(anna, 0.02)


def lies_still(visitor: Visitor, most: float) -> None:
    """The page has not moved more than this since it was opened."""
    visitor.page.evaluate(FRAMES)
    shifts = visitor.page.evaluate("window.shifts")
    assert sum(one["value"] for one in shifts) < most, shifts


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_drawn_on_the_way_from_one_look_to_another_for_who_wants_little_motion(visit, game):
    anna = visit(reduced_motion="reduce")
    anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
    anna.wait()
    assert anna.page.evaluate(IN_TRANSITION) == 0


def test_a_wheel_contains_the_page(tmp_path):
    wheel = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    names = zipfile.ZipFile(wheel).namelist()
    assert "azalai/web/index.html" in names
    assert any(name.startswith("azalai/web/assets/") and name.endswith(".js") for name in names)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_jumps_on_a_phone_during_a_whole_game(visit, game):
    anna = visit(cold=True, viewport=PHONE, is_mobile=True, has_touch=True)
    anna.page.add_init_script(WATCH_SHIFTS)
    anna.found(game, "me", *["greedy"] * (2 if game != "targi" else 1))
    assert anna.rush() > 20
    lies_still(anna, 0.1)
