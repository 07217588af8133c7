"""Many games in one array, stepped in compiled code.

Every array here is allocated once and then updated in place. So it may be wrapped once, for example by `torch.from_dlpack`, and
goes on showing the present without a copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from azalai.engine import flow
from azalai.engine.compile import Task, use_compiled
from azalai.engine.dispatch import legal, score
from azalai.engine.errors import IllegalMove
from azalai.engine.game import Game, score_buffer
from azalai.engine.observer import Observer
from azalai.engine.playing import PlayPlan, pick, play_on
from azalai.engine.rng import GOLDEN, MIX_1, mix
from azalai.engine.rule import RuleEntry, duplicate, numbers, records, rule
from azalai.engine.worker_pool import ABSENT, FIRST_COMMAND, WorkerPool, next_command, report_done

Array = np.ndarray[Any, Any]


CHECK, STEP, CHECK_AND_STEP, CHOOSE, DEAL = range(FIRST_COMMAND, FIRST_COMMAND + 5)  # commands to the threads of a batch


class SharedMemory(NamedTuple):
    """What the threads of a batch work on. A thread writes only to what belongs to its own games."""

    edges: Any  # the first game of each thread, and the number of all
    flags: Any  # how threads are given commands, see `WorkerPool`
    states: Any
    rewards: Any
    done: Any
    mask: Any
    moves: Any  # the legal moves of each game,
    counts: Any  # and how many they are
    seeds: Any  # the seed of each place,
    firsts: Any  # the first of its games of that seed,
    strides: Any  # how far the next is from it,
    dealt: Any  # and how many have been dealt
    chosen: Any  # the moves to play
    where: Any  # which places a command is about
    blank: Any  # a record before the deal
    argument: Any  # [0]: the number that belongs to a command, see `_execute`
    found: Any  # [thread]: what it found
    places: Any  # [thread]: memory for scores


def compile_tasks(game: Game) -> Sequence[Task]:
    """What calls every rule that a batch calls, with one thread and with several."""
    alone, together = game.batch(1), game.batch(2, threads=2)
    return [
        alone.deal,
        lambda: alone.step(alone.random_moves(), restart=True),
        lambda: alone.seen_by(),
        lambda: together.step(together.random_moves(), restart=True),
        lambda: together.seen_by(),
    ]


class Batch:
    """`count` games side by side. Game i of a batch is game i of its seed, whatever the number of threads."""

    states: Any  # the records themselves
    rewards: Array  # [game, seat], of games that ended in the last step; see `write_rewards`
    done: Array  # [game], which games ended in the last step

    def __init__(self, game: Game, count: int, seats: int | None, seed: int, threads: int, options: Mapping[str, Any]) -> None:
        self.game = game
        self.seed = seed
        self.seats = game.check_seats(seats)
        self._pool = pool = WorkerPool(count, threads)
        self.states = records(count, game.schema.dtype)
        self._seat: Array = np.asarray(self.states["seat"])
        self._over: Array = np.asarray(self.states["over"])
        self.rewards = np.zeros((count, self.seats), np.float32)
        self.done = np.zeros(count, np.bool_)
        self._mask = np.zeros((count, game.moves.count), np.bool_)
        blank = records(1, game.schema.dtype)
        game.header(blank[0], seats, options)
        self._memory = SharedMemory(
            pool.edges, pool.flags, self.states, self.rewards, self.done, self._mask,
            moves=numbers((count, game.max_moves)), counts=numbers(count), seeds=numbers(count, np.int64),
            firsts=numbers(count, np.int64), strides=numbers(count, np.int64), dealt=numbers(count, np.int64),
            chosen=numbers(count), where=np.ones(count, np.bool_), blank=blank, argument=numbers(1, np.int64),
            found=numbers(threads), places=numbers((threads, *score_buffer().shape), score_buffer().dtype),
        )  # fmt: skip
        self._memory.seeds[:] = seed
        self._memory.firsts[:] = range(count)
        self._memory.strides[:] = count
        self._draws = 0
        self._observers: dict[bool, Observer] = {}  # without and with conclusions
        self._execute = RuleEntry(_execute)
        self._play_on = RuleEntry(_play_on)
        self._everywhere = False  # whether `where` is true everywhere
        use_compiled(game, __name__)
        self.deal()

    def __len__(self) -> int:
        return len(self.states)

    @property
    def threads(self) -> int:
        """How many threads work on the batch."""
        return len(self._pool.slices)

    # ------------------------------------------------------------ looking

    @property
    def seat(self) -> Array:
        """The seat to decide, per game: a view of the records."""
        return self._seat

    @property
    def over(self) -> Array:
        """Whether a game is over, per game."""
        over: Array = self._over != 0
        return over

    @property
    def dealt(self) -> Array:
        """How many games have been dealt in each place since it was given its seed."""
        return np.asarray(self._memory.dealt)

    @property
    def seeds(self) -> Array:
        """The seed of each place."""
        return np.asarray(self._memory.seeds)

    def contents(self) -> tuple[Array, Array, Array, Array]:
        """What makes up every game: its record as 64-bit words, its legal moves, how many they are, and their mask; [game, …].

        These are the batch's own arrays. Copied to a place of another batch of the same game and as many seats, all four make
        that place this game.
        """
        words: Array = np.asarray(self.states).view(np.int64).reshape(len(self), -1)
        return words, np.asarray(self._memory.moves), np.asarray(self._memory.counts), self._mask

    def legal_mask(self) -> Array:
        """Which of all move ids are legal: [game, move id]. The batch's own array, which every step updates."""
        return self._mask

    def observe(self, seat: Any = None, out: Array | None = None, kind: str = "float32", conclusions: bool = False) -> Array:
        """Return what `seat` may know in every game, as numbers: [game, number], see `game.observation`.

        `seat` is one for all or one per game; by default it is the seat to decide. The numbers are written into `out`, or else
        into the batch's own array, which the next call overwrites. `kind` is float32, float16, uint8 (0 to 255) or bits (8 to a
        byte, see `game.packed_observation`). With `conclusions` those of the game follow, see `Layout.with_conclusions`.
        """
        observer = self._observers.get(conclusions)
        if observer is None:
            observer = self._observers[conclusions] = Observer(self.game, self.states, self._pool, conclusions)
        viewers = self.seat if seat is None else seat
        return observer.update(viewers, kind) if out is None else observer.write(viewers, out, kind)

    def seen_by(self, seat: int | None = None) -> Any:
        """Return copies of all records, concealed for `seat`, or by default each for the seat to decide."""
        seen = duplicate(self.states)
        self._pool.each(lambda part: _conceal(seen[part], -2 if seat is None else seat), self._pool.slices)
        return seen

    # ------------------------------------------------------------ playing

    def random_moves(self, out: Array | None = None) -> Array:
        """Return a legal move for every game, all equally likely, by a generator of the batch's own; 0 where a game is over."""
        self._draws += 1
        self._command(CHOOSE, (self.seed + self._draws * len(self)) & 0x7FFFFFFFFFFFFFFF)
        moves = np.empty(len(self), np.int32) if out is None else out
        moves[:] = self._memory.chosen
        return moves

    def step(self, moves: Any, restart: bool = False, where: Any = True) -> None:
        """Play one decision in every game, or in those `where` is true. Games that are over stay as they are.

        An illegal move raises IllegalMove and changes nothing. With `restart` a new game is dealt at once wherever one has
        ended; `rewards` and `done` then describe the old one.
        """
        chosen = np.asarray(moves, np.int32)
        if chosen.shape != (len(self),):
            raise IllegalMove(f"a batch of {len(self)} games takes as many moves, not {chosen.shape}")
        self._memory.chosen[:] = chosen
        self._set_where(where)
        self._command(CHECK_AND_STEP if self.threads == 1 else CHECK, restart)
        bad = [game for game in self._memory.found.tolist() if game >= 0]
        if bad:
            raise IllegalMove(f"move {chosen[bad[0]]} is not legal in game {bad[0]}")
        if self.threads > 1:
            self._command(STEP, restart)

    def play_on(self, plans: Sequence[PlayPlan], turns: Array, where: Array) -> None:
        """Let policies play in the games `where` is true, until a seat is to decide that is OUTSIDE, or the game is over.

        There is a plan per thread; the first player of game i sits at seat `turns[i]`. Chance follows from a place's seed, how
        many games it was dealt, and the ply.
        """
        self._set_where(where)
        places = np.ascontiguousarray(turns, np.int8)
        self._pool.each(lambda part: self._play_on.call(self._memory, part, plans[part], places), range(self.threads))

    def restart(self, where: Any = None) -> int:
        """Deal the next game in the places `where` is true, by default wherever one is over; return how many those are."""
        self._set_where(self.over if where is None else where)
        self._command(DEAL)
        return int(self._memory.found.sum())

    def reseed(self, seeds: Any, where: Any = True) -> None:
        """Let the next games in the places `where` is true be the games 0, 1, 2 … of these seeds."""
        places = slice(None) if where is True else np.broadcast_to(where, len(self))
        self._memory.seeds[places] = seeds if np.ndim(seeds) == 0 else np.broadcast_to(seeds, len(self))[places]
        self._memory.firsts[places] = 0
        self._memory.strides[places] = 1
        self._memory.dealt[places] = 0

    def deal(self) -> None:
        """Begin all over, with the very first games of the seed."""
        self._memory.dealt[:] = 0
        self._draws = 0
        self.rewards[:] = 0
        self.done[:] = False
        self.restart(True)

    def _set_where(self, where: Any) -> None:
        if where is not True or not self._everywhere:
            self._memory.where[:] = where
            self._everywhere = where is True

    def _command(self, command: int, argument: int = 0) -> None:
        self._memory.argument[0] = argument
        self._pool.command(command, _serve, self._execute.call, self._memory)


@rule
def write_rewards(s: Any, places: Any, rewards: Any) -> None:
    """Write each seat's reward at the end: 1 for a sole winner, and the others lose 1 in equal parts.

    Winners who tie share the win. The rewards of a game add up to 0: with two seats they are 1 and -1, or 0 and 0.
    """
    score(s, places)
    winners = 0
    for seat in range(s.seats):
        winners += places[seat, 1] == 1
    for seat in range(s.seats):  # one division each: a GPU may round the steps of a longer formula otherwise
        won = places[seat, 1] == 1
        rewards[seat] = (s.seats - winners) / (winners * (s.seats - 1)) if won else -1 / (s.seats - 1)


@rule
def _list_moves(m: Any, i: Any) -> None:
    """Update the legal moves of game i, in the list and in the mask."""
    for k in range(m.counts[i]):
        m.mask[i, m.moves[i, k]] = False
    m.counts[i] = 0 if m.states[i].over else legal(m.states[i], m.moves[i])
    for k in range(m.counts[i]):
        m.mask[i, m.moves[i, k]] = True


@rule
def _serve(m: Any, worker: Any) -> None:
    """Execute one command after another, until none comes for a while."""
    while True:
        command = next_command(m.flags, worker)
        if command == ABSENT:
            break
        _execute(m, command, worker)
        report_done(m.flags, worker, command)


@rule
def _execute(m: Any, command: Any, part: Any) -> None:
    """Execute a command for the games of one thread. A thread reads what it wrote itself: memory shared by cores is slow."""
    if command == CHECK:
        m.found[part] = _first_illegal(m, part)
    elif command == STEP:
        _step(m, part, m.argument[0])
    elif command == CHECK_AND_STEP:
        m.found[part] = _first_illegal(m, part)
        if m.found[part] < 0:
            _step(m, part, m.argument[0])
    elif command == CHOOSE:
        _choose(m, part, m.argument[0])
    else:
        m.found[part] = _deal(m, part)


@rule
def _first_illegal(m: Any, part: Any) -> Any:
    """Return the first game whose chosen move is not legal, or -1. A game that is over takes any move."""
    for i in range(m.edges[part], m.edges[part + 1]):
        found = m.counts[i] == 0 or not m.where[i]
        for k in range(m.counts[i]):
            if m.moves[i, k] == m.chosen[i]:
                found = True
                break
        if not found:
            return i
    return -1


@rule
def _step(m: Any, part: Any, restart: Any) -> None:
    first, end = m.edges[part], m.edges[part + 1]
    m.rewards[first:end] = 0.0
    m.done[first:end] = False
    for i in range(first, end):
        s = m.states[i]
        if s.over or not m.where[i]:
            continue
        flow.step(s, m.chosen[i])
        if s.over:
            m.done[i] = True
            write_rewards(s, m.places[part], m.rewards[i])
            if restart:
                _begin(m, i)
        _list_moves(m, i)


@rule
def _play_on(m: Any, part: Any, plan: PlayPlan, turns: Any) -> None:
    for i in range(m.edges[part], m.edges[part + 1]):
        if not m.where[i] or m.states[i].over:
            continue
        if play_on(plan, m.states, i, m.seeds[i], m.dealt[i], turns[i]):
            m.done[i] = True
            write_rewards(m.states[i], m.places[part], m.rewards[i])
        _list_moves(m, i)


@rule
def _choose(m: Any, part: Any, number: Any) -> None:
    for i in range(m.edges[part], m.edges[part + 1]):
        chance = mix(np.uint64(number + i) * GOLDEN + MIX_1)
        m.chosen[i] = m.moves[i, pick(chance, m.counts[i])] if m.counts[i] else 0


@rule
def _deal(m: Any, part: Any) -> Any:
    """Deal new games where they are asked for; return how many."""
    fresh = 0
    for i in range(m.edges[part], m.edges[part + 1]):
        if m.where[i]:
            _begin(m, i)
            _list_moves(m, i)
            fresh += 1
    return fresh


@rule
def _begin(m: Any, i: Any) -> None:
    """Deal the next game in place i."""
    m.states[i] = m.blank[0]
    flow.begin(m.states[i], m.seeds[i], m.firsts[i] + m.dealt[i] * m.strides[i])
    m.dealt[i] += 1


@rule
def _conceal(states: Any, seat: Any) -> None:
    for i in range(len(states)):
        flow.conceal(states[i], states[i].seat if seat == -2 else seat)
