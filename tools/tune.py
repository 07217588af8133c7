"""Find better weights for a game's `evaluate` by playing, and keep them only if they win.

    python -m tools.tune GAME --write

CMA-ES proposes weights near the old ones. Greedy with these plays greedy with the old ones, every deal once from each seat; the
next proposals come from around those that win more. At the end the best play a match on deals never used before, and `--write`
changes the game's `weights.toml` only when they win clearly more than their share.

(The other usual way is to fit the weights to who won in the end. It predicts wins better and plays worse: in 3,200 games each of
two games, greedy with such weights won 29 % and 43 % against greedy with the weights it began with.)
"""

from __future__ import annotations

import argparse
import math
import re
import tomllib
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import azalai
from azalai.engine.game import Game, weights_of
from azalai.engine.playing import PLACES, ROW, PlayPlan, play_games
from azalai.engine.policies import GREEDY
from azalai.engine.rule import numbers, records

REACH = 0.15  # how far the first proposals are from the old weights; 1 is a factor e
TRUST = 0.02  # what it costs, in wins, to be a factor e away from the old weights
PROPOSALS = 16  # in a generation
PARTS = 16  # the final match is played in so many parts, side by side

Array = np.ndarray[Any, Any]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Find better weights for a game's evaluate by playing.")
    parser.add_argument("game", choices=azalai.games())
    parser.add_argument("--seats", type=int, help="players at the table; by default the fewest")
    parser.add_argument("--generations", type=int, default=25)
    parser.add_argument("--deals", type=int, default=150, help="deals that every proposal plays, from each seat")
    parser.add_argument("--proof", type=int, default=2000, help="deals in the final match of new against old")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="change weights.toml if the new weights are better")
    arguments = parser.parse_args()
    game = azalai.game(arguments.game)
    seats = game.check_seats(arguments.seats)
    old = game.weights
    new = improve(game, seats, arguments.generations, arguments.deals, arguments.seed)
    for name in weight_names(game):
        print(f"  {name:16} {_shown(old[name][0])} -> {_shown(new[name][0])}")
    share, error = match(game, seats, new, arguments.proof, arguments.seed)
    print(f"greedy, new against old: wins {share:.3f} ± {error:.3f} of {arguments.proof * seats:,} games, fair {1 / seats:.3f}")
    if arguments.write and share - error > 1 / seats:
        path = game.extras / "weights.toml"
        path.write_text(rewrite(path.read_text(encoding="utf-8"), new), encoding="utf-8")
        print("written")


def improve(game: Game, seats: int, generations: int, deals: int, seed: int) -> Any:
    """Weights that win more games against the game's own; every generation plays deals of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it misses a plotting library that is not needed
        import cma

    size = sum(game.weights[name].size for name in weight_names(game))
    search = cma.CMAEvolutionStrategy(np.zeros(size), REACH, {"seed": seed, "verbose": -9, "popsize": PROPOSALS})
    for generation in range(generations):
        asked = search.ask()

        def cost(steps: Array, first: int = generation * deals) -> float:
            return TRUST * float(np.mean(steps**2)) - float(_shares(game, seats, _scaled(game, steps), first, deals, seed).mean())

        search.tell(asked, _side_by_side(cost, asked))
    return _scaled(game, search.result.xfavorite)


def weight_names(game: Game) -> list[str]:
    """Return the names of a game's weights; what a search believes is none."""
    return [name for name in game.weights.dtype.names if name not in game.beliefs]


def match(game: Game, seats: int, new: Any, deals: int, seed: int) -> tuple[float, float]:
    """The new weights' share of wins against the game's own at all other seats, and half its 95 % interval (by deals)."""
    size = -(-deals // PARTS)
    parts = [range(first, min(first + size, deals)) for first in range(0, deals, size)]
    shares = np.concatenate(_side_by_side(lambda part: _shares(game, seats, new, part.start, len(part), ~seed), parts))
    return float(shares.mean()), 1.96 * float(shares.std()) / math.sqrt(deals)


def rewrite(text: str, weights: Any) -> str:
    """A weights file with other numbers and the same remarks."""
    for name in tomllib.loads(text):
        text, found = re.subn(
            rf"^{name} = (\[[^]]*\]|[^ #\n]+)", f"{name} = {_shown(weights[name][0])}", text, flags=re.MULTILINE
        )
        if found != 1:
            raise ValueError(f"{name} is not in the file")
    return text


def _shares(game: Game, seats: int, new: Any, first: int, deals: int, seed: int) -> Array:
    """Return for each deal the share of wins over all seats that the new weights take."""
    start, cells = records(1, game.schema.dtype), records(1, game.schema.dtype)
    game.header(start[0], seats, {})
    rows = numbers((deals * seats, ROW))
    plan = PlayPlan.of(game, [GREEDY] * seats, [new, *[game.weights] * (seats - 1)])
    play_games(plan, start, cells, rows, first * seats, seed & 0xFFFF)
    won = np.asarray(rows)[:, PLACES : PLACES + seats].reshape(deals, seats, seats) == 1  # [deal, the new one's seat, seat]
    shares: Array = (won.diagonal(axis1=1, axis2=2) / won.sum(axis=2)).mean(axis=1)
    return shares


def _side_by_side(work: Callable[[Any], Any], parts: Iterable[Any]) -> list[Any]:
    """Compiled work in threads; the first part alone, so that it is compiled once."""
    first, *rest = parts
    done = [work(first)]
    with ThreadPoolExecutor() as pool:
        return done + list(pool.map(work, rest))


def _scaled(game: Game, steps: Array) -> Any:
    """Weights so many steps from the game's own; a step is a factor e."""
    scaled, at = {}, 0
    for name in weight_names(game):
        value = np.asarray(game.weights[name][0])
        scaled[name] = value * np.exp(np.asarray(steps[at : at + value.size])).reshape(value.shape)
        at += value.size
    return weights_of({**scaled, **game.beliefs})


def _shown(value: Any) -> str:
    if np.ndim(value):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return repr(float(f"{value:.3g}"))


if __name__ == "__main__":
    main()
