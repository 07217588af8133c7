"""Reviews of finished games: chances at once, grades while they are computed, all stored with the game."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from azalai.engine.position import Position
from azalai.reviews.explain import explain, name_luck
from azalai.reviews.review import GOOD, LIMITS, TRIES, TRY_ITERATIONS, Decision, Review
from azalai.reviews.scout import Scout
from azalai.server import metrics
from azalai.server.bot_runner import ANALYSIS, AWAITED, WorkerThreads
from azalai.server.broadcast import Broadcaster
from azalai.server.catalog import translator_for
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.outages import is_outage, report_outage
from azalai.server.registry import TableRegistry
from azalai.server.rows import ReviewRow
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.store import Store
from azalai.server.table import OVER, Table
from azalai.server.views import Viewer, line_views, past_view

log = logging.getLogger("azalai.reviews")

SAVED_EVERY = 1.0  # seconds between two times that a review is shown and stored while it is computed
LOST_AFTER = 30_000  # milliseconds without a change after which the process that computed a review is taken to have died
KEPT = 64  # finished reviews kept as they were sent


@dataclass(eq=False)
class Running:
    """A review that is computed here."""

    grades: bool  # whether decisions are judged, too
    ready: asyncio.Event = field(default_factory=asyncio.Event)  # when its chances are there
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    content: dict[str, Any] = field(default_factory=dict)
    failed: bool = False


class Reviews:
    """All reviews of this process."""

    def __init__(
        self, store: Store, registry: TableRegistry, threads: WorkerThreads, broadcaster: Broadcaster, settings: Settings
    ) -> None:
        self.store, self.registry, self.threads, self.settings = store, registry, threads, settings
        self.broadcaster = broadcaster
        self._running: dict[str, Running] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._count: Counter[str] = Counter()  # reviews computed now, by guest
        self._sent: OrderedDict[tuple[str, str], bytes] = OrderedDict()  # finished ones, by table and language

    async def close(self) -> None:
        """Cancel what is computed. What was found so far is stored."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def start(self, guest: Guest, table_id: str, grades: bool, language: str) -> bytes:
        """Begin to review a finished game, or go on where that was broken off; return the review as far as it is there.

        Without `grades` only the chances are computed.
        """
        position, places = await self._game(table_id)
        running = self._running.get(table_id)
        if running is not None and grades and not running.grades:
            await running.ended.wait()
            running = self._running.get(table_id)
        row = None if running is not None else await self._row(table_id)
        running = self._running.get(table_id)  # somebody else may have begun meanwhile
        if running is None and (row is None or (grades and self._is_idle(row))):
            if self._count[guest.id] >= self.settings.limits.jobs_at_once:
                raise ApiError(429, "too_much", f"{self.settings.limits.jobs_at_once} reviews at a time; wait for one to end")
            self._count[guest.id] += 1
            running = self._running[table_id] = Running(grades)
            known = [] if row is None else row["content"]["decisions"]
            task = asyncio.create_task(self._compute(table_id, guest.id, position, places, known, grades, running))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if running is not None:
            await running.ready.wait()
            if running.failed:
                raise ApiError(503, "failed", "the game could not be reviewed; it has been noted")
            return await self._render(table_id, running.content, position, language)
        assert row is not None
        return await self._render(table_id, row["content"], position, language)

    def active_tables(self) -> set[str]:
        """Return the tables that are reviewed here."""
        return set(self._running)

    async def get(self, table_id: str, language: str) -> bytes:
        """Return a review as far as it is there."""
        found = self._sent.get((table_id, language))
        if found is not None:
            return found
        position, _ = await self._game(table_id)
        return await self._render(table_id, await self._content(table_id), position, language)

    async def line(self, table_id: str, ply: int, viewer: Viewer) -> dict[str, Any]:
        """Return a reviewed decision as a position to look at: its legal moves, and the better line on the board."""
        found = self._decision(await self._content(table_id), ply)
        async with self.registry.locked(table_id) as table:
            here = past_view(table, viewer, ply)
            position = table.at_ply(ply)
            decision = None if found is None else Decision.read(table.game.moves, found)
            translator = translator_for(table.game, len(table.seats), viewer.language)
            seat = table.steps[ply - table.skipped].seat if ply < table.ply else None
            seen = position.seen_by(seat)
            return {
                "here": here,
                "moves": [] if seat is None else [translator.move(move, seen) for move in seen.move_ids(seat)],
                "line": [] if decision is None else line_views(position, decision.line, viewer.seat, translator),
            }

    async def judge_move(self, guest: Guest, table_id: str, ply: int, move: int) -> dict[str, Any]:
        """Judge another move in the place of the one that was played at `ply`."""
        found = self._decision(await self._content(table_id), ply)
        if found is None:
            raise ApiError(404, "no_such_ply", "that decision has not been judged")
        async with self.registry.locked(table_id) as table:
            decision = Decision.read(table.game.moves, found)
            seen = table.at_ply(ply).seen_by(decision.seat)
        if move not in seen.move_ids(decision.seat):
            raise ApiError(422, "illegal_move", "that move was not possible there")
        work = partial(judge_move, seen, decision, move)
        address = self.broadcaster.address_of(guest.id)
        tried = await self.threads.run(work, AWAITED, (seen.game.name, "try"), table_id, address)
        return {"grade": tried.grade, "loss": round(tried.loss, 4), "chance": round(tried.after[tried.seat], 4)}

    # ------------------------------------------------------------ inside

    async def _game(self, table_id: str) -> tuple[Position, Sequence[int] | None]:
        """Return a finished game, which changes no more, and its places where it ended before its rules end it."""
        async with self.registry.locked(table_id) as table:
            if not table.finished or table.position is None:
                raise ApiError(409, "not_over", "a game can be reviewed when it is over")
            return table.position, early_places(table)

    async def _content(self, table_id: str) -> dict[str, Any]:
        await self._game(table_id)
        running = self._running.get(table_id)
        if running is not None and running.content:
            return running.content
        row = await self._row(table_id)
        if row is None:
            raise ApiError(404, "not_reviewed", "this game has not been reviewed")
        content: dict[str, Any] = row["content"]
        return content

    async def _row(self, table_id: str) -> dict[str, Any] | None:
        return await self.store.one(select(ReviewRow.__table__).where(ReviewRow.table_id == table_id))

    @staticmethod
    def _is_idle(row: dict[str, Any]) -> bool:
        """Return whether there is more to judge and no process does it."""
        return not row["done"] and (not row["content"]["judging"] or now() - row["renewed"] > LOST_AFTER)

    @staticmethod
    def _decision(content: dict[str, Any], ply: int) -> dict[str, Any] | None:
        return next((one for one in content["decisions"] if one["ply"] == ply), None)

    async def _compute(
        self,
        table_id: str,
        guest: str,
        position: Position,
        places: Sequence[int] | None,
        known: list[dict[str, Any]],
        grades: bool,
        running: Running,
    ) -> None:
        address, name = self.broadcaster.address_of(guest), position.game.name
        try:
            work = partial(Review, position, places)
            review = await self.threads.run(work, AWAITED, (name, "chances"), table_id, address)
            for one in known:
                review.decisions[one["ply"]] = Decision.read(position.game.moves, one)
            await self._save(table_id, review, running, judging=grades)
            if not grades:
                return
            await asyncio.to_thread(Scout(position.game).wait)
            plies = [ply for ply in review.by_importance() if ply not in review.decisions]
            try:
                await self._judge_all(table_id, address, review, plies, running)
            finally:
                await self._save(table_id, review, running, judging=False)
        except IntegrityError:
            log.info("the table of a review was deleted", extra={"table": table_id})
        except asyncio.CancelledError:
            raise
        except Exception as error:
            if is_outage(error):
                report_outage(error)  # whoever asks again lets it go on
            else:
                metrics.ERRORS.inc()
                log.exception("a review failed", extra={"table": table_id})
        finally:
            running.failed = not running.content
            running.ready.set()
            self._running.pop(table_id, None)
            running.ended.set()
            self._count[guest] -= 1
            if not self._count[guest]:
                del self._count[guest]

    async def _save(self, table_id: str, review: Review, running: Running, judging: bool) -> None:
        """Show and store what is known so far."""
        content = review.as_dict()
        running.content = {**content, "judging": judging and not content["done"]}
        running.ready.set()
        row = {"table_id": table_id, "content": running.content, "done": running.content["done"], "renewed": now()}
        await self.store.execute((delete(ReviewRow).where(ReviewRow.table_id == table_id),), (insert(ReviewRow), [row]))

    async def _judge_all(self, table_id: str, address: str, review: Review, plies: list[int], running: Running) -> None:
        """Judge decisions, as many at a time as there are threads, and store them now and then."""
        left, saved = iter(plies), time.monotonic()
        kind = review.position.game.name, "review"

        async def judge_some() -> None:
            nonlocal saved
            for ply in left:
                await self.threads.run(partial(review.judge, ply), ANALYSIS, kind, table_id, address)
                if time.monotonic() - saved > SAVED_EVERY:
                    saved = time.monotonic()
                    await self._save(table_id, review, running, judging=True)

        async with asyncio.TaskGroup() as group:
            for _ in range(self.settings.threads or os.cpu_count() or 1):
                group.create_task(judge_some())

    async def _render(self, table_id: str, content: dict[str, Any], position: Position, language: str) -> bytes:
        text = await asyncio.to_thread(render, table_id, content, position, language)
        if content["done"]:
            self._sent[table_id, language] = text
            if len(self._sent) > KEPT:
                self._sent.popitem(last=False)
        return text


def early_places(table: Table) -> list[int] | None:
    """Return the places of a game that ended before its rules end it."""
    assert table.position is not None
    return table.result()[1] if table.status == OVER and (table.ended or not table.position.over) else None


def judge_move(seen: Position, decision: Decision, move: int) -> Decision:
    """Compare a move with the best one. Runs in a thread."""
    chosen, best = seen.game.moves[move], decision.best
    after_best, after = Scout(seen.game).compare(seen, (best.id, move), TRIES, TRY_ITERATIONS)
    return Decision(decision.ply, decision.seat, chosen, best, tuple(after.tolist()), tuple(after_best.tolist()), decision.line)


def render(table_id: str, content: dict[str, Any], position: Position, language: str) -> bytes:
    """Render a review in a language. Runs in a thread."""
    translator = translator_for(position.game, position.seats, language)
    moves, first = position.game.moves, content["first"]
    decisions = []
    for one in content["decisions"]:
        seat, better = one["seat"], one["loss"] >= LIMITS[GOOD]
        seen = position.before(one["ply"] - first).seen_by(seat)
        line = [(who, moves.parse(text)) for who, text in one["line"]]
        decisions.append(
            {
                "ply": one["ply"],
                "seat": seat,
                "grade": one["grade"],
                "loss": one["loss"],
                "chance": one["after"][seat],
                "best_chance": one["after_best"][seat],
                "move": translator.move(moves.parse(one["move"]).id, seen),
                "best": translator.move(moves.parse(one["best"]).id, seen) if better else None,
                "reason": (explain(seen, line, translator.words) or None) if better else None,
            }
        )
    luck = [
        {**one, "cause": name_luck(position.before(one["ply"] + 1 - first), translator.words) or None} for one in content["luck"]
    ]
    return orjson.dumps(
        {
            **{key: content[key] for key in ("first", "last", "done", "judging", "chances", "turning_points", "players")},
            "luck": luck,
            "table": table_id,
            "choices": len(content["choices"]),
            "decisions": decisions,
        }
    )
