"""Threads that do the work of one object together, and wait for each other without Python.

A step of thousands of games takes less than a millisecond, and waking a thread can take a tenth of that. So a worker that has
done its part stays in compiled code for a moment, watching a number in memory for the next order; only when none comes does it
go home to Python, from where the next order has to fetch it. Each worker has one such number:

    AWAY       it is not there
    WAITING    it has done its work and watches
    LEAVE      it is told to go home
    above      the order it is carrying out

The thread that gives orders changes WAITING into an order, the worker changes it back; whoever comes first when an order meets a
worker about to leave is decided by an atomic exchange.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from azalai.engine.errors import BadOption
from azalai.engine.rule import INTERPRET, numbers, rule

AWAY, WAITING, LEAVE, FIRST_ORDER = range(4)
STRIDE = 8  # a worker's number has a cache line of its own
LOOKS = 100  # at the number, before a worker lets other threads have the processor for a moment
PATIENCE = 1000  # such moments without an order until a worker goes home: about a third of a millisecond
LONG = 10_000_000  # looks at a worker's number until the one who waits for it asks whether it broke down


class Crew:
    """Threads that share out `count` things among themselves, in equal parts. The first part is the calling thread's own."""

    def __init__(self, count: int, threads: int) -> None:
        if count < 1 or threads < 1:
            raise BadOption(f"there must be at least one game and one thread, not {min(count, threads)}")
        self.edges = np.linspace(0, count, threads + 1).astype(np.int64)
        self.slices = [slice(a, b) for a, b in itertools.pairwise(self.edges.tolist())]
        self.words = numbers(threads * STRIDE, np.int64)
        alone = INTERPRET or threads == 1  # what is interpreted holds the interpreter's lock
        self._pool = None if alone else ThreadPoolExecutor(threads - 1)
        self._fetched: dict[int, Future[None]] = {}

    def each(self, work: Callable[[Any], Any], parts: Sequence[Any]) -> list[Any]:
        """Do `work` for every thread's part: for work that is long, or rare."""
        if self._pool is None:
            return [work(part) for part in parts]
        dismiss(self.words)
        started = [self._pool.submit(work, part) for part in parts[1:]]
        return [work(parts[0]), *(one.result() for one in started)]

    def order(self, order: int, serve: Callable[[Any, int], None], carry_out: Callable[[Any, int, int], None], desk: Any) -> None:
        """Do `order` in all threads: for work that is short. `carry_out(desk, order, part)` does the part of one thread;
        `serve(desk, worker)` lets a thread do so as long as orders come."""
        if self._pool is None:
            for part in range(len(self.slices)):
                carry_out(desk, order, part)
            return
        worker = 0
        while (worker := call(self.words, order, worker + 1)) > 0:
            self._fetched[worker] = self._pool.submit(serve, desk, worker)
        carry_out(desk, order, 0)
        while not is_done(self.words, order):
            self._ask_the_broken()

    def _ask_the_broken(self) -> None:
        """Raise what went wrong in a worker, if something did."""
        broken = [worker for worker, fetched in self._fetched.items() if fetched.done() and fetched.exception()]
        for worker in broken:
            self.words[worker * STRIDE] = AWAY
        for worker in broken:
            self._fetched.pop(worker).result()


# ---------------------------------------------------------------- the numbers

if INTERPRET:

    def _look(words: Any, at: Any) -> Any:
        return words[at]

    def _exchange(words: Any, at: Any, old: Any, new: Any) -> Any:
        same = words[at] == old
        if same:
            words[at] = new
        return same

    def _yield() -> None:
        pass

else:
    from numba import types
    from numba.extending import intrinsic

    def _cell(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.gep(array.data, [args[1]])

    @intrinsic  # type: ignore[untyped-decorator]
    def _look(_: Any, words: Any, at: Any) -> Any:
        """The number, and all that was written before it was."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(_cell(context, builder, signature, args), "acquire", 8)

        return types.int64(words, types.intp), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def _exchange(_: Any, words: Any, at: Any, old: Any, new: Any) -> Any:
        """Make `old` into `new`, for all to see with what was written before; whether it was `old`."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cell = _cell(context, builder, signature, args)
            return builder.extract_value(builder.cmpxchg(cell, args[2], args[3], "acq_rel", "acquire"), 1)

        return types.boolean(words, types.intp, types.int64, types.int64), generate

    _yield = types.ExternalFunction("sched_yield", types.int32())


@rule
def call(words: Any, order: Any, first: Any) -> Any:
    """Give `order` to the workers from the `first` on, up to one that has to be fetched to it: its number, or 0."""
    for worker in range(first, len(words) // STRIDE):
        at = worker * STRIDE
        while not _exchange(words, at, WAITING, order):
            if _exchange(words, at, AWAY, order):
                return worker
    return 0


@rule
def dismiss(words: Any) -> None:
    """Let all workers that wait go home."""
    for worker in range(1, len(words) // STRIDE):
        _exchange(words, worker * STRIDE, WAITING, LEAVE)


@rule
def next_order(words: Any, worker: Any) -> Any:
    """Wait for an order; AWAY when none has come for a while."""
    at = worker * STRIDE
    while True:
        for _ in range(PATIENCE):
            for _ in range(LOOKS):
                order = _look(words, at)
                if order >= FIRST_ORDER:
                    return order
                if order == LEAVE and _exchange(words, at, LEAVE, AWAY):
                    return AWAY
            _yield()
        _exchange(words, at, WAITING, LEAVE)  # unless an order comes just now


@rule
def report(words: Any, worker: Any, order: Any) -> None:
    """Tell that a worker has carried out its order."""
    _exchange(words, worker * STRIDE, order, WAITING)


@rule
def is_done(words: Any, order: Any) -> Any:
    """Wait until all workers have carried out `order`; false when that takes very long."""
    for worker in range(1, len(words) // STRIDE):
        moments = 0
        while _look(words, worker * STRIDE) == order:
            moments += 1
            if moments % LOOKS == 0:
                _yield()
            if moments == LONG:
                return False
    return True
