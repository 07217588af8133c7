"""Reviews of finished games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from azalai.server.routes.common import AT_TABLES, Asker, Json, Language, SomeGuest, TableId, TheServer
from azalai.server.routes.tables import SeatQuery
from azalai.server.schemas.requests import TriedMove
from azalai.server.schemas.reviews import GameReview, ReviewedPosition, TriedVerdict
from azalai.server.views import viewer_of

router = APIRouter(tags=["analysis"], responses=AT_TABLES)
PlyPath = Annotated[int, Path(ge=0, le=1_000_000)]


@router.post("/tables/{table_id}/review", response_model=GameReview, summary="Review a finished game")
async def begin(
    server: TheServer,
    guest: SomeGuest,
    language: Language,
    table_id: TableId,
    grades: Annotated[bool, Query(description="whether decisions are judged; else only the chances are there")] = True,
) -> Json:
    """Everybody's chances at once. Grades come in while they are computed: ask for the review again until it is done."""
    server.rate_limiter.check(server.rate_limiter.jobs, guest.id, "hints and reviews")
    return Json(await server.reviews.start(guest, table_id, grades, language))


@router.get("/tables/{table_id}/review", response_model=GameReview, summary="The review of a finished game")
async def look(server: TheServer, language: Language, table_id: TableId) -> Json:
    """The review as far as it is there, for everybody who may see the game."""
    return Json(await server.reviews.get(table_id, language))


@router.get("/tables/{table_id}/review/{ply}", response_model=ReviewedPosition, summary="A reviewed decision")
async def look_at_decision(
    server: TheServer, guest: Asker, language: Language, table_id: TableId, ply: PlyPath, seat: SeatQuery = None
) -> Json:
    """The position of a decision, its legal moves, and the better line on the board."""
    async with server.registry.locked(table_id) as table:
        viewer = viewer_of(table, guest.id if guest else None, seat, language)
    return Json(await server.reviews.line(table_id, ply, viewer))


@router.post("/tables/{table_id}/review/{ply}", response_model=TriedVerdict, summary="Try another move")
async def try_move(server: TheServer, guest: SomeGuest, table_id: TableId, ply: PlyPath, body: TriedMove) -> Json:
    """Judge another move in the place of the one that was played."""
    server.rate_limiter.check(server.rate_limiter.jobs, guest.id, "hints and reviews")
    return Json(await server.reviews.judge_move(guest, table_id, ply, body.move))
