"""Settings, read from the environment, with defaults for a single machine."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from azalai.engine.errors import BadOption

MINUTE = 60.0
HOUR = 60 * MINUTE


@dataclass(frozen=True)
class Rate:
    """At most `burst` at once and `each` per second on average."""

    each: float
    burst: int


@dataclass(frozen=True)
class Limits:
    """Limits per guest and per network address."""

    requests: Rate = Rate(20, 120)  # of one guest
    address: Rate = Rate(100, 600)  # of one network address, all its guests together
    arrivals: Rate = Rate(1, 60)  # new guests from one address
    creations: Rate = Rate(20 / MINUTE, 20)  # tables, rematches and imports of one guest
    chat: Rate = Rate(0.5, 10)
    jobs: Rate = Rate(0.5, 20)  # hints and analyses of one guest
    creations_of_address: Rate = Rate(60 / MINUTE, 60)
    variants: Rate = Rate(5 / MINUTE, 10)  # tables and imports with changed components, from one address
    renames: Rate = Rate(6 / MINUTE, 10)  # of one guest
    renames_of_address: Rate = Rate(30 / MINUTE, 60)
    contacts: Rate = Rate(20 / HOUR, 20)  # new contacts and trial messages of one guest
    mails: Rate = Rate(3 / (24 * HOUR), 3)  # mails to one address that ask whether it is right
    sign_ins: Rate = Rate(6 / MINUTE, 30)  # steps of signing in by passkey or recovery code, from one address
    puzzles: Rate = Rate(1, 40)  # answers and solutions of one guest
    puzzles_of_address: Rate = Rate(5, 200)
    downloads: Rate = Rate(1 / MINUTE, 4)  # of all that is kept about one guest
    jobs_at_once: int = 2
    contacts_of_guest: int = 10
    open_tables: int = 50  # unfinished tables a guest may sit at
    sockets: int = 40  # of one guest at a time
    sockets_of_address: int = 400
    body: int = 64 * 1024  # bytes of a request
    record: int = 1024 * 1024  # bytes of an imported record
    message: int = 16 * 1024  # bytes of a socket message
    chat_length: int = 500
    name_length: int = 24


_NO_RATES: dict[str, Any] = {one.name: Rate(1e9, 10**9) for one in fields(Limits) if isinstance(one.default, Rate)}
UNLIMITED = Limits(
    jobs_at_once=64, open_tables=10**9, sockets=10**9, sockets_of_address=10**9, **_NO_RATES
)  # for tests and load on your own machine


@dataclass(frozen=True)
class Settings:
    """The settings of one server; `from_environment` reads them."""

    database: str = ""
    secret: str = ""  # signs cookies; if empty, one is generated and kept in the database
    origins: tuple[str, ...] = ()  # further origins the page may be served from
    secure: bool = False  # send cookies over HTTPS only
    metrics_token: str = ""  # required for metrics requests from other machines
    threads: int = 0  # for computer players; 0: one per processor
    tables_in_memory: int = 2000
    absent_after: float = 3 * MINUTE  # seconds after which an absent player may be replaced
    lease: float = 10.0  # seconds a process keeps a table whose computer player is running
    tick: float = 0.5  # seconds between two checks of clocks and leases
    public_url: str = ""  # where people find the page, for links in messages
    smtp: str = ""  # the mail server: smtp://user:password@host:port, or smtps://
    mail_from: str = ""  # the sender of mails
    callback_networks: tuple[str, ...] = ()  # internal networks that webhooks may be in
    callback_after: float = MINUTE  # seconds of absence after which a person is called
    callback_pause: float = 10 * MINUTE  # seconds between two messages to one person
    tournament_wait: float = 10 * MINUTE  # seconds after which a computer player may play for who has not come to their table
    limits: Limits = field(default_factory=Limits)


def from_environment() -> Settings:
    """Read the settings from the environment; see docs/deploy.md."""
    env = os.environ
    return Settings(
        database=env.get("AZALAI_DATABASE_URL", ""),
        secret=_read("AZALAI_SECRET"),
        origins=tuple(one.strip().rstrip("/") for one in env.get("AZALAI_ORIGINS", "").split(",") if one.strip()),
        secure=env.get("AZALAI_SECURE", "") == "1",
        metrics_token=env.get("AZALAI_METRICS_TOKEN", ""),
        threads=_number("AZALAI_THREADS", 0),
        tables_in_memory=_number("AZALAI_TABLES_IN_MEMORY", 2000),
        absent_after=float(_number("AZALAI_ABSENT_AFTER", 180)),
        **_callback_settings(),
        limits=UNLIMITED if env.get("AZALAI_LIMITS", "") == "off" else Limits(),
    )


def _callback_settings() -> dict[str, Any]:
    """Read and check how people are called back."""
    url, smtp, sender = os.environ.get("AZALAI_PUBLIC_URL", ""), _read("AZALAI_SMTP_URL"), os.environ.get("AZALAI_MAIL_FROM", "")
    if url and not (urlsplit(url).scheme in ("http", "https") and urlsplit(url).hostname):
        raise BadOption(f"AZALAI_PUBLIC_URL is the address of the page, such as https://play.example.org, not {url!r}")
    if smtp and not (urlsplit(smtp).scheme in ("smtp", "smtps") and urlsplit(smtp).hostname):
        raise BadOption("AZALAI_SMTP_URL must be smtp://user:password@host:port or smtps://…")
    if smtp and not (url and "@" in sender):
        raise BadOption("mails need AZALAI_PUBLIC_URL for their links and AZALAI_MAIL_FROM for their sender")
    networks = tuple(one.strip() for one in os.environ.get("AZALAI_CALLBACK_NETWORKS", "").split(",") if one.strip())
    for network in networks:
        try:
            ipaddress.ip_network(network)
        except ValueError:
            raise BadOption(f"AZALAI_CALLBACK_NETWORKS: {network!r} is no network such as 10.1.0.0/16") from None
    return {"public_url": url.rstrip("/"), "smtp": smtp, "mail_from": sender, "callback_networks": networks}


def _read(name: str) -> str:
    """Read a secret from the environment, or from the file that it names."""
    secret, file = os.environ.get(name, ""), os.environ.get(f"{name}_FILE", "")
    if not file:
        return secret
    if secret:
        raise BadOption(f"set {name} or {name}_FILE, not both")
    try:
        secret = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadOption(f"{name}_FILE: {file} cannot be read: {error}") from None
    if not secret:
        raise BadOption(f"{name}_FILE: {file} is empty")
    return secret


def _number(name: str, default: int) -> int:
    text = os.environ.get(name, "")
    if not text:
        return default
    if not text.isdigit():
        raise BadOption(f"{name} must be a whole number, not {text!r}")
    return int(text)


def default_database() -> str:
    """Return the SQLite file of this user."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(home) / "azalai"
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'azalai.db'}"
