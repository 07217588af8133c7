"""Screens of the page by name, and the sitter: a visitor who finds the way to them on any device, in any language."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

from playwright.sync_api import Browser, Locator, Page, Response

from azalai.engine.position import Position
from azalai.engine.record import to_record
from tests.browser.screenshots import sit_down
from tests.browser.visitor import ContextPool, Visitor
from tests.server.running import Guest, InThread

PAGE = Path(__file__).resolve().parents[2] / "web" / "src"
FRIENDS = ("Moussa", "Kella", "Ilyas", "Dassine")
PATIENCE = 40_000  # milliseconds


@dataclass(frozen=True)
class Screen:
    """How a sitter gets to a screen."""

    show: Callable[[Sitter], object]
    newcomer: bool = False  # whether the games are new to the sitter, so that the guide opens
    only_phone: bool = False
    each_size: bool = False  # whether it must be reached anew for each size, for something on it does not follow a change


SCREENS: dict[str, Screen] = {}


Show = TypeVar("Show", bound=Callable[..., object])


def screen(name: str, **how: bool) -> Callable[[Show], Show]:
    """Give the screen that a function shows a name."""

    def keep(show: Show) -> Show:
        assert name not in SCREENS, name
        SCREENS[name] = Screen(show, **how)
        return show

    return keep


@functools.cache
def catalog(language: str) -> dict[str, str]:
    """All that the page says outside the games, by the keys the page uses."""
    found: dict[str, str] = {}
    for path in sorted(PAGE.rglob(f"words/{language}.toml")):
        if "games" not in path.relative_to(PAGE).parts:
            for section, sentences in tomllib.loads(path.read_text(encoding="utf-8")).items():
                found.update({f"{section}.{key}": text for key, text in sentences.items()})
    return found


class Sitter(Visitor):
    """A visitor who has pictures taken."""

    def __init__(self, browser: Browser, server: InThread, pool: ContextPool, language: str, phone: bool, **how: Any) -> None:
        self.server = server
        self.language = language
        self.phone = phone
        self.friends: list[Guest] = []
        how.update({"locale": {"en": "en-GB"}.get(language, language), "is_mobile": phone, "has_touch": phone})
        address = server.address.replace("127.0.0.1", "localhost")  # passkeys need a name
        super().__init__(browser, address, pool=pool, reduced_motion="reduce", **how)
        self.page.set_default_timeout(PATIENCE)
        self.arrive("Antinea")

    def leave(self) -> None:
        for friend in self.friends:
            friend.http.close()
        super().leave()

    def _answered(self, response: Response) -> None:
        """Keep nothing: pictures do not tell what the server has sent."""

    # ------------------------------------------------------------ finding the way by what the page says

    def say(self, key: str) -> re.Pattern[str]:
        """What the page says for a key, whatever it fills in."""
        words = catalog(self.language).get(key) or catalog("en")[key]
        return re.compile(f"^{'.+'.join(map(re.escape, re.split(r'{.*?}', words)))}( \\d+)?$")

    def find(self, key: str, within: Page | Locator | None = None) -> Locator:
        """What can be pressed and is called so."""
        place, name = within or self.page, self.say(key)
        roles: tuple[Any, ...] = ("button", "link", "tab", "switch", "radio")
        first, *others = (place.get_by_role(role, name=name) for role in roles)
        return functools.reduce(Locator.or_, others, first).filter(visible=True).first

    def press(self, *keys: str, within: Page | Locator | None = None) -> None:
        for key in keys:
            self.find(key, within).click()

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog[open]").last

    def beside(self, *keys: str) -> None:
        """Press what lies beside the board; on a phone in a drawer."""
        if self.phone:
            self.press("table.menu")
        self.press(*keys, within=self.dialog if self.phone else None)

    # ------------------------------------------------------------ others, and tables

    def friend(self, name: str = FRIENDS[0]) -> Guest:
        """Somebody else, without a browser."""
        friend = Guest(self.address)
        friend.ask("PATCH", "/me", json={"name": name})
        self.friends.append(friend)
        return friend

    def make(self, path: str, body: Any) -> Any:
        """Ask the server as the sitter."""
        answer = self.page.request.post(f"/api{path}", data=body)
        assert answer.ok, answer.text()
        return answer.json() if answer.body() else None

    def goto(self, path: str) -> None:
        self.page.goto(path)
        self.page.wait_for_load_state("networkidle")

    def start(self) -> None:
        """Open the start page, and wait for all that the server tells."""
        self.goto("/")
        self.page.locator("article button.cover:enabled").last.wait_for()

    def sit(self, position: Position, bot: str = "3") -> str:
        """Go on from a position as the first seat, among computer players."""
        sit_down(self, to_record(position), bot)
        return self.page.url.rpartition("/")[2]

    def gather(self, position: Position, watching: bool = False, **more: Any) -> str:
        """A table at which friends have played up to a position, with the sitter in the first seat or only looking on."""
        count = int(position.state.seats)
        friends = [self.friend(name) for name in FRIENDS[: count - (not watching)]]
        body = {"game": position.game.name, "seats": [{"kind": "open"}] * count, "options": position.options, **more}
        with mock.patch("azalai.server.registry.secrets.randbits", return_value=position.seed):
            table: str = friends[0].post("/tables", body, status=201)["id"]
        people: list[Callable[[str, Any], Any]] = [friend.post for friend in friends]
        for ask in people if watching else (people := [self.make, *people]):
            ask(f"/tables/{table}/seats", {})
        for ply, (seat, move) in enumerate(position.history):
            people[seat](f"/tables/{table}/moves", {"ply": ply, "move": move.text})
        self.page.goto(f"/table/{table}")
        self.page.locator(".question").wait_for()
        return table
