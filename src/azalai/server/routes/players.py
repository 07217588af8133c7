"""Players: profiles and lists of the best."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from azalai.engine.discovery import installed
from azalai.server.errors import ApiError
from azalai.server.profiles import choose_shown, leaderboard, own_profile, public_profile, table_ratings
from azalai.server.routes.common import Asker, Json, Language, Person, SomeGuest, TableId, TheServer, problems
from azalai.server.schemas.players import BestPlayers, Profile, TableRatings
from azalai.server.schemas.requests import MOST_SEATS, NewProfile
from azalai.server.server import Server

router = APIRouter(tags=["players"], responses=problems(400, 401, 403, 404, 422, 429))

PlayerId = Annotated[
    str, Path(pattern=r"^[0-9a-f]{1,16}$", description="the player's public id, as in the address of the profile")
]


async def rendered_for(server: Server, guest: str, language: str) -> Json:
    """Render a guest's profile for themselves."""
    async with server.store.engine.connect() as connection:
        return Json(await connection.run_sync(own_profile, guest, language))


@router.get("/me/profile", response_model=Profile, summary="Your profile")
async def my_profile(server: TheServer, guest: SomeGuest, language: Language) -> Json:
    """Everything your profile has, also what others do not see."""
    return await rendered_for(server, guest.id, language)


@router.put("/me/profile", response_model=Profile, summary="Choose what others see", responses=problems(409, 413))
async def change_profile(server: TheServer, guest: Person, language: Language, body: NewProfile) -> Json:
    """Choose the parts of your profile that everybody may see. Without `rating` you are in no list of the best."""
    await server.store.transact(lambda connection: choose_shown(connection, guest.id, body.shown))
    return await rendered_for(server, guest.id, language)


@router.get("/players/{player}", response_model=Profile, summary="A player's profile")
async def profile(server: TheServer, guest: Asker, language: Language, player: PlayerId) -> Json:
    """What a player shows of themselves."""
    async with server.store.engine.connect() as connection:
        return Json(await connection.run_sync(public_profile, player, guest.id if guest else None, language))


@router.get("/games/{game}/ratings", response_model=BestPlayers, summary="The best players")
async def best(
    server: TheServer,
    guest: Asker,
    language: Language,
    game: Annotated[str, Path(max_length=40)],
    players: Annotated[int, Query(ge=1, le=MOST_SEATS, description="a game of so many players")] = 2,
) -> Json:
    """People with enough rated games who show their rating, and the computer players."""
    if game not in installed():
        raise ApiError(404, "no_such_game", f"there is no game {game!r}")
    async with server.store.engine.connect() as connection:
        return Json(await connection.run_sync(leaderboard, game, players, guest.id if guest else None, language))


@router.get("/tables/{table_id}/ratings", response_model=TableRatings, summary="The ratings at a table")
async def at_table(server: TheServer, table_id: TableId) -> Json:
    """Everybody's rating at a rated table; once it is over, before the game and after it."""
    async with server.registry.locked(table_id) as table:
        if not table.rated:
            return Json({"seats": []})
        game, seats = table.game.name, [(one.guest, one.bot if one.guest is None else None) for one in table.seats]
    async with server.store.engine.connect() as connection:
        return Json({"seats": await connection.run_sync(table_ratings, table_id, game, seats)})
