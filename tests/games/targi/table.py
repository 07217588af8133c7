"""A table of Targi set up by hand, for tests that read like a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import azalai
from azalai.engine.dispatch import invariant
from azalai.engine.position import Position
from azalai.engine.rng import seed
from azalai.games.targi.components import BORDERS, CELLS, GOODS_KIND, GOODS_PILE, POWER, TRIBE_PILE
from azalai.games.targi.rules_scoring import points
from azalai.games.targi.state import GOODS_CARD, NOTHING, PLACE_NAME, SEEN, TRIBE_CARD, Phases

GAME = azalai.game("targi")
BLUE, WHITE = 0, 1
NAMES = ("dates", "salt", "pepper", "gold", "crosses")


def tribe(label: str) -> int:
    """The number of a tribe card such as T25."""
    value = TRIBE_CARD.value(label)
    assert value is not None, label
    return value


def goods(label: str) -> int:
    """The number of some goods card of a kind such as 2dates."""
    kind = GOODS_CARD.value(label)
    return int(GOODS_KIND.tolist().index(kind))


def place(label: str) -> int:
    """The number of a border place or of a cell."""
    value = PLACE_NAME.value(label)
    assert value is not None, label
    return value


def cell(label: str) -> int:
    """The number of a cell such as b2."""
    return place(label) - BORDERS


class Table:
    """One position, with hands that can put things where a test needs them. Cards stay where every card is only once."""

    def __init__(self, number: int = 1, **options: Any) -> None:
        self.position: Position = GAME.new(seed=number, **options)

    @property
    def s(self) -> Any:
        return self.position.state

    # ------------------------------------------------------------ setting up

    def own(self, seat: int, **stock: int) -> Table:
        """Let a seat have so much, and nothing else."""
        for stuff, name in enumerate(NAMES):
            self.s.stock[seat, stuff] = stock.get(name, 0)
        assert set(stock) <= set(NAMES)
        return self

    def take(self, pile: int, card: int) -> None:
        """Take a card out of its deck, or out of the centre, where another one takes its place."""
        s = self.s
        for one in range(CELLS):
            if s.centre[pile, one] == card:
                other = next(c for c in range(60) if int(s.deck[pile]) >> c & 1)
                s.centre[pile, one] = other
                s.deck[pile] &= ~(1 << other)
                s.left[pile] -= 1
                return
        if int(s.deck[pile]) >> card & 1:
            s.deck[pile] &= ~(1 << card)
            s.left[pile] -= 1
        else:
            assert int(s.discard[pile]) >> card & 1, "the card is in use already"
            s.discard[pile] &= ~(1 << card)

    def put_back(self, pile: int, card: int) -> None:
        self.s.deck[pile] |= 1 << card
        self.s.left[pile] += 1

    def show(self, where: str, label: str) -> Table:
        """Lay a certain goods or tribe card on a cell of the centre."""
        s, at = self.s, cell(where)
        pile, card = (TRIBE_PILE, tribe(label)) if label.startswith("T") else (GOODS_PILE, goods(label))
        if s.centre[pile, at] == card:
            return self
        for other in range(2):
            old = int(s.centre[other, at])
            s.centre[other, at] = NOTHING
            if old >= 0:
                self.put_back(other, old)
        self.take(pile, card)
        s.centre[pile, at] = card
        return self

    def display(self, seat: int, *rows: str) -> Table:
        """Lay out tribe cards, row by row: `"T06 T07", "T01"`. Their lasting effects hold."""
        s = self.s
        for row, labels in enumerate(rows):
            for label in labels.split():
                card = tribe(label)
                self.take(TRIBE_PILE, card)
                s.display[seat, row, s.length[seat, row]] = card
                s.length[seat, row] += 1
                if POWER[card] >= 0:
                    s.power[seat, POWER[card]] += 1
        return self

    def hold(self, seat: int, label: str, taken: int = 0, secret: int = SEEN) -> Table:
        """Let a seat hold a tribe card since round `taken`; by default since before this one."""
        if self.s.round_no == 1:
            self.in_round(5)
        self.take(TRIBE_PILE, tribe(label))
        self.s.hand[seat] = tribe(label)
        self.s.hand_round[seat] = taken or self.s.round_no - 1
        self.s.hand_secret[seat] = secret
        return self

    def next_drawn(self, label: str) -> Table:
        """Let a certain card be the next one drawn: the others of its deck go to the discards."""
        s = self.s
        pile, card = (TRIBE_PILE, tribe(label)) if label.startswith("T") else (GOODS_PILE, goods(label))
        self.take(pile, card)
        s.discard[pile] |= s.deck[pile]
        s.deck[pile] = 1 << card
        s.left[pile] = 1
        return self

    def in_round(self, number: int) -> Table:
        """Go on to a later round, with the robber where he is then."""
        self.s.round_no = number
        self.s.robber = (number - 1) // 3 * 4 + (number - 1) % 3
        return self

    def acting(self, seat: int, targis: str = "", markers: str = "", other: str = "", other_markers: str = "") -> Table:
        """Begin the actions of a seat, the start player, with Targis and markers of both where the test wants them."""
        s = self.s
        for one, men, marks in ((seat, targis, markers), (1 - seat, other, other_markers)):
            for i, where in enumerate(sorted(map(place, men.split()))):
                s.targi[one, i] = where
            for i, where in enumerate(sorted(map(cell, marks.split()))):
                s.marker[one, i] = where
            s.placed[one] = 3
        s.start = seat
        s.seat = seat
        s.pending = 1 << seat
        s.phase = Phases.ACTING
        return self

    def to_raid(self, number: int, start: int = BLUE) -> Table:
        """Stand at the end of the round before a raid, whose start player will be `start`."""
        self.in_round(3 * number)
        self.acting(1 - start)
        s = self.s
        s.seat = start
        s.pending = 1 << start
        s.targi[start, 0] = place("dates2")
        return self

    def chance(self, number: int) -> Table:
        """A copy of this table with another future."""
        twin = Table()
        twin.position = self.position.copy()
        seed(twin.position.state, number, 0)
        return twin

    # ------------------------------------------------------------ playing and looking

    def play(self, *moves: str) -> Table:
        """Play moves written as text, under all invariants."""
        self.check()
        for move in moves:
            self.position.play(move)
            self.check()
        return self

    def check(self) -> None:
        broken = invariant(self.position.state)
        assert broken == 0, GAME.invariants[broken - 1]

    @property
    def moves(self) -> set[str]:
        return {str(move) for move in self.position.moves()}

    @property
    def phase(self) -> str:
        return self.position.phase

    @property
    def seat(self) -> int:
        return self.position.seat

    @property
    def told(self) -> list[str]:
        """The kinds of the last decision's events."""
        return [event.kind for event in self.position.events]

    def stock(self, seat: int) -> dict[str, int]:
        """What a seat has, without what it has none of."""
        have = self.s.stock[seat].tolist()
        return {name: have[i] for i, name in enumerate(NAMES) if have[i]}

    def rows(self, seat: int) -> list[str]:
        """The display of a seat, as labels."""
        table: Sequence[Sequence[int]] = self.s.display[seat].tolist()
        return [" ".join(TRIBE_CARD.label(card) for card in row if card >= 0) for row in table]

    def points(self, seat: int) -> int:
        return int(points(self.position.state, seat))

    def event(self, kind: str) -> Mapping[str, int]:
        """The arguments of the one event of this kind in the last decision."""
        (found,) = [event.args for event in self.position.events if event.kind == kind]
        return found
