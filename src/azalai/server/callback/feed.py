"""A guest's tables as an Atom feed and as a calendar, at an address that only they know."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from azalai.engine.discovery import installed
from azalai.engine.words import MessageCatalog
from azalai.server.callback.caller import table_line
from azalai.server.callback.channels import WORDS
from azalai.server.callback.queue import CallQueue
from azalai.server.catalog import bot_name
from azalai.server.errors import ApiError
from azalai.server.lists import TableLists
from azalai.server.server_time import now
from azalai.server.tokens import digest_of

ATOM, CALENDAR = "application/atom+xml", "text/calendar"
LATEST = 30  # tables in a feed
FOLD = 74  # bytes of a line of a calendar


async def renew(queue: CallQueue, guest: str) -> str:
    """Give a guest's feed a new secret and return it."""
    secret = secrets.token_urlsafe(24)
    await queue.set_settings(guest, feed=digest_of(secret))
    return secret


async def read(queue: CallQueue, lists: TableLists, secret: str) -> tuple[str, list[dict[str, Any]], str]:
    """Return whose feed it is, their tables that a feed tells of, and their language."""
    guest = await queue.guest_of_feed(digest_of(secret))
    if guest is None:
        raise ApiError(404, "no_such_feed", "there is no feed at this address (any more)")
    language = (await queue.settings(guest))["language"]
    running = await lists.of_guest(guest, ("playing",), limit=LATEST)
    over = await lists.of_guest(guest, ("over",), limit=LATEST)
    mine = [row for row in running if is_asked(row, guest)]
    return guest, [row for row in (*mine, *over) if row["game"] in installed()], language


def is_asked(row: dict[str, Any], guest: str) -> bool:
    """Return whether a guest owes a decision at a table."""
    return any(one["guest"] == guest and one["kind"] == "human" and row["pending"] >> one["seat"] & 1 for one in row["players"])


def text_of(row: dict[str, Any], guest: str, language: str) -> str:
    """Return what is said of a table."""
    others = [one for one in row["players"] if one["guest"] != guest]
    names = [one["name"] or bot_name(one["bot"] or "", language) for one in others]
    return table_line(row["game"], [name for name in names if name], "over" if row["status"] == "over" else "turn", language)


def atom(guest: str, tables: list[dict[str, Any]], language: str, base: str) -> str:
    """Return the Atom feed."""
    words = MessageCatalog(WORDS, language)
    newest = max((row["updated"] for row in tables), default=0)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">',
        f"<title>{escape(words('feed.title'))}</title>",
        f"<id>{escape(base)}/</id>",
        f"<link href={quoteattr(base + '/')}/>",
        f"<updated>{moment(newest):%Y-%m-%dT%H:%M:%SZ}</updated>",
        "<author><name>Azalai</name></author>",
    ]
    for row in tables:
        address = f"{base}/table/{row['id']}"
        lines += [
            "<entry>",
            f"<title>{escape(text_of(row, guest, language))}</title>",
            f"<id>{escape(address)}#{row['ply']}</id>",
            f"<link href={quoteattr(address)}/>",
            f"<updated>{moment(row['updated']):%Y-%m-%dT%H:%M:%SZ}</updated>",
            "</entry>",
        ]
    return "\n".join([*lines, "</feed>", ""])


def calendar(guest: str, tables: list[dict[str, Any]], language: str, base: str) -> str:
    """Return the calendar (RFC 5545): when one's time ends, or today where there is no clock."""
    words = MessageCatalog(WORDS, language)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Azalai//EN", f"X-WR-CALNAME:{quoted(words('feed.title'))}"]
    for row in tables:
        if row["status"] != "playing":
            continue
        text = text_of(row, guest, language)
        if row["wake"] and (row["setup"].get("clock") or {}).get("kind", "none") != "none":
            span = [f"DTSTART:{moment(row['wake']):%Y%m%dT%H%M%SZ}", "DURATION:PT15M"]
        else:
            today = moment(now()).date()
            span = [f"DTSTART;VALUE=DATE:{today:%Y%m%d}", f"DTEND;VALUE=DATE:{today + timedelta(days=1):%Y%m%d}"]
        lines += [
            "BEGIN:VEVENT",
            f"UID:{row['id']}-{row['ply']}@azalai",
            f"DTSTAMP:{moment(row['updated']):%Y%m%dT%H%M%SZ}",
            *span,
            f"SUMMARY:{quoted(text)}",
            f"URL:{base}/table/{row['id']}",
            "END:VEVENT",
        ]
    return "\r\n".join([*(part for line in lines for part in folded(line)), "END:VCALENDAR", ""])


def moment(milliseconds: int) -> datetime:
    """Return a time of the server."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def quoted(text: str) -> str:
    """Return text as a calendar has it."""
    return "".join(f"\\{sign}" if sign in "\\;," else sign for sign in text)


def folded(line: str) -> list[str]:
    """Return a line in parts of at most 75 bytes; all but the first begin with a space."""
    parts, part = [], ""
    for sign in line:
        if len((part + sign).encode()) > FOLD:
            parts.append(part)
            part = " "
        part += sign
    return [*parts, part]
