"""`azalai serve`, and plain `azalai`: the server."""

from __future__ import annotations

import argparse
import errno
import json
import multiprocessing
import multiprocessing.process
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import urllib.request
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from azalai.cli.texts import Texts

if TYPE_CHECKING:
    from azalai.server.settings import Settings

USUAL_PORT = 8000
EVERYWHERE = ("0.0.0.0", "::")
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds from the start of a process to the next one in its place
STABLE = 60.0  # seconds after which a process has not failed at its start


def add_arguments(parser: argparse.ArgumentParser, texts: Texts | None = None) -> None:
    """What `azalai serve` takes."""
    texts = texts or Texts()
    parser.add_argument("--host", default="127.0.0.1", help=texts("serve.host"))
    parser.add_argument("--port", type=int, help=texts("serve.port"))
    parser.add_argument("--database", default="", help=texts("serve.database"))
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), help=texts("serve.level"))
    parser.add_argument("--proxy", default=os.environ.get("AZALAI_PROXY") or "127.0.0.1", help=texts("serve.proxy"))
    parser.add_argument("--processes", type=int, default=1, help=texts("serve.processes"))
    parser.add_argument("--open", action="store_true", help=texts("serve.open"))


def run(args: argparse.Namespace, texts: Texts | None = None) -> int:
    """Serve until told to stop."""
    import uvicorn

    from azalai.server import logs
    from azalai.server.app import uvicorn_config
    from azalai.server.database import opened
    from azalai.server.settings import from_environment

    texts = texts or Texts()
    logs.set_up(args.log_level or ("warning" if args.open else "info"))
    settings = from_environment()
    if args.database:
        settings = replace(settings, database=args.database)
    seen_at = "127.0.0.1" if args.host in EVERYWHERE else f"[{args.host}]" if ":" in args.host else args.host
    address = f"http://{seen_at}:{USUAL_PORT}"
    if args.open and args.port is None and answers(address):
        show(address, texts("serve.runs", address=address))
        return 0
    if args.processes > 1:
        return run_processes(args, settings, texts)
    listeners = listen(args, texts)
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: None)  # Uvicorn takes them while it runs, and raises them again when it has stopped
    if args.open:
        address = f"http://{seen_at}:{listeners[0].getsockname()[1]}"
        threading.Thread(target=open_page, args=(address, texts), daemon=True).start()
    with opened(settings.database):
        uvicorn.Server(uvicorn_config(settings, forwarded_allow_ips=args.proxy)).run(listeners)
    return 0


def run_processes(args: argparse.Namespace, settings: Settings, texts: Texts) -> int:
    """Serve with several processes until told to stop. One that dies is started again; meanwhile the others take its tables."""
    from azalai.engine.errors import BadOption
    from azalai.server.database import address, opened

    if not address(settings.database).startswith("postgresql"):
        raise BadOption(texts("serve.one"))
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    reserved = bind(args.host, USUAL_PORT if args.port is None else args.port, texts)
    port = reserved.getsockname()[1]
    with reserved, opened(settings.database), tempfile.TemporaryDirectory(prefix="azalai-") as folder:
        context = multiprocessing.get_context("spawn")
        level = args.log_level or "info"

        def start(number: int) -> multiprocessing.process.BaseProcess:
            place = (Path(folder), number, args.processes)
            process = context.Process(target=serve_at, args=(args.host, port, args.proxy, level, settings, place))
            process.start()
            return process

        running = [start(number) for number in range(args.processes)]
        begun, pause = [time.monotonic()] * args.processes, [FIRST_PAUSE] * args.processes
        while not stop.wait(1):
            for place, process in enumerate(running):
                lived = time.monotonic() - begun[place]
                if not process.is_alive() and lived >= pause[place]:
                    begun[place], pause[place] = time.monotonic(), next_pause(lived, pause[place])
                    running[place] = start(place)
        for one in running:
            one.terminate()
        for one in running:
            one.join()
    return 0


def next_pause(lived: float, pause: float) -> float:
    """Return how soon the next process may follow one that is started now: later and later where they die soon."""
    return FIRST_PAUSE if lived >= STABLE else min(2 * pause, LONGEST_PAUSE)


def serve_at(host: str, port: int, proxy: str, level: str, settings: Settings, place: tuple[Path, int, int]) -> None:
    """One of several processes that share a port: the system gives each of them its part of the connections.

    `place`: the folder of their inboxes, the number of this process, and how many there are.
    """
    from azalai.server import logs
    from azalai.server.app import uvicorn_config
    from azalai.server.socket_router import RoutingServer, SocketRouter

    logs.set_up(level)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    threading.Thread(target=stop_without, args=(os.getppid(),), daemon=True).start()
    hosts = ("0.0.0.0", "::") if host == "::" else (host,)
    listeners = [create_server(one, port, shared=True) for one in hosts]
    RoutingServer(uvicorn_config(settings, forwarded_allow_ips=proxy), SocketRouter(*place)).run(listeners)


def stop_without(parent: int) -> None:
    """Stop this process when the one that started it has died."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def bind(host: str, port: int, texts: Texts) -> socket.socket:
    """A socket that keeps a port for processes that share it."""
    from azalai.engine.errors import AzalaiError

    one = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        one.bind((host, port))
    except OSError as error:
        one.close()
        if error.errno == errno.EADDRINUSE:
            raise AzalaiError(texts("serve.busy", port=port)) from None
        raise AzalaiError(texts("serve.nowhere", host=host, why=error.strerror)) from None
    return one


def listen(args: argparse.Namespace, texts: Texts) -> list[socket.socket]:
    """Sockets at the port asked for. Who only wants to see the page gets another where the usual one is taken."""
    from azalai.engine.errors import AzalaiError

    port = USUAL_PORT if args.port is None else args.port
    for one in (port, 0) if args.open and args.port is None else (port,):
        try:
            return open_sockets(args.host, one)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise AzalaiError(texts("serve.nowhere", host=args.host, why=error.strerror)) from None
    raise AzalaiError(texts("serve.busy", port=port))


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


def create_server(host: str, port: int, shared: bool = False) -> socket.socket:
    """A socket that listens, at a port that others may share."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=2048, reuse_port=shared)


def answers(address: str) -> bool:
    """Whether an Azalai is at this address."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=2) as answer:
            return "games" in json.load(answer)
    except (OSError, ValueError, TypeError):
        return False


def open_page(address: str, texts: Texts) -> None:
    """Open the browser as soon as the server answers."""
    while not answers(address):
        time.sleep(0.1)
    show(address, texts("serve.here", address=address))


def show(address: str, sentence: str) -> None:
    """Say where the page is, and open it where there is a screen."""
    print(sentence, flush=True)
    if sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        webbrowser.open(address)
