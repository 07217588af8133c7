"""What one address may ask for, what a connection may cost, and what is said when the database cannot be used."""

from __future__ import annotations

import os
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest

from azalai.server import broadcast
from azalai.server.protocols import HttpProtocol
from azalai.server.settings import UNLIMITED, Limits, Rate
from tests.server.running import PATIENCE, Guest, InThread, Process, fetch, quick, until

FEW = Rate(0.001, 3)


@pytest.fixture
def arrive(tmp_path) -> Iterator[Callable[..., Callable[[], Guest]]]:
    """Starts a server with these limits, and lets guests come to it."""
    with ExitStack() as stack:

        def start(**limits: Any) -> Callable[[], Guest]:
            server = stack.enter_context(InThread(quick(f"sqlite:///{tmp_path}/a.db", limits=replace(UNLIMITED, **limits))))

            def come() -> Guest:
                guest = Guest(server.address)
                stack.callback(guest.http.close)
                return guest

            return come

        yield start


def test_tables_are_limited_by_address_whoever_asks_for_them(arrive):
    come = arrive(creations_of_address=FEW)
    for _ in range(3):
        come().found("targui", "me", "open")
    assert "address" in come().found("targui", "me", "open", status=429)["message"]


def test_rematches_count_as_new_tables(arrive):
    anna = arrive(creations=FEW)()
    table = anna.found("targui", "me", "1")
    for status in (200, 200, 429):
        anna.act(table, "resign")
        answer = anna.act(table, "rematch", status=status)
        if status == 200:
            table = anna.look({"id": answer["id"]})


def test_renames_are_limited_by_guest_and_by_address(arrive):
    come = arrive(renames=Rate(0.001, 2), renames_of_address=FEW)
    anna, bela = come(), come()
    for guest, status in ((anna, 200), (anna, 200), (anna, 429), (bela, 200), (bela, 429)):
        guest.ask("PATCH", "/me", status, json={"name": "Somebody"})


def test_the_usual_limits_let_a_family_play_and_stop_a_flood():
    usual = Limits()
    assert usual.creations_of_address.burst >= 2 * usual.creations.burst
    assert usual.creations_of_address.each <= 1


def test_a_public_table_is_listed_while_its_founder_waits_there(arrive, monkeypatch):
    monkeypatch.setattr(broadcast, "WAITING_SECONDS", 0.3)
    come = arrive()
    anna, bela = come(), come()
    table = anna.found("targui", "me", "open", public=True)

    def listed() -> bool:
        return table["id"] in [one["id"] for one in bela.get("/tables", list="public", limit=1)["tables"]]

    with anna.live(table):
        time.sleep(0.4)
        assert listed()
        for _ in range(3):  # tables that nobody waits at do not push it off the page
            come().found("targui", "me", "open", public=True)
        until(listed)
    until(lambda: not listed())
    until(lambda: anna.look(table) and listed())  # on a busy machine more time may have passed until it is asked for


# ---------------------------------------------------------------- below HTTP


@contextmanager
def connected(tmp_path: Any) -> Iterator[socket.socket]:
    """A bare connection to a server."""
    with (
        InThread(quick(f"sqlite:///{tmp_path}/a.db")) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection,
    ):
        yield connection


def rest(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@pytest.mark.parametrize("ended", [False, True])
def test_headers_over_64_kilobytes_are_cut_off(tmp_path, ended):
    with connected(tmp_path) as connection:
        head = b"GET /healthz HTTP/1.1\r\nHost: here\r\nX-Long: " + b"x" * 70_000
        connection.sendall(head + (b"\r\n\r\n" if ended else b""))
        answer = rest(connection)
        assert answer.startswith(b"HTTP/1.1 400") or not answer  # the answer may be lost where more was sent than was read


def test_headers_below_64_kilobytes_are_read(tmp_path):
    with connected(tmp_path) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\nX-Long: " + b"x" * 60_000 + b"\r\n\r\n")
        assert rest(connection).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("begin", [b"", b"GET /healthz HTT", b"GET /healthz HTTP/1.1\r\nHost: here\r\n"])
def test_half_a_request_is_cut_off(tmp_path, monkeypatch, begin):
    monkeypatch.setattr(HttpProtocol, "head_seconds", 0.3)
    with connected(tmp_path) as connection:
        connection.sendall(begin)
        assert rest(connection) == b""


def test_a_slow_body_is_cut_off(tmp_path, monkeypatch):
    monkeypatch.setattr(HttpProtocol, "body_seconds", 0.3)
    with connected(tmp_path) as connection:
        head = b"POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        connection.sendall(head + b"{")
        assert rest(connection) == b""


def test_a_connection_is_kept_for_the_next_request(tmp_path, monkeypatch):
    with connected(tmp_path) as connection:
        for _ in range(3):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
            answer = more = connection.recv(65536)
            while more and not answer.endswith(b"}"):  # head and body may come apart
                more = connection.recv(65536)
                answer += more
            assert answer.startswith(b"HTTP/1.1 200")
            monkeypatch.setattr(HttpProtocol, "head_seconds", 0.3)  # not before: the first request may come late
            monkeypatch.setattr(HttpProtocol, "body_seconds", 0.3)
            time.sleep(0.5)


# ---------------------------------------------------------------- the database


class Piped(Process):
    """A server whose log goes through a pipe: a limit on files is none on pipes."""

    def __init__(self, database: str) -> None:
        super().__init__(database)
        self.log.close()
        read, write = os.pipe()
        self.log: Any = os.fdopen(write, "wb", buffering=0)
        self.lines: list[bytes] = []
        threading.Thread(target=self._collect, args=(read,), daemon=True).start()

    def _collect(self, read: int) -> None:
        with os.fdopen(read, "rb") as log:
            self.lines.extend(log)

    def tail(self) -> str:
        return b"".join(self.lines).decode(errors="replace")[-5000:]


def test_a_full_disk_is_said_once_and_counted_and_passes(tmp_path):
    with Piped(f"sqlite:///{tmp_path}/a.db") as server:
        assert server.process is not None
        anna = Guest(server.address)
        table = anna.found("targui", "me", "open", clock={"kind": "live", "minutes": 5})
        bots = anna.found("targui", "1", "1")
        _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, most))
        for _ in range(5):
            assert anna.act(table, "chat", {"text": "lost?"}, status=503)["error"] == "unavailable"
        until(lambda: fetch(f"{server.address}/healthz").status_code == 503)
        time.sleep(3)  # the scheduler and the computer players go on trying
        said = [line for line in server.lines if b"the database cannot be used" in line]
        assert len(said) == 1
        assert not any(b"Traceback" in line for line in server.lines)
        counted = fetch(f"{server.address}/metrics").text
        assert float(counted.split("\nazalai_database_failures_total ")[1].split("\n")[0]) >= 5
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))
        anna.act(table, "chat", {"text": "back"})
        until(lambda: fetch(f"{server.address}/healthz").status_code == 200)
        ply = anna.look(bots)["ply"]
        until(lambda: anna.look(bots)["ply"] > ply)
        anna.http.close()


def test_a_database_that_is_gone_confirms_nothing(tmp_path):
    with InThread(quick(f"sqlite:///{tmp_path}/a.db")) as server:
        anna = Guest(server.address)
        table = anna.found("targui", "me", "open")
        (tmp_path / "a.db").rename(tmp_path / "b.db")
        assert anna.act(table, "chat", {"text": "lost?"}, status=503)["error"] == "unavailable"
        until(lambda: fetch(f"{server.address}/healthz").status_code == 503)
        (tmp_path / "b.db").rename(tmp_path / "a.db")
        anna.act(table, "chat", {"text": "back"})
        anna.http.close()
