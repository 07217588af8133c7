"""Ten thousand open sockets at one process: memory for each, and the time until a move has reached a thousand spectators.

`python -m benchmarks.load.sockets`. The client is as small as possible, since it shares the machine with the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import tempfile
import time
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any, cast

import uvloop

from benchmarks.load.__main__ import ours

HANDSHAKE = (
    "GET /api/tables/{table}/live?spectate=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MOVES = 30
AT_ONCE = 200  # sockets opened at a time


class Spectator(asyncio.Protocol):
    """A socket that notes when it last got something."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.told = 0.0
        self.first: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(HANDSHAKE.format(table=self.table).encode())

    def data_received(self, data: bytes) -> None:
        self.told = time.perf_counter()
        if b'"type":"table"' in data and not self.first.done():
            self.first.set_result(None)
        if data[:1] == b"\x89":  # a ping: the answer must be masked, here with zeros
            self.transport.write(b"\x8a\x84" + bytes(4) + data[2:6])


class Player:
    """A guest with a browser."""

    def __init__(self, address: str) -> None:
        with urllib.request.urlopen(f"{address}/api/me") as answer:
            self.cookie = answer.headers["set-cookie"].split(";")[0]
        self.address = address

    def post(self, path: str, body: Any) -> Any:
        headers = {"content-type": "application/json", "cookie": self.cookie}
        request = urllib.request.Request(f"{self.address}/api{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def memory(process: int) -> int:
    """Bytes of memory that a process holds."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


async def open_sockets(port: int, tables: list[str], count: int) -> list[Spectator]:
    """Open so many sockets, spread over tables."""
    loop = asyncio.get_running_loop()
    found: list[Spectator] = []
    while len(found) < count:
        some = [
            loop.create_connection(partial(Spectator, tables[number % len(tables)]), "127.0.0.1", port)
            for number in range(len(found), min(count, len(found) + AT_ONCE))
        ]
        opened = [one for _, one in await asyncio.gather(*some)]
        await asyncio.gather(*(one.first for one in opened))
        found += opened
    return found


async def measure(port: int, sockets: int, spectators: int) -> dict[str, Any]:
    """Open the sockets, then play at a table that many look at."""
    address = f"http://127.0.0.1:{port}"
    player = Player(address)
    seats = [{"kind": "me"}, {"kind": "me"}]
    tables = [player.post("/tables", {"game": "targui", "seats": seats}) for _ in range(101)]
    watched, others = tables[0], [one["id"] for one in tables[1:]]
    server = int(os.environ["SERVER_PID"])
    await asyncio.sleep(10)  # until it has warmed up
    before = memory(server)
    open_now = await open_sockets(port, others, sockets - spectators)
    crowd = await open_sockets(port, [watched["id"]], spectators)
    await asyncio.sleep(2)
    held = memory(server) - before
    waits, table = [], watched
    for _ in range(MOVES):
        seat = table["pending"][0]
        if not table["moves"] or table["seat"] != seat:
            request = urllib.request.Request(f"{address}/api/tables/{table['id']}?seat={seat}", headers={"cookie": player.cookie})
            with urllib.request.urlopen(request) as answer:
                table = json.load(answer)
        move = {"ply": table["ply"], "move": table["moves"][0]["id"], "seat": seat}
        begun = time.perf_counter()
        table = await asyncio.to_thread(player.post, f"/tables/{table['id']}/moves", move)
        while min(one.told for one in crowd) < begun:
            await asyncio.sleep(0.001)
        waits.append(max(one.told for one in crowd) - begun)
        await asyncio.sleep(0.2)
    return {
        "sockets": len(open_now) + len(crowd),
        "kilobytes_per_socket": round(held / sockets / 1024, 1),
        "spectators": spectators,
        "median_ms": round(1000 * statistics.median(waits), 1),
        "worst_ms": round(1000 * max(waits), 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=10_000)
    parser.add_argument("--spectators", type=int, default=1_000)
    args = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # for the server, too
    with tempfile.TemporaryDirectory() as folder, ours(f"sqlite:///{folder}/azalai.db") as port:
        print(json.dumps(uvloop.run(measure(port, args.sockets, args.spectators))))


if __name__ == "__main__":
    main()
