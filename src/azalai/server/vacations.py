"""Vacations: for some days a year, a guest's slow clocks stand still."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from azalai.server import commands
from azalai.server.clocks import DAY
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.lists import UNFINISHED, TableLists
from azalai.server.registry import TableRegistry
from azalai.server.rows import VacationRow
from azalai.server.server_time import now
from azalai.server.store import Store

DAYS_A_YEAR = 30
YEAR = 365 * DAY


class Vacations:
    """Begins and ends vacations, at all slow tables of a guest."""

    def __init__(self, store: Store, lists: TableLists, registry: TableRegistry) -> None:
        self.store, self.lists, self.registry = store, lists, registry

    async def status(self, guest: str) -> tuple[int | None, int]:
        """Return until when a guest is on vacation, and the milliseconds that are left to them within a year."""
        time = now()
        query = select(VacationRow.begins, VacationRow.until).where(VacationRow.guest == guest, VacationRow.until > time - YEAR)
        async with self.store.engine.connect() as connection:
            taken = (await connection.execute(query)).all()
        used = sum(one.until - max(one.begins, time - YEAR) for one in taken)
        return next((one.until for one in taken if one.until > time), None), max(0, DAYS_A_YEAR * DAY - used)

    async def begin(self, guest: Guest, days: float) -> None:
        """Begin a vacation."""
        until, left = await self.status(guest.id)
        if until is not None:
            raise ApiError(409, "on_vacation", "you are on vacation already: end it first")
        if days * DAY > left:
            raise ApiError(409, "no_vacation", f"of {DAYS_A_YEAR} days a year {left / DAY:.1f} are left to you")
        until = now() + int(days * DAY)
        row = {"guest": guest.id, "begins": now(), "until": until}
        old = delete(VacationRow).where(VacationRow.guest == guest.id, VacationRow.until <= now() - YEAR)
        await self.store.execute((old,), (insert(VacationRow), [row]))
        await self._apply(guest, until)

    async def end(self, guest: Guest) -> None:
        """End a vacation: days that are not used stay."""
        time = now()
        running = (VacationRow.guest == guest.id, VacationRow.until > time)
        if await self.store.execute((update(VacationRow).where(*running).values(until=time),)):
            await self._apply(guest, time)

    async def _apply(self, guest: Guest, until: int) -> None:
        for row in await self.lists.of_guest(guest.id, UNFINISHED, limit=1000):
            await self.stop_clock(guest, row["id"], until)

    async def stop_clock(self, guest: Guest, table_id: str, until: int) -> None:
        """Let a guest's clock at a slow table stand still until a time."""
        try:
            await self.registry.execute(table_id, lambda table, at: commands.go_away(table, guest, until))
        except ApiError:
            if table_id not in self.registry.unreadable:
                raise

    async def sat_down(self, guest: Guest, table_id: str) -> None:
        """Note that a guest has sat down somewhere, or that a seat is kept for them: who is on vacation has it there, too."""
        until, _ = await self.status(guest.id)
        await self.stop_clock(guest, table_id, until or 0)
