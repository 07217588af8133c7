"""What many games say about a game's balance: seats, points, length, cards and actions that go with winning, leads that last.

A study plays a series and traces every game, so that it sees all events and the points after every move. A game's `report.toml`
declares what the study counts:

- `cards`: events that give a seat something; how often a seat that has it wins;
- `actions`: events that a seat brings about; how many more of them winners have than the others; `also` names further events
  that count as one of its `kinds`;
- `happenings`: events that belong to no seat; how often the leader at that moment wins (unless it comes `always`), and the `sum`
  of some number in the events that follow from it;
- `variants`: other values for what is reconstructed, or other options; the same study with each of them.

Each entry names its `words` in the table `[report]` of the game's catalog.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import azalai
from azalai.arena.series import Part, Series
from azalai.arena.simulate import play_in_threads, simulate
from azalai.arena.tally import Z, share_interval
from azalai.engine.components import nested
from azalai.engine.game import Game
from azalai.engine.moves import Domain
from azalai.engine.playing import DECISIONS, END, EVENT_ARGS, EVENT_KIND, EVENT_PLY, GAME, MOVE, PLACES, POINTS

PART = 20  # games at a time
TIMES = (0.25, 0.5, 0.75)  # when leads are recorded, in parts of the game's decisions
Array = np.ndarray[Any, Any]
Estimate = tuple[float, float, float]  # a value and the ends of its 95 % interval


@dataclass
class Mean:
    """A running mean."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, values: Any) -> None:
        """Add values."""
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
    """One entry of `report.toml`, and the counts for each of its things."""

    entry: Mapping[str, Any]
    kinds: tuple[int, ...]  # the events it is about
    labels: tuple[str, ...]  # of its things
    domain: Domain | None  # what they are values of; None: they are the kinds of events themselves
    counts_as: Mapping[int, int] = field(default_factory=dict)  # of kinds of events: the number of the thing
    seat: int = -1  # columns of the events: whose it is,
    what: int = -1  # which thing,
    weight: int = -1  # how much of it;
    sum_kind: int = -1  # of a happening: the events that follow from it
    sum_weight: int = -1  # and how much each counts
    found: list[Mean] = field(default_factory=list)  # per thing: the measure,
    extra: list[Mean] = field(default_factory=list)  # and a second one: of winners; of the sums
    others: list[Mean] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game, entry: Mapping[str, Any]) -> Topic:
        """Make a topic from an entry of the file."""
        kinds = game.events.kinds

        def column(kind: str, name: str) -> int:
            return EVENT_ARGS + [argument for argument, _ in kinds[kind].args].index(name) if name else -1

        names = list(entry["kinds"]) if "kinds" in entry else [entry["event"]]
        domain = None if "kinds" in entry else dict(kinds[entry["event"]].args)[entry["what"]]
        labels = tuple(names) if domain is None else domain.labels
        total = entry.get("sum", ["", ""])
        counts_as = {
            kinds[also].base: place for place, name in enumerate(names) for also in (name, *entry.get("also", {}).get(name, ()))
        }
        return cls(
            entry, tuple(counts_as), labels, domain, counts_as,
            seat=EVENT_ARGS if "seat" in dict(kinds[names[0]].args) else -1,
            what=-1 if domain is None else column(names[0], entry["what"]),
            weight=column(names[0], entry.get("weight", "")) if domain is not None else -1,
            sum_kind=kinds[total[0]].base if total[0] else -1,
            sum_weight=column(total[0], total[1]) if total[0] else -1,
            found=[Mean() for _ in labels], extra=[Mean() for _ in labels], others=[Mean() for _ in labels],
        )  # fmt: skip

    def things(self, events: Array) -> tuple[Array, Array]:
        """Return the rows of the events the topic is about, and the number of the thing each is about."""
        rows = np.flatnonzero(np.isin(events[:, EVENT_KIND], self.kinds))
        if self.domain is None:
            return rows, np.array([self.counts_as[kind] for kind in events[rows, EVENT_KIND]], np.int64)
        return rows, events[rows, self.what] - self.domain.first

    def counts(self, events: Array, seats: int) -> Array:
        """Return how much of each thing every seat had: [seat, thing]."""
        rows, things = self.things(events)
        found = np.zeros((seats, len(self.labels)))
        known = (things >= 0) & (things < len(self.labels)) & (events[rows, self.seat] >= 0)
        amounts = events[rows, self.weight] if self.weight >= 0 else np.ones(len(rows))
        np.add.at(found, (events[rows, self.seat][known], things[known]), amounts[known])
        return found


@dataclass
class Study:
    """The counts over a series of games."""

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
        """Make an empty study."""
        entries = declared(series.game)

        def topics(kind: str) -> list[Topic]:
            return [Topic.of(series.game, one) for one in entries.get(kind, [])]

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
        """Count the games of a part, which has their decisions."""
        assert part.log is not None
        seats, begins = self.series.seats, np.searchsorted(part.log[:, GAME], np.arange(len(part.rows) + 1) + part.first)
        for row, game in zip(part.rows, range(part.first, part.first + len(part.rows))):
            moves = part.log[begins[game - part.first] : begins[game - part.first + 1], MOVE]
            events, points = self.series.trace(game, moves)
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
                lead = lead_in(points[max(0, events[row, EVENT_PLY] - 1)])
                if lead is not None:
                    topic.found[thing].add(won[lead[0]])
                after = events[row:end]
                after = after[(after[:, EVENT_KIND] == topic.sum_kind) & (after[:, EVENT_PLY] == events[row, EVENT_PLY])]
                topic.extra[thing].add(float(after[:, topic.sum_weight].sum()) if topic.sum_kind >= 0 else 0.0)

    def summary(self) -> dict[str, Any]:
        """Return the numbers by which variants are compared."""
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
    """Return the leading seat and its lead; None where two lead."""
    order = np.sort(points)
    return None if order[-1] == order[-2] else (int(np.argmax(points)), float(order[-1] - order[-2]))


def leader_wins(leads: Sequence[tuple[float, float]]) -> Estimate:
    """Return how often the leader wins."""
    mean = Mean()
    mean.add([won for _, won in leads])
    return mean.share


def study(
    game: Game, seats: int, games: int, seed: int = 0, threads: int | None = None, player: str = "greedy",
    options: Mapping[str, Any] | None = None, progress: Callable[[int], None] | None = None,
) -> Study:  # fmt: skip
    """Play games between players of one kind and count everything."""
    series = Series.of(game, [player] * seats, seed, options, decisions=True)
    found = Study.of(series)
    parts = [(first, min(PART, games - first)) for first in range(0, games, PART)]
    for part in play_in_threads(series, parts, threads or os.cpu_count() or 1):
        found.add(part)
        if progress is not None:
            progress(len(part.rows))
    return found


def declared(game: Game) -> dict[str, Any]:
    """Return the content of a game's `report.toml`; nothing where there is none."""
    path = game.extras / "report.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def study_variant(game: Game, variant: Mapping[str, Any], seats: int, games: int, seed: int, threads: int | None) -> Any:
    """Return the summary of a study with some components or options changed."""
    played = azalai.game(game.name, components=nested(variant["set"])) if "set" in variant else game
    return study(played, seats, games, seed, threads, options=variant.get("options", {})).summary()


def play_level(game: Game, level: str, seats: int, games: int, seed: int, threads: int | None) -> Estimate:
    """How often one such player wins among greedy ones."""
    return simulate(game, [level, *["greedy"] * (seats - 1)], games, seed, threads).by_player[level].share
