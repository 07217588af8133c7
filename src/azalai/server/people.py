"""People who have played with each other, and what they want of each other."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from sqlalchemy import delete, func, insert, or_, select
from sqlalchemy.orm import aliased

from azalai.server.errors import ApiError
from azalai.server.guests import default_name
from azalai.server.rows import AttitudeRow, GuestRow, PlayerRow, ReportRow, TableRow
from azalai.server.store import Store

MOST_PEOPLE = 200  # of those a guest has played with, the latest
CACHED = 50_000


class Person(NamedTuple):
    """Somebody a guest has played with or has blocked or muted."""

    guest: str
    name: str
    games: int
    last: int | None  # when they last played together
    blocked: bool
    muted: bool

    def shown(self) -> dict[str, Any]:
        """Render the person, without the guest's private id."""
        return {"person": person_id(self.guest), **{name: getattr(self, name) for name in self._fields if name != "guest"}}


class People:
    """Whom guests know."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._apart: dict[str, frozenset[str]] = {}

    async def known(self, guest: str) -> list[Person]:
        """Return the people a guest has played with, latest first, and others whom they have blocked or muted."""
        mine, others = aliased(PlayerRow), aliased(PlayerRow)
        last = func.max(TableRow.acted)
        played = (
            select(others.guest, func.max(GuestRow.name), func.count(TableRow.id.distinct()), last)
            .select_from(mine)
            .join(TableRow, TableRow.id == mine.table_id)
            .join(others, others.table_id == mine.table_id)
            .outerjoin(GuestRow, GuestRow.id == others.guest)
            .where(mine.guest == guest, others.guest != guest, others.name != "", TableRow.status.in_(("playing", "over")))
            .group_by(others.guest)
            .order_by(last.desc())
            .limit(MOST_PEOPLE)
        )
        wanted = (
            select(AttitudeRow.other, GuestRow.name, AttitudeRow.blocked, AttitudeRow.muted)
            .outerjoin(GuestRow, GuestRow.id == AttitudeRow.other)
            .where(AttitudeRow.guest == guest)
        )
        async with self.store.engine.connect() as connection:
            met = (await connection.execute(played)).all()
            attitudes = {one[0]: one for one in await connection.execute(wanted)}
        people = []
        for one, name, games, at in met:
            assert one is not None
            attitude = attitudes.pop(one, None)
            blocked, muted = (attitude[2], attitude[3]) if attitude else (False, False)
            people.append(Person(one, name or default_name(one), games, at, blocked, muted))
        rest = [Person(other, name or default_name(other), 0, None, *wishes) for other, name, *wishes in attitudes.values()]
        return [*people, *rest]

    async def find(self, guest: str, person: str) -> Person:
        """Return one of the people a guest knows."""
        found = next((one for one in await self.known(guest) if person_id(one.guest) == person), None)
        if found is None:
            raise ApiError(404, "no_such_person", "you have not played with such a person")
        return found

    async def attitudes(self, guest: str, others: list[str]) -> dict[str, tuple[bool, bool]]:
        """Return which of some others a guest has blocked and muted."""
        query = select(AttitudeRow.other, AttitudeRow.blocked, AttitudeRow.muted).where(
            AttitudeRow.guest == guest, AttitudeRow.other.in_(others)
        )
        async with self.store.engine.connect() as connection:
            return {one[0]: (one[1], one[2]) for one in await connection.execute(query)}

    async def set_attitude(self, guest: str, other: str, blocked: bool, muted: bool) -> None:
        """Block or mute somebody, or no more."""
        row = {"guest": guest, "other": other, "blocked": blocked, "muted": muted}
        gone = (delete(AttitudeRow).where(AttitudeRow.guest == guest, AttitudeRow.other == other),)
        await self.store.execute(*((gone, (insert(AttitudeRow), [row])) if blocked or muted else (gone,)))
        self.forget(guest)
        self.forget(other)

    async def report(self, row: dict[str, Any]) -> None:
        """Store a report for the operator."""
        await self.store.execute((insert(ReportRow), [row]))

    async def apart(self, guest: str) -> frozenset[str]:
        """Return those who do not play with a guest: whom they have blocked, and who have blocked them."""
        known = self._apart.get(guest)
        if known is None:
            query = select(AttitudeRow.guest, AttitudeRow.other).where(
                or_(AttitudeRow.guest == guest, AttitudeRow.other == guest), AttitudeRow.blocked
            )
            async with self.store.engine.connect() as connection:
                known = frozenset(one for pair in await connection.execute(query) for one in pair) - {guest}
            if len(self._apart) > CACHED:
                self._apart.clear()
            self._apart[guest] = known
        return known

    def forget(self, guest: str | None = None) -> None:
        """Forget what is cached of a guest, or of all, because it may have changed."""
        if guest is None:
            self._apart.clear()
        else:
            self._apart.pop(guest, None)


def person_id(guest: str) -> str:
    """Return the name of a guest in addresses: it tells others nothing about the guest's private id."""
    return hashlib.sha256(f"person:{guest}".encode()).hexdigest()[:16]
