"""Playing: decisions, taking them back, resigning, chat."""

from __future__ import annotations

from fastapi import APIRouter

from azalai.server.routes.common import AT_TABLES, Context, Json, TableId
from azalai.server.schemas.requests import AnswerTakeBack, Play, ProposeTakeBack, Resign, SendChat, Undo
from azalai.server.schemas.tables import TableView

router = APIRouter(prefix="/tables/{table_id}", tags=["play"], responses=AT_TABLES)


@router.post("/moves", response_model=TableView, summary="Make a decision")
async def play(table_id: TableId, body: Play, context: Context) -> Json:
    """Play a legal move. It is stored when this is answered. Of several who decide at once, each may do so at any time."""
    return Json(await context.server.perform(context.guest, table_id, body, context.renderer(body.seat)))


@router.post("/undo", response_model=TableView, summary="Take back own steps")
async def undo(table_id: TableId, body: Undo, context: Context) -> Json:
    """Take back your own decisions, as far back as `undo_to`."""
    return Json(await context.server.perform(context.guest, table_id, body, context.renderer(body.seat)))


@router.post("/take-back", response_model=TableView, summary="Propose to take back more")
async def take_back(table_id: TableId, body: ProposeTakeBack, context: Context) -> Json:
    """The other people at the table must agree; computer players always do. Any decision ends a proposal."""
    return Json(await context.server.perform(context.guest, table_id, body, context.renderer(body.seat)))


@router.post("/take-back/answer", response_model=TableView, summary="Answer a proposal")
async def answer(table_id: TableId, body: AnswerTakeBack, context: Context) -> Json:
    """Agree, decline, or withdraw your own proposal."""
    return Json(await context.server.perform(context.guest, table_id, body, context.renderer(body.seat)))


@router.post("/resign", response_model=TableView, summary="Give up")
async def resign(table_id: TableId, body: Resign, context: Context) -> Json:
    """The game ends when fewer than two players, or no people, are left; else a computer player plays on in the seat."""
    return Json(await context.server.perform(context.guest, table_id, body, context.renderer(body.seat)))


@router.post("/chat", response_model=TableView, summary="Say something")
async def chat(table_id: TableId, body: SendChat, context: Context) -> Json:
    """Only for players of the table."""
    return Json(await context.server.perform(context.guest, table_id, body, context.renderer(body.seat)))
