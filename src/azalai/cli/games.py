"""`azalai games`: what there is to play."""

from __future__ import annotations

import argparse
import json
import tomllib
from typing import Any

from rich.table import Table
from rich.text import Text

from azalai.cli.screen import open_screen
from azalai.cli.texts import Texts
from azalai.engine import discovery
from azalai.engine.words import load_words


def run(args: argparse.Namespace, texts: Texts) -> int:
    """List all games as a table, or for programs as JSON."""
    games = [facts(name, texts.language) for name in discovery.installed()]
    if args.json:
        print(json.dumps(games, ensure_ascii=False, indent=1))
        return 0
    table = Table(box=None, pad_edge=False, padding=(0, 3, 1, 0), header_style="dim")
    table.add_column(texts("games.name"))
    table.add_column(texts("games.players"))
    table.add_column(texts("games.minutes"), justify="right")
    table.add_column(texts("games.about"))
    for game in games:
        makers = f"{', '.join(game['designers'])} · {game['publisher']}, {game['year']}"
        about = Text.assemble((game["title"], "bold"), " · ", (makers, "dim"), "\n", game["blurb"])
        table.add_row(Text(game["name"], "bold cyan"), "–".join(map(str, game["players"])), str(game["minutes"]), about)
    open_screen().print(table)
    return 0


def facts(name: str, language: str) -> dict[str, Any]:
    """What one wants to know of a game before playing it."""
    package = discovery.find(name)
    words = load_words(package.extras, language)
    game = tomllib.loads((package.folder / "components.toml").read_text(encoding="utf-8"))["game"]
    few, many = game["players"]
    return {
        "name": name,
        "title": words["title"],
        "players": [few] if few == many else [few, many],
        "minutes": game["minutes"],
        "designers": game["designers"],
        "publisher": game["publisher"],
        "year": game["year"],
        "blurb": words["blurb"],
    }
