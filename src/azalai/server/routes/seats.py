"""Seats: take, leave, hand over, give to a computer player; start the game."""

from __future__ import annotations

from fastapi import APIRouter

from azalai.server import commands
from azalai.server.errors import ApiError
from azalai.server.routes.common import AT_TABLES, Context, Json, SeatPath, TableId
from azalai.server.schemas.guests import Link
from azalai.server.schemas.requests import PutBot, Start, TakeSeat
from azalai.server.schemas.tables import TableView

router = APIRouter(prefix="/tables/{table_id}", tags=["seats"], responses=AT_TABLES)


@router.post("/seats", response_model=TableView, summary="Take a seat")
async def take(table_id: TableId, body: TakeSeat, context: Context) -> Json:
    """Take an open seat, your own back from a computer player, or one handed over to you."""
    return Json(await context.server.take_seat(context.guest, table_id, body, context.renderer()))


@router.delete("/seats/{seat}", response_model=TableView, summary="Leave a seat")
async def leave(table_id: TableId, seat: SeatPath, context: Context) -> Json:
    """Leave your seat. In a running game it stays yours: you keep a say, and its clock goes on.

    Before the game starts, this also sends a computer player away; the founder of the table can remove anybody, who cannot sit
    down again, and give up a seat that is kept for somebody.
    """
    return Json(
        await context.server.registry.execute(
            table_id, lambda table, at: commands.leave(table, context.guest, seat), render=context.renderer()
        )
    )


@router.post("/seats/{seat}/bot", response_model=TableView, summary="A computer player for a seat")
async def put_bot(table_id: TableId, seat: SeatPath, body: PutBot, context: Context) -> Json:
    """For an open seat, or a `claimable` one, whose player owes a decision and has been away for long. They may come back."""
    return Json(await context.server.put_bot(context.guest, table_id, seat, body.bot, context.renderer()))


@router.post("/seats/{seat}/link", response_model=Link, summary="Hand a seat over")
async def hand_over(table_id: TableId, seat: SeatPath, context: Context) -> Json:
    """A link that gives your seat to whoever opens it first."""
    async with context.server.registry.locked(table_id) as table:
        commands.own_seat(table, context.guest, seat)
        if table.binding:
            raise ApiError(409, "rated", "where the result counts, everybody has one seat, and keeps it")
        code = context.server.guests.seat_code(table_id, seat, table.seats[seat].since)
    return Json({"code": code, "url": f"/table/{table_id}#seat={code}", "expires": None})


@router.post("/start", response_model=TableView, summary="Begin now")
async def start(table_id: TableId, body: Start, context: Context) -> Json:
    """Start without waiting for more players."""
    return Json(await context.server.start(context.guest, table_id, body.bot, context.renderer()))
