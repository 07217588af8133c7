"""`azalai serve`, and plain `azalai`: the server."""

from __future__ import annotations

import argparse
import errno
import json
import os
import signal
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from dataclasses import replace
from typing import Any

USUAL_PORT = 8000
EVERYWHERE = ("0.0.0.0", "::")
PATIENCE = 5.0  # seconds after which a start that goes on is explained
SAY = {
    "en": {
        "host": "the address to listen at (default: 127.0.0.1, this machine alone; 0.0.0.0: the network; ::: IPv6, too)",
        "port": "the port to listen at (default: 8000; with --open another one where that is taken; 0: any free one)",
        "database": "sqlite:///FILE or postgresql://…; else as AZALAI_DATABASE_URL says",
        "level": "how much to log (default: info; with --open warning)",
        "proxy": "addresses of proxies whose X-Forwarded headers are believed, with commas between them",
        "open": "open the page in a browser",
        "busy": "port {port} is taken: choose another with --port, or stop what listens there",
        "nowhere": "{host} is no address to listen at on this machine: {why}",
        "here": "Azalai is at {address}   (stop it with Ctrl+C)",
        "first": "The first start prepares each game for this machine; that takes some minutes, once.",
        "runs": "Azalai runs already, at {address}",
    },
    "de": {
        "host": "die Adresse, auf der gelauscht wird (sonst 127.0.0.1, nur dieser Rechner; 0.0.0.0: das Netz; ::: auch IPv6)",
        "port": "der Port, auf dem gelauscht wird (sonst 8000; mit --open ein anderer, wenn der belegt ist; 0: irgendein freier)",
        "database": "sqlite:///DATEI oder postgresql://…; sonst was AZALAI_DATABASE_URL sagt",
        "level": "wie viel aufgezeichnet wird (sonst info; mit --open warning)",
        "proxy": "Adressen von Proxys, deren X-Forwarded-Angaben geglaubt wird, mit Kommas getrennt",
        "open": "die Seite im Browser öffnen",
        "busy": "Port {port} ist belegt: mit --port einen anderen wählen oder beenden, was dort lauscht",
        "nowhere": "Unter {host} kann auf diesem Rechner nicht gelauscht werden: {why}",
        "here": "Azalai ist auf {address}   (beenden mit Strg+C)",
        "first": "Der erste Start bereitet jedes Spiel für diesen Rechner vor; das dauert einige Minuten, einmal.",
        "runs": "Azalai läuft schon, auf {address}",
    },
}


def add_arguments(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """What `azalai serve` takes."""
    say = SAY[language]
    parser.add_argument("--host", default="127.0.0.1", help=say["host"])
    parser.add_argument("--port", type=int, help=say["port"])
    parser.add_argument("--database", default="", help=say["database"])
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), help=say["level"])
    parser.add_argument("--proxy", default=os.environ.get("AZALAI_PROXY") or "127.0.0.1", help=say["proxy"])
    parser.add_argument("--open", action="store_true", help=say["open"])


def run(args: argparse.Namespace, texts: Any = None) -> int:
    """Serve until told to stop."""
    import uvicorn

    from azalai.server import logs
    from azalai.server.app import uvicorn_config
    from azalai.server.database import opened
    from azalai.server.settings import from_environment

    say = SAY[getattr(texts, "language", "en")]
    logs.set_up(args.log_level or ("warning" if args.open else "info"))
    settings = from_environment()
    if args.database:
        settings = replace(settings, database=args.database)
    seen_at = "127.0.0.1" if args.host in EVERYWHERE else f"[{args.host}]" if ":" in args.host else args.host
    if args.open and args.port is None and answers(f"http://{seen_at}:{USUAL_PORT}"):
        show(f"http://{seen_at}:{USUAL_PORT}", say["runs"])
        return 0
    listeners = listen(args, say)
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: None)  # Uvicorn takes them while it runs, and raises them again when it has stopped
    if args.open:
        address = f"http://{seen_at}:{listeners[0].getsockname()[1]}"
        threading.Thread(target=open_page, args=(address, say), daemon=True).start()
    with opened(settings.database):
        uvicorn.Server(uvicorn_config(settings, forwarded_allow_ips=args.proxy)).run(listeners)
    return 0


def listen(args: argparse.Namespace, say: dict[str, str]) -> list[socket.socket]:
    """Sockets at the port asked for. Who only wants to see the page gets another where the usual one is taken."""
    from azalai.engine.errors import AzalaiError

    port = USUAL_PORT if args.port is None else args.port
    for one in (port, 0) if args.open and args.port is None else (port,):
        try:
            return open_sockets(args.host, one)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise AzalaiError(say["nowhere"].format(host=args.host, why=error.strerror)) from None
    raise AzalaiError(say["busy"].format(port=port))


def open_sockets(host: str, port: int) -> list[socket.socket]:
    """A socket at the address; at `::` one for IPv4 beside it, since one for both would not tell whose address is which kind."""
    if host != "::":
        return [create_server(host, port)]
    first = create_server("0.0.0.0", port)
    try:
        return [first, create_server(host, first.getsockname()[1])]
    except OSError:
        first.close()
        raise


def create_server(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=2048)


def answers(address: str) -> dict[str, bool] | None:
    """What an Azalai at this address says about its games; None where there is none."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=2) as answer:
            games = json.load(answer)["games"]
            return dict(games)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def open_page(address: str, say: dict[str, str]) -> None:
    """Open the browser as soon as the server answers."""
    while answers(address) is None:
        time.sleep(0.1)
    show(address, say["here"])
    time.sleep(PATIENCE)
    if not all((answers(address) or {}).values()):
        print(say["first"], flush=True)


def show(address: str, sentence: str) -> None:
    """Say where the page is, and open it where there is a screen."""
    print(sentence.format(address=address), flush=True)
    if sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        webbrowser.open(address)
