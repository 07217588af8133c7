"""What start pages show at once: tables at which somebody waits, and each guest's own tables and invitations.

Changes only mark what is stale; one task reads it again, at most once in `PAUSE` seconds however much happens. Without an open
start page it reads nothing.
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson

from azalai.engine.discovery import installed
from azalai.server.broadcast import LOBBY, Broadcaster, Subscriber
from azalai.server.lists import PAGE, UNFINISHED, ListMark, TableLists
from azalai.server.outages import log_failure
from azalai.server.people import People
from azalai.server.server_time import now
from azalai.server.summaries import summary
from azalai.server.table import HUMAN, Entry, Table

PAUSE = 0.5  # seconds between two looks at the database
INTERVAL = 10.0  # seconds after which open tables are looked at again: somebody may have stopped to wait
WAITING_DAYS = 7  # older public tables are not listed
MOST_PAGES = 20  # read from the database to fill one page of a list
SHOWN = 24  # open tables on a start page


class Lobby:
    """The start pages that are open in this process."""

    def __init__(self, lists: TableLists, people: People, broadcaster: Broadcaster) -> None:
        self.lists, self.people, self.broadcaster = lists, people, broadcaster
        self._stale: set[str] = set()  # guests whose tables have changed
        self._open_stale = False
        self._work = asyncio.Event()
        self._shown: dict[str, set[str]] = {}  # guests by the tables that they were shown as theirs
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start."""
        self._task = asyncio.create_task(self._run(), name="lobby")

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # ------------------------------------------------------------ what has changed

    @property
    def sockets(self) -> set[Subscriber]:
        """The sockets of start pages."""
        return self.broadcaster.subscribers.get(LOBBY, set())

    def table_changed(self, table: Table) -> None:
        """Note that a table has changed."""
        if LOBBY in self.broadcaster.subscribers:
            self.changed(table.public and table.ply == 0, [seat.guest for seat in table.seats if seat.guest], table.id)

    def heard(self, table_id: str, entries: list[Entry]) -> None:
        """Note that another process has written entries."""
        guests = [entry.data["guest"] for entry in entries if entry.kind == "sit" and entry.data.get("guest")]
        self.changed(any(entry.kind in ("sit", "start") for entry in entries), guests, table_id)

    def changed(self, public: bool, guests: list[str], table_id: str | None = None) -> None:
        """Note that open tables have changed, or tables of some guests."""
        if LOBBY not in self.broadcaster.subscribers:
            return
        self._open_stale |= public
        self._stale.update(guests, self._shown.get(table_id, ()) if table_id is not None else ())
        self._work.set()

    # ------------------------------------------------------------ telling

    async def _run(self) -> None:
        while True:
            try:
                await asyncio.wait_for(self._work.wait(), INTERVAL)
            except TimeoutError:
                self._open_stale = True
            self._work.clear()
            try:
                await self._tell()
            except Exception as error:
                log_failure("telling start pages failed", error)
            await asyncio.sleep(PAUSE)

    async def _tell(self) -> None:
        if not self.sockets:
            self._stale.clear()
            self._shown.clear()
            return
        if self._open_stale:
            self._open_stale = False
            await self.send_open(list(self.sockets))
        while self._stale:
            guest = self._stale.pop()
            mine = [one for one in self.sockets if one.guest == guest]
            if mine:
                await self.send_own(guest, mine)

    async def send_open(self, sockets: list[Subscriber]) -> None:
        """Send start pages the open tables: not those at which they sit themselves, or somebody with whom they do not play."""
        rows = await self.waiting_tables(limit=SHOWN)
        messages: dict[tuple[Any, ...], bytes] = {}
        for socket in sockets:
            apart = {socket.guest, *(await self.people.apart(socket.guest) if socket.guest else ())}
            seen = [row for row in rows if not any(one["guest"] in apart for one in row["players"] if one["guest"])]
            key = socket.language, *(row["id"] for row in seen)
            if key not in messages:
                tables = [summary(row, None, socket.language) for row in seen]
                messages[key] = orjson.dumps({"type": "open", "time": now(), "tables": tables})
            socket.send(messages[key])

    async def send_own(self, guest: str, sockets: list[Subscriber]) -> None:
        """Send a guest's start pages their own tables and invitations."""
        rows = [row for row in await self.lists.of_guest(guest, UNFINISHED) if row["game"] in installed()]
        invitations = await self.invitations(guest)
        for table_id in [table_id for table_id, guests in self._shown.items() if guest in guests]:
            self._shown[table_id].discard(guest)
            if not self._shown[table_id]:
                del self._shown[table_id]
        for row in (*rows, *invitations):
            self._shown.setdefault(row["id"], set()).add(guest)
        for socket in sockets:
            own, kept = ([summary(row, guest, socket.language) for row in some] for some in (rows, invitations))
            socket.send(orjson.dumps({"type": "own", "time": now(), "tables": own, "invitations": kept}))

    # ------------------------------------------------------------ lists

    async def waiting_tables(
        self, game: str | None = None, before: str | None = None, limit: int = SHOWN
    ) -> list[dict[str, Any]]:
        """Return public tables at which a person waits for others now, latest first."""
        found: list[dict[str, Any]] = []
        since = now() - WAITING_DAYS * 86_400_000
        for _ in range(MOST_PAGES):
            rows = await self.lists.public("waiting", since=since, game=game, before=ListMark.read(before))
            found += [row for row in rows if row["game"] in installed() and self._somebody_waits(row)]
            if len(found) >= limit or len(rows) < PAGE:
                break
            before = rows[-1]["mark"]
        return found[:limit]

    async def invitations(self, guest: str) -> list[dict[str, Any]]:
        """Return the tables at which a seat is kept for a guest, but not those of people with whom they do not play."""
        apart = await self.people.apart(guest)
        rows = await self.lists.invitations(guest)
        return [row for row in rows if row["game"] in installed() and row["creator"] not in apart]

    def _somebody_waits(self, row: dict[str, Any]) -> bool:
        return any(one["kind"] == HUMAN and self.broadcaster.is_waiting(row["id"], one["seat"]) for one in row["players"])
