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
from azalai.engine.rule import RuleEntry, record_of, records
from azalai.engine.schema import HEADER_OFFSETS, MAX_SEATS, TO_ALL
from azalai.engine.steps import LEGAL, NOW, PAST, Current, Legal

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


class _Workplace:
    """Where one thread lets rules work on positions of one game: memory, and ways into the rules."""

    __slots__ = ("cells", "conceal", "game", "memory", "observers", "score", "scores")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.memory = bytearray(game.schema.dtype.itemsize)
        self.cells: Any = np.ndarray(1, game.schema.dtype, self.memory)
        self.scores = score_buffer()
        self.observers: dict[tuple[int, bool], tuple[bytearray, Any]] = {}  # by seats and conclusions: the memory each looks at
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
        self.memory[:] = content
        return self.cells


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

    __slots__ = ("_current", "_lent", "game", "seed", "viewer")

    def __init__(self, game: Game, seed: int | None, content: bytes) -> None:
        self.game = game
        self.seed = seed  # None where the viewer may not know it
        self.viewer: int | None = None  # the seat a concealed position is concealed for; -1 a spectator
        self._current: Current = [content, None, None]
        self._lent: Any = None  # the array whose record was handed out; somebody may write to it, and its memory is `_state[NOW]`

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
            now = bytearray(self._current[NOW])
            self._current = [now, None, self._current[PAST]]
            self._lent = np.ndarray(1, self.game.schema.dtype, now)
        return self._lent[0]

    @property
    def history(self) -> list[tuple[int, Move]]:
        """The seat and the move of every decision so far."""
        found, past = [], self._current[PAST]
        while past is not None:
            past, content, move, *named = past
            found.append((named[0] if named else content[_SEAT], move))
        found.reverse()
        return found

    @property
    def last(self) -> tuple[int, Move] | None:
        """The seat and the move of the last decision."""
        past = self._current[PAST]
        if past is None:
            return None
        _, content, move, *named = past
        return named[0] if named else content[_SEAT], move

    @property
    def seats(self) -> int:
        """How many play."""
        now: bytes = self._current[NOW]
        return now[_SEATS]

    @property
    def seat(self) -> int:
        """The seat whose decision is asked for; with simultaneous choices, one of them."""
        now: bytes = self._current[NOW]
        return now[_SEAT]

    @property
    def pending(self) -> tuple[int, ...]:
        """All seats that owe a decision now."""
        now: bytes = self._current[NOW]
        return SEATS_OF[now[_PENDING]]

    @property
    def phase(self) -> str:
        """What kind of decision is asked for."""
        now: bytes = self._current[NOW]
        return self.game.phases[now[_PHASE]]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        now: bytes = self._current[NOW]
        return now[_OVER] != 0

    @property
    def end(self) -> str | None:
        """The way the game ended, or None while it runs."""
        over = self._current[NOW][_OVER]
        return self.game.ends[over - 1] if over else None

    @property
    def ply(self) -> int:
        """How many decisions have been made."""
        return int.from_bytes(self._current[NOW][_PLY], sys.byteorder)

    @property
    def options(self) -> dict[str, Any]:
        """The options this game is played with."""
        return self.game.options_of(record_of(self._current[NOW], self.game.schema.dtype)[0])

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
        work.score.call(work.load(self._current[NOW]), work.scores)
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
        cells = record_of(self._current[NOW], self.game.schema.dtype)
        rows: list[list[int]] = cells["events"][0][: self._current[NOW][_EVENT_COUNT]].tolist()
        return rows

    @property
    def unfinished(self) -> bool:
        """Whether the seat to decide is in the middle of a move made of several decisions."""
        now: bytes = self._current[NOW]
        return now[_UNFINISHED] != 0

    @property
    def revealed(self) -> bool:
        """Whether the last decision brought something to light: chance, or what was hidden."""
        now: bytes = self._current[NOW]
        return now[_REVEALED] != 0

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
        return _workplace(self.game).observe(self.seen_by(viewer)._current[NOW], viewer, conclusions)

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
        work.conceal.call(work.load(self._current[NOW]), viewer)
        if viewer in self.pending:
            work.memory[_SEAT] = viewer
        seen = Position(self.game, None, bytes(work.memory))
        seen.viewer = viewer
        return seen

    def imagine(self, seed: int) -> Position:
        """Of a concealed position: one whole position that its viewer cannot tell from the true one, for look-ahead."""
        if self.viewer is None:
            raise ValueError("only a concealed position leaves something to imagine: use seen_by(seat) first")
        cells = record_of(self._current[NOW], self.game.schema.dtype)
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
        legal = self._current[LEGAL]
        if legal is None or seat is not None:
            legal = self._asked(seat)[LEGAL]
        return [*legal[1]]

    def move_ids(self, seat: int | None = None) -> list[int]:
        """The ids of the legal moves."""
        legal = self._current[LEGAL]
        if legal is None or seat is not None:
            legal = self._asked(seat)[LEGAL]
        return [*legal[0]]

    def play(self, move: Move | int | str, seat: int | None = None) -> list[Event]:
        """Make a decision: a Move, its id or its text. Returns what happened. An illegal one raises and changes nothing."""
        if self.viewer is not None:
            raise IllegalMove("a concealed position cannot be played on; imagine(seed) gives one that can")
        current = self._current
        if seat is not None or self._lent is not None or current[LEGAL] is None:
            current = self._asked(seat)
        number = move.id if move.__class__ is Move else move if move.__class__ is int else self._number(move)
        steps = self.game.steps
        decide = steps.decide  # looked up by itself: Python takes longer to call an attribute that is no method
        events = decide(current, number)
        if events.__class__ is not list:
            if events is None:
                raise IllegalMove(self._refusal(number, current[LEGAL]))
            events = steps.finish(current, number, *events)
        if current is not self._current:
            past, _, chosen = current[PAST]
            current[PAST] = past, bytes(self._current[NOW]), chosen, *([] if seat is None else [seat])
            self._current = current
            self._lent = None
        made: list[Event] = events
        return made

    def undo(self) -> Move:
        """Take the last decision back and return it."""
        if self._current[PAST] is None:
            raise IllegalMove("there is no decision to take back")
        past, content, move, *_ = self._current[PAST]
        self._current = [content, None, past]
        self._lent = None
        taken: Move = move
        return taken

    @property
    def takes_back(self) -> bool:
        """Whether undoing the last decision takes back no chance and no secret: what a table of players would allow."""
        return self._current[PAST] is not None and not self.revealed

    def copy(self) -> Position:
        """A twin that goes its own way."""
        twin = _blank(Position)
        twin.game = self.game
        twin.seed = self.seed
        twin.viewer = self.viewer
        now, legal, past = self._current
        twin._current = [now if self._lent is None else bytes(now), legal, past]
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
        return bytes(self._current[NOW])

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

    def _asked(self, seat: int | None) -> Current:
        """What is current, with the legal moves, where a seat is asked; without a seat, where that of this position is."""
        steps, current = self.game.steps, self._current
        now, past = current[NOW], current[PAST]
        if seat is not None and seat != now[_SEAT] and not now[_OVER]:
            if self._check_seat(seat) not in self.pending:
                raise IllegalMove(f"seat {seat} has nothing to decide now; asked are {', '.join(map(str, self.pending))}")
            return steps.listed([bytes(now[:_SEAT] + bytes((seat,)) + now[_SEAT + 1 :]), None, past])
        if self._lent is not None:
            return steps.listed([bytes(now), None, past])
        return steps.listed(current) if seat is None else steps.listed(current).copy()

    def _refusal(self, number: int, legal: Legal) -> str:
        move = self.game.moves[number]  # raises, where there is none
        if self.over:
            return "the game is over"
        some = ", ".join([str(one) for one in legal[1][:12]])
        return f"{str(move)!r} is not possible here; possible: {some}{', …' if len(legal[1]) > 12 else ''}"


_blank = Position.__new__
