"""People at a table: whom one does not want to play with or to hear, and reports about them."""

from __future__ import annotations

from typing import Any

from azalai.server import commands
from azalai.server.errors import ApiError
from azalai.server.guests import Guest, clean_text
from azalai.server.ids import new_id
from azalai.server.schemas import requests
from azalai.server.server import Server
from azalai.server.server_time import now
from azalai.server.table import Seat

REPORTED_LINES = 20  # of chat, that a report keeps


async def people_at(server: Server, guest: Guest, table_id: str) -> list[dict[str, Any]]:
    """Return the other people at a table, and what a guest wants of them."""
    async with server.registry.locked(table_id) as table:
        seats = {number: seat for number, seat in enumerate(table.seats) if seat.guest not in (None, guest.id)}
    known = await server.people.attitudes(guest.id, [str(seat.guest) for seat in seats.values()])
    people = []
    for number, seat in seats.items():
        blocked, muted = known.get(str(seat.guest), (False, False))
        people.append({"seat": number, "name": seat.name, "blocked": blocked, "muted": muted})
    return people


async def want(server: Server, guest: Guest, other: str, body: requests.Attitude) -> None:
    """Block or mute somebody, or no more; tell all processes."""
    await server.people.set_attitude(guest.id, other, body.blocked, body.muted)
    for one in (guest.id, other):
        await server.tell_of(one)


async def want_at(server: Server, guest: Guest, table_id: str, number: int, body: requests.Attitude) -> None:
    """The same for a person at a table."""
    seat, _ = await _person_at(server, guest, table_id, number)
    await want(server, guest, str(seat.guest), body)


async def report(server: Server, guest: Guest, table_id: str, number: int, body: requests.NewReport) -> None:
    """Report a person at a table to the operator, with what they have said there."""
    server.rate_limiter.check(server.rate_limiter.renames, guest.id, "reports")
    seat, said = await _person_at(server, guest, table_id, number)
    row = {
        "id": new_id(),
        "at": now(),
        "reporter": guest.id,
        "guest": seat.guest,
        "name": seat.name,
        "table_id": table_id,
        "reason": body.reason,
        "text": clean_text(body.text, 1000),
        "said": said,
        "settled": None,
    }
    await server.people.report(row)


async def _person_at(server: Server, guest: Guest, table_id: str, number: int) -> tuple[Seat, list[str]]:
    """Return the seat of another person at a guest's own table, and what they have said last."""
    async with server.registry.locked(table_id) as table:
        commands.check_seat(table, number)
        if not table.seats_held_by(guest.id):
            raise ApiError(403, "not_seated", "you do not sit at this table")
        seat = table.seats[number]
        if seat.guest in (None, guest.id):
            raise ApiError(404, "no_such_person", "no other person has this seat")
        return seat, [line.text for line in table.chat if line.seat == number][-REPORTED_LINES:]
