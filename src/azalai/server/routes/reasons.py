"""Why a move is not possible."""

from __future__ import annotations

import importlib
from typing import Annotated

from fastapi import APIRouter, Query

from azalai.engine.errors import IllegalMove
from azalai.engine.moves import Move
from azalai.server.catalog import translator_for
from azalai.server.errors import ApiError
from azalai.server.routes.common import AT_TABLES, Asker, Json, Language, TableId, TheServer
from azalai.server.routes.tables import SeatQuery
from azalai.server.schemas.tables import Reason
from azalai.server.table import Table
from azalai.server.views import Viewer, viewer_of

router = APIRouter(tags=["tables"], responses=AT_TABLES)


@router.get("/tables/{table_id}/reason", response_model=Reason, summary="Why a move is not possible")
async def why(
    server: TheServer,
    guest: Asker,
    language: Language,
    table_id: TableId,
    name: Annotated[str, Query(max_length=40, description="the kind of move")],
    values: Annotated[str, Query(max_length=80, pattern=r"^(\d{1,5}(,\d{1,5})*)?$", description="its arguments: `3,1`")] = "",
    seat: SeatQuery = None,
) -> Json:
    """Return why you cannot make a move that is not among your legal ones, from what your seat knows."""
    async with server.registry.locked(table_id) as table:
        viewer = viewer_of(table, guest.id if guest else None, seat, language)
        move = _move(table, name, [int(value) for value in values.split(",") if value])
        return Json({"text": _reason(table, viewer, move) or None})


def _move(table: Table, name: str, values: list[int]) -> Move:
    """Return a move by its kind and arguments, legal or not."""
    moves = table.game.moves
    kind = moves.kinds.get(name)
    if kind is None or len(values) != len(kind.args):
        raise ApiError(422, "bad_request", f"{table.game.name} has no move {name[:40]!r} with {len(values)} arguments")
    for (argument, domain), value in zip(kind.args, values, strict=True):
        if not domain.first <= value < domain.first + len(domain):
            raise ApiError(422, "bad_request", f"{value} is no {argument}")
    try:
        return moves[moves.encode(name, *values)]
    except IllegalMove as error:
        raise ApiError(422, "bad_request", str(error)) from None


def _reason(table: Table, viewer: Viewer, move: Move) -> str:
    """Ask the game's `extras/reasons.py`, if it has one."""
    game, seat = table.game, viewer.seat
    if table.position is None or seat is None or seat not in viewer.mine or seat not in table.pending:
        return ""
    if not (game.extras / "reasons.py").exists():
        return ""
    seen = table.position.seen_by(seat)
    if move.id in seen.move_ids(seat):
        return ""
    words = translator_for(game, len(table.seats), viewer.language).words
    text: str = importlib.import_module(f"{game.package}.extras.reasons").reason(seen.state, move, words)
    return text
