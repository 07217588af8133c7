"""Hints and analyses: background jobs, computed in worker threads from what the requesting seat may know."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from azalai import bots
from azalai.bots.player import Search
from azalai.engine.compile import finish_compiling
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.server import metrics
from azalai.server.bot_runner import ANALYSIS, AWAITED, WorkerThreads
from azalai.server.broadcast import Broadcaster
from azalai.server.catalog import translator_for
from azalai.server.commands import must_play, own_seat
from azalai.server.database import is_outage, report_outage
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.registry import TableRegistry
from azalai.server.settings import Settings
from azalai.server.store import Store, new_id, now
from azalai.server.table import Table

log = logging.getLogger("azalai.jobs")

Task = tuple[Position, Move | None]  # a concealed position, and the move that was played there

HINT_LEVEL, HINT_ITERATIONS = 6, 12_000
GAME_LEVEL, GAME_ITERATIONS = 4, 1_500  # for every decision of a game
PROGRESS_INTERVAL = 0.4  # seconds between two updates of a job's progress
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
            await self.store.fail_jobs(RESTARTED)

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
            job, tasks = await self._prepare(guest, table_id, kind, seat, ply, language)
        except BaseException:
            self._ended(guest.id)
            raise
        task = asyncio.create_task(self._run(job, tasks))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: self._ended(guest.id))
        return job_response(job)

    async def _prepare(
        self, guest: Guest, table_id: str, kind: str, seat: int | None, ply: int | None, language: str
    ) -> tuple[dict[str, Any], list[Task]]:
        """Store a job; return it and the positions to think about."""
        async with self.registry.locked(table_id) as table:
            if kind == "hint":
                tasks: list[Task] = [(self._for_hint(table, guest, seat, ply), None)]
            else:
                tasks = await asyncio.to_thread(self._for_game, table)
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
        await self.store.add_job(job)
        return job, tasks

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
        if table.rated:
            raise ApiError(403, "no_hints", "at a rated table no hints are given")
        if not table.setup.get("hints") and table.opponents(number):
            raise ApiError(403, "no_hints", "at this table no hints are given, since people play against each other")
        if number not in table.pending:
            raise ApiError(409, "not_your_turn", "hints are given to who has to decide")
        if ply is not None and ply != table.ply:
            raise ApiError(409, "wrong_ply", f"the table is at ply {table.ply}")
        assert table.position is not None
        return table.position.seen_by(number)

    def _for_game(self, table: Table) -> list[Task]:
        """Return every decision of a finished game: the position as the deciding seat saw it, and the move played."""
        if not table.finished or table.skipped:
            raise ApiError(409, "not_over", "a whole game can be analysed when it is over")
        return [(table.at_ply(ply).seen_by(step.seat), step.move) for ply, step in enumerate(table.steps)]

    async def _run(self, job: dict[str, Any], tasks: list[Task]) -> None:
        """Analyse every position and update the job's progress meanwhile."""
        job_id, kind = job["id"], job["kind"]
        rank, address = AWAITED if kind == "hint" else ANALYSIS, self.broadcaster.address_of(job["guest"])
        part = 0.0
        stopped = False

        def report(done: float) -> bool:
            nonlocal part
            part = done
            return not stopped

        try:
            await self.store.set_job(job_id, status="running")
            answers: list[dict[str, Any]] = []
            level, iterations = (HINT_LEVEL, HINT_ITERATIONS) if kind == "hint" else (GAME_LEVEL, GAME_ITERATIONS)
            for position, played in tasks:
                part = 0.0
                work = partial(analyse, position, played, level, iterations, report)
                thinks = self.threads.run(work, rank, (position.game.name, kind), job["table_id"], address)
                thought = asyncio.ensure_future(thinks)
                while not (await asyncio.wait([thought], timeout=PROGRESS_INTERVAL))[0]:
                    await self.store.set_job(job_id, progress=(len(answers) + part) / len(tasks))
                answers.append(add_words(thought.result(), position, job["request"]["language"]))
            result = (
                answers[0] if kind == "hint" else {"plies": [decision_analysis(*one) for one in zip(answers, tasks, strict=True)]}
            )
            await self.store.set_job(job_id, status="done", progress=1.0, result=result)
        except asyncio.CancelledError:
            stopped = True
            await self.store.set_job(job_id, status="failed", result=RESTARTED)
            raise
        except Exception as error:
            if is_outage(error):
                report_outage(error)  # who asks is told that the job was lost
                return
            metrics.ERRORS.inc()
            log.exception("an analysis failed", extra={"job": job_id})
            await self.store.set_job(job_id, status="failed", result=FAILED)

    async def get(self, guest: Guest | None, job_id: str) -> dict[str, Any]:
        """Return a job; only its owner may see it."""
        job = await self.store.job(job_id)
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


def analyse(seen: Position, played: Move | None, level: int, iterations: int, report: Callable[[float], bool]) -> dict[str, Any]:
    """Analyse a concealed position with a strong player: all candidates and the move `played`, best first. Runs in a thread.

    `report` receives the progress and returns False to stop.
    """
    player = bots.make("search", seen.game, level=level)
    assert isinstance(player, Search)
    if played is not None:  # a whole game is worth the wait
        finish_compiling(seen.game, "azalai.bots.player")
    analysis = player.analyse(seen, iterations, lambda part: report(part.iterations / iterations), also=played)
    return {"ply": seen.ply, "quick": analysis.iterations < iterations, **analysis.as_dict()}


def add_words(result: dict[str, Any], seen: Position, language: str) -> dict[str, Any]:
    """Add to every move its text in the requested language."""
    translator = translator_for(seen.game, seen.seats, language)
    for one in result["moves"]:
        one["words"] = translator.words.move(seen.game.moves[one["id"]], seen)
    return result


def decision_analysis(analysis: dict[str, Any], task: Task) -> dict[str, Any]:
    """Compare the move played with the best one."""
    moves = analysis["moves"]
    chosen = next(one for one in moves if task[1] is not None and one["id"] == task[1].id)
    return {"ply": analysis["ply"], "seat": analysis["seat"], "chosen": chosen, "best": moves[0], "among": len(moves)}
