"""The ladder: levels and baselines of a game against each other, fairly, resumably, on all cores.

A pairing puts one player among copies of another and plays every deal from every seat (duplicate deals), so that neither a lucky
deal nor a good seat favours a player. As controls, a level also plays its own twin, which must come out even, and itself with
four times the work, which must not be weaker. Each finished game is a line in a file; an interrupted ladder goes on where it
stopped. Games of levels whose settings have changed since do not count, nor those of another version of a player's package.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from azalai.arena.match import GameResult, play_game
from azalai.arena.ratings import Rating, rate
from azalai.arena.tally import share_interval
from azalai.bots import BASELINES, LEVELS
from azalai.bots.levels import Level, named
from azalai.bots.network import network_version
from azalai.engine.errors import AzalaiError, BadRecord
from azalai.engine.game import Game

MEASURE = "greedy"  # all levels play against it
TWIN = "'"  # a twin plays like the player of the same name without it
MORE_WORK = "x4"  # a search is sound if thinking longer does no harm
BEFORE = "search6"  # the strongest search before there were networks and weighed worlds


@dataclass(frozen=True)
class Pairing:
    """One player among copies of another."""

    one: str
    others: str

    @property
    def is_control(self) -> bool:
        """Whether a player meets its twin, which must come out even."""
        return self.one.rstrip(TWIN) == self.others.rstrip(TWIN)

    @property
    def is_more_work(self) -> bool:
        """Whether a level meets the same with more work, which must not be weaker."""
        return self.one == self.others + MORE_WORK


@dataclass(frozen=True)
class Standing:
    """How a pairing went: the share of wins of the one, against the fair share."""

    pairing: Pairing
    games: int
    share: float
    low: float
    high: float
    fair: float

    @property
    def holds(self) -> bool:
        """A control includes the fair share; the higher of two levels does not fall below it. Greedy may be anywhere."""
        if self.pairing.is_control:
            return self.low <= self.fair <= self.high
        return MEASURE in (self.pairing.one, self.pairing.others) or self.high >= self.fair


@dataclass(frozen=True)
class Ladder:
    """The result: pairings and ratings."""

    game: str
    seats: int
    standings: tuple[Standing, ...]
    ratings: tuple[Rating, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def pairings(players: Sequence[str] = (), everyone: bool = False, strengths: Sequence[Level] = ()) -> list[Pairing]:
    """Return who plays whom: neighbours in the list, which begins with the weakest, or all pairs; everyone and greedy; as
    controls, the quickest players and their twins, and level 3 with more work. Where the highest of a game's `strengths` is
    guided by a network, that is level 5 or, if it does not search, level 6. Where level 6 is more than a
    search of old, it meets the strongest of these."""
    ranks = list(players) or ["random", *LEVELS]
    pairs = [(high, low) for number, high in enumerate(ranks) for low in ranks[:number]]
    if not everyone:
        neighbours = set(zip(ranks[1:], ranks, strict=False))
        pairs = [pair for pair in pairs if pair in neighbours or MEASURE in pair]
    if not players:
        pairs += [(name, MEASURE) for name in ranks]
        guided = bool(strengths) and strengths[-1].guided
        worker = next(str(one.number) for one in strengths[4:] if one.iterations) if guided else "3"
        better = guided or (bool(strengths) and strengths[-1].worlds > 0)
        pairs += [(worker + MORE_WORK, worker), *([(LEVELS[-1], BEFORE)] if better else [])]
    controls = [(name + TWIN, name) for name in (*ranks, *([] if players else [MEASURE])) if name in (*BASELINES, *LEVELS[:2])]
    return [Pairing(one, others) for one, others in (*pairs, *controls)]


def run(
    game: Game,
    pairs: Sequence[Pairing],
    games: int,
    path: Path,
    seats: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    fewer: Mapping[str, int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Ladder:
    """Play every pairing `games` times, or as often as `fewer` says for a player, except for what the file holds; then sum up.

    `progress` is called with how many games are done and how many there will be.
    """
    count = game.check_seats(seats)
    done = {result.key: result for result in counting(game, read(path))}
    wanted: list[tuple[str, tuple[str, ...], int]] = []
    for number in range(games):
        for pair in pairs:
            limit = min([games, *((fewer or {}).get(name, games) for name in (pair.one, pair.others))])
            deal, rotation = divmod(number, count)
            table = [pair.others] * count
            table[rotation] = pair.one
            if number < limit - limit % count:
                wanted.append(
                    (f"{game.name}/{count}/{seed}/{pair.one}/{pair.others}/{number}", tuple(table), seed * 1_000_000 + deal)
                )
    missing = [one for one in wanted if one[0] not in done]
    report = progress or (lambda finished, total: None)
    report(len(wanted) - len(missing), len(wanted))
    with path.open("a", encoding="utf-8") as file, ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        futures = [pool.submit(_play, game, key, table, deal) for key, table, deal in missing]
        try:
            for number, future in enumerate(as_completed(futures), 1):
                result = future.result()
                done[result.key] = result
                file.write(json.dumps(result.as_dict()) + "\n")
                file.flush()
                report(len(wanted) - len(missing) + number, len(wanted))
        except BaseException:
            for future in futures:
                future.cancel()
            raise
    return sum_up(game, count, pairs, [done[key] for key, _, _ in wanted])


def _play(game: Game, key: str, table: tuple[str, ...], deal: int) -> GameResult:
    result = play_game(game, [name.rstrip(TWIN) for name in table], deal, key)
    return replace(result, players=table, settings=settings(game, table))


def settings(game: Game, players: Sequence[str]) -> tuple[str, ...]:
    """Return the settings of the levels among these players, the versions of other packages' players; nothing for others."""
    return tuple(_settings(game, name.rstrip(TWIN)) for name in players)


def counting(game: Game, results: Sequence[GameResult]) -> list[GameResult]:
    """Return the games that count: those of players who are now as they were then."""
    now = {table: settings(game, table) for table in {result.players for result in results}}
    return [result for result in results if result.settings == now[result.players]]


def _settings(game: Game, player: str) -> str:
    level = named(game, player)
    if level is not None:
        return f"{level.settings}/{network_version(game)}" if level.guided else level.settings
    versions = [entry.dist.version for entry in entry_points(group="azalai.bots", name=player) if entry.dist is not None]
    return versions[0] if versions else ""


def read(path: Path) -> list[GameResult]:
    """Read the games of a ladder's file. A last line that a crash cut short is removed."""
    if not path.exists():
        return []
    content = path.read_text(encoding="utf-8")
    whole = content[: content.rfind("\n") + 1]
    if whole != content:
        path.write_text(whole, encoding="utf-8")
    try:
        return [GameResult.from_dict(json.loads(line)) for line in whole.splitlines()]
    except (ValueError, KeyError, TypeError, AzalaiError):
        raise BadRecord(f"{path} is not the file of a ladder") from None


def sum_up(game: Game, seats: int, pairs: Sequence[Pairing], results: Sequence[GameResult]) -> Ladder:
    """Compute shares and ratings from the games played."""
    standings = []
    for pair in pairs:
        own = [result for result in results if set(result.players) == {pair.one, pair.others}]
        if own:
            share, low, high = share_interval(sum(result.wins()[pair.one] for result in own), len(own))
            standings.append(Standing(pair, len(own), share, low, high, 1 / seats))
    rated = [result for result in results if not any(name.endswith(TWIN) for name in result.players)]
    return Ladder(game.name, seats, tuple(standings), tuple(rate(rated)))


def picture(ladder: Ladder) -> str:
    """Draw the ratings with their intervals, as SVG."""
    rows = ladder.ratings
    low, high = min((one.low for one in rows), default=0) - 40, max((one.high for one in rows), default=0) + 40
    width, left, line = 720, 130, 34
    height = line * len(rows) + 70

    def x(rating: float) -> float:
        return left + (width - left - 30) * (rating - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="14">',
        f'<rect width="{width}" height="{height}" fill="#FBF4E6"/>',
        f'<text x="{left}" y="26" font-size="17" fill="#2B2622">'
        f"{ladder.game}, {ladder.seats} seats: strength in Elo points, 95 % intervals</text>",
    ]
    for tick in range(int(low // 200) * 200 + 200, int(high) + 1, 200):
        parts.append(f'<line x1="{x(tick):.0f}" x2="{x(tick):.0f}" y1="40" y2="{height - 26}" stroke="#E9D2A8"/>')
        parts.append(f'<text x="{x(tick):.0f}" y="{height - 8}" text-anchor="middle" fill="#6A5D50">{tick}</text>')
    for number, one in enumerate(rows):
        y = 60 + line * number
        name = f"level {one.player}" if one.player.isdigit() else one.player
        parts.append(f'<text x="{left - 14}" y="{y + 5}" text-anchor="end" fill="#2B2622">{name}</text>')
        parts.append(f'<line x1="{x(one.low):.1f}" x2="{x(one.high):.1f}" y1="{y}" y2="{y}" stroke="#263B73" stroke-width="4"/>')
        parts.append(f'<circle cx="{x(one.rating):.1f}" cy="{y}" r="7" fill="#B9733E"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"
