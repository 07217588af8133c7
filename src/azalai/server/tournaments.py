"""Tournaments: people join by a link, tables are made for them, results come in by themselves, and the next round begins.

Whatever a step needs is in the database, and every step is one transaction that locks the tournament: results of tables that are
over are noted, and what follows from them is made, pairings and tables together. So a step that was interrupted is done by
whoever comes next, and of several processes one does it. What has to be done at tables (a computer player for somebody who has
not come, giving up for somebody who was removed) follows from the database too, and is repeated until it is done.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import delete, func, insert, or_, select
from sqlalchemy.engine import Connection

from azalai.server import commands
from azalai.server.catalog import Catalog, check_bot
from azalai.server.clocks import DAY
from azalai.server.errors import ApiError
from azalai.server.guests import Guest, Guests, clean_text
from azalai.server.ids import new_id
from azalai.server.outages import log_failure
from azalai.server.people import People
from azalai.server.ratings import levels
from azalai.server.registry import TableRegistry
from azalai.server.rows import GuestRow, PlayerRow, TableRow
from azalai.server.schemas.tournaments import NewTournament
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.store import Store
from azalai.server.table import OPEN, OVER, WAITING, Table
from azalai.server.tournament_rows import EntrantRow, PairingRow, TournamentRow
from azalai.server.tournament_steps import (
    Change,
    Current,
    Progress,
    Tables,
    add_entrant,
    advance,
    check_organiser,
    entrant_row,
    is_entrant,
    let_bot_play,
    needed_bot,
    not_startable,
    read,
    set_entrant,
    set_status,
    tables_at,
    without_absent,
)
from azalai.server.tournament_views import tournament_view

MOST_UNFINISHED = 10  # tournaments that a guest organises, or takes part in
ROUNDS = 20  # ticks of the server between two looks for results that were not noted
LISTED = 50


class Tournaments:
    """Makes tournaments, and keeps them going."""

    def __init__(
        self, store: Store, guests: Guests, catalog: Catalog, registry: TableRegistry, people: People, settings: Settings
    ) -> None:
        self.store, self.guests, self.catalog, self.registry = store, guests, catalog, registry
        self.people, self.settings = people, settings
        self.on_table: Callable[[Table], Coroutine[Any, Any, None]]  # called with every table that was made
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweep: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Go on where the last run stopped, or died."""
        self._sweep = asyncio.create_task(self._sweep_regularly(), name="tournaments")

    async def close(self) -> None:
        """Stop. What is not done is done after the next start."""
        tasks = [*self._tasks, *([self._sweep] if self._sweep else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------ what people do

    async def create(self, guest: Guest, body: NewTournament) -> str:
        """Make a tournament that its organiser takes part in; return its id."""
        game = await self.catalog.game(body.game)
        fewest = min(game.seats)
        seats = fewest if body.seats is None else body.seats
        commands.check_count(game, seats)
        commands.check_clock(body.clock)
        bot = None if body.bot is None else check_bot(body.bot, game)
        if body.kind != "series" and fewest > 2 and bot is None:
            raise ApiError(422, "bot_needed", f"{game.name} needs {fewest} people at every table: say which bot fills seats")
        if body.rated:
            commands.check_rated_person(guest)
            if body.clock.kind == "none":
                raise ApiError(422, "rated", "a rated tournament cannot have no clock")
            if bot is not None and any(bot not in levels(game.name).get(n, {}) for n in range(fewest, seats + 1)):
                raise ApiError(409, "unrated_bot", f"the computer player {bot} has no rating in {game.name}")
        await self._check_unfinished(guest)
        name = clean_text(body.name, 60)
        if not name:
            raise ApiError(422, "empty", "there is nothing to read in this")
        row: dict[str, Any] = {
            "id": new_id(),
            "name": name,
            "kind": body.kind,
            "game": game.name,
            "seats": seats,
            "games": body.games if body.kind == "series" else 1,
            "clock": body.clock.model_dump(),
            "rated": body.rated,
            "bot": bot,
            "creator": guest.id,
            "created": now(),
            "updated": now(),
            "status": "open",
        }
        await self.guests.store_name(guest.id, guest.name)
        await self.store.execute((insert(TournamentRow), [row]), (insert(EntrantRow), [entrant_row(row["id"], 0, guest.id)]))
        return str(row["id"])

    async def join(self, guest: Guest, tournament_id: str) -> None:
        """Take part; or, for whom a computer player has played, play oneself again from the next game on."""
        current = await self.read(tournament_id)
        if current.row["rated"]:
            commands.check_rated_person(guest)
        apart = await self.people.apart(guest.id)
        mine = current.number_of(guest.id)
        if mine is None:
            if apart & {current.row["creator"], *(one["guest"] for one in current.entrants)}:
                raise ApiError(403, "blocked", "you and somebody in this tournament do not play with each other")
            await self._check_unfinished(guest)
        await self.guests.store_name(guest.id, guest.name)

        def change(connection: Connection, current: Current) -> None:
            if (number := current.number_of(guest.id)) is not None:
                set_entrant(connection, current, number, bot=None)
            elif any(one["guest"] == guest.id for one in current.entrants):
                raise ApiError(403, "removed", "you have left this tournament, or its organiser has removed you")
            else:
                add_entrant(connection, current, guest.id, None)

        await self.step(tournament_id, change)

    async def add_bot(self, guest: Guest, tournament_id: str) -> None:
        """Let a computer player take part."""

        def change(connection: Connection, current: Current) -> None:
            check_organiser(guest, current)
            add_entrant(connection, current, None, needed_bot(current))

        await self.step(tournament_id, change)

    async def replace(self, guest: Guest, tournament_id: str, number: int) -> None:
        """Let a computer player play for somebody who does not come: where they have no seat yet, and in the games to come."""

        def change(connection: Connection, current: Current) -> None:
            check_organiser(guest, current)
            if current.row["status"] != "playing" or current.entrant(number)["removed"]:
                raise ApiError(409, "not_playing", "this is for somebody who takes part in a tournament that has begun")
            set_entrant(connection, current, number, bot=needed_bot(current))

        await self.step(tournament_id, change)

    async def remove(self, guest: Guest, tournament_id: str, number: int) -> None:
        """Leave a tournament, or remove somebody as its organiser. Games that are not over are lost."""

        def change(connection: Connection, current: Current) -> None:
            if current.number_of(guest.id) != number:
                check_organiser(guest, current)
            if current.row["status"] == "over":
                raise ApiError(409, "over", "the tournament is over")
            current.entrant(number)
            if current.row["status"] == "open":
                connection.execute(delete(EntrantRow).where(*is_entrant(current, number)))
                current.entrants = [one for one in current.entrants if one["number"] != number]
            else:
                set_entrant(connection, current, number, removed=True)

        await self.step(tournament_id, change)

    async def start(self, guest: Guest, tournament_id: str) -> None:
        """Draw lots and begin."""

        def change(connection: Connection, current: Current) -> None:
            check_organiser(guest, current)
            if current.row["status"] != "open":
                raise ApiError(409, "started", "the tournament has begun already")
            problem = not_startable(current)
            if problem is not None:
                raise problem
            for lot, one in enumerate(random.sample(current.entrants, len(current.entrants))):
                set_entrant(connection, current, one["number"], draw=lot)
            set_status(connection, current, "playing")

        await self.step(tournament_id, change)

    async def call_off(self, guest: Guest, tournament_id: str) -> None:
        """Delete a tournament that has not begun."""

        def work(connection: Connection) -> None:
            current = read(connection, tournament_id, lock=True)
            check_organiser(guest, current)
            if current.row["status"] != "open":
                raise ApiError(409, "started", "the tournament has begun already")
            connection.execute(delete(TournamentRow).where(TournamentRow.id == tournament_id))

        await self.store.transact(work)

    async def _check_unfinished(self, guest: Guest) -> None:
        if sum(one["status"] != "over" for one in await self.of_guest(guest.id)) >= MOST_UNFINISHED:
            raise ApiError(409, "too_many_tournaments", f"you are in {MOST_UNFINISHED} tournaments that are not over")

    # ------------------------------------------------------------ steps

    def note(self, table: Table) -> None:
        """Note that a table has changed; called after every command."""
        if table.tournament is not None and table.status == OVER:
            task = asyncio.create_task(self._go_on(table.tournament))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _go_on(self, tournament_id: str) -> None:
        try:
            await self.step(tournament_id)
        except ApiError:  # deleted
            pass
        except Exception as error:  # it is looked at again later
            log_failure("a tournament could not go on", error)

    async def step(self, tournament_id: str, change: Change = lambda connection, current: None) -> None:
        """Change a tournament, note results, and make what follows from them."""
        game = await self.catalog.game((await self.read(tournament_id)).row["game"])
        lease = int(self.settings.lease * 1000)

        def work(connection: Connection) -> Progress:
            current = read(connection, tournament_id, lock=True)
            change(connection, current)
            return advance(connection, current, game, lease)

        done = await self.store.transact(work)
        for table_id in done.gone:
            self.registry.discard(table_id)
        if done.gone:
            await self.store.notify_processes({"gone": done.gone})
        for table in done.made:
            await self.on_table(table)
        for table_id, seats in done.absent.items():
            with suppress(ApiError):  # deleted, or set aside
                await self.registry.execute(table_id, partial(without_absent, seats))

    async def _sweep_regularly(self) -> None:
        """Go on with tournaments whose process has died, and let computer players play for those who do not come."""
        first = True
        while True:
            try:
                await self.settle(everything=first)
                for tournament_id, number in await self._absent():
                    await self.step(tournament_id, partial(let_bot_play, number=number))
                first = False
            except Exception as error:
                log_failure("looking after tournaments failed", error)
            await asyncio.sleep(self.settings.tick * ROUNDS)

    async def settle(self, everything: bool = False) -> None:
        """Go on with tournaments that nobody has gone on with: a process has died, or somebody was deleted."""
        for tournament_id in await self._unsettled(everything):
            await self._go_on(tournament_id)

    async def _unsettled(self, everything: bool) -> list[str]:
        """Return tournaments with a result that is not noted, a table that is gone, or somebody removed; or all that go on."""
        query = select(TournamentRow.id).where(TournamentRow.status == "playing").distinct()
        if not everything:
            pending = PairingRow.places.is_(None)
            query = query.join(PairingRow, PairingRow.tournament_id == TournamentRow.id).where(pending)
            query = query.outerjoin(TableRow, TableRow.id == PairingRow.table_id)
            deleted = select(EntrantRow.number).where(
                EntrantRow.tournament_id == TournamentRow.id, EntrantRow.removed, EntrantRow.guest.is_(None)
            )
            query = query.where(or_(TableRow.id.is_(None), TableRow.status == OVER, deleted.exists()))
        async with self.store.engine.connect() as connection:
            return [one[0] for one in await connection.execute(query)]

    async def _absent(self) -> list[tuple[str, int]]:
        """Return who has not come to their table for too long, where a computer player may play for them."""
        query = (
            select(TournamentRow.id, TournamentRow.clock, PairingRow.seats, PlayerRow.seat, TableRow.created)
            .join(PairingRow, PairingRow.tournament_id == TournamentRow.id)
            .join(TableRow, TableRow.id == PairingRow.table_id)
            .join(PlayerRow, PlayerRow.table_id == TableRow.id)
            .where(TournamentRow.status == "playing", TournamentRow.bot.is_not(None), PairingRow.places.is_(None))
            .where(TableRow.status == WAITING, PlayerRow.kind == OPEN)
            .where(TableRow.created < now() - int(self.settings.tournament_wait * 1000))
        )
        async with self.store.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return [
            (row[0], row[2][row[3]])
            for row in rows
            if row[1]["kind"] != "slow" or row[4] < now() - int(row[1]["days"] * DAY)  # who has days comes within days
        ]

    # ------------------------------------------------------------ looking

    async def read(self, tournament_id: str) -> Current:
        """Return a tournament."""
        async with self.store.engine.connect() as connection:
            return await connection.run_sync(read, tournament_id)

    async def of_guest(self, guest: str) -> list[dict[str, Any]]:
        """Return the tournaments that a guest organises or takes part in, latest first, with the number of entrants."""
        people = select(func.count()).select_from(EntrantRow).where(EntrantRow.tournament_id == TournamentRow.id)
        mine = select(EntrantRow.tournament_id).where(EntrantRow.guest == guest, ~EntrantRow.removed)
        query = (
            select(TournamentRow.__table__, people.scalar_subquery().label("people"))
            .where(or_(TournamentRow.creator == guest, TournamentRow.id.in_(mine)))
            .order_by(TournamentRow.updated.desc())
            .limit(LISTED)
        )
        async with self.store.engine.connect() as connection:
            return [dict(one._mapping) for one in await connection.execute(query)]

    async def render(self, tournament_id: str, guest: str | None, language: str) -> dict[str, Any]:
        """Render a tournament for a viewer."""

        def work(connection: Connection) -> tuple[Current, Tables, str | None]:
            current = read(connection, tournament_id)
            tables = tables_at(connection, [one.table for one in current.pairings if one.table and one.places is None])
            organiser = connection.execute(
                select(GuestRow.name).where(GuestRow.id == current.row["creator"])
            ).scalar_one_or_none()
            return current, tables, organiser

        async with self.store.engine.connect() as connection:
            current, tables, organiser = await connection.run_sync(work)
        await self.catalog.game(current.row["game"])  # it may have been uninstalled
        return tournament_view(current, tables, organiser, guest, language)
