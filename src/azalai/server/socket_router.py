"""Lets all WebSockets of a table be served by one of several processes that share a port.

The system gives a connection to any process. One that is asked for a table's socket passes the connection on to the process
that the table's id names, with the request as it was read. So a move is played and rendered once, and no balancer must know
tables. Where that process is away, the connection is served by the one that has it: every process can serve every table.
"""

from __future__ import annotations

import array
import asyncio
import re
import socket
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn

from azalai.server.protocols import LARGEST_HEAD, HttpProtocol

TABLE = re.compile(rb"/api/tables/([^/?]+)/live\b")
MOST = 100  # connections taken at a time, before others are served


class SocketRouter:
    """The inbox of one of `count` processes, and the addresses of the others' inboxes in a folder."""

    def __init__(self, folder: Path, number: int, count: int) -> None:
        self.folder, self.number, self.count = folder, number, count
        self.inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.inbox.setblocking(False)
        own = folder / str(number)
        own.unlink(missing_ok=True)  # of a process with this number that has died
        self.inbox.bind(str(own))

    def close(self) -> None:
        """Take no more connections."""
        (self.folder / str(self.number)).unlink(missing_ok=True)
        self.inbox.close()

    def owner(self, url: bytes) -> int:
        """Return the number of the process that serves a WebSocket."""
        table = TABLE.match(url)
        return self.number if table is None else zlib.crc32(table[1]) % self.count

    def pass_on(self, url: bytes, head: bytes, connection: int) -> bool:
        """Pass a connection on to the process it belongs to; return False where it is to be served here."""
        owner = self.owner(url)
        if owner == self.number:
            return False
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [connection]))
        try:
            self.inbox.sendmsg([head], [rights], 0, str(self.folder / str(owner)))
        except OSError:  # it is away, or has not taken many others yet
            return False
        return True

    def take(self) -> Iterator[tuple[socket.socket, bytes]]:
        """Yield connections that were passed on to this process, each with its request."""
        for _ in range(MOST):
            try:
                head, connections, _, _ = socket.recv_fds(self.inbox, 2 * LARGEST_HEAD, 1)
            except OSError:  # there is none left
                return
            for connection in connections:
                yield socket.socket(fileno=connection), head


class RoutingServer(uvicorn.Server):
    """A server among several: it passes sockets on, and serves those that others have passed on to it."""

    def __init__(self, config: uvicorn.Config, router: SocketRouter) -> None:
        super().__init__(config)
        self.router = router
        self._arriving: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and then to pass on and to take."""
        await super().startup(sockets)
        HttpProtocol.router = self.router
        asyncio.get_running_loop().add_reader(self.router.inbox, self._take)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing more, then stop."""
        HttpProtocol.router = None
        asyncio.get_running_loop().remove_reader(self.router.inbox)
        self.router.close()
        await super().shutdown(sockets)

    def _take(self) -> None:
        for connection, head in self.router.take():
            task = asyncio.create_task(self._connect(connection, head))
            self._arriving.add(task)
            task.add_done_callback(self._arriving.discard)

    async def _connect(self, connection: socket.socket, head: bytes) -> None:
        def protocol() -> Any:
            return self.config.http_protocol_class(
                config=self.config,  # type: ignore[call-arg]  # as in the parent
                server_state=self.server_state,
                app_state=self.lifespan.state,
            )

        _, arrived = await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        arrived.data_received(head)
