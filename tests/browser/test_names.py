"""Keeping a name by passkey, signing in elsewhere, recovery, rated tables, profiles, deleting everything."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import CDPSession

from tests.browser.visitor import PHONE, Visitor, until_true
from tests.server.running import InThread

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Keyring:
    """The passkeys of a browser: Chromium's virtual authenticator."""

    def __init__(self, visitor: Visitor) -> None:
        self.session: CDPSession = visitor.context.new_cdp_session(visitor.page)
        self.session.send("WebAuthn.enable")
        self.id = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]

    def passkeys(self) -> list[Any]:
        found: list[Any] = self.session.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]
        return found

    def take(self, passkey: Any) -> None:
        """Have a passkey of another device, as those that are kept in the cloud."""
        self.session.send("WebAuthn.addCredential", {"authenticatorId": self.id, "credential": passkey})


@pytest.fixture
def arrive(visit: Callable[..., Visitor], house: InThread) -> Callable[..., Visitor]:
    """Opens browsers at an address with a name, as passkeys need it."""
    address = house.address.replace("127.0.0.1", "localhost")

    def open_browser(name: str = "", **how: Any) -> Visitor:
        visitor = visit(address, **how)
        visitor.arrive(name)
        visitor.page.goto("/lost")
        return visitor

    return open_browser


def keep_name(visitor: Visitor) -> Keyring:
    """Keep the name on the page."""
    keyring = Keyring(visitor)
    visitor.page.goto("/player")
    visitor.button("Keep my name").click()
    visitor.page.get_by_role("heading", name="Passkeys").wait_for()
    return keyring


def give_up(visitor: Visitor, game: str = "targi", bot: str = "greedy", **more: Any) -> str:
    """A game of this person, given up at once."""
    body = {"game": game, "seats": [{"kind": "me"}, {"kind": "bot", "bot": bot}], **more}
    made = visitor.page.request.post("/api/tables", data=body)
    assert made.ok, made.text()
    table: str = made.json()["id"]
    assert visitor.page.request.post(f"/api/tables/{table}/resign", data={}).ok
    return table


def written(house: InThread) -> str:
    """All that the database holds."""
    file = house.app.state.server.settings.database.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as connection:
        names = [one[0] for one in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return "\n".join(str(row) for name in names for row in connection.execute(f"SELECT * FROM {name}"))


def test_a_guest_keeps_the_name_signs_in_elsewhere_is_rated_and_deletes_everything(arrive, house):
    anna, elsewhere = arrive("Antinea"), arrive()
    give_up(anna)
    keyring = Keyring(anna)
    anna.page.goto("/player")
    anna.page.get_by_text("1 game played to the end").wait_for()
    anna.button("Keep my name").focus()
    anna.page.keyboard.press("Enter")
    anna.page.get_by_role("heading", name="Passkeys").wait_for()
    (passkey,) = keyring.passkeys()
    assert passkey["isResidentCredential"]
    Keyring(elsewhere).take(passkey)
    elsewhere.page.goto("/player")
    elsewhere.button("Sign in").click()
    elsewhere.page.get_by_role("heading", name="Antinea").wait_for()
    table = give_up(elsewhere, rated=True, clock={"kind": "live", "minutes": 30})
    elsewhere.page.goto(f"/table/{table}")
    elsewhere.page.get_by_label("Rating", exact=True).get_by_text("(−").wait_for()
    anna.page.goto("/player")
    anna.page.get_by_text("1 rated game").wait_for()
    player, identity = (
        anna.page.request.get("/api/me").json()["player"],
        anna.page.request.get("/api/me/data").json()["you"]["id"],
    )
    assert "Antinea" in written(house)
    anna.button("Delete everything").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    anna.card("targi").wait_for()
    for word in ("Antinea", player, identity, table):
        assert word not in written(house), word
    assert elsewhere.page.request.get("/api/me").json()["name"] != "Antinea"
    stranger = arrive()
    stranger.page.goto(f"/player/{player}")
    stranger.page.get_by_text("There is no such player.").wait_for()
    stranger.problems = [one for one in stranger.problems if "404" not in one]


def test_a_second_passkey_and_a_recovery_code_lead_back_and_passkeys_can_be_removed(arrive):
    anna, elsewhere = arrive("Anna"), arrive(viewport=PHONE)
    keyring = keep_name(anna)
    anna.page.get_by_role("button", name="Make a code").click()
    shown = anna.page.get_by_role("dialog")
    code = shown.locator(".code").inner_text()
    anna.button("I have it").click()
    anna.page.get_by_text("You made one on").wait_for()
    elsewhere.page.goto("/player")
    elsewhere.button("I have a recovery code").click()
    elsewhere.page.get_by_label("Recovery code").fill(code.lower())
    elsewhere.page.get_by_role("button", name="Sign in with the code").click()
    elsewhere.page.get_by_role("heading", name="Anna").wait_for()
    Keyring(elsewhere)
    elsewhere.button("Add a passkey").click()
    passkeys = elsewhere.page.get_by_role("button", name="Remove: ")
    passkeys.nth(1).wait_for()
    passkeys.nth(0).click()
    elsewhere.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    passkeys.nth(1).wait_for(state="detached")
    assert len(elsewhere.page.request.get("/api/me/passkeys").json()["passkeys"]) == 1
    assert len(keyring.passkeys()) == 1, "the device still has it, but it opens nothing"
    elsewhere.button("Sign out on this device").click()
    elsewhere.card("targi").wait_for()
    assert elsewhere.page.request.get("/api/me").json()["player"] is None
    third = arrive()
    Keyring(third).take(keyring.passkeys()[0])
    third.page.goto("/player")
    third.button("Sign in").click()
    third.page.get_by_text("this passkey was removed").wait_for()
    third.problems = [one for one in third.problems if "404" not in one]


def test_a_rated_table_is_set_up_on_the_page_by_who_keeps_the_name(arrive):
    anna, bela = arrive("Anna"), arrive("Bela")
    anna.page.goto("/")
    anna.card("tuareg").get_by_role("button", name="With friends").click()
    dialog = anna.page.get_by_role("dialog")
    dialog.get_by_text("Rated game").click()
    dialog.get_by_text("for people who keep their name").wait_for()
    assert dialog.get_by_role("button", name="Set up the table").is_disabled()
    keep_name(anna)
    anna.set_up("tuareg", "With friends", seats="2", rated="Rated game")
    anna.page.get_by_text("The result counts.").wait_for()
    table = anna.page.request.get(f"/api/tables/{anna.page.url.rpartition('/')[2]}").json()
    assert table["rated"]
    assert table["clock"]["kind"] == "live"
    bela.page.goto(anna.page.url)
    bela.page.get_by_role("link", name="Keep my name").wait_for()
    assert bela.button("Sit down here").count() == 0


@pytest.mark.parametrize(
    ("name", "how"), [("Lalla", {}), ("Tin Hinan", {"locale": "de-DE", "viewport": PHONE, "color_scheme": "dark"})]
)
def test_profile_and_list_of_the_best_are_for_everybody(arrive, axe, name, how):
    anna = arrive(name, **how)
    Keyring(anna)
    anna.page.goto("/player")
    anna.page.locator("main section").nth(1).wait_for()
    anna.has_no_barriers(axe)
    anna.page.locator("main section button").first.click()
    anna.page.locator("main ul").wait_for()
    for bot in ("1", "6", "3", "2", "4"):
        give_up(anna, "targui", bot, rated=True, clock={"kind": "slow", "days": 1})
    rated = "async () => { const found = await (await fetch('/api/me/profile')).json(); return found.ratings[0]?.games === 5 }"
    until_true(anna.page, rated)
    anna.page.goto("/player")
    anna.page.get_by_role("img").wait_for()
    for choice in anna.page.get_by_role("switch").all():
        choice.focus()
        if not choice.is_checked():
            anna.page.keyboard.press("Space")
    until_true(anna.page, "async () => (await (await fetch('/api/me/profile')).json()).shown.length === 4")
    anna.has_no_barriers(axe)
    anna.page.goto("/best/targui")
    anna.page.get_by_role("link", name=name).wait_for()
    anna.has_no_barriers(axe)
    assert anna.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    stranger = arrive(**how)
    stranger.page.goto("/best/targui")
    stranger.page.get_by_role("link", name=name).click()
    stranger.page.get_by_role("heading", name=name).wait_for()
    stranger.page.get_by_role("img").wait_for()
    stranger.page.locator("main table").nth(1).wait_for()
    stranger.has_no_barriers(axe)
    assert stranger.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert json.dumps(anna.page.request.get("/api/me/data").json()["you"]["id"]) not in stranger.page.content()
