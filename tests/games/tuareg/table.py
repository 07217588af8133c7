"""Laying out a table of Tuareg as a test needs it, and playing at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import azalai
from azalai.engine.dispatch import invariant
from azalai.engine.moves import Event
from azalai.engine.position import Position
from azalai.games.tuareg.components import ALL_GOODS, ANIMAL_LABELS, COPIES, GOODS, MOST_CAMELS, SPECIALS
from azalai.games.tuareg.rules_animals import load_on_top
from azalai.games.tuareg.rules_hands import keep_hands

TUAREG = azalai.game("tuareg")

Goods = str  # "water water salt"


def table(
    seats: int = 2,
    *,
    hands: Mapping[int, Goods] | None = None,
    loads: Mapping[tuple[int, str], Goods] | None = None,
    market: Goods = "",
    discard: Goods = "",
    deck: Goods | None = None,
    donkeys: Mapping[int, int] | None = None,
    caves: Mapping[int, int] | None = None,
    thieves: Mapping[int, int] | None = None,
    maps: Mapping[int, int] | None = None,
    turn: int = 0,
    stage: int = 1,
    turns_left: int | None = None,
    seed: int = 1,
    **options: str,
) -> Position:
    """A position before the main action of seat `turn`. Goods named nowhere are in the deck; discarded, where `deck` is named."""
    position = TUAREG.new(seats, seed, **options)
    s = position.state
    s.seat, s.pending, s.stage = turn, 1 << turn, stage
    left = {good: int(COPIES[number]) for number, good in enumerate(GOODS)}

    def place(goods: Goods) -> list[int]:
        for good in goods.split():
            left[good] -= 1
        return [GOODS.index(good) for good in goods.split()]

    s.market[:] = s.deck[:] = 0
    for good in place(market):
        s.market[good] += 1
    for good in place(discard):
        s.discard[good] += 1
    for seat, goods in (hands or {}).items():
        for good in place(goods):
            s.hand[seat, good] += 1
            s.hand_size[seat] += 1
    for special, owners in zip(SPECIALS, (donkeys, caves, thieves, maps), strict=True):
        for seat, number in (owners or {}).items():
            s.stack[SPECIALS.index(special)] -= number
            if special == "cave":
                s.caves[seat, 0] = number
            else:
                {"donkey": s.donkeys, "thief": s.thieves, "map": s.maps}[special][seat] = number
            if special == "donkey":
                s.fits[seat, MOST_CAMELS : MOST_CAMELS + number] = ALL_GOODS
    for (seat, animal), goods in (loads or {}).items():
        for good in place(goods):
            load_on_top(s, seat, ANIMAL_LABELS.index(animal), good)
    if deck is not None:
        for good in place(deck):
            s.deck[good] += 1
    rest = s.deck if deck is None else s.discard
    for number, label in enumerate(GOODS):
        rest[number] += left[label]
    s.deck_size = int(sum(s.deck))
    if s.deck_size == 0:
        s.turns_left = seats - 1 if turns_left is None else turns_left
    if stage == 2:
        keep_hands(s)
    assert broken_invariant(position) is None
    return position


def broken_invariant(position: Position) -> str | None:
    """The invariant that does not hold, if any."""
    number = invariant(position.state)
    return TUAREG.invariants[number - 1] if number else None


def play(position: Position, *moves: str) -> list[Event]:
    """Play moves by their text; all that happened."""
    events = []
    for move in moves:
        events += position.play(move)
        assert broken_invariant(position) is None
    return events


def can(position: Position, kind: str = "") -> set[str]:
    """The moves of a kind that are possible now, by their text."""
    return {str(move) for move in position.moves() if not kind or move.name == kind}


def hand(position: Position, seat: int) -> Goods:
    """A seat's hand."""
    return listed(position.state.hand[seat])


def listed(goods: Any) -> Goods:
    """Numbers of goods, written out."""
    return " ".join(good for number, good in enumerate(GOODS) for _ in range(int(goods[number])))


def load(position: Position, seat: int, animal: str) -> Goods:
    """What an animal carries, from the bottom."""
    row = position.state.load[seat, ANIMAL_LABELS.index(animal)]
    return " ".join(GOODS[int(good)] for good in row if good >= 0)


def told(events: list[Event], kind: str) -> list[dict[str, int]]:
    """The arguments of all events of a kind."""
    return [event.args for event in events if event.kind == kind]


def finish_round(position: Position) -> list[Event]:
    """Let everybody pass until the stage or the game is over."""
    stage, events = int(position.state.stage), []
    while not position.over and int(position.state.stage) == stage:
        events += play(position, "end")
    return events
