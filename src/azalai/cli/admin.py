"""`azalai admin`: export, delete and back up tables."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SAY = {
    "en": {
        "database": "sqlite:///FILE or postgresql://…; else as AZALAI_DATABASE_URL says",
        "list": "list tables",
        "export": "write a table's record, or every table's",
        "delete": "delete a table, or old ones",
        "backup": "write everything into one file, while servers go on",
        "restore": "put a backup into an empty database",
        "status": "only tables of this status",
        "json": "for programs",
        "table": "a table's id",
        "file": "where to; without it, to standard output",
        "all": "every table that has begun, into this folder",
        "older": "all tables of --status untouched for so many days",
        "backup_file": "the backup, compressed",
        "done": "{count} done",
    },
    "de": {
        "database": "sqlite:///DATEI oder postgresql://…; sonst was AZALAI_DATABASE_URL sagt",
        "list": "Tische auflisten",
        "export": "die Aufzeichnung eines Tisches oder aller Tische schreiben",
        "delete": "einen Tisch löschen oder alte Tische",
        "backup": "alles in eine Datei sichern, während die Server weiterlaufen",
        "restore": "eine Sicherung in eine leere Datenbank zurückspielen",
        "status": "nur Tische mit diesem Stand",
        "json": "für Programme",
        "table": "die Kennung eines Tisches",
        "file": "wohin; sonst auf die Standardausgabe",
        "all": "alle begonnenen Tische, in diesen Ordner",
        "older": "alle Tische mit --status, die so viele Tage nicht berührt wurden",
        "backup_file": "die Sicherung, gepackt",
        "done": "{count} erledigt",
    },
}
STATUSES = ("waiting", "playing", "over", "imported")


def add_arguments(parser: argparse.ArgumentParser, language: str = "en") -> None:
    """What `azalai admin` takes."""
    say = SAY[language]
    parser.add_argument("--database", default="", help=say["database"])
    tasks = parser.add_subparsers(dest="task", required=True)
    shown = tasks.add_parser("list", help=say["list"])
    shown.add_argument("--status", choices=STATUSES, help=say["status"])
    shown.add_argument("--json", action="store_true", help=say["json"])
    export = tasks.add_parser("export", help=say["export"])
    export.add_argument("table", nargs="?", help=say["table"])
    export.add_argument("file", nargs="?", type=Path, help=say["file"])
    export.add_argument("--all", type=Path, metavar="DIR", help=say["all"])
    export.add_argument("--status", choices=STATUSES, help=say["status"])
    remove = tasks.add_parser("delete", help=say["delete"])
    remove.add_argument("table", nargs="?", help=say["table"])
    remove.add_argument("--older", type=float, metavar="DAYS", help=say["older"])
    remove.add_argument("--status", choices=STATUSES, default="waiting", help=say["status"])
    tasks.add_parser("backup", help=say["backup"]).add_argument("file", type=Path, help=say["backup_file"])
    tasks.add_parser("restore", help=say["restore"]).add_argument("file", type=Path, help=say["backup_file"])


def run(args: argparse.Namespace, texts: Any = None) -> int:
    """Carry out one task."""
    from azalai.engine.errors import AzalaiError

    say = SAY[getattr(texts, "language", "en")]
    if args.task in ("export", "delete") and (args.table is None) == (
        getattr(args, "all", None) is None and getattr(args, "older", None) is None
    ):
        raise AzalaiError("name one table, or say which ones: --all DIR, --older DAYS")
    count = asyncio.run(_run(args))
    if count is not None:
        print(say["done"].format(count=count), file=sys.stderr)
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
