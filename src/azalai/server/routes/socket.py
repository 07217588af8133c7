"""The WebSockets of tables and of start pages."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import orjson
from fastapi import APIRouter, WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from azalai.server import catalog
from azalai.server.broadcast import LOBBY, Subscriber
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.middleware import as_api_error
from azalai.server.routes.common import TABLE_ID, identify, server_of
from azalai.server.schemas.messages import CLIENT_MESSAGES, LookMessage, PingMessage
from azalai.server.server import Server
from azalai.server.server_time import now

router = APIRouter()

WRONG, FULL, GONE = 1008, 1013, 4404  # close codes


@router.websocket("/tables/{table_id}/live")
async def live(websocket: WebSocket, table_id: str) -> None:
    """Send the table whenever it changes, and accept the same commands as the HTTP API."""
    server = server_of(websocket)
    try:
        guest, socket = await _open(server, websocket, table_id)
    except ApiError as error:
        await _refuse(websocket, error)
        return
    await websocket.accept()
    closing: set[asyncio.Task[None]] = set()
    socket.on_close = lambda: closing.add(asyncio.create_task(_close(websocket, WRONG, "session_ended")))
    server.broadcaster.add(socket)
    catching_up: set[asyncio.Task[None]] = set()

    def catch_up() -> None:
        if socket.lagging and not catching_up:
            task = asyncio.create_task(_catch_up(server, socket))
            catching_up.add(task)
            task.add_done_callback(catching_up.discard)

    socket.protocol.on_resume = catch_up
    try:
        await _send_table(server, socket)
        server.peers.publish_presence(table_id)
        await _read(server, websocket, socket, guest)
    except ApiError as error:
        socket.send(orjson.dumps({"type": "error", "id": None, "error": error.code, "message": error.message}))
    except WebSocketDisconnect:
        pass
    finally:
        socket.protocol.on_resume = None
        server.broadcaster.remove(socket)
        await asyncio.gather(*closing, return_exceptions=True)
        server.peers.publish_presence(table_id)


@router.websocket("/lobby")
async def lobby(websocket: WebSocket) -> None:
    """Send a start page the tables that somebody waits at and the guest's own, whenever they change. It may send pings."""
    server = server_of(websocket)
    state = websocket.scope["state"]
    try:
        guest, language = await _admit(server, websocket)
    except ApiError as error:
        await _refuse(websocket, error)
        return
    await websocket.accept()
    socket = Subscriber(LOBBY, guest, state["address"], None, language, True, -1, None, state["socket"])
    closing: set[asyncio.Task[None]] = set()
    socket.on_close = lambda: closing.add(asyncio.create_task(_close(websocket, WRONG, "session_ended")))
    socket.protocol.on_resume = lambda: server.lobby.changed(True, [guest.id] if guest else [])
    server.broadcaster.add(socket)
    try:
        await server.lobby.send_open([socket])
        if guest is not None:
            await server.lobby.send_own(guest.id, [socket])
        await _read(server, websocket, socket, None)
    except WebSocketDisconnect:
        pass
    finally:
        socket.protocol.on_resume = None
        server.broadcaster.remove(socket)
        await asyncio.gather(*closing, return_exceptions=True)


async def _open(server: Server, websocket: WebSocket, table_id: str) -> tuple[Guest | None, Subscriber]:
    """Authenticate and check a new socket of a table."""
    state = websocket.scope["state"]
    query = websocket.query_params
    guest, language = await _admit(server, websocket)
    seat, since, version = (_number(query.get(name)) for name in ("seat", "since", "version"))
    spectate = query.get("spectate") == "1"
    if not re.fullmatch(TABLE_ID, table_id):
        raise ApiError(404, "no_such_table", "there is no such table")
    async with server.registry.locked(table_id):
        pass  # raises an error for an unknown table
    return guest, Subscriber(
        table_id,
        guest,
        state["address"],
        seat,
        language,
        spectate,
        -1 if since is None else since,
        version,
        state["socket"],
    )


async def _admit(server: Server, websocket: WebSocket) -> tuple[Guest | None, str]:
    """Return the guest and the language of a new socket, if it is allowed."""
    state = websocket.scope["state"]
    if not state["origin_ok"]:
        raise ApiError(403, "bad_origin", "this socket comes from another site")
    server.rate_limiter.check(server.rate_limiter.address, state["address"], "requests from this address")
    guest = await identify(websocket)
    server.broadcaster.check_limits(guest.id if guest else None, state["address"])
    return guest, catalog.negotiate_language(websocket.query_params.get("lang"), websocket.headers.get("accept-language"))


def _number(text: str | None) -> int | None:
    if text is None or text == "":
        return None
    if not text.lstrip("-").isdecimal() or len(text) > 10:
        raise ApiError(422, "bad_request", "seat, since and version are numbers")
    return int(text)


async def _send_table(server: Server, socket: Subscriber) -> tuple[int, int]:
    """Send the table; return its ply and version."""
    async with server.registry.locked(socket.table_id) as table:
        server.broadcaster.send_table(socket, table)
        return table.ply, table.number


async def _catch_up(server: Server, socket: Subscriber) -> None:
    """Send the table to a slow reader who has caught up."""
    try:
        await _send_table(server, socket)
    except Exception as error:
        as_api_error(error, "live")  # logs it; the reader asks again when it sees that something is missing


async def _read(server: Server, websocket: WebSocket, socket: Subscriber, guest: Guest | None) -> None:
    """Handle messages, one after the other, until the socket closes.

    The protocol hands over a message as soon as it arrives, while none is being handled; others wait in the queue.
    """
    loop = asyncio.get_running_loop()
    handling: asyncio.Task[None] | None = None

    def begin(content: bytes) -> bool:
        nonlocal handling
        if handling is not None and not handling.done():
            return False
        handling = loop.create_task(_handle(server, socket, guest, content))
        return True

    try:
        while True:
            socket.protocol.on_message = begin
            message = await websocket.receive()
            socket.protocol.on_message = None
            if handling is not None:
                await handling
            if message["type"] == "websocket.disconnect":
                return
            await _handle(server, socket, guest, message.get("text") or message.get("bytes") or "")
    finally:
        socket.protocol.on_message = None
        if handling is not None:
            await handling


async def _handle(server: Server, socket: Subscriber, guest: Guest | None, content: str | bytes) -> None:
    """Execute a message and send the answer, if it gets one."""
    if socket.closed:
        return
    answer = await _answer(server, socket, guest, content)
    if answer is not None:
        await socket.protocol.writable.wait()
        socket.send(orjson.dumps(answer))


async def _answer(server: Server, socket: Subscriber, guest: Guest | None, content: str | bytes) -> dict[str, Any] | None:
    """Execute a message; return the answer, or None for a message without id."""
    number: Any = None
    try:
        if len(content) > server.settings.limits.message:
            raise ApiError(413, "too_large", f"a message may have {server.settings.limits.message} bytes")
        server.rate_limiter.check(server.rate_limiter.address, socket.address, "messages from this address")
        if guest is not None:
            server.rate_limiter.check(server.rate_limiter.requests, guest.id, "messages")
        raw = orjson.loads(content)
        if isinstance(raw, dict) and isinstance(raw.get("id"), str | int):
            number = raw["id"]
        message = CLIENT_MESSAGES.validate_python(raw)
        if isinstance(message, PingMessage):
            return {"type": "pong", "id": message.id, "time": now()}
        if socket.table_id == LOBBY:
            raise ApiError(409, "no_table", "this socket is at no table")
        if isinstance(message, LookMessage):
            socket.seat = message.seat if message.seat is not None else socket.seat
            socket.language = catalog.negotiate_language(message.lang, None) if message.lang is not None else socket.language
            socket.ply, socket.version = -1, None
            ply, version = await _send_table(server, socket)
        elif guest is None:
            raise ApiError(403, "not_seated", "you do not sit at this table")
        else:
            ply, version = await server.perform(guest, socket.table_id, message, lambda table: (table.ply, table.number))
        return {"type": "done", "id": message.id, "ply": ply, "version": version} if message.id is not None else None
    except ApiError as error:
        return {"type": "error", "id": number, "error": error.code, "message": error.message}
    except (orjson.JSONDecodeError, UnicodeError):
        return {"type": "error", "id": None, "error": "bad_request", "message": "a message is a JSON object"}
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        problem = f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}"[:300]
        return {"type": "error", "id": number, "error": "bad_request", "message": problem}
    except Exception as error:
        reason = as_api_error(error, "live")
        return {"type": "error", "id": number, "error": reason.code, "message": reason.message}


async def _refuse(websocket: WebSocket, error: ApiError) -> None:
    await websocket.accept()
    await _close(websocket, GONE if error.status == 404 else FULL if error.status == 429 else WRONG, error.code)


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    if websocket.application_state == WebSocketState.CONNECTED:
        await websocket.close(code, reason)
