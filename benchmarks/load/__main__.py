"""Load with a thousand tables and open sockets: moves per second, and the time until all seats have a move.

`python -m benchmarks.load` runs our server, then boardgame.io's (in memory, its default, and with its own file store), each under
the same generator on the same machine, and prints one table. Needs Node 20 or later with npm, which fetches boardgame.io into
this folder the first time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from azalai.bots import PARTS
from azalai.engine.compile import wait_compiled
from azalai.engine.discovery import installed
from azalai.engine.game import load_game

HERE = Path(__file__).resolve().parent
SERVE = "import argparse; from azalai.cli import serve; p = argparse.ArgumentParser(); "
SERVE += "serve.add_arguments(p); serve.run(p.parse_args())"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rate", type=int, default=300, help="moves a second for the latencies")
    parser.add_argument(
        "--rounds",
        type=int,
        default=5,
        help="how often each is measured, in turns; the table shows the best, since others use this machine",
    )
    parser.add_argument("--game", default="targui")
    parser.add_argument("--database", default="", help="ours; else a new SQLite file")
    parser.add_argument("--processes", type=int, default=1, help="of our server; more than one need --database postgresql://…")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not (HERE / "node_modules").exists():
        subprocess.run(["npm", "ci", "--silent"], cwd=HERE, check=True)
    for name in installed():
        for part in PARTS:
            wait_compiled(load_game(name), part)  # else our server would do it while it is measured
    found: dict[str, list[dict[str, Any]]] = {}
    for _ in range(args.rounds):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            with ours(args.database or f"sqlite:///{folder}/azalai.db", args.processes) as port:
                found.setdefault("azalai, stored", []).append(measure("azalai", port, args))
            with theirs() as port:
                found.setdefault("boardgame.io, in memory", []).append(measure("boardgame.io", port, args))
            with theirs(f"{folder}/matches") as port:
                found.setdefault("boardgame.io, stored", []).append(measure("boardgame.io", port, args))
    best = {
        name: {
            "rate": min((one["rate"] for one in some), key=lambda one: one["p99_ms"]),
            "most": max((one["most"] for one in some), key=lambda one: one["moves_per_second"]),
        }
        for name, some in found.items()
    }
    loads = [one["load"] for some in found.values() for one in some]
    pairs = zip(found["azalai, stored"], found["boardgame.io, stored"], strict=True)
    ratios = [one["most"]["moves_per_second"] / other["most"]["moves_per_second"] for one, other in pairs]
    if args.json:
        print(json.dumps({"best": best, "ratios": ratios, "all": found}, indent=1))
        return
    print(
        f"{args.tables} tables, {2 * args.tables} sockets, {args.game}; generator on the same machine, {os.cpu_count()} cores; "
        f"load average before each measurement {min(loads):.1f} to {max(loads):.1f}\n"
    )
    print(f"{'':26}{f'at {args.rate} moves/s':>34}{'as fast as it goes':>42}")
    print(f"{'':26}{'moves/s':>10}{'median':>12}{'99 %':>12}{'moves/s':>14}{'server CPU':>16}{'generator':>12}")
    for name, one in best.items():
        rate, most = one["rate"], one["most"]
        latencies = f"{rate['median_ms']:>9.1f} ms{rate['p99_ms']:>9.1f} ms"
        cpu = f"{most['cpu_ms']:>9.2f} ms/move{most['generator']:>10.0%} "
        print(f"{name:26}{rate['moves_per_second']:>10}{latencies}{most['moves_per_second']:>14}{cpu}")
    rounds = ", ".join(f"{one:.2f}" for one in ratios)
    print(f"\nmoves/s of azalai to those of boardgame.io, stored, by rounds: {rounds}; median {statistics.median(ratios):.2f}")


@cache
def node() -> str:
    """Node itself: what the environment calls so may be a script that starts it, whose processor time would tell nothing."""
    return subprocess.run(["node", "-p", "process.execPath"], check=True, capture_output=True, text=True).stdout.strip()


def measure(kind: str, port: int, args: argparse.Namespace) -> dict[str, Any]:
    """At the given rate, then as fast as it goes."""
    load = os.getloadavg()[0]
    generate(kind, port, 20, 3, 0, args.game)  # warm up
    rate = generate(kind, port, args.tables, args.seconds, args.rate, args.game)
    most = generate(kind, port, args.tables, args.seconds, 0, args.game)
    print(f"{kind}: at {args.rate} moves/s {rate['p99_ms']} ms, at most {most['moves_per_second']} moves/s", file=sys.stderr)
    return {"rate": rate, "most": most, "load": load}


def generate(kind: str, port: int, tables: int, seconds: int, rate: int, game: str) -> dict[str, Any]:
    """Run the generator and read what it found."""
    command = [node(), "generate.mjs", kind, f"http://127.0.0.1:{port}", str(tables), str(seconds), str(rate), game]
    ran = subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    before, after = found.pop("cpu_marks")
    found["cpu_ms"] = 1000 * (after - before) / found["moves"] if found["moves"] and before is not None else float("nan")
    return found


@contextlib.contextmanager
def ours(database: str, processes: int = 1) -> Iterator[int]:
    """Our server."""
    port = free_port()
    environment = {**os.environ, "AZALAI_LIMITS": "off", "AZALAI_DATABASE_URL": database}
    command = [sys.executable, "-c", SERVE, "--port", str(port), "--log-level", "warning", "--processes", str(processes)]
    with running(command, port, "/healthz", environment):
        while not all(json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz"))["games"].values()):
            time.sleep(0.2)
        yield port


@contextlib.contextmanager
def theirs(folder: str | None = None) -> Iterator[int]:
    """boardgame.io's server, in memory or with its file store."""
    port = free_port()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    with running([node(), "peer.cjs", str(port), *([folder] if folder else [])], port, "/", dict(os.environ)):
        yield port


@contextlib.contextmanager
def running(command: list[str], port: int, path: str, environment: dict[str, str]) -> Iterator[None]:
    """A server while it is measured."""
    with tempfile.TemporaryFile() as log, subprocess.Popen(command, cwd=HERE, env=environment, stdout=log, stderr=log) as process:
        os.environ["SERVER_PID"] = str(process.pid)
        try:
            deadline = time.monotonic() + 120
            while not answers(f"http://127.0.0.1:{port}{path}"):
                if process.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise SystemExit(f"{command[0]} did not start:\n{log.read().decode()[-3000:]}")
                time.sleep(0.1)
            yield
        finally:
            process.kill()
            process.wait()


def answers(url: str) -> bool:
    """Whether a server answers, whatever it says."""
    try:
        urllib.request.urlopen(url, timeout=2).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def free_port() -> int:
    """A port nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


if __name__ == "__main__":
    main()
