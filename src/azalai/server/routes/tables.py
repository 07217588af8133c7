"""Tables: create, look at, replay, analyse."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query
from starlette.responses import Response

from azalai.engine.errors import BadRecord, UnknownGame
from azalai.engine.record import from_record
from azalai.server import new_tables, records
from azalai.server.catalog import details_of, game_details
from azalai.server.errors import ApiError
from azalai.server.routes.common import AT_TABLES, Asker, Json, Language, Since, SomeGuest, TableId, TheServer, Version, viewed
from azalai.server.schemas.examples import EXAMPLES
from azalai.server.schemas.games import GameDetails
from azalai.server.schemas.hints import HintJob
from azalai.server.schemas.requests import MOST_SEATS, NewJob, NewTable
from azalai.server.schemas.tables import GameRecord, PastView, RematchMade, TableView
from azalai.server.variants import check_changes
from azalai.server.views import past_view, viewer_of

router = APIRouter(tags=["tables"], responses=AT_TABLES)

LONGEST_WAIT = 25.0
UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "nothing new"}}

RecordBody = Annotated[dict[str, Any], Body(examples=[EXAMPLES["GameRecord"]])]
SeatQuery = Annotated[int | None, Query(ge=0, lt=MOST_SEATS, description="whose eyes; else yours that is asked, or your first")]


@router.post("/tables", response_model=TableView, status_code=201, summary="A new table")
async def create(server: TheServer, guest: SomeGuest, language: Language, body: NewTable) -> Json:
    """Create a table. The game starts at once if no seat is open, else when the last one is taken."""
    table_id = await new_tables.create(server, guest, body)
    async with server.registry.locked(table_id) as table:
        return Json(viewed(server, guest, language)(table), status_code=201)


@router.get(
    "/tables/{table_id}",
    response_model=TableView,
    summary="The table as you see it",
    responses={304: {"description": "nothing new"}},
)
async def look(
    server: TheServer,
    guest: Asker,
    language: Language,
    table_id: TableId,
    seat: SeatQuery = None,
    since: Since = -1,
    version: Version = None,
    wait: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT, description="seconds to wait for something newer than `version`; then 304")
    ] = 0,
) -> Response:
    """Everything about a table that you may know. Poll with `since`, `version` and `wait`, or open a WebSocket."""
    render = viewed(server, guest, language, seat, since, version)
    deadline = asyncio.get_running_loop().time() + wait
    while True:
        changed = server.registry.change_event(table_id)
        async with server.registry.locked(table_id) as table:
            if not wait or version is None or version != table.number:
                return Json(render(table))
            left = deadline - asyncio.get_running_loop().time()
            server.broadcaster.note_request(table_id, table.seats_played_by(guest.id if guest else None), max(0, left))
        if left <= 0 or server.closing.is_set():
            return Response(status_code=304)
        try:
            await asyncio.wait_for(changed.wait(), left)
        except TimeoutError:
            return Response(status_code=304)


@router.get("/tables/{table_id}/game", response_model=GameDetails, tags=["games"], summary="All about a table's game")
async def look_at_game(server: TheServer, language: Language, table_id: TableId) -> Json:
    """Names and components of the game that is played at a table: like `GET /api/games/{game}`, but of the variant."""
    async with server.registry.locked(table_id) as table:
        game = table.game
    return Json(details_of(game, language) if game.variant else game_details(game.name, language))


@router.get("/tables/{table_id}/plies/{ply}", response_model=PastView, summary="The table as it was")
async def look_back(
    server: TheServer,
    guest: Asker,
    language: Language,
    table_id: TableId,
    ply: Annotated[int, Path(ge=0, le=1_000_000)],
    seat: SeatQuery = None,
) -> Json:
    """An earlier position as your seat saw it; of a finished game, as any seat saw it."""
    async with server.registry.locked(table_id) as table:
        return Json(past_view(table, viewer_of(table, guest.id if guest else None, seat, language), ply))


@router.get(
    "/tables/{table_id}/record", response_model=GameRecord, response_model_exclude_unset=True, summary="Download the record"
)
async def record(server: TheServer, table_id: TableId) -> Json:
    """The record of a finished game."""
    content = await records.record(server, table_id)
    name = f"{content['game']}-{table_id}.json"
    return Json(content, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.post("/records", response_model=TableView, status_code=201, summary="Import a record")
async def import_record(server: TheServer, guest: SomeGuest, language: Language, body: RecordBody) -> Json:
    """Import a record as a table to look at."""
    name = body.get("game")
    if not isinstance(name, str):
        raise ApiError(422, "bad_record", "this is not the record of a game")
    game = await server.catalog.game(name)
    if isinstance(body.get("moves"), list) and len(body["moves"]) > game.longest:
        raise ApiError(422, "bad_record", f"no game of {game.name} has more than {game.longest} decisions")
    if body.get("components"):
        if not isinstance(body["components"], dict):
            raise ApiError(422, "bad_record", "this is not the record of a game: 'components' is not what it should be")
        game = await new_tables.load_variant(server, guest, name, check_changes(name, body["components"]))
    try:
        position = await asyncio.to_thread(from_record, body, lambda *_: game)
    except (BadRecord, UnknownGame) as error:
        raise ApiError(422, "bad_record", str(error)[:300]) from None
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError):
        raise ApiError(422, "bad_record", "this is not the record of a game") from None
    table_id = await new_tables.import_record(server, guest, position)
    async with server.registry.locked(table_id) as table:
        return Json(viewed(server, guest, language)(table), status_code=201)


@router.post("/tables/{table_id}/rematch", response_model=RematchMade, summary="Play again")
async def rematch(server: TheServer, guest: SomeGuest, table_id: TableId) -> Json:
    """A new table like this one, the same for everybody who asks; it is linked from the old table."""
    return Json({"id": await new_tables.rematch(server, guest, table_id)})


@router.post("/tables/{table_id}/jobs", response_model=HintJob, status_code=202, tags=["analysis"], summary="A hint")
async def begin_job(server: TheServer, guest: SomeGuest, language: Language, table_id: TableId, body: NewJob) -> Json:
    """Start a hint; poll the job until it is done."""
    server.rate_limiter.check(server.rate_limiter.jobs, guest.id, "hints and reviews")
    return Json(await server.jobs.start(guest, table_id, body.kind, body.seat, body.ply, language), status_code=202)


@router.get("/jobs/{job_id}", response_model=HintJob, tags=["analysis"], summary="How a job stands")
async def look_at_job(server: TheServer, guest: Asker, job_id: TableId) -> Json:
    """Progress, and the result once it is done."""
    return Json(await server.jobs.get(guest, job_id))
