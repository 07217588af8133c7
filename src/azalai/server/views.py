"""Renders tables for viewers. Everything about a game that leaves the server is rendered here, from what the viewer may know."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import orjson

from azalai.engine.position import Position
from azalai.reviews.explain import Line, follow_line
from azalai.server.catalog import Translator, bot_name, translator_for
from azalai.server.errors import ApiError
from azalai.server.table import HUMAN, PLAYING, WAITING, Table

MANY = 20  # plies whose events are worth keeping
CHAT_LINES = 100  # sent to a client that opens a table


class PresenceTracker(Protocol):
    """Tells who is present at a table."""

    def presence(self, table_id: str) -> tuple[set[int], int]:
        """Return the seats whose players are present, and the number of watchers without a seat."""
        ...

    def is_absent(self, table_id: str, seat: int) -> bool:
        """Return whether the seat's player has been away for long."""
        ...


class Viewer(NamedTuple):
    """Who looks at a table: the seat they see as (None: a spectator), their language, their seats and rights."""

    seat: int | None
    language: str
    mine: tuple[int, ...]  # seats they play; once the game is over all that are theirs, also given up
    held: tuple[int, ...] = ()  # seats that are theirs, also while a computer player plays or nobody does
    free: tuple[int, ...] = ()  # seats they may take
    founder: bool = False


def viewer_of(table: Table, guest: str | None, seat: int | None, language: str, spectate: bool = False) -> Viewer:
    """Return a guest's viewer: one of their own seats, or any seat once the game is over."""
    key = guest, seat, language, spectate
    viewer = table.viewers.get(key)
    if viewer is None:
        viewer = _viewer(table, guest, seat, language, spectate)
        if viewer.held and (seat is not None or spectate):  # without a seat of one's choice it depends on who is to decide
            table.viewers[key] = viewer
    return viewer


def _viewer(table: Table, guest: str | None, seat: int | None, language: str, spectate: bool) -> Viewer:
    held = tuple(table.seats_held_by(guest))
    mine = tuple([number for number in held if table.finished or table.seats[number].kind == HUMAN])
    free = tuple(table.seats_to_take(guest))
    founder = guest is not None and guest == table.creator
    if spectate:
        return Viewer(None, language, mine, held, free, founder)
    if seat is None:
        seat = next((one for one in held if one in table.pending), held[0] if held else None)
    elif not 0 <= seat < len(table.seats):
        raise ApiError(404, "no_such_seat", f"there is no seat {seat}; seats go from 0 to {len(table.seats) - 1}")
    elif seat not in held and not table.finished:
        raise ApiError(403, "not_your_seat", f"seat {seat} is not yours to look from")
    return Viewer(seat, language, mine, held, free, founder)


class Snapshot:
    """A table at one time, with rendered parts that viewers share. One is made for every move, so it has slots."""

    __slots__ = ("events", "messages", "presence", "seats", "seen", "shared", "table", "time", "tracker")

    def __init__(self, table: Table, tracker: PresenceTracker, time: int) -> None:
        self.table = table
        self.tracker = tracker
        self.time = time
        self.presence = tracker.presence(table.id)  # the seats whose players are present, and the number of watchers
        self.seen: dict[int | None, Position] = {}  # concealed positions, by seat
        self.shared: dict[tuple[str, int | None], bytes] = {}  # by language and whose position is seen
        self.seats: dict[str, list[dict[str, Any]]] = {}  # by language
        self.events: dict[tuple[str, int | None, int], Any] = {}  # by language, whose events are seen, and the ply before them
        self.messages: dict[tuple[Viewer, int, int | None], bytes] = {}  # by everything a message depends on


def table_json(snapshot: Snapshot, viewer: Viewer, since: int = -1, version: int | None = None) -> bytes:
    """Render the table for a viewer, with the events after ply `since` and those taken back after `version`.

    What several viewers see alike is rendered and encoded once: the beginning of the JSON object.
    """
    table = snapshot.table
    translator = translator_for(table.game, len(table.seats), viewer.language)
    start = min(since, table.ply)
    if version is not None:
        start = table.valid_ply(version, start)
    eyes = viewer.seat if table.game.secrets else None  # in a game without secrets all see the same position
    seen = _seen(snapshot, eyes)
    shared = snapshot.shared.get((viewer.language, eyes))
    if shared is None:
        moved = {**_moved(snapshot, translator), **position_view(seen, eyes, translator)}
        shared = b"%b,%b" % (_unmoved(table, translator, viewer.language), orjson.dumps(moved)[1:-1])
        snapshot.shared[viewer.language, eyes] = shared
    own = {
        "seat": viewer.seat,
        "seats": _seats(snapshot, viewer, translator),
        "moves": [translator.move(move, seen) for move in legal(table, seen, viewer)],
        "from": start,
        "events": _events_since(snapshot, viewer, eyes, start) if seen is not None else [],
        **_rights(table, viewer),
        "founder": viewer.founder,
        "chat": _chat(table, version) if viewer.held else [],
    }
    return b"%b,%b" % (shared, orjson.dumps(own)[1:])


def _events_since(snapshot: Snapshot, viewer: Viewer, eyes: int | None, start: int) -> Any:
    """Render the events after a ply once for all who see the same."""
    key = viewer.language, eyes, start
    found = snapshot.events.get(key)
    if found is None:
        found = snapshot.events[key] = events(snapshot.table, viewer, start)
    return found


def _unmoved(table: Table, translator: Translator, language: str) -> bytes:
    """Render what neither depends on who looks nor changes by a move: the beginning of the JSON object."""
    found = table.unmoved.get(language)
    if found is None:
        found = table.unmoved[language] = orjson.dumps(_setting(table, translator, language))[:-1]
    return found


def _setting(table: Table, translator: Translator, language: str) -> dict[str, Any]:
    return {
        "type": "table",
        "id": table.id,
        "game": table.game.name,
        "title": translator.title,
        "options": table.options,
        "changes": table.changes,
        "public": table.public,
        "clock": table.setup.get("clock") or {"kind": "none"},
        "deal_known": table.deal_known,
        "rated": table.rated,
        "tournament": table.tournament,
        "time_out": table.setup.get("time_out", "bot"),
        "substitute": {"bot": table.substitute, "name": bot_name(table.substitute, language)},
        "created": table.created,
        "language": language,
    }


def _moved(snapshot: Snapshot, translator: Translator) -> dict[str, Any]:
    """Render what does not depend on who looks, but may change at any time."""
    table = snapshot.table
    return {
        "version": table.number,
        "status": table.status,
        "time": snapshot.time,
        "watchers": snapshot.presence[1],
        "ply": table.ply,
        "pending": table.pending,
        "proposal": _proposal(table),
        "result": _result(table, translator),
        "rematch": table.rematch,
    }


def _proposal(table: Table) -> dict[str, Any] | None:
    proposal = table.proposal
    if proposal is None:
        return None
    return {
        "seat": proposal.seat,
        "to": proposal.to,
        "agreed": sorted(proposal.agreed),
        "needs": [one for one in table.must_agree(proposal.seat, proposal.to) if one not in proposal.agreed],
    }


def _chat(table: Table, version: int | None) -> list[dict[str, Any]]:
    """Render the chat lines after `version`, or the last ones."""
    if not table.chat:
        return []
    if version is None:
        version = table.chat[-CHAT_LINES].number - 1 if len(table.chat) > CHAT_LINES else 0
    return [
        {"number": line.number, "at": line.at, "seat": line.seat, "name": line.name, "text": line.text}
        for line in table.chat
        if line.number > version
    ]


def _seats(snapshot: Snapshot, viewer: Viewer, translator: Translator) -> list[dict[str, Any]]:
    """Render the seats; only `mine` and `free` differ between viewers."""
    seats = snapshot.seats.get(viewer.language)
    if seats is None:
        seats = [_seat(snapshot, number, viewer.language, translator) for number in range(len(snapshot.table.seats))]
        snapshot.seats[viewer.language] = seats
    special = {*viewer.mine, *viewer.free}
    return [
        {**seat, "mine": number in viewer.mine, "free": number in viewer.free} if number in special else seat
        for number, seat in enumerate(seats)
    ]


def _seat(snapshot: Snapshot, number: int, language: str, translator: Translator) -> dict[str, Any]:
    table = snapshot.table
    seat = table.seats[number]
    there = number in snapshot.presence[0]
    return {
        "seat": number,
        "label": translator.words.seat_labels[number],
        "colour": translator.seat_names[number],
        "kind": seat.kind,
        "name": seat.name,
        "bot": seat.bot,
        "bot_name": bot_name(seat.bot, language) if seat.bot else None,
        "mine": False,
        "free": False,
        "connected": there and seat.kind == HUMAN,
        "pending": number in table.pending,
        "resigned": seat.resigned,
        "clock": table.clocks.remaining(number, snapshot.time),
        "away_until": seat.away if seat.away > snapshot.time else None,
        "claimable": table.status == PLAYING
        and seat.kind == HUMAN
        and number in table.pending
        and not there
        and snapshot.tracker.is_absent(table.id, number),
    }


def _seen(snapshot: Snapshot, seat: int | None) -> Position | None:
    """Conceal the position for a seat, or for spectators; None before the game begins."""
    if snapshot.table.position is None:
        return None
    seen = snapshot.seen.get(seat)
    if seen is None:
        seen = snapshot.seen[seat] = snapshot.table.position.seen_by(seat)
    return seen


def position_view(seen: Position | None, seat: int | None, translator: Translator) -> dict[str, Any]:
    """Render a concealed position as a seat sees it."""
    if seen is None:
        return {"phase": None, "question": None, "view": None}
    return {"phase": seen.phase, "question": translator.words.question(seen) or None, "view": seen.view(seat)}


def legal(table: Table, seen: Position | None, viewer: Viewer) -> list[int]:
    """Return the legal moves of the viewer's seat, computed from what the seat has `seen` so that they reveal nothing else."""
    if seen is None or viewer.seat is None or viewer.seat not in viewer.mine or viewer.seat not in table.pending:
        return []
    if not table.game.secrets and table.position is not None:
        return table.position.move_ids(viewer.seat)  # the same, and known since the last move
    return seen.move_ids(viewer.seat)


def _rights(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Render what concerns the viewer alone: take-backs and hints."""
    seat = viewer.seat
    if seat is None or seat not in viewer.mine or table.status != PLAYING:
        return {"undo_to": None, "take_back_to": None, "take_back_needs": [], "hints": False}
    lowest = table.undo_to(seat)
    last = None if table.binding else table.last_decision_of(seat)
    return {
        "undo_to": lowest if lowest < table.ply else None,
        "take_back_to": last,
        "take_back_needs": [] if last is None else table.must_agree(seat, last),
        "hints": not table.binding and (bool(table.setup.get("hints")) or not table.opponents(seat)),
    }


def _result(table: Table, translator: Translator) -> dict[str, Any] | None:
    if not table.finished or table.position is None:
        return None
    scores, ranking = table.result()
    end = table.position.end
    return {
        "end": end or table.ended,
        "text": translator.words.ending(table.position) or None,
        "scores": scores,
        "ranking": ranking,
    }


def events(table: Table, viewer: Viewer, since: int, until: int | None = None) -> Any:
    """Render the events the viewer may see of the decisions after ply `since`. Many are kept, since each costs time."""
    until = table.ply if until is None else until
    if until - since <= MANY:
        return [one for ply in range(since + 1, until + 1) for one in _events_at(table, viewer, ply)]
    kept = table.rendered.setdefault((-1 if viewer.seat is None else viewer.seat, viewer.language), [])
    for ply in range(len(kept), until + 1):
        kept.append(orjson.dumps(_events_at(table, viewer, ply))[1:-1])
    return orjson.Fragment(b"[%b]" % b",".join(filter(None, kept[since + 1 : until + 1])))


def _events_at(table: Table, viewer: Viewer, ply: int) -> list[dict[str, Any]]:
    translator = translator_for(table.game, len(table.seats), viewer.language)
    return [
        {
            "ply": ply,
            "seat": table.steps[ply - table.skipped - 1].seat if ply > table.skipped else None,
            "kind": event.kind,
            "args": event.args,
            "text": translator.event(event),
        }
        for event in table.events_at(ply, -1 if viewer.seat is None else viewer.seat)
    ]


def past_view(table: Table, viewer: Viewer, ply: int) -> dict[str, Any]:
    """Render the table as the viewer saw it after `ply` decisions."""
    if table.status == WAITING or not table.skipped <= ply <= table.ply:
        raise ApiError(404, "no_such_ply", f"there is no ply {ply}; they go from {table.skipped} to {table.ply}")
    seen = table.at_ply(ply).seen_by(viewer.seat)
    return {
        "id": table.id,
        "version": table.number,
        "ply": ply,
        "plies": table.ply,
        "seat": viewer.seat,
        "phase": seen.phase,
        "question": translator_for(table.game, len(table.seats), viewer.language).words.question(seen) or None,
        "pending": list(seen.pending),
        "decision": decision(table, viewer, ply) if table.finished else None,
        "view": seen.view(viewer.seat),
        "events": events(table, viewer, ply - 1, ply),
    }


def decision(table: Table, viewer: Viewer, ply: int) -> dict[str, Any] | None:
    """Render the move that led to `ply`; only for finished tables."""
    if ply <= table.skipped:
        return None
    step = table.steps[ply - table.skipped - 1]
    translator = translator_for(table.game, len(table.seats), viewer.language)
    return {
        "seat": step.seat,
        "move": translator.move(step.move.id, table.at_ply(ply - 1)),
        "at": step.at,
    }


def line_views(position: Position, line: Line, seat: int | None, translator: Translator) -> list[dict[str, Any]]:
    """Render the positions of an expected line, as a seat would see them, up to where something comes to light."""
    steps = []
    before = position
    for (mover, move), after in zip(line, follow_line(position, line), strict=False):
        shown = translator.move(move.id, before.seen_by(mover))
        steps.append({"seat": mover, "move": shown, "view": after.view(seat)})
        before = after
    return steps
