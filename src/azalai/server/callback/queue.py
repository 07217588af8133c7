"""The rows behind calls: settings, contacts, what is to be told, and messages that wait to be sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Executable, Integer, and_, cast, delete, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from azalai.server.ids import new_id
from azalai.server.rows import CallRow, CallSettingsRow, ContactRow, DeliveryRow, PlayerRow, TableRow
from azalai.server.server_time import now
from azalai.server.store import Store

MONTH = 30 * 86_400_000
DEFAULTS: dict[str, Any] = {
    "language": "en",
    "zone": "UTC",
    "quiet_from": None,
    "quiet_to": None,
    "turn": True,
    "invited": True,
    "over": True,
    "called": 0,
    "feed": None,
}


class CallQueue:
    """Reads and writes the rows. Every claim is one statement, so that of several processes one gets it."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def _all(self, query: Any) -> list[dict[str, Any]]:
        async with self.store.engine.connect() as connection:
            return [dict(one._mapping) for one in await connection.execute(query)]

    def _insert(self, row: Any) -> Any:
        return postgresql.insert(row) if self.store.shared else sqlite.insert(row)

    # ------------------------------------------------------------ settings

    async def settings(self, guest: str) -> dict[str, Any]:
        """Return a guest's settings, or the default ones."""
        found = await self._all(select(CallSettingsRow.__table__).where(CallSettingsRow.guest == guest))
        return found[0] if found else {"guest": guest, **DEFAULTS}

    async def set_settings(self, guest: str, **values: Any) -> None:
        """Change some of a guest's settings."""
        statement = self._insert(CallSettingsRow).values(guest=guest, **{**DEFAULTS, **values})
        statement = statement.on_conflict_do_update(index_elements=["guest"], set_=values)
        await self.store.transact(lambda connection: connection.execute(statement))

    async def guest_of_feed(self, digest: str) -> str | None:
        """Return whose feed has a secret with this digest."""
        found = await self._all(select(CallSettingsRow.guest).where(CallSettingsRow.feed == digest))
        return str(found[0]["guest"]) if found else None

    # ------------------------------------------------------------ contacts

    async def reachable(self, guest: str | None = None) -> set[str]:
        """Return the guests who have a contact; of one guest, whether they have."""
        query = select(ContactRow.guest).where(ContactRow.confirmed.is_not(None)).distinct()
        return {one["guest"] for one in await self._all(query if guest is None else query.where(ContactRow.guest == guest))}

    async def contacts(self, guest: str) -> list[dict[str, Any]]:
        """Return a guest's contacts."""
        return await self._all(select(ContactRow.__table__).where(ContactRow.guest == guest).order_by(ContactRow.created))

    async def contact(self, contact_id: str) -> dict[str, Any] | None:
        """Return a contact."""
        found = await self._all(select(ContactRow.__table__).where(ContactRow.id == contact_id))
        return found[0] if found else None

    async def add_contact(self, contact: dict[str, Any]) -> str:
        """Store a contact in place of an equal one, and return its id. A browser that was another guest's is this guest's now."""

        def work(connection: Connection) -> str:
            same = ContactRow.digest == contact["digest"]
            known = connection.execute(select(ContactRow.id, ContactRow.guest, ContactRow.confirmed).where(same)).first()
            if known is not None and known.guest == contact["guest"]:
                kept = known.confirmed or contact["confirmed"]
                values = {"keys": contact["keys"], "confirmed": kept, "problem": None}
                connection.execute(update(ContactRow).where(same).values(values))
                return str(known.id)
            connection.execute(delete(ContactRow).where(same))
            connection.execute(insert(ContactRow), [contact])
            return str(contact["id"])

        return await self.store.transact(work)

    async def confirm(self, contact_id: str) -> bool:
        """Let messages be sent to a contact; return whether it exists."""
        change = update(ContactRow).where(ContactRow.id == contact_id).values(confirmed=now(), problem=None)
        return bool(await self.store.transact(lambda connection: connection.execute(change).rowcount))

    async def drop_contacts(self, guest: str | None = None, contact_id: str | None = None, kind: str | None = None) -> int:
        """Delete a contact, or those of a guest; return how many there were."""
        chosen = [
            column == value
            for column, value in ((ContactRow.guest, guest), (ContactRow.id, contact_id), (ContactRow.kind, kind))
            if value is not None
        ]
        assert chosen
        return int(await self.store.transact(lambda connection: connection.execute(delete(ContactRow).where(*chosen)).rowcount))

    async def set_problem(self, contact_id: str, problem: str | None, usable: bool = True) -> None:
        """Note why messages do not arrive; one that is not usable gets none until the guest sets it up anew."""
        values: dict[str, Any] = {"problem": problem} if usable else {"problem": problem, "confirmed": None}
        statements: list[tuple[Executable]] = [(update(ContactRow).where(ContactRow.id == contact_id).values(values),)]
        if not usable:
            statements.append((delete(DeliveryRow).where(DeliveryRow.contact == contact_id),))
        await self.store.execute(*statements)

    # ------------------------------------------------------------ calls

    async def add_calls(self, calls: Iterable[dict[str, Any]]) -> None:
        """Store what is to be told, unless it has been stored before."""
        rows = list(calls)
        if rows:
            statement = self._insert(CallRow).values(rows).on_conflict_do_nothing()
            await self.store.transact(lambda connection: connection.execute(statement))

    async def due_guests(self, limit: int = 100) -> list[str]:
        """Return guests who have to be told something now."""
        query = select(CallRow.guest).where(CallRow.due <= now()).group_by(CallRow.guest)
        return [one["guest"] for one in await self._all(query.order_by(func.min(CallRow.due)).limit(limit))]

    async def due_calls(self, guest: str) -> list[dict[str, Any]]:
        """Return what a guest has to be told now, oldest first."""
        query = select(CallRow.__table__).where(CallRow.guest == guest, CallRow.due <= now())
        return await self._all(query.order_by(CallRow.created, CallRow.table_id).limit(200))

    async def postpone(self, guest: str, until: int) -> None:
        """Tell a guest nothing before a time."""
        change = update(CallRow).where(CallRow.guest == guest, CallRow.due < until).values(due=until)
        await self.store.transact(lambda connection: connection.execute(change))

    async def set_due(self, calls: list[dict[str, Any]], due: int | None) -> None:
        """Set when calls are due; None: never again."""
        if calls:
            await self.store.transact(lambda connection: _set_due(connection, calls, due))

    async def write_message(self, settings: dict[str, Any], calls: list[dict[str, Any]], rows: list[dict[str, Any]]) -> None:
        """Mark calls as told and queue their message for every contact, unless another process was first."""
        called = max(now(), settings["called"] + 1)

        def work(connection: Connection) -> None:
            unchanged = (CallSettingsRow.guest == settings["guest"], CallSettingsRow.called == settings["called"])
            if connection.execute(update(CallSettingsRow).where(*unchanged).values(called=called)).rowcount:
                _set_due(connection, calls, None)
                connection.execute(insert(DeliveryRow), rows)

        await self.store.transact(work)

    async def missed_since(self, time: int, guest: str | None = None) -> list[str]:
        """Return tables that have changed since a time and have something to tell that was not stored: their process has died.

        Of one guest: tables that have changed since they have a contact, of which a process may not have heard yet.
        """
        asked = cast(TableRow.pending.op(">>")(cast(PlayerRow.seat, Integer)), Integer).op("&")(1) == 1
        tells = or_(
            and_(TableRow.status == "playing", PlayerRow.kind == "human", asked),
            and_(TableRow.status == "waiting", PlayerRow.kind == "open"),
            TableRow.status == "over",
        )
        stored = select(CallRow.number).where(
            CallRow.guest == PlayerRow.guest, CallRow.table_id == TableRow.id, CallRow.created >= TableRow.updated
        )
        played = select(TableRow.id).join(PlayerRow, PlayerRow.table_id == TableRow.id)
        query = played.join(ContactRow, ContactRow.guest == PlayerRow.guest).distinct()
        query = query.where(ContactRow.confirmed.is_not(None), TableRow.updated >= time, tells, ~stored.exists())
        if guest is not None:
            query = query.where(PlayerRow.guest == guest, TableRow.updated >= ContactRow.confirmed)
        return [one["id"] for one in await self._all(query)]

    async def prune(self) -> None:
        """Delete what was told long ago."""
        old = delete(CallRow).where(CallRow.created < now() - MONTH, CallRow.due.is_(None))
        await self.store.transact(lambda connection: connection.execute(old))

    # ------------------------------------------------------------ deliveries

    async def add_deliveries(self, rows: list[dict[str, Any]]) -> None:
        """Queue messages."""
        if rows:
            await self.store.transact(lambda connection: connection.execute(insert(DeliveryRow), rows))

    async def due_deliveries(self, limit: int) -> list[dict[str, Any]]:
        """Return messages that are to be sent now, with their contacts."""
        chosen = select(
            DeliveryRow.id.label("delivery"),
            DeliveryRow.message,
            DeliveryRow.created.label("written"),
            DeliveryRow.due,
            DeliveryRow.attempts,
            ContactRow.__table__,
        )
        query = chosen.join(ContactRow, ContactRow.id == DeliveryRow.contact)
        return await self._all(query.where(DeliveryRow.due <= now()).order_by(DeliveryRow.due).limit(limit))

    async def claim_delivery(self, delivery: dict[str, Any], until: int) -> bool:
        """Take a message to send it; False if another process has."""
        seen = (DeliveryRow.id == delivery["delivery"], DeliveryRow.due == delivery["due"])
        change = update(DeliveryRow).where(*seen).values(due=until, attempts=DeliveryRow.attempts + 1)
        return bool(await self.store.transact(lambda connection: connection.execute(change).rowcount))

    async def retry(self, delivery_id: str, due: int) -> None:
        """Send a message again later."""
        change = update(DeliveryRow).where(DeliveryRow.id == delivery_id).values(due=due)
        await self.store.transact(lambda connection: connection.execute(change))

    async def drop_delivery(self, delivery_id: str) -> None:
        """Delete a message that was sent or given up."""
        query = delete(DeliveryRow).where(DeliveryRow.id == delivery_id)
        await self.store.transact(lambda connection: connection.execute(query))


def _set_due(connection: Connection, calls: list[dict[str, Any]], due: int | None) -> None:
    same = or_(
        *(
            (CallRow.guest == one["guest"])
            & (CallRow.table_id == one["table_id"])
            & (CallRow.kind == one["kind"])
            & (CallRow.number == one["number"])
            for one in calls
        )
    )
    connection.execute(update(CallRow).where(same).values(due=due))


def delivery_row(contact_id: str, message: Any) -> dict[str, Any]:
    """Return the row of a message to one contact."""
    return {"id": new_id(), "contact": contact_id, "message": message, "created": now(), "due": now(), "attempts": 0}
