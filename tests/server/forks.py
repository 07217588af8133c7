"""Servers that are there at once: forked from a process that has imported all they need, which takes two seconds each time."""

from __future__ import annotations

import argparse
import atexit
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from azalai.cli import serve
from azalai.engine import discovery
from azalai.engine.game import load_game


class Forked:
    """A process that another one has forked; it can do what is needed here of `subprocess.Popen`."""

    def __init__(self, parent: Parent, pid: int) -> None:
        self.parent, self.pid = parent, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self.parent.ask({"ended": self.pid})
        return self.returncode

    def wait(self, timeout: float = 60.0) -> int:
        deadline = time.monotonic() + timeout
        while (code := self.poll()) is None:
            assert time.monotonic() < deadline, f"process {self.pid} does not end"
            time.sleep(0.01)
        return code

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def _send(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


class Parent:
    """The process that forks. It ends, with all its children, when this one does."""

    def __init__(self) -> None:
        self.line, other = socket.socketpair()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", "tests.server.forks", str(other.fileno())]
        self.process = subprocess.Popen(command, env=environment, pass_fds=[other.fileno()])
        other.close()
        atexit.register(self.close)

    def fork(self, arguments: list[str], environment: dict[str, str], log: int) -> Forked:
        """Start a server that writes to a file that is open here."""
        question = {"arguments": arguments, "environment": environment, "folder": str(Path.cwd())}
        return Forked(self, self.ask(question, log))

    def ask(self, question: dict[str, Any], *files: int) -> Any:
        socket.send_fds(self.line, [json.dumps(question).encode() + b"\n"], files)
        return json.loads(self.line.recv(100))

    def close(self) -> None:
        self.line.close()
        self.process.wait()


def main() -> None:
    """Fork until the other side of the line is closed."""
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    question = _answer(socket.socket(fileno=int(sys.argv[1])))
    if question:
        sys.exit(serve.run(parser.parse_args(question["arguments"])))


def _answer(line: socket.socket) -> dict[str, Any] | None:
    """Answer questions; return, in a child, what it has to do."""
    for name in ("aiosqlite", "asyncpg", "numba", "uvloop", "azalai.server.app"):
        importlib.import_module(name)
    for name in discovery.installed():
        load_game(name)
    children: set[int] = set()
    while True:
        said, files, _, _ = socket.recv_fds(line, 1 << 16, 1)
        while said and not said.endswith(b"\n"):
            said += line.recv(1 << 16)
        if not said:
            break
        question: dict[str, Any] = json.loads(said)
        if "ended" in question:
            pid, status = os.waitpid(question["ended"], os.WNOHANG)
            children.discard(pid)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        elif answer := os.fork():
            children.add(answer)
            os.close(files[0])
        else:
            line.close()
            for output in (1, 2):
                os.dup2(files[0], output)
            os.close(files[0])
            os.environ.clear()
            os.environ.update(question["environment"])
            os.chdir(question["folder"])
            return question
        line.sendall(json.dumps(answer).encode())
    for child in children:
        os.kill(child, signal.SIGKILL)
    return None


if __name__ == "__main__":
    main()
