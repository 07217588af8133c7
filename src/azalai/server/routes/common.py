"""What all addresses share: who asks, in which language, and how answers are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import Depends, Path, Query, Request
from starlette.requests import HTTPConnection
from starlette.responses import Response

from azalai.server import library
from azalai.server.acts import Refused, Who
from azalai.server.answers import Problem
from azalai.server.guests import new_guest
from azalai.server.requests import MOST_SEATS
from azalai.server.server import Server
from azalai.server.show import Moment, eyes, table_view
from azalai.server.store import now
from azalai.server.table import Table

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
    """The descriptions of some refusals."""
    return {code: PROBLEMS[code] for code in codes}


AT_TABLES = problems(400, 401, 403, 404, 409, 413, 422, 429, 503)


class Json(Response):
    """An answer that has been checked by its maker, written as fast as can be."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return content if isinstance(content, bytes) else orjson.dumps(content)


def server_of(connection: HTTPConnection) -> Server:
    """The server a request has come to."""
    server: Server = connection.app.state.server
    return server


async def this_server(request: Request) -> Server:
    """The same, as a dependency. Like all of them a coroutine: a plain function would be called in a thread."""
    return server_of(request)


async def identify(connection: HTTPConnection) -> Who | None:
    """Who asks: by an API token, else by cookie; None for somebody new."""
    server = server_of(connection)
    header = connection.headers.get("authorization", "")
    state = connection.scope["state"]
    if header:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Refused(401, "bad_token", "send a token as: Authorization: Bearer azalai_…")
        guest = await server.guests.from_token(token.strip())
        server.keeper.pass_by(server.keeper.requests, guest, "requests")
        return await server.guests.who(guest)
    return await server.guests.who(state["guest"]) if state["guest"] else None


async def maybe_guest(request: Request) -> Who | None:
    """Who asks, if that is known."""
    return await identify(request)


async def some_guest(request: Request) -> Who:
    """Who asks; somebody new becomes a guest and is given a cookie."""
    who = await identify(request)
    if who is None:
        server = server_of(request)
        server.keeper.pass_by(server.keeper.arrivals, request.scope["state"]["address"], "new guests from this address")
        guest = request.scope["state"]["new_guest"] = new_guest()
        who = await server.guests.who(guest)
    return who


async def asked_language(
    request: Request,
    lang: Annotated[
        str | None,
        Query(
            pattern=f"^{library.LANGUAGE}$",
            description="such as `en`; what is not translated comes in English; else `Accept-Language` decides",
        ),
    ] = None,
) -> str:
    """The language to answer in."""
    return library.language(lang, request.headers.get("accept-language"))


TheServer = Annotated[Server, Depends(this_server)]
Asker = Annotated[Who | None, Depends(maybe_guest)]
SomeGuest = Annotated[Who, Depends(some_guest)]
Language = Annotated[str, Depends(asked_language)]


@dataclass(frozen=True)
class Lens:
    """A guest who acts and wants to see the outcome: who, in which language, and what they have seen so far."""

    server: Server
    who: Who
    language: str
    since: int
    version: int | None

    def through(self, seat: int | None = None) -> Callable[[Table], bytes]:
        """What turns a table into the text of this guest's view."""
        return viewed(self.server, self.who, self.language, seat, self.since, self.version)


def viewed(
    server: Server, who: Who | None, language: str, seat: int | None = None, since: int = -1, version: int | None = None
) -> Callable[[Table], bytes]:
    """What turns a table into the text of a viewer's view; notes that the viewer is there."""

    def render(table: Table) -> bytes:
        looks = eyes(table, who.id if who else None, seat, language)
        for one in looks.mine:
            server.live.note(table.id, one)
        return orjson.dumps(table_view(Moment(table, server.live, now()), looks, since, version))

    return render


async def acting(server: TheServer, who: SomeGuest, language: Language, since: Since = -1, version: Version = None) -> Lens:
    """A guest who acts at a table."""
    return Lens(server, who, language, since, version)


Acting = Annotated[Lens, Depends(acting)]
