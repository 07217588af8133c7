"""The one door: everything about a game that leaves the server is made here, from what the viewer may know."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import orjson

from azalai.engine.position import Position
from azalai.server.acts import Refused
from azalai.server.library import Speaker, bot_name, speaker
from azalai.server.table import HUMAN, PLAYING, WAITING, Plan, Table

NO_PLAN = Plan()
CHAT_LINES = 100  # shown to somebody who comes to a table


class Presence(Protocol):
    """Who is there."""

    def present(self, table_id: str) -> tuple[set[int], int]:
        """The seats whose players are looking at the table, and how many look on without a seat."""
        ...

    def absent(self, table_id: str, seat: int) -> bool:
        """Whether the seat's player has been away for long."""
        ...


class Eyes(NamedTuple):
    """Who looks: with which seat's eyes (None a spectator), in which language, and which seats are that guest's."""

    seat: int | None
    language: str
    mine: tuple[int, ...]


def eyes(table: Table, guest: str | None, seat: int | None, language: str, spectate: bool = False) -> Eyes:
    """With whose eyes a guest may look: a seat of their own, or any once the game is over."""
    held = table.held_by(guest)
    mine = tuple(table.of_guest(guest))
    if spectate:
        return Eyes(None, language, mine)
    if seat is None:
        seat = next((one for one in held if one in table.pending), held[0] if held else None)
    elif not 0 <= seat < len(table.seats):
        raise Refused(404, "no_such_seat", f"there is no seat {seat}; seats go from 0 to {len(table.seats) - 1}")
    elif seat not in held and not table.open:
        raise Refused(403, "not_your_seat", f"seat {seat} is not yours to look from")
    return Eyes(seat, language, mine)


@dataclass
class Moment:
    """A table at one moment, and what has been made to show it that all viewers, or several, can share."""

    table: Table
    presence: Presence
    time: int
    views: dict[bytes, orjson.Fragment] = field(default_factory=dict)  # by the bytes of the concealed record
    seats: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # by language
    messages: dict[tuple[Eyes, int, int | None], bytes] = field(default_factory=dict)  # by all that a text depends on

    @cached_property
    def present(self) -> tuple[set[int], int]:
        """The seats whose players are there, and how many look on."""
        return self.presence.present(self.table.id)


def table_view(moment: Moment, who: Eyes, since: int = -1, version: int | None = None) -> dict[str, Any]:
    """The table as a viewer sees it, with the events after ply `since`, and again those taken back after `version`."""
    table = moment.table
    voice = speaker(table.game, len(table.seats), who.language)
    start = min(since, table.ply)
    if version is not None:
        start = table.lowest_since(version, start)
    heard = version if version is not None else (table.chat[-CHAT_LINES].number - 1 if len(table.chat) > CHAT_LINES else 0)
    return {
        "type": "table",
        "id": table.id,
        "version": table.number,
        "game": table.game.name,
        "title": voice.title,
        "options": table.options,
        "status": table.status,
        "public": table.public,
        "clock": table.setup.get("clock") or {"kind": "none"},
        "time_out": table.setup.get("time_out", "bot"),
        "created": table.created,
        "time": moment.time,
        "language": who.language,
        "seat": who.seat,
        "seats": _seats(moment, who, voice),
        "watchers": moment.present[1],
        **_position(moment, who, voice),
        "from": start,
        "events": events(table, who, start) if table.position is not None else [],
        **_rights(table, who),
        "result": _result(table, voice),
        "chat": [
            {"number": line.number, "at": line.at, "seat": line.seat, "name": line.name, "text": line.text}
            for line in table.chat
            if line.number > heard
        ],
        "rematch": table.rematch,
    }


def _seats(moment: Moment, who: Eyes, voice: Speaker) -> list[dict[str, Any]]:
    """Who sits where: the same for all but for which seats are the viewer's."""
    seats = moment.seats.get(who.language)
    if seats is None:
        seats = [_seat(moment, number, who.language, voice) for number in range(len(moment.table.seats))]
        moment.seats[who.language] = seats
    return [{**seat, "mine": True} if seat["seat"] in who.mine else seat for seat in seats]


def _seat(moment: Moment, number: int, language: str, voice: Speaker) -> dict[str, Any]:
    table = moment.table
    seat = table.seats[number]
    there = number in moment.present[0]
    return {
        "seat": number,
        "label": voice.words.seat_labels[number],
        "colour": voice.seat_names[number],
        "kind": seat.kind,
        "name": seat.name,
        "bot": seat.bot,
        "bot_name": bot_name(seat.bot, language) if seat.bot else None,
        "mine": False,
        "connected": there and seat.kind == HUMAN,
        "pending": number in table.pending,
        "resigned": seat.resigned,
        "clock": table.clocks.now(number, moment.time),
        "claimable": table.status == PLAYING
        and seat.kind == HUMAN
        and number in table.pending
        and not there
        and moment.presence.absent(table.id, number),
    }


def _position(moment: Moment, who: Eyes, voice: Speaker) -> dict[str, Any]:
    table = moment.table
    position = table.position
    if position is None:
        return {"ply": 0, "phase": None, "question": None, "pending": [], "view": None, "moves": []}
    seen = position.seen_by(who.seat)
    phase = seen.phase
    return {
        "ply": table.ply,
        "phase": phase,
        "question": voice.words.phase(phase) if not seen.over else None,
        "pending": table.pending,
        "view": _view(seen, who, moment.views),
        "moves": [voice.move(move) for move in legal(table, seen, who)],
    }


def _view(seen: Position, who: Eyes, views: dict[bytes, orjson.Fragment]) -> orjson.Fragment:
    """A view as JSON. It follows from the concealed record alone: whoever may know exactly the same is shown the same."""
    content = seen.tobytes()
    view = views.get(content)
    if view is None:
        view = views[content] = orjson.Fragment(orjson.dumps(seen.view(who.seat)))
    return view


def legal(table: Table, seen: Position, who: Eyes) -> list[int]:
    """The moves open to the viewer's seat now; read from what the seat has `seen`, so that they tell nothing else."""
    if who.seat is None or who.seat not in who.mine or who.seat not in table.pending:
        return []
    return seen.move_ids(who.seat)


def _rights(table: Table, who: Eyes) -> dict[str, Any]:
    """What is the viewer's alone: what can be taken back, what is planned, whether hints are given."""
    seat = who.seat if who.seat is not None and who.seat in who.mine else None
    proposal = table.proposal
    plan = table.plans.get(seat, NO_PLAN) if seat is not None else NO_PLAN
    lowest = table.undo_to(seat) if seat is not None else table.ply
    needs = table.agreement(seat) if seat is not None and table.status == PLAYING else None
    return {
        "undo_to": lowest if lowest < table.ply else None,
        "take_back_to": table.last_own(seat) if seat is not None and table.status == PLAYING else None,
        "take_back_needs": needs or [],
        "proposal": proposal
        and {
            "seat": proposal.seat,
            "to": proposal.to,
            "agreed": sorted(proposal.agreed),
            "needs": [one for one in table.agreement(proposal.seat) if one not in proposal.agreed],
        },
        "plan": plan.moves,
        "plan_dropped": plan.dropped,
        "hints": needs is not None and (bool(table.setup.get("hints")) or not needs),
    }


def _result(table: Table, voice: Speaker) -> dict[str, Any] | None:
    if not table.open or table.position is None:
        return None
    scores, ranking = table.result()
    end = table.position.end
    return {
        "end": end or table.ended,
        "text": voice.words.end(end) if end else None,
        "scores": scores,
        "ranking": ranking,
    }


def events(table: Table, who: Eyes, since: int, until: int | None = None) -> list[dict[str, Any]]:
    """What the viewer was told of the decisions after ply `since`, each as the log tells it."""
    voice = speaker(table.game, len(table.seats), who.language)
    viewer = -1 if who.seat is None else who.seat
    return [
        {
            "ply": ply,
            "seat": table.steps[ply - table.skipped - 1].seat if ply > table.skipped else None,
            "kind": event.kind,
            "args": event.args,
            "text": voice.event(event),
        }
        for ply in range(since + 1, (table.ply if until is None else until) + 1)
        for event in table.told(ply, viewer)
    ]


def past_view(table: Table, who: Eyes, ply: int) -> dict[str, Any]:
    """The table as a viewer saw it when `ply` decisions had been made."""
    if table.status == WAITING or not table.skipped <= ply <= table.ply:
        raise Refused(404, "no_such_ply", f"there is no ply {ply}; they go from {table.skipped} to {table.ply}")
    seen = table.at_ply(ply).seen_by(who.seat)
    return {
        "id": table.id,
        "version": table.number,
        "ply": ply,
        "plies": table.ply,
        "seat": who.seat,
        "phase": seen.phase,
        "question": speaker(table.game, len(table.seats), who.language).words.phase(seen.phase) if not seen.over else None,
        "pending": list(seen.pending),
        "decision": decision(table, who, ply) if table.open else None,
        "view": seen.view(who.seat),
        "events": events(table, who, ply - 1, ply),
    }


def decision(table: Table, who: Eyes, ply: int) -> dict[str, Any] | None:
    """Which move led to `ply`: only for tables that have nothing to hide any more."""
    if ply <= table.skipped:
        return None
    step = table.steps[ply - table.skipped - 1]
    return {"seat": step.seat, "move": speaker(table.game, len(table.seats), who.language).move(step.move.id), "at": step.at}
