"""The ASGI application: API, page, health check and metrics."""

from __future__ import annotations

import functools
import ipaddress
import logging
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException
from starlette.responses import Response

import azalai
from azalai.server.errors import ApiError, TooManyRequests
from azalai.server.middleware import RequestMiddleware
from azalai.server.outages import report_outage
from azalai.server.page import Page
from azalai.server.protocols import HttpProtocol, SocketProtocol
from azalai.server.routes import (
    callback,
    drawings,
    games,
    guests,
    lists,
    passkeys,
    people,
    play,
    players,
    puzzles,
    reasons,
    reviews,
    seats,
    socket,
    tables,
    tournaments,
)
from azalai.server.routes.common import Json
from azalai.server.schemas.health import Health
from azalai.server.schemas.messages import CLIENT_MESSAGES, SERVER_MESSAGES
from azalai.server.server import Server
from azalai.server.settings import Settings

log = logging.getLogger("azalai.app")

ABOUT = """Four desert board games at tables over the network. The page uses this API, and so can any program: make a token
at `/api/me/tokens` and send it as `Authorization: Bearer …`. `/api/tables/{id}/live` is a WebSocket; see `docs/server-api.md`."""


def make_app(settings: Settings) -> FastAPI:
    """Build the application."""
    server = Server(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await server.open()
        log.info("open", extra={"server": server.process, "shared": server.store.shared})
        yield
        await server.close()
        log.info("closed", extra={"server": server.process})

    app = FastAPI(
        title="Azalai",
        version=azalai.__version__,
        description=ABOUT,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        separate_input_output_schemas=False,
    )
    app.state.server = server
    app.openapi = functools.cache(lambda: describe(app))  # type: ignore[method-assign]
    for router in (
        games.router,
        guests.router,
        callback.mine,
        callback.others,
        passkeys.router,
        players.router,
        puzzles.router,
        lists.router,
        tables.router,
        tournaments.router,
        people.router,
        drawings.router,
        reasons.router,
        reviews.router,
        seats.router,
        play.router,
        socket.router,
    ):
        app.include_router(router, prefix="/api")
    _add_operations(app, server)
    _add_errors(app)
    app.add_middleware(Page)
    app.add_middleware(RequestMiddleware, settings=settings, rate_limiter=server.rate_limiter, guests=server.guests)
    return app


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description, with the messages of the WebSocket among its components."""
    description = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    unions: dict[str, TypeAdapter[Any]] = {"ClientMessage": CLIENT_MESSAGES, "ServerMessage": SERVER_MESSAGES}
    for name, messages in unions.items():
        schema = messages.json_schema(ref_template="#/components/schemas/{model}")
        description["components"]["schemas"] |= {**schema.pop("$defs"), name: schema}
    return description


def uvicorn_config(settings: Settings, **more: Any) -> uvicorn.Config:
    """Return the Uvicorn configuration that runs the application."""
    return uvicorn.Config(
        make_app(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=settings.limits.message * 4,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=75,  # longer than proxies keep idle connections, so that none is reused while we close it
        **more,
    )


def _add_operations(app: FastAPI, server: Server) -> None:
    @app.get("/healthz", response_model=Health, tags=["operations"], summary="Health", responses={503: {"model": Health}})
    async def healthz() -> Json:
        """Report whether the database can be read and written, and which games can be played."""
        status = "ok"
        try:
            await server.store.probe()
        except Exception as error:
            report_outage(error)
            status = "unavailable"
        content = {"status": status, "version": azalai.__version__, "games": server.catalog.playable()}
        return Json(content, status_code=200 if status == "ok" else 503)

    @app.get("/metrics", include_in_schema=False)
    async def show_metrics(request: Request) -> Response:
        if not _may_measure(request, server.settings.metrics_token):
            raise ApiError(403, "not_allowed", "metrics are for the machine itself, or for who brings the token")
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _may_measure(request: Request, token: str) -> bool:
    if token:
        return secrets.compare_digest(request.headers.get("authorization", "").encode(), f"Bearer {token}".encode())
    try:
        near = request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        near = False
    return near and not any(name in request.headers for name in ("x-forwarded-for", "forwarded"))


def _add_errors(app: FastAPI) -> None:
    """Give every error the same form, without internals."""

    @app.exception_handler(ApiError)
    async def refused(_: Request, error: ApiError) -> Response:
        headers = {"retry-after": str(error.wait)} if isinstance(error, TooManyRequests) else None
        return Json({"error": error.code, "message": error.message}, status_code=error.status, headers=headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first: dict[str, Any] = dict(error.errors()[0]) if error.errors() else {}
        where = ".".join(str(part) for part in first.get("loc", ()))
        return Json({"error": "bad_request", "message": f"{where}: {first.get('msg', 'not understood')}"[:300]}, status_code=422)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "bad_request")
        headers = {"allow": methods_at(app, request.url.path)} if error.status_code == 405 else error.headers
        return Json({"error": code, "message": str(error.detail)[:300]}, status_code=error.status_code, headers=headers)


def methods_at(app: FastAPI, path: str) -> str:
    """Return the methods of a path for the `Allow` header; the framework names only those of one route."""
    for template, methods in app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return ", ".join(sorted(method.upper() for method in methods))
    return "GET"
