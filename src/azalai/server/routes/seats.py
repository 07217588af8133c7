"""Seats: take, leave, hand over, give to a computer player; and begin."""

from __future__ import annotations

from fastapi import APIRouter

from azalai.server import acts
from azalai.server.answers import Link, TableView
from azalai.server.requests import PutBot, Start, TakeSeat
from azalai.server.routes.common import AT_TABLES, Acting, Json, SeatPath, TableId

router = APIRouter(prefix="/tables/{table_id}", tags=["seats"], responses=AT_TABLES)


@router.post("/seats", response_model=TableView, summary="Take a seat")
async def take(table_id: TableId, body: TakeSeat, lens: Acting) -> Json:
    """Sit down in an open seat, in your own that a computer player took over, or in one handed over to you."""
    return Json(await lens.server.take(lens.who, table_id, body, lens.through()))


@router.delete("/seats/{seat}", response_model=TableView, summary="Leave a seat")
async def leave(table_id: TableId, seat: SeatPath, lens: Acting) -> Json:
    """Stand up; the seat is open then. Before the game begins, a computer player can be sent away like this."""
    return Json(await lens.server.house.act(table_id, lambda table, at: acts.leave(table, lens.who, seat), then=lens.through()))


@router.post("/seats/{seat}/bot", response_model=TableView, summary="A computer player for a seat")
async def put_bot(table_id: TableId, seat: SeatPath, body: PutBot, lens: Acting) -> Json:
    """For an open seat, or one whose player owes a decision and has been gone for a while: `claimable`. They may come back."""
    return Json(await lens.server.put_bot(lens.who, table_id, seat, body.bot, lens.through()))


@router.post("/seats/{seat}/link", response_model=Link, summary="Hand a seat over")
async def hand_over(table_id: TableId, seat: SeatPath, lens: Acting) -> Json:
    """A link that gives your seat to whoever uses it first."""
    async with lens.server.house.at(table_id) as table:
        acts.own_seat(table, lens.who, seat)
        code = lens.server.guests.seat_code(table_id, seat, table.seats[seat].since)
    return Json({"code": code, "url": f"/table/{table_id}#seat={code}", "expires": None})


@router.post("/start", response_model=TableView, summary="Begin now")
async def start(table_id: TableId, body: Start, lens: Acting) -> Json:
    """Begin without waiting for more players."""
    return Json(await lens.server.start(lens.who, table_id, body.bot, lens.through()))
