"""People one has played with, and playing with anyone."""

from __future__ import annotations

from fastapi import APIRouter

from azalai.server.routes.common import AT_TABLES, Json, SomeGuest, TheServer
from azalai.server.schemas.requests import Seek
from azalai.server.schemas.responses import PersonList, TableFound

router = APIRouter(tags=["people"], responses=AT_TABLES)


@router.get("/people", response_model=PersonList, summary="People you know")
async def people(server: TheServer, guest: SomeGuest) -> Json:
    """The people you have played with. A new table can keep a seat for them: kind `friend`."""
    return Json({"people": [one.shown() for one in await server.people.known(guest.id)]})


@router.post("/seek", response_model=TableFound, summary="Play with anyone")
async def seek(server: TheServer, guest: SomeGuest, body: Seek) -> Json:
    """Sit down with somebody who has asked for the same and waits at their table; else wait at one for who asks next."""
    return Json({"id": await server.seek(guest, body.game)})
