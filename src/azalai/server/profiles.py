"""Profiles of players and lists of the best: what is told of somebody's games and ratings, and to whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.orm import aliased

from azalai.engine.discovery import installed
from azalai.server.catalog import bot_name, game_info
from azalai.server.errors import ApiError
from azalai.server.guests import default_name
from azalai.server.puzzle_scores import score_of
from azalai.server.ratings import INTERVAL, MINIMUM, MU, SIGMA, levels, shown
from azalai.server.rows import GuestRow, RatingRow, ResultRow

RATING, GAMES, OPPONENTS, PUZZLES = PARTS = ("rating", "games", "opponents", "puzzles")
SHOWN = (RATING,)  # what everybody sees of somebody who has not chosen
CURVE = 200  # games of a rating's curve
MET = 20  # opponents of a profile
BEST = 100  # people in a list of the best


def choose_shown(connection: Connection, guest: str, parts: Sequence[str]) -> None:
    """Store which parts of a guest's profile everybody may see."""
    chosen = [one for one in PARTS if one in parts]
    change = update(GuestRow).where(GuestRow.id == guest, GuestRow.player.is_not(None)).values(shown=chosen)
    if not connection.execute(change).rowcount:
        raise ApiError(409, "no_kept_name", "a profile with an address is for people who keep their name: make a passkey first")


def own_profile(connection: Connection, guest: str, language: str) -> dict[str, Any]:
    """Return a guest's profile for themselves."""
    row = connection.execute(select(GuestRow).where(GuestRow.id == guest)).first()
    if row is not None:
        return _profile(connection, row, language, mine=True)
    empty = {"ratings": [], "games": [], "opponents": [], "puzzles": score_of(connection, guest, language)}
    return {"player": None, "name": default_name(guest), "since": None, "mine": True, "shown": list(SHOWN), **empty}


def public_profile(connection: Connection, player: str, guest: str | None, language: str) -> dict[str, Any]:
    """Return the profile of the player with this public id, as `guest` may see it."""
    row = connection.execute(select(GuestRow).where(GuestRow.player == player)).first()
    if row is None:
        raise ApiError(404, "no_such_player", "there is no such player")
    return _profile(connection, row, language, mine=row.id == guest)


def _profile(connection: Connection, row: Any, language: str, mine: bool) -> dict[str, Any]:
    parts = SHOWN if row.shown is None else row.shown
    results = _single_results(connection, row.id)
    return {
        "player": row.player,
        "name": row.name,
        "since": row.created,
        "mine": mine,
        "shown": list(parts),
        "ratings": _ratings(results, language) if mine or RATING in parts else None,
        "games": _games(results, language) if mine or GAMES in parts else None,
        "opponents": _opponents(connection, row.id, results, language, mine) if mine or OPPONENTS in parts else None,
        "puzzles": score_of(connection, row.id, language) if mine or PUZZLES in parts else None,
    }


def _single_results(connection: Connection, guest: str) -> list[Any]:
    """Return a guest's results, oldest first, without tables at which they had several seats, and games that are not here."""
    query = select(ResultRow).where(ResultRow.guest == guest).order_by(ResultRow.at, ResultRow.table_id)
    rows = list(connection.execute(query))
    seats = Counter(row.table_id for row in rows)
    return [row for row in rows if seats[row.table_id] == 1 and row.game in installed()]


def _ratings(results: list[Any], language: str) -> list[dict[str, Any]]:
    curves: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for row in results:
        if row.new_mu is not None:
            point = {"at": row.at, "table": row.table_id, **shown((row.new_mu, row.new_sigma))}
            curves[row.game, row.players].append(point)
    return [
        {
            "game": game,
            "title": game_info(game, language)["title"],
            "players": players,
            "rating": curve[-1]["rating"],
            "error": curve[-1]["error"],
            "games": len(curve),
            "curve": curve[-CURVE:],
        }
        for (game, players), curve in sorted(curves.items(), key=lambda one: (-len(one[1]), one[0]))
    ]


def _games(results: list[Any], language: str) -> list[dict[str, Any]]:
    played = Counter(row.game for row in results)
    won = Counter(row.game for row in results if row.place == 1 and row.out is None)
    return [
        {"game": game, "title": game_info(game, language)["title"], "played": count, "won": won[game]}
        for game, count in sorted(played.items(), key=lambda one: (-one[1], one[0]))
    ]


def _opponents(connection: Connection, guest: str, results: list[Any], language: str, mine: bool) -> list[dict[str, Any]]:
    """Return whom a guest has met most often. Others learn only of people who show whom they have met themselves."""
    places = {row.table_id: row.place for row in results}
    own, other = aliased(ResultRow), aliased(ResultRow)
    met = select(other.table_id, other.guest, other.bot, other.place).join(
        own, and_(own.table_id == other.table_id, own.seat != other.seat)
    )
    tally: dict[tuple[str | None, str | None], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in connection.execute(met.where(own.guest == guest)):
        if row.table_id in places and (row.guest is not None or row.bot is not None):
            count = tally[row.guest, row.bot]
            count[0] += 1
            count[1] += places[row.table_id] < row.place
            count[2] += places[row.table_id] > row.place
    people = _people(connection, [key[0] for key in tally if key[0] is not None], mine)
    rows = []
    for (person, bot), (played, won, lost) in sorted(tally.items(), key=lambda one: (-one[1][0], str(one[0]))):
        if person is None and bot is not None:
            who = {"name": bot_name(bot, language), "player": None, "bot": bot}
        elif person in people:
            who = people[person]
        else:
            continue
        rows.append({**who, "played": played, "won": won, "lost": lost})
    return rows[:MET]


def _people(connection: Connection, guests: list[str], all_of_them: bool) -> dict[str, dict[str, Any]]:
    """Return the names of guests, or only of those who show whom they have met."""
    found: dict[str, dict[str, Any]] = {}
    for begin in range(0, len(guests), 500):
        query = select(GuestRow.id, GuestRow.name, GuestRow.player, GuestRow.shown).where(
            GuestRow.id.in_(guests[begin : begin + 500])
        )
        for row in connection.execute(query):
            if all_of_them or OPPONENTS in (row.shown or ()):
                found[row.id] = {"name": row.name, "player": row.player, "bot": None}
    return found


# ---------------------------------------------------------------- the best


def leaderboard(connection: Connection, game: str, players: int, guest: str | None, language: str) -> dict[str, Any]:
    """Return the best players of a game who show their rating, in order of what they surely have."""
    sure = (RatingRow.mu - INTERVAL * RatingRow.sigma).desc()
    query = (
        select(GuestRow.id, GuestRow.name, GuestRow.player, GuestRow.shown, RatingRow.mu, RatingRow.sigma, RatingRow.games)
        .join(GuestRow, GuestRow.id == RatingRow.guest)
        .where(RatingRow.game == game, RatingRow.players == players, RatingRow.games >= MINIMUM)
        .where(GuestRow.player.is_not(None), GuestRow.banned.is_(None))
        .order_by(sure, RatingRow.guest)
    )
    people: list[dict[str, Any]] = []
    for row in connection.execute(query):
        if row.shown is None or RATING in row.shown:
            who = {"name": row.name, "player": row.player, "games": row.games, "mine": row.id == guest}
            people.append({**who, **shown((row.mu, row.sigma))})
        if len(people) == BEST:
            break
    bots = sorted(levels(game).get(players, {}).items(), key=lambda one: -one[1][0])
    return {
        "game": game,
        "title": game_info(game, language)["title"],
        "players": players,
        "minimum": MINIMUM,
        "people": people,
        "bots": [{"bot": bot, "name": bot_name(bot, language), **shown(strength)} for bot, strength in bots],
    }


def table_ratings(
    connection: Connection, table_id: str, game: str, seats: Sequence[tuple[str | None, str | None]]
) -> list[dict[str, Any]]:
    """Return the ratings of the players at a rated table, who are given as guests and computer players."""
    ended = {row.seat: row for row in connection.execute(select(ResultRow).where(ResultRow.table_id == table_id))}
    people = [guest for guest, _ in seats if guest is not None]
    known = {row.id: row for row in connection.execute(select(GuestRow).where(GuestRow.id.in_(people)))}
    query = select(RatingRow).where(RatingRow.game == game, RatingRow.players == len(seats), RatingRow.guest.in_(people))
    now = {row.guest: (row.mu, row.sigma) for row in connection.execute(query)}
    found = []
    for number, (guest, bot) in enumerate(seats):
        if guest is None and bot is None:
            continue
        row, person = ended.get(number), known.get(guest or "")
        before = (
            now.get(guest, (MU, SIGMA)) if guest is not None else levels(game).get(len(seats), {}).get(bot or "", (MU, SIGMA))
        )
        after = None
        if row is not None and row.mu is not None and row.new_mu is not None:
            before, after = (row.mu, row.sigma), round(row.new_mu)
        found.append({"seat": number, "player": person.player if person else None, **shown(before), "after": after})
    return found
