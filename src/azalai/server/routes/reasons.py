"""Why a move is not possible."""

from __future__ import annotations

import importlib
from typing import Annotated

from fastapi import APIRouter, Query

from azalai.engine.errors import IllegalMove
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.server.catalog import translator_for
from azalai.server.errors import ApiError
from azalai.server.routes.common import AT_TABLES, Asker, Json, Language, TableId, TheServer
from azalai.server.routes.tables import SeatQuery
from azalai.server.schemas.tables import Reason
from azalai.server.views import viewer_of

router = APIRouter(tags=["tables"], responses=AT_TABLES)
KindQuery = Annotated[str, Query(max_length=40, description="the kind of move")]
ValuesQuery = Annotated[str, Query(max_length=80, pattern=r"^(\d{1,5}(,\d{1,5})*)?$", description="its arguments: `3,1`")]


@router.get("/tables/{table_id}/reason", response_model=Reason, summary="Why a move is not possible")
async def why(
    server: TheServer,
    guest: Asker,
    language: Language,
    table_id: TableId,
    name: KindQuery,
    values: ValuesQuery = "",
    seat: SeatQuery = None,
) -> Json:
    """Return why you cannot make a move that is not among your legal ones, from what your seat knows."""
    async with server.registry.locked(table_id) as table:
        viewer = viewer_of(table, guest.id if guest else None, seat, language)
        move = find_move(table.game, name, values)
        if table.position is None or viewer.seat is None or viewer.seat not in viewer.mine or viewer.seat not in table.pending:
            return Json({"text": None})
        return Json({"text": reason_against(table.position.seen_by(viewer.seat), viewer.seat, move, language)})


def find_move(game: Game, name: str, values: str) -> Move:
    """Return a move by its kind and arguments, legal or not."""
    numbers = [int(value) for value in values.split(",") if value]
    kind = game.moves.kinds.get(name)
    if kind is None or len(numbers) != len(kind.args):
        raise ApiError(422, "bad_request", f"{game.name} has no move {name[:40]!r} with {len(numbers)} arguments")
    for (argument, domain), value in zip(kind.args, numbers, strict=True):
        if not domain.first <= value < domain.first + len(domain):
            raise ApiError(422, "bad_request", f"{value} is no {argument}")
    try:
        return game.moves[game.moves.encode(name, *numbers)]
    except IllegalMove as error:
        raise ApiError(422, "bad_request", str(error)) from None


def reason_against(seen: Position, seat: int, move: Move, language: str) -> str | None:
    """Ask the game's `extras/reasons.py`, if it has one; None for a legal move."""
    game = seen.game
    if move.id in seen.move_ids(seat) or not (game.extras / "reasons.py").exists():
        return None
    words = translator_for(game, seen.seats, language).words
    text: str = importlib.import_module(f"{game.package}.extras.reasons").reason(seen.state, move, words)
    return text or None
