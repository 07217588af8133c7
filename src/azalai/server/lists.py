"""Lists of tables: public ones, a guest's own, and those at which a seat is kept for a guest."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.orm import InstrumentedAttribute

from azalai.server.rows import PlayerRow, TableRow

UNFINISHED, FINISHED = ("waiting", "playing"), ("over", "imported")
PAGE = 50

Outcome = Literal["won", "lost"]


class ListMark(NamedTuple):
    """Where a list goes on: after the table with this time and id."""

    time: int
    table_id: str

    @classmethod
    def read(cls, text: str | None) -> ListMark | None:
        """Read a mark from its text."""
        return cls(int(text.partition("-")[0]), text.partition("-")[2]) if text else None


class TableLists:
    """Reads lists of tables, latest first, each with its players."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    async def public(
        self, status: str, *, since: int, game: str | None = None, before: ListMark | None = None, limit: int = PAGE
    ) -> list[dict[str, Any]]:
        """Return public tables that have changed after `since`."""
        query = select(TableRow.__table__).where(TableRow.public, TableRow.status == status, TableRow.updated >= since)
        if game is not None:
            query = query.where(TableRow.game == game)
        return await self._read(query, TableRow.updated, before, limit)

    async def of_guest(
        self,
        guest: str,
        statuses: tuple[str, ...],
        *,
        game: str | None = None,
        opponent: str | None = None,
        outcome: Outcome | None = None,
        before: ListMark | None = None,
        limit: int = PAGE,
    ) -> list[dict[str, Any]]:
        """Return a guest's tables: of one game, with an opponent whose name contains a text, won or lost."""
        sits = or_(PlayerRow.kind != "open", TableRow.status == "imported")  # not: a seat is kept for them
        mine = [PlayerRow.guest == guest, sits]
        if outcome is not None:
            mine.append(PlayerRow.place == 1 if outcome == "won" else PlayerRow.place > 1)
        query = select(TableRow.__table__).where(TableRow.status.in_(statuses), _has_player(*mine))
        if opponent:
            query = query.where(_has_player(PlayerRow.guest != guest, PlayerRow.name.icontains(opponent, autoescape=True)))
        if game is not None:
            query = query.where(TableRow.game == game)
        return await self._read(query, TableRow.acted, before, limit)

    async def invitations(self, guest: str) -> list[dict[str, Any]]:
        """Return the tables at which others wait and a seat is kept for a guest."""
        query = select(TableRow.__table__).where(
            TableRow.status == "waiting",
            TableRow.creator != guest,
            _has_player(PlayerRow.guest == guest, PlayerRow.kind == "open"),
            ~_has_player(PlayerRow.guest == guest, PlayerRow.kind != "open"),
        )
        return await self._read(query, TableRow.updated, None, PAGE)

    async def count_unfinished(self, guest: str) -> int:
        """Return how many unfinished tables a guest sits at."""
        query = (
            select(func.count(TableRow.id.distinct()))
            .join(PlayerRow, PlayerRow.table_id == TableRow.id)
            .where(PlayerRow.guest == guest, PlayerRow.kind != "open", TableRow.status.in_(UNFINISHED))
        )
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def _read(
        self, query: Select[Any], order: InstrumentedAttribute[int], before: ListMark | None, limit: int
    ) -> list[dict[str, Any]]:
        if before is not None:
            query = query.where(or_(order < before.time, and_(order == before.time, TableRow.id < before.table_id)))
        query = query.order_by(order.desc(), TableRow.id.desc()).limit(limit)
        async with self.engine.connect() as connection:
            tables = [dict(one._mapping) for one in await connection.execute(query)]
            players = await connection.execute(
                select(PlayerRow.__table__).where(PlayerRow.table_id.in_([one["id"] for one in tables])).order_by(PlayerRow.seat)
            )
            seated: dict[str, list[dict[str, Any]]] = {one["id"]: [] for one in tables}
            for one in players:
                seated[one.table_id].append(dict(one._mapping))
        return [{**one, "players": seated[one["id"]], "mark": f"{one[order.key]}-{one['id']}"} for one in tables]


def _has_player(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return select(PlayerRow.seat).where(PlayerRow.table_id == TableRow.id, *conditions).exists()
