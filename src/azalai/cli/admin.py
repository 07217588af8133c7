"""`azalai admin`: export, delete and back up tables."""

from __future__ import annotations

import argparse
import asyncio
import json
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
    export = tasks.add_parser("export", help=texts("admin.export"))
    export.add_argument("table", nargs="?", help=texts("admin.table"))
    export.add_argument("file", nargs="?", type=Path, help=texts("admin.file"))
    export.add_argument("--all", type=Path, metavar="DIR", help=texts("admin.all"))
    export.add_argument("--status", choices=STATUSES, help=texts("admin.status"))
    remove = tasks.add_parser("delete", help=texts("admin.delete"))
    remove.add_argument("table", nargs="?", help=texts("admin.table"))
    remove.add_argument("--older", type=float, metavar="DAYS", help=texts("admin.older"))
    remove.add_argument("--status", choices=STATUSES, default="waiting", help=texts("admin.status"))
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
    count = asyncio.run(_run(args))
    if count is not None:
        print(texts("admin.done", count=count), file=sys.stderr)
    return 0


async def _run(args: argparse.Namespace) -> int | None:
    import os

    from azalai.engine.record import write_atomically
    from azalai.server.admin import Admin

    database = args.database or os.environ.get("AZALAI_DATABASE_URL", "")
    async with Admin(database, new=args.task == "restore") as admin:
        match args.task:
            case "list":
                _print(await admin.tables(args.status), args.json)
                return None
            case "export" if args.all is not None:
                return await admin.export_all(args.all, args.status)
            case "export":
                text = json.dumps(await admin.export(args.table), indent=1) + "\n"
                if args.file is None:
                    sys.stdout.write(text)
                    return None
                write_atomically(args.file, text)
            case "delete" if args.older is not None:
                return await admin.delete_older(args.older, args.status)
            case "delete":
                await admin.delete(args.table)
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
        when = datetime.fromtimestamp(one["updated"] / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        print(f"{one['id']:<20} {one['game']:<10} {one['status']:<9} {one['ply']:>5}  {when}")
