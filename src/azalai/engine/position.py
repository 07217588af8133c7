"""One game in play, as a Python programmer holds it."""

from __future__ import annotations

import secrets
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self
from weakref import WeakValueDictionary

import numpy as np

from azalai.engine import flow
from azalai.engine.errors import BadOption, IllegalMove, brief
from azalai.engine.game import Game, score_buffer
from azalai.engine.moves import Event, Move
from azalai.engine.rule import RuleEntry, numbers, record_of, records
from azalai.engine.schema import EVENT_WIDTH, HEADER_OFFSETS, MAX_SEATS, TO_ALL

SEED_LIMIT = 1 << 63
SEATS_OF = [tuple(seat for seat in range(MAX_SEATS) if bits >> seat & 1) for bits in range(1 << MAX_SEATS)]


def compile_tasks(game: Game) -> Sequence[Callable[[], Any]]:
    """What calls every rule that a position calls."""
    position = Position.begin(game, None, 1, {})
    return [
        lambda: Position.begin(game, None, 1, {}),
        position.move_ids,
        lambda: position.copy().play(position.move_ids()[0]),
        lambda: position.scores,
        lambda: position.seen_by(0),
        lambda: position.seen_by(0).imagine(1),
    ]


# Where the header's numbers of one byte lie in a record. What is counted in more than a byte is never above 255.
_SEATS, _SEAT, _PENDING, _PHASE = (HEADER_OFFSETS[name] for name in ("seats", "seat", "pending", "phase"))
_OVER, _UNFINISHED, _REVEALED = (HEADER_OFFSETS[name] for name in ("over", "unfinished", "revealed"))
_EVENT_COUNT = HEADER_OFFSETS["event_count"] + (sys.byteorder == "big")
_PLY = slice(HEADER_OFFSETS["ply"], HEADER_OFFSETS["ply"] + 4)
_EVENT_BYTES = 2 * EVENT_WIDTH
_MANY = 4096  # lists of moves, and of events, that are kept

Legal = dict[int, Move]  # legal moves by their ids, in the order in which the rules list them


class _Workplace:
    """Where one thread lets rules work on positions of one game: memory, and ways into the rules."""

    __slots__ = (
        "cells", "conceal", "event_lists", "events_at", "game", "holds", "legal_lists", "listing", "memory", "moves",
        "observers", "score", "scores", "step",
    )  # fmt: skip

    def __init__(self, game: Game) -> None:
        self.game = game
        self.memory = bytearray(game.schema.dtype.itemsize)
        self.cells: Any = np.ndarray(1, game.schema.dtype, self.memory)
        self.holds: Any = None  # the content that the memory has just now
        self.moves = numbers(game.max_moves + 1)
        self.scores = score_buffer()
        self.events_at = int(game.schema.dtype.fields["events"][1])  # type: ignore[index]
        self.legal_lists: dict[int, Legal] = {}  # by the number that stands for a list
        self.event_lists: dict[bytes, list[Event]] = {}  # by what the record says
        self.observers: dict[tuple[int, bool], tuple[bytearray, Any]] = {}  # by seats and conclusions: the memory each looks at
        self.listing, self.step = RuleEntry(flow.list_first), RuleEntry(flow.step_first)
        self.score, self.conceal = RuleEntry(flow.score_first), RuleEntry(flow.conceal_first)

    def observe(self, content: bytes | bytearray, seat: int, conclusions: bool) -> np.ndarray[Any, Any]:
        """Return what `seat` may know of a record that is concealed for it, in an array of its own."""
        from azalai.engine.encode import layout_for
        from azalai.engine.observer import Observer
        from azalai.engine.worker_pool import WorkerPool

        found = self.observers.get((content[_SEATS], conclusions))
        if found is None:
            memory = bytearray(content)
            cells: Any = np.ndarray(1, self.game.schema.dtype, memory)
            found = memory, Observer(self.game, cells, WorkerPool(1, 1), conclusions)
            self.observers[content[_SEATS], conclusions] = found
        memory, observer = found
        memory[:] = content
        size = layout_for(self.game, "float32", conclusions).size
        tensor: np.ndarray[Any, Any] = observer.write(seat, np.empty((1, size), np.float32))[0]
        return tensor

    def load(self, content: bytes | bytearray) -> Any:
        """Return an array of one record with this content, for rules to work on."""
        if self.holds is not content or content.__class__ is not bytes:
            self.memory[:] = content
        self.holds = None
        return self.cells

    def legal(self, key: int) -> Legal:
        """Return the moves that `list_first` has just listed."""
        if len(self.legal_lists) >= _MANY:
            self.legal_lists.clear()
        table = self.game.moves
        found = self.legal_lists[key] = {number: table[number] for number in self.moves[1 : 1 + self.moves[0]].tolist()}
        return found

    def events(self, content: bytes) -> list[Event]:
        """Return the events written so in a record."""
        if len(self.event_lists) >= _MANY:
            self.event_lists.clear()
        rows = np.frombuffer(content, np.int16).reshape(-1, EVENT_WIDTH).tolist()
        found = self.event_lists[content] = list(self.game.events.decode(rows))
        return found


class _ByGame(dict[Game, _Workplace]):
    """The workplaces of a thread, by game."""


class _Workplaces(threading.local):
    """The workplaces of this thread."""

    def __init__(self) -> None:
        self.by_game = _ByGame()
        _of_threads[id(self.by_game)] = self.by_game


_of_threads: WeakValueDictionary[int, _ByGame] = WeakValueDictionary()
_here = _Workplaces()


def clear_workplaces(game: Game) -> None:
    """Let no thread keep anything to work on a game that is unloaded."""
    for by_game in list(_of_threads.values()):
        by_game.pop(game, None)


def _workplace(game: Game) -> _Workplace:
    found = _here.by_game.get(game)
    if found is None:
        found = _here.by_game[game] = _Workplace(game)
    return found


class Position:
    """A game at one moment: ask it for moves, play them, take them back, look at it with a seat's eyes.

    A position is the content of its record, which never changes; a decision puts another in its place. So copies share it.
    """

    __slots__ = ("_legal", "_lent", "_now", "_past", "game", "seed", "viewer")

    def __init__(self, game: Game, seed: int | None, content: bytes) -> None:
        self.game = game
        self.seed = seed  # None where the viewer may not know it
        self.viewer: int | None = None  # the seat a concealed position is concealed for; -1 a spectator
        self._now: bytes | bytearray = content  # the record
        self._past: Any = None  # before the last decision: (the past of that, the record, the move, the seat if it was named)
        self._legal: Legal | None = None  # of the seat to decide, if they are known
        self._lent: Any = None  # the array whose record was handed out; somebody may write to it, and `_now` is its memory

    @classmethod
    def begin(cls, game: Game, seats: int | None, seed: int | None, options: Mapping[str, Any]) -> Self:
        """See `Game.new`."""
        number: Any = secrets.randbits(63) if seed is None else seed
        if not isinstance(number, int | np.integer) or not 0 <= number < SEED_LIMIT:
            raise BadOption(f"a seed is a number from 0 to 2**63 - 1, not {brief(number)}")
        cells = records(1, game.schema.dtype)
        game.header(cells[0], seats, options)
        flow.begin(cells[0], number, 0)
        return cls(game, int(number), cells.tobytes())

    # ------------------------------------------------------------ looking

    @property
    def state(self) -> Any:
        """The record itself: fields as attributes or by name. Writing to it is for tests and the curious."""
        if self._lent is None:
            self._now = bytearray(self._now)
            self._lent = np.ndarray(1, self.game.schema.dtype, self._now)
            self._legal = None
        return self._lent[0]

    @property
    def history(self) -> list[tuple[int, Move]]:
        """The seat and the move of every decision so far."""
        found, past = [], self._past
        while past is not None:
            past, content, move, seat = past
            found.append((content[_SEAT] if seat is None else seat, move))
        found.reverse()
        return found

    @property
    def last(self) -> tuple[int, Move] | None:
        """The seat and the move of the last decision."""
        if self._past is None:
            return None
        _, content, move, seat = self._past
        return content[_SEAT] if seat is None else seat, move

    @property
    def seats(self) -> int:
        """How many play."""
        return self._now[_SEATS]

    @property
    def seat(self) -> int:
        """The seat whose decision is asked for; with simultaneous choices, one of them."""
        return self._now[_SEAT]

    @property
    def pending(self) -> tuple[int, ...]:
        """All seats that owe a decision now."""
        return SEATS_OF[self._now[_PENDING]]

    @property
    def phase(self) -> str:
        """What kind of decision is asked for."""
        return self.game.phases[self._now[_PHASE]]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._now[_OVER] != 0

    @property
    def end(self) -> str | None:
        """The way the game ended, or None while it runs."""
        over = self._now[_OVER]
        return self.game.ends[over - 1] if over else None

    @property
    def ply(self) -> int:
        """How many decisions have been made."""
        return int.from_bytes(self._now[_PLY], sys.byteorder)

    @property
    def options(self) -> dict[str, Any]:
        """The options this game is played with."""
        return self.game.options_of(record_of(self._now, self.game.schema.dtype)[0])

    @property
    def seat_labels(self) -> tuple[str, ...]:
        """What the seats are called: colours, mostly."""
        return self.game.seat_labels(self.seats)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points per seat: final when the game is over, else as things stand."""
        return self._score()[0]

    @property
    def ranking(self) -> tuple[int, ...]:
        """Place per seat, 1 = winner; those who tie share a place."""
        return self._score()[1]

    def _score(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        work = _workplace(self.game)
        work.score.call(work.load(self._now), work.scores)
        table = work.scores[: self.seats].tolist()
        return tuple(row[0] for row in table), tuple(row[1] for row in table)

    @property
    def events(self) -> list[Event]:
        """What the last decision brought about (at the start: what the deal did)."""
        return list(self.game.events.decode(self._event_rows()))

    @property
    def public(self) -> bool:
        """Whether everybody may see all that the last decision brought about."""
        return all(audience == TO_ALL for _, audience, *_ in self._event_rows())

    def _event_rows(self) -> list[list[int]]:
        cells = record_of(self._now, self.game.schema.dtype)
        rows: list[list[int]] = cells["events"][0][: self._now[_EVENT_COUNT]].tolist()
        return rows

    @property
    def unfinished(self) -> bool:
        """Whether the seat to decide is in the middle of a move made of several decisions."""
        return self._now[_UNFINISHED] != 0

    @property
    def revealed(self) -> bool:
        """Whether the last decision brought something to light: chance, or what was hidden."""
        return self._now[_REVEALED] != 0

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What `seat` may know, as plain numbers and lists; without a seat, what a spectator may know."""
        seen, game = self.seen_by(seat), self.game
        fields = game.schema.plain(seen.tobytes())
        scores, ranking = seen._score()
        notes = game.notes(seen.state, fields) if game.notes is not None else None
        fields["game"] = game.name
        fields["options"] = game.named_options(fields["options"], fields["seats"])
        fields["phase"] = game.phases[fields["phase"]]
        fields["pending"] = list(SEATS_OF[fields["pending"]])
        fields["over"] = game.ends[fields["over"] - 1] if fields["over"] else None
        fields["scores"] = list(scores)
        fields["ranking"] = list(ranking)
        if notes is not None:
            fields["notes"] = notes
        return fields

    def observe(self, seat: int | None = None, conclusions: bool = False) -> np.ndarray[Any, Any]:
        """What `seat`, or without one the seat to decide, may know, as the numbers that `game.observation` describes.

        With `conclusions` those of the game follow, see `Layout.with_conclusions`.
        """
        viewer = self.seat if seat is None else seat
        return _workplace(self.game).observe(self.seen_by(viewer)._now, viewer, conclusions)

    def seen_by(self, seat: int | None) -> Position:
        """This position with everything blanked that `seat` may not know; None is a spectator. This is what a bot is given.

        Where several seats owe a decision and `seat` is one of them, it is the one to decide there.
        """
        viewer = -1 if seat is None else self._check_seat(seat)
        if self.viewer is not None:
            if self.viewer != viewer:
                raise ValueError("a concealed position can only be seen by the seat it is concealed for")
            return self
        work = _workplace(self.game)
        work.conceal.call(work.load(self._now), viewer)
        if viewer in self.pending:
            work.memory[_SEAT] = viewer
        seen = Position(self.game, None, bytes(work.memory))
        seen.viewer = viewer
        return seen

    def imagine(self, seed: int) -> Position:
        """Of a concealed position: one whole position that its viewer cannot tell from the true one, for look-ahead."""
        if self.viewer is None:
            raise ValueError("only a concealed position leaves something to imagine: use seen_by(seat) first")
        cells = record_of(self._now, self.game.schema.dtype)
        flow.imagine(cells[0], self.viewer, seed)
        return Position(self.game, None, cells.tobytes())

    def to_svg(self, theme: str = "auto", language: str = "en") -> str:
        """A schematic drawing, as the text of an SVG file: `light`, `dark`, or by the reader's preference (`auto`).

        Nothing is concealed in it; `seen_by(seat).to_svg()` draws what a seat may know.
        """
        from azalai.engine.svg import draw

        return draw(self, theme, language)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows: the drawing, or where that cannot be shown a line of text."""
        text = {"text/plain": repr(self)}
        return text if self.game.drawing is None else {"image/svg+xml": self.to_svg(), **text}

    # ------------------------------------------------------------ playing

    def moves(self, seat: int | None = None) -> list[Move]:
        """The legal moves of the seat to decide, or of another seat that owes a decision too."""
        return [*(self._legal if seat is None and self._legal is not None else self._list(seat)).values()]

    def move_ids(self, seat: int | None = None) -> list[int]:
        """The ids of the legal moves."""
        return [*(self._legal if seat is None and self._legal is not None else self._list(seat))]

    def play(self, move: Move | int | str, seat: int | None = None) -> list[Event]:
        """Make a decision: a Move, its id or its text. Returns what happened. An illegal one raises and changes nothing."""
        if self.viewer is not None:
            raise IllegalMove("a concealed position cannot be played on; imagine(seed) gives one that can")
        now = self._now if self._lent is None else bytes(self._now)
        legal = self._legal
        if legal is None or seat is not None:
            legal = self._list(seat)
        number = move.id if move.__class__ is Move else move if move.__class__ is int else self._number(move)
        chosen = legal.get(number)
        if chosen is None:
            raise IllegalMove(self._refusal(number, legal))
        game = self.game
        work = _here.by_game.get(game) or _workplace(game)
        if work.holds is not now:
            work.memory[:] = now
        work.holds = None  # should the rules fail
        if seat is not None:
            work.memory[_SEAT] = seat
        key = work.step.call(work.cells, number, work.moves)
        after = work.holds = self._now = bytes(work.memory)
        self._lent = None
        self._past = (self._past, now, chosen, seat)
        self._legal = work.legal_lists.get(key) or work.legal(key)
        told = after[work.events_at : work.events_at + _EVENT_BYTES * after[_EVENT_COUNT]]
        return (work.event_lists.get(told) or work.events(told)).copy()

    def undo(self) -> Move:
        """Take the last decision back and return it."""
        if self._past is None:
            raise IllegalMove("there is no decision to take back")
        self._past, self._now, move, _ = self._past
        self._legal = self._lent = None
        taken: Move = move
        return taken

    @property
    def takes_back(self) -> bool:
        """Whether undoing the last decision takes back no chance and no secret: what a table of players would allow."""
        return self._past is not None and not self.revealed

    def copy(self) -> Position:
        """A twin that goes its own way."""
        twin = _blank(Position)
        twin.game = self.game
        twin.seed = self.seed
        twin.viewer = self.viewer
        twin._now = self._now if self._lent is None else bytes(self._now)
        twin._past = self._past
        twin._legal = self._legal
        twin._lent = None
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Position:
        """The same: what a position consists of never changes."""
        return self.copy()

    def before(self, decisions: int) -> Position:
        """The position as it was when only so many decisions of its history had been made."""
        earlier = self.copy()
        for _ in range(len(self.history) - decisions):
            earlier.undo()
        return earlier

    # ------------------------------------------------------------ bytes and comparison

    def tobytes(self) -> bytes:
        """The whole record as bytes."""
        return bytes(self._now)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and self.tobytes() == other.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a position changes as it is played

    def __repr__(self) -> str:
        doing = f"over ({self.end})" if self.over else f"{self.phase}, seat {self.seat} to decide"
        return f"<{self.game.name}, {self.seats} seats, ply {self.ply}: {doing}>"

    # ------------------------------------------------------------ inside

    def _check_seat(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise BadOption(f"there is no seat {brief(seat)}; seats go from 0 to {self.seats - 1}")
        return int(seat)

    def _number(self, move: Any) -> int:
        """The id of a move that is given as its text or as some kind of number."""
        return self.game.moves.parse(move).id if isinstance(move, str) else self.game.moves[int(move)].id

    def _list(self, seat: int | None) -> Legal:
        """The legal moves of a seat."""
        now = self._now
        work = _workplace(self.game)
        other = seat if seat != now[_SEAT] else None
        if other is None and self._legal is not None:
            return self._legal
        cells = work.load(now)
        if other is not None and not now[_OVER]:
            if self._check_seat(other) not in self.pending:
                raise IllegalMove(f"seat {seat} has nothing to decide now; asked are {', '.join(map(str, self.pending))}")
            work.memory[_SEAT] = other
        key = work.listing.call(cells, work.moves)
        found = work.legal_lists.get(key) or work.legal(key)
        if other is None:
            self._legal = found if self._lent is None else None
        return found

    def _refusal(self, number: int, legal: Legal) -> str:
        move = self.game.moves[number]  # raises, where there is none
        if self.over:
            return "the game is over"
        some = ", ".join([str(one) for one in legal.values()][:12])
        return f"{str(move)!r} is not possible here; possible: {some}{', …' if len(legal) > 12 else ''}"


_blank = Position.__new__
