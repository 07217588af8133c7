"""`azalai admin`: look after tables and guests, back up and restore."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from azalai.cli.texts import Texts

STATUSES = ("waiting", "playing", "over", "imported")


def add_arguments(parser: argparse.ArgumentParser, texts: Texts | None = None) -> None:
    """What `azalai admin` takes."""
    texts = texts or Texts()
    parser.add_argument("--database", default="", help=texts("admin.database"))
    tasks = parser.add_subparsers(dest="task", required=True)
    shown = tasks.add_parser("list", help=texts("admin.list"))
    shown.add_argument("--status", choices=STATUSES, help=texts("admin.status"))
    shown.add_argument("--json", action="store_true", help=texts("admin.json"))
    check = tasks.add_parser("check", help=texts("admin.check"))
    check.add_argument("--status", choices=STATUSES, help=texts("admin.status"))
    export = tasks.add_parser("export", help=texts("admin.export"))
    export.add_argument("table", nargs="?", help=texts("admin.table"))
    export.add_argument("file", nargs="?", type=Path, help=texts("admin.file"))
    export.add_argument("--all", type=Path, metavar="DIR", help=texts("admin.all"))
    export.add_argument("--status", choices=STATUSES, help=texts("admin.status"))
    remove = tasks.add_parser("delete", help=texts("admin.delete"))
    remove.add_argument("table", nargs="?", help=texts("admin.table"))
    remove.add_argument("--older", type=float, metavar="DAYS", help=texts("admin.older"))
    remove.add_argument("--status", choices=STATUSES, default="waiting", help=texts("admin.status"))
    remove.add_argument("--everything", action="store_true", help=texts("admin.everything"))
    guests = tasks.add_parser("guests", help=texts("admin.guests"))
    guests.add_argument("--name", help=texts("admin.name"))
    guests.add_argument("--table", help=texts("admin.table"))
    guests.add_argument("--json", action="store_true", help=texts("admin.json"))
    reports = tasks.add_parser("reports", help=texts("admin.reports"))
    reports.add_argument("--all", action="store_true", dest="settled", help=texts("admin.settled"))
    reports.add_argument("--json", action="store_true", help=texts("admin.json"))
    tasks.add_parser("settle", help=texts("admin.settle")).add_argument("report", help=texts("admin.report"))
    for task, told in (("ban", "admin.ban"), ("unban", "admin.unban"), ("forget", "admin.forget")):
        tasks.add_parser(task, help=texts(told)).add_argument("guest", help=texts("admin.guest"))
    tasks.add_parser("ratings", help=texts("admin.ratings"))
    tasks.add_parser("backup", help=texts("admin.backup")).add_argument("file", type=Path, help=texts("admin.backup_file"))
    tasks.add_parser("restore", help=texts("admin.restore")).add_argument("file", type=Path, help=texts("admin.backup_file"))


def run(args: argparse.Namespace, texts: Texts | None = None) -> int:
    """Carry out one task."""
    from azalai.engine.errors import AzalaiError

    texts = texts or Texts()
    if args.task in ("export", "delete") and (args.table is None) == (
        getattr(args, "all", None) is None and getattr(args, "older", None) is None
    ):
        raise AzalaiError(texts("admin.which"))
    if args.task == "check":
        found = asyncio.run(_check(args))
        print(texts("admin.unreadable", count=found), file=sys.stderr)
        return 1 if found else 0
    count = asyncio.run(_run(args))
    if count is not None:
        print(texts("admin.done", count=count), file=sys.stderr)
    return 0


async def _check(args: argparse.Namespace) -> int:
    from azalai.server.admin import Admin

    found = 0
    async with Admin(_database(args)) as admin:
        async for problem in admin.check(args.status):
            print(problem)
            found += 1
    return found


def _database(args: argparse.Namespace) -> str:
    return str(args.database or os.environ.get("AZALAI_DATABASE_URL", ""))


async def _run(args: argparse.Namespace) -> int | None:
    from azalai.engine.record import write_atomically
    from azalai.server.admin import Admin

    async with Admin(_database(args), new=args.task == "restore") as admin:
        match args.task:
            case "list":
                _print(await admin.tables(args.status), args.json)
                return None
            case "export" if args.all is not None:
                return await admin.export_all(args.all, args.status, lambda problem: print(problem, file=sys.stderr))
            case "export":
                text = json.dumps(await admin.export(args.table), indent=1) + "\n"
                if args.file is None:
                    sys.stdout.write(text)
                    return None
                write_atomically(args.file, text)
            case "delete" if args.older is not None:
                return await admin.delete_older(args.older, None if args.everything else args.status)
            case "delete":
                await admin.delete(args.table)
            case "guests":
                _print_guests(await admin.guests(args.name, args.table), args.json)
                return None
            case "reports":
                _print_reports(await admin.reports(args.settled), args.json)
                return None
            case "settle":
                await admin.settle(args.report)
            case "ban" | "unban":
                await admin.ban(args.guest, args.task == "ban")
            case "forget":
                return await admin.delete_guest(args.guest)
            case "ratings":
                return await admin.rate(lambda problem: print(problem, file=sys.stderr))
            case "backup":
                return await admin.backup(args.file)
            case "restore":
                return await admin.restore(args.file)
    return 1


def _print(tables: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(tables, indent=1))
        return
    for one in tables:
        print(f"{one['id']:<20} {one['game']:<10} {one['status']:<9} {one['ply']:>5}  {_date(one['updated'])}")


def _print_guests(guests: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(guests, indent=1))
        return
    for one in guests:
        banned = "" if one["banned"] is None else f"banned {_date(one['banned'])}"
        print(f"{one['id']:<24} {one['name']:<24} {_date(one['created'])}  {banned}".rstrip())


def _print_reports(reports: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(reports, indent=1))
        return
    for one in reports:
        print(f"{one['id']:<20} {_date(one['at'])}  {one['reason']:<6} {one['guest']:<24} {one['name']}  table {one['table_id']}")
        if one["text"]:
            print(f"    {one['text']}")
        for line in one["said"]:
            print(f"    > {line}")


def _date(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")
