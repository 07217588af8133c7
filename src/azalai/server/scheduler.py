"""Periodic work: expired clocks, resuming computer players, renewing leases, pruning caches."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy import bindparam, select, update

from azalai.server import metrics
from azalai.server.bot_runner import BotRunner
from azalai.server.broadcast import Broadcaster
from azalai.server.errors import ApiError
from azalai.server.limits import RateLimiter
from azalai.server.outages import is_outage, log_failure
from azalai.server.registry import TableRegistry
from azalai.server.rows import TableRow
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.store import Store

log = logging.getLogger("azalai.scheduler")

RETRY = 3_600_000  # milliseconds until a table that could not be looked after is due again


class Scheduler:
    """Checks clocks and leases periodically."""

    def __init__(
        self,
        store: Store,
        registry: TableRegistry,
        bot_runner: BotRunner,
        broadcaster: Broadcaster,
        rate_limiter: RateLimiter,
        settings: Settings,
    ) -> None:
        self.store, self.registry, self.bot_runner, self.broadcaster, self.rate_limiter, self.settings = (
            store,
            registry,
            bot_runner,
            broadcaster,
            rate_limiter,
            settings,
        )
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Start. A process that is alone on its database resumes the tables of the last run at once."""
        if not self.store.shared:
            await self._wake_all(now() + int(self.settings.lease * 1000))
        self._tasks = [
            asyncio.create_task(work, name="scheduler")
            for work in (self._check_due_tables(), self._renew_leases(), self._prune_regularly())
        ]

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _check_due_tables(self) -> None:
        while True:
            try:
                due = await self._due(now())
                for table_id, wake in due:
                    await self._check_table(table_id, wake)
            except Exception as error:
                log_failure("looking after tables failed", error)
                due = []
            await asyncio.sleep(self.settings.tick if len(due) < 100 else 0)

    async def _check_table(self, table_id: str, wake: int) -> None:
        """Check a due table, unless another process has claimed it. A table that fails is tried again an hour later."""
        try:
            await self._look_after(table_id, wake)
        except ApiError as error:
            if table_id not in self.registry.unreadable:
                log.warning("a table cannot be looked after", extra={"table": table_id, "why": error.code})
            await self._claim(table_id, wake, now() + RETRY)
        except Exception as error:
            if is_outage(error):
                raise
            metrics.ERRORS.inc()
            log.exception("looking after a table failed", extra={"table": table_id})
            await self._claim(table_id, wake, now() + RETRY)

    async def _look_after(self, table_id: str, wake: int) -> None:
        lease = int(self.settings.lease * 1000)
        async with self.registry.latest(table_id) as table:  # by an old state nobody might be to move
            later = table.next_wake(now(), lease)
            if later is not None and later <= now():
                later = now() + lease
            if not await self._claim(table_id, wake, later):
                return
            self.bot_runner.wake(table)
            out = table.clocks.expired(now())
        if out:
            await self.registry.time_out(table_id)

    async def _renew_leases(self) -> None:
        """Renew the leases of tables whose computer players run here."""
        while True:
            await asyncio.sleep(self.settings.lease / 3)
            try:
                wakes = {}
                for table_id in self.bot_runner.active_tables():
                    slot = self.registry.slots.get(table_id)
                    wake = slot.table.next_wake(now(), int(self.settings.lease * 1000)) if slot and slot.table else None
                    if wake is not None:
                        wakes[table_id] = wake
                if wakes:
                    await self._extend(wakes)
            except Exception as error:
                log_failure("renewing leases failed", error)

    async def _prune_regularly(self) -> None:
        while True:
            await asyncio.sleep(60)
            self.broadcaster.prune()
            self.rate_limiter.prune()

    async def _due(self, before: int, limit: int = 100) -> list[tuple[str, int]]:
        """Return tables that are due for a check."""
        query = select(TableRow.id, TableRow.wake).where(TableRow.wake <= before).order_by(TableRow.wake).limit(limit)
        async with self.store.engine.connect() as connection:
            return [(one[0], int(one[1] or 0)) for one in await connection.execute(query)]

    async def _claim(self, table_id: str, seen: int, until: int | None) -> bool:
        """Claim a table that is due, and set when it is due again; False if another process was first."""
        query = update(TableRow).where(TableRow.id == table_id, TableRow.wake == seen).values(wake=until)
        return bool(await self.store.execute((query,)))

    async def _extend(self, wakes: dict[str, int]) -> None:
        """Renew the leases of tables whose computer players run in this process."""
        query = (
            update(TableRow).where(TableRow.id == bindparam("key"), TableRow.wake.is_not(None)).values(wake=bindparam("later"))
        )
        await self.store.execute((query, [{"key": key, "later": later} for key, later in wakes.items()]))

    async def _wake_all(self, until: int) -> None:
        """Make all leased tables due now. For the start of a process that is alone on its database."""
        await self.store.execute((update(TableRow).where(TableRow.wake <= until).values(wake=now()),))
