"""Our games as contestants: the four of the house, and connect four on the same engine."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter, process_time
from typing import Any

import numpy as np

import azalai
import azalai.bots.levels
from azalai.bots.network import Eyes, Network, judge
from azalai.bots.search import iterate, memory, prepare
from azalai.engine import flow
from azalai.engine.dispatch import legal
from azalai.engine.game import Game
from azalai.engine.position import Position
from azalai.engine.rule import records, rule
from azalai.engine.schema import MAX_SEATS
from azalai.envs.gymnasium import SeatVectorEnv
from azalai.envs.pettingzoo import raw_env

from .connect_four import CONNECT_FOUR
from .measure import Contestant, Work, speed

BATCH = 4096
VECTOR = 1024  # games of a Gymnasium vector environment
SIMULATIONS = 2000  # to a search
TO_THE_END = 1 << 30
PLIES = 20  # decisions before a position is copied


NAMES = (CONNECT_FOUR.name, *azalai.games())  # connect four, then the four of the house


def games(names: Sequence[str]) -> list[Game]:
    """The games of these names."""
    return [CONNECT_FOUR if name == CONNECT_FOUR.name else azalai.game(name) for name in names]


def contestants(names: Sequence[str]) -> Iterator[Contestant]:
    """Every task on the games of these names, with their usual number of seats."""

    def one(task: str, game: Game, note: str, prepare: Callable[[], Work]) -> Contestant:
        return Contestant(task, "azalai", game.name, azalai.__version__, note, prepare, ours=True)

    for game in games(names):
        for task, note, work in (
            ("random play", "whole games in compiled code", play_out),
            ("batch with masks", f"{BATCH} games, moves chosen from the masks, new games where old ones end", batch_with_masks),
            ("batch of one game", "Batch.random_moves and Batch.step", batch_of_one),
            ("batch with masks and observations", "the same, and what the seat to decide may know", batch_with_observations),
            ("batch with observations as bytes", "the same as numbers from 0 to 255", batch_with_bytes),
            ("batch with observations as bits", "the same as bits, 8 to a byte", batch_with_bits),
            ("search", f"{SIMULATIONS} iterations a search from the start, playouts to the end", search),
            ("copies", "in compiled code", copy),
            ("copies from Python", "Position.copy, 20 decisions into a game", copy_position),
            ("move lists from Python", "Position.moves in the positions of a game", list_moves),
            ("replays from Python", "Position.play, a game from its start", replay),
            ("loop in Python", "Position.moves and Position.play, moves chosen from the list", python_loop),
            ("PettingZoo loop", "raw_env, last and step", aec),
            ("Gymnasium vector", f"{VECTOR} games against random players, with masks and observations", vector),
        ):
            yield one(task, game, note, functools.partial(work, game))
        if game.observation.with_conclusions.concludes:
            note = "the same, with the conclusions of the game"
            yield one("batch with conclusions as bits", game, note, functools.partial(batch_with_bits, game, conclusions=True))
        if game is not CONNECT_FOUR:
            note = "iterations as level 5 thinks, after 60 random decisions"
            yield one("search at level 5", game, note, functools.partial(search_at_level, game))
            note = "a seat's observation, the network and its heads for the legal moves, in positions of a random game"
            yield one("network", game, note, functools.partial(look, game))


def play_out(game: Game) -> Work:
    """Whole random games from one deal."""
    start, work, out = records(1, game.schema.dtype), records(1, game.schema.dtype), game.move_buffer()
    game.header(start[0], None, {})
    flow.begin(start[0], 1, 0)
    seeds = iter(range(1 << 60))
    return lambda: int(flow.play_many(work, start, 100, next(seeds), out))


def batch_with_masks(game: Game, threads: int = 1) -> Work:
    """Random decisions in a batch that has been played into."""
    batch = _under_way(game, threads)

    def work() -> int:
        batch.step(batch.random_moves(), restart=True)
        return len(batch)

    return work


def batch_of_one(game: Game) -> Work:
    """Random decisions in a batch of a single game."""
    batch = game.batch(1, seed=1)

    def work() -> int:
        for _ in range(100):
            batch.step(batch.random_moves(), restart=True)
        return 100

    return work


def batch_with_observations(game: Game, threads: int = 1, kind: str = "float32", conclusions: bool = False) -> Work:
    """The same, and what the seat to decide may know."""
    batch = _under_way(game, threads)

    def work() -> int:
        batch.step(batch.random_moves(), restart=True)
        batch.observe(kind=kind, conclusions=conclusions)
        return len(batch)

    return work


batch_with_bytes = functools.partial(batch_with_observations, kind="uint8")
batch_with_bits = functools.partial(batch_with_observations, kind="bits")


def _under_way(game: Game, threads: int) -> Any:
    batch = game.batch(BATCH, seed=1, threads=threads)
    for _ in range(300):
        batch.step(batch.random_moves(), restart=True)
    return batch


def search(game: Game) -> Work:
    """Searches from the start of a game, playouts to the end."""
    return _searches(game.new(seed=1), SIMULATIONS, 1.4, TO_THE_END, 1)


def _searches(position: Position, iterations: int, exploration: float, cutoff: int, tries: int) -> Work:
    """Searches in one position, each with a fresh memory."""
    m = memory(position.game, 64 * iterations)

    def work() -> int:
        m.root[0] = position.seen_by(position.seat).state
        m.table["key"] = 0
        m.used[0] = 0
        prepare(m)
        iterate(m, iterations, exploration, cutoff, tries, 1)
        return iterations

    return work


def search_at_level(game: Game, number: int = 5) -> Work:
    """Searches as a level makes them, in the middle of a random game."""
    level = azalai.bots.levels.searches(game)[number - 1]
    position, chance = game.new(seed=1), random.Random(1)
    while position.ply < 60:
        position.play(chance.choice(position.move_ids()))
    return _searches(position, level.iterations, level.exploration, level.cutoff, level.tries)


def look(game: Game) -> Work:
    """Evaluations of the game's network in all positions of a random game."""
    seen, position, chance = [], game.new(seed=1), random.Random(1)
    while not position.over:
        seen.append(position.seen_by(position.seat).state)
        position.play(chance.choice(position.move_ids()))
    positions, cells = records(len(seen), game.schema.dtype), records(1, game.schema.dtype)
    for index, state in enumerate(seen):
        positions[index] = state
    eyes = Eyes.of(game, Network.of(game), cells)
    moves, chances = game.move_buffer(), np.zeros(MAX_SEATS)

    def work() -> int:
        _look_at_all(eyes, positions, cells, moves, chances)
        return len(positions)

    return work


@rule
def _look_at_all(eyes: Eyes, positions: Any, cells: Any, moves: Any, chances: Any) -> None:
    for index in range(len(positions)):
        cells[0] = positions[index]
        count = legal(cells[0], moves)
        judge(eyes, cells[0].seat, cells[0].seats, moves[:count], chances)


def copy(game: Game) -> Work:
    """Copies of a state in compiled code."""
    start, work = records(1, game.schema.dtype), records(64, game.schema.dtype)

    def many() -> int:
        flow.copy_many(work, start, 100_000)
        return 100_000

    return many


def copy_position(game: Game) -> Work:
    """Copies of a position, as a Python program makes them."""
    position, chance = game.new(seed=1), random.Random(1)
    while position.ply < PLIES:
        position.play(chance.choice(position.move_ids()))

    def many() -> int:
        for _ in range(100):
            position.copy()
        return 100

    return many


def list_moves(game: Game) -> Work:
    """The legal moves in all positions of a random game."""
    positions = _random_game(game)[:-1]

    def many() -> int:
        for position in positions:
            position.moves()
        return len(positions)

    return many


def replay(game: Game) -> Work:
    """The decisions of a random game, once more from its start."""
    start, *_, end = _random_game(game)
    moves = [move for _, move in end.history]

    def play_a_game() -> int:
        position = start.copy()
        for move in moves:
            position.play(move)
        return len(moves)

    return play_a_game


def _random_game(game: Game) -> list[Position]:
    positions, chance = [game.new(seed=1)], random.Random(1)
    while not positions[-1].over:
        positions.append(positions[-1].copy())
        positions[-1].play(chance.choice(positions[-1].moves()))
    return positions


def python_loop(game: Game) -> Work:
    """Random games in the loop that a Python program writes."""
    start, chance = game.new(seed=1), random.Random(1)

    def play_a_game() -> int:
        position = start.copy()
        while not position.over:
            position.play(chance.choice(position.moves()))
        return position.ply

    return play_a_game


def aec(game: Game) -> Work:
    """A game in PettingZoo's usual loop; decisions are chosen from the masks."""
    env, chance = raw_env(game), np.random.default_rng(1)
    return lambda: aec_game(env, chance)


def vector(game: Game) -> Work:
    """A Gymnasium vector environment: decisions of its own seat and of the others."""
    env = SeatVectorEnv(game, VECTOR, opponents="random")
    env.reset(seed=1)
    states, chance = env.tables.states, np.random.default_rng(1)
    before = states["ply"].astype(np.int64)

    def step() -> int:
        masks = env.action_masks()
        env.step((masks * chance.random(masks.shape, np.float32)).argmax(1))
        plies = states["ply"].astype(np.int64)
        made = plies - before
        before[:] = plies
        return int(np.where(made < 0, plies, made).sum())  # where a new game was dealt, only its own decisions count

    return step


def aec_game(env: Any, chance: np.random.Generator) -> int:
    """One game of random decisions; how many."""
    env.reset(seed=int(chance.integers(1 << 30)))
    decisions = 0
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
        else:
            env.step(int(chance.choice(np.flatnonzero(observation["action_mask"]))))
            decisions += 1
    return decisions


def scaling(names: Sequence[str], threads: list[int], seconds: float, rounds: int) -> list[dict[str, Any]]:
    """Batches of our games in so many threads, by the clock on the wall; the best of many short turns."""
    found = []
    for game in games(names):
        for task, make in (("masks", batch_with_masks), ("masks and observations", batch_with_observations)):
            ready = {count: make(game, count) for count in threads}
            best = dict.fromkeys(threads, 0.0)
            for _ in range(rounds):
                for count, work in ready.items():
                    best[count] = max(best[count], speed(work, seconds, perf_counter))
            found.append({"game": game.name, "task": task, "per_second": best})
    return found


def growth(names: Sequence[str], rounds: int) -> list[dict[str, Any]]:
    """What a decision costs in the first, second, third and last quarter of a random game: the best of so many turns."""
    found = []
    for game in games(names):
        batch = game.batch(BATCH, seed=2)
        lengths = np.zeros(BATCH)
        while not batch.over.all():
            lengths += ~batch.over
            batch.step(batch.random_moves())
        length = int(lengths.mean())
        best = [float("inf")] * 4
        for _ in range(rounds):
            batch.deal()
            for quarter in range(4):
                decisions, elapsed = 0, 0.0
                for _ in range(max(1, length // 4)):
                    moves = batch.random_moves()
                    decisions += int((~batch.over).sum())
                    began = process_time()
                    batch.step(moves)
                    elapsed += process_time() - began
                best[quarter] = min(best[quarter], elapsed / max(1, decisions))
        found.append({"game": game.name, "length": length, "nanoseconds": [value * 1e9 for value in best]})
    return found
