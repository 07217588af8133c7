"""The socket of a table."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, WebSocket
from pydantic import Field, TypeAdapter, ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from azalai.server import library, requests
from azalai.server.acts import Refused, Who
from azalai.server.limits import excuse
from azalai.server.live import Socket
from azalai.server.routes.common import TABLE_ID, identify, server_of
from azalai.server.server import Server
from azalai.server.store import now

router = APIRouter()
log = logging.getLogger("azalai.live")

WRONG, FULL, GONE = 1008, 1013, 4404  # why a socket is closed


class Asked(requests.Body):
    """Any message: `id` comes back with the answer. Who gives none is told of failure alone."""

    id: str | int | None = None


class PlayMessage(Asked, requests.Play):
    """See `Play`."""

    type: Literal["play"]


class UndoMessage(Asked, requests.Undo):
    """See `Undo`."""

    type: Literal["undo"]


class TakeBackMessage(Asked, requests.TakeBack):
    """See `TakeBack`."""

    type: Literal["take-back"]


class AnswerMessage(Asked, requests.Answer):
    """See `Answer`."""

    type: Literal["answer"]


class ResignMessage(Asked, requests.Resign):
    """See `Resign`."""

    type: Literal["resign"]


class PlanMessage(Asked, requests.MakePlan):
    """See `MakePlan`."""

    type: Literal["plan"]


class ChatMessage(Asked, requests.Say):
    """See `Say`."""

    type: Literal["chat"]


class LookMessage(Asked):
    """Send the whole table again, with other eyes or in another language where asked."""

    type: Literal["look"]
    seat: requests.SeatNumber | None = None
    lang: str | None = Field(None, max_length=20)


class PingMessage(Asked):
    """Is anybody there?"""

    type: Literal["ping"]


Act = PlayMessage | UndoMessage | TakeBackMessage | AnswerMessage | ResignMessage | PlanMessage | ChatMessage
MESSAGES: TypeAdapter[Act | LookMessage | PingMessage] = TypeAdapter(
    Annotated[Act | LookMessage | PingMessage, Field(discriminator="type")]
)


@router.websocket("/tables/{table_id}/live")
async def live(websocket: WebSocket, table_id: str) -> None:
    """Pushes the table whenever it changes, and takes the same requests as the HTTP API."""
    server = server_of(websocket)
    try:
        who, socket = await _open(server, websocket, table_id)
    except Refused as refusal:
        await websocket.accept()
        await _close(websocket, GONE if refusal.status == 404 else FULL if refusal.status == 429 else WRONG, refusal.code)
        return
    await websocket.accept()
    server.live.add(socket)
    writer = asyncio.create_task(_write(server, websocket, socket))
    try:
        await _look(server, socket)
        server.peers.tell_presence(table_id)
        await _read(server, websocket, socket, who)
    except Refused as refusal:
        socket.messages = asyncio.Queue()
        socket.send(orjson.dumps({"type": "error", "id": None, "error": refusal.code, "message": refusal.message}))
    except WebSocketDisconnect:
        pass
    finally:
        server.live.remove(socket)
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)
        server.peers.tell_presence(table_id)


async def _open(server: Server, websocket: WebSocket, table_id: str) -> tuple[Who | None, Socket]:
    """Check who wants to look, and with whose eyes."""
    state = websocket.scope["state"]
    query = websocket.query_params
    if not state["origin_ok"]:
        raise Refused(403, "bad_origin", "this socket comes from another site")
    server.keeper.pass_by(server.keeper.address, state["address"], "requests from this address")
    who = await identify(websocket)
    server.live.check(who.id if who else None, state["address"])
    language = library.language(query.get("lang"), websocket.headers.get("accept-language"))
    seat, since, version = (_number(query.get(name)) for name in ("seat", "since", "version"))
    spectate = query.get("spectate") == "1"
    if not re.fullmatch(TABLE_ID, table_id):
        raise Refused(404, "no_such_table", "there is no such table")
    async with server.house.at(table_id):
        pass  # refuses where there is none
    return who, Socket(
        table_id, who.id if who else None, state["address"], seat, language, spectate, -1 if since is None else since, version
    )


def _number(text: str | None) -> int | None:
    if text is None or text == "":
        return None
    if not text.lstrip("-").isdecimal() or len(text) > 10:
        raise Refused(422, "bad_request", "seat, since and version are numbers")
    return int(text)


async def _look(server: Server, socket: Socket) -> None:
    async with server.house.at(socket.table_id) as table:
        server.live.look(socket, table)


async def _write(server: Server, websocket: WebSocket, socket: Socket) -> None:
    """Send what is queued; who has lagged behind gets the whole table once there is room again."""
    while True:
        message = await socket.messages.get()
        await websocket.send({"type": "websocket.send", "text": message.decode()})
        if socket.behind and socket.messages.empty():
            await _look(server, socket)


async def _read(server: Server, websocket: WebSocket, socket: Socket, who: Who | None) -> None:
    """Answer messages until the socket closes."""
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        content = message.get("text") or message.get("bytes") or ""
        answer = await _answer(server, socket, who, content)
        if answer is not None:
            await socket.messages.put(orjson.dumps(answer))  # who does not read is not read from


async def _answer(server: Server, socket: Socket, who: Who | None, content: str | bytes) -> dict[str, Any] | None:
    """Do what a message asks for; the answer, or None where it has no id to answer to."""
    number: Any = None
    try:
        if len(content) > server.settings.limits.message:
            raise Refused(413, "too_large", f"a message may have {server.settings.limits.message} bytes")
        server.keeper.pass_by(server.keeper.requests, who.id if who else f"socket {id(socket)}", "messages")
        raw = orjson.loads(content)
        if isinstance(raw, dict) and isinstance(raw.get("id"), str | int):
            number = raw["id"]
        wish = MESSAGES.validate_python(raw)
        if isinstance(wish, PingMessage):
            return {"type": "pong", "id": wish.id, "time": now()}
        if isinstance(wish, LookMessage):
            socket.seat = wish.seat if wish.seat is not None else socket.seat
            socket.language = library.language(wish.lang, None) if wish.lang is not None else socket.language
            socket.ply, socket.version = -1, None
            await _look(server, socket)
            return {"type": "done", "id": wish.id} if wish.id is not None else None
        if who is None:
            raise Refused(403, "not_seated", "you do not sit at this table")
        ply, version = await server.perform(who, socket.table_id, wish, lambda table: (table.ply, table.number))
        return {"type": "done", "id": wish.id, "ply": ply, "version": version} if wish.id is not None else None
    except Refused as refusal:
        return {"type": "error", "id": number, "error": refusal.code, "message": refusal.message}
    except (orjson.JSONDecodeError, UnicodeError):
        return {"type": "error", "id": None, "error": "bad_request", "message": "a message is a JSON object"}
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        message = f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}"[:300]
        return {"type": "error", "id": number, "error": "bad_request", "message": message}
    except Exception as error:
        reason = excuse(error, "live")
        return {"type": "error", "id": number, "error": reason.code, "message": reason.message}


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    if websocket.application_state == WebSocketState.CONNECTED:
        await websocket.close(code, reason)
