"""A pool of threads that work on shared memory and wait for each other without Python.

A step of thousands of games takes less than a millisecond, and waking a thread can take a tenth of that. So a worker that has
finished its part stays in compiled code for a moment and polls a number in memory, its flag, for the next command. If none
comes, it returns to Python, and the next command has to submit it to the thread pool again. The values of a flag:

    ABSENT     the worker does not run
    IDLE       the worker has finished and polls
    RELEASED   the worker is to return to Python
    above      the command the worker executes

The caller changes IDLE into a command, the worker changes it back. An atomic exchange settles who is first when a command meets
a worker about to return.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from azalai.engine.errors import BadOption
from azalai.engine.rule import INTERPRET, RuleEntry, before_compiling, compiled_calls, numbers, rule, runs_compiled

ABSENT, IDLE, RELEASED, FIRST_COMMAND = range(4)
STRIDE = 8  # each flag has a cache line of its own
POLLS = 100  # of a flag before a worker yields the processor
YIELDS = 1000  # without a command until a worker returns to Python: about a third of a millisecond
MANY_POLLS = 10_000_000  # of a worker's flag until the caller asks whether the worker has failed


class WorkerPool:
    """Threads that divide `count` items evenly among themselves. The calling thread does the first part."""

    def __init__(self, count: int, threads: int) -> None:
        if count < 1 or threads < 1:
            raise BadOption(f"there must be at least one game and one thread, not {min(count, threads)}")
        self.edges = np.linspace(0, count, threads + 1).astype(np.int64)
        self.slices = [slice(a, b) for a, b in itertools.pairwise(self.edges.tolist())]
        self.flags = numbers(threads * STRIDE, np.int64)
        self._executor = None if INTERPRET or threads == 1 else ThreadPoolExecutor(threads - 1)
        self._compiled = False
        self._post, self._wait_done = RuleEntry(post), RuleEntry(wait_done)
        self._running: dict[int, Future[None]] = {}

    def each(self, work: Callable[[Any], Any], parts: Sequence[Any]) -> list[Any]:
        """Call `work` with every thread's part. For long or rare work."""
        if self._executor is None:
            return [work(part) for part in parts]
        release(self.flags)
        started = [self._executor.submit(work, part) for part in parts[1:]]
        return [work(parts[0]), *(one.result() for one in started)]

    def command(
        self, command: int, serve: Callable[[Any, int], None], execute: Callable[[Any, int, int], None], memory: Any
    ) -> None:
        """Execute `command` in all threads. For short work.

        `execute(memory, command, part)` does the part of one thread; `serve(memory, worker)` lets a worker execute commands as
        long as they come.
        """
        if self._executor is None or not self._runs_compiled(serve, memory):
            for part in range(len(self.slices)):
                execute(memory, command, part)
            return
        worker = 0
        while (worker := self._post.call(self.flags, command, worker + 1)) > 0:
            self._running[worker] = self._executor.submit(self._serve, serve, memory, worker)
        execute(memory, command, 0)
        while not self._wait_done.call(self.flags, command):
            self._raise_failures()

    def _runs_compiled(self, serve: Callable[..., Any], memory: Any) -> bool:
        """Return whether all that workers need runs compiled; interpreted rules hold the interpreter's lock."""
        if not self._compiled:
            on_flags = all(runs_compiled(one, self.flags) for one in (post, release, wait_done))
            self._compiled = on_flags and runs_compiled(serve, memory)
        return self._compiled

    def _serve(self, serve: Callable[[Any, int], None], memory: Any, worker: int) -> None:
        with compiled_calls():
            serve(memory, worker)

    def _raise_failures(self) -> None:
        """Raise the exception of a worker that has failed, if one has."""
        failed = [worker for worker, running in self._running.items() if running.done() and running.exception()]
        for worker in failed:
            self.flags[worker * STRIDE] = ABSENT
        for worker in failed:
            self._running.pop(worker).result()


# ---------------------------------------------------------------- flags


def _load(flags: Any, at: Any) -> Any:
    """Load a flag; all that was written before the flag was set is visible then."""
    return flags[at]


def _exchange(flags: Any, at: Any, old: Any, new: Any) -> Any:
    """Set a flag from `old` to `new`, and publish all that was written before; return whether it was `old`."""
    same = flags[at] == old
    if same:
        flags[at] = new
    return same


def _yield() -> None:
    """Let another thread have the processor."""


@before_compiling
def _overload_flags() -> None:
    """Tell Numba what the functions above are in compiled code, where other threads work on the same flags."""
    from numba import types
    from numba.extending import intrinsic, overload

    def cell(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.gep(array.data, [args[1]])

    @intrinsic  # type: ignore[untyped-decorator]
    def load(_: Any, flags: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(cell(context, builder, signature, args), "acquire", 8)

        return types.int64(flags, types.intp), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def exchange(_: Any, flags: Any, at: Any, old: Any, new: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = cell(context, builder, signature, args)
            return builder.extract_value(builder.cmpxchg(place, args[2], args[3], "acq_rel", "acquire"), 1)

        return types.boolean(flags, types.intp, types.int64, types.int64), generate

    sched_yield = types.ExternalFunction("sched_yield", types.int32())
    overload(_load)(lambda flags, at: lambda flags, at: load(flags, at))
    overload(_exchange)(lambda flags, at, old, new: lambda flags, at, old, new: exchange(flags, at, old, new))
    overload(_yield)(lambda: lambda: sched_yield())


@rule
def post(flags: Any, command: Any, first: Any) -> Any:
    """Give `command` to the workers from `first` on; return the next worker that has to be submitted for it, or 0."""
    for worker in range(first, len(flags) // STRIDE):
        at = worker * STRIDE
        while not _exchange(flags, at, IDLE, command):
            if _exchange(flags, at, ABSENT, command):
                return worker
    return 0


@rule
def release(flags: Any) -> None:
    """Let all idle workers return to Python."""
    for worker in range(1, len(flags) // STRIDE):
        _exchange(flags, worker * STRIDE, IDLE, RELEASED)


@rule
def next_command(flags: Any, worker: Any) -> Any:
    """Wait for a command and return it; return ABSENT when none has come for a while."""
    at = worker * STRIDE
    while True:
        for _ in range(YIELDS):
            for _ in range(POLLS):
                command = _load(flags, at)
                if command >= FIRST_COMMAND:
                    return command
                if command == RELEASED and _exchange(flags, at, RELEASED, ABSENT):
                    return ABSENT
            _yield()
        _exchange(flags, at, IDLE, RELEASED)  # unless a command comes just now


@rule
def report_done(flags: Any, worker: Any, command: Any) -> None:
    """Report that a worker has executed its command."""
    _exchange(flags, worker * STRIDE, command, IDLE)


@rule
def wait_done(flags: Any, command: Any) -> Any:
    """Wait until all workers have executed `command`; return False when that takes very long."""
    for worker in range(1, len(flags) // STRIDE):
        polls = 0
        while _load(flags, worker * STRIDE) == command:
            polls += 1
            if polls % POLLS == 0:
                _yield()
            if polls == MANY_POLLS:
                return False
    return True
