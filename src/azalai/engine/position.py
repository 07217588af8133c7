"""One game in play, as a Python programmer holds it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from azalai.engine import flow
from azalai.engine.errors import BadOption, IllegalMove, brief
from azalai.engine.game import Game, score_buffer
from azalai.engine.moves import Event, Move
from azalai.engine.rule import duplicate, records
from azalai.engine.schema import MAX_SEATS, TO_ALL

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


class _Buffers(threading.local):
    """Arrays, for each thread, that rules write into and that are read at once: to make them takes longer than to fill them."""

    def __init__(self) -> None:
        self.scores = score_buffer()
        self._moves: dict[Game, Any] = {}

    def moves(self, game: Game) -> Any:
        """One for legal moves."""
        found = self._moves.get(game)
        if found is None:
            found = self._moves[game] = game.move_buffer()
        return found


_buffers = _Buffers()


class Position:
    """A game at one moment: ask it for moves, play them, take them back, look at it with a seat's eyes."""

    def __init__(self, game: Game, seed: int | None, cells: Any) -> None:
        self.game = game
        self.seed = seed  # None where the viewer may not know it
        self.viewer: int | None = None  # the seat a concealed position is concealed for; -1 a spectator
        self.history: list[tuple[int, Move]] = []  # (seat, move) of every decision so far
        self._cells = cells  # an array of this one record
        self._past: list[bytes] = []  # the record before every decision in the history

    @classmethod
    def begin(cls, game: Game, seats: int | None, seed: int | None, options: Mapping[str, Any]) -> Self:
        """See `Game.new`."""
        number: Any = secrets.randbits(63) if seed is None else seed
        if not isinstance(number, int | np.integer) or not 0 <= number < SEED_LIMIT:
            raise BadOption(f"a seed is a number from 0 to 2**63 - 1, not {brief(number)}")
        cells = records(1, game.schema.dtype)
        game.header(cells[0], seats, options)
        flow.begin(cells[0], number, 0)
        return cls(game, int(number), cells)

    # ------------------------------------------------------------ looking

    @property
    def state(self) -> Any:
        """The record itself: fields as attributes or by name. Writing to it is for tests and the curious."""
        return self._cells[0]

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self._cells["seats"][0])

    @property
    def seat(self) -> int:
        """The seat whose decision is asked for; with simultaneous choices, one of them."""
        return int(self._cells["seat"][0])

    @property
    def pending(self) -> tuple[int, ...]:
        """All seats that owe a decision now."""
        return SEATS_OF[int(self._cells["pending"][0])]

    @property
    def phase(self) -> str:
        """What kind of decision is asked for."""
        return self.game.phases[int(self._cells["phase"][0])]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._cells["over"][0])

    @property
    def end(self) -> str | None:
        """The way the game ended, or None while it runs."""
        over = int(self._cells["over"][0])
        return self.game.ends[over - 1] if over else None

    @property
    def ply(self) -> int:
        """How many decisions have been made."""
        return int(self._cells["ply"][0])

    @property
    def options(self) -> dict[str, Any]:
        """The options this game is played with."""
        return self.game.options_of(self._cells[0])

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
        out = _buffers.scores
        flow.score_first(self._cells, out)
        table = out[: self.seats].tolist()
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
        rows: list[list[int]] = self._cells["events"][0][: int(self._cells["event_count"][0])].tolist()
        return rows

    @property
    def unfinished(self) -> bool:
        """Whether the seat to decide is in the middle of a move made of several decisions."""
        return bool(self._cells["unfinished"][0])

    @property
    def revealed(self) -> bool:
        """Whether the last decision brought something to light: chance, or what was hidden."""
        return bool(self._cells["revealed"][0])

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

    def observe(self, seat: int | None = None) -> np.ndarray[Any, Any]:
        """What `seat`, or without one the seat to decide, may know, as the numbers that `game.observation` describes."""
        from azalai.engine.observer import observe_record

        viewer = self.seat if seat is None else seat
        return observe_record(self.game, self.seen_by(viewer)._cells, viewer)

    def seen_by(self, seat: int | None) -> Position:
        """This position with everything blanked that `seat` may not know; None is a spectator. This is what a bot is given.

        Where several seats owe a decision and `seat` is one of them, it is the one to decide there.
        """
        viewer = -1 if seat is None else self._check_seat(seat)
        if self.viewer is not None:
            if self.viewer != viewer:
                raise ValueError("a concealed position can only be seen by the seat it is concealed for")
            return self
        seen = Position(self.game, None, duplicate(self._cells))
        flow.conceal_first(seen._cells, viewer)
        if viewer in self.pending:
            seen._cells["seat"][0] = viewer
        seen.viewer = viewer
        return seen

    def imagine(self, seed: int) -> Position:
        """Of a concealed position: one whole position that its viewer cannot tell from the true one, for look-ahead."""
        if self.viewer is None:
            raise ValueError("only a concealed position leaves something to imagine: use seen_by(seat) first")
        whole = Position(self.game, None, duplicate(self._cells))
        flow.imagine(whole._cells[0], self.viewer, seed)
        return whole

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
        return [self.game.moves[number] for number in self.move_ids(seat)]

    def move_ids(self, seat: int | None = None) -> list[int]:
        """The ids of the legal moves."""
        if self.over:
            return []
        out = _buffers.moves(self.game)
        count = flow.legal_first(self._asked(seat), out)
        numbers: list[int] = out[:count].tolist()
        return numbers

    def play(self, move: Move | int | str, seat: int | None = None) -> list[Event]:
        """Make a decision: a Move, its id or its text. Returns what happened. An illegal one raises and changes nothing."""
        if self.viewer is not None:
            raise IllegalMove("a concealed position cannot be played on; imagine(seed) gives one that can")
        if self.over:
            raise IllegalMove("the game is over")
        chosen = self._find(move)
        asked = self._asked(seat)
        if not flow.decide_first(asked, chosen.id, _buffers.moves(self.game)):
            raise IllegalMove(self._refusal(chosen, seat))
        decider = self.seat if seat is None else seat
        self._past.append(self._cells.tobytes())
        self.history.append((decider, chosen))
        self._cells = asked
        return self.events

    def undo(self) -> Move:
        """Take the last decision back and return it."""
        if not self.history:
            raise IllegalMove("there is no decision to take back")
        self._restore(self._past.pop())
        return self.history.pop()[1]

    @property
    def takes_back(self) -> bool:
        """Whether undoing the last decision takes back no chance and no secret: what a table of players would allow."""
        return bool(self.history) and not self.revealed

    def copy(self) -> Position:
        """A twin that goes its own way."""
        twin = Position(self.game, self.seed, duplicate(self._cells))
        twin.viewer = self.viewer
        twin.history = self.history.copy()
        twin._past = self._past.copy()
        return twin

    def before(self, decisions: int) -> Position:
        """The position as it was when only so many decisions of its history had been made."""
        earlier = self.copy()
        if decisions < len(self.history):
            earlier._restore(self._past[decisions])
            del earlier.history[decisions:], earlier._past[decisions:]
        return earlier

    # ------------------------------------------------------------ bytes and comparison

    def tobytes(self) -> bytes:
        """The whole record as bytes."""
        return bytes(self._cells.tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and self.tobytes() == other.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a position changes as it is played

    def __repr__(self) -> str:
        doing = f"over ({self.end})" if self.over else f"{self.phase}, seat {self.seat} to decide"
        return f"<{self.game.name}, {self.seats} seats, ply {self.ply}: {doing}>"

    # ------------------------------------------------------------ inside

    def _restore(self, content: bytes) -> None:
        cells = records(1, self.game.schema.dtype)
        cells.view(np.uint8)[:] = np.frombuffer(content, np.uint8)
        self._cells = cells

    def _check_seat(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise BadOption(f"there is no seat {brief(seat)}; seats go from 0 to {self.seats - 1}")
        return int(seat)

    def _find(self, move: Move | int | str) -> Move:
        if isinstance(move, str):
            return self.game.moves.parse(move)
        return self.game.moves[move.id if isinstance(move, Move) else int(move)]

    def _asked(self, seat: int | None) -> Any:
        """A copy of the record in which `seat` is the one to decide."""
        cells = duplicate(self._cells)
        if seat is not None and seat != self.seat:
            if self._check_seat(seat) not in self.pending:
                raise IllegalMove(f"seat {seat} has nothing to decide now; asked are {', '.join(map(str, self.pending))}")
            cells["seat"][0] = seat
        return cells

    def _refusal(self, move: Move, seat: int | None) -> str:
        legal = [str(one) for one in self.moves(seat)]
        return f"{str(move)!r} is not possible here; possible: {', '.join(legal[:12])}{', …' if len(legal) > 12 else ''}"
