"""Moves, events, phases and ends by name.

A game declares each of these once, as an enum whose members its rules use directly:

    class Moves(MoveEnum):
        SETTLE = kind(field=FIELD)
        DONE = kind()

A kind of move has arguments, each from a domain of values. Every possible move gets a small integer: `Moves.SETTLE + field` is
the move `settle` for that field. `MoveTable` translates between integers (what rules and arrays use), names and arguments (what
programs use) and short text such as `settle c4` (what people and files use). Events are declared the same way, but never parsed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

from azalai.engine.errors import IllegalMove, brief


@dataclass(frozen=True)
class Domain:
    """A set of values: `labels[i]` is the text of value `first + i`. `named` ones have a name in every language."""

    name: str
    labels: tuple[str, ...]
    first: int = 0
    named: bool = True

    def __len__(self) -> int:
        return len(self.labels)

    def label(self, value: int) -> str:
        """The text of a value; `?` for one that is not known."""
        index = value - self.first
        return self.labels[index] if 0 <= index < len(self.labels) else "?"

    def value(self, label: str) -> int | None:
        """The value of a text, or None where no value is written so."""
        index = self._index.get(label.lower())
        return None if index is None else index + self.first

    @functools.cached_property
    def _index(self) -> dict[str, int]:
        return {label.lower(): index for index, label in enumerate(self.labels)}


def names(name: str, *labels: str) -> Domain:
    """Values 0, 1, … with a label each, which words files translate."""
    return Domain(name, labels)


def span(name: str, first: int, last: int) -> Domain:
    """The numbers from `first` to `last`."""
    return Domain(name, tuple(str(n) for n in range(first, last + 1)), first, named=False)


SEAT = Domain("seat", tuple(str(n) for n in range(5)))


@dataclass(frozen=True)
class Kind:
    """One kind of move or event: its name and its arguments."""

    name: str
    args: tuple[tuple[str, Domain], ...]
    base: int  # the id of its first move; for events the kind's own number
    count: int  # how many moves are of this kind


def kind(**args: Domain) -> dict[str, Domain]:
    """Declare the arguments of a kind of move or event: `TO = kind(field=FIELD)`."""
    for name, domain in args.items():
        if not isinstance(domain, Domain):
            raise TypeError(f"argument {name!r} needs a domain: an enum member above may have the domain's name")
    return args


class MoveEnum(IntEnum):
    """The kinds of moves of a game. A member's value is the id of its first move; the last argument counts fastest."""

    args: dict[str, Domain]
    count: int

    def __new__(cls, args: dict[str, Domain]) -> Self:
        """Number the member after all moves of the kinds before it."""
        value = sum(one.count for one in cls)
        member = int.__new__(cls, value)
        member._value_ = value
        member.args = args
        member.count = math.prod(len(domain) for domain in args.values())
        return member

    @classmethod
    def table(cls) -> MoveTable:
        """All moves of these kinds."""
        return MoveTable(Kind(one.name.lower(), tuple(one.args.items()), one.value, one.count) for one in cls)


class EventEnum(IntEnum):
    """The kinds of events of a game, numbered from 0, with at most four arguments."""

    args: dict[str, Domain]

    def __new__(cls, args: dict[str, Domain]) -> Self:
        """Number the member after those before it."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.args = args
        if len(args) > 4:
            raise ValueError(f"an event has at most four arguments, not {', '.join(args)}")
        return member

    @classmethod
    def table(cls) -> EventTable:
        """All these kinds of events."""
        return EventTable(Kind(one.name.lower(), tuple(one.args.items()), one.value, 1) for one in cls)


class PhaseEnum(IntEnum):
    """The kinds of decisions of a game: `SETTLING = auto()`, numbered from 0."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[Any]) -> int:
        return count

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """How views and words call them."""
        return tuple(one.name.lower() for one in cls)


class EndEnum(IntEnum):
    """The ways a game can end: `LAST_ROUND = auto()`, numbered from 1; `over` is 0 while the game runs."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """How views and words call them."""
        return tuple(one.name.lower().replace("_", " ") for one in cls)


@dataclass(frozen=True)
class Move:
    """One decision. `str(move)` is its short text; `args` has the values by name."""

    id: int
    name: str
    args: dict[str, int]
    text: str

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return self.id


class MoveTable:
    """All moves of a game."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.kinds = {one.name: one for one in kinds}
        self.count = sum(one.count for one in self.kinds.values())
        self._decoded: dict[int, Move] = {}
        self._by_text: dict[str, Move] = {}  # the same, by what they read when well written

    def encode(self, name: str, *values: int) -> int:
        """The id of a move from its kind and the values of its arguments."""
        one = self.kinds[name]
        index = 0
        for (_, domain), value in zip(one.args, values, strict=True):
            index = index * len(domain) + value - domain.first
        return one.base + index

    def __getitem__(self, number: int) -> Move:
        """The move with this id."""
        move = self._decoded.get(number)
        if move is None:
            move = self._decoded[number] = self._decode(number)
            self._by_text[move.text] = move
        return move

    def _decode(self, number: int) -> Move:
        if not 0 <= number < self.count:
            raise IllegalMove(f"there is no move {brief(number)}; ids go from 0 to {self.count - 1}")
        one = next(one for one in self.kinds.values() if one.base <= number < one.base + one.count)
        rest = number - one.base
        values: list[int] = []
        for _, domain in reversed(one.args):
            rest, digit = divmod(rest, len(domain))
            values.append(digit + domain.first)
        args = {name: value for (name, _), value in zip(one.args, reversed(values), strict=True)}
        text = " ".join([one.name, *(domain.label(args[name]) for name, domain in one.args)])
        return Move(number, one.name, args, text)

    def parse(self, text: str) -> Move:
        """The move written as `text`, such as `to c4`. Raises IllegalMove with what would be right."""
        known = self._by_text.get(text)
        if known is not None:
            return known
        words = text.split()
        if not words:
            raise IllegalMove("an empty text is no move")
        one = self.kinds.get(words[0].lower())
        if one is None:
            raise IllegalMove(f"there is no move called {brief(words[0])}; there are {', '.join(self.kinds)}")
        if len(words) - 1 != len(one.args):
            raise IllegalMove(f"{brief(text)} should read {self.pattern(one.name)!r}")
        values = []
        for (name, domain), word in zip(one.args, words[1:], strict=True):
            value = domain.value(word)
            if value is None:
                some = ", ".join(domain.labels[:8]) + (", …" if len(domain) > 8 else "")
                raise IllegalMove(f"{brief(word)} is no {name.replace('_', ' ')}: {some}")
            values.append(value)
        return self[self.encode(one.name, *values)]

    def pattern(self, name: str) -> str:
        """How a kind of move is written: `to FIELD`."""
        return " ".join([name, *(arg.upper() for arg, _ in self.kinds[name].args)])


@dataclass(frozen=True)
class Event:
    """Something that happened. `args` has the values by name; an argument that does not apply is missing."""

    kind: str
    args: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"kind": self.kind, **self.args}


class EventTable:
    """All kinds of events of a game."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.kinds = {one.name: one for one in kinds}
        self._by_code = list(self.kinds.values())

    def decode(self, rows: Sequence[Sequence[int]]) -> Iterator[Event]:
        """Events from the rows of a record's buffer."""
        for code, _, *values in rows:
            one = self._by_code[code]
            args = {name: value for (name, _), value in zip(one.args, values, strict=False) if value != -1}
            yield Event(one.name, args)
