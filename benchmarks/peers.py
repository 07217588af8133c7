"""The peers, each in its own fastest loop, on one core, in this process."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from random import Random
from statistics import fmean, stdev
from types import ModuleType
from typing import Any

import numpy as np

from .measure import Contestant, Work
from .ours import BATCH, PLIES, SIMULATIONS, aec_game

SEED = 1
SAMPLE = 2000  # games whose mean length turns rollouts into decisions
UCT_C = 1.4
MEMORY_MB = 1000
SCAN = {"connect_four": 50, "tic_tac_toe": 50, "backgammon": 4}  # steps of pgx in one compiled loop


def contestants() -> Iterator[Contestant]:
    """Every peer on every task it has."""

    def one(task: str, package: str, game: str, note: str, prepare: Any) -> Contestant:
        return Contestant(task, package, game, _version(PACKAGES.get(package, package)), note, prepare)

    partial = functools.partial
    for game, rollouts in (("connect_four", 1000), ("backgammon", 10)):
        note = "C++ rollouts × mean length of a random game"
        yield one("random play", "OpenSpiel", game, note, partial(_rollouts, game, rollouts))
    note = "legal_actions and apply_action from Python"
    for task in ("random play", "loop in Python"):
        yield one(task, "OpenSpiel in Python", "connect_four", note, partial(_python_loop, "connect_four"))
    note = "legal_actions in the positions of a game"
    yield one("move lists from Python", "OpenSpiel", "connect_four", note, partial(_list_moves, "connect_four"))
    note = "apply_action, a game from its start"
    yield one("replays from Python", "OpenSpiel", "connect_four", note, partial(_replay, "connect_four"))
    yield one("random play", "catanatron", "catan", "4 random players, its own loop", _catanatron)
    for game in ("gin-rummy", "leduc-holdem"):
        yield one("random play", "RLCard", game, "random agents, Env.run", partial(_rlcard, game))
    for game in SCAN:
        note = f"{BATCH} games, a scan inside jit, auto_reset, its observation left out"
        yield one("batch with masks", "pgx", game, note, partial(_pgx, game, False))
        note = "the same, with its observation"
        yield one("batch with masks and observations", "pgx", game, note, partial(_pgx, game, True))
    note = f"MCTSBot in C++, {SIMULATIONS} simulations a search, 1 rollout each"
    yield one("search", "OpenSpiel", "connect_four", note, partial(_search, "connect_four", SIMULATIONS, 1))
    for game in ("connect_four", "backgammon"):
        yield one("copies from Python", "OpenSpiel", game, f"State.clone, {PLIES} decisions into a game", partial(_clone, game))
    yield one("copies from Python", "catanatron", "catan", "Game.copy", _catanatron_copy)
    for game in ("connect_four_v3", "tictactoe_v3"):
        yield one("PettingZoo loop", "PettingZoo", game, "raw_env, last and step", partial(_pettingzoo, game))


PACKAGES = {"OpenSpiel": "open_spiel", "OpenSpiel in Python": "open_spiel", "RLCard": "rlcard", "PettingZoo": "pettingzoo"}


def _version(package: str) -> str:
    """A package's version; nothing where it is not installed, which only matters to tasks that need it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _peer(module: str) -> ModuleType:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(module)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{module} is not installed: pip install -r requirements/bench.txt", name=module) from error


# ---------------------------------------------------------------- OpenSpiel


def _start(game: str) -> Any:
    """The first position in which a player decides (in backgammon: after one fixed opening roll)."""
    state = _peer("pyspiel").load_game(game).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def _search(game: str, simulations: int, rollouts: int) -> Work:
    """C++ searches from the start of `game`."""
    spiel = _peer("pyspiel")
    start, evaluator = _start(game), spiel.RandomRolloutEvaluator(rollouts, SEED)
    bot = spiel.MCTSBot(start.get_game(), evaluator, UCT_C, simulations, MEMORY_MB, solve=False, seed=SEED, verbose=False)
    return lambda: int(bot.mcts_search(start).explore_count)


def _rollouts(game: str, batch: int) -> Work:
    """Decisions in rollouts from the start: a search of one simulation evaluates its root, `batch` times, and nothing else."""
    length, error = _random_length(game)
    assert error < 0.02 * length, f"the mean length of a random {game} is not known well enough"
    rollouts = _search(game, simulations=1, rollouts=batch)
    return lambda: round(rollouts() * batch * length)


def _python_loop(game: str) -> Work:
    """The usual Python loop over OpenSpiel's C++ states, as a user writes it."""
    start, random = _start(game), Random(SEED)
    return lambda: _play_out(start.clone(), random)


def _list_moves(game: str) -> Work:
    states = _random_game(game)[:-1]

    def many() -> int:
        for state in states:
            state.legal_actions()
        return len(states)

    return many


def _replay(game: str) -> Work:
    start, *_, end = _random_game(game)
    moves = end.history()

    def play_a_game() -> int:
        state = start.clone()
        for move in moves:
            state.apply_action(move)
        return len(moves)

    return play_a_game


def _random_game(game: str) -> list[Any]:
    """All positions of a random game without chance."""
    states, random = [_start(game)], Random(SEED)
    while not states[-1].is_terminal():
        states.append(states[-1].clone())
        states[-1].apply_action(random.choice(states[-1].legal_actions()))
    return states


@functools.cache
def _random_length(game: str) -> tuple[float, float]:
    """The mean number of decisions in a random game, and its standard error."""
    start, random = _start(game), Random(SEED)
    lengths = [_play_out(start.clone(), random) for _ in range(SAMPLE)]
    return fmean(lengths), stdev(lengths) / SAMPLE**0.5


def _play_out(state: Any, random: Random) -> int:
    """Play at random to the end; the number of decisions by players (not by chance)."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            _roll(state, random)
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
    return decisions


def _roll(state: Any, random: Random) -> None:
    """Let chance decide."""
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(random.choices(outcomes, chances)[0])


def _clone(game: str) -> Work:
    random = Random(SEED)
    state, decisions = _start(game), 0
    while decisions < PLIES:
        if state.is_terminal():
            state, decisions = _start(game), 0
        elif state.is_chance_node():
            _roll(state, random)
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1

    def work() -> int:
        for _ in range(100):
            state.clone()
        return 100

    return work


# ---------------------------------------------------------------- pgx


def _pgx(game: str, observations: bool) -> Work:
    """A batch stepped by random legal moves inside one compiled loop, with new games where old ones end."""
    jax, pgx, wrappers = _peer("jax"), _peer("pgx"), _peer("pgx.experimental.wrappers")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = pgx.make(game)
    step = jax.vmap(wrappers.auto_reset(env.step, env.init))

    def body(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choosing, dealing = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        moves = jax.random.categorical(choosing, logits, axis=-1)
        after = step(state, moves, jax.random.split(dealing, BATCH))
        return (after if observations else after.replace(observation=state.observation), key), None

    run = jax.jit(lambda state, key: jax.lax.scan(body, (state, key), None, length=SCAN[game])[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(SEED), BATCH))
    now = [run(state, jax.random.PRNGKey(SEED + 1))]

    def work() -> int:
        now[0] = run(*now[0])
        jax.block_until_ready(now[0][0].rewards)
        return BATCH * SCAN[game]

    return work


# ---------------------------------------------------------------- the others


def _catanatron() -> Work:
    """Four random players play whole games in catanatron's own loop; a decision is an action in the game's log."""
    catan = _peer("catanatron")
    seeds = count(SEED)

    def play_a_game() -> int:
        game = catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=next(seeds))
        game.play()
        return len(game.state.actions)

    return play_a_game


def _catanatron_copy() -> Work:
    catan = _peer("catanatron")
    game = catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=SEED)

    def work() -> int:
        for _ in range(10):
            game.copy()
        return 10

    return work


def _rlcard(game: str) -> Work:
    """Random agents in RLCard's own loop."""
    rlcard = _peer("rlcard")
    agents = _peer("rlcard.agents")
    env = rlcard.make(game, config={"seed": SEED})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def work() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return work


def _pettingzoo(game: str) -> Work:
    name = game.partition("_v")[0]
    env, chance = _peer(f"pettingzoo.classic.{name}.{name}").raw_env(), np.random.default_rng(SEED)
    return lambda: aec_game(env, chance)
