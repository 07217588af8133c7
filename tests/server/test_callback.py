"""People who are away are called back to their tables, once, and only when they want."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from email.message import EmailMessage
from functools import partial
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from azalai.server import server_time
from azalai.server.admin import Admin
from azalai.server.callback.caller import quiet_until
from azalai.server.callback.channels import MOST_LINES
from azalai.server.callback.outbound import Outbound, Refused, is_public
from azalai.server.database import open_engine
from tests.server.receivers import Browser, Mailbox, Receiver, signed_claims
from tests.server.running import Guest, InThread, fetch, quick, until

DAY = 86_400_000
HOUR = DAY // 24


@pytest.fixture(autouse=True)
def real_time() -> Iterator[None]:
    """The server's time after a test that has changed it."""
    offset = server_time._offset
    yield
    server_time._offset = offset


def later(milliseconds: int) -> None:
    """Let time pass."""
    server_time.set_time(server_time.now() + milliseconds)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as one:
        yield one


@pytest.fixture(autouse=True)
def no_old_mails(mailbox: Mailbox) -> None:
    mailbox.mails.clear()


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as one:
        yield one


def calling(database: str, mailbox: Mailbox | None = None, **more: Any) -> Any:
    """Settings of a server that calls people soon, and may call this machine."""
    mails = {"smtp": mailbox.address, "mail_from": "Azalai <azalai@example.org>"} if mailbox else {}
    usual: dict[str, Any] = {"callback_networks": ("127.0.0.0/8",), "callback_after": 0.1, "callback_pause": 0.0}
    return quick(database, public_url="https://play.example.org", **{**usual, **mails, **more})


@pytest.fixture(scope="module")
def database(new_database: Callable[[], str]) -> str:
    return new_database()


@pytest.fixture(scope="module")
def server(database: str, mailbox: Mailbox) -> Iterator[InThread]:
    with InThread(calling(database, mailbox)) as running:
        yield running


def rows(database: str, query: str, **values: Any) -> list[Any]:
    """What the database says."""

    async def ask() -> list[Any]:
        engine = open_engine(database)
        async with engine.connect() as connection:
            found = (await connection.execute(text(query), values)).all()
        await engine.dispose()
        return list(found)

    return asyncio.run(ask())


def settings(**changes: Any) -> dict[str, Any]:
    return {"turn": True, "invited": True, "over": True, "language": "en", "zone": "UTC", "quiet": None, **changes}


def subscribe(guest: Guest, receiver: Receiver, path: str) -> Browser:
    browser = Browser(receiver, path)
    guest.post("/me/callback/push", browser.subscription, 201)
    return browser


def together(anna: Guest, bela: Guest, **more: Any) -> Any:
    """A table of Targui with Anna to decide, of which her process has heard that Bela sits there."""
    table = anna.found("targui", "me", "open", **more)
    bela.act(table, "seats")
    return until(lambda: seen if (seen := anna.look(table))["status"] == "playing" else None)


def play_turn(guest: Guest, table: Any) -> Any:
    """Decide until somebody else is asked."""
    seen = guest.look(table)
    while seen["moves"] and seen["status"] == "playing":
        seen = guest.play(seen)
    return seen


def test_who_is_away_gets_a_push_message_that_their_browser_alone_can_read(anna, bela, receiver):
    browser = subscribe(bela, receiver, "/push/turn")
    table = together(anna, bela)
    play_turn(anna, table)
    (message,) = until(lambda: browser.messages)
    assert message == {
        "title": "Your turn: Targui with Anna",
        "body": "Your turn: Targui with Anna",
        "url": f"/table/{table['id']}",
    }
    (request,) = receiver.at("/push/turn")
    assert b"Targui" not in request.body
    claims = signed_claims(request, bela.get("/me/callback")["push_key"])
    assert claims["aud"] == receiver.address
    assert claims["sub"] == "mailto:azalai@example.org"
    assert request.headers["content-encoding"] == "aes128gcm"


def test_who_is_away_is_told_that_their_game_of_a_tournament_has_begun(anna, bela, receiver):
    browser = subscribe(bela, receiver, "/push/tournament")
    bela.ask("PUT", "/me/callback", json=settings(language="de"))
    made = anna.post("/tournaments", {"name": "Freitag", "kind": "knock_out", "game": "targi"}, 201)
    bela.post(f"/tournaments/{made['id']}/entrants")
    begun = anna.post(f"/tournaments/{made['id']}/start")
    (message,) = until(lambda: browser.messages)
    assert message["title"] == "Deine Partie in Freitag hat begonnen"
    assert message["url"] == f"/table/{begun['next']}"


def test_who_is_at_the_table_is_called_only_after_leaving(anna, bela, receiver, database):
    browser = subscribe(bela, receiver, "/push/present")
    table = together(anna, bela)
    with bela.live(table) as live:
        live.table()
        play_turn(anna, table)
        look = (
            "SELECT due - created FROM calls WHERE table_id = :table AND kind = 'turn' AND guest IN (SELECT guest FROM contacts)"
        )
        until(lambda: any(one[0] > 400 for one in rows(database, look, table=table["id"])))  # looked at, and put off
        assert browser.messages == []
    until(lambda: browser.messages)


def test_who_has_decided_before_the_call_is_not_called(anna, bela, receiver, database):
    subscribe(bela, receiver, "/push/decided")
    bela.ask("PUT", "/me/callback", json=settings(quiet=around_now()))
    table = together(anna, bela)
    play_turn(anna, table)
    waiting = "SELECT due FROM calls WHERE table_id = :table AND kind = 'turn' AND due IS NOT NULL"
    until(lambda: [one for one in rows(database, waiting, table=table["id"]) if one[0] > server_time.now() + HOUR])
    play_turn(bela, table)
    bela.ask("PUT", "/me/callback", json=settings())
    later(DAY)
    until(lambda: rows(database, waiting, table=table["id"]) == [])
    assert receiver.at("/push/decided") == []


def around_now(zone: str = "UTC") -> dict[str, int]:
    """Quiet hours that end in about three hours."""
    local = datetime.fromtimestamp(server_time.now() / 1000, ZoneInfo(zone))
    minute = local.hour * 60 + local.minute
    return {"begin": (minute - 60) % 1440, "end": (minute + 180) % 1440}


def test_in_quiet_hours_nothing_is_sent_and_afterwards_one_message_for_all(anna, bela, receiver, database):
    zone = "Pacific/Auckland"
    browser = subscribe(bela, receiver, "/push/quiet")
    bela.ask("PUT", "/me/callback", json=settings(zone=zone, quiet=around_now(zone), language="de"))
    tables = [together(anna, bela) for _ in range(3)]
    for table in tables:
        play_turn(anna, table)
    ids = ", ".join(f"'{table['id']}'" for table in tables)
    put_off = f"SELECT due FROM calls WHERE table_id IN ({ids}) AND kind = 'turn' AND guest IN (SELECT guest FROM contacts)"
    until(lambda: [one[0] > server_time.now() + HOUR for one in rows(database, put_off)] == [True] * 3)
    assert browser.messages == []
    later(4 * HOUR)
    (message,) = until(lambda: browser.messages)
    assert message["title"] == "3 Tische warten auf dich"
    assert message["body"].splitlines() == ["Du bist dran: Targui mit Anna"] * 3
    assert message["url"] == "/"


@pytest.mark.parametrize(
    ("quiet", "zone", "at", "until_then"),
    [
        ((1320, 420), "Europe/Berlin", "2026-01-10 23:30", "2026-01-11 07:00"),
        ((1320, 420), "Europe/Berlin", "2026-01-10 06:59", "2026-01-10 07:00"),
        ((1320, 420), "Europe/Berlin", "2026-01-10 07:00", None),
        ((1320, 420), "Europe/Berlin", "2026-03-28 23:30", "2026-03-29 07:00"),  # the night loses an hour
        ((780, 840), "America/New_York", "2026-06-01 13:05", "2026-06-01 14:00"),
        ((780, 840), "America/New_York", "2026-06-01 12:59", None),
        ((None, None), "Asia/Tokyo", "2026-06-01 03:00", None),
        ((600, 600), "Asia/Tokyo", "2026-06-01 10:00", None),
    ],
)
def test_quiet_hours_follow_the_clock_of_the_persons_time_zone(quiet, zone, at, until_then):
    def local(moment: str) -> int:
        return int(datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)

    chosen = {"quiet_from": quiet[0], "quiet_to": quiet[1], "zone": zone}
    assert quiet_until(chosen, local(at)) == (local(until_then) if until_then else 0)


def test_after_a_message_there_is_a_pause(guest, receiver, new_database):
    with InThread(calling(new_database(), callback_pause=600.0)) as server:
        anna, bela = guest(server.address), guest(server.address)
        anna.ask("PATCH", "/me", json={"name": "Anna"})
        browser = subscribe(bela, receiver, "/push/pause")
        play_turn(anna, together(anna, bela))
        until(lambda: len(browser.messages) == 1)
        for _ in range(2):
            play_turn(anna, together(anna, bela))
        put_off = "SELECT due FROM calls WHERE due IS NOT NULL AND guest IN (SELECT guest FROM contacts)"
        stored = server.app.state.server.settings.database
        until(lambda: [one[0] > server_time.now() + 300_000 for one in rows(stored, put_off)] == [True, True])
        assert len(browser.messages) == 1
        later(600_000)
        until(lambda: len(browser.messages) == 2)
        assert browser.messages[1]["title"] == "2 tables wait for you"


def test_an_invitation_and_the_end_of_a_game_are_told_to_who_wants_it(anna, bela, receiver, database):
    browser = subscribe(bela, receiver, "/push/invited")
    bela.ask("PUT", "/me/callback", json=settings(turn=False))
    table = together(anna, bela)
    play_turn(anna, table)
    anna.act(table, "resign")
    (over,) = until(lambda: browser.messages)
    assert over["title"] == "It is over: Targui with Anna"
    anna.act(table, "rematch")
    invited = until(lambda: browser.messages[1:])[0]
    assert invited["title"] == "An invitation: Targui with Anna"
    bela.ask("PUT", "/me/callback", json=settings(turn=False, over=False))
    play_turn(anna, other := together(anna, bela))
    anna.act(other, "resign")
    left = (
        "SELECT 1 FROM calls WHERE table_id = :table AND kind = 'over' AND due IS NULL AND guest IN (SELECT guest FROM contacts)"
    )
    until(lambda: rows(database, left, table=other["id"]))
    assert len(browser.messages) == 2


def test_a_browser_that_is_gone_is_forgotten(anna, bela, receiver, database):
    receiver.answers["/push/gone"] = 410
    subscribe(bela, receiver, "/push/gone")
    bela.post("/me/callback/test", status=202)
    until(lambda: bela.get("/me/callback")["contacts"] == [])
    assert len(receiver.at("/push/gone")) == 1


def test_a_receiver_that_fails_is_tried_again_later_and_nobody_waits_for_it(anna, bela, guest, receiver, database):
    receiver.answers["/push/broken"] = 500
    broken = subscribe(anna, receiver, "/push/broken")
    others = [guest() for _ in range(8)]
    for one in others:
        one.post(
            "/me/callback/webhook", {"kind": "slack", "url": f"{receiver.address.replace('127.0.0.1', '127.0.0.2')}/never"}, 201
        )
        one.post("/me/callback/test", status=202)
    slow = [guest() for _ in range(6)]
    for number, one in enumerate(slow):
        one.post(
            "/me/callback/webhook", {"kind": "slack", "url": f"http://127.0.0.3:{receiver.server.server_port}/slow/{number}"}, 201
        )
        one.post("/me/callback/test", status=202)
    anna.post("/me/callback/test", status=202)
    until(lambda: anna.get("/me/callback")["contacts"][0]["problem"] == "failed")
    browser = subscribe(bela, receiver, "/push/fine")
    bela.post("/me/callback/test", status=202)
    until(lambda: browser.messages)
    assert len(receiver.at("/push/broken")) == 1
    receiver.answers["/push/broken"] = 201
    later(61_000)
    until(lambda: len(broken.messages) == 2)
    until(lambda: anna.get("/me/callback")["contacts"][0]["problem"] is None)
    receiver.hold.set()


def code_in(mail: EmailMessage) -> str:
    """The code in the link by which an address is confirmed."""
    found = re.search(r"https://play\.example\.org/call#confirm=(\S+)", mail.get_content())
    assert found is not None
    return found.group(1)


def test_a_mail_address_is_asked_first_and_one_click_ends_the_mails(server, guest, anna, bela, mailbox):
    state = bela.post("/me/callback/mail", {"address": "bela@example.org"}, 201, lang="de")
    assert state["contacts"][0]["confirmed"] is False
    (question,) = mailbox.to("bela@example.org")
    assert question["Subject"] == "Darf Azalai dir schreiben?"
    code = code_in(question)
    table = together(anna, bela)
    play_turn(anna, table)
    stranger = guest()  # whoever reads the mail, on whatever device
    stranger.post("/callback/confirm", {"code": code}, 204)
    assert bela.get("/me/callback")["contacts"][0]["confirmed"] is True
    table = together(anna, bela)
    play_turn(anna, table)
    mail = until(lambda: mailbox.to("bela@example.org")[1:])[0]
    assert mail["Subject"] == "Du bist dran: Targui mit Anna"
    assert f"https://play.example.org/table/{table['id']}" in mail.get_content()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = mail["List-Unsubscribe"].strip("<>").replace("https://play.example.org", server.address)
    assert fetch(address, "POST", data={"List-Unsubscribe": "One-Click"}).status_code == 204
    assert bela.get("/me/callback")["contacts"] == []
    assert fetch(address, "POST").status_code == 204
    stranger.post("/callback/confirm", {"code": code}, 404)
    stranger.post("/callback/confirm", {"code": code[:-2]}, 404)
    stranger.post("/callback/unsubscribe/nonsense", status=404)


def test_an_address_that_the_mail_server_does_not_know_is_not_kept(anna, mailbox):
    mailbox.refused.add("nobody@example.org")
    anna.post("/me/callback/mail", {"address": "nobody@example.org"}, 503)
    assert anna.get("/me/callback")["contacts"] == []
    anna.post("/me/callback/mail", {"address": "a@b.org\r\nBcc: c@d.org"}, 422)


def test_webhooks_get_the_form_they_understand_and_names_do_no_harm(anna, bela, receiver):
    anna.ask("PATCH", "/me", json={"name": "<!here> *A* & @everyone"})
    for kind in ("slack", "discord"):
        bela.post("/me/callback/webhook", {"kind": kind, "url": f"{receiver.address}/hook/{kind}"}, 201)
    table = together(anna, bela)
    play_turn(anna, table)
    slack = json.loads(until(lambda: receiver.at("/hook/slack"))[0].body)
    discord = json.loads(until(lambda: receiver.at("/hook/discord"))[0].body)
    link = f"\nhttps://play.example.org/table/{table['id']}"
    assert slack == {"text": "Your turn: Targui with &lt;!here&gt; *A* &amp; @everyone" + link}
    assert discord == {
        "content": "Your turn: Targui with \\<!here\\> \\*A\\* & @everyone" + link,
        "allowed_mentions": {"parse": []},
    }


# ---------------------------------------------------------------- internal addresses


INSIDE = """
127.0.0.1 10.0.0.1 192.168.1.1 172.16.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 240.0.0.1 192.0.2.1
::1 :: fe80::1 fc00::1 ff02::1 2001:db8::1
::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 2002:7f00:1:: ::127.0.0.1
"""


@pytest.mark.parametrize("address", INSIDE.split())
def test_addresses_inside_networks_are_not_public(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_addresses_of_the_internet_are_public(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/x",
        "https://127.0.0.1:{port}/x",
        "https://localhost:{port}/x",
        "https://[::1]:{port}/x",
        "https://[::ffff:127.0.0.1]:{port}/x",
        "https://2130706433:{port}/x",
        "https://0x7f.1:{port}/x",
        "http://1.1.1.1/x",
        "ftp://1.1.1.1/x",
        "file:///etc/passwd",
        "https://user@1.1.1.1/x",
        "https:///x",
        "https://1.1.1.1/x y",
        "https://1.1.1.1/x\r\nhost: y",
    ],
)
def test_webhooks_cannot_reach_into_the_operators_network(url, receiver, tmp_path):
    with InThread(quick(f"sqlite:///{tmp_path}/azalai.db")) as server:
        guest = Guest(server.address)
        got = len(receiver.requests)
        guest.post("/me/callback/webhook", {"kind": "slack", "url": url.format(port=receiver.server.server_port)}, 422)
        assert guest.get("/me/callback")["contacts"] == []
        assert len(receiver.requests) == got
        guest.http.close()


class Names:
    """A name server that answers each question with the next of its answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
        self.asked = 0

        def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> Any:
            given = answers[min(self.asked, len(answers) - 1)]
            self.asked += 1
            return [(socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in given]

        monkeypatch.setattr("azalai.server.callback.outbound.socket.getaddrinfo", getaddrinfo)


def post(outbound: Outbound, url: str, redirects: int = 0) -> int:
    async def send() -> int:
        return await outbound.post(url, {"content-type": "text/plain"}, b"hello", redirects)

    try:
        return asyncio.run(send())
    finally:
        outbound.close()


def test_a_name_with_one_internal_address_among_others_is_refused(monkeypatch):
    Names(monkeypatch, ["1.1.1.1", "10.0.0.1"])
    with pytest.raises(Refused):
        post(Outbound(), "https://hooks.example.org/x")


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch, receiver):
    names = Names(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
    url = f"http://hooks.example.org:{receiver.server.server_port}/checked"
    assert post(Outbound(["127.0.0.1/32"]), url) == 201
    assert names.asked == 1
    assert receiver.at("/checked")[0].headers["host"] == f"hooks.example.org:{receiver.server.server_port}"


def test_where_a_redirect_leads_is_checked_too(monkeypatch, receiver):
    port = receiver.server.server_port
    Names(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
    receiver.answers["/redirect"] = f"http://inside.example.org:{port}/inside"
    with pytest.raises(Refused):
        post(Outbound(["127.0.0.1/32"]), f"http://hooks.example.org:{port}/redirect", redirects=3)
    assert receiver.at("/inside") == []


def test_redirects_in_a_circle_end(receiver):
    receiver.answers["/circle"] = "/circle"
    with pytest.raises(Refused):
        post(Outbound(["127.0.0.0/8"]), f"{receiver.address}/circle", redirects=3)
    assert len(receiver.at("/circle")) == 4


# ---------------------------------------------------------------- feeds


def test_a_feed_tells_of_turns_and_ends_and_its_address_can_be_renewed(anna, bela):
    table = together(anna, bela, clock={"kind": "slow", "days": 3})
    made = anna.post("/me/callback/feed", status=201)
    path = made["atom"].removeprefix("https://play.example.org/api")
    calendar_path = made["calendar"].removeprefix("https://play.example.org/api")
    atom = ElementTree.fromstring(anna.http.get(path).text)
    space = {"a": "http://www.w3.org/2005/Atom"}
    assert [one.text for one in atom.findall("a:entry/a:title", space)] == ["Your turn: Targui with Bela"]
    answer = anna.http.get(calendar_path)
    assert answer.headers["content-type"].startswith("text/calendar")
    lines = answer.text.split("\r\n")
    (begins,) = [line for line in lines if line.startswith("DTSTART")]
    ends = datetime.strptime(begins, "DTSTART:%Y%m%dT%H%M%SZ").replace(tzinfo=ZoneInfo("UTC")).timestamp() * 1000
    assert abs(ends - (server_time.now() + 3 * DAY)) < HOUR
    assert f"URL:https://play.example.org/table/{table['id']}" in lines
    play_turn(anna, table)
    assert "VEVENT" not in anna.http.get(calendar_path).text
    bela.act(table, "resign")
    assert "It is over: Targui with Bela" in anna.http.get(path).text
    again = anna.post("/me/callback/feed", status=201)
    assert again["atom"] != made["atom"]
    assert anna.http.get(path).status_code == 404
    assert anna.http.get(again["atom"].removeprefix("https://play.example.org/api")).status_code == 200
    anna.ask("DELETE", "/me/callback/feed")
    assert anna.http.get(again["atom"].removeprefix("https://play.example.org/api")).status_code == 404


# ---------------------------------------------------------------- guests, processes, restarts


def test_a_browser_is_called_for_one_guest_and_ending_sessions_ends_that(anna, bela, receiver):
    browser = subscribe(anna, receiver, "/push/shared")
    bela.post("/me/callback/push", browser.subscription, 201)
    assert anna.get("/me/callback")["contacts"] == []
    assert len(bela.get("/me/callback")["contacts"]) == 1
    bela.ask("DELETE", "/me/sessions")
    assert bela.get("/me/callback")["contacts"] == []


def test_nobody_sees_or_deletes_contacts_of_others(anna, bela, receiver):
    subscribe(anna, receiver, "/push/mine")
    contact = anna.get("/me/callback")["contacts"][0]["id"]
    bela.ask("DELETE", f"/me/callback/contacts/{contact}", 404)
    assert bela.get("/me/callback")["contacts"] == []
    anna.ask("DELETE", f"/me/callback/contacts/{contact}")
    assert anna.get("/me/callback")["contacts"] == []


def test_what_a_deleted_guest_had_is_deleted(database, server, receiver, guest):
    cleo = guest()
    cleo.ask("PATCH", "/me", json={"name": "Cleo of calls"})
    subscribe(cleo, receiver, "/push/deleted")
    ids = rows(database, "SELECT guest FROM contacts WHERE address = :address", address=receiver.address + "/push/deleted")

    async def forget() -> None:
        async with Admin(database) as admin:
            await admin.delete_guest(ids[0][0])

    asyncio.run(forget())
    for table in ("contacts", "call_settings", "calls"):
        assert rows(database, f"SELECT 1 FROM {table} WHERE guest = :guest", guest=ids[0][0]) == []


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_of_two_processes_one_sends_a_message(guest, postgres, receiver):
    stored = postgres.database(f"t{secrets.token_hex(6)}")
    with InThread(calling(stored)) as one, InThread(calling(stored)) as other:
        anna, bela = guest(one.address), guest(other.address)
        anna.ask("PATCH", "/me", json={"name": "Anna"})
        browser = subscribe(bela, receiver, "/push/processes")
        done = "SELECT 1 FROM calls WHERE due IS NULL AND kind = 'turn' AND guest IN (SELECT guest FROM contacts)"
        for _ in range(MOST_LINES):  # on a busy machine all may be in one message
            play_turn(anna, together(anna, bela))
        until(lambda: len(rows(stored, done)) == MOST_LINES and rows(stored, "SELECT 1 FROM deliveries") == [])
        lines = [line for message in browser.messages for line in message["body"].splitlines()]
        assert lines == ["Your turn: Targui with Anna"] * MOST_LINES


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_a_turn_is_told_by_a_process_that_has_not_heard_of_it_yet(guest, postgres, receiver, monkeypatch):
    stored = postgres.database(f"t{secrets.token_hex(6)}")
    with InThread(calling(stored)) as one, InThread(calling(stored)) as other:
        anna, bela = guest(one.address), guest(other.address)
        browser = subscribe(bela, receiver, "/push/unheard")
        table = together(anna, bela)
        bela.look(table)
        monkeypatch.setattr(other.app.state.server.peers, "_on_notification", lambda _: None)
        monkeypatch.setattr(one.app.state.server.caller, "_tell", nothing)
        play_turn(anna, table)
        until(lambda: browser.messages)


async def nothing() -> None:
    """What a process does that does not do its part."""


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_a_turn_that_was_made_before_its_process_heard_of_a_contact_is_told_soon(guest, postgres, receiver, monkeypatch):
    stored = postgres.database(f"t{secrets.token_hex(6)}")
    with InThread(calling(stored)) as one, InThread(calling(stored)) as other:
        anna, bela = guest(one.address), guest(other.address)
        caller, played = one.app.state.server.caller, threading.Event()
        refresh = caller.refresh

        async def hear_late(guest: str | None = None) -> None:
            await asyncio.to_thread(played.wait)
            await refresh(guest)

        monkeypatch.setattr(caller, "refresh", hear_late)
        table = together(anna, bela)
        browser = subscribe(bela, receiver, "/push/late")
        play_turn(anna, table)
        assert rows(stored, "SELECT 1 FROM calls") == []
        played.set()
        until(lambda: browser.messages)


def test_what_a_process_had_no_time_to_notice_is_told_after_the_next_start(guest, new_database, receiver):
    stored = new_database()
    with InThread(calling(stored)) as server:
        anna, bela = guest(server.address), guest(server.address)
        browser = subscribe(bela, receiver, f"/push/restart/{server_time.now()}")
        server.app.state.server.caller.note = lambda table: None  # it dies before it can look at the table
        play_turn(anna, together(anna, bela))
    assert rows(stored, "SELECT 1 FROM calls") == []
    with InThread(calling(stored)):
        until(lambda: browser.messages)


def sent(messages: Callable[[], list[Any]], count: int) -> bool:
    return len(messages()) == count


def test_a_slow_game_over_days_calls_each_in_turn(anna, bela, receiver, mailbox):
    push = subscribe(anna, receiver, f"/push/days/{server_time.now()}")
    bela.post("/me/callback/mail", {"address": "days@example.org"}, 201)
    bela.post("/callback/confirm", {"code": code_in(mailbox.to("days@example.org")[0])}, 204)
    table = together(anna, bela, clock={"kind": "slow", "days": 3}, time_out="lose")
    for day in range(1, 4):
        play_turn(anna, table)
        until(partial(sent, lambda: mailbox.to("days@example.org"), 1 + day))
        later(2 * DAY)
        play_turn(bela, table)
        until(partial(sent, lambda: push.messages, day))
        later(DAY + day * HOUR)
    later(3 * DAY)  # Anna lets her time run out
    until(lambda: mailbox.to("days@example.org")[-1]["Subject"].startswith("It is over"))
    until(lambda: push.messages[-1]["title"].startswith("It is over"))
