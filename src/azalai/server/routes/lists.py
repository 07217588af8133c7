"""Lists of tables."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query

from azalai.engine.discovery import installed
from azalai.server.lists import FINISHED, PAGE, UNFINISHED, Mark, Outcome
from azalai.server.routes.common import AT_TABLES, Asker, Json, Language, TheServer
from azalai.server.schemas.responses import TableList
from azalai.server.server import Server
from azalai.server.store import now
from azalai.server.summaries import summary

router = APIRouter(tags=["tables"], responses=AT_TABLES)

WAITING_DAYS, WATCH_MINUTES = 7, 30  # older public tables are not listed
MOST_PAGES = 20  # read from the database to fill one page of a list


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
    found: list[dict[str, Any]] = []
    mark = before
    for _ in range(MOST_PAGES):
        size = limit - len(found)
        if guest is None or kind in ("public", "watch"):
            status, age = ("waiting", WAITING_DAYS * 86_400_000) if kind == "public" else ("playing", WATCH_MINUTES * 60_000)
            rows = await server.lists.public(status, since=now() - age, game=game, before=Mark.read(mark), limit=size)
        elif kind == "invitations":
            rows = await server.lists.invitations(guest.id)
        else:
            rows = await server.lists.of_guest(
                guest.id,
                UNFINISHED if kind == "mine" else FINISHED,
                game=game,
                opponent=opponent,
                outcome=outcome,
                before=Mark.read(mark),
                limit=size,
            )
        mark = rows[-1]["mark"] if len(rows) == size else None
        found += [row for row in rows if row["game"] in installed() and (kind != "public" or somebody_waits(server, row))]
        if mark is None or len(found) == limit:
            break
    if kind == "finished":
        found = [await server.with_result(row) for row in found]
    return Json({"tables": [summary(row, guest.id if guest else None, language) for row in found], "next": mark})


def somebody_waits(server: Server, row: dict[str, Any]) -> bool:
    """Return whether a person waits at a table for others."""
    return any(one["kind"] == "human" and server.broadcaster.is_waiting(row["id"], one["seat"]) for one in row["players"])
