"""Shared by all routes: authentication, language and JSON responses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import Depends, Path, Query, Request
from starlette.requests import HTTPConnection
from starlette.responses import Response

from azalai.server import catalog
from azalai.server.errors import ApiError
from azalai.server.guests import COOKIE, Guest, new_guest
from azalai.server.schemas.errors import Problem
from azalai.server.schemas.requests import MOST_SEATS
from azalai.server.server import Server
from azalai.server.server_time import now
from azalai.server.table import Table
from azalai.server.views import Snapshot, table_json, viewer_of

TABLE_ID = r"^[A-Za-z0-9_-]{1,32}$"
TableId = Annotated[str, Path(pattern=TABLE_ID, description="the table's id, as in its link")]
SeatPath = Annotated[int, Path(ge=0, lt=MOST_SEATS)]
Since = Annotated[int, Query(ge=-1, le=1_000_000, description="events after this ply; -1: all")]
Version = Annotated[int | None, Query(ge=0, le=2**31, description="of the table as last seen, to notice what was taken back")]

_MEANINGS = {
    400: "the request cannot be read",
    401: "the token is not valid",
    403: "not allowed to you",
    404: "there is no such thing",
    409: "not possible as things stand",
    413: "too large",
    422: "the request does not make sense",
    429: "too much; `Retry-After` says when to try again",
    503: "not at the moment",
}
PROBLEMS: dict[int | str, dict[str, Any]] = {code: {"model": Problem, "description": text} for code, text in _MEANINGS.items()}


def problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI descriptions of some errors."""
    return {code: PROBLEMS[code] for code in codes}


AT_TABLES = problems(400, 401, 403, 404, 409, 413, 422, 429, 503)


class Json(Response):
    """A JSON response that skips validation: its content is rendered by us, and tests check it against the schema."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return content if isinstance(content, bytes) else orjson.dumps(content)


def server_of(connection: HTTPConnection) -> Server:
    """Return the server a request has come to."""
    server: Server = connection.app.state.server
    return server


async def this_server(request: Request) -> Server:
    """The same as a dependency. A coroutine, because FastAPI calls plain functions in a thread."""
    return server_of(request)


async def identify(connection: HTTPConnection) -> Guest | None:
    """Authenticate a request by API token, else by cookie; None for somebody new."""
    server = server_of(connection)
    header = connection.headers.get("authorization", "")
    state = connection.scope["state"]
    if state["guest"]:
        server.broadcaster.note_address(state["guest"], state["address"])
    if header:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise ApiError(401, "bad_token", "send a token as: Authorization: Bearer azalai_…")
        guest = await server.guests.from_token(token.strip())
        server.rate_limiter.check(server.rate_limiter.requests, guest.id, "requests")
        server.broadcaster.note_address(guest.id, state["address"])
        return guest
    return await server.guests.from_session(state["session"])


async def maybe_guest(request: Request) -> Guest | None:
    """The guest of a request, if known."""
    return await identify(request)


async def some_guest(request: Request) -> Guest:
    """The guest of a request. Somebody new becomes a guest and gets a cookie."""
    guest = await identify(request)
    if guest is None:
        server = server_of(request)
        server.rate_limiter.check(server.rate_limiter.arrivals, request.scope["state"]["address"], "new guests from this address")
        guest = await server.guests.get(new_guest())
        server.broadcaster.note_address(guest.id, request.scope["state"]["address"])
        set_session(request, guest)
    return guest


async def person(request: Request) -> Guest:
    """The guest of a request, not by an API token: a program may play for somebody, but not decide who they are."""
    guest = await some_guest(request)
    if guest.token is not None:
        raise ApiError(403, "not_by_token", "a token lets a program play for you; this is done on the page")
    return guest


def set_session(request: Request, guest: Guest, name: str = COOKIE) -> None:
    """Send the browser the cookie that makes it this guest."""
    request.scope["state"].setdefault("cookies", {})[name] = guest.id, guest.epoch


async def asked_language(
    request: Request,
    lang: Annotated[
        str | None,
        Query(
            pattern=f"^{catalog.LANGUAGE}$",
            description="such as `en`; what is not translated comes in English; else `Accept-Language` decides",
        ),
    ] = None,
) -> str:
    """The language of the response."""
    return catalog.negotiate_language(lang, request.headers.get("accept-language"))


TheServer = Annotated[Server, Depends(this_server)]
Asker = Annotated[Guest | None, Depends(maybe_guest)]
SomeGuest = Annotated[Guest, Depends(some_guest)]
Person = Annotated[Guest, Depends(person)]
Language = Annotated[str, Depends(asked_language)]


@dataclass(frozen=True)
class RequestContext:
    """A guest's request at a table, and what their client has seen so far."""

    server: Server
    guest: Guest
    language: str
    since: int
    version: int | None

    def renderer(self, seat: int | None = None) -> Callable[[Table], bytes]:
        """Return a function that renders a table for this guest."""
        return viewed(self.server, self.guest, self.language, seat, self.since, self.version)


def viewed(
    server: Server, guest: Guest | None, language: str, seat: int | None = None, since: int = -1, version: int | None = None
) -> Callable[[Table], bytes]:
    """Return a function that renders a table for a viewer and notes that they are present."""

    def render(table: Table) -> bytes:
        looks = viewer_of(table, guest.id if guest else None, seat, language)
        server.broadcaster.note_request(table.id, looks.mine)
        return table_json(Snapshot(table, server.broadcaster, now()), looks, since, version)

    return render


async def request_context(
    server: TheServer, guest: SomeGuest, language: Language, since: Since = -1, version: Version = None
) -> RequestContext:
    """The context of a command at a table."""
    return RequestContext(server, guest, language, since, version)


Context = Annotated[RequestContext, Depends(request_context)]
