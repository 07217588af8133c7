"""What many games tell of a game's balance: seats, points, length, cards and actions that go with winning, leads that last.

A study plays a series and retells every game, so that it sees all events and the points on the way. What it looks at is declared
in a game's `report.toml`:

- `cards`: events that give a seat something; how often those win who have it;
- `actions`: events that a seat brings about; how much more of them winners have than the others;
- `happenings`: events that belong to nobody; how often he wins who was ahead when it came (unless it comes `always`), and the
  `sum` of some number in the events that follow from it;
- `variants`: other values for what is reconstructed, or other options; the same study with each of them.

Each entry names its `words` in the table `[report]` of the game's catalog.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from azalai.arena.retell import retell
from azalai.arena.series import DECISIONS, END, GAME, MOVE, PLACES, POINTS, Part, Series
from azalai.arena.simulate import play_in_threads, simulate
from azalai.arena.tally import Z, share_interval
from azalai.engine.errors import AzalaiError
from azalai.engine.game import Game
from azalai.engine.moves import Domain
from azalai.engine.rule import cache_folder

PART = 20  # games at a time
TIMES = (0.25, 0.5, 0.75)  # when leads are looked at, in parts of the game's decisions
KIND, FIRST = 1, 2  # columns of a told event: ply, kind, then its numbers
Array = np.ndarray[Any, Any]
Estimate = tuple[float, float, float]  # a value and the ends of its 95 % interval


@dataclass
class Mean:
    """A mean in the making."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, values: Any) -> None:
        """Take in some values."""
        found = np.atleast_1d(np.asarray(values, np.float64))
        self.count += len(found)
        self.total += float(found.sum())
        self.squares += float((found * found).sum())

    @property
    def estimate(self) -> Estimate:
        """The mean and its 95 % interval."""
        if not self.count:
            return 0.0, 0.0, 0.0
        mean = self.total / self.count
        reach = Z * math.sqrt(max(0.0, self.squares / self.count - mean * mean) / self.count)
        return mean, mean - reach, mean + reach

    @property
    def share(self) -> Estimate:
        """The same for values from 0 to 1."""
        return share_interval(self.total, self.count)


@dataclass
class Topic:
    """One entry of `report.toml`, and what was found out about each of its things."""

    told: Mapping[str, Any]
    kinds: tuple[int, ...]  # the events it is about
    labels: tuple[str, ...]  # of its things
    domain: Domain | None  # what they are values of; None: they are the kinds of events themselves
    seat: int = -1  # columns of the events: whose it is,
    what: int = -1  # which thing,
    weight: int = -1  # how much of it;
    sum_kind: int = -1  # of a happening: the events that follow from it
    sum_weight: int = -1  # and how much each counts
    found: list[Mean] = field(default_factory=list)  # per thing: the measure,
    extra: list[Mean] = field(default_factory=list)  # and a second one: of winners; of the sums
    others: list[Mean] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game, told: Mapping[str, Any]) -> Topic:
        """An entry as it stands in the file."""
        kinds = game.events.kinds

        def column(kind: str, name: str) -> int:
            return FIRST + [argument for argument, _ in kinds[kind].args].index(name) if name else -1

        names = list(told["kinds"]) if "kinds" in told else [told["event"]]
        domain = None if "kinds" in told else dict(kinds[told["event"]].args)[told["what"]]
        labels = tuple(names) if domain is None else domain.labels
        total = told.get("sum", ["", ""])
        return cls(
            told, tuple(kinds[name].base for name in names), labels, domain,
            seat=FIRST if "seat" in dict(kinds[names[0]].args) else -1,
            what=-1 if domain is None else column(names[0], told["what"]),
            weight=column(names[0], told.get("weight", "")) if domain is not None else -1,
            sum_kind=kinds[total[0]].base if total[0] else -1,
            sum_weight=column(total[0], total[1]) if total[0] else -1,
            found=[Mean() for _ in labels], extra=[Mean() for _ in labels], others=[Mean() for _ in labels],
        )  # fmt: skip

    def things(self, events: Array) -> tuple[Array, Array]:
        """Which of these events are meant, and the number of the thing each is about."""
        rows = np.flatnonzero(np.isin(events[:, KIND], self.kinds))
        if self.domain is None:
            places = {kind: number for number, kind in enumerate(self.kinds)}
            return rows, np.array([places[kind] for kind in events[rows, KIND]], np.int64)
        return rows, events[rows, self.what] - self.domain.first

    def counts(self, events: Array, seats: int) -> Array:
        """How much of each thing every seat had: [seat, thing]."""
        rows, things = self.things(events)
        found = np.zeros((seats, len(self.labels)))
        known = (things >= 0) & (things < len(self.labels)) & (events[rows, self.seat] >= 0)
        amounts = events[rows, self.weight] if self.weight >= 0 else np.ones(len(rows))
        np.add.at(found, (events[rows, self.seat][known], things[known]), amounts[known])
        return found


@dataclass
class Study:
    """What a series of games came to."""

    series: Series
    games: int = 0
    seats: list[Mean] = field(default_factory=list)  # wins, by seat
    points: list[Array] = field(default_factory=list)  # [game, seat]
    won: list[Array] = field(default_factory=list)  # [game, seat], shares of the win
    lengths: list[int] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=dict)
    leads: list[list[tuple[float, float]]] = field(default_factory=list)  # at each time: (lead, the leader's share of the win)
    cards: list[Topic] = field(default_factory=list)
    actions: list[Topic] = field(default_factory=list)
    happenings: list[Topic] = field(default_factory=list)

    @classmethod
    def of(cls, series: Series) -> Study:
        """Nothing looked at yet."""
        told = declared(series.game)

        def topics(kind: str) -> list[Topic]:
            return [Topic.of(series.game, one) for one in told.get(kind, [])]

        return cls(
            series,
            seats=[Mean() for _ in range(series.seats)],
            ends=dict.fromkeys(series.game.ends, 0),
            leads=[[] for _ in TIMES],
            cards=topics("cards"),
            actions=topics("actions"),
            happenings=topics("happenings"),
        )

    def add(self, part: Part) -> None:
        """Take in some games, decisions and all."""
        assert part.log is not None
        seats, begins = self.series.seats, np.searchsorted(part.log[:, GAME], np.arange(len(part.rows) + 1) + part.first)
        for row, game in zip(part.rows, range(part.first, part.first + len(part.rows))):
            moves = part.log[begins[game - part.first] : begins[game - part.first + 1], MOVE]
            events, points = retell(self.series, game, moves)
            first = row[PLACES : PLACES + seats] == 1
            won = first / first.sum()
            self.games += 1
            self.points.append(row[POINTS : POINTS + seats].astype(float))
            self.won.append(won)
            self.lengths.append(int(row[DECISIONS]))
            self.ends[self.series.game.ends[row[END] - 1]] += 1
            for seat, share in enumerate(won):
                self.seats[seat].add(share)
            for time, leads in zip(TIMES, self.leads):
                lead = lead_in(points[int(time * len(moves))])
                if lead is not None:
                    leads.append((lead[1], float(won[lead[0]])))
            self._count(events, points, won)

    def _count(self, events: Array, points: Array, won: Array) -> None:
        for topic in self.cards:
            had = topic.counts(events, len(won)) > 0
            for seat, thing in zip(*np.nonzero(had)):
                topic.found[thing].add(won[seat])
        for topic in self.actions:
            counts = topic.counts(events, len(won))
            by_winner, by_others = counts[won > 0].mean(axis=0), counts[won == 0]
            for thing in range(len(topic.labels)):
                topic.extra[thing].add(by_winner[thing])
                if len(by_others):
                    topic.others[thing].add(by_others[:, thing].mean())
                    topic.found[thing].add(by_winner[thing] - by_others[:, thing].mean())
        for topic in self.happenings:
            rows, things = topic.things(events)
            ends = [*rows[1:], len(events)]
            for row, end, thing in zip(rows, ends, things):
                lead = lead_in(points[max(0, events[row, 0] - 1)])
                if lead is not None:
                    topic.found[thing].add(won[lead[0]])
                after = events[row:end]
                after = after[(after[:, KIND] == topic.sum_kind) & (after[:, 0] == events[row, 0])]
                topic.extra[thing].add(float(after[:, topic.sum_weight].sum()) if topic.sum_kind >= 0 else 0.0)

    def summary(self) -> dict[str, Any]:
        """A few numbers by which variants are compared."""
        points = np.array(self.points)
        ordered = np.sort(points, axis=1)
        length, winner, margin = Mean(), Mean(), Mean()
        length.add(self.lengths)
        winner.add(ordered[:, -1])
        margin.add(ordered[:, -1] - ordered[:, -2])
        return {
            "seats": [mean.share for mean in self.seats],
            "winner": winner.estimate,
            "margin": margin.estimate,
            "length": length.estimate,
            "half": leader_wins(self.leads[1]),
            "cards": [[mean.share for mean in topic.found] for topic in self.cards],
            "actions": [[mean.estimate for mean in topic.found] for topic in self.actions],
        }


def lead_in(points: Array) -> tuple[int, float] | None:
    """Who is ahead, and by how much; None where nobody is, alone."""
    order = np.sort(points)
    return None if order[-1] == order[-2] else (int(np.argmax(points)), float(order[-1] - order[-2]))


def leader_wins(leads: Sequence[tuple[float, float]]) -> Estimate:
    """How often he wins who is ahead."""
    mean = Mean()
    mean.add([won for _, won in leads])
    return mean.share


def study(
    game: Game, seats: int, games: int, seed: int = 0, threads: int | None = None, player: str = "greedy",
    options: Mapping[str, Any] | None = None, progress: Callable[[int], None] | None = None,
) -> Study:  # fmt: skip
    """Let one kind of player play itself so many times, and look at everything."""
    series = Series.of(game, [player] * seats, seed, options, decisions=True)
    found = Study.of(series)
    parts = [(first, min(PART, games - first)) for first in range(0, games, PART)]
    for part in play_in_threads(series, parts, threads or os.cpu_count() or 1):
        found.add(part)
        if progress is not None:
            progress(len(part.rows))
    return found


def declared(game: Game) -> dict[str, Any]:
    """What a game's `report.toml` asks for; nothing where there is none."""
    path = game.extras / "report.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


# ---------------------------------------------------------------- variants

PLAY_VARIANT = """
import json, sys
from pathlib import Path
from azalai.engine import game as engine
told = json.loads(sys.argv[1])
load = engine.load_components
def changed(folder):
    table = load(folder)
    for path, value in told["set"].items() if folder.name == told["game"] else ():
        *branches, leaf = path.split(".")
        branch = table
        for name in branches:
            branch = branch[name]
        assert leaf in branch, path
        branch[leaf] = value
    return table
engine.load_components = changed
import azalai
from azalai.arena.report import study
found = study(azalai.game(told["game"]), told["seats"], told["games"], told["seed"], told["threads"], options=told["options"])
print(json.dumps(found.summary()))
"""


def study_variant(game: Game, variant: Mapping[str, Any], seats: int, games: int, seed: int, threads: int | None) -> Any:
    """The summary of a study with some components or options changed.

    Components are compiled into the rules, so a process of its own plays it, with a place of its own for compiled code.
    """
    told = {
        "game": game.name, "set": variant.get("set", {}), "options": variant.get("options", {}),
        "seats": seats, "games": games, "seed": seed, "threads": threads,
    }  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if told["set"]:
        digest = hashlib.sha256(json.dumps(told["set"], sort_keys=True).encode()).hexdigest()[:12]
        environment["AZALAI_CACHE"] = str(cache_folder().parent / "variants" / digest)
    command = [sys.executable, "-c", PLAY_VARIANT, json.dumps(told)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AzalaiError(f"the variant {variant['en']!r} cannot be played: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def play_level(game: Game, level: str, seats: int, games: int, seed: int, threads: int | None) -> Estimate:
    """How often one such player wins among greedy ones."""
    return simulate(game, [level, *["greedy"] * (seats - 1)], games, seed, threads).by_player[level].share
