"""One server process: its components, and what requests do with them."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from itsdangerous import BadSignature
from sqlalchemy import select

from azalai.engine.position import Position
from azalai.engine.record import to_record
from azalai.server import commands, metrics
from azalai.server.bot_runner import BotRunner, WorkerThreads
from azalai.server.broadcast import Broadcaster
from azalai.server.callback import contacts
from azalai.server.callback.caller import Caller
from azalai.server.catalog import Catalog, check_bot, check_options
from azalai.server.database import PlayerRow, TableRow, address, migrate, open_engine
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
from azalai.server.ratings import Ratings
from azalai.server.registry import LONG_JOURNAL, TableRegistry, first_rows, new_table, player_rows
from azalai.server.reviews import Reviews
from azalai.server.scheduler import Scheduler
from azalai.server.schemas import requests
from azalai.server.settings import Settings
from azalai.server.store import Conflict, Store, new_id, now
from azalai.server.table import BOT, DEFAULT_BOT, HUMAN, OPEN, OVER, PLAYING, WAITING, Entry, Seat, Table, journal_record
from azalai.server.tournaments import Tournaments
from azalai.server.vacations import Vacations

CONFIRM_SECONDS = 86_400
REPORTED_LINES = 20  # of chat, that a report keeps


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
        self.registry.on_result = self.ratings.note
        self.peers.on_entries = self.lobby.heard
        self.peers.on_lobby = self.lobby.changed
        self.registry.on_change = self._table_changed
        self.broadcaster.on_seats_changed = self.peers.publish_presence
        self.caller = Caller(self.store, self.registry, self.broadcaster, settings)
        self.tournaments = Tournaments(self.store, self.catalog, self.registry, self.people, settings)
        self.tournaments.on_table = self.announce
        self.registry.on_command = self._after_command
        self.registry.in_use = lambda table_id: (
            table_id in self.broadcaster.subscribers or table_id in self.bot_runner.active_tables()
        )
        self.closing = asyncio.Event()

    async def open(self) -> None:
        """Migrate the database and start all components."""
        sys.setswitchinterval(0.001)  # seconds for which a thread may keep the event loop waiting
        await migrate(self.store.engine)
        await self.store.open()
        await self.store.start_time()
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
        await self._check_table_limit(guest)
        await self.store.name_guest(guest.id, guest.name)
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

    async def people_at(self, guest: Guest, table_id: str) -> list[dict[str, Any]]:
        """Return the other people at a table, and what a guest wants of them."""
        async with self.registry.locked(table_id) as table:
            seats = {number: seat for number, seat in enumerate(table.seats) if seat.guest not in (None, guest.id)}
        known = await self.people.attitudes(guest.id, [str(seat.guest) for seat in seats.values()])
        people = []
        for number, seat in seats.items():
            blocked, muted = known.get(str(seat.guest), (False, False))
            people.append({"seat": number, "name": seat.name, "blocked": blocked, "muted": muted})
        return people

    async def _person_at(self, guest: Guest, table_id: str, number: int) -> tuple[Seat, list[str]]:
        """Return the seat of another person at a guest's own table, and what they have said last."""
        async with self.registry.locked(table_id) as table:
            commands.check_seat(table, number)
            if not table.seats_held_by(guest.id):
                raise ApiError(403, "not_seated", "you do not sit at this table")
            seat = table.seats[number]
            if seat.guest in (None, guest.id):
                raise ApiError(404, "no_such_person", "no other person has this seat")
            return seat, [line.text for line in table.chat if line.seat == number][-REPORTED_LINES:]

    async def want(self, guest: Guest, other: str, body: requests.Attitude) -> None:
        """Block or mute somebody, or no more; tell all processes."""
        await self.people.set_attitude(guest.id, other, body.blocked, body.muted)
        for one in (guest.id, other):
            await self.tell_of(one)

    async def want_at(self, guest: Guest, table_id: str, number: int, body: requests.Attitude) -> None:
        """The same for a person at a table."""
        seat, _ = await self._person_at(guest, table_id, number)
        await self.want(guest, str(seat.guest), body)

    async def report(self, guest: Guest, table_id: str, number: int, body: requests.NewReport) -> None:
        """Report a person at a table to the operator, with what they have said there."""
        self.rate_limiter.check(self.rate_limiter.renames, guest.id, "reports")
        seat, said = await self._person_at(guest, table_id, number)
        row = {
            "id": new_id(),
            "at": now(),
            "reporter": guest.id,
            "guest": seat.guest,
            "name": seat.name,
            "table_id": table_id,
            "reason": body.reason,
            "text": clean_text(body.text, 1000),
            "said": said,
            "settled": None,
        }
        await self.people.report(row)

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

    # ------------------------------------------------------------ calling people back

    async def add_contact(self, guest: Guest, kind: str, address: str, language: str, keys: dict[str, str] | None = None) -> str:
        """Add a contact of a guest; return its id."""
        self.rate_limiter.check(self.rate_limiter.contacts, guest.id, "new contacts")
        contact_id = await contacts.add_contact(self.caller, guest, kind, address, language, keys)
        await self.tell_of(guest.id)
        return contact_id

    async def add_mail(self, guest: Guest, address: str, language: str) -> None:
        """Add a mail address, and ask it whether it is right."""
        if not self.caller.channels.mails:
            raise ApiError(409, "no_mails", "this server sends no mails")
        self.rate_limiter.check(self.rate_limiter.mails, f"to {address.lower()}", "mails to this address")
        self.rate_limiter.check(self.rate_limiter.mails, f"of {self.broadcaster.address_of(guest.id)}", "mails for this address")
        contact_id = await self.add_contact(guest, "mail", address, language)
        await contacts.ask_address(self.caller, guest, address, language, contact_id)

    async def drop_contact(self, guest: Guest, contact_id: str) -> None:
        """Delete a contact of a guest."""
        if not await self.caller.queue.drop_contacts(guest=guest.id, contact_id=contact_id):
            raise ApiError(404, "no_such_contact", "you have no such contact")
        await self.tell_of(guest.id)

    async def confirm_mail(self, code: str) -> None:
        """Let mails be sent to the address that got this code."""
        try:
            contact_id = str(self.caller.confirm_codes.loads(code, max_age=CONFIRM_SECONDS))
        except BadSignature:
            contact_id = ""
        if not await self.caller.queue.confirm(contact_id):
            raise ApiError(404, "bad_code", "this link is too old, or its address has been deleted")
        contact = await self.caller.queue.contact(contact_id)
        if contact is not None:
            await self.tell_of(contact["guest"])

    async def stop_mails(self, code: str) -> None:
        """Delete the mail address that got this code; once it is deleted, nothing is left to do."""
        try:
            contact = await self.caller.queue.contact(str(self.caller.stop_codes.loads(code)))
        except BadSignature:
            raise ApiError(404, "bad_code", "this link belongs to no mail of ours") from None
        if contact is not None:
            await self.caller.queue.drop_contacts(contact_id=contact["id"])
            await self.tell_of(contact["guest"])

    # ------------------------------------------------------------ new tables

    async def create(self, guest: Guest, body: requests.NewTable, seek: bool = False) -> str:
        """Create a table; return its id. `seek`: it is for whoever looks for anyone."""
        self._check_creations(guest, "new tables")
        await self._check_table_limit(guest)
        game = await self.catalog.game(body.game)
        commands.check_count(game, len(body.seats))
        origin = await self._origin(body, game) if body.origin is not None else None
        options = check_options(game, len(body.seats), body.options) if origin is None else origin.options
        if origin is not None and body.public:
            raise ApiError(422, "known_deal", "a game that goes on from a moment is not listed: its deal can be known")
        setup = {
            "seats": len(body.seats),
            "clock": body.clock.model_dump(),
            "time_out": body.time_out,
            "substitute": check_bot(body.substitute, game) if body.substitute else None,
            "hints": body.hints,
            "wait": body.wait,
            "known": origin is not None,  # whoever has seen that game knows this one's deal
            "rated": body.rated,
            **({"seek": True} if seek else {}),
        }
        if body.rated:
            check_rated(guest, body, options, check_options(game, len(body.seats), {}))
            setup["time_out"] = "lose"
        commands.check_clock(body.clock)
        sits = [Entry("sit", number, await self._seat_data(one, guest, game)) for number, one in enumerate(body.seats)]
        table = new_table(game, guest.id, options, setup, public=body.public)
        commands.check_rated_bots(table, [one.bot for one in body.seats], len(body.seats))
        entries = commands.started(table, sits)
        if origin is not None:
            if entries[-1].kind != "start":
                raise ApiError(422, "open_seats", "a game that goes on from a moment cannot have open seats")
            table.seed = origin.seed if origin.seed is not None else table.seed
            entries += [Entry("move", seat, {"move": move.text}) for seat, move in origin.history]
        await self.store.name_guest(guest.id, guest.name)
        await self._store_new_table(table, entries)
        await self.vacations.sat_down(guest, table.id)
        return table.id

    async def _seat_data(self, body: requests.NewSeat, guest: Guest, game: Any) -> dict[str, Any]:
        """Return the entry data for a seat of a new table."""
        if body.kind == "friend":
            friend = await self.people.find(guest.id, body.person or "")
            if friend.guest in await self.people.apart(guest.id):
                raise ApiError(403, "blocked", f"you and {friend.name} do not play with each other")
            return {"kind": OPEN, "guest": friend.guest, "name": friend.name}
        return seat_data(body, guest, game, self.settings.limits.name_length)

    async def _origin(self, body: requests.NewTable, game: Any) -> Position:
        assert body.origin is not None
        async with self.registry.locked(body.origin.table) as table:
            if not table.finished:
                raise ApiError(409, "not_over", "one can only go on from games that are over")
            if table.game is not game or len(table.seats) != len(body.seats) or table.skipped:
                raise ApiError(422, "bad_origin", f"that game is {table.game.name} for {len(table.seats)}")
            if body.origin.ply > table.ply or (position := table.at_ply(body.origin.ply)).over:
                raise ApiError(422, "bad_origin", f"that game can be gone on with from ply 0 to ply {table.ply - 1}")
            return position.copy()

    async def seek(self, guest: Guest, name: str) -> str:
        """Seat a guest with anyone who waits for anyone in the same game; else at a table where they wait. Return its id."""
        game = await self.catalog.game(name)
        apart = await self.people.apart(guest.id)
        async with self.store.exclusive():
            for row in reversed(await self.lobby.waiting_tables(game.name, limit=100)):  # who waits longest comes first
                players = {one["guest"] for one in row["players"]} - {None}
                if row["setup"].get("seek") and guest.id not in players and not players & apart:
                    with suppress(ApiError):  # somebody has sat down there by its link
                        await self.take_seat(guest, row["id"], requests.TakeSeat(), lambda table: None)
                        return str(row["id"])
            for row in await self.lists.of_guest(guest.id, (WAITING,), game=game.name):
                if row["setup"].get("seek"):
                    return str(row["id"])
            fewest = min(game.seats)
            seats = [requests.NewSeat(kind="me"), requests.NewSeat(kind="open")]
            seats += [requests.NewSeat(kind="bot", bot=DEFAULT_BOT)] * (fewest - 2)
            return await self.create(guest, requests.NewTable(game=game.name, seats=seats, public=True), seek=True)

    async def import_record(self, guest: Guest, position: Position) -> str:
        """Create a table that shows a recorded game."""
        self._check_creations(guest, "imports")
        assert position.seed is not None
        table = new_table(position.game, guest.id, position.options, {"seats": position.seats, "imported": True})
        table.seed = position.seed
        sits = [Entry("sit", seat, {"kind": OPEN}) for seat in range(position.seats)]
        sits[0] = Entry("sit", 0, {"kind": OPEN, "guest": guest.id})
        moves = [Entry("move", seat, {"move": move.text}) for seat, move in position.history]
        await self._store_new_table(table, [*sits, Entry("start"), *moves])
        return table.id

    async def rematch(self, guest: Guest, table_id: str) -> str:
        """Create the return game once; return its id. Computer players come along, and seats are kept for those who played."""

        def decide(table: Table, at: int) -> list[Entry]:
            entries = commands.rematch(table, guest)
            if entries:
                self._check_creations(guest, "new tables")
            return entries

        old: Table = await self.registry.execute(table_id, decide, render=lambda table: table)
        assert old.rematch is not None
        if await self.store.table(old.rematch) is None:
            await self._check_table_limit(guest)
            table = new_table(
                old.game,
                guest.id,
                old.options,
                {**old.setup, "seats": len(old.seats), "wait": False, "known": False, "seek": False, "tournament": None},
                public=False,
            )
            table.id = old.rematch
            sits = [Entry("sit", number, rematch_seat(seat, guest)) for number, seat in enumerate(old.seats)]
            with suppress(Conflict):  # another player may ask for it at the same time
                await self._store_new_table(table, commands.started(table, sits))
                for one in {seat.guest for seat in table.seats if seat.guest is not None}:
                    await self.vacations.sat_down(await self.guests.get(one), table.id)
        return old.rematch

    async def _store_new_table(self, table: Table, entries: list[Entry]) -> None:
        """Store a new table with its first entries."""
        lease = int(self.settings.lease * 1000)
        long = len(entries) > LONG_JOURNAL
        row, numbered = await asyncio.to_thread(first_rows, table, entries, lease) if long else first_rows(table, entries, lease)
        await self.store.create(row, numbered, player_rows(table))
        await self.announce(table)

    async def announce(self, table: Table) -> None:
        """Let computer players, people who are away and start pages know of a new table."""
        async with self.registry.locked(table.id) as stored:
            self.bot_runner.wake(stored)
            self.caller.note(stored)
        metrics.TABLES_CREATED.labels(table.game.name).inc()
        guests = sorted({seat.guest for seat in table.seats if seat.guest})
        self.lobby.changed(table.public, guests)
        await self.store.notify_processes({"lobby": [table.public, guests]})

    def _check_creations(self, guest: Guest, what: str) -> None:
        self.rate_limiter.check_creation(guest.id, self.broadcaster.address_of(guest.id), what)

    async def _check_table_limit(self, guest: Guest) -> None:
        if await self.store.count_unfinished(guest.id) >= self.settings.limits.open_tables:
            raise ApiError(
                409,
                "too_many_tables",
                f"you sit at {self.settings.limits.open_tables} unfinished tables; finish or leave one first",
            )

    async def with_result(self, row: dict[str, Any]) -> dict[str, Any]:
        """Add the result to a finished table's row that was stored by a version that did not note results."""
        if row["status"] != OVER or row["players"][0]["place"] is not None:
            return row
        try:
            async with self.registry.locked(row["id"]) as table:
                players = player_rows(table)
        except ApiError:  # by rules that this version does not know
            return row
        await self.store.set_players(row["id"], players)
        return {**row, "players": players}

    # ------------------------------------------------------------ records

    async def record(self, table_id: str) -> dict[str, Any]:
        """Return the record of a finished table; of one that cannot be replayed any more, from its journal."""
        try:
            async with self.registry.locked(table_id) as table:
                if not table.finished or table.position is None:
                    raise ApiError(403, "not_over", "the record holds every secret of the game: it is for when the game is over")
                old = bool(table.skipped)
        except ApiError as error:
            if error.code != "old_rules":
                raise
            old = True
        if old:
            row = await self.store.table(table_id)
            assert row is not None
            return journal_record(row, await self.store.entries(table_id))
        async with self.registry.locked(table_id) as table:
            assert table.position is not None
            position = table.position.copy()
            names = [seat.name or seat.bot or "" for seat in table.seats]
            end = table.ended
        record = await asyncio.to_thread(to_record, position)
        return {**record, "players": names, **({"ended": end} if end else {})}


def seat_data(body: requests.NewSeat, guest: Guest, game: Any, name_length: int) -> dict[str, Any]:
    """Return the entry data for a seat of a new table that is not kept for anybody else."""
    if body.kind == "bot":
        if body.bot is None:
            raise ApiError(422, "no_such_bot", "say which computer player: bot")
        return {"kind": BOT, "bot": check_bot(body.bot, game)}
    if body.kind == "open":
        return {"kind": OPEN}
    return {"kind": HUMAN, "guest": guest.id, "name": clean_text(body.name or "", name_length) or guest.name}


def rematch_seat(seat: Seat, guest: Guest) -> dict[str, Any]:
    """Return the entry data for a seat of a return game that `guest` asked for."""
    if seat.guest == guest.id:
        return {"kind": HUMAN, "guest": guest.id, "name": seat.name or guest.name}
    if seat.guest is None and seat.kind == BOT:
        return {"kind": BOT, "bot": seat.bot}
    return {"kind": OPEN, "guest": seat.guest, "name": seat.name}


def renamed(table: Table, guest: Guest) -> list[Entry]:
    """Return the entry that gives a guest's seat its new name; several people at one device have names of their own."""
    seats = table.seats_played_by(guest.id)
    return [Entry("sit", seats[0], {"kind": HUMAN, "guest": guest.id, "name": guest.name})] if len(seats) == 1 else []


def check_rated(guest: Guest, body: requests.NewTable, options: dict[str, Any], usual: dict[str, Any]) -> None:
    """Raise an error for a table that cannot be rated."""
    commands.check_rated_person(guest)
    reason = (
        "hints" if body.hints
        else "a deal from another game" if body.origin is not None
        else "other options than the usual ones" if options != usual
        else "no clock" if body.clock.kind == "none"
        else "several seats, or another name, for one person" if [one.name for one in body.seats if one.kind == "me"] != [None]
        else None
    )  # fmt: skip
    if reason is not None:
        raise ApiError(422, "rated", f"a rated table cannot have {reason}")
