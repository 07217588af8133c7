"""Runs computer players: they choose moves in worker threads, from what their seat can see."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from azalai import bots
from azalai.bots.network import WrongNetwork
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.server import commands, metrics
from azalai.server.broadcast import Broadcaster
from azalai.server.errors import ApiError
from azalai.server.outages import is_outage, report_outage
from azalai.server.registry import TableRegistry
from azalai.server.table import HUMAN, PLAYING, Table

log = logging.getLogger("azalai.bot_runner")

Result = TypeVar("Result")
PLAYERS = 32  # players kept in memory between decisions, with what they have searched so far


# Who goes first: a thought that a person waits for, one at a table that nobody looks at, an analysis of a whole game.
AWAITED, UNWATCHED, ANALYSIS = range(3)
SHORT = 0.1  # seconds that a short thought is expected to take; one thread does nothing else
HALF_LIFE = 60.0  # seconds after which half of the time an address has used is forgotten
FIRST_GUESS = {"random": 0.01, "greedy": 0.01, "1": 0.03, "2": 0.08}  # seconds, until such thoughts have been measured


@dataclass(eq=False)
class Thought:
    """Something to compute in a worker thread, and whose time it takes."""

    work: Callable[[], Any]
    done: asyncio.Future[Any]
    rank: int
    kind: tuple[str, str]  # game and computer player: thoughts of one kind take about equally long
    table: str
    address: str
    expected: float


class WorkerThreads:
    """Threads that compute thoughts, shared fairly.

    What a person waits for comes first. Then comes who has used the least time of late: among network addresses, then among the
    tables of an address. One thread more than there are processors takes short thoughts only, so that these never wait for
    long ones.
    """

    def __init__(self, count: int) -> None:
        self._changed = threading.Condition()
        self._waiting: list[Thought] = []
        self._used: dict[str, float] = {}  # seconds of thinking, by address and by table
        self._forgotten = time.monotonic()
        self._seconds: dict[tuple[str, str], float] = {}  # how long a thought takes, by kind
        for number in range(count or os.cpu_count() or 1):
            threading.Thread(target=self._work, args=(False,), name=f"think-{number}", daemon=True).start()
        threading.Thread(target=self._work, args=(True,), name="think-short", daemon=True).start()

    async def run(self, work: Callable[[], Result], rank: int, kind: tuple[str, str], table: str, address: str) -> Result:
        """Compute something in one of the threads and return its result."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        with self._changed:
            expected = self._seconds.get(kind, FIRST_GUESS.get(kind[1], 1.0))
            self._waiting.append(Thought(work, done, rank, kind, table, address, expected))
            self._changed.notify_all()
        return await done

    def _take(self, short: bool) -> Thought:
        """Wait for the thought that is next."""
        with self._changed:
            while True:
                self._waiting = [one for one in self._waiting if not one.done.cancelled()]
                fitting = [one for one in self._waiting if one.expected <= SHORT] if short else self._waiting
                if fitting:
                    break
                self._changed.wait()
            self._forget()
            chosen = min(fitting, key=self._order)  # of equals the first that came
            self._waiting.remove(chosen)
            self._charge(chosen, chosen.expected)
            return chosen

    def _order(self, one: Thought) -> tuple[int, float, float]:
        return one.rank, self._used.get(one.address, 0.0), self._used.get(one.table, 0.0)

    def _charge(self, one: Thought, seconds: float) -> None:
        for account in (one.address, one.table):
            self._used[account] = self._used.get(account, 0.0) + seconds

    def _forget(self) -> None:
        passed = time.monotonic() - self._forgotten
        if passed > 1:
            self._forgotten += passed
            share = 0.5 ** (passed / HALF_LIFE)
            self._used = {account: used * share for account, used in self._used.items() if used > 0.001}

    def _work(self, short: bool) -> None:
        while True:
            one = self._take(short)
            begun = time.thread_time()
            try:
                result, error = one.work(), None
            except Exception as problem:
                result, error = None, problem
            seconds = time.thread_time() - begun
            with self._changed:
                self._charge(one, seconds - one.expected)
                self._seconds[one.kind] = 0.8 * self._seconds.get(one.kind, seconds) + 0.2 * seconds
            loop = one.done.get_loop()
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, one.done, result, error)


def _resolve(done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)


def make_player(name: str, game: Game) -> bots.Player:
    """Make a computer player. A level whose network does not fit to a variant searches without one."""
    try:
        return bots.make(name, game)
    except WrongNetwork:
        return bots.make(f"search{name}", game)


class BotRunner:
    """Keeps one task running for every computer player that owes a decision."""

    def __init__(self, registry: TableRegistry, threads: WorkerThreads, broadcaster: Broadcaster) -> None:
        self.registry = registry
        self.threads = threads
        self.broadcaster = broadcaster
        self.tasks: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._players: OrderedDict[tuple[str, int, str], bots.Player] = OrderedDict()
        self._closed = False

    def wake(self, table: Table, seats: list[int] | None = None) -> None:
        """Start the computer players of this table that owe a decision, or those of some seats.

        What another process has begun to think about is left to it: when its lease expires, the scheduler wakes the table.
        """
        for seat in table.bots_to_move() if seats is None else seats:
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
        error = done.exception()
        if error is not None:
            if is_outage(error):
                report_outage(error)
            else:
                metrics.ERRORS.inc()
                log.error("a computer player failed", exc_info=error, extra={"table": key[0], "seat": key[1]})
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
                rank = AWAITED if self._awaited(table) else UNWATCHED
                address = self.broadcaster.address_of(table.creator)
            move = await self._choose((table_id, seat, name), seen, rank, address)
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

    def _awaited(self, table: Table) -> bool:
        """Return whether a person plays at the table or looks at it."""
        return any(seat.kind == HUMAN for seat in table.seats) or any(self.broadcaster.presence(table.id))

    async def _choose(self, key: tuple[str, int, str], seen: Position, rank: int, address: str) -> Move:
        """Let a computer player choose in a worker thread. A new player is built there too, since that can take long."""
        known = self._players.pop(key, None)

        def think() -> tuple[bots.Player, Move]:
            begun = time.perf_counter()
            player = known or make_player(key[2], seen.game)
            move = player.choose(seen)
            metrics.THINK_SECONDS.observe(time.perf_counter() - begun)
            return player, move

        kind = f"{seen.game.name}{seen.game.variant}", key[2]
        self._players[key], move = await self.threads.run(think, rank, kind, key[0], address)
        if len(self._players) > PLAYERS:
            self._players.popitem(last=False)
        return move

    def forget(self, game: Game) -> None:
        """Forget the computer players of a variant that nobody plays."""
        for key in [key for key, player in self._players.items() if getattr(player, "game", None) is game]:
            del self._players[key]

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
