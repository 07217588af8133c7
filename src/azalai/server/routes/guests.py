"""The guest: name, other devices, API tokens."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from azalai.server.clocks import DAY
from azalai.server.errors import ApiError
from azalai.server.guests import BEFORE, Guest, clean_text, new_guest
from azalai.server.middleware import read_cookie
from azalai.server.personal_data import collect
from azalai.server.routes.common import Asker, Json, Person, SomeGuest, TheServer, problems, set_session
from azalai.server.schemas.guests import Link, Me, PersonData, TokenList, TokenMade, Vacation
from azalai.server.schemas.requests import GoAway, NewName, NewToken, UseLink
from azalai.server.server import Server

router = APIRouter(prefix="/me", tags=["guests"], responses=problems(400, 401, 403, 413, 422, 429))


async def described(server: Server, guest: Guest, before: Guest | None) -> Json:
    """Render a guest for themselves, with who this device was before."""
    return Json(
        {
            "name": guest.name,
            "tables": await server.lists.count_unfinished(guest.id),
            "before": before.name if before is not None and before.id != guest.id else None,
            "player": guest.player,
        }
    )


async def before_this(server: TheServer, request: Request) -> Guest | None:
    """The guest that this device was before it used a link."""
    session = server.guests.from_cookie(read_cookie(request.headers, BEFORE))
    with suppress(ApiError):  # banned since
        return await server.guests.from_session(session)
    return None


Before = Annotated[Guest | None, Depends(before_this)]


@router.get("", response_model=Me, summary="Who you are")
async def me(server: TheServer, guest: SomeGuest, before: Before) -> Json:
    """Your name. A new guest gets a cookie."""
    return await described(server, guest, before)


@router.patch("", response_model=Me, summary="Take a name")
async def rename(server: TheServer, guest: SomeGuest, before: Before, body: NewName) -> Json:
    """Change your name, also at your unfinished tables."""
    return await described(server, await server.rename(guest.id, body.name), before)


@router.delete("", response_model=Me, summary="Delete everything about you")
async def delete_me(server: TheServer, request: Request, guest: Person) -> Json:
    """Delete name, passkeys, tokens, profile, ratings, what you said, and tables at which no other person sat. Running games
    are given up; at finished ones your moves stay without your name. This device becomes a new guest."""
    await server.delete_guest(guest.id)
    nobody = await server.guests.get(new_guest())
    set_session(request, nobody)
    return await described(server, nobody, None)


@router.get("/data", response_model=PersonData, summary="Everything about you")
async def data(server: TheServer, guest: SomeGuest) -> Json:
    """Everything the server keeps about you, as a file. Of running games it has only what you did and said yourself."""
    server.rate_limiter.check(server.rate_limiter.downloads, guest.id, "downloads")
    async with server.store.engine.connect() as connection:
        content = await connection.run_sync(lambda sync: collect(sync, guest.id))
    return Json(content, headers={"content-disposition": 'attachment; filename="azalai-data.json"'})


@router.post("/link", response_model=Link, summary="A link to another device")
async def make_link(server: TheServer, guest: SomeGuest) -> Json:
    """A private link that makes another device you; it works once, within half an hour."""
    await server.guests.store_name(guest.id, guest.name)
    code, expires = await server.guests.new_link(guest.id)
    return Json({"code": code, "url": f"/move#{code}", "expires": expires})


@router.post("/move/preview", response_model=Me, summary="Who a link would make you", responses=problems(404))
async def look_at_link(server: TheServer, body: UseLink) -> Json:
    """The guest who made the link. It stays valid: ask people before you use it, since it makes their device another guest."""
    return await described(server, await server.guests.look_at_link(body.code), None)


@router.post("/move", response_model=Me, summary="Use a link", responses=problems(404))
async def use_link(server: TheServer, request: Request, guest: Asker, body: UseLink) -> Json:
    """Become the guest who made the link. Who this device was before is kept for 30 days in a cookie: see `back`."""
    other = await server.guests.use_link(body.code)
    set_session(request, other)
    if guest is not None and guest.id != other.id:
        set_session(request, guest, BEFORE)
    return await described(server, other, guest)


@router.post("/back", response_model=Me, summary="Become who you were before", responses=problems(404))
async def go_back(server: TheServer, request: Request, guest: Asker, before: Before) -> Json:
    """Undo `move` on this device."""
    if before is None:
        raise ApiError(404, "no_before", "this device was nobody else before, or that was more than 30 days ago")
    set_session(request, before)
    if guest is not None:
        set_session(request, guest, BEFORE)
    return await described(server, before, guest)


@router.delete("/sessions", response_model=Me, summary="End all other sessions")
async def end_sessions(server: TheServer, request: Request, guest: SomeGuest, before: Before) -> Json:
    """Nobody but this device (or this token) is you any more: cookies, links and tokens elsewhere are worthless at once."""
    guest = await server.end_sessions(guest)
    if guest.token is None:
        set_session(request, guest)
    return await described(server, guest, before)


@router.get("/vacation", response_model=Vacation, summary="Your vacation")
async def vacation(server: TheServer, guest: SomeGuest) -> Json:
    """Until when you are on vacation, and how many days a year are left."""
    until, left = await server.vacations.status(guest.id)
    return Json({"until": until, "days_left": round(left / DAY, 2)})


@router.put("/vacation", response_model=Vacation, summary="Go on vacation", responses=problems(409))
async def go_away(server: TheServer, guest: SomeGuest, body: GoAway) -> Json:
    """Your clocks at tables with days for every turn stand still for so long. You may still play."""
    await server.vacations.begin(guest, body.days)
    return await vacation(server, guest)


@router.delete("/vacation", response_model=Vacation, summary="Come back")
async def come_back(server: TheServer, guest: SomeGuest) -> Json:
    """Your clocks go on. Days that you have not used stay yours."""
    await server.vacations.end(guest)
    return await vacation(server, guest)


@router.get("/tokens", response_model=TokenList, summary="Your API tokens")
async def tokens(server: TheServer, guest: SomeGuest) -> Json:
    """Your tokens, without the secrets."""
    return Json({"tokens": await server.guests.tokens(guest.id)})


@router.post("/tokens", response_model=TokenMade, status_code=201, summary="A token for a program", responses=problems(409))
async def make_token(server: TheServer, guest: SomeGuest, body: NewToken) -> Json:
    """A token that lets a program play as you: `Authorization: Bearer …`."""
    await server.guests.store_name(guest.id, guest.name)
    return Json(await server.guests.new_token(guest.id, clean_text(body.label, 80)), status_code=201)


@router.delete("/tokens/{token}", status_code=204, summary="Make a token worthless", responses=problems(404))
async def drop_token(server: TheServer, guest: SomeGuest, token: Annotated[str, Path(max_length=16)]) -> None:
    """Delete a token by its id, which is not the secret itself. Sockets that were opened with it are closed."""
    await server.drop_token(guest, token)
