"""What a game is, all in one place: its record, its moves and events, its options, its functions."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from azalai.engine import components, discovery, dispatch
from azalai.engine.errors import BadOption, brief
from azalai.engine.moves import Event, EventTable, Move, MoveTable
from azalai.engine.rule import numbers, records, remove_rules, rule
from azalai.engine.schema import MAX_SEATS, NO_CONCLUSIONS, Schema
from azalai.engine.steps import Steps

if TYPE_CHECKING:
    from azalai.engine.batch import Batch
    from azalai.engine.gpu.batch import DeviceBatch
    from azalai.engine.observe import Feature, Layout
    from azalai.engine.position import Position
    from azalai.engine.svg import Drawing
    from azalai.engine.words import Words


@dataclass(frozen=True)
class Option:
    """A choice made before a game begins: one of `choices`, written by name; the first is the default.

    Where the choices are too many to list, `read` turns what a user wrote into a number and `write` turns it back.
    """

    name: str
    choices: tuple[str, ...] = ()
    read: Callable[[Any, int], int] | None = None  # (what was written, seats) -> number
    write: Callable[[int, int], Any] | None = None  # (number, seats) -> what to write in a record
    default: Any = None  # what is taken where nothing was written, with `read`

    def number(self, value: Any, seats: int) -> int:
        """The number that stands for `value` in the record's header."""
        if self.read is not None:
            return self.read(self.default if value is None else value, seats)
        if value is None:
            return 0
        if value not in self.choices:
            raise BadOption(f"{self.name} must be one of {', '.join(self.choices)}, not {brief(value)}")
        return self.choices.index(value)

    def value(self, number: int, seats: int) -> Any:
        """What a record says for this number."""
        return self.write(number, seats) if self.write is not None else self.choices[number]


Notes = Callable[[Any, Mapping[str, Any]], Mapping[str, Any]]  # from a concealed record, and from the same as plain numbers


@dataclass(frozen=True)
class Wording:
    """Sentences that depend on a position, as whoever reads them may know it. What is missing or None, the words file says."""

    question: Callable[[Position, Words], str] | None = None  # what the seat to decide is asked
    move: Callable[[Position | None, Move, Words], str | None] | None = None  # what a move does; the position may not be at hand
    event: Callable[[Event, Words], str] | None = None  # what happened
    ending: Callable[[Position, Words], str] | None = None  # how the game ended, and what decided between equals


@dataclass(frozen=True)
class EarlierRules:
    """How the present rules replay a record that was played by an earlier version of them."""

    is_settled: Callable[[Position, Move], bool]  # whether the decision is one that nobody is asked for any more
    differs: Callable[[Position], bool]  # whether the two versions part here, so that the record cannot be replayed


@dataclass(frozen=True, eq=False)
class Game:
    """A game and its rules. `azalai.game(name)` gives one; `game.new(...)` starts playing."""

    name: str
    rules: int  # rises only when behaviour changes
    package: str  # the name its folder is imported by; the engine finds all its files from there
    seats: range
    schema: Schema
    moves: MoveTable
    events: EventTable
    phases: tuple[str, ...]  # names of the numbers in `phase`
    ends: tuple[str, ...]  # names of the ways to end; `over` is 1 for the first
    max_moves: int  # the most moves that can be legal at once
    longest: int  # no game has more decisions than this
    functions: Mapping[str, Callable[..., Any]]
    seat_labels: Callable[[int], tuple[str, ...]]  # the players' colours or names, for a number of seats
    options: tuple[Option, ...] = ()
    invariants: tuple[str, ...] = ()  # what `invariant` checks, in words; number 1 is the first
    secrets: bool = True  # False where every seat may know all but what chance will bring
    notes: Notes | None = None  # more for a view than the bare fields
    features: tuple[Feature, ...] = ()  # what an observation tells, see engine/observe.py
    conclusions: Schema = NO_CONCLUSIONS  # what `conclude` writes, for features to tell of
    beliefs: Mapping[str, Any] = field(default_factory=dict)  # what `believe` writes beside the weights, as it is before
    drawing: Callable[[Position, Words], Drawing] | None = None  # a schematic picture, see engine/svg.py
    wording: Wording = Wording()
    earlier: Mapping[int, EarlierRules] = field(default_factory=dict)  # by rules version
    steps: Steps = field(init=False)

    def __post_init__(self) -> None:
        functions: dict[str, Callable[..., Any]] = {
            "candidates": self.functions["legal"],
            "likelihood": _untold,
            "chapter": _only_chapter,
            "believe": _believe_nothing,
            "conclude": _conclude_nothing,
            "invariant": _always_holds,
        }
        functions.update(self.functions)
        missing = set(dispatch.STUBS) - set(functions)
        if missing:
            raise ValueError(f"{self.name} does not provide {', '.join(sorted(missing))}")
        for dtype in (self.schema.dtype, self.schema.without_events):
            dispatch.register(dtype, functions)
        object.__setattr__(self, "steps", Steps(self))

    def new(self, seats: int | None = None, seed: int | None = None, **options: Any) -> Position:
        """A new game. Without a seed one is drawn; with the same seed and options it is the same game everywhere."""
        from azalai.engine.position import Position

        return Position.begin(self, seats, seed, options)

    @overload
    def batch(
        self,
        count: int,
        seats: int | None = None,
        seed: int = 0,
        threads: int = 1,
        device: Literal["cpu"] = "cpu",
        **options: Any,
    ) -> Batch: ...

    @overload
    def batch(
        self, count: int, seats: int | None = None, seed: int = 0, *, device: str, events: bool = True, **options: Any
    ) -> DeviceBatch: ...

    def batch(
        self,
        count: int,
        seats: int | None = None,
        seed: int = 0,
        threads: int = 1,
        device: str = "cpu",
        events: bool = True,
        **options: Any,
    ) -> Batch | DeviceBatch:
        """`count` games in one array, for programs that play many at once; with `device="cuda"` on a GPU.

        There, `events=False` leaves the buffer of events out of the records.
        """
        if device != "cpu":
            from azalai.engine.gpu.batch import DeviceBatch

            return DeviceBatch(self, count, seats, seed, device, events, options)
        from azalai.engine.batch import Batch

        return Batch(self, count, seats, seed, threads, options)

    @cached_property
    def observation(self) -> Layout:
        """How this game's observations are laid out: named slices, their sizes and meanings.

        `observation.with_conclusions` is the layout of those that ask for conclusions.
        """
        from azalai.engine.observe import Layout

        return Layout(self)

    @cached_property
    def packed_observation(self) -> Layout:
        """The same for observations as bits."""
        from azalai.engine.observe import Layout

        return Layout(self, packed=True)

    @cached_property
    def weights(self) -> Any:
        """What `evaluate` weighs things with: one record, its fields named as in the game's data file `weights.toml`.

        Its last fields are the beliefs of a search: nobody believes anything here.
        """
        path = self.extras / "weights.toml"
        return weights_of({**(tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}), **self.beliefs})

    def check_seats(self, seats: int | None) -> int:
        """The number of seats asked for, or the usual one; raises BadOption for one the game is not made for."""
        if seats is None:
            return self.seats[0]
        if seats not in self.seats:
            few, many = self.seats[0], self.seats[-1]
            raise BadOption(f"{self.name} is for {few if few == many else f'{few} to {many}'} players, not {brief(seats)}")
        return int(seats)

    def header(self, s: Any, seats: int | None, options: Mapping[str, Any]) -> None:
        """Set seats and options in a blank record, before `begin`."""
        count = self.check_seats(seats)
        known = [option.name for option in self.options]
        for name in options:
            if name not in known:
                raise BadOption(f"{self.name} has no option {brief(name)}; it has {', '.join(known) or 'none'}")
        chosen = [option.number(options.get(option.name), count) for option in self.options]
        s.seats = count
        for index, number in enumerate(chosen):
            s.options[index] = number

    def options_of(self, s: Any) -> dict[str, Any]:
        """The options written in a record's header, by name."""
        return self.named_options(s.options.tolist(), int(s.seats))

    def named_options(self, numbers: Sequence[int], seats: int) -> dict[str, Any]:
        """The options that stand in a header as `numbers`, by name."""
        return {option.name: option.value(number, seats) for option, number in zip(self.options, numbers)}

    def move_buffer(self) -> Any:
        """An array that `legal` can write into."""
        return numbers(self.max_moves)

    @cached_property
    def folder(self) -> Path:
        """Where the game's files are."""
        return components.folder_of(self.package)

    @property
    def extras(self) -> Path:
        """The folder of what is never compiled: words, help, drawing, levels, weights."""
        return self.folder / "extras"

    @property
    def variant(self) -> str:
        """The number of the variant; empty for a game as it comes."""
        return components.variant_of(self.package)

    @property
    def changes(self) -> dict[str, Any]:
        """The components that a variant has changed; nothing for a game as it comes."""
        return components.changes_of(self.package)

    @property
    def components(self) -> dict[str, Any]:
        """The game's tables of components: those of its data file, with the changes of a variant."""
        return components.load_components(self.package)

    def __repr__(self) -> str:
        return f"azalai.game({self.name!r})" if not self.variant else f"azalai.game({self.name!r}, components={self.changes!r})"


def load_game(name: str, changes: Mapping[str, Any] | None = None) -> Game:
    """An installed game by its name, or its variant with some components changed. Nothing is compiled yet."""
    found = discovery.find(name)
    package = components.import_variant(found, changes) if changes else found.package
    game: Game = importlib.import_module(package).GAME
    return game


def unload_variant(game: Game) -> None:
    """Forget a variant that nobody plays any more, so that its memory can be freed: its modules, rules and types of records."""
    from azalai.engine.position import clear_workplaces

    assert game.variant
    clear_workplaces(game)
    for dtype in (game.schema.dtype, game.schema.without_events):
        dispatch.unregister(dtype)
    remove_rules(game.package)
    components.remove_variant(game.package)


def weights_of(table: Mapping[str, Any]) -> Any:
    """One record with the numbers and lists of numbers of `table`."""
    values = {name: np.asarray(value, np.float64) for name, value in table.items()} or {"none": np.zeros(())}
    cells = records(1, np.dtype([(name, np.float64, value.shape) for name, value in values.items()]))
    for name, value in values.items():
        cells[name] = value
    return cells


def score_buffer() -> np.ndarray[Any, Any]:
    """An array that `score` can write into: points, place and the key that decides the place, per seat."""
    buffer: np.ndarray[Any, Any] = numbers((MAX_SEATS, 3), np.int64)
    return buffer


@rule
def _untold(s: Any, seat: Any, thorough: Any) -> Any:
    return 1.0


@rule
def _only_chapter(s: Any) -> Any:
    return 0


@rule
def _believe_nothing(s: Any, share: Any, w: Any) -> None:
    return


@rule
def _conclude_nothing(s: Any, seat: Any, out: Any) -> None:
    pass


@rule
def _always_holds(s: Any) -> Any:
    return 0
