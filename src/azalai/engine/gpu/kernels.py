"""What the GPU runs: the kernels of a batch, written once for all games.

A kernel is the work on one game of the batch; the GPU runs it for all of them at the same time. It calls the same rules as the
CPU, through the same stubs (`engine/dispatch.py`), so both write the same bytes. This module needs Numba-CUDA, and only
`compile.py` imports it; a machine without it runs kernels that were compiled elsewhere.

The names of a kernel's parameters say what they are, see `signatures.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda, from_dtype, types
from numba.cuda.extending import intrinsic

from azalai.engine import flow
from azalai.engine.batch import write_rewards
from azalai.engine.dispatch import hide, legal, score
from azalai.engine.encode import Program, draw_conclusions, encode
from azalai.engine.game import Game
from azalai.engine.gpu.driver import BLOCK
from azalai.engine.gpu.signatures import (
    ANY,
    DEAL,
    DECIDER,
    KERNELS,
    NO_GAME,
    PARAMETERS,
    RESTART,
    SORTED_BLOCK,
    STEP_AND_RESTART,
    WARP,
    Parameter,
    padded,
    sort_keys,
)
from azalai.engine.playing import DECISIONS, END, PLACES, POINTS, pick, random_choice, thought
from azalai.engine.rng import GOLDEN, MIX_1, mix
from azalai.engine.schema import MAX_SEATS

Kernel = Callable[..., None]


@cuda.jit(device=True)
def _random_number(number: Any, count: Any) -> Any:
    """Return a number below `count`, as the CPU's batch draws it."""
    return pick(mix(np.uint64(number) * GOLDEN + MIX_1), count)


@cuda.jit(device=True)
def _copy(source: Any, target: Any) -> None:
    for k in range(len(target)):
        target[k] = source[k]


@cuda.jit(device=True)
def _list(listed: Any, count: Any, moves: Any, counts: Any, mask: Any, i: Any) -> None:
    """Put the legal moves of game i in the place of those before, in the list and in the mask."""
    for k in range(counts[i]):
        mask[i, moves[k, i]] = False
    counts[i] = count
    for k in range(count):
        moves[k, i] = listed[k]
        mask[i, listed[k]] = True


@cuda.jit(device=True)
def _deal(s: Any, seeds: Any, firsts: Any, strides: Any, dealt: Any, i: Any) -> None:
    """Deal the next game in place i, into a blank record."""
    flow.begin(s, seeds[i], firsts[i] + dealt[i] * strides[i])
    dealt[i] += 1


@cuda.jit(device=True)
def _deal_next(
    s: Any, record: Any, blank: Any, places: Any, shares: Any, rewards: Any, ended: Any, seeds: Any, firsts: Any, strides: Any,
    dealt: Any, i: Any,
) -> None:  # fmt: skip
    """Count the game that is over in place i, add its rewards, and deal the next."""
    ended[i] += 1
    write_rewards(s, places, shares)
    for seat in range(rewards.shape[1]):
        rewards[i, seat] += shares[seat]
    _copy(blank, record)
    _deal(s, seeds, firsts, strides, dealt, i)


@cuda.jit(device=True)
def _check(given: Any, chosen: Any, moves: Any, counts: Any, found: Any, where: Any, i: Any) -> None:
    """Take over the move given for game i; note the game where that is illegal. A game without legal moves takes what comes."""
    if i >= len(chosen) or not where[i]:
        return
    chosen[i] = given[i]
    for k in range(counts[i]):
        if moves[k, i] == given[i]:
            return
    if counts[i]:
        cuda.atomic.min(found, 0, i)


def check(given, chosen, moves, counts, found, where):
    _check(given, chosen, moves, counts, found, where, cuda.grid(1))


def check_long(given_long, chosen, moves, counts, found, where):
    _check(given_long, chosen, moves, counts, found, where, cuda.grid(1))


def choose(chosen, moves, counts, number):
    """Draw a legal move."""
    i = cuda.grid(1)
    if i < len(chosen):
        chosen[i] = moves[_random_number(number + i, counts[i]), i] if counts[i] else 0


def _record_in(dtype: np.dtype[Any]) -> Any:
    """A function that returns the record which an array of words holds."""
    kind = from_dtype(dtype)

    @intrinsic
    def record_in(typing: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            return builder.bitcast(array.data, context.get_value_type(signature.return_type))

        return kind(words), generate

    return record_in


def make_kernel(name: str, game: Game, dtype: np.dtype[Any]) -> tuple[Kernel, list[Any]]:
    """Return a kernel and the types of its parameters, for records of this type."""
    kernel: Kernel
    if name in ("check", "check_long", "choose"):
        kernel = globals()[name]
    elif name in ("step", "rollout", "conceal"):
        kernel = _playing(dtype, game.max_moves)[name]
    elif name == "rollout_sorted":
        kernel = _sorting(dtype, game.max_moves, sort_keys(game))
    elif name == "rollout_waves":
        kernel = _waves(dtype, game.max_moves, sort_keys(game))
    elif name == "simulate":
        kernel = _simulating(game.schema.without_events, game.max_moves)
    elif name == "hide":
        kernel = _hiding(game.schema.without_events, game.conclusions.dtype)
    else:
        kernel = _observing_bits(game.packed_observation.with_conclusions.size) if name == "observe_bits" else observe
    assert len(inspect.signature(kernel).parameters) == len(KERNELS[name]), f"{name} has other parameters than signatures.py says"
    return kernel, [_type_of(PARAMETERS[parameter]) for parameter in KERNELS[name]]


def _type_of(parameter: Parameter) -> Any:
    kind = from_dtype(np.dtype(parameter.kind))
    return types.Array(kind, parameter.axes, "C" if parameter.contiguous else "A") if parameter.axes else kind


def _playing(dtype: np.dtype[Any], max_moves: int) -> dict[str, Kernel]:
    """The kernels that know the rules."""
    size, record_in = dtype.itemsize // 8, _record_in(dtype)

    def step(
        words, blank, chosen, moves, counts, mask, rewards, done, over, seeds, firsts, strides, dealt, found, where, command
    ):
        i = cuda.grid(1)
        if i >= len(words) or found[0] != NO_GAME:
            return
        record = cuda.local.array(size, types.int64)
        listed = cuda.local.array(max_moves, types.int32)
        places = cuda.local.array((MAX_SEATS, 3), types.int64)
        _copy(words[i], record)
        s = record_in(record)
        deal = False
        if command <= RESTART:
            deal = where[i] if command == DEAL else s.over != 0
            if not deal:
                return
            cuda.atomic.add(found, 1, 1)
        else:
            done[i] = False
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = 0.0
            if s.over or not where[i]:
                return
            flow.step(s, chosen[i])
            if s.over:
                done[i] = True
                write_rewards(s, places, rewards[i])
                deal = command == STEP_AND_RESTART
        if deal:
            _copy(blank, record)
            _deal(s, seeds, firsts, strides, dealt, i)
        over[i] = s.over != 0
        _list(listed, 0 if s.over else legal(s, listed), moves, counts, mask, i)
        _copy(record, words[i])

    def rollout(words, blank, moves, counts, mask, rewards, done, ended, seeds, firsts, strides, dealt, decisions, number):
        i = cuda.grid(1)
        if i >= len(words):
            return
        record = cuda.local.array(size, types.int64)
        listed = cuda.local.array(max_moves, types.int32)
        places = cuda.local.array((MAX_SEATS, 3), types.int64)
        shares = cuda.local.array(MAX_SEATS, types.float32)
        _copy(words[i], record)
        s = record_in(record)
        done[i] = False
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
        games = 0
        if not s.over:
            for _ in range(decisions):
                flow.step(s, listed[_random_number(number + i, legal(s, listed))])
                number = number + len(words) & 0x7FFFFFFFFFFFFFFF
                if s.over:
                    games += 1
                    write_rewards(s, places, shares)
                    for seat in range(rewards.shape[1]):
                        rewards[i, seat] += shares[seat]
                    _copy(blank, record)
                    _deal(s, seeds, firsts, strides, dealt, i)
            _list(listed, legal(s, listed), moves, counts, mask, i)
        ended[i] = games
        done[i] = games > 0
        _copy(record, words[i])

    def conceal(words, seat):
        i = cuda.grid(1)
        if i < len(words):
            s = record_in(words[i])
            flow.conceal(s, s.seat if seat == DECIDER else seat)

    return {"step": step, "rollout": rollout, "conceal": conceal}


def _sorting(dtype: np.dtype[Any], max_moves: int, keys: int) -> Kernel:
    """The rollout whose threads run in step more often: before each decision, a block sorts its games by what is to be decided.

    Games stay in shared memory until the end. A thread carries a game and its sort key. Tallies of keys are used in turns: while
    one is summed up, the other is cleared.
    """
    size, record_in = dtype.itemsize // 8, _record_in(dtype)
    apart, both = padded(size), 2 * keys

    def rollout(words, blank, moves, counts, mask, rewards, done, ended, seeds, firsts, strides, dealt, decisions, number):
        t = np.int64(cuda.threadIdx.x)
        first = np.int64(cuda.blockIdx.x) * cuda.blockDim.x
        here = first + t < len(words)
        records = cuda.shared.array(0, types.int64)
        order = cuda.shared.array(SORTED_BLOCK, types.int32)
        tallies = cuda.shared.array(both, types.int32)
        listed = cuda.local.array(max_moves, types.int32)
        places = cuda.local.array((MAX_SEATS, 3), types.int64)
        shares = cuda.local.array(MAX_SEATS, types.float32)
        for k in range(t, both, cuda.blockDim.x):
            tallies[k] = 0
        game, key, tally = t, np.int64(0), np.int64(0)
        if here:
            record = records[t * apart : t * apart + size]
            _copy(words[first + t], record)
            s = record_in(record)
            if not s.over:
                key = np.int64(1 + s.phase)
            ended[first + t] = -1 if s.over else 0  # -1: over before, and stays so
            for seat in range(rewards.shape[1]):
                rewards[first + t, seat] = 0.0
        cuda.syncthreads()
        for decision in range(decisions + 1):
            rank = np.int64(0)
            if here:
                rank = np.int64(cuda.atomic.add(tallies, tally + key, 1))
            cuda.syncthreads()
            if here:
                for k in range(key):
                    rank += tallies[tally + k]
                order[rank] = game
            tally = keys - tally
            for k in range(t, keys, cuda.blockDim.x):
                tallies[tally + k] = 0
            cuda.syncthreads()
            if here:
                game = np.int64(order[t])
                i = first + game
                record = records[game * apart : game * apart + size]
                s = record_in(record)
                if s.over and ended[i] >= 0:
                    _deal_next(s, record, blank, places, shares, rewards, ended, seeds, firsts, strides, dealt, i)
                key = np.int64(0)
                if not s.over:
                    count = legal(s, listed)
                    if decision < decisions:
                        flow.step(s, listed[_random_number(number + i, count)])
                    else:
                        _list(listed, count, moves, counts, mask, i)
                    if not s.over:
                        key = np.int64(1 + s.phase)
            number = number + len(words) & 0x7FFFFFFFFFFFFFFF
        cuda.syncthreads()
        if here:
            i = first + t
            ended[i] = max(ended[i], 0)
            done[i] = ended[i] > 0
            _copy(records[t * apart : t * apart + size], words[i])

    return rollout


def _waves(dtype: np.dtype[Any], max_moves: int, keys: int) -> Kernel:
    """The rollout of games with large records: a launch for each decision, for which all games of the batch are sorted.

    Records stay where they are. A thread plays the game that the wave before has put into `order` for it, then puts it into the
    order of the next wave: a block first counts its games by their keys, then reserves space for so many of each. Of three
    tallies a wave reads one, fills one and clears one. Wave 0 only sorts; the last one, after all decisions, lists the moves.
    """
    record_in = _record_in(dtype)

    def rollout(
        words, blank, moves, counts, mask, rewards, done, ended, seeds, firsts, strides, dealt, decisions, number,
        wave, order, tallies,
    ):  # fmt: skip
        t = np.int64(cuda.grid(1))
        here = t < len(words)
        tally = cuda.shared.array(keys, types.int32)
        starts = cuda.shared.array(keys, types.int32)
        listed = cuda.local.array(max_moves, types.int32)
        places = cuda.local.array((MAX_SEATS, 3), types.int64)
        shares = cuda.local.array(MAX_SEATS, types.float32)
        for k in range(cuda.threadIdx.x, keys, cuda.blockDim.x):
            tally[k] = 0
            if cuda.blockIdx.x == 0:
                tallies[(wave + 2) % 3, k] = 0
        cuda.syncthreads()
        i, key, rank = t, np.int64(0), np.int64(0)
        if here:
            if wave > 0:
                place = t
                while place >= tallies[wave % 3, key]:
                    place -= tallies[wave % 3, key]
                    key += 1
                i = np.int64(order[wave % 2, key, place])
            record = words[i]
            s = record_in(record)
            if wave == 0:
                ended[i] = -1 if s.over else 0  # -1: over before, and stays so
                for seat in range(rewards.shape[1]):
                    rewards[i, seat] = 0.0
            else:
                if s.over and ended[i] >= 0:
                    _deal_next(s, record, blank, places, shares, rewards, ended, seeds, firsts, strides, dealt, i)
                if not s.over:
                    count = legal(s, listed)
                    if wave <= decisions:
                        drawn = number + (wave - 1) * len(words) & 0x7FFFFFFFFFFFFFFF
                        flow.step(s, listed[_random_number(drawn + i, count)])
                    else:
                        _list(listed, count, moves, counts, mask, i)
            if wave > decisions:
                ended[i] = max(ended[i], 0)
                done[i] = ended[i] > 0
            key = np.int64(0 if s.over else 1 + s.phase)
            rank = np.int64(cuda.atomic.add(tally, key, 1))
        cuda.syncthreads()
        for k in range(cuda.threadIdx.x, keys, cuda.blockDim.x):
            if tally[k]:
                starts[k] = cuda.atomic.add(tallies, ((wave + 1) % 3, k), tally[k])
        cuda.syncthreads()
        if here:
            order[(wave + 1) % 2, key, starts[key] + rank] = i

    return rollout


def _simulating(dtype: np.dtype[Any], max_moves: int) -> Kernel:
    """The kernel that plays whole games of a series between random players, a thread each."""
    record_in, size = _record_in(dtype), dtype.itemsize // 8

    def kernel(blank, results, first, seed):
        i = cuda.grid(1)
        if i >= len(results):
            return
        record = cuda.local.array(size, types.int64)
        listed = cuda.local.array(max_moves, types.int32)
        places = cuda.local.array((MAX_SEATS, 3), types.int64)
        _copy(blank, record)
        s = record_in(record)
        flow.begin(s, seed, (first + i) // s.seats)
        while not s.over:
            flow.step(s, random_choice(s, listed, thought(seed, first + i, s.ply)))
        score(s, places)
        results[i, END] = s.over
        results[i, DECISIONS] = s.ply
        for seat in range(s.seats):
            results[i, POINTS + seat] = places[seat, 0]
            results[i, PLACES + seat] = places[seat, 1]

    return kernel


def _hiding(dtype: np.dtype[Any], conclusions: np.dtype[Any]) -> Kernel:
    """The kernel that copies records, hides there what viewers may not know, and writes what follows from the rest.

    `concluded` has no columns where conclusions are not wanted.
    """
    record_in, conclusions_in, size = _record_in(dtype), _record_in(conclusions), dtype.itemsize // 8

    def kernel(words, hidden, concluded, viewers, seat):
        i = cuda.grid(1)
        if i >= len(words):
            return
        record = cuda.local.array(size, types.int64)
        _copy(words[i], record)
        s = record_in(record)
        viewer = np.int64(viewers[i])
        if seat != ANY:
            viewer = np.int64(s.seat) if seat == DECIDER else seat
            viewers[i] = viewer
        if not s.over:
            hide(s, viewer)
        if s.pending >> viewer & 1:
            s.seat = viewer
        if concluded.shape[1] > 0:
            draw_conclusions(s, viewer, conclusions_in(concluded[i]), concluded[i])
        _copy(record, hidden[i])

    return kernel


def observe(hidden, hidden_1, hidden_2, hidden_4, concluded, viewers, seats, bounds, lines, rows, one, out):
    """Write an observation; the threads of a warp share its lines."""
    i, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if i >= len(hidden):
        return
    row = out[i]
    for k in range(lane, len(row), WARP):
        row[k] = 0
    cuda.syncwarp()
    program = Program(bounds, lines, rows, one)
    encode((hidden_1[i], hidden_2[i], hidden_4[i], hidden[i], concluded[i]), viewers[i], seats, program, row, lane, WARP)


def _observing_bits(size: int) -> Kernel:
    """The kernel for observations of up to so many bits: written as bytes into shared memory, and gathered from there."""
    most, warps = -(-size // WARP) * WARP, BLOCK // WARP

    def kernel(hidden, hidden_1, hidden_2, hidden_4, concluded, viewers, seats, bounds, lines, rows, one, out):
        i, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
        if i >= len(hidden):
            return
        shared = cuda.shared.array((warps, most), types.uint8)
        row = shared[cuda.threadIdx.x // WARP]
        whole = -(-8 * out.shape[1] // WARP) * WARP
        for k in range(lane, whole, WARP):
            row[k] = 0
        cuda.syncwarp()
        program = Program(bounds, lines, rows, one)
        encode((hidden_1[i], hidden_2[i], hidden_4[i], hidden[i], concluded[i]), viewers[i], seats, program, row, lane, WARP)
        cuda.syncwarp()
        for first in range(0, whole, WARP):
            word = cuda.ballot_sync(0xFFFFFFFF, row[first + lane] != 0)
            byte = first // 8 + lane
            if lane < WARP // 8 and byte < out.shape[1]:
                out[i, byte] = word >> 8 * lane & 255

    return kernel
