"""The real server for tests, over real sockets: in a thread of this process, or as a process of its own."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from azalai.server.app import uvicorn_config
from azalai.server.schemas.messages import SERVER_MESSAGES
from azalai.server.settings import UNLIMITED, Settings
from tests.server.forks import Forked, Parent

PATIENCE = 120.0  # seconds; a busy machine may stand still for a while
TLS = ssl.create_default_context()  # for all clients: each would else read all certificates of the machine, which takes 20 ms
SERVE = """
import argparse
from azalai.cli import serve
parser = argparse.ArgumentParser()
serve.add_arguments(parser)
serve.run(parser.parse_args())
"""


def free_port() -> int:
    """A port nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def quick(database: str, **changes: Any) -> Settings:
    """Settings for tests: nothing is limited, and clocks and leases are looked at often."""
    values: dict[str, Any] = {
        "database": database,
        "limits": UNLIMITED,
        "tick": 0.1,
        "lease": 2.0,
        "absent_after": 0.4,
        **changes,
    }
    return Settings(**values)


class InThread:
    """A server in a thread."""

    def __init__(self, settings: Settings) -> None:
        self.port = free_port()
        config = uvicorn_config(settings, port=self.port)
        self.app: Any = config.app
        self.uvicorn = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.uvicorn.run, daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> InThread:
        self.thread.start()
        until(lambda: self.uvicorn.started or not self.thread.is_alive())
        assert self.uvicorn.started, "the server did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), "the server did not stop"


@functools.cache
def parent() -> Parent:
    """The process that forks servers, one for all tests that run here."""
    return Parent()


class Process:
    """A server as a process of its own, to be killed. It is forked, but where it shall run with another environment."""

    def __init__(self, database: str, port: int | None = None, host: str = "127.0.0.1", **environment: str) -> None:
        self.port = port or free_port()
        self.host = host
        self.python = sys.executable
        # Some variables are read when modules are imported; and a Mac's libraries do not bear to be forked.
        self.forked = sys.platform == "linux" and not environment
        self.environment = {**os.environ, "AZALAI_DATABASE_URL": database, "AZALAI_LIMITS": "off", **environment}
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (closed when the server is)
        self.process: subprocess.Popen[bytes] | Forked | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        arguments = ["--host", self.host, "--port", str(self.port)]
        if self.forked:
            self.process = parent().fork(arguments, self.environment, self.log.fileno())
        else:
            command = [self.python, "-c", SERVE, *arguments]
            self.process = subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)
        until(self.healthy, f"the server did not start:\n{self.tail()}")
        return self

    def healthy(self) -> bool:
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{self.address}/healthz", timeout=5, verify=TLS).status_code == 200
        assert self.runs(), self.tail()
        return False

    def runs(self) -> bool:
        """Whether the process has not ended, in whatever way."""
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """Without warning."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """As an operator would."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def tail(self) -> str:
        """The end of its log."""
        self.log.seek(0)
        return self.log.read().decode(errors="replace")[-5000:]

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.runs():
            self.kill()
        self.log.close()


def until(condition: Callable[[], Any], message: str = "it did not come about", patience: float = PATIENCE) -> Any:
    """Wait for something to become true."""
    deadline = time.monotonic() + patience
    pause = 0.005
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)  # looking takes time from what is waited for
    raise AssertionError(message)


def fetch(address: str | httpx.URL, method: str = "GET", **more: Any) -> httpx.Response:
    """One request of nobody in particular. Without a word about it, `httpx.get` would wait for five seconds only."""
    return httpx.request(method, address, timeout=PATIENCE, verify=TLS, **more)


class Guest:
    """Somebody with a browser, or with an API token."""

    def __init__(self, address: str, token: str | None = None) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.address = address
        self.http = httpx.Client(base_url=f"{address}/api", timeout=PATIENCE, headers=headers, verify=TLS)

    def moved_to(self, address: str) -> Guest:
        """The same guest at another server."""
        other = Guest(address)
        other.http.cookies = self.http.cookies
        self.http.close()
        return other

    def ask(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        """A request that must be answered with `status`."""
        answer = self.http.request(method, path, **more)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.content else None

    def get(self, path: str, status: int = 200, **params: Any) -> Any:
        return self.ask("GET", path, status, params=params)

    def post(self, path: str, body: Any = None, status: int = 200, **params: Any) -> Any:
        return self.ask("POST", path, status, json={} if body is None else body, params=params)

    def found(self, game: str, *seats: str, status: int = 201, **more: Any) -> Any:
        """A new table: `me`, `open`, or the name of a computer player for each seat."""
        wishes = [{"kind": one} if one in ("me", "open") else {"kind": "bot", "bot": one} for one in seats]
        return self.post("/tables", {"game": game, "seats": wishes, **more}, status)

    def look(self, table: Any, **params: Any) -> Any:
        return self.get(f"/tables/{table['id']}", **params)

    def play(self, table: Any, move: Any = None, status: int = 200, **more: Any) -> Any:
        """Play a move, by default the first legal one, at the ply of the table as given."""
        chosen = table["moves"][0]["text"] if move is None else move
        return self.post(f"/tables/{table['id']}/moves", {"ply": table["ply"], "move": chosen, **more}, status)

    def act(self, table: Any, what: str, body: Any = None, status: int = 200) -> Any:
        return self.post(f"/tables/{table['id']}/{what}", body, status)

    def live(self, table: Any, **params: Any) -> contextlib.AbstractContextManager[Live]:
        """A socket at a table."""
        return self._socket(f"tables/{table['id']}/live", params)

    def lobby(self, **params: Any) -> contextlib.AbstractContextManager[Live]:
        """The socket of a start page."""
        return self._socket("lobby", params)

    @contextlib.contextmanager
    def _socket(self, path: str, params: dict[str, Any]) -> Iterator[Live]:
        query = "&".join(f"{key}={value}" for key, value in params.items())
        headers = {"cookie": "; ".join(f"{one.name}={one.value}" for one in self.http.cookies.jar)}
        if "authorization" in self.http.headers:
            headers["authorization"] = self.http.headers["authorization"]
        url = f"{self.address.replace('http', 'ws')}/api/{path}?{query}"
        with connect(
            url,
            additional_headers=headers,
            max_size=2**24,
            open_timeout=PATIENCE,
            ping_timeout=PATIENCE,
            close_timeout=0.5,  # who leaves with messages unread would else wait ten seconds for the answer behind them
        ) as connection:
            yield Live(connection)


class Live:
    """The other end of a socket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def next(self, kind: str | None = None, patience: float = PATIENCE) -> Any:
        """The next message, or the next of a kind."""
        while True:
            message = json.loads(self.connection.recv(patience))
            checked = SERVER_MESSAGES.validate_python(message)  # every message is what the API's description says, and no more
            assert SERVER_MESSAGES.dump_python(checked, mode="json", by_alias=True, exclude_unset=True) == message
            if kind is None or message["type"] == kind:
                return message

    def table(self, condition: Callable[[Any], Any] = bool) -> Any:
        """The next table that fulfils a condition."""
        while True:
            message = self.next("table")
            if condition(message):
                return message

    def until(self, kind: str, condition: Callable[[Any], Any]) -> Any:
        """The next message of a kind that fulfils a condition."""
        while True:
            message = self.next(kind)
            if condition(message):
                return message

    def until_all(self, **conditions: Callable[[Any], Any]) -> None:
        """Wait for a message of each kind that fulfils its condition, in whatever order they come."""
        while conditions:
            message = self.next()
            if (kind := message["type"]) in conditions and conditions[kind](message):
                del conditions[kind]

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def ask(self, **message: Any) -> Any:
        """Send a message and wait for its answer."""
        self.send(id="asked", **message)
        while True:
            answer = self.next()
            if answer.get("id") == "asked":
                return answer


# ---------------------------------------------------------------- PostgreSQL


def postgres_folder() -> Path | None:
    """Where PostgreSQL's programs lie, or None where they are not installed."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if found:
        return max(found, key=lambda path: int(path.parent.name))
    command = shutil.which("initdb")
    return Path(command).resolve().parent if command else None


class Postgres:
    """A PostgreSQL cluster in a temporary folder, run by a user who is not root."""

    def __init__(self) -> None:
        folder = postgres_folder()
        assert folder is not None
        self.programs = folder
        self.home = Path(tempfile.mkdtemp(prefix="azalai-postgres-"))
        self.port = free_port()
        self.as_user: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.home, "postgres", "postgres")
            self.as_user = ["runuser", "-u", "postgres", "--"]

    def run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*self.as_user, str(self.programs / program), *arguments],
            check=True,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Postgres:
        self.run("initdb", "-D", f"{self.home}/data", "-U", "azalai", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop("immediate")
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self) -> None:
        # Nothing waits for the disk: only a machine that loses power would lose something by that, not a process that is killed.
        options = f"-p {self.port} -k {self.home} -c listen_addresses=127.0.0.1 -c max_connections=200 -c fsync=off"
        self.run("pg_ctl", "-D", f"{self.home}/data", "-w", "-l", f"{self.home}/log", "-o", options, "start")

    def stop(self, mode: str) -> None:
        self.run("pg_ctl", "-D", f"{self.home}/data", "-m", mode, "-w", "stop")

    def database(self, name: str, template: str = "template1") -> str:
        """The address of a new database, a copy of another."""
        self.run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "azalai", "-T", template, name)
        return f"postgresql://azalai@127.0.0.1:{self.port}/{name}"
