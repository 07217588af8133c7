"""A table of Timbuktu for tests: games brought to a certain point, moves played as text, places and thief sets set up by name."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

import azalai
from azalai.engine.dispatch import invariant
from azalai.engine.moves import Event
from azalai.engine.position import Position
from azalai.games.timbuktu.components import CAMELS, GOODS, PENS, SETS, STALLS
from azalai.games.timbuktu.state import CAMEL, GOOD, GOODS_CARD, PEN, PLACE, STALL_CARD, Phases

BLUE, RED, GREEN, YELLOW, VIOLET = range(5)
GAME = azalai.game("timbuktu")


def new(seats: int, seed: int = 1, **options: Any) -> Position:
    """A new game."""
    return GAME.new(seats, seed, **options)


def play(position: Position, *moves: str, seat: int | None = None) -> list[Event]:
    """Play moves one after the other; all that happened."""
    return [event for move in moves for event in position.play(move, seat)]


def texts(position: Position, seat: int | None = None) -> list[str]:
    """The legal moves as texts."""
    return [str(move) for move in position.moves(seat)]


def place_all(position: Position) -> Position:
    """Place all camels by their letters, always in the emptiest pen that is possible."""
    while position.phase == "placing":
        filled = position.state.filled.copy()
        position.play(min(position.moves(), key=lambda move: (move.args["camel"], filled[move.args["pen"]], move.id)))
    return position


def on_the_way(seats: int, seed: int = 1, **options: Any) -> Position:
    """A game whose first stage is about to begin."""
    return place_all(new(seats, seed, **options))


def choose_all(position: Position, letters: str) -> list[Event]:
    """All seats choose, Blue first: `choose_all(position, "DAC")`; what the last choice brought about."""
    events: list[Event] = []
    for seat, letter in enumerate(letters):
        events = position.play(f"choose {letter}", seat)
    return events


def wander(position: Position, seed: int, until: Any = None) -> Position:
    """Play on at random, until something holds or the game is over."""
    chance = random.Random(seed)
    while not position.over and not (until and until(position)):
        seat = chance.choice(position.pending)
        position.play(chance.choice(position.move_ids(seat)), seat)
    return position


def deal(position: Position, *sets: str) -> None:
    """Lay down the sets in the order of the ring: `deal(position, "lamp 1+3 water+gold", …)`; the others take what is left."""
    s = position.state
    rows = [text.split() for text in sets]
    for cards, domain, column in ((s.thief_pen, PEN, 0), (s.thief_stalls, STALL_CARD, 1), (s.thief_goods, GOODS_CARD, 2)):
        named = [domain.value(row[column]) for row in rows]
        rest = [card for card in range(SETS) if card not in named]
        for number, card in enumerate([*named, *rest]):
            cards[number] = card


def sets_of(position: Position) -> list[tuple[int, int, int]]:
    """The three cards of every set."""
    s = position.state
    return [(int(s.thief_pen[i]), int(s.thief_stalls[i]), int(s.thief_goods[i])) for i in range(SETS)]


def origin(position: Position, seat: int, letter: str) -> str:
    """The name of the pen where a camel stands."""
    return PEN.label(int(position.state.place[seat, camel(letter)]) // STALLS)


def camel(letter: str) -> int:
    """A camel's number."""
    value = CAMEL.value(letter)
    assert value is not None
    return value


def good(name: str) -> int:
    """A good's number."""
    value = GOOD.value(name)
    assert value is not None
    return value


def carry(position: Position, seat: int, letter: str, *goods: str) -> None:
    """Let a camel carry exactly these goods. What it carried before goes out of the game; what is new comes from there."""
    s = position.state
    for kind in range(GOODS):
        change = goods.count(GOOD.label(kind)) - int(s.load[seat, camel(letter), kind])
        s.load[seat, camel(letter), kind] += change
        s.kept[seat, kind] += change
        s.lost[kind] -= change


def load_of(position: Position, seat: int, letter: str) -> dict[str, int]:
    """What a camel carries, by name."""
    row = [int(position.state.load[seat, camel(letter), kind]) for kind in range(GOODS)]
    return {GOOD.label(kind): count for kind, count in enumerate(row) if count}


def lost(position: Position) -> dict[str, int]:
    """What is out of the game, by name."""
    return {GOOD.label(kind): int(position.state.lost[kind]) for kind in range(GOODS) if position.state.lost[kind]}


def evening(
    seats: int = 4, free: Iterable[str] = ("scimitar5", "moon5"), standing: Mapping[str, tuple[int, str]] | None = None
) -> Position:
    """The last move of the first stage: all camels have moved but the last one of the last seat, which stands in the Star pen.

    `free` are the stalls still free, of different pens; `standing` says who stands where it matters.
    """
    position = on_the_way(seats)
    s = position.state
    camels = int(CAMELS[seats])
    s.round_no, s.turn = camels - 1, seats - 1
    s.round_stone = (camels - 1) % seats
    last = (int(s.round_stone) + seats - 1) % seats
    everyone = [(seat, number) for seat in range(seats) for number in range(camels) if (seat, number) != (last, camels - 1)]
    wanted = {(seat, camel(letter)): PLACE.value(place) for place, (seat, letter) in (standing or {}).items()}
    places = [place for place in range(PENS * STALLS) if PLACE.label(place) not in free and place not in wanted.values()]
    for who in everyone:
        s.place[who] = wanted[who] if who in wanted else places.pop(0)
    s.place[last, camels - 1] = PLACE.value("star1")
    for seat in range(seats):
        s.used[seat] = (1 << camels) - 1
        s.choice[seat] = camels - 1
    s.used[last] = (1 << camels - 1) - 1
    for pen in range(PENS):
        s.filled[pen] = sum(int(s.place[who]) // STALLS == pen for who in everyone)
    s.seat, s.pending, s.phase = last, 1 << last, Phases.MOVING
    assert invariant(s) == 0
    return position


def told(events: Iterable[Event], kind: str) -> list[dict[str, int]]:
    """The arguments of all events of one kind."""
    return [event.args for event in events if event.kind == kind]
