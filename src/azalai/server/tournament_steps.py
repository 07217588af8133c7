"""A step of a tournament, in one transaction: results of tables that are over are noted, and what follows from them is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.engine import Connection

from azalai.engine.game import Game
from azalai.server import commands
from azalai.server.catalog import check_options, game_info
from azalai.server.changes import entry_row
from azalai.server.errors import ApiError
from azalai.server.guests import Guest, default_name
from azalai.server.pairings import Encounter, Format, next_pairings, settled
from azalai.server.registry import first_rows, new_table, player_rows
from azalai.server.rows import EntryRow, GuestRow, PlayerRow, TableRow
from azalai.server.server_time import now
from azalai.server.table import BOT, OPEN, OVER, PLAYING, WAITING, Entry, Table
from azalai.server.tournament_rows import EntrantRow, PairingRow, TournamentRow

MOST_ENTRANTS = 16


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


def without_absent(seats: dict[int, str | None], table: Table, at: int) -> list[Entry]:
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
