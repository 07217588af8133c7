"""Ratings: how strong people are in a game of so many players.

Results of rated tables, in the order in which their games ended, give everybody's rating by the model of Plackett and Luce
(openskill), with its uncertainty. Computer players keep the rating that their game's `extras/ratings.toml` has from the ladder. A
rating follows from the stored results alone: computed anew, it is the same.
"""

from __future__ import annotations

import asyncio
import functools
import math
import tomllib
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import and_, bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection

from azalai.engine.discovery import find
from azalai.server.outages import log_failure
from azalai.server.rows import GuestRow, RatingRow, ResultRow
from azalai.server.store import Store
from azalai.server.table import HUMAN, Table

MU, SIGMA = 1500.0, 350.0  # of somebody who has not played yet
TAU = 3.5  # by how much somebody's strength may change from game to game
ELO = 400 / math.log(10)  # points per unit of log-strength, as in the ladder
INTERVAL = 1.96  # standard deviations to either side: 95 %
MINIMUM = 5  # rated games before somebody is in a list of the best
RATING_LOCK = 0x417A5261  # arbitrary, but the same in all processes

Strength = tuple[float, float]  # mu and sigma
Pool = tuple[str, int]  # a game and a number of players: ratings of one pool are comparable


@functools.cache
def levels(game: str) -> dict[int, dict[str, Strength]]:
    """Return the ratings of a game's computer players, by number of players."""
    path = find(game).extras / "ratings.toml"
    content = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {
        int(count): {bot: (float(one["rating"]), float(one["error"])) for bot, one in players.items()}
        for count, players in content.items()
    }


def shown(strength: Strength) -> dict[str, int]:
    """Return a rating as people see it: whole points, and half its 95 % interval."""
    return {"rating": round(strength[0]), "error": round(INTERVAL * strength[1])}


def result_rows(table: Table) -> list[dict[str, Any]]:
    """Return how a game that is over ended for each seat; nothing where somebody could know the deal, or nobody played."""
    if table.deal_known or table.over_at is None or not any(seat.guest for seat in table.seats):
        return []
    _, places = table.result()
    return [
        {
            "table_id": table.id,
            "seat": number,
            "game": table.game.name,
            "players": len(table.seats),
            "rated": table.rated,
            "at": table.over_at,
            "guest": seat.guest,
            "bot": seat.bot if seat.guest is None else None,
            "place": places[number],
            "out": seat.resigned or ("left" if seat.guest is not None and seat.kind != HUMAN else None),
        }
        for number, seat in enumerate(table.seats)
    ]


def after_game(before: list[Strength], places: list[int]) -> list[Strength]:
    """Return everybody's rating after a game."""
    from openskill.models import PlackettLuce

    # The library's own gamma lets people become sure of their rating more slowly than is right: a test measures it.
    model = PlackettLuce(mu=MU, sigma=SIGMA, beta=ELO / math.sqrt(len(before)), tau=TAU, gamma=lambda *_: 1.0)
    rated = model.rate([[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before], ranks=[float(one) for one in places])
    return [(team[0].mu, team[0].sigma) for team in rated]


class Ratings:
    """Keeps ratings up to date."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, table: Table) -> None:
        """Rate a table that is over, and whatever else is still to be rated."""
        if table.rated:
            task = asyncio.create_task(self.update())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def update(self) -> None:
        """Rate all games that are not rated yet."""
        try:
            await self.store.transact(rate_new)
        except Exception as error:  # they are rated with the next game, or when the server starts
            log_failure("rating failed", error)

    async def close(self) -> None:
        """Wait for what is being rated."""
        await asyncio.gather(*self._tasks)


def rate_new(connection: Connection) -> None:
    """Rate all games that are not rated yet."""
    _lock(connection)
    new = select(ResultRow.game, ResultRow.players, func.min(ResultRow.at)).where(ResultRow.rated, ResultRow.new_mu.is_(None))
    for game, players, since in connection.execute(new.group_by(ResultRow.game, ResultRow.players)).all():
        pool = (ResultRow.rated, ResultRow.game == game, ResultRow.players == players)
        later = select(ResultRow.seat).where(*pool, ResultRow.new_mu.is_not(None), ResultRow.at >= since).limit(1)
        _rate_pool(connection, (game, players), anew=connection.execute(later).first() is not None)


def rate_all(connection: Connection) -> int:
    """Compute all ratings anew; return how many games there were."""
    _lock(connection)
    connection.execute(delete(RatingRow))
    pools = select(ResultRow.game, ResultRow.players).where(ResultRow.rated).distinct()
    return sum(_rate_pool(connection, (game, players), anew=True) for game, players in connection.execute(pools).all())


def _lock(connection: Connection) -> None:
    """Let other processes wait; on SQLite there is one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(RATING_LOCK)))


def _rate_pool(connection: Connection, pool: Pool, anew: bool) -> int:
    """Rate the new games of a pool, or all of them anew; return how many."""
    game, players = pool
    query = select(ResultRow).where(ResultRow.rated, ResultRow.game == game, ResultRow.players == players)
    if not anew:
        query = query.where(ResultRow.new_mu.is_(None))
    rows = connection.execute(query.order_by(ResultRow.at, ResultRow.table_id, ResultRow.seat)).all()
    held = and_(RatingRow.game == game, RatingRow.players == players)
    if not anew:
        held = and_(held, RatingRow.guest.in_({row.guest for row in rows if row.guest is not None}))
    stored = () if anew else connection.execute(select(RatingRow).where(held))
    known = {one.guest: ((one.mu, one.sigma), one.games, one.at) for one in stored}
    changes: list[dict[str, Any]] = []
    count = 0
    for _, seats in groupby(rows, key=lambda row: row.table_id):
        count += 1
        changes += _rate_game(list(seats), known)
    if changes:
        change = update(ResultRow).where(ResultRow.table_id == bindparam("key"), ResultRow.seat == bindparam("number"))
        new: dict[str, Any] = {name: bindparam(f"value_{name}") for name in ("mu", "sigma", "new_mu", "new_sigma")}
        connection.execute(change.values(new), changes)
        connection.execute(delete(RatingRow).where(held))
        if known:
            connection.execute(insert(RatingRow), _rating_rows(pool, known))
    return count


def _rate_game(seats: list[Any], known: dict[str, tuple[Strength, int, int]]) -> Iterator[dict[str, Any]]:
    """Yield the ratings of a game's seats before and after it; update those of the guests."""
    before = [_before(seat, known) for seat in seats]
    after = after_game(before, [seat.place for seat in seats])
    for seat, old, computed in zip(seats, before, after, strict=True):
        new = computed if seat.bot is None else old
        if seat.guest is not None:
            known[seat.guest] = new, known.get(seat.guest, (new, 0, 0))[1] + 1, seat.at
        yield {
            "key": seat.table_id,
            "number": seat.seat,
            "value_mu": old[0],
            "value_sigma": old[1],
            "value_new_mu": new[0],
            "value_new_sigma": new[1],
        }


def _before(seat: Any, known: dict[str, tuple[Strength, int, int]]) -> Strength:
    """Return the rating of a seat's player before a game. What is stored of computer players and deleted people holds."""
    if seat.guest is not None:
        return known[seat.guest][0] if seat.guest in known else (MU, SIGMA)
    if seat.mu is not None:
        return seat.mu, seat.sigma
    return levels(seat.game).get(seat.players, {}).get(seat.bot or "", (MU, SIGMA))


def _rating_rows(pool: Pool, known: dict[str, tuple[Strength, int, int]]) -> list[dict[str, Any]]:
    return [
        {"guest": guest, "game": pool[0], "players": pool[1], "mu": mu, "sigma": sigma, "games": games, "at": at}
        for guest, ((mu, sigma), games, at) in sorted(known.items())
    ]


def store_results(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Write the results of replayed tables; ratings before a game that are stored already stay. Who was deleted stays so."""
    for row in rows:
        exists = row["guest"] is not None and connection.execute(select(GuestRow.id).where(GuestRow.id == row["guest"])).first()
        row = row if exists else {**row, "guest": None}
        key = (ResultRow.table_id == row["table_id"], ResultRow.seat == row["seat"])
        if not connection.execute(update(ResultRow).where(*key).values(**row)).rowcount:
            connection.execute(insert(ResultRow), [row])
