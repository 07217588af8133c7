"""Who plays whom in a tournament, and how it stands. Nothing here reads or writes anything.

- *Series*: all entrants at one table, until nobody can catch up with the leader in the games that are left; if it is level after
  these, further games follow.
- *Round robin*: everybody meets everybody. With two seats by the circle method; with more, tables are made so that as many as
  possible meet who have not met.
- *Knock-out*: the winner of every table goes on. What is drawn is replayed with changed seats.

A game gives one point to its winner, none to the last, and those between their share: the part of their opponents whom they have
beaten, half of one for a shared place. Equal points of a round robin are told apart by Sonneborn and Berger: the points of those
one has beaten, half of those one has drawn with. A free round (bye) gives no points.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations, groupby, permutations
from typing import Literal

Kind = Literal["series", "round_robin", "knock_out"]


@dataclass(frozen=True)
class Encounter:
    """A game of a tournament."""

    round_no: int
    match_no: int
    game_no: int
    seats: tuple[int | None, ...]  # numbers of entrants; None: a computer player that fills a seat
    places: tuple[int, ...] | None = None  # by seat, once it is over
    table: str | None = None

    @property
    def entrants(self) -> tuple[int, ...]:
        """Those who play."""
        return tuple(one for one in self.seats if one is not None)

    def results(self) -> dict[int, int]:
        """Return the places of the entrants; empty until it is over."""
        return {one: place for one, place in zip(self.seats, self.places or (), strict=False) if one is not None}

    def shares(self) -> dict[int, dict[int, float]]:
        """Return what each entrant has got against each opponent: 1 for having beaten them, 0.5 for a shared place."""
        if self.table is None and 1 not in (self.places or ()):  # nobody came
            return {}
        results = self.results()
        return {
            one: {other: (place < its) + (place == its) / 2 for other, its in results.items() if other != one}
            for one, place in results.items()
        }


@dataclass(frozen=True)
class Format:
    """What a tournament is."""

    kind: Kind
    seats: int  # of a table
    fewest: int  # seats that a game must have
    games: int  # of a series


@dataclass(frozen=True)
class Ranking:
    """How an entrant stands."""

    number: int
    place: int
    points: float
    tie_break: float
    played: int
    won: int
    drawn: int
    lost: int


def table_sizes(people: int, seats: int) -> list[int]:
    """Return how many people sit at each table: as evenly as possible. One alone has a free round."""
    tables = -(-people // seats)
    return [people // tables + (number < people % tables) for number in range(tables)]


def total_rounds(form: Format, people: int) -> int | None:
    """Return how many rounds there will be; None where that is not known before."""
    if form.kind == "series":
        return 1
    if form.kind == "round_robin":
        return people - 1 + people % 2 if form.seats == 2 else None
    rounds = 0
    while people > 1:
        people, rounds = len(table_sizes(people, form.seats)), rounds + 1
    return rounds


# ---------------------------------------------------------------- what comes next


def next_pairings(
    form: Format, order: list[int], removed: frozenset[int], played: list[Encounter]
) -> tuple[list[Encounter], bool]:
    """Return the games to be played next, and whether the tournament is over. `order`: all entrants as they were drawn."""
    last = max((one.round_no for one in played), default=0)
    matches = _matches(played, last)
    new = []
    for number, games in matches.items():
        if games[-1].places is not None and not _decided(form, games, removed):
            present = [one for one in games[-1].entrants if one not in removed]
            seats = seated(present, form.fewest, played, games[-1])
            new.append(Encounter(last, number, games[-1].game_no + 1, seats))
    if new or any(one.places is None for one in played):
        return new, False
    groups = _next_round(form, order, removed, played, last)
    for number, group in enumerate(groups):
        placed = len(group) == 1 or (form.kind == "round_robin" and form.seats == 2)
        new.append(Encounter(last + 1, number, 0, tuple(group) if placed else seated(group, form.fewest, played)))
    return new, not groups


def settled(pairing: Encounter, removed: frozenset[int]) -> Encounter:
    """Return a game that nobody has to play, since at most one is there, with its result; others as they are."""
    present = [one for one in pairing.entrants if one not in removed]
    if len(present) > 1:
        return pairing
    return replace(pairing, places=tuple(1 if one in present else 2 for one in pairing.seats))


def _matches(played: list[Encounter], round_no: int) -> dict[int, list[Encounter]]:
    games = sorted((one for one in played if one.round_no == round_no), key=lambda one: (one.match_no, one.game_no))
    return {number: list(some) for number, some in groupby(games, key=lambda one: one.match_no)}


def _decided(form: Format, games: list[Encounter], removed: frozenset[int]) -> bool:
    """Return whether a match is decided: all its games so far are over."""
    present = [one for one in games[-1].entrants if one not in removed]
    if form.kind == "round_robin" or len(present) <= 1:
        return True
    if form.kind == "knock_out":
        return winner(games, removed) is not None
    points = sorted((points_of(one, games) for one in present), reverse=True)
    return points[0] - points[1] > max(0, form.games - len(games))


def winner(games: list[Encounter], removed: frozenset[int]) -> int | None:
    """Return who has won the last game of a match alone; None where nobody has."""
    results = {one: place for one, place in games[-1].results().items() if one not in removed}
    first = [one for one, place in results.items() if place == min(results.values())]
    return first[0] if len(first) == 1 else None


def _next_round(form: Format, order: list[int], removed: frozenset[int], played: list[Encounter], last: int) -> list[list[int]]:
    """Return who sits together in the next round; nobody where there is none."""
    present = [one for one in order if one not in removed]
    if len(present) < 2:
        return []
    if form.kind == "series":
        return [] if last else [present]
    if form.kind == "round_robin":
        return _circle(order, last) if form.seats == 2 else _mixed(form, present, played)
    if last:
        winners = [winner(games, removed) for games in _matches(played, last).values()]
        present = [one for one in winners if one is not None]
    if len(present) < 2:
        return []
    if form.seats == 2 and len(present) % 2:
        free = Counter(one.seats[0] for one in played if len(one.seats) == 1)
        rests = min(reversed(present), key=lambda one: free[one])
        present = [*(one for one in present if one != rests), rests]
    groups = []
    for size in table_sizes(len(present), form.seats):
        groups.append(present[:size])
        present = present[size:]
    return groups


def _circle(order: list[int], round_no: int) -> list[list[int]]:
    """Return the pairs of a round, counted from 0, of a round robin: one stays, the others go round.

    Of a pair, the one with the lower lot sits first if the lots differ by an odd number: so everybody sits first in half of
    their games.
    """
    people: list[int | None] = [*order, *([None] if len(order) % 2 else [])]
    if round_no >= len(people) - 1:
        return []
    first, others = people[0], people[1:]
    turned = [first, *others[round_no:], *others[:round_no]]
    pairs = zip(turned[: len(turned) // 2], reversed(turned), strict=False)
    lots = {one: lot for lot, one in enumerate(order)}
    present = [sorted((one for one in pair if one is not None), key=lambda one: lots[one]) for pair in pairs]
    return [pair if len(pair) < 2 or (lots[pair[1]] - lots[pair[0]]) % 2 else pair[::-1] for pair in present]


def _mixed(form: Format, present: list[int], played: list[Encounter]) -> list[list[int]]:
    """Return tables for a round in which people meet whom they have not met; nobody once all have met."""
    met = Counter(frozenset(pair) for one in played for pair in combinations(one.entrants, 2))
    missing = [pair for pair in combinations(present, 2) if not met[frozenset(pair)]]
    if not missing:
        return []
    left = [*missing[0], *(one for one in present if one not in missing[0])]
    groups: list[list[int]] = []
    for size in table_sizes(len(present), form.seats):
        group = [left.pop(0)]
        if not groups:
            group.append(left.pop(0))
        while len(group) < size:
            best = min(left, key=lambda one: sum(met[frozenset((one, other))] for other in group))
            left.remove(best)
            group.append(best)
        groups.append(group)
    return groups


def seated(entrants: list[int], fewest: int, played: list[Encounter], before: Encounter | None = None) -> tuple[int | None, ...]:
    """Return who sits where: everybody as evenly as possible on all seats, and not where they sat in the game before."""
    people = [*entrants, *[None] * (fewest - len(entrants))]
    sat = Counter((one, number) for game in played for number, one in enumerate(game.seats) if len(game.seats) > 1)
    same = set() if before is None else {(one, number) for number, one in enumerate(before.seats)}

    def cost(seats: tuple[int | None, ...]) -> tuple[int, int]:
        places = [(one, number) for number, one in enumerate(seats) if one is not None]
        return sum(place in same for place in places), sum(sat[place] for place in places)

    return min(permutations(people), key=cost)


# ---------------------------------------------------------------- how it stands


def points_of(number: int, games: list[Encounter]) -> float:
    """Return an entrant's points."""
    shares = [one.shares().get(number, {}) for one in games]
    return sum(sum(some.values()) / len(some) for some in shares if some)


def standings(form: Format, order: list[int], removed: frozenset[int], played: list[Encounter]) -> list[Ranking]:
    """Return how all entrants stand, best first."""
    points = {number: points_of(number, played) for number in order}
    rows = []
    for number in order:
        games = [one for one in played if one.shares().get(number)]
        firsts = [[*results.values()].count(1) for one in games if (results := one.results())[number] == 1]
        shares = [one.shares()[number] for one in games]
        berger = sum(part * points[other] / len(some) for some in shares for other, part in some.items())
        tie_break = berger if form.kind == "round_robin" else 0.0
        key: tuple[float, ...] = (number in removed, -round(points[number], 6), -round(tie_break, 6))
        if form.kind == "knock_out":
            key = (-_reached(number, removed, played),)
        won = firsts.count(1)
        drawn = len(firsts) - won
        rows.append((key, Ranking(number, 0, points[number], tie_break, len(games), won, drawn, len(games) - won - drawn)))
    rows.sort(key=lambda one: one[0])
    keys = [key for key, _ in rows]
    return [replace(one, place=1 + keys.index(key)) for key, one in rows]


def _reached(number: int, removed: frozenset[int], played: list[Encounter]) -> int:
    """Return which round of a knock-out somebody has reached; whoever has won it is one further."""
    rounds = [one.round_no for one in played if number in one.seats]
    if not rounds:
        return 0
    match = next(games for games in _matches(played, max(rounds)).values() if number in games[0].seats)
    return max(rounds) + (match[-1].places is not None and winner(match, removed) == number)
