"""Nonsense, in great amounts: the server answers in order and stays well.

`AZALAI_FUZZ` sets how many malformed messages are sent. `schemathesis` tries every address from its description.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import socket as sockets
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from zlib import crc32

import httpx
import pytest
import requests
import schemathesis
from prometheus_client import REGISTRY
from schemathesis.specs.openapi.checks import positive_data_acceptance  # what makes sense depends on the game
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from azalai.server.app import make_app
from azalai.server.routes.common import TABLE_ID
from azalai.server.settings import Settings
from tests.server.running import Guest, InThread, fetch, quick

MESSAGES = int(os.environ.get("AZALAI_FUZZ", "1000"))
EXAMPLES = max(5, MESSAGES // 200)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server to be maltreated."""
    with InThread(quick(f"sqlite:///{tmp_path_factory.mktemp('fuzz') / 'azalai.db'}")) as running:
        yield running


@pytest.fixture(scope="module")
def home(server):
    """A guest with a token, at a few tables in all states."""
    guest = Guest(server.address)
    token = guest.post("/me/tokens", {"label": "fuzz"}, 201)["token"]
    over = guest.found("targui", "me", "greedy")
    guest.act(over, "resign")
    tables = [guest.found("targui", "me", "me")["id"], guest.found("timbuktu", "me", "open", "random")["id"], over["id"]]
    with requests.Session() as session:  # one connection for all cases
        session.trust_env = False  # the environment would be read anew for every request
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # a case follows from no other
        yield {"token": token, "tables": tables, "address": server.address, "guest": guest, "session": session}
    guest.http.close()


def unexpected() -> float:
    """Errors nobody expected so far."""
    return REGISTRY.get_sample_value("azalai_errors_total") or 0.0


# ---------------------------------------------------------------- by description


@pytest.fixture(scope="module")
def description():
    """What the server says of its API."""
    made = schemathesis.openapi.from_dict(make_app(Settings(database="sqlite:///unused.db")).openapi())
    made.config.generation.update(max_examples=EXAMPLES)
    rejection = made.config.checks.negative_data_rejection
    rejection.expected_statuses = [*rejection.expected_statuses, "413"]  # what is too large is not even read
    return made


@pytest.fixture(autouse=True)
def known_by_its_name(request):
    """Lay the test's name where schemathesis looks for it; pytest has moved it."""
    request.node._nodeid = request.node.nodeid


# Each address is a test within this one. As tests by themselves they would all have the same name, and of those xdist runs one.
@schemathesis.pytest.from_fixture("description").parametrize()
@pytest.mark.timeout(3600)
def test_every_address_answers_as_it_is_described(case, home):
    if case.path == "/api/me/move":
        return  # gives the guest away
    named = str(case.path_parameters.get("table_id", ""))
    if re.fullmatch(TABLE_ID, named) and crc32(named.encode()) % 10 < 7:  # a real table now and then
        case.path_parameters["table_id"] = home["tables"][crc32(named.encode()) % 3]
    headers = {"authorization": f"Bearer {home['token']}"}
    case.call_and_validate(
        base_url=home["address"],
        session=home["session"],
        headers=headers,
        timeout=60,
        excluded_checks=[positive_data_acceptance],
    )


# ---------------------------------------------------------------- by chance

WORDS = [
    "",
    "0",
    "-1",
    "null",
    "settle a1",
    "to c4",
    "🐪" * 50,
    "\u0000",
    "' OR 1=1 --",
    "<script>",
    "../../etc/passwd",
    "%s%n",
    "9" * 400,
    "\ud800",
]


def anything(chance: random.Random, depth: int = 0) -> Any:
    """Some value."""
    kind = chance.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return chance.choice([None, True, False])
    if kind == 1:
        return chance.choice([0, 1, -1, 2**31, 2**63, -(2**63), 10**40, 3])
    if kind == 2:
        return chance.choice([0.5, -0.0, 1e308, 1e-308])
    if kind <= 5:
        return chance.choice(WORDS)
    if kind == 6:
        return [anything(chance, depth + 1) for _ in range(chance.randrange(5))]
    keys = [
        "type",
        "ply",
        "move",
        "moves",
        "seat",
        "to",
        "agree",
        "text",
        "id",
        "kind",
        "bot",
        "version",
        "game",
        "seats",
        "lang",
        chance.choice(WORDS),
    ]
    return {key: anything(chance, depth + 1) for key in chance.sample(keys, chance.randrange(6))}


def message(chance: random.Random) -> bytes:
    """A message that is nearly right, or not at all."""
    good: list[dict[str, Any]] = [
        {"type": "play", "ply": 0, "move": "settle a1"},
        {"type": "undo", "to": 0},
        {"type": "chat", "text": "hello"},
        {"type": "take-back"},
        {"type": "answer", "agree": False},
        {"type": "look", "seat": 0, "lang": "de"},
        {"type": "ping", "id": 1},
    ]
    kind = chance.random()
    if kind < 0.15:
        return chance.randbytes(chance.randrange(200))
    body: Any = dict(chance.choice(good))
    for _ in range(chance.randrange(3)):
        body[chance.choice([*body, "seat", "ply", "id", "more"])] = anything(chance)
    if kind < 0.3:
        body = anything(chance)
    text = json.dumps(body).encode()
    if kind > 0.85:
        cut = chance.randrange(len(text) + 1)
        text = text[:cut] + chance.randbytes(chance.randrange(4)) + text[cut + chance.randrange(3) :]
    if kind > 0.995:
        text = text * 5000
    return text


PATHS = [
    "",
    "/moves",
    "/undo",
    "/take-back",
    "/take-back/answer",
    "/resign",
    "/chat",
    "/seats",
    "/seats/0/bot",
    "/start",
    "/jobs",
    "/plies/3",
    "/drawing",
    "/record",
]


async def flood(home: dict[str, Any], count: int, number: int) -> None:
    """Send `count` messages: by socket, by HTTP, and as raw bytes."""
    chance = random.Random(number)
    headers = {"authorization": f"Bearer {home['token']}"}
    async with httpx.AsyncClient(base_url=f"{home['address']}/api", headers=headers, timeout=60) as http:
        sent = 0
        while sent < count:
            way = chance.random()
            table = chance.choice([*home["tables"], "nowhere", "%00", "a/b"])
            if way < 0.1:
                await asyncio.to_thread(shout, home["address"], chance.randbytes(300), chance)
                sent += 1
            elif way < 0.5:
                verb = chance.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"])
                where = chance.choice(
                    [f"/tables/{table}{chance.choice(PATHS)}", "/tables", "/records", "/me", "/me/tokens", "/games/x", "/jobs/x"]
                )
                kind = chance.choice(
                    ["application/json", "text/plain", "multipart/form-data", "application/json; charset=utf-16"]
                )
                query = chance.choice(
                    ["", "?seat=99", "?since=-5", "?lang=%ff", "?version=x", "?wait=1e9", "?list=all&before=1-", "?seat=0&seat=1"]
                )
                content = message(chance)
                sent += 1
                try:
                    answer = await http.request(verb, where + query, content=content, headers={"content-type": kind})
                    assert answer.status_code < 500, (verb, where, answer.text)
                except httpx.TransportError:
                    assert len(content) > Settings().limits.body  # refused, and closed, before it was all sent
            else:
                sent += await burst(home, table, chance)


async def burst(home: dict[str, Any], table: str, chance: random.Random) -> int:
    """A socket with many messages at once."""
    query = chance.choice(
        ["", "?seat=0", "?seat=-1", "?since=x", "?version=-1&since=99999", "?spectate=1", "?lang=xx", "?seat=" + "9" * 50]
    )
    url = f"{home['address'].replace('http', 'ws')}/api/tables/{table}/live{query}"
    count = chance.randrange(1, 40)
    with contextlib.suppress(WebSocketException, OSError):
        headers = {"authorization": f"Bearer {home['token']}"}
        async with connect(url, additional_headers=headers, compression=None, max_size=None, open_timeout=60) as socket:
            for _ in range(count):
                content = message(chance)
                await socket.send(content if chance.random() < 0.3 else content.decode("utf-8", "replace"))
            if chance.random() < 0.5:
                async with asyncio.timeout(2):
                    await socket.recv()
    return count


def shout(address: str, content: bytes, chance: random.Random) -> None:
    """Bytes that are no HTTP, or hardly."""
    port = int(address.rsplit(":", 1)[1])
    heads = [
        b"",
        b"GET / HTTP/1.1\r\n",
        b"GET /api/tables/x/live HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n",
        b"POST /api/tables HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    ]
    with contextlib.suppress(OSError), sockets.create_connection(("127.0.0.1", port), 5) as one:
        one.settimeout(0.05)
        one.sendall(chance.choice(heads) + content)
        one.recv(100)


@pytest.mark.timeout(600 + MESSAGES // 20)
def test_after_a_flood_of_nonsense_the_server_is_well(server, home, caplog):
    before = unexpected()

    async def all_at_once() -> None:
        await asyncio.gather(*(flood(home, MESSAGES // 8, number) for number in range(8)))

    asyncio.run(all_at_once())
    assert unexpected() == before, [record.message for record in caplog.records if record.levelname == "ERROR"][:5]
    assert fetch(f"{server.address}/healthz").json()["status"] == "ok"
    guest = Guest(server.address)
    table = guest.found("targui", "me", "greedy")
    assert guest.play(table)["ply"] >= 1
    guest.http.close()
