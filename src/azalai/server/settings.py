"""How the server is set up: everything from the environment, with defaults for one machine."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from azalai.engine.errors import BadOption

MINUTE = 60.0
HOUR = 60 * MINUTE


@dataclass(frozen=True)
class Rate:
    """At most `burst` at once and `each` a second in the long run."""

    each: float
    burst: int


@dataclass(frozen=True)
class Limits:
    """What one guest, and one address, may ask of the server."""

    requests: Rate = Rate(20, 120)  # of one guest
    address: Rate = Rate(100, 600)  # of one network address, all its guests together
    arrivals: Rate = Rate(1, 60)  # new guests from one address
    creations: Rate = Rate(20 / MINUTE, 20)  # tables and imports of one guest
    chat: Rate = Rate(0.5, 10)
    jobs: Rate = Rate(0.5, 20)  # hints and analyses of one guest
    jobs_at_once: int = 2
    open_tables: int = 50  # unfinished tables a guest may sit at
    sockets: int = 40  # of one guest at a time
    sockets_of_address: int = 400
    body: int = 64 * 1024  # bytes of a request
    record: int = 1024 * 1024  # bytes of an imported record
    message: int = 16 * 1024  # bytes of a socket message
    chat_length: int = 500
    name_length: int = 24


UNLIMITED = Limits(
    *(Rate(1e9, 10**9),) * 6, jobs_at_once=64, open_tables=10**9, sockets=10**9, sockets_of_address=10**9
)  # for tests and load on one's own machine


@dataclass(frozen=True)
class Settings:
    """One server's settings; `from_environment` reads them."""

    database: str = ""
    secret: str = ""  # signs cookies; empty: one is made and kept in the database
    origins: tuple[str, ...] = ()  # further addresses the page may be served from
    secure: bool = False  # cookies over HTTPS alone
    metrics_token: str = ""  # who asks for metrics from elsewhere must bring it
    threads: int = 0  # for computer players; 0: one per processor
    tables_in_memory: int = 2000
    absent_after: float = 3 * MINUTE  # a player gone for so long may be replaced
    lease: float = 10.0  # seconds a process keeps a table whose computer player is thinking
    tick: float = 0.5  # seconds between two looks at clocks and leases
    limits: Limits = field(default_factory=Limits)


def from_environment() -> Settings:
    """Settings as the environment has them; see docs/deploy.md."""
    env = os.environ
    return Settings(
        database=env.get("AZALAI_DATABASE_URL", ""),
        secret=env.get("AZALAI_SECRET", ""),
        origins=tuple(one.strip().rstrip("/") for one in env.get("AZALAI_ORIGINS", "").split(",") if one.strip()),
        secure=env.get("AZALAI_SECURE", "") == "1",
        metrics_token=env.get("AZALAI_METRICS_TOKEN", ""),
        threads=_number("AZALAI_THREADS", 0),
        tables_in_memory=_number("AZALAI_TABLES_IN_MEMORY", 2000),
        absent_after=float(_number("AZALAI_ABSENT_AFTER", 180)),
        limits=UNLIMITED if env.get("AZALAI_LIMITS", "") == "off" else Limits(),
    )


def _number(name: str, default: int) -> int:
    text = os.environ.get(name, "")
    if not text:
        return default
    if not text.isdigit():
        raise BadOption(f"{name} must be a whole number, not {text!r}")
    return int(text)


def default_database() -> str:
    """The SQLite file of this user."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(home) / "azalai"
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'azalai.db'}"
