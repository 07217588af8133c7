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
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import delete, func, insert, or_, select, update
from sqlalchemy.engine import Connection

from azalai.engine.game import Game
from azalai.server import commands
from azalai.server.catalog import Catalog, bot_name, check_bot, check_options, game_info
from azalai.server.changes import entry_row
from azalai.server.clocks import DAY
from azalai.server.errors import ApiError
from azalai.server.guests import Guest, Guests, clean_text, default_name
from azalai.server.ids import new_id
from azalai.server.outages import log_failure
from azalai.server.pairings import Encounter, Format, next_pairings, settled, standings, total_rounds
from azalai.server.people import People
from azalai.server.ratings import levels
from azalai.server.registry import TableRegistry, first_rows, new_table, player_rows
from azalai.server.rows import EntryRow, GuestRow, PlayerRow, TableRow
from azalai.server.schemas.tournaments import NewTournament
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.store import Store
from azalai.server.table import BOT, OPEN, OVER, PLAYING, WAITING, Entry, Table
from azalai.server.tournament_rows import EntrantRow, PairingRow, TournamentRow

MOST_ENTRANTS = 16
MOST_UNFINISHED = 10  # tournaments that a guest organises, or takes part in
ROUNDS = 20  # ticks of the server between two looks for results that were not noted
LISTED = 50


@dataclass
class Current:
    """A tournament as it stands in a transaction."""

    row: dict[str, Any]
    entrants: list[dict[str, Any]]  # with their names
    pairings: list[Encounter]

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def order(self) -> list[int]:
        """The entrants as they were drawn; before that, as they joined."""
        return [one["number"] for one in sorted(self.entrants, key=lambda one: (one["draw"] or 0, one["number"]))]

    @property
    def removed(self) -> frozenset[int]:
        return frozenset(one["number"] for one in self.entrants if one["removed"])

    @property
    def form(self) -> Format:
        fewest = min(game_info(self.row["game"], "en")["seats"])
        return Format(self.row["kind"], self.row["seats"], fewest, self.row["games"])

    def number_of(self, guest: str | None) -> int | None:
        """Return a guest's number, unless they were removed."""
        return next((one["number"] for one in self.entrants if guest and one["guest"] == guest and not one["removed"]), None)

    def entrant(self, number: int | None) -> dict[str, Any]:
        """Return an entrant."""
        found = next((one for one in self.entrants if one["number"] == number), None)
        if found is None:
            raise ApiError(404, "no_such_entrant", "nobody takes part with this number")
        return found


@dataclass
class Progress:
    """What a transaction has made, and what is to be done at tables after it."""

    made: list[Table] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # tables that were deleted
    absent: dict[str, dict[int, str | None]] = field(default_factory=dict)  # by table and seat: the bot that plays; None: removed


Change = Callable[[Connection, Current], None]
Tables = dict[str, tuple[str, list[dict[str, Any]]]]  # status, and players by seat


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
                await self.registry.execute(table_id, lambda table, at: without_absent(table, seats))  # noqa: B023 (called here)

    async def _sweep_regularly(self) -> None:
        """Go on with tournaments whose process has died, and let computer players play for those who do not come."""
        first = True
        while True:
            try:
                await self.settle(everything=first)
                for tournament_id, number in await self._absent():
                    await self.step(tournament_id, lambda connection, current: let_bot_play(connection, current, number))  # noqa: B023 (called here)
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


# ---------------------------------------------------------------- one transaction


def read(connection: Connection, tournament_id: str, lock: bool = False) -> Current:
    """Read a tournament; with `lock`, nobody else changes it until the transaction ends."""
    query = select(TournamentRow.__table__).where(TournamentRow.id == tournament_id)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise ApiError(404, "no_such_tournament", "there is no such tournament")
    people = (
        select(EntrantRow.__table__, GuestRow.name)
        .outerjoin(GuestRow, GuestRow.id == EntrantRow.guest)
        .where(EntrantRow.tournament_id == tournament_id)
        .order_by(EntrantRow.number)
    )
    entrants = [dict(one._mapping) for one in connection.execute(people)]
    for one in entrants:
        one["name"] = one["name"] or (default_name(one["guest"]) if one["guest"] else "")
    played = select(PairingRow.__table__).where(PairingRow.tournament_id == tournament_id)
    played = played.order_by(PairingRow.round_no, PairingRow.match_no, PairingRow.game_no)
    pairings = [
        Encounter(
            one.round_no,
            one.match_no,
            one.game_no,
            tuple(one.seats),
            None if one.places is None else tuple(one.places),
            one.table_id,
        )
        for one in connection.execute(played)
    ]
    return Current(dict(row._mapping), entrants, pairings)


def tables_at(connection: Connection, ids: list[str]) -> Tables:
    """Return the status of tables, and their players by seat."""
    query = (
        select(TableRow.id, TableRow.status, PlayerRow.kind, PlayerRow.place)
        .join(PlayerRow, PlayerRow.table_id == TableRow.id)
        .where(TableRow.id.in_(ids))
        .order_by(TableRow.id, PlayerRow.seat)
    )
    found: Tables = {}
    for one in connection.execute(query):
        found.setdefault(one.id, (one.status, []))[1].append({"kind": one.kind, "place": one.place})
    return found


def advance(connection: Connection, current: Current, game: Game, lease: int) -> Progress:
    """Note the results of tables that are over, make the games that follow, and return what is to be done at tables."""
    done = Progress()
    if current.row["status"] != "playing":
        return done
    _note_results(connection, current, done)
    while True:
        new, over = next_pairings(current.form, current.order, current.removed, current.pairings)
        new = [settled(one, current.removed) for one in new]
        if new:
            connection.execute(insert(PairingRow), [pairing_row(current.id, one) for one in new])
            current.pairings += new
        if over:
            set_status(connection, current, "over")
        if over or any(one.places is None for one in current.pairings):
            break
    for number, one in enumerate(current.pairings):
        if one.places is None and one.table is None:
            table = _make_table(connection, current, one, game, lease)
            current.pairings[number] = replace(one, table=table.id)
            connection.execute(update(PairingRow).where(*is_pairing(current, one)).values(table_id=table.id))
            done.made.append(table)
    for one in current.pairings:
        seats = {seat: current.entrant(who) for seat, who in enumerate(one.seats) if who is not None}
        absent = {seat: who["bot"] for seat, who in seats.items() if who["removed"] or (who["guest"] and who["bot"])}
        absent = {seat: None if seats[seat]["removed"] else bot for seat, bot in absent.items()}
        if one.table is not None and one.places is None and absent:
            done.absent[one.table] = absent
    return done


def _note_results(connection: Connection, current: Current, done: Progress) -> None:
    """Note results. Tables where somebody waits for a person who was removed are deleted, and made anew without them."""
    tables = tables_at(connection, [one.table for one in current.pairings if one.table and one.places is None])
    for number, one in enumerate(current.pairings):
        if one.places is not None:
            continue
        status, players = tables.get(one.table or "", ("gone", []))
        changed = one
        if status == OVER:
            changed = replace(one, places=tuple(player["place"] for player in players))
        elif status == WAITING and current.removed & set(one.entrants):
            connection.execute(delete(TableRow).where(TableRow.id == one.table))
            done.gone.append(str(one.table))
            status = "gone"
        if status == "gone":
            changed = settled(replace(one, table=None), current.removed)
            if changed.places is None:
                present = [who for who in one.seats if who not in current.removed]
                fewest = max(current.form.fewest - len(present), 0)
                changed = replace(changed, seats=(*present, *[None] * fewest))
        if changed != one:
            places = None if changed.places is None else list(changed.places)
            values = {"places": places, "table_id": changed.table, "seats": list(changed.seats)}
            connection.execute(update(PairingRow).where(*is_pairing(current, one)).values(values))
            set_status(connection, current, current.row["status"])
            current.pairings[number] = changed


def _make_table(connection: Connection, current: Current, pairing: Encounter, game: Game, lease: int) -> Table:
    """Make the table of a game: seats are kept for people, computer players sit down."""
    row = current.row
    setup = {
        "seats": len(pairing.seats),
        "clock": row["clock"],
        "time_out": "lose",
        "substitute": row["bot"],
        "hints": False,
        "rated": row["rated"],
        "tournament": current.id,
    }
    table = new_table(game, "", check_options(game, len(pairing.seats), {}), setup)
    sits = []
    for seat, number in enumerate(pairing.seats):
        who = None if number is None else current.entrant(number)
        bot = row["bot"] if who is None else who["bot"]
        data = {"kind": BOT, "bot": bot} if who is None or bot else {"kind": OPEN, "guest": who["guest"], "name": who["name"]}
        sits.append(Entry("sit", seat, data))
    columns, entries = first_rows(table, commands.started(table, sits), lease)
    connection.execute(insert(TableRow), [columns])
    connection.execute(insert(EntryRow), [entry_row(table.id, one) for one in entries])
    connection.execute(insert(PlayerRow), player_rows(table))
    return table


def without_absent(table: Table, seats: dict[int, str | None]) -> list[Entry]:
    """Return what happens at a table to seats whose people do not come: a computer player sits down; who was removed gives up."""
    if table.status == WAITING:
        sits = [
            Entry("sit", seat, {"kind": BOT, "bot": bot}) for seat, bot in seats.items() if bot and table.seats[seat].kind == OPEN
        ]
        return commands.started(table, sits) if sits else []
    gone = [seat for seat, bot in seats.items() if bot is None and table.seats[seat].guest and not table.seats[seat].resigned]
    return [Entry("resign", seat, {"why": "left"}) for seat in gone] if table.status == PLAYING else []


def let_bot_play(connection: Connection, current: Current, number: int) -> None:
    """Let a computer player play for somebody who has not come for too long."""
    if current.row["bot"] and not current.entrant(number)["removed"]:
        set_entrant(connection, current, number, bot=current.row["bot"])


def add_entrant(connection: Connection, current: Current, guest: str | None, bot: str | None) -> None:
    """Add somebody to a tournament that has not begun."""
    if current.row["status"] != "open":
        raise ApiError(409, "started", "the tournament has begun already")
    most = current.row["seats"] if current.row["kind"] == "series" else MOST_ENTRANTS
    if len(current.entrants) >= most:
        raise ApiError(409, "full", f"this tournament is full: {most} take part")
    number = 1 + max((one["number"] for one in current.entrants), default=-1)
    connection.execute(insert(EntrantRow), [entrant_row(current.id, number, guest, bot)])
    set_status(connection, current, "open")


def set_entrant(connection: Connection, current: Current, number: int, **values: Any) -> None:
    """Change an entrant."""
    connection.execute(update(EntrantRow).where(*is_entrant(current, number)).values(**values))
    current.entrant(number).update(values)
    set_status(connection, current, current.row["status"])


def set_status(connection: Connection, current: Current, status: str) -> None:
    """Set a tournament's status, and when it has changed."""
    current.row.update(status=status, updated=now())
    change = update(TournamentRow).where(TournamentRow.id == current.id)
    connection.execute(change.values(status=status, updated=current.row["updated"]))


def is_entrant(current: Current, number: int) -> tuple[Any, ...]:
    """Return the condition for an entrant's row."""
    return EntrantRow.tournament_id == current.id, EntrantRow.number == number


def is_pairing(current: Current, one: Encounter) -> tuple[Any, ...]:
    """Return the condition for a game's row."""
    return (
        PairingRow.tournament_id == current.id,
        PairingRow.round_no == one.round_no,
        PairingRow.match_no == one.match_no,
        PairingRow.game_no == one.game_no,
    )


def entrant_row(tournament_id: str, number: int, guest: str | None, bot: str | None = None) -> dict[str, Any]:
    """Return an entrant as a row."""
    return {"tournament_id": tournament_id, "number": number, "guest": guest, "bot": bot, "draw": None, "removed": False}


def pairing_row(tournament_id: str, one: Encounter) -> dict[str, Any]:
    """Return a game as a row."""
    return {
        "tournament_id": tournament_id,
        "round_no": one.round_no,
        "match_no": one.match_no,
        "game_no": one.game_no,
        "seats": list(one.seats),
        "table_id": one.table,
        "places": None if one.places is None else list(one.places),
    }


# ---------------------------------------------------------------- rights


def check_organiser(guest: Guest, current: Current) -> None:
    """Raise an error for whoever is not the organiser."""
    if guest.id != current.row["creator"]:
        raise ApiError(403, "not_organiser", "only the organiser of this tournament can do that")


def needed_bot(current: Current) -> str:
    """Return the computer player of a tournament."""
    if current.row["bot"] is None:
        raise ApiError(409, "no_bots", "this tournament was made without computer players")
    return str(current.row["bot"])


def not_startable(current: Current) -> ApiError | None:
    """Return why a tournament cannot begin; None where it can."""
    people = len(current.entrants)
    fewest = current.form.fewest if current.row["kind"] == "series" and current.row["bot"] is None else 2
    if people < fewest:
        return ApiError(409, "too_few", f"at least {fewest} have to take part")
    if not any(one["guest"] for one in current.entrants):
        return ApiError(409, "too_few", "computer players do not play among themselves")
    return None


# ---------------------------------------------------------------- views


def tournament_summary(row: dict[str, Any], guest: str, language: str) -> dict[str, Any]:
    """Render a tournament for a list."""
    return {
        **{name: row[name] for name in ("id", "name", "kind", "game", "status", "created", "people")},
        "title": game_info(row["game"], language)["title"],
        "organises": row["creator"] == guest,
    }


def tournament_view(
    current: Current,
    tables: Tables,
    organiser: str | None,
    guest: str | None,
    language: str,
) -> dict[str, Any]:
    """Render a tournament."""
    row, me = current.row, current.number_of(guest)
    known = any(one["guest"] == guest for one in current.entrants if guest)
    begun = row["status"] != "open"
    full = len(current.entrants) >= (row["seats"] if row["kind"] == "series" else MOST_ENTRANTS)
    games = [game_view(one, tables) for one in current.pairings]
    mine = [one["table"] for one in games if one["status"] != OVER and me is not None and me in one["seats"]]
    rounds: dict[int, dict[int, list[dict[str, Any]]]] = {}
    for one, game in zip(current.pairings, games, strict=True):
        rounds.setdefault(one.round_no, {}).setdefault(one.match_no, []).append(game)
    return {
        **{name: row[name] for name in ("id", "name", "kind", "game", "seats", "games", "clock", "rated", "status", "created")},
        "title": game_info(row["game"], language)["title"],
        "bot": None if row["bot"] is None else {"bot": row["bot"], "name": bot_name(row["bot"], language)},
        "round": max(rounds, default=0),
        "rounds": total_rounds(current.form, len(current.entrants)) if begun else None,
        "organiser": organiser,
        "organises": guest == row["creator"],
        "me": me,
        "next": mine[0] if mine and not current.entrant(me)["bot"] else None,
        "joinable": not begun and not known and not full,
        "startable": not begun and guest == row["creator"] and not_startable(current) is None,
        "entrants": [
            entrant_view(current, current.entrant(one.number), language, guest)
            | {
                "place": one.place if begun else None,
                "points": round(one.points, 2),
                "tie_break": round(one.tie_break, 2),
                **{name: getattr(one, name) for name in ("played", "won", "drawn", "lost")},
            }
            for one in standings(current.form, current.order, current.removed, current.pairings)
        ],
        "matches": [[{"games": match} for match in matches.values()] for matches in rounds.values()],
    }


def entrant_view(current: Current, one: dict[str, Any], language: str, guest: str | None) -> dict[str, Any]:
    """Render who somebody is."""
    return {
        "number": one["number"],
        "name": one["name"],
        "bot_name": bot_name(one["bot"], language) if one["bot"] else None,
        "person": one["guest"] is not None or one["bot"] is None,
        "mine": guest is not None and one["guest"] == guest,
        "organiser": one["guest"] is not None and one["guest"] == current.row["creator"],
        "removed": one["removed"],
    }


def game_view(one: Encounter, tables: Tables) -> dict[str, Any]:
    """Render a game."""
    status, players = tables.get(one.table or "", (OVER if one.places is not None else WAITING, []))
    missing = [who for who, player in zip(one.seats, players, strict=False) if player["kind"] == OPEN]
    return {
        "table": one.table,
        "status": status,
        "seats": list(one.seats),
        "places": None if one.places is None else list(one.places),
        "missing": missing if status == WAITING else [],
    }
