"""Lists of tables."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from azalai.engine.discovery import installed
from azalai.server.lists import FINISHED, PAGE, UNFINISHED, ListMark, Outcome
from azalai.server.records import with_result
from azalai.server.routes.common import AT_TABLES, Asker, Json, Language, TheServer
from azalai.server.schemas.lists import TableList
from azalai.server.server_time import now
from azalai.server.summaries import summary

router = APIRouter(tags=["tables"], responses=AT_TABLES)

WATCH_MINUTES = 30  # public games that have been still for longer are not listed


@router.get("/tables", response_model=TableList, summary="Lists of tables")
async def list_tables(
    server: TheServer,
    guest: Asker,
    language: Language,
    kind: Annotated[Literal["public", "watch", "mine", "finished", "invitations"], Query(alias="list")] = "public",
    game: Annotated[str | None, Query(max_length=40)] = None,
    opponent: Annotated[
        str | None, Query(max_length=80, pattern=r"^[^\x00]*$", description="of your own: part of another player's name")
    ] = None,
    outcome: Annotated[Outcome | None, Query(description="of your finished ones: won or lost")] = None,
    before: Annotated[str | None, Query(max_length=64, pattern=r"^\d{1,15}-[A-Za-z0-9_-]{1,32}$")] = None,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = 20,
) -> Json:
    """`public`: somebody waits there; `watch`: running; `mine`: your unfinished ones; `finished`: your finished ones.

    `invitations`: a seat is kept for you.
    """
    if (kind not in ("public", "watch") and guest is None) or (game is not None and game not in installed()):
        return Json({"tables": [], "next": None})
    mark, own = ListMark.read(before), guest.id if guest is not None else ""
    if kind == "public":
        rows = await server.lobby.waiting_tables(game, before, limit)
    elif kind == "invitations":
        rows = await server.lobby.invitations(own)
    elif kind == "watch":
        rows = await server.lists.public("playing", since=now() - WATCH_MINUTES * 60_000, game=game, before=mark, limit=limit)
    else:
        statuses = UNFINISHED if kind == "mine" else FINISHED
        rows = await server.lists.of_guest(own, statuses, game=game, opponent=opponent, outcome=outcome, before=mark, limit=limit)
    later = rows[-1]["mark"] if len(rows) == limit else None
    found = [row for row in rows if row["game"] in installed()]
    if kind == "finished":
        found = [await with_result(server, row) for row in found]
    return Json({"tables": [summary(row, guest.id if guest else None, language) for row in found], "next": later})
