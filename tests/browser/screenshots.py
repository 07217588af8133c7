"""Takes the pictures of docs/screenshots: every board in the middle of a game, by day, by night and on a phone."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import azalai
from azalai.engine.record import to_record
from tests.browser.visitor import GAMES, Visitor, find_chromium
from tests.server.running import InThread, quick

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "is_mobile": True, "has_touch": True},
}
MOMENTS = {"targui": (4, 150, "marching"), "tuareg": (3, 60, "turn"), "timbuktu": (3, 75, "moving"), "targi": (2, 60, "placing")}
FULLER = {"tuareg": 118, "targi": 120}  # decisions after which there is more to be seen on the board


def middle_of(name: str, decisions: int = 0) -> dict[str, object]:
    """The record of a game that computer players have played up to a decision of the first seat."""
    seats, usual, phase = MOMENTS[name]
    position = azalai.game(name).new(seats, seed=11)
    player = azalai.bot("greedy", position.game, seed=11)
    while position.ply < (decisions or usual) or position.seat != 0 or position.phase != phase:
        assert not position.over, f"{name}: the first seat is never asked for {phase}"
        position.play(player.choose(position.seen_by(position.seat)))
    return to_record(position)


# By then a board knows its room, and is drawn to fit.
TWO_FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


def sit_down(visitor: Visitor, record: dict[str, object], bot: str = "3") -> None:
    """A table that goes on from there, with this person in the first seat."""
    visitor.arrive()
    request = visitor.page.request
    imported = request.post("/api/records", data=record).json()
    seats = [{"kind": "me"}] + [{"kind": "bot", "bot": bot}] * (len(imported["seats"]) - 1)
    body = {"game": imported["game"], "seats": seats, "origin": {"table": imported["id"], "ply": imported["ply"]}}
    visitor.page.goto(f"/table/{request.post('/api/tables', data=body).json()['id']}")
    visitor.wait()
    visitor.page.evaluate(TWO_FRAMES)


def main() -> None:
    """Replace all pictures."""
    FOLDER.mkdir(exist_ok=True)
    records = {name: middle_of(name, FULLER.get(name, 0)) for name in GAMES}
    with (
        tempfile.TemporaryDirectory() as home,
        InThread(quick(f"sqlite:///{home}/azalai.db")) as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=find_chromium())
        for look, how in LOOKS.items():
            visitor = Visitor(browser, server.address, reduced_motion="reduce", **how)
            visitor.arrive("Tin Hinan")
            visitor.page.goto("/")
            visitor.page.get_by_role("link", name="Solve it").wait_for()
            visitor.card("targi").locator("button:enabled", has_text="Play now").wait_for()
            visitor.picture(FOLDER / f"start-{look}.jpg")
            for name, record in records.items():
                sit_down(visitor, record)
                visitor.picture(FOLDER / f"{name}-{look}.jpg")
            assert visitor.problems == []
            visitor.leave()
        browser.close()


if __name__ == "__main__":
    main()
