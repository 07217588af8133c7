"""Events tell everything: who only hears them knows the board. And the invariants hold in many games."""

from __future__ import annotations

from typing import Any

import pytest

import azalai
from azalai.engine.position import Position
from azalai.engine.rule import INTERPRET
from azalai.games.targui.components import CAMELS
from tests.games.targui.desert import GREEN, desert, lawful, put
from tests.harness.play import soak, wander

GAME = azalai.game("targui")


class Listener:
    """Keeps a board of his own by what he is told."""

    def __init__(self, position: Position) -> None:
        self.seats = position.seats
        self.owner = [-1] * 49
        self.camels = [0] * 49
        self.silver = [0] * 4
        self.pack = [0] * 4
        self.fates = int(position.state.fates)
        self.home: dict[int, int] = {}
        self.out: set[int] = set()
        self.round_no = self.die = 0

    def hear(self, kind: str, seat: int = -1, field: int = -1, **more: int) -> None:
        getattr(self, f"hear_{kind}", lambda *_, **__: None)(seat, field, **more)

    def hear_settled(self, seat: int, field: int, area: int) -> None:
        self.home[seat], self.owner[field], self.camels[field], self.silver[seat] = field, seat, 10, 10

    def hear_rolled(self, seat: int, field: int, round: int, die: int, cards: int) -> None:
        self.round_no, self.die = round, die
        self.pack = [cards if one < self.seats and one not in self.out else 0 for one in range(4)]

    def hear_turn(self, seat: int, field: int) -> None:
        self.pack[seat] -= 1

    def hear_fate(self, seat: int, field: int, fate: int) -> None:
        self.fates &= ~(1 << fate - 1)

    def hear_marched(self, seat: int, field: int, origin: int, camels: int) -> None:
        self.camels[origin] -= camels
        self.camels[field] += camels
        self.owner[field] = seat

    def hear_struck(self, seat: int, field: int, die: int, camels: int) -> None:
        self.camels[field] -= camels

    def hear_conquered(self, seat: int, field: int, loser: int) -> None:
        assert self.owner[field] == loser
        assert self.camels[field] == 0
        self.owner[field] = seat

    def hear_eliminated(self, seat: int, field: int) -> None:
        assert seat not in self.owner
        self.out.add(seat)
        self.silver[seat] = self.pack[seat] = 0

    def hear_bought(self, seat: int, field: int, camels: int) -> None:
        self.camels[field] += camels
        self.silver[seat] -= camels

    def hear_lost(self, seat: int, field: int, camels: int) -> None:
        assert self.owner[field] == seat
        self.camels[field] -= camels

    def hear_gained(self, seat: int, field: int, camels: int) -> None:
        assert self.owner[field] == seat
        self.camels[field] += camels

    def hear_paid(self, seat: int, field: int, silver: int) -> None:
        self.silver[seat] += silver

    hear_income = hear_paid

    def hear_robbed(self, seat: int, field: int, silver: int) -> None:
        self.silver[seat] -= silver

    def knows(self, s: Any) -> None:
        """Whether what was heard is what is."""
        assert self.owner == s.owner.tolist()
        assert self.camels == s.camels.tolist()
        assert self.silver == s.silver.tolist()
        assert self.pack == s.pack.tolist()
        assert self.fates == s.fates
        assert (self.round_no, self.die) == (s.round_no, s.die)
        assert CAMELS - sum(self.camels) == s.box


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_only_hears_the_events_knows_the_whole_board(seats: int) -> None:
    for number in range(4):
        position = GAME.new(seats=seats, seed=number)
        listener = Listener(position)
        for state in wander(position, number):
            for event in state.events:
                listener.hear(event.kind, **event.args)
            listener.knows(state.state)


@pytest.mark.skipif(INTERPRET, reason="many whole games take long without compiling")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_short_games_break_no_law_either(seats: int) -> None:
    for rounds in (1, 5, "without 6, 10"):
        assert soak(GAME, seats, 200, rounds=rounds)[0] == 0


@pytest.mark.parametrize(
    ("name", "invariant"),
    [
        ("box", 1),
        ("camels", 2),
        ("land", 3),
        ("worth", 3),
        ("economy", 4),
        ("pack", 5),
        ("round_no", 6),
        ("home", 7),
        ("silver", 8),
    ],
)
def test_the_laws_notice_what_is_wrong(name: str, invariant: int) -> None:
    from azalai.games.targui.invariants import invariant as broken

    position = desert(2)
    put(position, GREEN, c3=1)
    assert lawful(position)
    s = position.state
    match name:
        case "camels":
            s.camels[0] += 1
        case "silver":
            s.silver[0] = -1
        case "home":
            s.home[0] = 0
        case "pack":
            s.pack[1] = 6
        case "economy":
            s.economy[0] += 1
        case "worth":
            s.worth[0] ^= 1 << 16
        case _:
            s[name] += 1
    assert broken(s) == invariant


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_hidden_but_what_chance_will_bring(seats: int) -> None:
    position = GAME.new(seats=seats, seed=3)
    for state in wander(position, 3, limit=150):
        for seat in (*range(seats), None):
            seen = state.seen_by(seat)
            for name in state.state.dtype.names:
                if name not in ("rng", "events"):
                    assert (seen.state[name] == state.state[name]).all(), name
