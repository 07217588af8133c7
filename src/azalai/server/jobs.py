"""Hints: background jobs, computed in worker threads from what the requesting seat may know."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import orjson
from sqlalchemy import delete, insert, select, update

from azalai.engine.position import Position
from azalai.reviews.explain import explain
from azalai.reviews.scout import Scout
from azalai.server import metrics
from azalai.server.bot_runner import AWAITED, WorkerThreads
from azalai.server.broadcast import Broadcaster
from azalai.server.catalog import translator_for
from azalai.server.commands import must_play, own_seat
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.ids import new_id
from azalai.server.outages import is_outage, report_outage
from azalai.server.registry import TableRegistry
from azalai.server.rows import JobRow
from azalai.server.server_time import now
from azalai.server.settings import Settings
from azalai.server.store import Store
from azalai.server.table import Table
from azalai.server.views import line_views

log = logging.getLogger("azalai.jobs")

ITERATIONS = 4_000  # of the search for the best moves
SHOWN = 3  # moves of a hint, which are compared
OTHERS, QUICK_WORLDS, QUICK_ITERATIONS = 24, 4, 4  # where it looked at fewer: other moves that are compared quickly
WORLDS, WORLD_ITERATIONS = 64, 24  # in so many sampled worlds, by so many iterations in each
KEPT = 7 * 86_400_000  # milliseconds for which a job is kept
LOST_AFTER = 60_000  # milliseconds without an update after which a job's process is taken to have died
RESTARTED = {"error": "restarted", "message": "the server was restarted while it thought: ask again"}
FAILED = {"error": "internal", "message": "something went wrong on the server; it has been noted"}


class Jobs:
    """All jobs of this process."""

    def __init__(
        self, store: Store, registry: TableRegistry, threads: WorkerThreads, broadcaster: Broadcaster, settings: Settings
    ) -> None:
        self.store, self.registry, self.threads, self.settings = store, registry, threads, settings
        self.broadcaster = broadcaster
        self._count: Counter[str] = Counter()  # jobs by guest, from the request on
        self._running: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Mark jobs of the last run as failed, if this process is alone on its database."""
        if not self.store.shared:
            lost = JobRow.status.in_(("waiting", "running"))
            await self.store.execute((update(JobRow).where(lost).values(status="failed", result=RESTARTED),))

    async def close(self) -> None:
        """Cancel running jobs."""
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def start(
        self, guest: Guest, table_id: str, kind: str, seat: int | None, ply: int | None, language: str
    ) -> dict[str, Any]:
        """Start a job."""
        if self._count[guest.id] >= self.settings.limits.jobs_at_once:
            raise ApiError(429, "too_much", f"{self.settings.limits.jobs_at_once} jobs at a time; wait for one to end")
        self._count[guest.id] += 1
        try:
            job, seen = await self._prepare(guest, table_id, kind, seat, ply, language)
        except BaseException:
            self._ended(guest.id)
            raise
        task = asyncio.create_task(self._run(job, seen), name=table_id)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: self._ended(guest.id))
        return job_response(job)

    def active_tables(self) -> set[str]:
        """Return the tables for which something is computed here."""
        return {task.get_name() for task in self._running}

    async def _prepare(
        self, guest: Guest, table_id: str, kind: str, seat: int | None, ply: int | None, language: str
    ) -> tuple[dict[str, Any], Position]:
        """Store a job; return it and the position to think about."""
        async with self.registry.locked(table_id) as table:
            seen = self._for_hint(table, guest, seat, ply)
        time_now = now()
        job: dict[str, Any] = {
            "id": new_id(),
            "guest": guest.id,
            "table_id": table_id,
            "kind": kind,
            "request": {"seat": seat, "ply": ply, "language": language},
            "status": "waiting",
            "progress": 0.0,
            "result": None,
            "created": time_now,
            "renewed": time_now,
        }
        old = delete(JobRow).where(JobRow.created < time_now - KEPT)
        await self.store.execute((old,), (insert(JobRow), [job]))
        return job, seen

    def _ended(self, guest_id: str) -> None:
        self._count[guest_id] -= 1
        if not self._count[guest_id]:
            del self._count[guest_id]

    def _for_hint(self, table: Table, guest: Guest, seat: int | None, ply: int | None) -> Position:
        """Return the position a hint is requested for, as the seat sees it."""
        if table.finished:
            if ply is None or not table.skipped <= ply < table.ply:
                raise ApiError(422, "no_such_ply", "say for which ply of the finished game")
            earlier = table.at_ply(ply)
            return earlier.seen_by(earlier.seat)
        must_play(table)
        number = own_seat(table, guest, seat)
        if table.binding:
            raise ApiError(403, "no_hints", "where the result counts, no hints are given")
        if not table.setup.get("hints") and table.opponents(number):
            raise ApiError(403, "no_hints", "at this table no hints are given, since people play against each other")
        if number not in table.pending:
            raise ApiError(409, "not_your_turn", "hints are given to who has to decide")
        if ply is not None and ply != table.ply:
            raise ApiError(409, "wrong_ply", f"the table is at ply {table.ply}")
        assert table.position is not None
        return table.position.seen_by(number)

    async def _run(self, job: dict[str, Any], seen: Position) -> None:
        """Think about a position and store what was found."""
        job_id, address = job["id"], self.broadcaster.address_of(job["guest"])
        try:
            await self._set(job_id, status="running")
            work = partial(find_hint, seen, job["request"]["language"])
            result = await self.threads.run(work, AWAITED, (seen.game.name, job["kind"]), job["table_id"], address)
            await self._set(job_id, status="done", progress=1.0, result=result)
        except asyncio.CancelledError:
            await self._set(job_id, status="failed", result=RESTARTED)
            raise
        except Exception as error:
            if is_outage(error):
                report_outage(error)  # who asks is told that the job was lost
                return
            metrics.ERRORS.inc()
            log.exception("a hint failed", extra={"job": job_id})
            await self._set(job_id, status="failed", result=FAILED)

    async def _set(self, job_id: str, **values: Any) -> None:
        await self.store.execute((update(JobRow).where(JobRow.id == job_id).values(renewed=now(), **values),))

    async def get(self, guest: Guest | None, job_id: str) -> dict[str, Any]:
        """Return a job; only its owner may see it."""
        job = await self.store.one(select(JobRow.__table__).where(JobRow.id == job_id))
        if job is None or guest is None or job["guest"] != guest.id:
            raise ApiError(404, "no_such_job", "there is no such job")
        if job["status"] in ("waiting", "running") and now() - job["renewed"] > LOST_AFTER:
            job["status"], job["result"] = "failed", RESTARTED
        return job_response(job)


def job_response(job: dict[str, Any]) -> dict[str, Any]:
    """Render a job for its owner. The stored result of a failed job is the reason."""
    failed = job["status"] == "failed"
    return {
        "id": job["id"],
        "table": job["table_id"],
        "kind": job["kind"],
        "status": job["status"],
        "progress": job["progress"],
        "result": None if failed else job["result"],
        "problem": (job["result"] or FAILED) if failed else None,
    }


def find_hint(seen: Position, language: str) -> dict[str, Any]:
    """Find the best moves of a concealed position, what each gives as a chance to win, and why. Runs in a thread."""
    scout, seat = Scout(seen.game), seen.seat
    look = scout.look(seen, ITERATIONS)
    moves = [move for move, visits in zip(look.moves, look.visits, strict=True) if visits][:SHOWN]
    lines = {move: scout.line(move) for move in moves}
    others = [move for move in look.moves if move not in moves][:OTHERS]
    if len(moves) < SHOWN and others:  # the search saw at once which move is best; second and third are told all the same
        ranks = np.argsort(-scout.compare(seen, others, QUICK_WORLDS, QUICK_ITERATIONS)[:, seat], kind="stable")
        for index in ranks[: SHOWN - len(moves)].tolist():
            moves.append(others[index])
            lines[others[index]] = ((seat, seen.game.moves[others[index]]),)
    chances = scout.compare(seen, moves, WORLDS, WORLD_ITERATIONS)[:, seat]
    translator = translator_for(seen.game, seen.seats, language)
    found = []
    for chance, move in sorted(zip(chances.tolist(), moves, strict=True), reverse=True):
        found.append(
            {
                "id": move,
                "text": seen.game.moves[move].text,
                "words": translator.words.move(seen.game.moves[move], seen),
                "chance": round(chance, 4),
                "reason": explain(seen, lines[move], translator.words) or None,
                "line": line_views(seen.imagine(1), lines[move], seat, translator),
            }
        )
    result: dict[str, Any] = orjson.loads(
        orjson.dumps({"ply": seen.ply, "seat": seat, "quick": not scout.compiled, "moves": found})
    )
    return result
