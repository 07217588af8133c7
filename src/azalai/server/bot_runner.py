"""Runs computer players: they choose moves in worker threads, from what their seat can see."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from azalai import bots
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.server import commands, metrics
from azalai.server.errors import ApiError
from azalai.server.registry import TableRegistry
from azalai.server.table import PLAYING, Table

log = logging.getLogger("azalai.bot_runner")

Result = TypeVar("Result")
PLAYERS = 32  # players kept in memory between decisions, with what they have searched so far


class WorkerThreads:
    """A few daemon threads that work off a queue."""

    def __init__(self, count: int) -> None:
        self._queue: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]] = queue.SimpleQueue()
        for number in range(count or os.cpu_count() or 1):
            threading.Thread(target=self._work, name=f"think-{number}", daemon=True).start()

    async def run(self, task: Callable[[], Result]) -> Result:
        """Compute the task in one of the threads and return its result."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._queue.put((task, done))
        return await done

    def _work(self) -> None:
        while True:
            task, done = self._queue.get()
            if done.cancelled():
                continue
            loop = done.get_loop()
            try:
                result, error = task(), None
            except Exception as problem:
                result, error = None, problem
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, done, result, error)


def _resolve(done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)


class BotRunner:
    """Keeps one task running for every computer player that owes a decision."""

    def __init__(self, registry: TableRegistry, threads: WorkerThreads) -> None:
        self.registry = registry
        self.threads = threads
        self.tasks: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._players: OrderedDict[tuple[str, int, str], bots.Player] = OrderedDict()
        self._closed = False

    def wake(self, table: Table) -> None:
        """Start the computer players of this table that owe a decision."""
        for seat in table.bots_to_move():
            self._start(table.id, seat, self._play_seat(table.id, seat))

    def _start(self, table_id: str, seat: int, work: Any) -> None:
        key = table_id, seat
        if key in self.tasks or self._closed:
            work.close()
            return
        task = self.tasks[key] = asyncio.create_task(work, name=f"seat {seat} of {table_id}")
        task.add_done_callback(lambda done: self._ended(key, done))
        metrics.THINKING.set(len(self.tasks))

    def _ended(self, key: tuple[str, int], done: asyncio.Task[None]) -> None:
        self.tasks.pop(key, None)
        metrics.THINKING.set(len(self.tasks))
        if done.cancelled():
            return
        if done.exception() is not None:
            metrics.ERRORS.inc()
            log.error("a computer player failed", exc_info=done.exception(), extra={"table": key[0], "seat": key[1]})
            return  # when the table's lease expires, the scheduler wakes it again
        slot = self.registry.slots.get(key[0])
        if slot is not None and slot.table is not None:
            self.wake(slot.table)

    async def _play_seat(self, table_id: str, seat: int) -> None:
        """Play for a seat until it owes no decision."""
        while not self._closed:
            async with self.registry.locked(table_id) as table:
                if table.status != PLAYING or seat not in table.bots_to_move() or table.position is None:
                    return
                name = table.seats[seat].bot or table.substitute
                seen, ply, version = table.position.seen_by(seat), table.ply, table.number
            move = await self._choose((table_id, seat, name), seen)
            try:
                await self.registry.execute(table_id, partial(self._command, seat, ply, version, move))
            except ApiError as error:
                log.info("a decision came too late", extra={"table": table_id, "seat": seat, "why": error.code})
                if error.code == "illegal_move":
                    raise

    def _command(self, seat: int, ply: int, version: int, move: Move, table: Table, at: int) -> list[Any]:
        if seat not in table.bots_to_move():
            raise ApiError(409, "not_your_turn", "somebody has taken the seat in the meantime")
        return commands.play(table, None, seat, ply, version, move.id, at)

    async def _choose(self, key: tuple[str, int, str], seen: Position) -> Move:
        """Let a computer player choose in a worker thread. A new player is built there too, since that can take long."""
        known = self._players.pop(key, None)

        def think() -> tuple[bots.Player, Move]:
            begun = time.perf_counter()
            player = known or bots.make(key[2], seen.game)
            move = player.choose(seen)
            metrics.THINK_SECONDS.observe(time.perf_counter() - begun)
            return player, move

        self._players[key], move = await self.threads.run(think)
        if len(self._players) > PLAYERS:
            self._players.popitem(last=False)
        return move

    def active_tables(self) -> set[str]:
        """Return the tables whose computer players are running here."""
        return {table_id for table_id, _ in self.tasks}

    async def close(self) -> None:
        """Stop. The next start resumes the tables."""
        self._closed = True
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
