"""New tables: founded, found for anyone, imported, for a return game."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from azalai.engine.game import Game
from azalai.engine.position import Position
from azalai.server import commands
from azalai.server.catalog import check_bot, check_options
from azalai.server.errors import ApiError
from azalai.server.guests import Guest, clean_text
from azalai.server.registry import LONG_JOURNAL, first_rows, new_table, player_rows
from azalai.server.schemas import requests
from azalai.server.server import Server
from azalai.server.store import Conflict
from azalai.server.table import BOT, DEFAULT_BOT, HUMAN, OPEN, WAITING, Entry, Seat, Table
from azalai.server.variants import Changes, read_changes


async def create(server: Server, guest: Guest, body: requests.NewTable, seek: bool = False) -> str:
    """Create a table; return its id. `seek`: it is for whoever looks for anyone."""
    _check_creations(server, guest, "new tables")
    await server.check_table_limit(guest)
    origin = await _origin(server, body) if body.origin is not None else None
    game = await _game(server, guest, body) if origin is None else origin.game
    commands.check_count(game, len(body.seats))
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
        **_variant(game),
        **({"seek": True} if seek else {}),
    }
    if body.rated:
        check_rated(guest, body, options, check_options(game, len(body.seats), {}))
        setup["time_out"] = "lose"
    commands.check_clock(body.clock)
    sits = [Entry("sit", number, await seat_data(server, one, guest, game)) for number, one in enumerate(body.seats)]
    table = new_table(game, guest.id, options, setup, public=body.public)
    commands.check_rated_bots(table, [one.bot for one in body.seats], len(body.seats))
    entries = commands.started(table, sits)
    if origin is not None:
        if entries[-1].kind != "start":
            raise ApiError(422, "open_seats", "a game that goes on from a moment cannot have open seats")
        table.seed = origin.seed if origin.seed is not None else table.seed
        entries += [Entry("move", seat, {"move": move.text}) for seat, move in origin.history]
    await server.guests.store_name(guest.id, guest.name)
    await _store_new_table(server, table, entries)
    await server.vacations.sat_down(guest, table.id)
    return table.id


async def seek(server: Server, guest: Guest, name: str) -> str:
    """Seat a guest with anyone who waits for anyone in the same game; else at a table where they wait. Return its id."""
    game = await server.catalog.game(name)
    apart = await server.people.apart(guest.id)
    async with server.store.exclusive():
        for row in reversed(await server.lobby.waiting_tables(game.name, limit=100)):  # who waits longest comes first
            players = {one["guest"] for one in row["players"]} - {None}
            if row["setup"].get("seek") and guest.id not in players and not players & apart:
                with suppress(ApiError):  # somebody has sat down there by its link
                    await server.take_seat(guest, row["id"], requests.TakeSeat(), lambda table: None)
                    return str(row["id"])
        for row in await server.lists.of_guest(guest.id, (WAITING,), game=game.name):
            if row["setup"].get("seek"):
                return str(row["id"])
        fewest = min(game.seats)
        seats = [requests.NewSeat(kind="me"), requests.NewSeat(kind="open")]
        seats += [requests.NewSeat(kind="bot", bot=DEFAULT_BOT)] * (fewest - 2)
        return await create(server, guest, requests.NewTable(game=game.name, seats=seats, public=True), seek=True)


async def import_record(server: Server, guest: Guest, position: Position) -> str:
    """Create a table that shows a recorded game."""
    _check_creations(server, guest, "imports")
    assert position.seed is not None
    setup = {"seats": position.seats, "imported": True, **_variant(position.game)}
    table = new_table(position.game, guest.id, position.options, setup)
    table.seed = position.seed
    sits = [Entry("sit", seat, {"kind": OPEN}) for seat in range(position.seats)]
    sits[0] = Entry("sit", 0, {"kind": OPEN, "guest": guest.id})
    moves = [Entry("move", seat, {"move": move.text}) for seat, move in position.history]
    await _store_new_table(server, table, [*sits, Entry("start"), *moves])
    return table.id


async def rematch(server: Server, guest: Guest, table_id: str) -> str:
    """Create the return game once; return its id. Computer players come along, and seats are kept for those who played."""

    def decide(table: Table, at: int) -> list[Entry]:
        entries = commands.rematch(table, guest)
        if entries:
            _check_creations(server, guest, "new tables")
        return entries

    old: Table = await server.registry.execute(table_id, decide, render=lambda table: table)
    assert old.rematch is not None
    if await server.store.table(old.rematch) is None:
        await server.check_table_limit(guest)
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
            await _store_new_table(server, table, commands.started(table, sits))
            for one in {seat.guest for seat in table.seats if seat.guest is not None}:
                await server.vacations.sat_down(await server.guests.get(one), table.id)
    return old.rematch


async def seat_data(server: Server, body: requests.NewSeat, guest: Guest, game: Any) -> dict[str, Any]:
    """Return the entry data for a seat of a new table."""
    if body.kind == "friend":
        friend = await server.people.find(guest.id, body.person or "")
        if friend.guest in await server.people.apart(guest.id):
            raise ApiError(403, "blocked", f"you and {friend.name} do not play with each other")
        return {"kind": OPEN, "guest": friend.guest, "name": friend.name}
    if body.kind == "bot":
        if body.bot is None:
            raise ApiError(422, "no_such_bot", "say which computer player: bot")
        return {"kind": BOT, "bot": check_bot(body.bot, game)}
    if body.kind == "open":
        return {"kind": OPEN}
    name = clean_text(body.name or "", server.settings.limits.name_length)
    return {"kind": HUMAN, "guest": guest.id, "name": name or guest.name}


def rematch_seat(seat: Seat, guest: Guest) -> dict[str, Any]:
    """Return the entry data for a seat of a return game that `guest` asked for."""
    if seat.guest == guest.id:
        return {"kind": HUMAN, "guest": guest.id, "name": seat.name or guest.name}
    if seat.guest is None and seat.kind == BOT:
        return {"kind": BOT, "bot": seat.bot}
    return {"kind": OPEN, "guest": seat.guest, "name": seat.name}


async def load_variant(server: Server, guest: Guest, name: str, changes: Changes) -> Game:
    """Return a variant that a guest brings along; raise an error where it cannot be played or they bring too many."""
    server.rate_limiter.check(server.rate_limiter.variants, server.broadcaster.address_of(guest.id), "variants from this address")
    await server.catalog.variants.check(name, changes)
    return await server.catalog.game(name, changes)


async def _game(server: Server, guest: Guest, body: requests.NewTable) -> Game:
    game = await server.catalog.game(body.game)
    if not body.components:
        return game
    if body.rated:
        raise ApiError(422, "rated", "a rated table cannot have changed components")
    return await load_variant(server, guest, game.name, read_changes(game.name, body.components))


def _variant(game: Game) -> dict[str, Any]:
    """Return what a table's setup says about a variant."""
    return {"components": game.changes} if game.variant else {}


async def _origin(server: Server, body: requests.NewTable) -> Position:
    """Return the position to go on from. Its game may be a variant, which the new table then has, too."""
    assert body.origin is not None
    if body.components:
        raise ApiError(422, "bad_origin", "a game that goes on from a moment has the components of that game")
    async with server.registry.locked(body.origin.table) as table:
        if not table.finished:
            raise ApiError(409, "not_over", "one can only go on from games that are over")
        if table.game.name != body.game or len(table.seats) != len(body.seats) or table.skipped:
            raise ApiError(422, "bad_origin", f"that game is {table.game.name} for {len(table.seats)}")
        if body.origin.ply > table.ply or (position := table.at_ply(body.origin.ply)).over:
            raise ApiError(422, "bad_origin", f"that game can be gone on with from ply 0 to ply {table.ply - 1}")
        return position.copy()


async def _store_new_table(server: Server, table: Table, entries: list[Entry]) -> None:
    """Store a new table with its first entries."""
    lease = int(server.settings.lease * 1000)
    long = len(entries) > LONG_JOURNAL
    row, numbered = await asyncio.to_thread(first_rows, table, entries, lease) if long else first_rows(table, entries, lease)
    await server.store.create(row, numbered, player_rows(table))
    await server.announce(table)


def _check_creations(server: Server, guest: Guest, what: str) -> None:
    server.rate_limiter.check_creation(guest.id, server.broadcaster.address_of(guest.id), what)


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
