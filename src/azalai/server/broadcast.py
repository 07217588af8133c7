"""Sends every open WebSocket what changed at its table, and tracks which players are present."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import orjson

from azalai.server import metrics
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.protocols import SocketProtocol
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.table import WAITING, Table
from azalai.server.views import Snapshot, Viewer, table_json, viewer_of

ADDRESSES = 50_000  # guests whose network address is kept in memory
LOBBY = ""  # instead of a table's id: the socket of a start page
WAITING_SECONDS = 30.0  # after which a player who has gone does not wait for others any more
REMOTE_TTL = 75.0  # seconds for which another process's presence report counts; reports repeat more often
REQUEST_SHARE = 1 / 6  # of the time after which players are absent: for so long a request counts as presence


@dataclass(eq=False)
class Subscriber:
    """One open WebSocket of a table, or of a start page (`LOBBY`)."""

    table_id: str
    session: Guest | None
    address: str
    seat: int | None  # as requested; None: chosen by `views.viewer_of`
    language: str
    spectate: bool
    ply: int  # the last ply sent
    version: int | None  # the last journal entry sent
    protocol: SocketProtocol
    viewer: Viewer | None = None
    lagging: bool = False
    closed: bool = False  # the session has ended: no further message is executed
    on_close: Callable[[], None] = lambda: None

    @property
    def guest(self) -> str | None:
        """The guest's id."""
        return self.session.id if self.session is not None else None

    def close(self) -> None:
        """Close the socket because its session has ended."""
        self.closed = True
        self.on_close()

    def send(self, message: bytes) -> None:
        """Send a message. One that a slow reader cannot take is lost; it gets the table once it has caught up."""
        if not self.protocol.send_text(message):
            self.lagging = True


def subscriber_viewer(subscriber: Subscriber, table: Table) -> Viewer:
    """Return the subscriber's viewer now: its seat may have changed hands since the socket opened."""
    try:
        return viewer_of(table, subscriber.guest, subscriber.seat, subscriber.language, subscriber.spectate)
    except ApiError:
        return viewer_of(table, subscriber.guest, None, subscriber.language, spectate=True)


class Broadcaster:
    """All subscribers of this process, and the presence of players in all processes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.subscribers: dict[str, set[Subscriber]] = {}
        self._open: Counter[str] = Counter()  # open sockets by guest and by network address
        self._last_seen: dict[tuple[str, int], float] = {}  # when a seat's player was last present
        self.asking: dict[str, dict[int, float]] = {}  # table -> seat -> until when its player's last request counts
        self._remote: dict[str, dict[str, tuple[float, set[int], int]]] = {}  # table -> process -> time, seats, watchers
        self._addresses: OrderedDict[str, str] = OrderedDict()  # where guests were last seen
        self._started = time.monotonic()
        self.on_seats_changed: Callable[[str], None] = lambda table_id: None  # called when a subscriber's seats change

    # ------------------------------------------------------------ subscribers

    def check_limits(self, guest: str | None, address: str) -> None:
        """Raise an error when a guest or address has too many open sockets."""
        limits = self.settings.limits
        if self._open[address] >= limits.sockets_of_address or (guest and self._open[guest] >= limits.sockets):
            raise ApiError(429, "too_much", "too many open sockets")

    def add(self, subscriber: Subscriber) -> None:
        """Add a subscriber."""
        self.subscribers.setdefault(subscriber.table_id, set()).add(subscriber)
        self._open.update({subscriber.address, subscriber.guest or ""})
        metrics.SOCKETS.inc()

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        there = self.subscribers.get(subscriber.table_id, set())
        there.discard(subscriber)
        if not there:
            self.subscribers.pop(subscriber.table_id, None)
        self._open.subtract({subscriber.address, subscriber.guest or ""})
        for seat in subscriber.viewer.mine if subscriber.viewer else ():
            self.touch(subscriber.table_id, seat)
        metrics.SOCKETS.dec()

    def sockets_of(self, guest: str) -> list[Subscriber]:
        """Return the open sockets of a guest."""
        return [one for there in self.subscribers.values() for one in there if one.guest == guest]

    # ------------------------------------------------------------ addresses

    def note_address(self, guest: str, address: str) -> None:
        """Note from which network address a guest's requests come."""
        self._addresses[guest] = address
        if len(self._addresses) > ADDRESSES:
            self._addresses.popitem(last=False)

    def address_of(self, guest: str) -> str:
        """Return a guest's network address; where it is not known, the guest stands for itself."""
        return self._addresses.get(guest, guest)

    # ------------------------------------------------------------ presence

    def touch(self, table_id: str, seat: int) -> None:
        """Note that a seat's player is present."""
        self._last_seen[table_id, seat] = time.monotonic()

    def note_request(self, table_id: str, seats: Iterable[int], wait: float = 0.0) -> None:
        """Note that players ask by HTTP and will `wait` seconds for the answer: they are present until some time later."""
        until = time.monotonic() + wait + self.settings.absent_after * REQUEST_SHARE
        asking = self.asking.setdefault(table_id, {})
        for seat in seats:
            self.touch(table_id, seat)
            if seat in asking:
                asking[seat] = max(asking[seat], until)
                continue
            there = seat in self.local_presence(table_id)[0]
            asking[seat] = until
            asyncio.get_running_loop().call_at(self._loop_time(until), self._check_request, table_id, seat)
            if not there:
                self.on_seats_changed(table_id)
        if not asking:
            del self.asking[table_id]

    def _check_request(self, table_id: str, seat: int) -> None:
        """Stop to count a seat's last request when its time is over."""
        until = self.asking[table_id][seat]
        if until > time.monotonic():
            asyncio.get_running_loop().call_at(self._loop_time(until), self._check_request, table_id, seat)
            return
        del self.asking[table_id][seat]
        if not self.asking[table_id]:
            del self.asking[table_id]
        self.touch(table_id, seat)
        self.on_seats_changed(table_id)

    @staticmethod
    def _loop_time(until: float) -> float:
        return asyncio.get_running_loop().time() + until - time.monotonic()

    def local_presence(self, table_id: str) -> tuple[set[int], int]:
        """Return the seats whose players are present in this process, and the number of sockets without a seat."""
        seats = set(self.asking.get(table_id, ()))
        watchers = 0
        for subscriber in self.subscribers.get(table_id, ()):
            mine = subscriber.viewer.mine if subscriber.viewer else ()
            seats.update(mine)
            watchers += not mine
        return seats, watchers

    def set_remote_presence(self, table_id: str, process: str, seats: list[int], watchers: int) -> bool:
        """Store another process's presence report; return whether it changed anything."""
        known = self._remote.setdefault(table_id, {})
        before = known.get(process)
        for seat in {*seats, *(before[1] if before is not None else ())}:
            self.touch(table_id, seat)
        known[process] = time.monotonic(), set(seats), watchers
        return before is None or before[1:] != known[process][1:]

    def presence(self, table_id: str) -> tuple[set[int], int]:
        """See `views.PresenceTracker`."""
        there, watchers = self.local_presence(table_id)
        if table_id in self._remote:
            fresh = time.monotonic() - REMOTE_TTL
            for at, seats, more in self._remote[table_id].values():
                if at > fresh:
                    there |= seats
                    watchers += more
        return there, watchers

    def is_absent(self, table_id: str, seat: int) -> bool:
        """See `views.PresenceTracker`."""
        if seat in self.presence(table_id)[0]:
            return False
        return time.monotonic() - self._last_seen.get((table_id, seat), self._started) > self.settings.absent_after

    def is_waiting(self, table_id: str, seat: int) -> bool:
        """Return whether the seat's player is there, or was a moment ago."""
        return self.seen_within(table_id, seat, WAITING_SECONDS)

    def seen_within(self, table_id: str, seat: int, seconds: float) -> bool:
        """Return whether the seat's player is there, or was within the last `seconds`."""
        if seat in self.presence(table_id)[0]:
            return True
        return time.monotonic() - self._last_seen.get((table_id, seat), self._started) < seconds

    def prune(self) -> None:
        """Drop outdated presence."""
        old = time.monotonic() - max(REMOTE_TTL, self.settings.absent_after) - 60
        self._last_seen = {key: at for key, at in self._last_seen.items() if at > old}
        for table_id in list(self._remote):
            kept = {process: told for process, told in self._remote[table_id].items() if told[0] > old}
            if kept:
                self._remote[table_id] = kept
            else:
                del self._remote[table_id]
        self._started = max(self._started, old)
        self._open = +self._open

    # ------------------------------------------------------------ messages

    def publish(self, table: Table) -> None:
        """Send every subscriber of a table what changed for them. Call it only with a committed table."""
        snapshot = Snapshot(table, self, now())
        for subscriber in self.subscribers.get(table.id, ()):
            self.send(subscriber, snapshot)

    def send_table(self, subscriber: Subscriber, table: Table) -> None:
        """Send one subscriber the table."""
        self.send(subscriber, Snapshot(table, self, now()))

    def send(self, subscriber: Subscriber, snapshot: Snapshot) -> None:
        """Send one subscriber a snapshot. Subscribers with the same viewer and progress share the encoded message."""
        table = snapshot.table
        if subscriber.lagging and not subscriber.protocol.writable.is_set():
            return
        subscriber.lagging = False
        viewer = subscriber_viewer(subscriber, table)
        if subscriber.viewer is not None and (subscriber.viewer.seat, subscriber.viewer.held) != (viewer.seat, viewer.held):
            subscriber.ply, subscriber.version = -1, None  # another seat has seen other events and chat lines: send all
        moved = subscriber.viewer is not None and subscriber.viewer.mine != viewer.mine
        key = viewer, subscriber.ply, subscriber.version
        message = snapshot.messages.get(key)
        if message is None:
            message = snapshot.messages[key] = table_json(snapshot, viewer, subscriber.ply, subscriber.version)
        subscriber.viewer = viewer
        subscriber.send(message)
        if not subscriber.lagging:
            # a game begins with events of ply 0, which are still to come while the table waits
            subscriber.ply, subscriber.version = -1 if table.status == WAITING else table.ply, table.number
        if moved:
            self.on_seats_changed(table.id)

    def presence_message(self, table_id: str) -> bytes:
        """Encode who is present."""
        seats, watchers = self.presence(table_id)
        return orjson.dumps({"type": "presence", "connected": sorted(seats), "watchers": watchers})

    def publish_presence(self, table_id: str) -> None:
        """Send all subscribers of a table who is present."""
        message = self.presence_message(table_id)
        for subscriber in self.subscribers.get(table_id, ()):
            subscriber.send(message)
