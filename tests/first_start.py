"""The first start on a machine: from an empty folder with nothing compiled, how long until a person plays?

    python -m tests.first_start

Starts a server and measures: the command to the page; for each game Play now to the first board with lit moves, the answer of
the computer players, and a hint; the memory of the server with tables of all games, before they are compiled and after. Tables
go on all the while.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from azalai.bots import DEFAULT_LEVEL, PARTS
from azalai.engine.discovery import installed
from tests.server.running import Guest, Process, fetch, until

PATIENCE = 900.0  # seconds until all games are compiled, on a slow machine
MOVES = 5  # played at each table when all games are compiled


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, value in measure(Path(folder), tuple(installed())).items():
            print(f"{name:40} {value:7.2f}", flush=True)


def measure(folder: Path, games: tuple[str, ...]) -> dict[str, float]:
    """Play these games on a server that has compiled nothing, until it has; return seconds and megabytes by what they measure."""
    found: dict[str, float] = {}
    began = time.perf_counter()
    database, cache = f"sqlite:///{folder / 'azalai.db'}", str(folder / "cache")
    with Process(database, AZALAI_CACHE=cache, AZALAI_COMPILE="", AZALAI_INTERPRET="") as server:
        assert server.process is not None
        pid = server.process.pid
        until(lambda: fetch(f"{server.address}/").status_code == 200)
        found["command to page, s"] = time.perf_counter() - began
        guest = Guest(server.address)
        tables = {name: play_first_move(guest, name, found) for name in games}
        found["memory before compiling, MB"] = megabytes(pid)
        marks = folder / "cache"
        until(lambda: len(list(marks.glob(f"*/*-{PARTS[-1]}.ready"))) == len(installed()), "it is not compiled", PATIENCE)
        found["command to all compiled, s"] = time.perf_counter() - began
        for name in games:
            while ask_hint(guest, tables[name])["quick"]:  # compiled, but not loaded yet
                pass
            for _ in range(MOVES):
                guest.play(my_turn(guest, tables[name]))
            found[f"{name}: the whole hint, s"] = ask_hint(guest, tables[name])["seconds"]
        found["memory with all compiled, MB"] = megabytes(pid)
        found["processor time of compiling, s"] = children_seconds(pid)
    return found


def play_first_move(guest: Guest, game: str, found: dict[str, float]) -> Any:
    """Do what Play now does, ask for a hint, move and wait for the next turn; return the table."""
    began = time.perf_counter()
    seats = guest.get(f"/games/{game}")["seats"]
    table = guest.found(game, "me", *[str(DEFAULT_LEVEL)] * ((3 if 3 in seats else seats[0]) - 1))
    my_turn(guest, table)
    found[f"{game}: Play now to lit board, s"] = time.perf_counter() - began
    found[f"{game}: hint, s"] = ask_hint(guest, table)["seconds"]
    while len(table["pending"]) > 1 or 0 in table["pending"]:  # a turn may be several decisions
        table = guest.play(my_turn(guest, table))
    began = time.perf_counter()
    my_turn(guest, table)
    found[f"{game}: bots' answer, s"] = time.perf_counter() - began
    return table


def my_turn(guest: Guest, table: Any) -> Any:
    """Return the table as soon as there are moves to choose from."""
    return until(lambda: (now := guest.look(table))["moves"] and now, "nobody moves")


def ask_hint(guest: Guest, table: Any) -> dict[str, Any]:
    """Return a hint, with the seconds that it took."""
    my_turn(guest, table)
    began = time.perf_counter()
    job = guest.act(table, "jobs", {"kind": "hint"}, 202)
    done = until(lambda: (now := guest.get(f"/jobs/{job['id']}"))["status"] in ("done", "failed") and now)
    return {**done["result"], "seconds": time.perf_counter() - began}


def megabytes(pid: int) -> float:
    """Return the memory that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def children_seconds(pid: int) -> float:
    """Return the processor time of a process's children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
