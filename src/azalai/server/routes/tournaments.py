"""Tournaments: a series, a round robin or a knock-out of friends."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from azalai.engine.discovery import installed
from azalai.server.guests import Guest
from azalai.server.routes.common import AT_TABLES, TABLE_ID, Asker, Json, Language, SomeGuest, TheServer
from azalai.server.schemas.tournaments import NewEntrant, NewTournament, Tournament, TournamentList
from azalai.server.server import Server
from azalai.server.tournament_views import tournament_summary

router = APIRouter(prefix="/tournaments", tags=["tournaments"], responses=AT_TABLES)

TournamentId = Annotated[str, Path(pattern=TABLE_ID, description="the tournament's id, as in its link")]
Number = Annotated[int, Path(ge=0, le=1000, description="an entrant's number")]


async def _shown(server: Server, tournament_id: str, guest: Guest | None, language: str, status: int = 200) -> Json:
    view = await server.tournaments.render(tournament_id, guest.id if guest else None, language)
    return Json(view, status_code=status)


@router.get("", response_model=TournamentList, summary="Your tournaments")
async def list_tournaments(server: TheServer, guest: Asker, language: Language) -> Json:
    """Those that you organise or take part in, latest first."""
    if guest is None:
        return Json({"tournaments": []})
    rows = [row for row in await server.tournaments.of_guest(guest.id) if row["game"] in installed()]
    return Json({"tournaments": [tournament_summary(row, guest.id, language) for row in rows]})


@router.post("", response_model=Tournament, status_code=201, summary="A new tournament")
async def create(server: TheServer, guest: SomeGuest, language: Language, body: NewTournament) -> Json:
    """People join by its link. It begins when you say so; then tables are made, with a seat kept for everybody."""
    server.rate_limiter.check_creation(guest.id, server.broadcaster.address_of(guest.id), "new tournaments")
    return await _shown(server, await server.tournaments.create(guest, body), guest, language, 201)


@router.get("/{tournament_id}", response_model=Tournament, summary="A tournament as it stands")
async def look(server: TheServer, guest: Asker, language: Language, tournament_id: TournamentId) -> Json:
    """Entrants in order, games by round, and the table at which you have to play."""
    return await _shown(server, tournament_id, guest, language)


@router.delete("/{tournament_id}", status_code=204, summary="Call a tournament off")
async def call_off(server: TheServer, guest: SomeGuest, tournament_id: TournamentId) -> None:
    """Before it begins; for its organiser."""
    await server.tournaments.call_off(guest, tournament_id)


@router.post("/{tournament_id}/entrants", response_model=Tournament, summary="Take part")
async def join(server: TheServer, guest: SomeGuest, language: Language, tournament_id: TournamentId, body: NewEntrant) -> Json:
    """Join before it begins. If a computer player plays for you, you play again from the next game on."""
    if body.bot:
        await server.tournaments.add_bot(guest, tournament_id)
    else:
        await server.tournaments.join(guest, tournament_id)
    return await _shown(server, tournament_id, guest, language)


@router.delete("/{tournament_id}/entrants/{number}", response_model=Tournament, summary="Leave, or remove somebody")
async def remove(server: TheServer, guest: SomeGuest, language: Language, tournament_id: TournamentId, number: Number) -> Json:
    """Leave yourself, or remove somebody as the organiser. Games that are not over are lost."""
    await server.tournaments.remove(guest, tournament_id, number)
    return await _shown(server, tournament_id, guest, language)


@router.post("/{tournament_id}/entrants/{number}/bot", response_model=Tournament, summary="A computer player for somebody")
async def replace(server: TheServer, guest: SomeGuest, language: Language, tournament_id: TournamentId, number: Number) -> Json:
    """For the organiser: it takes the seat that is kept for somebody, and plays the games to come until they are back."""
    await server.tournaments.replace(guest, tournament_id, number)
    return await _shown(server, tournament_id, guest, language)


@router.post("/{tournament_id}/start", response_model=Tournament, summary="Begin a tournament")
async def start(server: TheServer, guest: SomeGuest, language: Language, tournament_id: TournamentId) -> Json:
    """Lots are drawn, and the tables of the first round are made."""
    await server.tournaments.start(guest, tournament_id)
    return await _shown(server, tournament_id, guest, language)
