"""Playing: decisions, taking them back, plans, talk."""

from __future__ import annotations

from fastapi import APIRouter

from azalai.server.answers import TableView
from azalai.server.requests import Answer, MakePlan, Play, Resign, Say, TakeBack, Undo
from azalai.server.routes.common import AT_TABLES, Acting, Json, TableId

router = APIRouter(prefix="/tables/{table_id}", tags=["play"], responses=AT_TABLES)


@router.post("/moves", response_model=TableView, summary="Make a decision")
async def play(table_id: TableId, body: Play, lens: Acting) -> Json:
    """Play a legal move. When this is answered, it is stored. Of several who are asked at once, each may answer at any time."""
    return Json(await lens.server.perform(lens.who, table_id, body, lens.through(body.seat)))


@router.post("/undo", response_model=TableView, summary="Take back own steps")
async def undo(table_id: TableId, body: Undo, lens: Acting) -> Json:
    """As far as `undo_to` says: one's own steps, back to the last thing revealed."""
    return Json(await lens.server.perform(lens.who, table_id, body, lens.through(body.seat)))


@router.post("/take-back", response_model=TableView, summary="Propose to take back more")
async def take_back(table_id: TableId, body: TakeBack, lens: Acting) -> Json:
    """The other people at the table have to agree; computer players do. Any decision ends a proposal."""
    return Json(await lens.server.perform(lens.who, table_id, body, lens.through(body.seat)))


@router.post("/take-back/answer", response_model=TableView, summary="Answer a proposal")
async def answer(table_id: TableId, body: Answer, lens: Acting) -> Json:
    """Agree, decline, or withdraw one's own."""
    return Json(await lens.server.perform(lens.who, table_id, body, lens.through(body.seat)))


@router.post("/resign", response_model=TableView, summary="Give up")
async def resign(table_id: TableId, body: Resign, lens: Acting) -> Json:
    """The game is over where fewer than two, or no people, are left in it; else a computer player plays on in the seat."""
    return Json(await lens.server.perform(lens.who, table_id, body, lens.through(body.seat)))


@router.put("/plan", response_model=TableView, summary="Plan decisions")
async def plan(table_id: TableId, body: MakePlan, lens: Acting) -> Json:
    """Made as soon as the seat is asked; dropped at the first that is not legal then. Nobody else can see them."""
    return Json(await lens.server.perform(lens.who, table_id, body, lens.through(body.seat)))


@router.post("/chat", response_model=TableView, summary="Say something")
async def chat(table_id: TableId, body: Say, lens: Acting) -> Json:
    """For those who sit at the table."""
    return Json(await lens.server.perform(lens.who, table_id, body, lens.through(body.seat)))
