"""Notices what people should be told about their tables, and tells them when they are away.

A command at a table costs one look into a set (`note`). All else is done beside play, in three steps that survive a restart:

1. *Notice*: tables that have changed are looked at, and what somebody may have to be told is stored as a call, once.
2. *Tell*: when a call is due, it is checked again. Whoever has moved, or is at the table, is not called. What is left is written
   as one message for every contact, not in quiet hours and not soon after the last message.
3. *Send*: messages are taken from the queue one by one. One that fails is tried again later; nobody else waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from itsdangerous import URLSafeSerializer, URLSafeTimedSerializer
from sqlalchemy import select

from azalai.engine.words import MessageCatalog
from azalai.server import metrics
from azalai.server.broadcast import Broadcaster
from azalai.server.callback.channels import WORDS, CallLine, CallMessage, Channels, Failed, Gone
from azalai.server.callback.queue import CallQueue, delivery_row
from azalai.server.catalog import bot_name, game_info
from azalai.server.errors import ApiError
from azalai.server.guests import signing_key
from azalai.server.outages import log_failure
from azalai.server.registry import TableRegistry
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.store import Store
from azalai.server.table import HUMAN, OPEN, OVER, PLAYING, WAITING, Table
from azalai.server.tournament_rows import TournamentRow

log = logging.getLogger("azalai.callback")

MINUTE = 60_000  # milliseconds
ROUNDS = 4  # ticks of the server between two rounds
SEEN = "calls-seen"  # the setting that tells up to when changes of tables were noticed
SEEN_EVERY = 5 * MINUTE
AT_ONCE, AT_ONCE_TO_HOST = 32, 4  # messages being sent
LEASE = 2 * MINUTE  # for which a message being sent is left alone
RETRIES = (1, 5, 30, 120, 480)  # minutes until the next attempt
TOO_OLD = 24 * 60 * MINUTE  # for a message to be of use


class Caller:
    """Calls people back to their tables."""

    def __init__(self, store: Store, registry: TableRegistry, broadcaster: Broadcaster, settings: Settings) -> None:
        self.store, self.registry, self.broadcaster, self.settings = store, registry, broadcaster, settings
        self.queue = CallQueue(store)
        self.channels = Channels(store, settings)
        self.stop_codes: URLSafeSerializer
        self.confirm_codes: URLSafeTimedSerializer
        self._reachable: set[str] = set()  # guests with a contact
        self._changed: set[str] = set()  # tables to look at
        self._seen = 0  # changes before this time have been noticed, and that is stored
        self._sending: Counter[str] = Counter()  # messages on their way, by host
        self._deliveries: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start with what has changed since the last run stopped, or died."""
        key = await signing_key(self.store, self.settings)
        self.stop_codes = URLSafeSerializer(key, salt="stop")
        self.confirm_codes = URLSafeTimedSerializer(key, salt="confirm")
        self._reachable = await self.queue.reachable()
        self._seen = int(await self.store.setting(SEEN, lambda: str(now())))
        self._changed.update(await self.queue.missed_since(self._seen - SEEN_EVERY))
        self._task = asyncio.create_task(self._work(), name="callback")

    async def close(self) -> None:
        """Stop; what is being sent is given up, and sent again after the next start."""
        tasks = [*self._deliveries, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.channels.close()

    # ------------------------------------------------------------ notice

    def note(self, table: Table) -> None:
        """Note that a table has changed. Called after every command, so it does as little as possible."""
        for seat in table.seats:
            if seat.guest in self._reachable:
                self._changed.add(table.id)
                return

    async def refresh(self, guest: str | None = None) -> None:
        """Learn anew who can be reached: one guest whose contacts have changed, or everybody."""
        found = await self.queue.reachable(guest)
        new = found - self._reachable
        self._reachable = found if guest is None else (self._reachable - {guest}) | found
        if new:  # tables may have changed before this process heard of a contact that was made in another
            self._changed.update(await self.queue.missed_since(now() - SEEN_EVERY, guest))

    def _call(self, guest: str, table_id: str, kind: str, number: int) -> dict[str, Any]:
        due = now() + int(self.settings.callback_after * 1000)
        return {"guest": guest, "table_id": table_id, "kind": kind, "number": number, "created": now(), "due": due}

    async def _notice(self) -> None:
        time = now()
        changed, self._changed = self._changed, set()
        try:
            for table_id in list(changed):
                with suppress(ApiError):  # deleted, or set aside
                    async with self.registry.latest(table_id) as table:
                        calls = [self._call(*one) for one in calls_at(table) if one[0] in self._reachable]
                    await self.queue.add_calls(calls)
                changed.discard(table_id)
        finally:
            self._changed |= changed  # those left by an error are looked at again
        if time - self._seen > SEEN_EVERY:
            self._changed.update(await self.queue.missed_since(self._seen - SEEN_EVERY))  # by another process that has died
            await self.store.set_setting(SEEN, str(time))
            self._seen = time

    # ------------------------------------------------------------ tell

    async def _tell(self) -> None:
        for guest in await self.queue.due_guests():
            await self._tell_guest(guest)

    async def _tell_guest(self, guest: str) -> None:
        settings = await self.queue.settings(guest)
        contacts = [one for one in await self.queue.contacts(guest) if one["confirmed"] is not None]
        calls = await self.queue.due_calls(guest)
        if not contacts:
            await self.queue.set_due(calls, None)
            return
        pause = settings["called"] + int(self.settings.callback_pause * 1000) if settings["called"] else 0
        later = max(quiet_until(settings, now()), pause)
        if later > now():
            await self.queue.postpone(guest, later)
            return
        told, lines = [], []
        for call in calls:
            line = await self._line(settings, call)
            if line is not None:
                told.append(call)
                lines.append(line)
        if told:
            message = message_of(settings["language"], lines)
            await self.queue.write_message(settings, told, [delivery_row(one["id"], message) for one in contacts])

    async def _line(self, settings: dict[str, Any], call: dict[str, Any]) -> CallLine | None:
        """Return what to say; None where nothing is to be said now or ever, which is then noted."""
        guest = call["guest"]
        try:
            async with self.registry.latest(call["table_id"]) as table:  # an old state might know nothing of the call
                holds = settings[call["kind"]] and still_true(table, call)
                seats = table.seats_held_by(guest)
                there = any(self.broadcaster.seen_within(table.id, seat, self.settings.callback_after) for seat in seats)
                line = CallLine(text=line_text(table, call, settings["language"]), table=table.id)
                tournament = table.tournament
            if tournament is not None and call["kind"] == "invited":
                line["text"] = await self._tournament_text(tournament, line["text"], settings["language"])
        except ApiError:
            holds = there = False
        if holds and not there:
            return line
        waits = holds and call["kind"] == "turn"  # whoever is at the table may yet leave without a move
        await self.queue.set_due([call], now() + int(self.settings.callback_after * 1000) if waits else None)
        return None

    async def _tournament_text(self, tournament_id: str, otherwise: str, language: str) -> str:
        query = select(TournamentRow.name).where(TournamentRow.id == tournament_id)
        async with self.store.engine.connect() as connection:
            name = (await connection.execute(query)).scalar_one_or_none()
        return MessageCatalog(WORDS, language)("call.begun_in", tournament=name) if name else otherwise

    # ------------------------------------------------------------ send

    async def _send(self) -> None:
        for delivery in await self.queue.due_deliveries(4 * AT_ONCE):
            host = urlsplit(delivery["address"]).hostname or "mail"
            if self._sending.total() >= AT_ONCE:
                return
            if self._sending[host] >= AT_ONCE_TO_HOST or not await self.queue.claim_delivery(delivery, now() + LEASE):
                continue
            self._sending[host] += 1
            task = asyncio.create_task(self._deliver(delivery, host), name="deliver")
            self._deliveries.add(task)
            task.add_done_callback(self._deliveries.discard)

    async def _deliver(self, delivery: dict[str, Any], host: str) -> None:
        try:
            await self._try(delivery)
        except Exception as error:
            log_failure("sending a message failed", error)
        finally:
            self._sending[host] -= 1

    async def _try(self, delivery: dict[str, Any]) -> None:
        kind, attempt = delivery["kind"], delivery["attempts"]
        try:
            await self.channels.send(delivery, delivery["message"], str(self.stop_codes.dumps(delivery["id"])))
        except Gone as error:
            metrics.CALLS.labels(kind, "gone").inc()
            log.info("a contact is gone", extra={"kind": kind, "why": str(error)})
            if kind == "push":  # the browser has ended the subscription
                await self.queue.drop_contacts(contact_id=delivery["id"])
            else:
                await self.queue.set_problem(delivery["id"], "gone", usable=False)
            await self.refresh(delivery["guest"])
        except Failed as error:
            metrics.CALLS.labels(kind, "failed").inc()
            log.info("a message was not taken", extra={"kind": kind, "why": str(error), "attempt": attempt + 1})
            await self.queue.set_problem(delivery["id"], "failed")
            if attempt < len(RETRIES) and now() - delivery["written"] < TOO_OLD:
                await self.queue.retry(delivery["delivery"], now() + RETRIES[attempt] * MINUTE)
            else:
                await self.queue.drop_delivery(delivery["delivery"])
        else:
            metrics.CALLS.labels(kind, "sent").inc()
            await self.queue.drop_delivery(delivery["delivery"])
            if delivery["problem"] is not None:
                await self.queue.set_problem(delivery["id"], None)

    # ------------------------------------------------------------ the loop

    async def _work(self) -> None:
        rounds = 0
        while True:
            for step in (self._notice, self._tell, self._send):
                try:
                    await step()
                except Exception as error:
                    log_failure("calling people failed", error)
            rounds += 1
            if rounds % 2000 == 0:
                with suppress(Exception):
                    await self.queue.prune()
            await asyncio.sleep(self.settings.tick * ROUNDS)


def calls_at(table: Table) -> list[tuple[str, str, str, int]]:
    """Return what people may have to be told about a table: guest, table, kind, number."""
    found = []
    for number, seat in enumerate(table.seats):
        if seat.guest is None:
            continue
        if table.status == PLAYING and seat.kind == HUMAN and number in table.pending:
            found.append((seat.guest, table.id, "turn", table.owed_since[number]))
        elif table.status == WAITING and seat.kind == OPEN:
            found.append((seat.guest, table.id, "invited", 0))
        elif table.status == OVER:
            found.append((seat.guest, table.id, "over", 0))
    return found


def still_true(table: Table, call: dict[str, Any]) -> bool:
    """Return whether a call is still worth telling."""
    guest = call["guest"]
    if call["kind"] == "invited":
        seated = table.seats_played_by(guest)
        return table.status == WAITING and not seated and bool(table.seats_to_take(guest))
    return any(one[0] == guest and one[2:] == (call["kind"], call["number"]) for one in calls_at(table))


def quiet_until(settings: dict[str, Any], at: int) -> int:
    """Return when the quiet hours end in which `at` lies, in milliseconds; 0 outside of them."""
    begin, end = settings["quiet_from"], settings["quiet_to"]
    if begin is None or end is None or begin == end:
        return 0
    local = datetime.fromtimestamp(at / 1000, UTC).astimezone(zone_of(settings["zone"]))
    minute = local.hour * 60 + local.minute
    if not (begin <= minute < end if begin < end else minute >= begin or minute < end):
        return 0
    until = local.replace(hour=end // 60, minute=end % 60, second=0, microsecond=0)
    if minute >= end:
        until += timedelta(days=1)
    return int(until.timestamp() * 1000)


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone; one that this machine does not know is taken for UTC."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return ZoneInfo("UTC")


def line_text(table: Table, call: dict[str, Any], language: str) -> str:
    """Return what is said of a call."""
    names = [
        seat.name or bot_name(seat.bot or "", language)
        for seat in table.seats
        if seat.guest != call["guest"] and (seat.name or seat.bot)
    ]
    return table_line(table.game.name, names, call["kind"], language)


def table_line(game: str, names: list[str], kind: str, language: str) -> str:
    """Return what is said of a table: whose turn, with whom."""
    words = MessageCatalog(WORDS, language)
    title = game_info(game, language)["title"]
    table = words("call.with", game=title, names=", ".join(names)) if names else words("call.alone", game=title)
    return words(f"call.{kind}_at", table=table)


def message_of(language: str, lines: list[CallLine]) -> CallMessage:
    """Return one message of several lines."""
    title = lines[0]["text"] if len(lines) == 1 else MessageCatalog(WORDS, language)("call.several", n=len(lines))
    return CallMessage(language=language, title=title, lines=lines)
