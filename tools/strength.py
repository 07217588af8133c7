"""Write docs/strength.md: tables and pictures of the ladders whose games lie in docs/ladder, and how long the levels think.

Each game gets its levels' ratings as well, in extras/ratings.toml: against these people are rated.

    azalai ladder GAME --games 102 --top-games 60 --file docs/ladder/GAME.jsonl      # plays what is missing
    python -m tools.strength

The text around the tables is in the page itself; only what stands between the marks is replaced.
"""

from __future__ import annotations

import re
import statistics
import time
from pathlib import Path

import azalai
from azalai.arena.ladder import Ladder, counting, pairings, picture, read, sum_up
from azalai.arena.match import play_out
from azalai.arena.ratings import Z
from azalai.bots import LEVELS, Player
from azalai.bots.levels import levels
from azalai.engine.game import Game
from azalai.engine.moves import Move
from azalai.engine.position import Position

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "strength.md"
COMMAND = "azalai ladder {game} --games 102 --top-games 60 --file docs/ladder/{game}.jsonl --picture docs/ladder/{game}.svg"
AVERAGE = 1500  # rating of the average of a ladder's players, and of people who have not played yet
TIMED = ("1", "2", "3", "4", "5", "6")


def main() -> None:
    """Replace the tables of the page."""
    text = PAGE.read_text(encoding="utf-8")
    for name in azalai.games():
        game = azalai.game(name)
        ladder = played(game)
        (DOCS / "ladder" / f"{name}.svg").write_text(picture(ladder), encoding="utf-8")
        text = replaced(text, name, tables(game, ladder))
        (game.extras / "ratings.toml").write_text(ratings(ladder), encoding="utf-8")
    text = replaced(text, "times", times())
    PAGE.write_text(text, encoding="utf-8")


def played(game: Game) -> Ladder:
    """The ladder of a game from all its games that count."""
    pairs, results = pairings(strengths=levels(game)), read(DOCS / "ladder" / f"{game.name}.jsonl")
    return sum_up(game, game.seats[0], pairs, counting(game, results))


def replaced(text: str, mark: str, content: str) -> str:
    """The text with other content between the marks of that name."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- /{mark} -->"
    return re.sub(f"{begin}.*?{end}", lambda _: f"{begin}{content}\n{end}", text, count=1, flags=re.DOTALL)


def tables(game: Game, ladder: Ladder) -> str:
    """Pairings and ratings as Markdown."""
    rows = [
        "```sh",
        COMMAND.format(game=game.name),
        "```",
        "",
        f"![Ratings in {game.name}](ladder/{game.name}.svg)",
        "",
        "| one | against | games | wins | 95 % interval | fair | |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for one in ladder.standings:
        share, low, high, fair = (f"{100 * value:.1f}" for value in (one.share, one.low, one.high, one.fair))
        kind = "control" if one.pairing.is_control else "more work" if one.pairing.is_more_work else ""
        remark = kind if one.holds else f"{kind} does not hold".strip()
        rows.append(
            f"| {one.pairing.one} | {one.pairing.others} | {one.games} | {share} % | {low} – {high} | {fair} % | {remark} |"
        )
    rows += ["", "| player | games | rating | 95 % interval |", "|---|---:|---:|---:|"]
    rows += [f"| {one.player} | {one.games} | {one.rating:.0f} | {one.low:.0f} – {one.high:.0f} |" for one in ladder.ratings]
    return "\n".join(rows)


def ratings(ladder: Ladder) -> str:
    """Return the ratings of a game's computer players as TOML, on the scale of people's ratings."""
    found = {one.player: one for one in ladder.ratings}
    rows = [
        "# How strong the computer players are in Elo points, with the standard error, by number of players.",
        "# Written by `python -m tools.strength` from the games in docs/ladder.",
        f"[{ladder.seats}]",
    ]
    for name in ("random", "greedy", *LEVELS):
        one = found[name]
        rows.append(f"{name} = {{ rating = {AVERAGE + round(one.rating)}, error = {round((one.high - one.low) / 2 / Z)} }}")
    return "\n".join(rows) + "\n"


def times() -> str:
    """How long a turn takes, in seconds of one core: the median over a game against greedy."""
    rows = ["| game | " + " | ".join(f"level {number}" for number in TIMED) + " |", "|---" * (len(TIMED) + 1) + "|"]
    for name in azalai.games():
        game = azalai.game(name)
        cells = [f"{median_turn(game, number):.3f} s ({levels(game)[int(number) - 1].iterations:,})" for number in TIMED]
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def median_turn(game: Game, number: str) -> float:
    """Return the processor seconds of a level's turn: all its decisions until another player decides about something else."""
    position = game.new(seed=7)
    bot, greedy = azalai.bot(number, game, seed=1), azalai.bot("greedy", game, seed=2)
    timed = Timed(bot)
    turns, last = [], ""

    def watch(now: Position, move: Move) -> None:
        nonlocal last
        if now.seat == 0:
            last = now.phase
        elif timed.seconds and last != "choosing":  # what all choose at once belongs to the turn that follows
            turns.append(timed.seconds)
            timed.seconds = 0.0

    play_out(position, [timed, *[greedy] * (position.seats - 1)], watch)
    return statistics.median(turns)


class Timed:
    """A player whose processor time is measured."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.seconds = 0.0

    def choose(self, position: Position) -> Move:
        """Choose as the player does, and add up the time that takes."""
        begun = time.process_time()
        move = self.player.choose(position)
        self.seconds += time.process_time() - begun
        return move


if __name__ == "__main__":
    main()
