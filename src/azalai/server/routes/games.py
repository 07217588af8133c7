"""Games and their rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from azalai.engine.discovery import installed
from azalai.server import library
from azalai.server.acts import Refused
from azalai.server.answers import GameDetails, GameList, Help
from azalai.server.routes.common import Json, Language, TheServer, problems

router = APIRouter(tags=["games"], responses=problems(404, 422, 429))
GameName = Annotated[str, Path(max_length=40, examples=["targui"])]


def check(game: str) -> str:
    """Refuse a game that is not there."""
    if game not in installed():
        raise Refused(404, "no_such_game", f"there is no game {game!r}; there are {', '.join(installed())}")
    return game


@router.get("/games", response_model=GameList, summary="All games")
async def list_games(server: TheServer, language: Language) -> Json:
    """What can be played, in the asked language."""
    ready = server.library.ready()
    return Json({"games": [{**library.describe(name, language), "ready": ready[name]} for name in installed()]})


@router.get("/games/{game}", response_model=GameDetails, summary="All about a game")
async def one_game(game: GameName, server: TheServer, language: Language) -> Json:
    """Names of moves, events, phases, fields and all values, and the game's components."""
    return Json({**library.details(check(game), language), "ready": server.library.ready()[game]})


@router.get("/games/{game}/help", response_model=Help, summary="The rules")
async def rule_help(game: GameName, language: Language) -> Json:
    """The rules as we teach them, in Markdown."""
    return Json({"game": game, "language": language, "markdown": library.rule_help(check(game), language)})
