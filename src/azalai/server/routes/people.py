"""People: those one has played with, anyone, and those one does not want to meet."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from azalai.server import moderation, new_tables
from azalai.server.routes.common import AT_TABLES, Json, SeatPath, SomeGuest, TableId, TheServer
from azalai.server.schemas.people import PersonList, TableFound, TablePeople
from azalai.server.schemas.requests import Attitude, NewReport, Seek

router = APIRouter(tags=["people"], responses=AT_TABLES)


@router.get("/people", response_model=PersonList, summary="People you know")
async def people(server: TheServer, guest: SomeGuest) -> Json:
    """The people you have played with. A new table can keep a seat for them: kind `friend`."""
    return Json({"people": [one.shown() for one in await server.people.known(guest.id)]})


@router.post("/seek", response_model=TableFound, summary="Play with anyone")
async def seek(server: TheServer, guest: SomeGuest, body: Seek) -> Json:
    """Sit down with somebody who has asked for the same and waits at their table; else wait at one for who asks next."""
    return Json({"id": await new_tables.seek(server, guest, body.game)})


@router.put("/people/{person}", status_code=204, summary="Block or mute somebody")
async def want(
    server: TheServer, guest: SomeGuest, person: Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")], body: Attitude
) -> None:
    """Somebody from your list. Nobody is told."""
    await moderation.want(server, guest, (await server.people.find(guest.id, person)).guest, body)


@router.get("/tables/{table_id}/people", response_model=TablePeople, summary="People at a table")
async def people_at(server: TheServer, guest: SomeGuest, table_id: TableId) -> Json:
    """The other people at a table, and whom of them you have blocked or muted."""
    return Json({"people": await moderation.people_at(server, guest, table_id)})


@router.put("/tables/{table_id}/people/{seat}", status_code=204, summary="Block or mute somebody at your table")
async def want_at(server: TheServer, guest: SomeGuest, table_id: TableId, seat: SeatPath, body: Attitude) -> None:
    """Nobody is told. A game that runs goes on."""
    await moderation.want_at(server, guest, table_id, seat, body)


@router.post("/tables/{table_id}/people/{seat}/report", status_code=204, summary="Report somebody")
async def report(server: TheServer, guest: SomeGuest, table_id: TableId, seat: SeatPath, body: NewReport) -> None:
    """To the operator of this server, with the last lines the person has said at this table."""
    await moderation.report(server, guest, table_id, seat, body)
