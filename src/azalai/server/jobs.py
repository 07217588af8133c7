"""Hints and analyses: jobs with progress, computed in the thinkers' threads from what the asking seat may know."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from azalai import bots
from azalai.bots.player import Search
from azalai.engine.position import Position
from azalai.server import metrics
from azalai.server.acts import Refused, Who, must_play, own_seat
from azalai.server.house import House
from azalai.server.library import speaker
from azalai.server.settings import Settings
from azalai.server.store import Store, new_id, now
from azalai.server.table import Table
from azalai.server.thinkers import Threads, as_asked

log = logging.getLogger("azalai.jobs")

HINT_LEVEL, HINT_ITERATIONS = 6, 12_000
GAME_LEVEL, GAME_ITERATIONS = 4, 1_500  # for every decision of a game
PROGRESS = 0.4  # seconds between two words about how far a job has come
LOST = 60_000  # a job nobody has renewed for so long died with its process
RESTARTED = {"error": "restarted", "message": "the server was restarted while it thought: ask again"}
FAILED = {"error": "internal", "message": "something went wrong on the server; it has been noted"}


class Jobs:
    """All jobs of this process."""

    def __init__(self, store: Store, house: House, threads: Threads, settings: Settings) -> None:
        self.store, self.house, self.threads, self.settings = store, house, threads, settings
        self._running: dict[str, set[asyncio.Task[None]]] = {}

    async def open(self) -> None:
        """A process that has the tables to itself knows that what the last one had begun will not be ended."""
        if not self.store.shared:
            await self.store.fail_jobs(RESTARTED)

    async def close(self) -> None:
        """Give up what is under way."""
        tasks = [task for some in self._running.values() for task in some]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def begin(self, who: Who, table_id: str, kind: str, seat: int | None, ply: int | None, language: str) -> dict[str, Any]:
        """Take on a job."""
        if len(self._running.get(who.id, ())) >= self.settings.limits.jobs_at_once:
            raise Refused(429, "too_much", f"{self.settings.limits.jobs_at_once} jobs at a time; wait for one to end")
        async with self.house.at(table_id) as table:
            positions = [self._for_hint(table, who, seat, ply)] if kind == "hint" else self._for_game(table)
            decided = [step.move.id for step in table.steps]
        time_now = now()
        job: dict[str, Any] = {
            "id": new_id(),
            "guest": who.id,
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
        task = asyncio.create_task(self._run(job["id"], kind, positions, decided, language))
        self._running.setdefault(who.id, set()).add(task)
        task.add_done_callback(lambda done: self._ended(who.id, done))
        return shown(job)

    def _ended(self, guest: str, task: asyncio.Task[None]) -> None:
        running = self._running.get(guest, set())
        running.discard(task)
        if not running:
            self._running.pop(guest, None)

    def _for_hint(self, table: Table, who: Who, seat: int | None, ply: int | None) -> Position:
        """The position a hint is asked for, as the seat sees it."""
        if table.open:
            if ply is None or not table.skipped <= ply < table.ply:
                raise Refused(422, "no_such_ply", "say for which ply of the finished game")
            earlier = table.at_ply(ply)
            return as_asked(earlier, earlier.seat)
        must_play(table)
        number = own_seat(table, who, seat)
        if not table.setup.get("hints") and table.agreement(number):
            raise Refused(403, "no_hints", "at this table no hints are given, since people play against each other")
        if number not in table.pending:
            raise Refused(409, "not_your_turn", "hints are given to who has to decide")
        if ply is not None and ply != table.ply:
            raise Refused(409, "wrong_ply", f"the table is at ply {table.ply}")
        assert table.position is not None
        return as_asked(table.position, number)

    def _for_game(self, table: Table) -> list[Position]:
        """Every decision of a finished game, as the deciding seat saw it."""
        if not table.open or table.skipped:
            raise Refused(409, "not_over", "a whole game can be analysed when it is over")
        replayed = table.game.new(len(table.seats), table.seed, **table.options)
        positions = []
        for step in table.steps:
            positions.append(as_asked(replayed, step.seat))
            replayed.play(step.move, step.seat)
        return positions

    async def _run(self, job_id: str, kind: str, positions: list[Position], decided: list[int], language: str) -> None:
        """Think about every position, and say now and then how far one has come."""
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
            for position in positions:
                part = 0.0
                thought = asyncio.ensure_future(self.threads.run(partial(judged, position, level, iterations, report)))
                while not (await asyncio.wait([thought], timeout=PROGRESS))[0]:
                    await self.store.set_job(job_id, progress=(len(answers) + part) / len(positions))
                answers.append(in_words(thought.result(), position, language))
            result = answers[0] if kind == "hint" else {"plies": told_of_game(answers, decided)}
            await self.store.set_job(job_id, status="done", progress=1.0, result=result)
        except asyncio.CancelledError:
            stopped = True
            await self.store.set_job(job_id, status="failed", result=RESTARTED)
            raise
        except Exception:
            metrics.ERRORS.inc()
            log.exception("an analysis failed", extra={"job": job_id})
            await self.store.set_job(job_id, status="failed", result=FAILED)

    async def look(self, who: Who | None, job_id: str) -> dict[str, Any]:
        """How a job stands: only its owner may know."""
        job = await self.store.job(job_id)
        if job is None or who is None or job["guest"] != who.id:
            raise Refused(404, "no_such_job", "there is no such job")
        if job["status"] in ("waiting", "running") and now() - job["renewed"] > LOST:
            job["status"], job["result"] = "failed", RESTARTED
        return shown(job)


def shown(job: dict[str, Any]) -> dict[str, Any]:
    """A job as its owner sees it. The result of one that failed is why."""
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


def judged(seen: Position, level: int, iterations: int, report: Callable[[float], bool]) -> dict[str, Any]:
    """What a strong player thinks of a concealed position: all moves, the best first. Runs in a thread.

    `report` is told how far it has come and may answer False to stop.
    """
    player = bots.make("search", seen.game, level=level)
    assert isinstance(player, Search)
    analysis = player.analyse(seen, iterations, lambda part: report(part.iterations / iterations))
    return {"ply": seen.ply, **analysis.as_dict()}


def in_words(result: dict[str, Any], seen: Position, language: str) -> dict[str, Any]:
    """The same, with every move in the asked language."""
    voice = speaker(seen.game, seen.seats, language)
    for one in result["moves"]:
        one["words"] = voice.words.move(seen.game.moves[one["id"]])
    return result


def told_of_game(answers: list[dict[str, Any]], decided: list[int]) -> list[dict[str, Any]]:
    """Of every decision: what was chosen, what would have been best, and what each seat could expect after either."""
    plies = []
    for answer, chosen in zip(answers, decided, strict=True):
        best = answer["moves"][0]
        made = next((one for one in answer["moves"] if one["id"] == chosen), None)
        plies.append({"ply": answer["ply"], "seat": answer["seat"], "chosen": made, "best": best, "among": len(answer["moves"])})
    return plies
