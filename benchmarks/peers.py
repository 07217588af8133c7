"""How fast the peers make random decisions: each on one core, in this process, in its own fastest loop."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from itertools import count
from random import Random
from statistics import fmean, stdev
from time import perf_counter
from types import ModuleType
from typing import Any

SEED = 1
SAMPLE = 2000  # games whose mean length turns rollouts into decisions
UCT_C = 1.4
MEMORY_MB = 1000


@dataclass(frozen=True)
class Measurement:
    """What one contestant did in one stretch of time."""

    name: str
    unit: str  # "decisions", or "simulations" of a search
    decisions: int  # how many of that unit
    seconds: float
    version: str
    note: str

    @property
    def per_second(self) -> float:
        """The speed."""
        return self.decisions / self.seconds


def catanatron(seconds: float) -> Measurement:
    """Four random players play whole games in catanatron's own loop; a decision is an action in the game's log."""
    catan = _peer("catanatron")
    seeds = count(SEED)

    def play_a_game() -> int:
        game = catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=next(seeds))
        game.play()
        return len(game.state.actions)

    decisions, elapsed = _repeat(play_a_game, seconds)
    return Measurement("catanatron", "decisions", decisions, elapsed, version("catanatron"), "4 random players, whole games")


def openspiel_connect_four(seconds: float) -> Measurement:
    """Rollouts of connect four inside OpenSpiel's C++ search."""
    return _rollouts("connect_four", 1000, seconds)


def openspiel_backgammon(seconds: float) -> Measurement:
    """Rollouts of backgammon inside OpenSpiel's C++ search; dice take their time but are not counted."""
    return _rollouts("backgammon", 10, seconds)


def openspiel_connect_four_mcts(seconds: float) -> Measurement:
    """Simulations of OpenSpiel's C++ search with one rollout each, 2000 to a search from the empty board."""
    simulations, elapsed = _repeat(_search("connect_four", simulations=2000, rollouts=1), seconds)
    note = "MCTSBot, 2000 simulations a search, 1 rollout each"
    return Measurement("openspiel_connect_four_mcts", "simulations", simulations, elapsed, version("open_spiel"), note)


def openspiel_connect_four_python(seconds: float) -> Measurement:
    """The usual Python loop over OpenSpiel's C++ states, as a user writes it."""
    start, random = _start("connect_four"), Random(SEED)
    decisions, elapsed = _repeat(lambda: _play_out(start.clone(), random), seconds)
    note = "legal_actions and apply_action called from Python"
    return Measurement("openspiel_connect_four_python", "decisions", decisions, elapsed, version("open_spiel"), note)


PEERS: dict[str, Callable[[float], Measurement]] = {
    peer.__name__: peer
    for peer in (
        catanatron,
        openspiel_backgammon,
        openspiel_connect_four_python,
        openspiel_connect_four,
        openspiel_connect_four_mcts,
    )
}


def _peer(module: str) -> ModuleType:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{module} is not installed: pip install -r requirements/bench.txt", name=module) from error


def _repeat(work: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Do `work` once to warm up, then until `seconds` have passed; the sum of its counts, and the time it took."""
    work()
    done = 0
    began = perf_counter()
    while (elapsed := perf_counter() - began) < seconds:
        done += work()
    return done, elapsed


def _start(game: str) -> Any:
    """The first position in which a player decides (in backgammon: after one fixed opening roll)."""
    state = _peer("pyspiel").load_game(game).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def _search(game: str, simulations: int, rollouts: int) -> Callable[[], int]:
    """A C++ search from the start of `game`, which returns the number of its simulations."""
    spiel = _peer("pyspiel")
    start, evaluator = _start(game), spiel.RandomRolloutEvaluator(rollouts, SEED)
    bot = spiel.MCTSBot(start.get_game(), evaluator, UCT_C, simulations, MEMORY_MB, solve=False, seed=SEED, verbose=False)
    return lambda: int(bot.mcts_search(start).explore_count)


def _rollouts(game: str, batch: int, seconds: float) -> Measurement:
    """Decisions in rollouts from the start: a search of one simulation evaluates its root, `batch` times, and nothing else."""
    length, error = _random_length(game)
    batches, elapsed = _repeat(_search(game, simulations=1, rollouts=batch), seconds)
    decisions = round(batches * batch * length)
    note = f"C++ rollouts × {length:.1f} ± {error:.1f} decisions of players each (mean of {SAMPLE} random games, same start)"
    return Measurement(f"openspiel_{game}", "decisions", decisions, elapsed, version("open_spiel"), note)


@cache
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
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
    return decisions
