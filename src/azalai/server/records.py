"""Records and results of finished tables."""

from __future__ import annotations

import asyncio
from typing import Any

from azalai.engine.record import to_record
from azalai.server.errors import ApiError
from azalai.server.registry import player_rows
from azalai.server.server import Server
from azalai.server.table import OVER, journal_record


async def record(server: Server, table_id: str) -> dict[str, Any]:
    """Return the record of a finished table; of one that cannot be replayed any more, from its journal."""
    try:
        async with server.registry.locked(table_id) as table:
            if not table.finished or table.position is None:
                raise ApiError(403, "not_over", "the record holds every secret of the game: it is for when the game is over")
            old = bool(table.skipped)
    except ApiError as error:
        if error.code != "old_rules":
            raise
        old = True
    if old:
        row = await server.store.table(table_id)
        assert row is not None
        return journal_record(row, await server.store.entries(table_id))
    async with server.registry.locked(table_id) as table:
        assert table.position is not None
        position = table.position.copy()
        names = [seat.name or seat.bot or "" for seat in table.seats]
        end = table.ended
    record = await asyncio.to_thread(to_record, position)
    return {**record, "players": names, **({"ended": end} if end else {})}


async def with_result(server: Server, row: dict[str, Any]) -> dict[str, Any]:
    """Add the result to a finished table's row that was stored by a version that did not note results."""
    if row["status"] != OVER or row["players"][0]["place"] is not None:
        return row
    try:
        async with server.registry.locked(row["id"]) as table:
            players = player_rows(table)
    except ApiError:  # by rules that this version does not know
        return row
    await server.store.set_players(row["id"], players)
    return {**row, "players": players}
