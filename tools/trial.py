"""Try settings of the search against each other before a level gets them.

    python -m tools.trial GAME 6000/20/8/0/0.3 1500/8/8/0/0.3 --games 40

A player is written like a level in the rows of a ladder, iterations/cutoff/tries/temperature/exploration or, by the game's
network, guided/iterations/temperature/exploration/margin and, if the policy plays on, for how many decisions; or by its name
(`5`, `greedy`). The first plays alone among copies of the second, every deal from every seat.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ThreadPoolExecutor

import azalai
from azalai.arena.match import play_out
from azalai.arena.tally import share_interval
from azalai.bots import Player, play_as
from azalai.bots.levels import Level
from azalai.engine.game import Game


def main() -> None:
    """Play, and print who won how often."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("others")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game = azalai.game(args.game)
    seats = game.check_seats(args.seats)
    count = args.games - args.games % seats
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wins = sum(pool.map(lambda number: win(game, args.one, args.others, seats, args.seed, number), range(count)))
    share, low, high = share_interval(wins, count)
    print(
        f"{game.name}, {seats} seats: {args.one} against {args.others} wins {100 * share:.1f} % of {count} games, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f}, fair {100 / seats:.1f}"
    )


def win(game: Game, one: str, others: str, seats: int, seed: int, number: int) -> float:
    """The share of the win that the one gets in a game."""
    deal, own = divmod(number, seats)
    position = game.new(seats, seed * 1_000_000 + deal)
    table = [player(game, one if seat == own else others, number * seats + seat) for seat in range(seats)]
    play_out(position, table)
    return (position.ranking[own] == 1) / position.ranking.count(1)


def player(game: Game, text: str, seed: int) -> Player:
    """A player from its settings or its name."""
    if "/" not in text:
        return azalai.bot(text, game, seed)
    if text.startswith("guided/"):
        iterations, temperature, exploration, margin, *ahead = text.split("/")[1:]
        settings = Level(
            *(0, int(iterations), int(*ahead), float(temperature)),
            exploration=float(exploration),
            margin=float(margin),
            guided=True,
        )
        return play_as(game, settings, seed)
    iterations, cutoff, tries, temperature, exploration = text.split("/")
    return play_as(game, Level(0, int(iterations), int(cutoff), float(temperature), int(tries), float(exploration)), seed)


if __name__ == "__main__":
    main()
