"""`azalai serve`, and plain `azalai`: the server."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import threading
import time
import urllib.request
import webbrowser
from dataclasses import replace
from typing import Any

SAY = {
    "en": {
        "host": "the address to listen at (default: 127.0.0.1, this machine alone)",
        "port": "the port to listen at (default: 8000; 0: any free one)",
        "database": "sqlite:///FILE or postgresql://…; else as AZALAI_DATABASE_URL says",
        "level": "how much to log",
        "proxy": "addresses of proxies whose X-Forwarded headers are believed, with commas between them",
        "open": "open the page in a browser",
        "busy": "port {port} is taken: choose another with --port, or stop what listens there",
        "here": "Azalai is at {address}   (stop it with Ctrl+C)",
    },
    "de": {
        "host": "die Adresse, auf der gelauscht wird (sonst 127.0.0.1, nur dieser Rechner)",
        "port": "der Port, auf dem gelauscht wird (sonst 8000; 0: irgendein freier)",
        "database": "sqlite:///DATEI oder postgresql://…; sonst was AZALAI_DATABASE_URL sagt",
        "level": "wie viel aufgezeichnet wird",
        "proxy": "Adressen von Proxys, deren X-Forwarded-Angaben geglaubt wird, mit Kommas getrennt",
        "open": "die Seite im Browser öffnen",
        "busy": "Port {port} ist belegt: mit --port einen anderen wählen oder beenden, was dort lauscht",
        "here": "Azalai ist auf {address}   (beenden mit Strg+C)",
    },
}


def add_arguments(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """What `azalai serve` takes."""
    say = SAY[language]
    parser.add_argument("--host", default="127.0.0.1", help=say["host"])
    parser.add_argument("--port", type=int, default=8000, help=say["port"])
    parser.add_argument("--database", default="", help=say["database"])
    parser.add_argument("--log-level", default="info", choices=("debug", "info", "warning", "error"), help=say["level"])
    parser.add_argument("--proxy", default=os.environ.get("AZALAI_PROXY") or "127.0.0.1", help=say["proxy"])
    parser.add_argument("--open", action="store_true", help=say["open"])


def run(args: argparse.Namespace, texts: Any = None) -> int:
    """Serve until told to stop."""
    import uvicorn

    from azalai.engine.errors import AzalaiError
    from azalai.server import logs
    from azalai.server.app import uvicorn_config
    from azalai.server.database import opened
    from azalai.server.settings import from_environment

    say = SAY[getattr(texts, "language", "en")]
    logs.set_up(args.log_level)
    settings = from_environment()
    if args.database:
        settings = replace(settings, database=args.database)
    try:
        listener = socket.create_server((args.host, args.port), backlog=2048)
    except OSError:
        raise AzalaiError(say["busy"].format(port=args.port)) from None
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: None)  # Uvicorn takes them while it runs, and raises them again when it has stopped
    if args.open:
        address = f"http://{'127.0.0.1' if args.host in ('0.0.0.0', '::') else args.host}:{listener.getsockname()[1]}"
        threading.Thread(target=_open_page, args=(address, say["here"]), daemon=True).start()
    with opened(settings.database):
        uvicorn.Server(uvicorn_config(settings, forwarded_allow_ips=args.proxy)).run([listener])
    return 0


def _open_page(address: str, here: str) -> None:
    """Open the browser as soon as the server answers."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=2):
                break
        except OSError:
            time.sleep(0.1)
    print(here.format(address=address), flush=True)
    webbrowser.open(address)
