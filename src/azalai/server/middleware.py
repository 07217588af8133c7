"""ASGI middleware around the application: origin, size and rate checks, guest cookies, common headers, error responses."""

from __future__ import annotations

import functools
import hashlib
import ipaddress
import logging
import time
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from azalai.server import metrics
from azalai.server.errors import ApiError, TooManyRequests
from azalai.server.guests import COOKIE, Guests
from azalai.server.limits import RateLimiter
from azalai.server.outages import is_outage, report_outage
from azalai.server.settings import Settings

log = logging.getLogger("azalai.requests")

POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
GUEST = "azalai-guest"  # a header for the page's service worker, which keeps answers of one guest from another
SAFE = ("GET", "HEAD", "OPTIONS")
METHODS = (*SAFE, "POST", "PUT", "PATCH", "DELETE")


class RequestMiddleware:
    """Checks every request and WebSocket before the application, and adds headers to every response."""

    def __init__(self, app: ASGIApp, settings: Settings, rate_limiter: RateLimiter, guests: Guests) -> None:
        self.app = app
        self.settings = settings
        self.rate_limiter = rate_limiter
        self.guests = guests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        state = scope.setdefault("state", {})
        state["session"] = self.guests.from_cookie(read_cookie(headers))
        state["guest"] = state["session"][0] if state["session"] else None
        state["address"] = network(scope["client"][0]) if scope.get("client") else "?"
        state["origin_ok"] = origin_ok(headers, self.settings)
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        await self._request(scope, headers, state, receive, send)

    async def _request(self, scope: Scope, headers: Headers, state: dict[str, Any], receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        exchange = HttpExchange(self, scope, state, receive, send)
        try:
            self._check(scope, headers, state, exchange.limit)
            await self.app(scope, exchange.receive, exchange.send)
            if exchange.too_large:
                await exchange.send_error(ApiError(413, "too_large", f"a request of this kind may have {exchange.limit} bytes"))
        except ApiError as error:
            await exchange.send_error(error)
        except Exception as error:
            await exchange.send_error(as_api_error(error, scope["path"][:200]))
        finally:
            seconds = time.perf_counter() - begun
            route = getattr(scope.get("route"), "path", "-")
            metrics.REQUESTS.labels(scope["method"] if scope["method"] in METHODS else "?", route, exchange.status).inc()
            metrics.REQUEST_SECONDS.observe(seconds)
            if log.isEnabledFor(logging.DEBUG):
                what = {"method": scope["method"], "route": route, "status": exchange.status, "from": state["address"]}
                log.debug("answered", extra={**what, "ms": round(seconds * 1000, 2)})

    def _check(self, scope: Scope, headers: Headers, state: dict[str, Any], limit: int) -> None:
        if not scope["path"].startswith("/api/"):
            return
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > limit:
            raise ApiError(413, "too_large", f"a request of this kind may have {limit} bytes")
        if scope["method"] not in SAFE and not state["origin_ok"]:
            raise ApiError(403, "bad_origin", "this request comes from another site")
        self.rate_limiter.check(self.rate_limiter.address, state["address"], "requests from this address")
        if state["guest"]:
            self.rate_limiter.check(self.rate_limiter.requests, state["guest"], "requests")


class HttpExchange:
    """One HTTP request and its response."""

    def __init__(self, middleware: RequestMiddleware, scope: Scope, state: dict[str, Any], receive: Receive, send: Send) -> None:
        self.middleware, self.scope, self.state = middleware, scope, state
        self._receive, self._send = receive, send
        limits = middleware.settings.limits
        self.limit = limits.record if scope["path"].endswith("/records") else limits.body
        self.size = 0
        self.too_large = False
        self.status = 500
        self.started = False

    async def receive(self) -> Message:
        """Receive a part of the body; raise an error when it is too large."""
        message = await self._receive()
        if message["type"] == "http.request":
            self.size += len(message.get("body", b""))
            if self.size > self.limit:
                self.too_large = True
                raise ApiError(413, "too_large", "too large")
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the response, with the common headers."""
        if self.too_large and not self.started:
            return  # drop the application's response to a truncated request
        if message["type"] == "http.response.start":
            self.started, self.status = True, message["status"]
            answer = MutableHeaders(raw=message.setdefault("headers", []))
            for name, value in HEADERS.items():
                answer.setdefault(name, value)
            secure = self.middleware.settings.secure or self.scope.get("scheme") == "https"
            for name, session in self.state.get("cookies", {}).items():
                answer.append("set-cookie", self.middleware.guests.cookie(session, secure, name))
            if self.scope["path"].startswith("/api/"):
                answer.setdefault("cache-control", "no-store")
                session = self.state.get("cookies", {}).get(COOKIE) or self.state["session"]
                if session:
                    answer.setdefault(GUEST, guest_mark(session[0]))
        await self._send(message)

    async def send_error(self, error: ApiError) -> None:
        """Send an error response, unless the application has started to respond."""
        if self.started:
            return
        self.too_large = False
        body = orjson.dumps({"error": error.code, "message": error.message})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if error.status == 413:
            headers.append((b"connection", b"close"))
        if isinstance(error, TooManyRequests):
            headers.append((b"retry-after", str(error.wait).encode()))
        await self.send({"type": "http.response.start", "status": error.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def as_api_error(error: Exception, path: str) -> ApiError:
    """Turn an unexpected exception into the error the client sees. Details go only to the log."""
    if is_outage(error):
        report_outage(error)
        return ApiError(503, "unavailable", "the server cannot use its database at the moment; try again")
    metrics.ERRORS.inc()
    log.error("a request failed", exc_info=error, extra={"path": path})
    return ApiError(500, "internal", "something went wrong on the server; it has been noted")


@functools.lru_cache(4096)
def network(address: str) -> str:
    """Return the key of an address for rate limits: the /64 network for IPv6, since one host has all its addresses."""
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address


@functools.lru_cache(4096)
def guest_mark(guest_id: str) -> str:
    """Return what tells a guest's answers from another's on one device; the id does not follow from it."""
    return hashlib.sha256(f"mark {guest_id}".encode()).hexdigest()[:16]


def read_cookie(headers: Headers, name: str = COOKIE) -> str | None:
    """Return the value of a cookie of ours."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")[:4096]).get(name)
    except CookieError:
        return None
    return morsel.value if morsel else None


def origin_ok(headers: Headers, settings: Settings) -> bool:
    """Return whether a browser's request comes from our own page. Programs send no origin."""
    origin = headers.get("origin")
    if origin is None:
        return True
    if origin.rstrip("/") in settings.origins:
        return True
    try:
        return bool(urlsplit(origin).netloc) and urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False
