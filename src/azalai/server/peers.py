"""The other server processes on the same PostgreSQL database: they notify each other of changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import asyncpg
import orjson
from sqlalchemy import make_url

from azalai.server import metrics
from azalai.server.broadcast import LOBBY, Broadcaster
from azalai.server.changes import CHANNEL
from azalai.server.outages import is_outage, report_outage
from azalai.server.registry import TableRegistry
from azalai.server.server_time import now, set_time
from azalai.server.store import Store
from azalai.server.table import Entry

log = logging.getLogger("azalai.peers")

PRESENCE_INTERVAL = 25.0  # seconds between two full presence reports to the other processes
NOTICE_INTERVAL = 1.0  # seconds between two looks for messages of commands
RETRY = 1.0
TIME_PATIENCE = 5.0  # seconds to wait for another process to tell the time
LISTENER = "azalai listener"  # the name of the connection that every process has to PostgreSQL


class Peers:
    """Exchanges changes and presence with the other processes by LISTEN and NOTIFY."""

    def __init__(self, store: Store, registry: TableRegistry, broadcaster: Broadcaster, database: str) -> None:
        self.store, self.registry, self.broadcaster = store, registry, broadcaster
        self._database = database
        self._time: asyncio.Future[int] | None = None  # what another process answers when this one asks for the time
        self._knows_time = False
        self.on_guest_changed: Callable[[str], Coroutine[Any, Any, None]]  # called with a guest who has changed elsewhere
        self.on_gap: Callable[[], Coroutine[Any, Any, None]]  # called when notifications may have been missed
        self.on_entries: Callable[[str, list[Entry]], None] = lambda table_id, entries: None  # written elsewhere
        self.on_lobby: Callable[[bool, list[str]], None] = lambda public, guests: None  # changed elsewhere
        self._tasks: list[asyncio.Task[Any]] = []
        self._pending: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Start to listen: to other processes where they may share the database, else to commands."""
        if not self.store.shared:
            self._tasks = [asyncio.create_task(self._read_notices())]
        else:
            listening = asyncio.Event()
            self._tasks = [asyncio.create_task(self._listen(listening)), asyncio.create_task(self._repeat_presence())]
            await asyncio.wait_for(listening.wait(), 30)
            await self._ask_time()

    async def _ask_time(self) -> None:
        """Take over the time of a process that runs already, so that all agree although the machine's clock has jumped."""
        if await self.store.count_sessions(LISTENER) > 1:
            self._time = asyncio.get_running_loop().create_future()
            await self.store.notify_processes({"asks_time": True})
            with suppress(TimeoutError):
                set_time(await asyncio.wait_for(self._time, TIME_PATIENCE))
        self._knows_time = True

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self, listening: asyncio.Event) -> None:
        dsn = make_url(self._database).set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                connection = await asyncpg.connect(dsn, server_settings={"application_name": LISTENER})
                try:
                    await self._listen_at(connection, listening)
                finally:
                    await connection.close(timeout=2)
                log.warning("the connection to the other processes is lost; trying again")
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                report_outage(error)
            await asyncio.sleep(RETRY)

    async def _listen_at(self, connection: Any, listening: asyncio.Event) -> None:
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        await connection.add_listener(CHANNEL, lambda *message: self._on_notification(message[3]))
        if listening.is_set():  # reconnected: notifications may have been missed
            self._spawn(self.on_gap())
            for table_id in list(self.registry.slots):
                self._spawn(self.registry.refresh(table_id))
        listening.set()
        await lost.wait()

    def _on_notification(self, text: str) -> None:
        if text.startswith(self.store.sender):
            return
        message = orjson.loads(text)
        if message.get("asks_time") and self._knows_time:
            self._spawn(self.store.notify_processes({"time": now()}))
        if "time" in message and self._time is not None and not self._time.done():
            self._time.set_result(message["time"])
        for table_id in message.get("tables", ()):
            self._spawn(self.registry.refresh(table_id))
        for table_id, rows in message.get("entries", {}).items():
            entries = [Entry(*one) for one in rows]
            self.on_entries(table_id, entries)
            if not self.registry.receive(table_id, entries):
                self._spawn(self.registry.refresh(table_id))
        if "lobby" in message:
            self.on_lobby(*message["lobby"])
        for table_id, (seats, watchers) in message.get("present", {}).items():
            if self.broadcaster.set_remote_presence(table_id, message["from"], seats, watchers):
                self.on_lobby(True, [])
                if table_id in self.broadcaster.subscribers:
                    self.broadcaster.publish_presence(table_id)
                    self._spawn(self.notify_presence(table_id))
        for table_id in message.get("gone", ()):
            self.registry.discard(table_id)
            self.on_entries(table_id, [])
        for table_id in message.get("changed", ()):
            self._spawn(self.registry.reload(table_id))
        for guest_id in message.get("guests", ()):
            self._spawn(self.on_guest_changed(guest_id))

    async def _read_notices(self) -> None:
        while True:
            await asyncio.sleep(NOTICE_INTERVAL)
            try:
                for notice in await self.store.take_notices():
                    self._on_notification(notice)
            except Exception as error:  # the database is away; requests say so
                log.debug("messages of commands cannot be read", extra={"why": str(error)[:300]})

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._pending.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._pending.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and is_outage(error):
            report_outage(error)
        elif error is not None:
            metrics.ERRORS.inc()
            log.error("catching up failed", exc_info=error)

    def publish_presence(self, table_id: str) -> None:
        """Send who is at a table to all its subscribers, here and in other processes."""
        self.broadcaster.publish_presence(table_id)
        self.on_lobby(True, [])
        if self.store.shared:
            self._spawn(self.notify_presence(table_id))

    async def notify_presence(self, table_id: str) -> None:
        """Notify the other processes of who is at a table here."""
        if self.store.shared:
            seats, watchers = self.broadcaster.local_presence(table_id)
            await self.store.notify_processes({"present": {table_id: [sorted(seats), watchers]}})

    async def _repeat_presence(self) -> None:
        while True:
            await asyncio.sleep(PRESENCE_INTERVAL)
            try:
                tables = list({*self.broadcaster.subscribers, *self.broadcaster.asking} - {LOBBY})
                for begin in range(0, len(tables), 50):
                    present = {}
                    for table_id in tables[begin : begin + 50]:
                        seats, watchers = self.broadcaster.local_presence(table_id)
                        present[table_id] = [sorted(seats), watchers]
                    await self.store.notify_processes({"present": present})
            except Exception as error:
                if is_outage(error):
                    report_outage(error)
                    continue
                metrics.ERRORS.inc()
                log.exception("telling the other processes who is here failed")
