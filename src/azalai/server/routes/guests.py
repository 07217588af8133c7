"""The guest: name, other devices, API tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from azalai.server.guests import clean_text
from azalai.server.routes.common import Json, SomeGuest, TheServer, problems
from azalai.server.schemas.requests import NewName, NewToken, UseLink
from azalai.server.schemas.responses import Link, Me, TokenList, TokenMade

router = APIRouter(prefix="/me", tags=["guests"], responses=problems(400, 401, 403, 413, 422, 429))


@router.get("", response_model=Me, summary="Who you are")
async def me(server: TheServer, guest: SomeGuest) -> Json:
    """Your name. A new guest gets a cookie."""
    return Json({"name": guest.name, "tables": await server.store.count_unfinished(guest.id)})


@router.patch("", response_model=Me, summary="Take a name")
async def rename(server: TheServer, guest: SomeGuest, body: NewName) -> Json:
    """Change your name, also at your unfinished tables."""
    renamed = await server.rename(guest.id, body.name)
    return Json({"name": renamed.name, "tables": await server.store.count_unfinished(guest.id)})


@router.post("/link", response_model=Link, summary="A link to another device")
async def make_link(server: TheServer, guest: SomeGuest) -> Json:
    """A private link that makes another device you; it works once, within half an hour."""
    await server.store.name_guest(guest.id, guest.name)
    code, expires = await server.guests.new_link(guest.id)
    return Json({"code": code, "url": f"/move#{code}", "expires": expires})


@router.post("/move", response_model=Me, summary="Use a link", responses=problems(404))
async def use_link(server: TheServer, request: Request, body: UseLink) -> Json:
    """Become the guest who made the link."""
    guest_id = await server.guests.use_link(body.code)
    request.scope["state"]["new_guest"] = guest_id
    guest = await server.guests.get(guest_id)
    return Json({"name": guest.name, "tables": await server.store.count_unfinished(guest_id)})


@router.get("/tokens", response_model=TokenList, summary="Your API tokens")
async def tokens(server: TheServer, guest: SomeGuest) -> Json:
    """Your tokens, without the secrets."""
    return Json({"tokens": await server.guests.tokens(guest.id)})


@router.post("/tokens", response_model=TokenMade, status_code=201, summary="A token for a program", responses=problems(409))
async def make_token(server: TheServer, guest: SomeGuest, body: NewToken) -> Json:
    """A token that lets a program play as you: `Authorization: Bearer …`."""
    await server.store.name_guest(guest.id, guest.name)
    return Json(await server.guests.new_token(guest.id, clean_text(body.label, 80)), status_code=201)


@router.delete("/tokens/{token}", status_code=204, summary="Make a token worthless", responses=problems(404))
async def drop_token(server: TheServer, guest: SomeGuest, token: Annotated[str, Path(max_length=16)]) -> None:
    """Delete a token by its id, which is not the secret itself."""
    await server.guests.drop_token(guest.id, token)
