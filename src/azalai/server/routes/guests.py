"""Who you are: name, other devices, tokens for programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from azalai.server.answers import Link, Me, TokenList, TokenMade
from azalai.server.guests import clean_text
from azalai.server.requests import NewName, NewToken, UseLink
from azalai.server.routes.common import Json, SomeGuest, TheServer, problems

router = APIRouter(prefix="/me", tags=["guests"], responses=problems(400, 401, 403, 413, 422, 429))


@router.get("", response_model=Me, summary="Who you are")
async def me(server: TheServer, who: SomeGuest) -> Json:
    """Your name. Whoever is new gets a cookie and is a guest from then on."""
    return Json({"name": who.name, "tables": await server.store.unfinished(who.id)})


@router.patch("", response_model=Me, summary="Take a name")
async def rename(server: TheServer, who: SomeGuest, body: NewName) -> Json:
    """Change your name, at all your unfinished tables too."""
    renamed = await server.rename(who.id, body.name)
    return Json({"name": renamed.name, "tables": await server.store.unfinished(who.id)})


@router.post("/link", response_model=Link, summary="A link to another device")
async def make_link(server: TheServer, who: SomeGuest) -> Json:
    """A private link: who opens it within half an hour, once, is you."""
    await server.store.name_guest(who.id, who.name)
    code, expires = await server.guests.new_link(who.id)
    return Json({"code": code, "url": f"/move#{code}", "expires": expires})


@router.post("/move", response_model=Me, summary="Use a link", responses=problems(404))
async def use_link(server: TheServer, request: Request, body: UseLink) -> Json:
    """Become the guest who made the link."""
    guest = await server.guests.use_link(body.code)
    request.scope["state"]["new_guest"] = guest
    who = await server.guests.who(guest)
    return Json({"name": who.name, "tables": await server.store.unfinished(guest)})


@router.get("/tokens", response_model=TokenList, summary="Your API tokens")
async def tokens(server: TheServer, who: SomeGuest) -> Json:
    """The tokens you have made, without the tokens themselves."""
    return Json({"tokens": await server.guests.tokens(who.id)})


@router.post("/tokens", response_model=TokenMade, status_code=201, summary="A token for a program", responses=problems(409))
async def make_token(server: TheServer, who: SomeGuest, body: NewToken) -> Json:
    """A token that lets a program play as you: `Authorization: Bearer …`."""
    await server.store.name_guest(who.id, who.name)
    return Json(await server.guests.new_token(who.id, clean_text(body.label, 80)), status_code=201)


@router.delete("/tokens/{token}", status_code=204, summary="Make a token worthless", responses=problems(404))
async def drop_token(server: TheServer, who: SomeGuest, token: Annotated[str, Path(max_length=16)]) -> None:
    """The token's id is not the token itself."""
    await server.guests.drop_token(who.id, token)
