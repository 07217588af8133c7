"""Games and their rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from azalai.engine.discovery import installed
from azalai.server import catalog
from azalai.server.errors import ApiError
from azalai.server.routes.common import Json, Language, problems
from azalai.server.schemas.games import GameDetails, GameList, Help

router = APIRouter(tags=["games"], responses=problems(404, 422, 429))
GameName = Annotated[str, Path(max_length=40, examples=["caravan"])]


def check(game: str) -> str:
    """Raise an error for an unknown game."""
    if game not in installed():
        raise ApiError(404, "no_such_game", f"there is no game {game!r}; there are {', '.join(installed())}")
    return game


@router.get("/games", response_model=GameList, summary="All games")
async def list_games(language: Language) -> Json:
    """All games, in the requested language."""
    return Json({"games": [catalog.game_info(name, language) for name in installed()]})


@router.get("/games/{game}", response_model=GameDetails, summary="All about a game")
async def one_game(game: GameName, language: Language) -> Json:
    """Names of moves, events, phases, fields and values, and the game's components."""
    return Json(catalog.game_details(check(game), language))


@router.get("/games/{game}/help", response_model=Help, summary="The rules")
async def rule_help(game: GameName, language: Language) -> Json:
    """The rules in Markdown."""
    return Json({"game": game, "language": language, "markdown": catalog.rule_help(check(game), language)})
