"""Renders tables for lists: setup, players, progress and result, nothing of the position."""

from __future__ import annotations

from typing import Any

from azalai.server import catalog
from azalai.server.table import OPEN, OVER


def summary(row: dict[str, Any], guest: str | None, language: str) -> dict[str, Any]:
    """Render a table's row with its players."""
    players = row["players"]
    over = row["status"] == OVER  # then those who gave up are counted too, although a computer player has played on
    mine = [one["seat"] for one in players if guest is not None and one["guest"] == guest and (over or one["kind"] == "human")]
    pending = [seat for seat in range(len(players)) if row["pending"] >> seat & 1]
    clock = row["setup"].get("clock") or {"kind": "none"}
    timed = clock["kind"] != "none" and bool(pending) and all(players[seat]["kind"] == "human" for seat in pending)
    return {
        "id": row["id"],
        "game": row["game"],
        "title": catalog.game_info(row["game"], language)["title"],
        "status": row["status"],
        "public": row["public"],
        "rated": bool(row["setup"].get("rated")),
        "tournament": row["setup"].get("tournament"),
        "options": row["options"],
        "variant": bool(row["setup"].get("components")),
        "clock": clock,
        "created": row["created"],
        "updated": row["updated"],
        "acted": row["acted"],
        "deadline": row["wake"] if timed else None,
        "ply": row["ply"],
        "seats": [
            {
                "kind": one["kind"],
                "name": one["name"],
                "bot": one["bot"],
                "bot_name": catalog.bot_name(one["bot"], language) if one["bot"] else None,
                "mine": one["seat"] in mine,
                "kept": one["kind"] == OPEN and guest is not None and one["guest"] == guest,
                "place": one["place"],
                "score": one["score"],
            }
            for one in players
        ],
        "pending": pending,
        "your_turn": bool(set(mine) & set(pending)),
    }
