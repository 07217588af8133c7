"""How much one may ask, how large it may be, from where, and the headers every answer carries. Plain ASGI, outside the API."""

from __future__ import annotations

import functools
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
from azalai.server.acts import Refused
from azalai.server.database import OUTAGES
from azalai.server.guests import COOKIE, Guests
from azalai.server.settings import Limits, Rate, Settings

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
SAFE = ("GET", "HEAD", "OPTIONS")
METHODS = (*SAFE, "POST", "PUT", "PATCH", "DELETE")


class Bucket:
    """Counts by key what has been asked, and refuses what is more than its rate."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> float:
        """0, or the seconds after which to ask again."""
        time_now = time.monotonic()
        left, at = self._left.get(key, (float(self.rate.burst), time_now))
        left = min(self.rate.burst, left + (time_now - at) * self.rate.each)
        if left < 1:
            self._left[key] = left, time_now
            return (1 - left) / self.rate.each
        self._left[key] = left - 1, time_now
        return 0.0

    def tidy(self) -> None:
        """Forget who has not asked for so long that it makes no difference."""
        time_now = time.monotonic()
        full = self.rate.burst / self.rate.each
        self._left = {key: (left, at) for key, (left, at) in self._left.items() if time_now - at < full}


class Doorkeeper:
    """The limits of one server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.requests = Bucket(limits.requests)
        self.address = Bucket(limits.address)
        self.arrivals = Bucket(limits.arrivals)
        self.creations = Bucket(limits.creations)
        self.chat = Bucket(limits.chat)
        self.jobs = Bucket(limits.jobs)

    def pass_by(self, bucket: Bucket, key: str, what: str) -> None:
        """Refuse where there has been too much of something."""
        wait = bucket.take(key)
        if wait:
            raise TooMuch(what, wait)

    def tidy(self) -> None:
        """Forget what makes no difference any more."""
        for bucket in (self.requests, self.address, self.arrivals, self.creations, self.chat, self.jobs):
            bucket.tidy()


class TooMuch(Refused):
    """Refused for the amount; `wait` seconds help."""

    def __init__(self, what: str, wait: float) -> None:
        super().__init__(429, "too_much", f"too many {what}; try again in {int(wait) + 1} s")
        self.wait = int(wait) + 1


class Gate:
    """Every request and socket passes here: origin, size and rate are checked, the guest's cookie is read, headers are added."""

    def __init__(self, app: ASGIApp, settings: Settings, keeper: Doorkeeper, guests: Guests) -> None:
        self.app = app
        self.settings = settings
        self.keeper = keeper
        self.guests = guests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        state = scope.setdefault("state", {})
        state["guest"] = self.guests.from_cookie(read_cookie(headers))
        state["address"] = network(scope["client"][0]) if scope.get("client") else "?"
        state["origin_ok"] = origin_ok(headers, self.settings)
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        await self._request(scope, headers, state, receive, send)

    async def _request(self, scope: Scope, headers: Headers, state: dict[str, Any], receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        exchange = Exchange(self, scope, state, receive, send)
        try:
            self._check(scope, headers, state, exchange.limit)
            await self.app(scope, exchange.receive, exchange.send)
            if exchange.too_large:
                await exchange.refuse(Refused(413, "too_large", f"a request of this kind may have {exchange.limit} bytes"))
        except Refused as refusal:
            await exchange.refuse(refusal)
        except Exception as error:
            await exchange.refuse(excuse(error, scope["path"][:200]))
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
            raise Refused(413, "too_large", f"a request of this kind may have {limit} bytes")
        if scope["method"] not in SAFE and not state["origin_ok"]:
            raise Refused(403, "bad_origin", "this request comes from another site")
        self.keeper.pass_by(self.keeper.address, state["address"], "requests from this address")
        if state["guest"]:
            self.keeper.pass_by(self.keeper.requests, state["guest"], "requests")


class Exchange:
    """One request and its answer: measures the one and dresses the other."""

    def __init__(self, gate: Gate, scope: Scope, state: dict[str, Any], receive: Receive, send: Send) -> None:
        self.gate, self.scope, self.state = gate, scope, state
        self._receive, self._send = receive, send
        limits = gate.settings.limits
        self.limit = limits.record if scope["path"].endswith("/records") else limits.body
        self.size = 0
        self.too_large = False
        self.status = 500
        self.started = False

    async def receive(self) -> Message:
        """What comes in, as long as it is not too much."""
        message = await self._receive()
        if message["type"] == "http.request":
            self.size += len(message.get("body", b""))
            if self.size > self.limit:
                self.too_large = True
                raise Refused(413, "too_large", "too large")
        return message

    async def send(self, message: Message) -> None:
        """What goes out, with the headers every answer carries."""
        if self.too_large and not self.started:
            return  # whatever the application makes of a request cut short
        if message["type"] == "http.response.start":
            self.started, self.status = True, message["status"]
            answer = MutableHeaders(raw=message.setdefault("headers", []))
            for name, value in HEADERS.items():
                answer.setdefault(name, value)
            if self.state.get("new_guest"):
                secure = self.gate.settings.secure or self.scope.get("scheme") == "https"
                answer.append("set-cookie", self.gate.guests.cookie(self.state["new_guest"], secure))
            if self.scope["path"].startswith("/api/"):
                answer.setdefault("cache-control", "no-store")
        await self._send(message)

    async def refuse(self, refusal: Refused) -> None:
        """Answer in place of the application, unless it has begun to."""
        if self.started:
            return
        self.too_large = False
        body = orjson.dumps({"error": refusal.code, "message": refusal.message})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if refusal.status == 413:
            headers.append((b"connection", b"close"))
        if isinstance(refusal, TooMuch):
            headers.append((b"retry-after", str(refusal.wait).encode()))
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def excuse(error: Exception, path: str) -> Refused:
    """What to answer where something failed that should not have; what it was is for the log alone."""
    if isinstance(error, OUTAGES):
        log.warning("the database does not answer", extra={"path": path, "why": str(error).splitlines()[0][:300]})
        return Refused(503, "unavailable", "the server cannot reach its database at the moment; try again")
    metrics.ERRORS.inc()
    log.error("a request failed", exc_info=error, extra={"path": path})
    return Refused(500, "internal", "something went wrong on the server; it has been noted")


@functools.lru_cache(4096)
def network(address: str) -> str:
    """Whose address this is, for limits: with IPv6 everybody has some 2**64 of them, which begin the same."""
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address


def read_cookie(headers: Headers) -> str | None:
    """Our cookie's value."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")[:4096]).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None


def origin_ok(headers: Headers, settings: Settings) -> bool:
    """Whether a browser's request comes from our own page. Programs send no origin."""
    origin = headers.get("origin")
    if origin is None:
        return True
    if origin.rstrip("/") in settings.origins:
        return True
    try:
        return bool(urlsplit(origin).netloc) and urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False
