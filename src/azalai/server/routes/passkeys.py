"""Keeping a name: passkeys, signing in, the recovery code."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from azalai.server.errors import ApiError
from azalai.server.guests import BEFORE, Guest, clean_text, new_guest
from azalai.server.passkeys import Site, site_of
from azalai.server.routes.common import Asker, Json, Person, TheServer, problems, set_session
from azalai.server.routes.guests import described
from azalai.server.schemas.guests import Me, PasskeyList, PasskeyOptions, RecoveryCode
from azalai.server.schemas.requests import NewPasskey, UseCode, UsePasskey
from azalai.server.server import Server

router = APIRouter(prefix="/me", tags=["passkeys"], responses=problems(400, 401, 403, 409, 413, 422, 429))


async def this_site(request: Request) -> Site:
    """The site that the page was opened at."""
    return site_of(request.headers.get("origin"))


async def counted(server: TheServer, request: Request) -> None:
    """Count a step of signing in."""
    limiter = server.rate_limiter
    limiter.check(limiter.sign_ins, request.scope["state"]["address"], "attempts to sign in from this address")


TheSite = Annotated[Site, Depends(this_site)]
COUNTED = [Depends(counted)]


async def listed(server: Server, guest: Guest, status: int = 200) -> Json:
    """Render a guest's passkeys."""
    content = {"passkeys": await server.passkeys.of(guest.id), "recovery": await server.passkeys.code_since(guest.id)}
    return Json(content, status_code=status)


async def become(server: Server, request: Request, guest: Guest | None, other: Guest) -> Json:
    """Make this device another guest. Who it was before is kept, as by a link."""
    set_session(request, other)
    if guest is not None and guest.id != other.id:
        set_session(request, guest, BEFORE)
    return await described(server, other, guest)


@router.get("/passkeys", response_model=PasskeyList, summary="Your passkeys")
async def passkeys(server: TheServer, guest: Person) -> Json:
    """Your passkeys, and when your recovery code was made."""
    return await listed(server, guest)


@router.post("/passkeys/options", response_model=PasskeyOptions, summary="Begin to keep your name", dependencies=COUNTED)
async def creation_options(server: TheServer, guest: Person, site: TheSite) -> Json:
    """What `navigator.credentials.create` needs."""
    return Json({"options": await server.passkeys.creation_options(guest, site)})


@router.post(
    "/passkeys", response_model=PasskeyList, status_code=201, summary="Keep your name by a passkey", dependencies=COUNTED
)
async def add_passkey(server: TheServer, guest: Person, site: TheSite, body: NewPasskey) -> Json:
    """Store the passkey that the browser has made. From now on you can sign in with it on any device that has it."""
    await server.passkeys.add(guest, site, body.credential, clean_text(body.label, 80))
    await server.tell_of(guest.id)
    return await listed(server, guest, 201)


@router.delete("/passkeys/{passkey}", response_model=PasskeyList, summary="Remove a passkey", responses=problems(404))
async def drop_passkey(server: TheServer, guest: Person, passkey: Annotated[str, Path(max_length=16)]) -> Json:
    """Nobody can sign in with it any more. Who has signed in stays so: see `DELETE /api/me/sessions`."""
    await server.passkeys.drop(guest.id, passkey)
    return await listed(server, guest)


@router.post("/sign-in/options", response_model=PasskeyOptions, summary="Begin to sign in", dependencies=COUNTED)
async def request_options(server: TheServer, site: TheSite) -> Json:
    """What `navigator.credentials.get` needs."""
    return Json({"options": await server.passkeys.request_options(site)})


@router.post("/sign-in", response_model=Me, summary="Sign in", responses=problems(404), dependencies=COUNTED)
async def sign_in(server: TheServer, request: Request, guest: Asker, site: TheSite, body: UsePasskey) -> Json:
    """Become the guest of a passkey. Who this device was before is kept for 30 days in a cookie: see `back`."""
    return await become(server, request, guest, await server.passkeys.sign_in(site, body.credential))


@router.post("/sign-out", response_model=Me, summary="Sign out")
async def sign_out(server: TheServer, request: Request, guest: Person) -> Json:
    """Make this device a new guest. Only for who can sign in again: others would lose themselves."""
    if not await server.passkeys.of(guest.id) and await server.passkeys.code_since(guest.id) is None:
        raise ApiError(409, "no_kept_name", "you have no passkey and no recovery code: you could not come back")
    nobody = await server.guests.get(new_guest())
    set_session(request, nobody)
    return await described(server, nobody, None)


@router.post("/recovery", response_model=RecoveryCode, status_code=201, summary="A recovery code", dependencies=COUNTED)
async def new_code(server: TheServer, guest: Person) -> Json:
    """A code to print, for when no passkey is at hand. It replaces the former one."""
    return Json({"code": await server.passkeys.new_code(guest)}, status_code=201)


@router.post("/recover", response_model=Me, summary="Sign in by recovery code", responses=problems(404), dependencies=COUNTED)
async def recover(server: TheServer, request: Request, guest: Asker, body: UseCode) -> Json:
    """Become the guest of a recovery code, which is used up. Who this device was before is kept, as by a link."""
    return await become(server, request, guest, await server.passkeys.recover(body.code))
