"""The page as an app: it opens without the server, changes to a new version as a whole, and keeps guests apart."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from azalai.server import page as served
from tests.browser.visitor import GAMES, Visitor, until_true

KEPT = """async () => {
  const names = (await caches.keys()).filter((name) => !name.startsWith('azalai-page-'))
  const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
  return keys.flat().map((one) => new URL(one.url).pathname)
}"""
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
ALLOW: dict[str, Any] = {"service_workers": "allow", "cold": True}


def until_kept(page: Page, *paths: str) -> None:
    until_true(
        page,
        f"async (wanted) => {{ const kept = await ({KEPT})(); return wanted.every((path) => kept.includes(path)) }}",
        list(paths),
    )


def finished(visitor: Visitor) -> str:
    """A game of this person that is over, shown in the browser."""
    table = visitor.found("targi", "me", "greedy")
    visitor.page.wait_for_selector(".board")
    assert visitor.page.request.post(f"/api/tables/{table}/resign", data={}).ok
    visitor.page.wait_for_selector(".ending")
    return table


def test_without_the_server_the_page_opens_with_rules_and_finished_games_of_ones_own(visit: Callable[..., Visitor]):
    anna = visit(**ALLOW)
    anna.arrive()
    anna.page.goto("/")
    anna.page.wait_for_function(CONTROLLED)
    table = finished(anna)
    helps = [f"/api/games/{game}/help" for game in GAMES]
    until_kept(anna.page, f"/api/tables/{table}", *helps)
    listed = "async (table) => (await (await caches.match('/api/tables', { ignoreSearch: true }))?.text() ?? '').includes(table)"
    until_true(anna.page, listed, table)

    anna.context.set_offline(True)
    anna.page.goto("/")
    expect(anna.page.get_by_text("To play you need the server.")).to_be_visible()
    expect(anna.card("targi").get_by_role("button", name="Play now")).to_be_disabled()
    anna.page.get_by_role("link", name="Look at it").click()
    expect(anna.page.locator(".ending")).to_be_visible()
    anna.page.goto("/rules/timbuktu")
    expect(anna.page.get_by_role("heading", name="Values that are reconstructed")).to_be_visible()

    anna.context.set_offline(False)
    anna.page.goto("/")
    expect(anna.card("targi").get_by_role("button", name="Play now")).to_be_enabled()
    anna.problems.clear()  # the browser says of every request that it failed


def test_a_finished_game_of_ones_own_is_replayed_whole_without_the_server(visit: Callable[..., Visitor]):
    anna = visit(**ALLOW)
    anna.page.goto("/")
    anna.page.wait_for_function(CONTROLLED)
    table = anna.found("targi", "me", "greedy")
    for _ in range(3):
        anna.step()
    assert anna.page.request.post(f"/api/tables/{table}/resign", data={}).ok
    anna.page.wait_for_selector(".ending")
    last = anna.page.request.get(f"/api/tables/{table}").json()["ply"]
    until_kept(anna.page, *(f"/api/tables/{table}/plies/{ply}" for ply in range(last + 1)))

    anna.context.set_offline(True)
    anna.page.goto(f"/table/{table}#ply=0")
    for ply in range(last + 1):
        anna.page.wait_for_selector(f".table[data-ply='{ply}']")
        if ply < last:
            anna.page.evaluate(f"() => {{ location.hash = 'ply={ply + 1}' }}")
    anna.context.set_offline(False)
    anna.problems.clear()  # the browser says of every request that it failed


def test_what_one_guest_saw_is_deleted_when_the_device_becomes_another(visit: Callable[..., Visitor]):
    anna, bela = visit(**ALLOW), visit()
    anna.arrive()
    anna.page.goto("/")
    anna.page.wait_for_function(CONTROLLED)
    table = finished(anna)
    until_kept(anna.page, f"/api/tables/{table}")
    bela.arrive()
    code = bela.page.request.post("/api/me/link").json()["code"]
    anna.page.goto(f"/move#{code}")
    anna.page.get_by_role("button", name=re.compile("^Become")).click()
    anna.page.wait_for_url("**/")
    until_true(anna.page, f"async (path) => !(await ({KEPT})()).includes(path)", f"/api/tables/{table}")


def test_games_that_are_not_over_are_not_kept(visit: Callable[..., Visitor]):
    anna = visit(**ALLOW)
    anna.arrive()
    anna.page.goto("/")
    anna.page.wait_for_function(CONTROLLED)
    table = anna.found("targi", "me", "greedy")
    assert anna.page.evaluate(f"async () => (await fetch('/api/tables/{table}')).ok")
    assert anna.page.evaluate(f"async () => (await fetch('/api/tables/{table}/plies/0')).ok")
    over = finished(anna)
    until_kept(anna.page, f"/api/tables/{over}")
    assert not [path for path in anna.page.evaluate(KEPT) if table in path]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The built page in a folder that a test may change."""
    copy = tmp_path / "web"
    shutil.copytree(served.FOLDER, copy)
    monkeypatch.setattr(served, "FOLDER", copy)
    return copy


def publish(folder: Path, title: str, whole: bool) -> None:
    """Put another version of the page into the folder, or one of which a file is missing still."""
    index, worker = folder / "index.html", folder / "service-worker.js"
    before = index.read_text(encoding="utf-8")
    after = re.sub("(?<=<title>).*(?=</title>)", title, before)
    script = worker.read_text(encoding="utf-8")
    old, new = (sha256(text.encode()).hexdigest() for text in (before, after))
    assert old in script, "the service worker names every file with its digest"
    worker.write_text(script.replace(old, new), encoding="utf-8")
    if whole:
        index.write_text(after, encoding="utf-8")


def test_a_new_version_is_taken_as_a_whole_and_when_the_person_wants(visit: Callable[..., Visitor], folder: Path):
    anna = visit(**ALLOW)
    page = anna.page
    page.goto("/")
    page.wait_for_function(CONTROLLED)
    old = page.evaluate("async () => (await caches.keys()).filter((name) => name.startsWith('azalai-page-'))")
    assert len(old) == 1

    publish(folder, "Half", whole=False)
    page.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.getRegistration()
          const failed = new Promise((done) => registration.addEventListener('updatefound', () => {
            const worker = registration.installing
            worker.addEventListener('statechange', () => worker.state === 'redundant' && done())
          }))
          await registration.update().catch(() => {})
          await failed
        }"""
    )
    expect(page.get_by_text("A new version is there.")).to_be_hidden()
    page.reload()
    assert page.evaluate("async () => !(await (await fetch('/index.html')).text()).includes('Half')")

    (folder / "service-worker.js").write_text(
        (served.DOCS.with_name("web") / "service-worker.js").read_text(encoding="utf-8"), encoding="utf-8"
    )
    publish(folder, "Next", whole=True)
    version = folder / "service-worker.js"
    version.write_text(version.read_text(encoding="utf-8").replace(old[0].removeprefix("azalai-page-"), "next"), encoding="utf-8")
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
    expect(page.get_by_text("A new version is there.")).to_be_visible()
    assert page.evaluate("async () => !(await (await fetch('/index.html')).text()).includes('Next')"), (
        "it was asked for nothing yet"
    )
    with page.expect_navigation():
        page.get_by_role("button", name="Load it").click()
    until_true(page, "async () => (await (await fetch('/index.html')).text()).includes('<title>Next')")
    assert page.evaluate("async () => (await caches.keys()).filter((name) => name.startsWith('azalai-page-'))") == [
        "azalai-page-next"
    ]


def test_the_page_can_be_installed(visit: Callable[..., Visitor]):
    anna = visit(**ALLOW)
    anna.page.goto("/")
    anna.page.wait_for_function(CONTROLLED)
    session = anna.context.new_cdp_session(anna.page)
    assert session.send("Page.getAppManifest")["errors"] == []
    problems = [one["errorId"] for one in session.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert problems in ([], ["in-incognito"])  # every context of a test is a private window
