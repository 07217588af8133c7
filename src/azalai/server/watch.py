"""What must happen without anybody asking: clocks run out, computer players are taken up again, processes tell each other."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import asyncpg
import orjson
from sqlalchemy import make_url

from azalai.server import metrics
from azalai.server.acts import Refused
from azalai.server.house import House
from azalai.server.limits import Doorkeeper
from azalai.server.live import Live
from azalai.server.settings import Settings
from azalai.server.store import CHANNEL, Store, now
from azalai.server.thinkers import Thinkers

log = logging.getLogger("azalai.watch")

REPEAT = 25.0  # seconds after which a process says again who is at its tables
RETRY = 1.0


class Watch:
    """Looks at clocks and leases every now and then."""

    def __init__(
        self, store: Store, house: House, thinkers: Thinkers, live: Live, keeper: Doorkeeper, settings: Settings
    ) -> None:
        self.store, self.house, self.thinkers, self.live, self.keeper, self.settings = (
            store,
            house,
            thinkers,
            live,
            keeper,
            settings,
        )
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Begin. A process that has the tables to itself takes up at once what the last one left."""
        if not self.store.shared:
            await self.store.hurry(now() + int(self.settings.lease * 1000))
        self._tasks = [asyncio.create_task(work, name="watch") for work in (self._look_on(), self._keep_on(), self._tidy_on())]

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _look_on(self) -> None:
        while True:
            try:
                due = await self.store.due(now())
                for table_id, wake in due:
                    await self._look(table_id, wake)
            except Exception:
                metrics.ERRORS.inc()
                log.exception("looking after tables failed")
                due = []
            await asyncio.sleep(self.settings.tick if len(due) < 100 else 0)

    async def _look(self, table_id: str, wake: int) -> None:
        """See what a table waits for, unless another process does."""
        lease = int(self.settings.lease * 1000)
        try:
            async with self.house.at(table_id) as table:
                later = table.wake(now(), lease)
                if later is not None and later <= now():
                    later = now() + lease
                if not await self.store.claim(table_id, wake, later):
                    return
                self.thinkers.look(table)
                out = table.clocks.out(now())
            if out:
                await self.house.time_out(table_id)
        except Refused as refusal:
            log.warning("a table cannot be looked after", extra={"table": table_id, "why": refusal.code})
            await self.store.claim(table_id, wake, None)

    async def _keep_on(self) -> None:
        """Renew the leases of tables whose computer players think here."""
        while True:
            await asyncio.sleep(self.settings.lease / 3)
            try:
                wakes = {}
                for table_id in self.thinkers.at_work():
                    place = self.house.places.get(table_id)
                    wake = place.table.wake(now(), int(self.settings.lease * 1000)) if place and place.table else None
                    if wake is not None:
                        wakes[table_id] = wake
                if wakes:
                    await self.store.keep(wakes)
            except Exception:
                metrics.ERRORS.inc()
                log.exception("renewing leases failed")

    async def _tidy_on(self) -> None:
        while True:
            await asyncio.sleep(60)
            self.live.tidy()
            self.keeper.tidy()


class Peers:
    """The other processes on the same PostgreSQL: what they change is told by LISTEN and NOTIFY."""

    def __init__(self, store: Store, house: House, live: Live, database: str) -> None:
        self.store, self.house, self.live = store, house, live
        self._database = database
        self._tasks: list[asyncio.Task[Any]] = []
        self._news: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Begin to listen, where there is somebody to listen to."""
        if self.store.shared:
            listening = asyncio.Event()
            self._tasks = [asyncio.create_task(self._listen(listening)), asyncio.create_task(self._repeat())]
            await asyncio.wait_for(listening.wait(), 30)

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self, listening: asyncio.Event) -> None:
        dsn = make_url(self._database).set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                connection = await asyncpg.connect(dsn)
                try:
                    await self._listen_at(connection, listening)
                finally:
                    await connection.close(timeout=2)
                log.warning("the connection to the other processes is lost; trying again")
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("cannot listen to the other processes; trying again", extra={"why": str(error)})
            await asyncio.sleep(RETRY)

    async def _listen_at(self, connection: Any, listening: asyncio.Event) -> None:
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        await connection.add_listener(CHANNEL, lambda *message: self._hear(message[3]))
        if listening.is_set():  # something may have been missed
            for table_id in list(self.house.places):
                self._begin(self.house.catch_up(table_id))
        listening.set()
        await lost.wait()

    def _hear(self, text: str) -> None:
        message = orjson.loads(text)
        if message["from"] == self.store.process:
            return
        for table_id in message.get("tables", ()):
            self._begin(self.house.catch_up(table_id))
        for table_id, (seats, watchers) in message.get("present", {}).items():
            if self.live.hear(table_id, message["from"], seats, watchers) and table_id in self.live.sockets:
                self.live.tell_presence(table_id)
                self._begin(self.announce(table_id))
        for table_id in message.get("gone", ()):
            self.house.forget(table_id)

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._news.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._news.discard(task)
        if not task.cancelled() and task.exception() is not None:
            metrics.ERRORS.inc()
            log.error("catching up failed", exc_info=task.exception())

    def tell_presence(self, table_id: str) -> None:
        """Tell everybody, here and elsewhere, who is at a table."""
        self.live.tell_presence(table_id)
        if self.store.shared:
            self._begin(self.announce(table_id))

    async def announce(self, table_id: str) -> None:
        """Tell the others who is at a table here."""
        if self.store.shared:
            seats, watchers = self.live.here(table_id)
            await self.store.announce({"present": {table_id: [sorted(seats), watchers]}})

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT)
            try:
                tables = list(self.live.sockets)
                for begin in range(0, len(tables), 50):
                    present = {}
                    for table_id in tables[begin : begin + 50]:
                        seats, watchers = self.live.here(table_id)
                        present[table_id] = [sorted(seats), watchers]
                    await self.store.announce({"present": present})
            except Exception:
                metrics.ERRORS.inc()
                log.exception("telling the other processes who is here failed")
