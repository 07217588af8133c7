"""A person who has left is called back: by a push message that their browser can read, and by mail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import PHONE, Visitor, until_true
from tests.server.receivers import Browser, Mailbox, Receiver
from tests.server.running import Guest, InThread, quick, until

WHOLE_BROWSER = True  # its shell shows no notifications
# A push service cannot be reached from here, so the browser is given the subscription of one on this machine. All else is real.
SUBSCRIPTION = """(subscription) => {
  const unsubscribe = async () => (sessionStorage.removeItem('subscribed'), true)
  const one = { ...subscription, toJSON: () => subscription, unsubscribe }
  PushManager.prototype.getSubscription = async () => (sessionStorage.getItem('subscribed') ? one : null)
  PushManager.prototype.subscribe = async (options) => {
    window.subscribedWith = options.applicationServerKey
    sessionStorage.setItem('subscribed', 'yes')
    return one
  }
}"""


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as one:
        yield one


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with Receiver() as one:
        yield one


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory, mailbox: Mailbox) -> Iterator[InThread]:
    """A server that calls people, soon after they have left."""
    more = {"smtp": mailbox.address, "mail_from": "Azalai <azalai@example.org>", "callback_networks": ("127.0.0.0/8",)}
    database = f"sqlite:///{tmp_path_factory.mktemp('calls') / 'azalai.db'}"
    settings = quick(database, public_url="https://play.example.org", callback_after=0.1, callback_pause=0.0, **more)
    with InThread(settings) as running:
        yield running


def table_of(visitor: Visitor, other: Guest) -> str:
    """A table at which the other has to decide first; the visitor is not there."""
    table = other.found("targui", "me", "open")
    assert visitor.page.request.post(f"/api/tables/{table['id']}/seats", data={}).ok
    return str(table["id"])


def test_who_is_away_is_called_by_push_and_by_mail(
    visit: Callable[..., Visitor], calls: InThread, receiver: Receiver, mailbox: Mailbox
):
    browser = Browser(receiver, "/push/anna")
    anna = visit(calls.address, cold=True, service_workers="allow", permissions=["notifications"])
    anna.page.add_init_script(f"({SUBSCRIPTION})({json.dumps(browser.subscription)})")
    page = anna.page
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("link", name="Call me back …").click()
    page.get_by_role("button", name="Call this browser").click()
    expect(page.get_by_role("button", name="Do not call this browser any more")).to_be_visible()
    assert page.evaluate("window.subscribedWith") == page.request.get("/api/me/callback").json()["push_key"]

    page.get_by_label("E-mail address").fill("anna@example.org")
    page.get_by_role("button", name="Write to me").click()
    expect(page.get_by_text("not confirmed yet")).to_be_visible()
    (question,) = until(lambda: mailbox.to("anna@example.org"))
    found = re.search(r"/call#confirm=\S+", question.get_content())
    assert found is not None
    page.goto("/lost")
    page.goto(found.group())
    page.get_by_role("button", name="Yes, confirm").click()
    expect(page.get_by_text("Confirmed. You will hear from us.")).to_be_visible()
    expect(page.get_by_text("not confirmed yet")).to_be_hidden()

    bela = Guest(calls.address)
    bela.ask("PATCH", "/me", json={"name": "Bela"})
    table = table_of(anna, bela)
    seen = bela.get(f"/tables/{table}")
    while seen["moves"]:
        seen = bela.play(seen)
    (message,) = until(lambda: browser.messages)
    assert message["title"] == "Your turn: Targui with Bela"
    mail = until(lambda: mailbox.to("anna@example.org")[1:])[0]
    assert f"https://play.example.org/table/{table}" in mail.get_content()
    bela.http.close()

    # what the push service got is handed to the browser's service worker, as a push service would
    session = anna.context.new_cdp_session(page)
    registrations: list[Any] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    until(lambda: page.evaluate("1") and registrations)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": calls.address, "registrationId": registrations[0]["registrationId"], "data": json.dumps(message)},
    )
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
      .map((one) => [one.title, one.data]).flat().join()"""
    until_true(page, f"async (wanted) => (await ({shown})()) === wanted", f"Your turn: Targui with Bela,/table/{table}")

    stop = re.search(r"/call#stop=\S+", mail.get_content())
    assert stop is not None
    page.goto("/lost")
    page.goto(stop.group())
    page.get_by_role("button", name="No more e-mails").click()
    expect(page.get_by_text("Done. We write to you no more.")).to_be_visible()
    page.get_by_role("button", name="Delete This browser").click()
    expect(page.get_by_text("Nowhere yet.")).to_be_visible()


@pytest.mark.parametrize("look", [{"locale": "de-DE", "viewport": PHONE, "has_touch": True}, {"color_scheme": "dark"}])
def test_the_page_for_calls_is_open_to_all_and_keeps_what_is_chosen(
    visit: Callable[..., Visitor], calls: InThread, receiver: Receiver, axe: str, look: dict[str, Any]
):
    anna = visit(calls.address, timezone_id="Europe/Berlin", **look)
    page = anna.page
    page.goto("/call")
    german = "locale" in look
    quiet = page.get_by_role("switch", name="Jeden Tag Ruhe halten" if german else "Be quiet every day")
    quiet.focus()
    page.keyboard.press("Space")
    page.get_by_label("Von" if german else "From", exact=True).fill("23:30")
    page.get_by_label("Von" if german else "From", exact=True).blur()
    page.get_by_role("switch", name="Eine Partie von mir ist zu Ende" if german else "A game of mine has ended").focus()
    page.keyboard.press("Space")
    page.get_by_text("Slack", exact=True).click()
    page.get_by_label("Adresse des Webhooks" if german else "Address of the webhook").fill(f"{receiver.address}/hook")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Slack: 127.0.0.1")).to_be_visible()
    page.get_by_role("button", name="Eine Adresse machen" if german else "Make an address").click()
    expect(page.get_by_label("Für einen Kalender" if german else "For a calendar")).to_have_value(re.compile(r"/calendar\.ics$"))
    page.evaluate(axe)
    problems = page.evaluate(
        "async () => (await axe.run()).violations.map((one) => [one.id, one.nodes.map((node) => node.html)])"
    )
    assert problems == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    expect(quiet).to_be_checked()
    expect(page.get_by_label("Von" if german else "From", exact=True)).to_have_value("23:30")
    chosen = page.request.get("/api/me/callback").json()["settings"]
    assert chosen["zone"] == "Europe/Berlin"
    assert chosen["over"] is False
    assert chosen["language"] == ("de" if german else "en")
