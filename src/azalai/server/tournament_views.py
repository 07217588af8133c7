"""What is shown of a tournament."""

from __future__ import annotations

from typing import Any

from azalai.server.catalog import bot_name, game_info
from azalai.server.pairings import Encounter, standings, total_rounds
from azalai.server.table import OPEN, OVER, WAITING
from azalai.server.tournament_steps import MOST_ENTRANTS, Current, Tables, not_startable


def tournament_summary(row: dict[str, Any], guest: str, language: str) -> dict[str, Any]:
    """Render a tournament for a list."""
    return {
        **{name: row[name] for name in ("id", "name", "kind", "game", "status", "created", "people")},
        "title": game_info(row["game"], language)["title"],
        "organises": row["creator"] == guest,
    }


def tournament_view(
    current: Current,
    tables: Tables,
    organiser: str | None,
    guest: str | None,
    language: str,
) -> dict[str, Any]:
    """Render a tournament."""
    row, me = current.row, current.number_of(guest)
    known = any(one["guest"] == guest for one in current.entrants if guest)
    begun = row["status"] != "open"
    full = len(current.entrants) >= (row["seats"] if row["kind"] == "series" else MOST_ENTRANTS)
    games = [game_view(one, tables) for one in current.pairings]
    mine = [one["table"] for one in games if one["status"] != OVER and me is not None and me in one["seats"]]
    rounds: dict[int, dict[int, list[dict[str, Any]]]] = {}
    for one, game in zip(current.pairings, games, strict=True):
        rounds.setdefault(one.round_no, {}).setdefault(one.match_no, []).append(game)
    return {
        **{name: row[name] for name in ("id", "name", "kind", "game", "seats", "games", "clock", "rated", "status", "created")},
        "title": game_info(row["game"], language)["title"],
        "bot": None if row["bot"] is None else {"bot": row["bot"], "name": bot_name(row["bot"], language)},
        "round": max(rounds, default=0),
        "rounds": total_rounds(current.form, len(current.entrants)) if begun else None,
        "organiser": organiser,
        "organises": guest == row["creator"],
        "me": me,
        "next": mine[0] if mine and not current.entrant(me)["bot"] else None,
        "joinable": not begun and not known and not full,
        "startable": not begun and guest == row["creator"] and not_startable(current) is None,
        "entrants": [
            entrant_view(current, current.entrant(one.number), language, guest)
            | {
                "place": one.place if begun else None,
                "points": round(one.points, 2),
                "tie_break": round(one.tie_break, 2),
                **{name: getattr(one, name) for name in ("played", "won", "drawn", "lost")},
            }
            for one in standings(current.form, current.order, current.removed, current.pairings)
        ],
        "matches": [[{"games": match} for match in matches.values()] for matches in rounds.values()],
    }


def entrant_view(current: Current, one: dict[str, Any], language: str, guest: str | None) -> dict[str, Any]:
    """Render who somebody is."""
    return {
        "number": one["number"],
        "name": one["name"],
        "bot_name": bot_name(one["bot"], language) if one["bot"] else None,
        "person": one["guest"] is not None or one["bot"] is None,
        "mine": guest is not None and one["guest"] == guest,
        "organiser": one["guest"] is not None and one["guest"] == current.row["creator"],
        "removed": one["removed"],
    }


def game_view(one: Encounter, tables: Tables) -> dict[str, Any]:
    """Render a game."""
    status, players = tables.get(one.table or "", (OVER if one.places is not None else WAITING, []))
    missing = [who for who, player in zip(one.seats, players, strict=False) if player["kind"] == OPEN]
    return {
        "table": one.table,
        "status": status,
        "seats": list(one.seats),
        "places": None if one.places is None else list(one.places),
        "missing": missing if status == WAITING else [],
    }
