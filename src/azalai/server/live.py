"""Sockets: everybody who looks at a table is told what changes, each what they may know."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from azalai.server import metrics
from azalai.server.acts import Refused
from azalai.server.settings import Settings
from azalai.server.show import Eyes, Moment, eyes, table_view
from azalai.server.store import now
from azalai.server.table import Table

QUEUE = 64  # messages a slow reader may lag behind, then it is sent the whole again
KEEP = 75.0  # seconds another process's word about who is there counts; it repeats it more often


@dataclass(eq=False)
class Socket:
    """One open view of a table."""

    table_id: str
    guest: str | None
    address: str
    seat: int | None  # asked for; None: whatever fits, see `show.eyes`
    language: str
    spectate: bool
    ply: int  # what has been sent: up to here, …
    version: int | None  # … and up to this entry
    eyes: Eyes | None = None
    messages: asyncio.Queue[bytes] = field(default_factory=lambda: asyncio.Queue(QUEUE))
    behind: bool = False

    def send(self, message: bytes) -> None:
        """Queue a message; a reader too slow for that gets everything anew once it has caught up."""
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.behind = True


def eyes_of(socket: Socket, table: Table) -> Eyes:
    """With whose eyes a socket looks now: its seat may have changed hands since it was opened."""
    try:
        return eyes(table, socket.guest, socket.seat, socket.language, socket.spectate)
    except Refused:
        return eyes(table, socket.guest, None, socket.language, spectate=True)


class Live:
    """All sockets of this process, and who is known to be at which table anywhere."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sockets: dict[str, set[Socket]] = {}
        self._open: Counter[str] = Counter()  # sockets by guest and by network address
        self._seen: dict[tuple[str, int], float] = {}  # when a seat's player was last there
        self._elsewhere: dict[str, dict[str, tuple[float, set[int], int]]] = {}  # table -> process -> time, seats, watchers
        self._begun = time.monotonic()
        self.moved: Callable[[str], None] = lambda table_id: None  # called where somebody at a table has another seat than before

    # ------------------------------------------------------------ coming and going

    def check(self, guest: str | None, address: str) -> None:
        """Refuse one socket too many."""
        limits = self.settings.limits
        if self._open[address] >= limits.sockets_of_address or (guest and self._open[guest] >= limits.sockets):
            raise Refused(429, "too_much", "too many open sockets")

    def add(self, socket: Socket) -> None:
        """A socket opens."""
        self.sockets.setdefault(socket.table_id, set()).add(socket)
        self._open.update({socket.address, socket.guest or ""})
        metrics.SOCKETS.inc()

    def remove(self, socket: Socket) -> None:
        """A socket has closed."""
        there = self.sockets.get(socket.table_id, set())
        there.discard(socket)
        if not there:
            self.sockets.pop(socket.table_id, None)
        self._open.subtract({socket.address, socket.guest or ""})
        for seat in socket.eyes.mine if socket.eyes else ():
            self.note(socket.table_id, seat)
        metrics.SOCKETS.dec()

    # ------------------------------------------------------------ who is there

    def note(self, table_id: str, seat: int) -> None:
        """A seat's player has just been heard of."""
        self._seen[table_id, seat] = time.monotonic()

    def here(self, table_id: str) -> tuple[set[int], int]:
        """The seats with a socket in this process, and the number of sockets without a seat."""
        seats: set[int] = set()
        watchers = 0
        for socket in self.sockets.get(table_id, ()):
            mine = socket.eyes.mine if socket.eyes else ()
            seats.update(mine)
            watchers += not mine
        return seats, watchers

    def hear(self, table_id: str, process: str, seats: list[int], watchers: int) -> bool:
        """Another process says who is at a table there; True where that is news."""
        known = self._elsewhere.setdefault(table_id, {})
        before = known.get(process)
        known[process] = time.monotonic(), set(seats), watchers
        return before is None or before[1:] != known[process][1:]

    def present(self, table_id: str) -> tuple[set[int], int]:
        """See `show.Presence`."""
        there, watchers = self.here(table_id)
        if table_id in self._elsewhere:
            fresh = time.monotonic() - KEEP
            for at, seats, more in self._elsewhere[table_id].values():
                if at > fresh:
                    there |= seats
                    watchers += more
        return there, watchers

    def absent(self, table_id: str, seat: int) -> bool:
        """See `show.Presence`."""
        if seat in self.present(table_id)[0]:
            return False
        return time.monotonic() - self._seen.get((table_id, seat), self._begun) > self.settings.absent_after

    def tidy(self) -> None:
        """Forget who was there long ago."""
        old = time.monotonic() - max(KEEP, self.settings.absent_after) - 60
        self._seen = {key: at for key, at in self._seen.items() if at > old}
        for table_id in list(self._elsewhere):
            kept = {process: told for process, told in self._elsewhere[table_id].items() if told[0] > old}
            if kept:
                self._elsewhere[table_id] = kept
            else:
                del self._elsewhere[table_id]
        self._begun = max(self._begun, old)
        self._open = +self._open

    # ------------------------------------------------------------ telling

    def tell(self, table: Table) -> None:
        """Send everybody who looks at a table what has changed for them. The table must be as committed."""
        moment = Moment(table, self, now())
        for socket in self.sockets.get(table.id, ()):
            self.send(socket, moment)

    def look(self, socket: Socket, table: Table) -> None:
        """Send one viewer the table."""
        self.send(socket, Moment(table, self, now()))

    def send(self, socket: Socket, moment: Moment) -> None:
        """Send one viewer the table as it is at a moment; viewers who see the same share the text."""
        table = moment.table
        if socket.behind:
            if not socket.messages.empty():
                return
            socket.behind = False
        who = eyes_of(socket, table)
        if socket.eyes is not None and socket.eyes.seat != who.seat:
            socket.ply = -1  # other eyes have seen other things
        moved = socket.eyes is not None and socket.eyes.mine != who.mine
        key = who, socket.ply, socket.version
        message = moment.messages.get(key)
        if message is None:
            message = moment.messages[key] = orjson.dumps(table_view(moment, who, socket.ply, socket.version))
        socket.eyes = who
        socket.send(message)
        if not socket.behind:
            socket.ply, socket.version = table.ply, table.number
        if moved:
            self.moved(table.id)

    def presence(self, table_id: str) -> bytes:
        """Who is there, as a message of its own."""
        seats, watchers = self.present(table_id)
        return orjson.dumps({"type": "presence", "connected": sorted(seats), "watchers": watchers})

    def tell_presence(self, table_id: str) -> None:
        """Send everybody at a table who is there."""
        message = self.presence(table_id)
        for socket in self.sockets.get(table_id, ()):
            socket.send(message)
