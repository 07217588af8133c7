"""What is kept about a person: all of it in one piece, and its deletion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.engine import Connection

from azalai.server.guests import new_guest
from azalai.server.puzzle_scores import PuzzleTryRow
from azalai.server.rows import (
    AttitudeRow,
    CallRow,
    CallSettingsRow,
    ContactRow,
    EntryRow,
    GuestRow,
    JobRow,
    PasskeyRow,
    PlayerRow,
    RatingRow,
    ReportRow,
    ResultRow,
    TableRow,
    TokenRow,
    VacationRow,
)
from azalai.server.table import HUMAN, OPEN, Entry
from azalai.server.tournament_rows import EntrantRow, TournamentRow

FORMAT = "azalai-person-1"


def tables_of(connection: Connection, guest: str) -> list[str]:
    """Return all tables that a guest has founded or sat at. It reads all journals, so not in the writer's transaction."""
    sits = select(EntryRow.table_id).where(EntryRow.kind == "sit", EntryRow.data["guest"].as_string() == guest)
    query = (
        select(TableRow.id).where(or_(TableRow.creator == guest, TableRow.id.in_(sits))).order_by(TableRow.created, TableRow.id)
    )
    return [one[0] for one in connection.execute(query).all()]


def entries_of(connection: Connection, table_id: str) -> list[Entry]:
    """Return the journal of a table."""
    chosen = select(EntryRow.kind, EntryRow.seat, EntryRow.data, EntryRow.number, EntryRow.at)
    return [Entry(*one) for one in connection.execute(chosen.where(EntryRow.table_id == table_id).order_by(EntryRow.number))]


def collect(connection: Connection, guest: str) -> dict[str, Any]:
    """Return everything that is kept about a guest. Secrets are kept as digests only, which are left out."""

    def rows(row: Any, *columns: str) -> list[dict[str, Any]]:
        query = select(*(getattr(row, one) for one in columns)).where(row.guest == guest).order_by(getattr(row, columns[-1]))
        return [dict(one._mapping) for one in connection.execute(query)]

    known = connection.execute(select(GuestRow.__table__).where(GuestRow.id == guest)).first()
    return {
        "format": FORMAT,
        "you": {"id": guest} if known is None else dict(known._mapping),
        "passkeys": rows(PasskeyRow, "id", "host", "label", "uses", "used", "created"),
        "tokens": rows(TokenRow, "kind", "label", "expires", "created"),
        "ratings": rows(RatingRow, "game", "players", "mu", "sigma", "games", "at"),
        "results": rows(
            ResultRow, "table_id", "seat", "game", "players", "rated", "place", "out", "mu", "sigma", "new_mu", "new_sigma", "at"
        ),
        "puzzles": rows(PuzzleTryRow, "puzzle", "game", "solved", "streak", "best_streak", "mu", "sigma", "at", "number"),
        "called": rows(CallSettingsRow, "language", "zone", "quiet_from", "quiet_to", "turn", "invited", "over", "called"),
        "contacts": rows(ContactRow, "id", "kind", "address", "created"),
        "vacations": rows(VacationRow, "until", "begins"),
        "people": rows(AttitudeRow, "blocked", "muted", "other"),
        "tournaments": _tournaments(connection, guest),
        "hints": rows(JobRow, "id", "table_id", "kind", "request", "status", "created"),
        "tables": [_own_part(connection, table_id, guest) for table_id in tables_of(connection, guest)],
    }


def _tournaments(connection: Connection, guest: str) -> list[dict[str, Any]]:
    """Return the tournaments that a guest organises or takes part in."""
    columns = (TournamentRow.id, TournamentRow.name, TournamentRow.kind, TournamentRow.game, TournamentRow.created)
    query = select(*columns, TournamentRow.creator, EntrantRow.number, EntrantRow.removed).order_by(TournamentRow.created)
    mine = and_(EntrantRow.tournament_id == TournamentRow.id, EntrantRow.guest == guest)
    query = query.outerjoin(EntrantRow, mine).where(or_(TournamentRow.creator == guest, EntrantRow.guest == guest))
    found = [dict(one._mapping) for one in connection.execute(query)]
    return [{**one, "organised": one.pop("creator") == guest} for one in found]


def _own_part(connection: Connection, table_id: str, guest: str) -> dict[str, Any]:
    """Return a table and what a guest has decided and said there. No secret of a running game: no seed, nothing of others."""
    columns = (TableRow.id, TableRow.game, TableRow.rules, TableRow.options, TableRow.created, TableRow.updated, TableRow.status)
    table = connection.execute(select(*columns, TableRow.creator).where(TableRow.id == table_id)).one()._mapping
    decisions, said, names = [], [], set()
    for entry, holder in with_holders(entries_of(connection, table_id)):
        if holder.get("guest") != guest:
            continue
        if entry.kind == "sit":
            names.add(holder.get("name", ""))
        elif entry.kind == "move" and holder["kind"] == HUMAN:
            decisions.append({"at": entry.at, "seat": entry.seat, "move": entry.data["move"]})
        elif entry.kind == "chat":
            said.append({"at": entry.at, **entry.data})
    founded = table["creator"] == guest
    own = {name: table[name] for name in table if name != "creator"}
    return {**own, "founded": founded, "names": sorted(names), "decisions": decisions, "said": said}


def delete_guest(connection: Connection, guest: str, tables: list[str]) -> tuple[list[str], list[str]]:
    """Delete a guest, who has been at `tables`; return which tables are gone, and which have changed.

    Tables at which no other person ever sat are deleted. At others the guest becomes somebody without a name, and what they
    said is deleted. Results of these games stay without the guest, because ratings of others follow from them. A ban stays.
    """
    gone, changed = [], []
    for table_id in tables:
        entries = entries_of(connection, table_id)
        if not {entry.data.get("guest") for entry in entries if entry.kind == "sit"} - {None, guest}:
            gone.append(table_id)
            connection.execute(delete(TableRow).where(TableRow.id == table_id))
            connection.execute(delete(ResultRow).where(ResultRow.table_id == table_id))
            continue
        changed.append(table_id)
        nobody = new_guest()
        for number, data in without_guest(entries, guest, nobody):
            here = and_(EntryRow.table_id == table_id, EntryRow.number == number)
            connection.execute(update(EntryRow).where(here).values(data=data))
        seats = and_(PlayerRow.table_id == table_id, PlayerRow.guest == guest)
        connection.execute(update(PlayerRow).where(seats).values(guest=nobody, name=""))
        founder = and_(TableRow.id == table_id, TableRow.creator == guest)
        connection.execute(update(TableRow).where(founder).values(creator=nobody))
    for row in (
        TokenRow,
        JobRow,
        PasskeyRow,
        RatingRow,
        PuzzleTryRow,
        CallRow,
        ContactRow,
        CallSettingsRow,
        VacationRow,
        AttitudeRow,
        ReportRow,
    ):
        connection.execute(delete(row).where(row.guest == guest))
    _leave_tournaments(connection, guest)
    connection.execute(delete(AttitudeRow).where(AttitudeRow.other == guest))
    connection.execute(delete(ReportRow).where(ReportRow.reporter == guest))
    connection.execute(update(ResultRow).where(ResultRow.guest == guest).values(guest=None))
    connection.execute(delete(GuestRow).where(GuestRow.id == guest, GuestRow.banned.is_(None)))
    connection.execute(update(GuestRow).where(GuestRow.id == guest).values(name="", player=None, shown=None))
    return gone, changed


def _leave_tournaments(connection: Connection, guest: str) -> None:
    """Take a guest out of all tournaments, as somebody without a name who was removed, and delete what they called theirs.

    A tournament without another person is deleted, and one that has not begun without its organiser.
    """
    mine = TournamentRow.creator == guest
    others = select(EntrantRow.number).where(
        EntrantRow.tournament_id == TournamentRow.id, EntrantRow.guest.is_not(None), EntrantRow.guest != guest
    )
    entered = TournamentRow.id.in_(select(EntrantRow.tournament_id).where(EntrantRow.guest == guest))
    connection.execute(delete(TournamentRow).where(mine, TournamentRow.status == "open"))
    connection.execute(delete(TournamentRow).where(or_(mine, entered), ~others.exists()))
    connection.execute(update(TournamentRow).where(mine).values(creator=new_guest(), name=""))
    not_begun = select(TournamentRow.id).where(TournamentRow.status == "open")
    connection.execute(delete(EntrantRow).where(EntrantRow.guest == guest, EntrantRow.tournament_id.in_(not_begun)))
    connection.execute(update(EntrantRow).where(EntrantRow.guest == guest).values(guest=None, bot=None, removed=True))


def with_holders(entries: list[Entry]) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """Yield the entries of a journal, each with who holds its seat: the data of the entry that seated them."""
    seats: dict[int, dict[str, Any]] = {}
    for entry in entries:
        if entry.kind == "sit" and entry.seat is not None:
            seats[entry.seat] = entry.data
        elif entry.kind == "start":  # open seats go away, and the others are numbered anew
            seats = dict(enumerate(seats[one] for one in sorted(seats) if seats[one]["kind"] != OPEN)) or seats
        yield entry, {} if entry.seat is None else seats.get(entry.seat, {})


def without_guest(entries: list[Entry], guest: str, nobody: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the numbers and new data of the entries of a journal that tell of a guest, who becomes `nobody`."""
    for entry, holder in with_holders(entries):
        data = entry.data
        if entry.kind == "sit":
            own = {"guest": nobody, "name": ""} if data.get("guest") == guest else {}
            removed = {"removed": [nobody]} if guest in data.get("removed", ()) else {}
            if own or removed:
                yield entry.number, {**data, **own, **removed}
        elif entry.kind == "chat" and holder.get("guest") == guest:
            yield entry.number, {"name": "", "text": ""}
