"""Drawings of tables, for games that bring no board of their own."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from azalai.server.errors import ApiError
from azalai.server.routes.common import AT_TABLES, Asker, Language, TableId, TheServer
from azalai.server.routes.tables import SeatQuery
from azalai.server.table import WAITING
from azalai.server.views import viewer_of

router = APIRouter(tags=["tables"], responses=AT_TABLES)
SVG = "image/svg+xml"
SVG_HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}


@router.get(
    "/tables/{table_id}/drawing",
    response_class=Response,
    responses={200: {"content": {SVG: {}}, "description": "the drawing"}},
    summary="A drawing of the table",
)
async def draw(
    server: TheServer,
    guest: Asker,
    language: Language,
    table_id: TableId,
    seat: SeatQuery = None,
    ply: Annotated[int | None, Query(ge=0, le=1_000_000, description="an earlier position; else the present one")] = None,
    theme: Literal["light", "dark", "auto"] = "auto",
) -> Response:
    """The position as your seat sees it, as SVG. Groups with `data-part` are what moves name: `field:c4` for `to c4`."""
    async with server.registry.locked(table_id) as table:
        viewer = viewer_of(table, guest.id if guest else None, seat, language).seat
        if table.game.drawing is None:
            raise ApiError(404, "no_drawing", f"{table.game.name} has no drawing")
        at = table.ply if ply is None else ply
        if table.status == WAITING or not table.skipped <= at <= table.ply:
            raise ApiError(404, "no_such_ply", f"there is no ply {at}; they go from {table.skipped} to {table.ply}")
        seen = table.at_ply(at).seen_by(viewer)
        final = {"cache-control": "private, max-age=86400"} if table.finished else {}
    text = await asyncio.to_thread(seen.to_svg, theme, language)
    return Response(text, media_type=SVG, headers={**SVG_HEADERS, **final})
