"""Decisions in positions: from a record and a move to the next record, its legal moves and its events.

Lists of moves come again and again, and so do events. Python's objects for them are kept, by the keys that `flow.describe` gives
them. Where rules run compiled, a decision is one call of machine code that works on Python's objects; see `builtin.py`.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np

from azalai.engine import flow
from azalai.engine.moves import Event, Move
from azalai.engine.rule import Rule, called_as_usual, record_of, records, runs_compiled

if TYPE_CHECKING:
    from azalai.engine.game import Game

PLACE_BITS = 13  # of a key, its first ones: the place at which its object is kept
PLACE_SHIFT = flow.KEY_BITS.bit_length() - PLACE_BITS

Thing = TypeVar("Thing")

Legal = tuple[dict[int, Move], list[Move]]  # the legal moves of a position by their ids, and as the rules list them
Current = list[Any]  # what changes in a position, where Python and machine code change it:
NOW = 0  # the content of its record,
LEGAL = 1  # the legal moves of the seat to decide, or None where they are not known yet,
PAST = 2  # and the last decision: (the past before it, the content before it, the move, and its seat if that was named), or None.

Decide = Callable[[Current, int], Any]


class Kept(Generic[Thing]):
    """Objects by their keys. One makes room for another that belongs in the same place."""

    __slots__ = ("_lock", "keys", "things")

    def __init__(self) -> None:
        self.keys = array("q", [-1]) * (1 << PLACE_BITS)
        self.things: list[Thing | None] = [None] * (1 << PLACE_BITS)  # whose keys these are; machine code may look at any time
        self._lock = Lock()

    def get(self, key: int, make: Callable[[], Thing]) -> Thing:
        """Return the object of a key, which is made if it is not there."""
        place = key >> PLACE_SHIFT
        with self._lock:
            thing = self.things[place] if self.keys[place] == key else None
        if thing is None:
            thing = make()
            with self._lock:
                self.keys[place] = -1
                self.things[place] = thing
                self.keys[place] = key
        return thing


class Steps:
    """The decisions of a game.

    `decide(current, move)` carries a decision out and returns a list of its events, or None if the move is not legal. Where the
    moves that follow or an event are not kept, it changes nothing, and returns the next record with an outcome that describes it;
    `finish` does the rest then. Where the legal moves are not known yet, it finds them instead; see `listed`.
    """

    __slots__ = ("decide", "events", "game", "lists", "outcome")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.outcome = outcome_type(len(np.zeros((), game.schema.dtype)["events"]), game.max_moves)
        self.lists, self.events = Kept[Legal](), Kept[Event]()
        self.decide: Decide = self._look

    def listed(self, current: Current) -> Current:
        """Find the legal moves, if they are not known yet, and return what was given."""
        if current[LEGAL] is None:
            made = self.decide(current, flow.NOTHING)
            if made.__class__ is not list:
                _, outcome = made
                current[LEGAL] = self._legal(outcome)
        return current

    def finish(self, current: Current, move: int, after: bytes, outcome: bytes) -> list[Event]:
        """Carry out a decision of which `decide` has returned the next record and its outcome."""
        described = np.frombuffer(outcome, self.outcome)[0]
        keys = described["event_keys"][: described["events"]].tolist()
        rows = np.frombuffer(after, self.game.schema.dtype)[0]["events"][: len(keys)].tolist()
        events = [self._event(key, row) for key, row in zip(keys, rows, strict=True)]
        now, legal, past = current
        current[:] = after, self._legal(outcome), (past, now, legal[0][move])
        return events

    def _legal(self, outcome: bytes) -> Legal:
        return self.lists.get(int.from_bytes(outcome[:8], sys.byteorder), lambda: self._moves(outcome))

    def _moves(self, outcome: bytes) -> Legal:
        described = np.frombuffer(outcome, self.outcome)[0]
        by_id = {number: self.game.moves[number] for number in described["moves"][: described["count"]].tolist()}
        return by_id, [*by_id.values()]

    def _event(self, key: int, row: list[int]) -> Event:
        return self.events.get(key, lambda: next(self.game.events.decode([row])))

    def _look(self, current: Current, move: int) -> Any:
        """Decide in the way that is possible now, and from now on if that will not change."""
        decide: Decide = self._by_rule
        cells, out = record_of(current[NOW], self.game.schema.dtype), records(1, self.outcome)
        if runs_compiled(flow.advance, cells, move, out):
            from azalai.engine import builtin

            if builtin.possible():
                decide = builtin.deciding(self, cast("Rule", flow.advance).address((cells[0], move, out[0])))
            if called_as_usual():
                self.decide = decide
        return decide(current, move)

    def _by_rule(self, current: Current, move: int) -> Any:
        """Decide by a rule as Python calls it."""
        legal = current[LEGAL]
        if legal is None:
            move = flow.NOTHING
        elif move not in legal[0]:
            return None
        cells, out = record_of(current[NOW], self.game.schema.dtype), records(1, self.outcome)
        flow.advance(cells[0], move, out[0])
        return cells.tobytes(), out.tobytes()


def outcome_type(events: int, moves: int) -> np.dtype[Any]:
    """Return the type of what `flow.describe` writes about a record with room for so many events."""
    fields = [  # of which machine code reads the first three by their place
        ("list_key", np.int64),  # stands for the list of legal moves
        ("events", np.int64),  # how many events the last decision had
        ("event_keys", np.int64, events),  # stand for the events
        ("count", np.int64),  # how many moves are legal
        ("moves", np.int32, moves),
    ]
    return np.dtype(fields, align=True)
