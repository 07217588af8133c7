"""Somebody in front of a browser: opens the page, clicks what glows, reads what is written."""

from __future__ import annotations

import faulthandler
import json
import random
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    ElementHandle,
    Error,
    Locator,
    Page,
    Response,
    Route,
    TimeoutError,
    WebSocket,
)

from tests.server.running import until

Press = Callable[[ElementHandle], None]
GAMES = ("targui", "tuareg", "timbuktu", "targi")
PATIENCE = 90_000  # milliseconds; a busy machine may stand still for a while
POLL = 40  # milliseconds; a look at every frame makes the browser draw every frame
CLUES = ("type", "status", "ply", "version", "pending", "seat", "question", "error")  # of a message
WIDE = {"width": 1400, "height": 900}
PHONE = {"width": 390, "height": 844}
LOOK = {"viewport": WIDE, "color_scheme": "light", "reduced_motion": "no-preference"}  # what one page can have for itself
SHELL = "chromium-headless-shell"  # Chromium without the browser around the page, which costs a fifth of all work
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")

# What may be clicked to get on: a menu that is open or a move that must be confirmed comes first, then all that is lit.
LIT = """() => {
  const open = (element) => !element.disabled && element.ariaDisabled !== 'true' && !element.ariaHasPopup
  const may = (element) => open(element) && !element.closest('.chosen') && element.checkVisibility()
  const find = (query) => [...document.querySelectorAll(query)].filter(may)
  const first = find('.menu button, .prompt .buttons:has(.thinking) button')
  if (first.length) return first
  const places = ['.board', '.side-panel', '.hand'].flatMap((place) => [`${place} button`, `${place} [role=button]`])
  return find([...places, '.prompt .buttons button', '.prompt form button[type=submit]'].join())
}"""
# A table as it looks now: over, or what is asked and what may be clicked; null while there is nothing to do.
STATE = f"""() => {{
  if (document.querySelector('.ending')) return 'over'
  const lit = ({LIT})()
  if (!lit.length || document.querySelector('.board > .alone')) return null // .alone: the board is still on its way
  const names = lit.map((element) => element.ariaLabel ?? element.textContent.trim())
  const question = document.querySelector('.question')?.textContent ?? ''
  const ply = document.querySelector('.table')?.dataset.ply
  return [ply, question, document.querySelectorAll('.chosen').length, ...names].join('|')
}}"""

# Clicks on what is lit, by chance, until the game is over; how many clicks it took.
RUSH = f"""async ([seed, patience]) => {{
  const chance = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31
  let [clicks, before, since] = [0, null, performance.now()]
  for (;;) {{
    const now = ({STATE})()
    if (now === 'over') return clicks
    if (now !== null && now !== before) {{
      const lit = ({LIT})()
      lit[Math.floor(chance() * lit.length)].dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))
      ;[clicks, before, since] = [clicks + 1, now, performance.now()]
    }} else if (performance.now() - since > patience) throw Error(`nothing came after: ${{before}}`)
    await new Promise(requestAnimationFrame)
  }}
}}"""

REST = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
  .map((one) => one.finished))"""


def find_chromium(whole: bool = False) -> str | None:
    """A Chromium of the system, if need be the whole browser; Playwright brings only what drives it."""
    return next((found for name in ([] if whole else [SHELL]) + [*PROGRAMS] if (found := shutil.which(name))), None)


def until_true(page: Page, script: str, arg: Any = None) -> None:
    """Wait for a function of the page that is asynchronous: `wait_for_function` takes its promise for true."""

    def holds() -> bool:
        try:
            return bool(page.evaluate(script, arg))
        except Error as gone:
            if "context was destroyed" not in str(gone):
                raise
            return False  # the page is just being loaded anew

    until(holds)


class HeldRequests:
    """Requests of a page to an address, held back until they are released; later ones pass."""

    def __init__(self, page: Page, address: str) -> None:
        self.routes: list[Route] = []
        self.holding = True
        page.route(address, self._take)

    def _take(self, route: Route) -> None:
        if self.holding:
            self.routes.append(route)
        else:
            route.continue_()

    def release(self) -> None:
        self.holding = False
        for route in self.routes:
            route.continue_()


class ContextPool:
    """Contexts of a browser that visitors have left, for the next: in a new one the whole page is loaded and compiled anew."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: dict[str, list[BrowserContext]] = {}

    def take(self, how: dict[str, Any]) -> BrowserContext:
        """A context that looks like a new one, but that the page's files may be in its cache."""
        free = self.free.setdefault(json.dumps(how, sort_keys=True), [])
        return free.pop() if free else self.browser.new_context(**how)

    def give_back(self, context: BrowserContext, how: dict[str, Any]) -> None:
        for page in context.pages:
            page.close()
        context.set_offline(False)
        context.clear_cookies()
        self.free[json.dumps(how, sort_keys=True)].append(context)


class Visitor:
    """One browser with cookies of its own. Where there is a pool its context may have been somebody else's."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        seed: int = 1,
        knows: bool = True,
        speed: str = "off",
        pool: ContextPool | None = None,
        **how: Any,
    ) -> None:
        self.address = address
        self.random = random.Random(seed)
        self.problems: list[str] = []
        self.received: list[dict[str, Any]] = []  # everything the server sent about tables
        self.pool = pool
        look = {name: how.pop(name, usual) for name, usual in LOOK.items()}
        self.how = {"locale": "en-GB", "base_url": address, "service_workers": "block", **how}
        self.context = pool.take(self.how) if pool else browser.new_context(**self.how)
        self.context.set_default_timeout(PATIENCE)  # of requests, too
        self.page = self.context.new_page()
        if pool:  # what the page of another visitor has stored
            all_of_it = {"origin": address, "storageTypes": "all"}
            self.context.new_cdp_session(self.page).send("Storage.clearDataForOrigin", all_of_it)
        self.page.set_viewport_size(look["viewport"])
        self.page.emulate_media(color_scheme=look["color_scheme"], reduced_motion=look["reduced_motion"])
        likes = {"speed": speed, **({f"knows.{game}": "yes" for game in GAMES} if knows else {})}
        self.page.add_init_script(
            "".join(f"localStorage.setItem('azalai.{name}', {json.dumps(value)});" for name, value in likes.items())
        )
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("response", self._answered)
        self.page.on("websocket", self._connected)

    def leave(self) -> None:
        if self.pool:
            self.pool.give_back(self.context, self.how)
        else:
            self.context.close()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "blocked by Playwright" not in message.text:
            self.problems.append(message.text)

    def _answered(self, response: Response) -> None:
        if "/api/tables" in response.url and response.request.method == "POST" and response.ok:
            self.received.append(response.json())

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.received.append(json.loads(frame)))

    # ------------------------------------------------------------ finding a game

    def card(self, game: str) -> Locator:
        """A game on the start page."""
        title = self.page.get_by_role("heading", name=re.compile(f"^{game}$", re.IGNORECASE))
        return self.page.get_by_role("article").filter(has=title)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def set_up(self, game: str, door: str, **choices: str) -> None:
        """From the start page to a table: `door` is the button of the game, the rest is chosen from the dialog by label."""
        self.page.goto("/")
        self.card(game).get_by_role("button", name=door).click()
        dialog = self.page.get_by_role("dialog")
        for choice in choices.values():
            dialog.get_by_text(choice, exact=True).click()
        dialog.get_by_role("button", name=re.compile("Set up the table|Tisch aufbauen")).click()
        self.page.wait_for_url("**/table/*")

    def arrive(self, name: str = "") -> None:
        """Become a guest by the API, before any page asks who this is: else each might become a guest of its own."""
        asked = self.page.request
        answer = asked.patch("/api/me", data={"name": name}) if name else asked.get("/api/me")
        assert answer.ok, answer.text()

    def found(self, game: str, *seats: str) -> str:
        """A table of this person by the API, shown in the browser: `me`, `open` or the name of a computer player per seat."""
        self.arrive()
        wishes = [{"kind": one} if one in ("me", "open") else {"kind": "bot", "bot": one} for one in seats]
        answer = self.page.request.post("/api/tables", data={"game": game, "seats": wishes})
        assert answer.ok, answer.text()
        table: str = answer.json()["id"]
        self.page.goto(f"/table/{table}")
        return table

    # ------------------------------------------------------------ at a table

    def wait(self, before: str | None = None) -> str:
        """Until something may be clicked, other than before, or the game is over."""
        return self._until(f"(before) => {{ const now = ({STATE})(); return now !== null && now !== before && now }}", before)

    def wait_for_change(self, before: str) -> None:
        """Until the table looks different from before."""
        self._until(f"(before) => ({STATE})() !== before", before)

    def _until(self, condition: str, before: str | None) -> str:
        try:
            return str(self.page.wait_for_function(condition, arg=before, polling=POLL).json_value())
        except TimeoutError:
            raise AssertionError(f"nothing came after: {before}\nnow: {self.state()}\n{self._clues()}") from None

    def _clues(self) -> str:
        """What may explain why nothing happens: errors, what the page shows, what it was told last, what the server does."""
        shown = self.page.locator("body").inner_text()[:1500]
        last = [{key: one.get(key) for key in CLUES} for one in self.received[-3:]]
        with tempfile.TemporaryFile("w+") as stacks:  # of the server's threads, too: it runs in this process
            faulthandler.dump_traceback(stacks)
            stacks.seek(0)
            return f"{self.problems}\n{shown}\n{last}\n{stacks.read()}"

    def state(self) -> str | None:
        """What is asked and what may be clicked; `over`; or None while there is nothing to do."""
        found: str | None = self.page.evaluate(STATE)
        return found

    def choose(self, press: Press = ElementHandle.click) -> None:
        """Something that glows, whatever it is. If news from others redraw the board meanwhile, something of the new one."""
        while True:
            count = int(self.page.evaluate(f"() => ({LIT})().length"))
            place = self.random.randrange(count) if count else 0
            chosen = self.page.evaluate_handle(f"(place) => ({LIT})()[place]", place).as_element()
            if chosen is None:
                assert self.wait() != "over", "there is nothing to choose any more"
                continue
            try:
                return press(chosen)
            except Error as gone:
                if "not attached" not in str(gone):
                    raise

    def step(self, press: Press = ElementHandle.click) -> str:
        """Choose something; the state it led to, as soon as there is something to do again."""
        before = self.wait()
        if before != "over":
            self.choose(press)
            return self.wait(before)
        return before

    def finish(self, press: Press = ElementHandle.click) -> int:
        """Play to the end; how many clicks it took."""
        clicks = 1
        while self.step(press) != "over":
            clicks += 1
            assert clicks < 3000, "the game does not end"
        return clicks

    def rush(self) -> int:
        """Play to the end by clicks made within the page, which is much quicker than by mouse; how many it took."""
        self.wait()
        return int(self.page.evaluate(RUSH, [self.random.randrange(2**31), PATIENCE]))

    def decisions(self, table: str) -> Iterator[int]:
        """Play to the end by the API, which is much quicker than by clicking; yield the ply before each own decision."""
        address, request = f"/api/tables/{table}", self.page.request
        view = request.get(address).json()
        while view["status"] == "playing":
            if view["moves"]:
                yield view["ply"]
                move = self.random.choice(view["moves"])["id"]
                view = request.post(f"{address}/moves", data={"ply": view["ply"], "move": move}).json()
            else:
                newer = request.get(address, params={"version": view["version"], "wait": 20})
                view = view if newer.status == 304 else newer.json()

    def play_out(self, table: str) -> None:
        """Play to the end and look at that alone."""
        self.page.goto("/lost")
        for _ in self.decisions(table):
            pass
        self.page.goto(f"/table/{table}")

    # ------------------------------------------------------------ looking

    @property
    def question(self) -> str:
        return self.page.locator(".question").inner_text()

    def has_no_barriers(self, axe: str) -> None:
        """axe finds nothing serious, once all has come to rest: what is still fading in is pale."""
        self.page.evaluate(REST)
        self.page.evaluate(axe)
        found = self.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        serious = [
            f"{one['id']}: {node['html'][:200]} {node['failureSummary']}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]
        assert serious == [], "\n".join(serious)

    def picture(self, path: Path) -> None:
        self.page.evaluate("() => document.fonts.ready")
        self.page.screenshot(path=path, type="jpeg", quality=82, animations="disabled")
