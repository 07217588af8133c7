"""Deserts made to measure, and luck made to order, for tests that read like a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import azalai
from azalai.engine.moves import Event
from azalai.engine.position import Position
from azalai.engine.rng import seed
from azalai.games.targui.components import AREAS, CAMELS, COLOURS, ECONOMIC, FATES, FIELDS, NEIGHBOURS, REMOVED
from azalai.games.targui.invariants import invariant
from azalai.games.targui.rules import find_walled
from azalai.games.targui.state import FIELD, NOBODY, Phases

GREEN, YELLOW = 0, 1  # the seats of a game for two
BLUE4, RED4, GREEN4, YELLOW4 = range(4)  # the seats of a game for four
HOMES = {2: ("b2", "f6"), 3: ("f1", "a4", "f7"), 4: ("b2", "f2", "b6", "f6")}


def at(label: str) -> int:
    """The number of a field."""
    field = FIELD.value(label)
    assert field is not None, label
    return field


def desert(seats: int = 2, **options: Any) -> Position:
    """A game in its first round on nothing but sand plain, the settlements in the middle of each corner, with 10 camels each."""
    position = azalai.game("targui").new(seats=seats, seed=1, **options)
    for home in HOMES[seats]:
        position.play(f"settle {home}")
    for field in range(FIELDS):
        if AREAS[position.state.terrain[field]] not in ("saline", "settlement"):
            position.state.terrain[field] = AREAS.index("feche")
    recount(position)
    turn(position, 0)
    return position


def lay(position: Position, **areas: str) -> None:
    """Lay other area cards: `lay(position, c3="guelta")`."""
    for label, area in areas.items():
        position.state.terrain[at(label)] = AREAS.index(area)
    recount(position)


def put(position: Position, seat: int, **camels: int) -> None:
    """Mark fields for a seat and set the camels on them; 0 is a marker alone."""
    for label, count in camels.items():
        position.state.owner[at(label)] = seat
        position.state.camels[at(label)] = count
    recount(position)


def clear(position: Position, *labels: str) -> None:
    """Take markers and camels off fields; off all of them where none is named."""
    for label in labels or FIELD.labels:
        position.state.owner[at(label)] = NOBODY
        position.state.camels[at(label)] = 0
    recount(position)


def money(position: Position, *silver: int) -> None:
    """Set everybody's silver."""
    for seat, coins in enumerate(silver):
        position.state.silver[seat] = coins


def pack(position: Position, *cards: int, fate: int | None = None, later: tuple[int, ...] = (1,), die: int = 1) -> None:
    """Set the tribe cards left in the pack, the fate card among them, and the fate cards for later rounds."""
    s = position.state
    for seat in range(position.seats):
        s.pack[seat] = cards[seat] if cards else 0
    s.die, s.fate, s.fate_waits = die, 0, fate is not None
    s.fates = sum(1 << card - 1 for card in {*later, fate} if card)
    s.round_no = FATES - len(REMOVED[position.seats]) - bin(s.options[0]).count("1") - bin(s.fates).count("1") + s.fate_waits


def turn(position: Position, seat: int, phase: str = "marching") -> None:
    """Let it be a seat's turn, the last of a round with one more round to come."""
    s = position.state
    s.seat, s.pending, s.phase = seat, 1 << seat, Phases[phase.upper()]
    s.again, s.unfinished, s.origin, s.target = 0, 0, -1, -1
    pack(position)


def pass_turn(position: Position) -> list[Event]:
    """Do nothing in this turn."""
    buys = bool(position.state.silver[position.seat]) and bool(position.state.box)
    events = position.play("stay") if position.phase == "marching" else []
    return events + (position.play("done") if buys else [])


def fate(position: Position, card: int) -> list[Event]:
    """The player to move does nothing; then this fate card comes up, and another card of his. What happened from it on."""
    seat = position.seat
    pack(position, *(1 if other == seat else 0 for other in range(position.seats)), fate=card, later=())
    last = "stay"
    if position.state.silver[seat] and position.state.box:
        position.play("stay")
        last = "done"
    events = lucky(position, last, lambda events: kinds(events)[last == "stay"] == "fate")
    return events[kinds(events).index("fate") :]


def recount(position: Position) -> None:
    """Bring all that is counted in a record in line with its board."""
    s = position.state
    s.land, s.walled = 0, 0
    for power in range(3):
        s.worth[power] = sum(1 << field for field in range(FIELDS) if ECONOMIC[s.terrain[field]] >> power & 1)
    for field in range(FIELDS):
        if AREAS[s.terrain[field]] != "chott":
            s.land |= 1 << field
    find_walled(s)
    for seat in range(position.seats):
        mine = [field for field in range(FIELDS) if s.owner[field] == seat]
        s.marks[seat] = sum(1 << field for field in mine)
        s.stands[seat] = sum(1 << field for field in mine if s.camels[field])
        s.herd[seat] = sum(s.camels[field] for field in mine)
        s.economy[seat] = sum(ECONOMIC[s.terrain[field]] for field in mine)
    s.box = CAMELS - sum(s.camels)


def lawful(position: Position) -> bool:
    """Whether all invariants of the game hold."""
    return not invariant(position.state)


def play(position: Position, *moves: str) -> list[Event]:
    """Make decisions one after the other; all that happened."""
    return [event for move in moves for event in position.play(move)]


def lucky(position: Position, move: str, wanted: Callable[[list[Event]], bool]) -> list[Event]:
    """Make a decision with luck such that what happens is as wanted."""
    for number in range(20_000):
        seed(position.state, number, 0)
        twin = position.copy()
        if wanted(twin.play(move)):
            return position.play(move)
    raise AssertionError(f"{move!r} never went as wanted")


def dice(position: Position, move: str, *rolls: int) -> list[Event]:
    """Make a decision that leads to blows, with these rolls."""
    return lucky(position, move, lambda events: [e.args["die"] for e in events if e.kind == "struck"] == list(rolls))


def kinds(events: list[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [event.kind for event in events]


def only(events: list[Event], kind: str) -> list[dict[str, int]]:
    """The arguments of all events of one kind."""
    return [event.args for event in events if event.kind == kind]


def moves(position: Position) -> set[str]:
    """The texts of all legal moves."""
    return {str(move) for move in position.moves()}


def camels(position: Position, label: str) -> int:
    """Camels on a field."""
    return int(position.state.camels[at(label)])


def owner(position: Position, label: str) -> int:
    """The seat whose marker lies on a field, or -1."""
    return int(position.state.owner[at(label)])


def neighbours(label: str) -> set[str]:
    """The fields around a field."""
    return {FIELD.labels[field] for field in range(FIELDS) if int(NEIGHBOURS[at(label)]) >> field & 1}


def seat_of(colour: str, seats: int) -> int:
    """The seat of a colour."""
    return COLOURS.index(colour) + seats - len(COLOURS)
