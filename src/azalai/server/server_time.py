"""The server's time, which does not follow jumps of the machine's clock."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from sqlalchemy import delete, func, insert, select

from azalai.server.rows import SettingRow, TableRow

if TYPE_CHECKING:
    from azalai.server.store import Store

log = logging.getLogger("azalai.store")

JUMP = 60_000  # milliseconds by which the machine's clock may differ from the server's time before that is logged


_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def ticks() -> int:
    """Return nanoseconds that go on evenly, whatever happens to the machine's clock; if possible also while it sleeps."""
    return time.clock_gettime_ns(_CLOCK)


_offset = time.time_ns() - ticks()  # changed only by `set_time`, when a server starts


def now() -> int:
    """Return the server time in milliseconds. It does not follow jumps of the machine's clock."""
    return (ticks() + _offset) // 1_000_000


def set_time(milliseconds: int) -> None:
    """Set the server time of this process."""
    global _offset
    _offset = milliseconds * 1_000_000 - ticks()


def boot_id() -> str:
    """Return what names the time since the machine was started, within which `ticks` can be compared; empty if unknown."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


async def start_time(store: Store) -> None:
    """Set the server time when a server starts: as it was in its last run, or by the clock, and never back.

    On PostgreSQL its clock counts, which is the same for all processes. On SQLite the last run has stored how its time
    follows from `ticks`; that holds until the machine is started anew.
    """
    latest = await store.one(select(func.max(TableRow.updated).label("time")))
    before = int((latest and latest["time"]) or 0)
    if store.shared:
        clock = await store.one(select((func.extract("epoch", func.clock_timestamp()) * 1000).label("time")))
        assert clock is not None
        set_time(max(int(clock["time"]), before))
        return
    boot = boot_id()
    known = (await store.one(select(SettingRow.value).where(SettingRow.name == "time"))) or {"value": "{}"}
    last = orjson.loads(known["value"])
    by_clock = time.time_ns() // 1_000_000
    same_boot = boot and last.get("boot") == boot
    set_time(max((ticks() + last["offset"]) // 1_000_000 if same_boot else by_clock, before))
    if abs(now() - by_clock) > JUMP:
        log.warning("the machine's clock has jumped; the server's time goes on as before", extra={"by": by_clock - now()})
    row = {"name": "time", "value": orjson.dumps({"boot": boot, "offset": _offset}).decode()}
    await store.execute((delete(SettingRow).where(SettingRow.name == "time"),), (insert(SettingRow), [row]))
