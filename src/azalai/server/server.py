"""One server process: its components, and what requests do with them."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sqlalchemy import select

from azalai.engine.game import Game
from azalai.server import commands, metrics
from azalai.server.bot_runner import BotRunner, WorkerThreads
from azalai.server.broadcast import Broadcaster
from azalai.server.callback.caller import Caller
from azalai.server.catalog import Catalog, check_bot, forget_translators
from azalai.server.database import address, migrate, open_engine
from azalai.server.errors import ApiError
from azalai.server.guests import Guest, Guests, clean_text
from azalai.server.jobs import Jobs
from azalai.server.limits import RateLimiter
from azalai.server.lists import UNFINISHED, TableLists
from azalai.server.lobby import Lobby
from azalai.server.passkeys import Passkeys
from azalai.server.peers import Peers
from azalai.server.people import People
from azalai.server.personal_data import delete_guest, tables_of
from azalai.server.puzzles import Puzzles
from azalai.server.ratings import Ratings
from azalai.server.registry import TableRegistry
from azalai.server.reviews import Reviews
from azalai.server.rows import PlayerRow, TableRow
from azalai.server.scheduler import Scheduler
from azalai.server.schemas import requests
from azalai.server.server_time import start_time
from azalai.server.settings import Settings
from azalai.server.store import Store
from azalai.server.table import HUMAN, OPEN, PLAYING, WAITING, Entry, Table
from azalai.server.tournaments import Tournaments
from azalai.server.vacations import Vacations


class Server:
    """All components of one process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process = secrets.token_hex(4)
        self.database = address(settings.database)
        self.store = Store(open_engine(settings.database), self.process)
        self.lists = TableLists(self.store.engine)
        self.catalog = Catalog()
        self.guests = Guests(self.store, settings)
        self.passkeys = Passkeys(self.store, self.guests)
        self.rate_limiter = RateLimiter(settings.limits)
        self.broadcaster = Broadcaster(settings)
        self.registry = TableRegistry(self.store, self.catalog, settings)
        self.threads = WorkerThreads(settings.threads)
        self.bot_runner = BotRunner(self.registry, self.threads, self.broadcaster)
        self.jobs = Jobs(self.store, self.registry, self.threads, self.broadcaster, settings)
        self.reviews = Reviews(self.store, self.registry, self.threads, self.broadcaster, settings)
        self.scheduler = Scheduler(self.store, self.registry, self.bot_runner, self.broadcaster, self.rate_limiter, settings)
        self.peers = Peers(self.store, self.registry, self.broadcaster, self.database)
        self.people = People(self.store)
        self.vacations = Vacations(self.store, self.lists, self.registry)
        self.lobby = Lobby(self.lists, self.people, self.broadcaster)
        self.peers.on_guest_changed = self.check_guest
        self.peers.on_gap = self.check_guests
        self.ratings = Ratings(self.store)
        self.puzzles = Puzzles(self.store, self.guests)
        self.registry.on_result = self.ratings.note
        self.peers.on_entries = self.lobby.heard
        self.peers.on_lobby = self.lobby.changed
        self.registry.on_change = self._table_changed
        self.broadcaster.on_seats_changed = self.peers.publish_presence
        self.caller = Caller(self.store, self.registry, self.broadcaster, settings)
        self.tournaments = Tournaments(self.store, self.guests, self.catalog, self.registry, self.people, settings)
        self.tournaments.on_table = self.announce
        self.registry.on_command = self._after_command
        self.registry.in_use = lambda table_id: (
            table_id in self.broadcaster.subscribers
            or table_id in self.bot_runner.active_tables()
            or table_id in self.jobs.active_tables()
            or table_id in self.reviews.active_tables()
        )
        self.catalog.variants.release = self._release
        self.closing = asyncio.Event()

    async def open(self) -> None:
        """Migrate the database and start all components."""
        sys.setswitchinterval(0.0002)  # seconds for which the event loop and threads such as the writer keep each other waiting
        await migrate(self.store.engine)
        await self.store.open()
        await start_time(self.store)
        await self.guests.open()
        self.catalog.open()
        await self.jobs.open()
        await self.ratings.update()
        await self.peers.open()
        await self.scheduler.open()
        await self.caller.open()
        await self.lobby.open()
        await self.tournaments.open()

    async def close(self) -> None:
        """Stop in order: periodic work, computer players, jobs and reviews, then the database."""
        self.closing.set()
        await self.tournaments.close()
        await self.caller.close()
        await self.lobby.close()
        await self.scheduler.close()
        await self.bot_runner.close()
        await self.jobs.close()
        await self.reviews.close()
        await self.ratings.close()
        await self.peers.close()
        self.registry.replays.shutdown()
        await self.store.close()

    def _after_command(self, table: Table, seats: list[int]) -> None:
        self.bot_runner.wake(table, seats)
        self.caller.note(table)
        self.tournaments.note(table)

    def _release(self, game: Game) -> bool:
        """Drop all that is kept in memory about a variant; return False where somebody plays it."""
        if not self.registry.release(game):
            return False
        self.bot_runner.forget(game)
        forget_translators()
        return True

    def _table_changed(self, table: Table) -> None:
        self.broadcaster.publish(table)
        self.lobby.table_changed(table)

    # ------------------------------------------------------------ commands

    async def perform(self, guest: Guest, table_id: str, body: Any, render: Callable[[Table], Any]) -> Any:
        """Execute the command of a request or WebSocket message at a table."""
        decide = self._command_for(guest, body)
        return await self.registry.execute(table_id, decide, render=render)

    def _command_for(self, guest: Guest, body: Any) -> Callable[[Table, int], list[Entry]]:
        match body:
            case requests.Play():
                return lambda table, at: commands.play(table, guest, body.seat, body.ply, body.version, body.move, at)
            case requests.Undo():
                return lambda table, at: commands.undo(table, guest, body.seat, body.to)
            case requests.ProposeTakeBack():
                return lambda table, at: commands.propose(table, guest, body.seat, body.to)
            case requests.AnswerTakeBack():
                return lambda table, at: commands.answer(table, guest, body.seat, body.agree)
            case requests.Resign():
                return lambda table, at: commands.resign(table, guest, body.seat)
            case requests.SendChat():
                self.rate_limiter.check(self.rate_limiter.chat, guest.id, "chat lines")
                text = clean_text(body.text, self.settings.limits.chat_length)
                if not text:
                    raise ApiError(422, "empty", "there is nothing to read in this")
                return lambda table, at: commands.chat(table, guest, body.seat, text)
        raise TypeError(body)

    async def take_seat(self, guest: Guest, table_id: str, body: requests.TakeSeat, render: Callable[[Table], Any]) -> Any:
        """Take a seat."""
        seat, handed = body.seat, None
        if body.code is not None:
            seat, handed = self.guests.read_seat_code(body.code, table_id)
        await self._check_company(guest, table_id)
        await self.check_table_limit(guest)
        await self.guests.store_name(guest.id, guest.name)
        await self.registry.execute(table_id, lambda table, at: commands.take(table, guest, seat, handed))
        await self.vacations.sat_down(guest, table_id)
        async with self.registry.locked(table_id) as table:
            return render(table)

    async def _check_company(self, guest: Guest, table_id: str) -> None:
        """Raise an error where somebody sits with whom a guest does not play, unless the guest has a seat there too."""
        apart = await self.people.apart(guest.id)
        if apart:
            async with self.registry.locked(table_id) as table:
                if table.tournament is not None:
                    return  # they have joined it
                holders = {seat.guest for seat in table.seats if seat.kind != OPEN or table.status == PLAYING}
                if guest.id not in holders and (apart & holders or table.creator in apart):
                    raise ApiError(403, "blocked", "you and somebody at this table do not play with each other")

    async def put_bot(self, guest: Guest, table_id: str, seat: int, bot: str | None, render: Callable[[Table], Any]) -> Any:
        """Put a computer player into a seat."""

        def decide(table: Table, at: int) -> list[Entry]:
            name = None if bot is None else check_bot(bot, table.game)
            return commands.put_bot(table, guest, seat, name, self.broadcaster.is_absent(table_id, seat))

        return await self.registry.execute(table_id, decide, render=render)

    async def start(self, guest: Guest, table_id: str, bot: str | None, render: Callable[[Table], Any]) -> Any:
        """Start without waiting for more players."""

        def decide(table: Table, at: int) -> list[Entry]:
            return commands.start(table, guest, None if bot is None else check_bot(bot, table.game))

        return await self.registry.execute(table_id, decide, render=render)

    async def rename(self, guest_id: str, name: str) -> Guest:
        """Change a guest's name, also at their unfinished tables."""
        self.rate_limiter.check(self.rate_limiter.renames, guest_id, "new names")
        address = self.broadcaster.address_of(guest_id)
        self.rate_limiter.check(self.rate_limiter.renames_of_address, address, "new names from this address")
        guest = await self.guests.rename(guest_id, name)
        await self.store.notify_processes({"guests": [guest_id]})
        for row in await self.lists.of_guest(guest_id, UNFINISHED, limit=100):
            try:
                await self.registry.execute(row["id"], lambda table, at: renamed(table, guest))
            except ApiError:
                if row["id"] not in self.registry.unreadable:
                    raise
        return guest

    async def end_sessions(self, guest: Guest) -> Guest:
        """End all sessions of a guest but the one they ask with, and close the sockets of the others."""
        renewed = await self.guests.end_sessions(guest)
        await self.caller.queue.drop_contacts(guest=guest.id, kind="push")
        await self.caller.queue.set_settings(guest.id, feed=None)
        await self.tell_of(guest.id)
        return renewed

    async def drop_token(self, guest: Guest, token_id: str) -> None:
        """Delete an API token and close its sockets."""
        await self.guests.drop_token(guest.id, token_id)
        await self.tell_of(guest.id)

    async def delete_guest(self, guest_id: str) -> None:
        """Delete everything about a guest, as `people.delete_guest` says, after they have left all tables."""
        query = (
            select(PlayerRow.table_id)
            .distinct()
            .join(TableRow, TableRow.id == PlayerRow.table_id)
            .where(PlayerRow.guest == guest_id, TableRow.status.in_((WAITING, PLAYING)))
        )
        async with self.store.engine.connect() as connection:
            unfinished = [one[0] for one in await connection.execute(query)]
        for table_id in unfinished:
            with suppress(ApiError):  # a table that cannot be read any more
                await self.registry.execute(table_id, lambda table, at: commands.depart(table, guest_id))
        await self.ratings.update()  # the games just given up count for the others
        async with self.store.engine.connect() as connection:
            tables = await connection.run_sync(tables_of, guest_id)
        gone, changed = await self.store.transact(lambda connection: delete_guest(connection, guest_id, tables))
        for table_id in gone:
            self.registry.discard(table_id)
        for table_id in changed:
            await self.registry.reload(table_id)
        for what, ids in (("gone", gone), ("changed", changed), ("guests", [guest_id])):
            for begin in range(0, len(ids), 200):
                await self.store.notify_processes({what: ids[begin : begin + 200]})
        self.guests.forget(guest_id)
        for subscriber in self.broadcaster.sockets_of(guest_id):
            subscriber.close()
        await self.tournaments.settle()

    async def tell_of(self, guest_id: str) -> None:
        """Load a guest anew who has changed, in all processes."""
        await self.check_guest(guest_id)
        await self.store.notify_processes({"guests": [guest_id]})

    async def check_guest(self, guest_id: str) -> None:
        """Load a guest anew who has changed, and close sockets whose session has ended."""
        self.guests.forget(guest_id)
        self.people.forget(guest_id)
        self.lobby.changed(True, [guest_id])
        for subscriber in self.broadcaster.sockets_of(guest_id):
            if subscriber.session is not None and not await self.guests.still_valid(subscriber.session):
                subscriber.close()
        await self.caller.refresh(guest_id)

    async def check_guests(self) -> None:
        """Do the same for all guests, after notifications may have been missed."""
        self.guests.forget()
        self.people.forget()
        self.lobby.changed(True, [str(one.guest) for one in self.lobby.sockets])
        for guest_id in {one.guest for there in self.broadcaster.subscribers.values() for one in there} - {None}:
            await self.check_guest(str(guest_id))
        await self.caller.refresh()

    # ------------------------------------------------------------ new tables

    async def announce(self, table: Table) -> None:
        """Let computer players, people who are away and start pages know of a new table."""
        async with self.registry.locked(table.id) as stored:
            self.bot_runner.wake(stored)
            self.caller.note(stored)
        metrics.TABLES_CREATED.labels(table.game.name).inc()
        guests = sorted({seat.guest for seat in table.seats if seat.guest})
        self.lobby.changed(table.public, guests)
        await self.store.notify_processes({"lobby": [table.public, guests]})

    async def check_table_limit(self, guest: Guest) -> None:
        """Raise an error for a guest who sits at too many unfinished tables."""
        if await self.lists.count_unfinished(guest.id) >= self.settings.limits.open_tables:
            raise ApiError(
                409,
                "too_many_tables",
                f"you sit at {self.settings.limits.open_tables} unfinished tables; finish or leave one first",
            )

    # ------------------------------------------------------------ records


def renamed(table: Table, guest: Guest) -> list[Entry]:
    """Return the entry that gives a guest's seat its new name; several people at one device have names of their own."""
    seats = table.seats_played_by(guest.id)
    return [Entry("sit", seats[0], {"kind": HUMAN, "guest": guest.id, "name": guest.name})] if len(seats) == 1 else []
