"""What many games say about a game's balance: seats, points, length, cards and actions that go with winning, leads that last.

A study plays a series and traces every game, so that it sees all events and the points after every move. A game's `report.toml`
declares what the study counts:

- `cards`: events that give a seat something; how often a seat that has it wins;
- `actions`: events that a seat brings about; how many more of them winners have than the others; `also` names further events
  that count as one of its `kinds`, `weight` an argument that is added up instead;
- `prices`: of how many actions called `attempt` each of `outcomes` comes, and how much of `spent` goes into one; all name
  actions as `topic.kind`;
- `happenings`: events that belong to no seat; how often the leader at that moment wins (unless it comes `always`), and the `sum`
  of some number in the events that follow from it;
- `knowledge`: what a seat might know beyond the rules, as a `field` of the record that says how much it knows, raised by `more`
  up to `most`; how often a seat that knows this wins;
- `variants`: other values for what is reconstructed, or other options; the same study with each of them, or only at one number of
  `seats`; it is compared with the game as it is, or with another variant, the one called `than`.

Each entry names its `words` in the table `[report]` of the game's catalog.
"""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import azalai
from azalai.arena.match import invite
from azalai.arena.series import Part, Series
from azalai.arena.simulate import play_in_threads, simulate
from azalai.arena.tally import Estimate, Z, share_interval
from azalai.engine.components import nested
from azalai.engine.errors import BadOption
from azalai.engine.game import Game
from azalai.engine.moves import Domain
from azalai.engine.playing import DECISIONS, END, EVENT_ARGS, EVENT_KIND, EVENT_PLY, GAME, MOVE, PLACES, POINTS, SEAT
from azalai.engine.position import Position

PART = 20  # games at a time
MOST = 12  # how often an action is counted singly
POLICY = "policy"  # in a file of counts: games played by a network,
OPENINGS = "openings"  # the same with a first move drawn evenly,
AHEAD = "ahead"  # by a network whose moves are tried out,
RANDOM = "random"  # and random ones
CONTROL = "control"  # a variant that changes nothing: for a network that has learnt on as long as those of the others
SPREADS = ("winners", "others", "best", "margins", "lengths")
TOPICS = ("cards", "actions", "happenings")
TIMES = (0.25, 0.5, 0.75)  # when leads are recorded, in parts of the game's decisions
Array = np.ndarray[Any, Any]


@dataclass
class Mean:
    """A running mean."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, values: Any) -> None:
        """Add values."""
        found = np.atleast_1d(np.asarray(values, np.float64))
        self.add_sums(len(found), float(found.sum()), float((found * found).sum()))

    def add_sums(self, count: float, total: float, squares: float) -> None:
        """Add values of which only the sums are known."""
        self.count += int(count)
        self.total += float(total)
        self.squares += float(squares)

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

    def as_list(self) -> list[float]:
        """For JSON."""
        return [self.count, self.total, self.squares]


@dataclass
class Spread:
    """How often each value came."""

    counts: dict[float, int] = field(default_factory=dict)

    def add(self, values: Any) -> None:
        """Add values."""
        for value, count in zip(*(part.tolist() for part in np.unique(np.asarray(values, np.float64), return_counts=True))):
            self.counts[value] = self.counts.get(value, 0) + count

    @property
    def estimate(self) -> Estimate:
        """Their mean and its 95 % interval."""
        mean = Mean()
        for value, count in self.counts.items():
            mean.add_sums(count, count * value, count * value * value)
        return mean.estimate

    def as_list(self) -> list[list[float]]:
        """For JSON."""
        return [[value, count] for value, count in sorted(self.counts.items())]


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
    usual: list[Mean] = field(default_factory=list)  # of an action: how often a seat does it in a game
    by_count: list[dict[int, Mean]] = field(default_factory=list)  # and its share of the win, by how often

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
            weight=column(names[0], entry.get("weight", "")),
            sum_kind=kinds[total[0]].base if total[0] else -1,
            sum_weight=column(total[0], total[1]) if total[0] else -1,
            found=[Mean() for _ in labels], extra=[Mean() for _ in labels], others=[Mean() for _ in labels],
            usual=[Mean() for _ in labels], by_count=[{} for _ in labels],
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

    def as_dict(self) -> dict[str, Any]:
        """The counts, for JSON."""
        means = {name: [mean.as_list() for mean in getattr(self, name)] for name in ("found", "extra", "others", "usual")}
        return means | {"by_count": [_means_as_dict(some) for some in self.by_count]}

    def merge(self, data: Mapping[str, Any]) -> None:
        """Add the counts of another."""
        for name in ("found", "extra", "others", "usual"):
            for mean, sums in zip(getattr(self, name), data[name], strict=True):
                mean.add_sums(*sums)
        for some, others in zip(self.by_count, data["by_count"], strict=True):
            _merge_means(some, others)


def _means_as_dict(means: Mapping[Any, Mean]) -> dict[str, list[float]]:
    return {str(key): mean.as_list() for key, mean in sorted(means.items())}


def _merge_means(means: dict[int, Mean], data: Mapping[str, Any]) -> None:
    for key, sums in data.items():
        means.setdefault(int(key), Mean()).add_sums(*sums)


@dataclass
class Study:
    """The counts over many games at one number of seats."""

    game: Game
    games: int = 0
    ties: Mean = field(default_factory=Mean)  # games whose win is shared
    seats: list[Mean] = field(default_factory=list)  # wins, by seat
    points: list[Spread] = field(default_factory=list)  # by seat
    winners: Spread = field(default_factory=Spread)  # points of all who won,
    others: Spread = field(default_factory=Spread)  # and of all others
    best: Spread = field(default_factory=Spread)  # the winner's points,
    margins: Spread = field(default_factory=Spread)  # and how many more they are than the next
    lengths: Spread = field(default_factory=Spread)
    ends: dict[str, int] = field(default_factory=dict)
    leads: list[dict[int, Mean]] = field(default_factory=list)  # at each time: by the lead, the leader's share of the win
    first_moves: dict[int, Mean] = field(default_factory=dict)  # by the first move: the share of the win of who made it
    cards: list[Topic] = field(default_factory=list)
    actions: list[Topic] = field(default_factory=list)
    happenings: list[Topic] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game, seats: int) -> Study:
        """Make an empty study."""
        entries = declared(game)

        def topics(kind: str) -> list[Topic]:
            return [Topic.of(game, one) for one in entries.get(kind, [])]

        return cls(
            game,
            seats=[Mean() for _ in range(seats)],
            points=[Spread() for _ in range(seats)],
            ends=dict.fromkeys(game.ends, 0),
            leads=[{} for _ in TIMES],
            cards=topics("cards"),
            actions=topics("actions"),
            happenings=topics("happenings"),
        )

    def add_results(self, places: Array, points: Array, lengths: Array, ends: Array) -> Array:
        """Count how games went: [game, seat] and [game]. Return each seat's share of the win."""
        first = places == 1
        won: Array = first / first.sum(axis=1, keepdims=True)
        ordered = np.sort(points, axis=1)
        self.games += len(won)
        self.ties.add(first.sum(axis=1) > 1)
        for seat, (mean, spread) in enumerate(zip(self.seats, self.points)):
            mean.add(won[:, seat])
            spread.add(points[:, seat])
        self.winners.add(points[first])
        self.others.add(points[~first])
        self.best.add(ordered[:, -1])
        self.margins.add(ordered[:, -1] - ordered[:, -2])
        self.lengths.add(lengths)
        for number, count in zip(*np.unique(ends, return_counts=True)):
            self.ends[self.game.ends[int(number) - 1]] += int(count)
        return won

    def add_first_move(self, move: int, shares: Any) -> None:
        """Count the share of the win of seats that began the game with a move."""
        self.first_moves.setdefault(move, Mean()).add(shares)

    def add(self, series: Series, part: Part) -> None:
        """Count the games of a part of a series, which has their decisions."""
        assert part.log is not None
        seats, begins = len(self.seats), np.searchsorted(part.log[:, GAME], np.arange(len(part.rows) + 1) + part.first)
        rows = part.rows
        wins = self.add_results(
            rows[:, PLACES : PLACES + seats], rows[:, POINTS : POINTS + seats], rows[:, DECISIONS], rows[:, END]
        )
        for won, game in zip(wins, range(part.first, part.first + len(rows))):
            log = part.log[begins[game - part.first] : begins[game - part.first + 1]]
            events, points = series.trace(game, log[:, MOVE])
            self.add_first_move(int(log[0, MOVE]), won[log[0, SEAT]])
            for time, leads in zip(TIMES, self.leads):
                lead = lead_in(points[int(time * len(log))])
                if lead is not None:
                    leads.setdefault(lead[1], Mean()).add(won[lead[0]])
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
                topic.usual[thing].add(counts[:, thing])
                for count, share in zip(counts[:, thing], won):
                    topic.by_count[thing].setdefault(min(int(count), MOST), Mean()).add_sums(1, share, share * share)
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

    def as_dict(self) -> dict[str, Any]:
        """All counts, for JSON."""
        return {
            "games": self.games,
            "ties": self.ties.as_list(),
            "ends": self.ends,
            "seats": [mean.as_list() for mean in self.seats],
            "points": [spread.as_list() for spread in self.points],
            **{name: getattr(self, name).as_list() for name in SPREADS},
            "leads": [_means_as_dict(some) for some in self.leads],
            "first_moves": _means_as_dict(self.first_moves),
            **{kind: [topic.as_dict() for topic in getattr(self, kind)] for kind in TOPICS},
        }

    def merge(self, data: Mapping[str, Any]) -> None:
        """Add the counts of another study, as `as_dict` gives them."""
        self.games += data["games"]
        self.ties.add_sums(*data["ties"])
        for end, count in data["ends"].items():
            self.ends[end] += count
        for mean, sums in zip(self.seats, data["seats"], strict=True):
            mean.add_sums(*sums)
        spreads = [*zip(self.points, data["points"], strict=True), *((getattr(self, name), data[name]) for name in SPREADS)]
        for spread, counts in spreads:
            for value, count in counts:
                spread.counts[value] = spread.counts.get(value, 0) + count
        for leads, some in zip(self.leads, data["leads"], strict=True):
            _merge_means(leads, some)
        _merge_means(self.first_moves, data["first_moves"])
        for kind in TOPICS:
            for topic, counts in zip(getattr(self, kind), data[kind]):  # counts from before a topic was added at the end lack it
                topic.merge(counts)

    def summary(self) -> dict[str, Any]:
        """Return the numbers by which variants are compared."""
        return {
            "seats": [mean.share for mean in self.seats],
            "winner": self.best.estimate,
            "margin": self.margins.estimate,
            "length": self.lengths.estimate,
            "half": leader_wins(self.leads[1]),
            "cards": [[mean.share for mean in topic.found] for topic in self.cards],
            "actions": [[mean.estimate for mean in topic.found] for topic in self.actions],
        }


class Counts:
    """A file of counts by `arena/count.py`: by player and number of seats a study, and how it was counted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def __contains__(self, entry: tuple[str, int]) -> bool:
        found = self.data.get("{} {}".format(*entry))
        return found is not None and found["study"]["games"] > 0

    def study(self, game: Game, name: str, seats: int) -> Study:
        """The counts of games of such players; none where there are none."""
        found = Study.of(game, seats)
        if (name, seats) in self:
            found.merge(self.data[f"{name} {seats}"]["study"])
        return found

    def facts(self, name: str, seats: int) -> dict[str, Any]:
        """How they were counted."""
        return {key: value for key, value in self.data[f"{name} {seats}"].items() if key != "study"}


def lead_in(points: Array) -> tuple[int, int] | None:
    """Return the leading seat and its lead; None where two lead."""
    order = np.sort(points)
    return None if order[-1] == order[-2] else (int(np.argmax(points)), int(order[-1] - order[-2]))


def leader_wins(leads: Mapping[int, Mean]) -> Estimate:
    """Return how often the leader wins."""
    return share_interval(sum(mean.total for mean in leads.values()), sum(mean.count for mean in leads.values()))


def study(
    game: Game, seats: int, games: int, seed: int = 0, threads: int | None = None, player: str = "greedy",
    options: Mapping[str, Any] | None = None, progress: Callable[[int], None] | None = None,
) -> Study:  # fmt: skip
    """Play games between players of one kind and count everything."""
    series = Series.of(game, [player] * seats, seed, options, decisions=True)
    found = Study.of(game, seats)
    parts = [(first, min(PART, games - first)) for first in range(0, games, PART)]
    for part in play_in_threads(series, parts, threads or os.cpu_count() or 1):
        found.add(series, part)
        if progress is not None:
            progress(len(part.rows))
    return found


def count_deals(series: Mapping[str, Any], first: int, deals: int, knowledge: str = "") -> dict[str, Any]:
    """Play each of these deals of a series once and count everything. Takes and returns plain data, for other processes.

    With `knowledge`, the `words` of an entry in `report.toml`, one seat is told more than it should know, and only results are
    counted: the first seat of the study is the one that knows more, the others follow in the order of play.
    """
    played = Series.from_dict(series)
    found = Study.of(played.game, played.seats)
    for deal in range(first, first + deals):
        if knowledge:
            _count_informed(found, played, deal, knowledge)
        else:
            found.add(played, played.play(deal * played.seats, 1))
    return found.as_dict()


def _count_informed(found: Study, series: Series, deal: int, knowledge: str) -> None:
    game, seats = series.game, series.seats
    entries = {entry["words"]: entry for entry in declared(game).get("knowledge", [])}
    if knowledge not in entries:
        raise BadOption(f"{game.name} has no knowledge {knowledge!r}; there is: {', '.join(entries) or 'none'}")
    entry, informed, number = entries[knowledge], deal % seats, deal * seats
    position, players = series.begin(number), invite(game, series.players, f"{series.seed}/{number}")
    while not position.over:
        seat = position.seat
        known = know_more(position, entry) if seat == informed else position
        position.play(players[seat].choose(known.seen_by(seat)))
    places, points = (np.roll(values, -informed)[None] for values in (position.ranking, position.scores))
    found.add_results(places, points, np.array([position.ply]), np.array([int(position.state.over)]))


def know_more(position: Position, entry: Mapping[str, Any]) -> Position:
    """Return a position in which every seat may know more: a field of the record that says how much it knows is raised."""
    cells = np.array([position.state])
    cells[entry["field"]] = np.minimum(cells[entry["field"]] + entry["more"], entry["most"])
    return Position(position.game, None, cells.tobytes())


def declared(game: Game) -> dict[str, Any]:
    """Return the content of a game's `report.toml`; nothing where there is none."""
    path = game.extras / "report.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def ladder_ratings(game: Game) -> dict[str, dict[str, Any]]:
    """Return the `rating` and its `error` of a game's levels, by the number of players of the ladder and by level."""
    path = game.extras / "ratings.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def played_variant(game: Game, variant: Mapping[str, Any]) -> tuple[Game, dict[str, Any]]:
    """Return the game with a variant's components, and its options."""
    played = azalai.game(game.name, components=nested(variant["set"])) if "set" in variant else game
    return played, variant.get("options", {})


def study_variant(game: Game, variant: Mapping[str, Any], seats: int, games: int, seed: int, threads: int | None) -> Study:
    """Return a study with some components or options changed."""
    played, options = played_variant(game, variant)
    return study(played, seats, games, seed, threads, options=options)


def play_level(game: Game, level: str, seats: int, games: int, seed: int, threads: int | None) -> Estimate:
    """How often one such player wins among greedy ones."""
    return simulate(game, [level, *["greedy"] * (seats - 1)], games, seed, threads).by_player[level].share
