"""Serves the built page, and the documentation at /docs: compressed files with strong ETags.

Unknown paths get the page's index.html, since the page routes itself.
"""

from __future__ import annotations

import functools
import gzip
import mimetypes
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from azalai.server.middleware import POLICY

File = tuple[bytes, bytes | None, str, str]
FOLDER = Path(__file__).resolve().parent.parent / "web"
DOCS = FOLDER.with_name("site")
DOCS_POLICY = f"{POLICY}; img-src 'self' data:"  # the icons of the site are in its style sheets
COMPRESSED = (".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".map", ".ico")
YEAR = "public, max-age=31536000, immutable"
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Azalai</title><h1>Azalai</h1>
<p>The server runs, but its page has not been built: see the README.
The API is described at <a href="/api/openapi.json">/api/openapi.json</a>.</p></html>"""


OTHERS = ("/api/", "/healthz", "/metrics")  # paths of the API


class Page:
    """ASGI middleware that serves the page and passes on requests to the API."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(OTHERS):
            await self.app(scope, receive, send)
        elif scope["method"] in ("GET", "HEAD"):
            await answer(scope["path"], Headers(scope=scope))(scope, receive, send)
        else:
            await PlainTextResponse("this address can only be read", 405, {"allow": "GET, HEAD"})(scope, receive, send)


def answer(path: str, headers: Headers) -> Response:
    """Return a file of the documentation or of the page, or index.html for the page's own routes."""
    if path == "/docs":
        return RedirectResponse("/docs/")
    if path.startswith("/docs/"):
        return documentation(path.removeprefix("/docs/"), headers)
    found = read(path.strip("/")) or (read("index.html") if "." not in path.rsplit("/", 1)[-1] else None)
    if found is None:
        return PlainTextResponse("there is no such file", 404) if "." in path.rsplit("/", 1)[-1] else HTMLResponse(NOT_BUILT)
    return send_file(found, headers, {"cache-control": YEAR if path.startswith("/assets/") else "no-cache"})


def documentation(name: str, headers: Headers) -> Response:
    """Return a file of the documentation."""
    found = read(name or "index.html", DOCS)
    if found is None:
        built = (DOCS / "index.html").exists()
        return PlainTextResponse("there is no such page" if built else "the documentation has not been built: make docs", 404)
    return send_file(found, headers, {"cache-control": "no-cache", "content-security-policy": DOCS_POLICY})


def send_file(found: File, headers: Headers, more: dict[str, str]) -> Response:
    """Return a file as the client takes it: not at all if it has it, compressed, or as it is."""
    content, packed, kind, tag = found
    answer_headers = {"etag": tag, "vary": "accept-encoding", **more}
    if headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=answer_headers)
    if packed is not None and "gzip" in headers.get("accept-encoding", ""):
        answer_headers["content-encoding"] = "gzip"
        return Response(packed, media_type=kind, headers=answer_headers)
    return Response(content, media_type=kind, headers=answer_headers)


def read(name: str, folder: Path | None = None) -> File | None:
    """Return a file of the page, or of another folder, in its current version; never one outside the folder."""
    folder = folder or FOLDER
    if "\0" in name:
        return None
    path = (folder / name).resolve()
    if not path.is_relative_to(folder) or not path.is_file():
        return None
    return load(path, path.stat().st_mtime_ns)


@functools.lru_cache(maxsize=512)
def load(path: Path, changed: int) -> File:
    """Return a file's content, its gzip form where that helps, its media type and its ETag."""
    content = path.read_bytes()
    packed = gzip.compress(content, 9, mtime=0) if path.suffix in COMPRESSED else None
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return content, packed, kind, f'"{sha256(content).hexdigest()[:16]}"'
