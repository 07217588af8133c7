"""Computer players at tables: they think in threads, away from the event loop, on what their seat can see."""

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
from azalai.server import acts, metrics
from azalai.server.acts import Refused
from azalai.server.house import House
from azalai.server.table import PLAYING, Table

log = logging.getLogger("azalai.thinkers")

Result = TypeVar("Result")
PLAYERS = 32  # kept for their next decision: what they have thought out already helps them


class Threads:
    """A few threads that work through a queue. They do not keep the process alive when it is told to stop."""

    def __init__(self, count: int) -> None:
        self._queue: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]] = queue.SimpleQueue()
        for number in range(count or os.cpu_count() or 1):
            threading.Thread(target=self._work, name=f"think-{number}", daemon=True).start()

    async def run(self, task: Callable[[], Result]) -> Result:
        """The task's result, computed in one of the threads."""
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
                loop.call_soon_threadsafe(_settle, done, result, error)


def _settle(done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)


class Thinkers:
    """Sees to it that whenever a computer player owes a decision, somebody is thinking about it."""

    def __init__(self, house: House, threads: Threads) -> None:
        self.house = house
        self.threads = threads
        self.thinking: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._players: OrderedDict[tuple[str, int, str], bots.Player] = OrderedDict()
        self._closed = False

    def look(self, table: Table) -> None:
        """Let the computer players of this table think whose turn it is, and carry out what was planned."""
        for seat in table.bots_to_move():
            self._begin(table.id, seat, self._play_on(table.id, seat))
        self.follow_plans(table)

    def follow_plans(self, table: Table) -> None:
        """Carry out what was planned."""
        for seat in table.plans_due():
            self._begin(table.id, seat, self.house.follow_plan(table.id, seat))

    def _begin(self, table_id: str, seat: int, work: Any) -> None:
        key = table_id, seat
        if key in self.thinking or self._closed:
            work.close()
            return
        task = self.thinking[key] = asyncio.create_task(work, name=f"seat {seat} of {table_id}")
        task.add_done_callback(lambda done: self._ended(key, done))
        metrics.THINKING.set(len(self.thinking))

    def _ended(self, key: tuple[str, int], done: asyncio.Task[None]) -> None:
        self.thinking.pop(key, None)
        metrics.THINKING.set(len(self.thinking))
        if done.cancelled():
            return
        if done.exception() is not None:
            metrics.ERRORS.inc()
            log.error("a computer player failed", exc_info=done.exception(), extra={"table": key[0], "seat": key[1]})
            return  # the table's lease runs out, and it is looked at again
        place = self.house.places.get(key[0])
        if place is not None and place.table is not None:
            self.look(place.table)

    async def _play_on(self, table_id: str, seat: int) -> None:
        """Decide for a seat until others have to."""
        while not self._closed:
            async with self.house.at(table_id) as table:
                if table.status != PLAYING or seat not in table.bots_to_move() or table.position is None:
                    return
                name = table.seats[seat].bot or table.substitute
                seen, ply, version = as_asked(table.position, seat), table.ply, table.number
            move = await self._choose((table_id, seat, name), seen)
            try:
                await self.house.act(table_id, partial(self._decided, seat, ply, version, move))
            except Refused as refusal:
                log.info("a decision came too late", extra={"table": table_id, "seat": seat, "why": refusal.code})
                if refusal.code == "illegal_move":
                    raise

    def _decided(self, seat: int, ply: int, version: int, move: Move, table: Table, at: int) -> list[Any]:
        if seat not in table.bots_to_move():
            raise Refused(409, "not_your_turn", "somebody has taken the seat in the meantime")
        return acts.play(table, None, seat, ply, version, move.id, at)

    async def _choose(self, key: tuple[str, int, str], seen: Position) -> Move:
        """The decision of a computer player, thought out in a thread; a new one is made there too, since that may take long."""
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

    def at_work(self) -> set[str]:
        """The tables somebody is thinking about here."""
        return {table_id for table_id, _ in self.thinking}

    async def close(self) -> None:
        """Stop; what was being thought about is taken up again after the next start."""
        self._closed = True
        tasks = list(self.thinking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def as_asked(position: Position, seat: int) -> Position:
    """What `seat` sees, with itself as the one to decide: among simultaneous choices another may be named."""
    seen = position.seen_by(seat)
    if seen.seat != seat:
        seen.state.seat = seat
    return seen
