"""Puzzles."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from azalai.server.guests import Guest
from azalai.server.puzzles import find, seen_in
from azalai.server.routes.common import Asker, Json, Language, SomeGuest, TheServer, problems
from azalai.server.routes.drawings import SVG, SVG_HEADERS
from azalai.server.routes.reasons import KindQuery, ValuesQuery, find_move, reason_against
from azalai.server.schemas.puzzles import (
    Level,
    PuzzleFound,
    PuzzleOverview,
    PuzzlePosition,
    PuzzleVerdict,
    TriedPuzzleMove,
)
from azalai.server.schemas.tables import Reason
from azalai.server.server import Server

router = APIRouter(prefix="/puzzles", tags=["puzzles"], responses=problems(400, 401, 403, 404, 413, 422, 429, 503))

PUZZLE_ID = r"^[a-z0-9_-]{1,64}$"
PuzzleId = Annotated[str, Path(pattern=PUZZLE_ID, description="the puzzle's id, as in its address")]


def check_rate(server: Server, guest: Guest, request: Request) -> None:
    """Raise an error where a guest, or an address, tries puzzles too quickly."""
    server.rate_limiter.check(server.rate_limiter.puzzles, guest.id, "puzzles")
    server.rate_limiter.check(
        server.rate_limiter.puzzles_of_address, request.scope["state"]["address"], "puzzles of this address"
    )


@router.get("", response_model=PuzzleOverview, summary="All puzzles")
async def overview(server: TheServer, guest: Asker, language: Language) -> Json:
    """How many puzzles each game has and what they are about, the puzzle of the day, and your score."""
    return Json(await server.puzzles.overview(guest, language))


@router.get("/next", response_model=PuzzleFound, summary="The next puzzle")
async def choose_next(
    server: TheServer,
    guest: Asker,
    game: Annotated[str | None, Query(max_length=40, description="of this game; else of all")] = None,
    theme: Annotated[str | None, Query(max_length=40, description="with this theme")] = None,
    level: Annotated[Level | None, Query(description="as difficult as this")] = None,
    last: Annotated[str | None, Query(max_length=64, description="a puzzle that shall not come again now")] = None,
) -> Json:
    """A puzzle near your rating that you have not tried yet."""
    return Json(await server.puzzles.choose_next(guest, game, theme, level, last))


@router.get("/{puzzle}", response_model=PuzzlePosition, summary="A puzzle")
async def look(server: TheServer, guest: Asker, language: Language, puzzle: PuzzleId) -> Json:
    """The position as the seat that decides sees it, and its legal moves."""
    return Json(await server.puzzles.look(guest, puzzle, language))


@router.get(
    "/{puzzle}/drawing",
    response_class=Response,
    responses={200: {"content": {SVG: {}}, "description": "the drawing"}},
    summary="A drawing of a puzzle",
)
async def draw(
    server: TheServer, language: Language, puzzle: PuzzleId, theme: Literal["light", "dark", "auto"] = "auto"
) -> Response:
    """The position as SVG, as the seat that decides sees it."""
    text = await server.puzzles.draw(puzzle, theme, language)
    return Response(text, media_type=SVG, headers={**SVG_HEADERS, "cache-control": "private, max-age=86400"})


@router.get("/{puzzle}/reason", response_model=Reason, summary="Why a move is not possible in a puzzle")
async def why(language: Language, puzzle: PuzzleId, name: KindQuery, values: ValuesQuery = "") -> Json:
    """Return why a move is not among the legal ones, from what the seat that decides knows."""
    seen = await asyncio.to_thread(seen_in, (found := await find(puzzle)).id)
    return Json({"text": reason_against(seen, found.seat, find_move(seen.game, name, values), language)})


@router.post("/{puzzle}/tries", response_model=PuzzleVerdict, summary="Answer a puzzle")
async def answer(
    server: TheServer, request: Request, guest: SomeGuest, language: Language, puzzle: PuzzleId, body: TriedPuzzleMove
) -> Json:
    """Judge your move. Your first try counts for streak and rating; after a wrong one you may try again."""
    check_rate(server, guest, request)
    return Json(await server.puzzles.answer(guest, puzzle, body.move, language))


@router.post("/{puzzle}/solution", response_model=PuzzleVerdict, summary="The solution of a puzzle")
async def solve(server: TheServer, request: Request, guest: SomeGuest, language: Language, puzzle: PuzzleId) -> Json:
    """The right move, its reason and the expected continuation. Where you have not tried the puzzle, it counts as missed."""
    check_rate(server, guest, request)
    return Json(await server.puzzles.solve(guest, puzzle, language))
