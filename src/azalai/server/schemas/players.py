"""Profiles and ratings."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from azalai.server.schemas.examples import example
from azalai.server.schemas.puzzle_scores import PuzzleScore


class RatingPoint(BaseModel):
    """A rating after a game."""

    at: int
    table: str
    rating: int
    error: int = Field(description="half the 95 % interval")


class PlayerRating(BaseModel):
    """How strong somebody is in a game of so many players."""

    game: str
    title: str
    players: int
    rating: int
    error: int = Field(description="half the 95 % interval")
    games: int
    curve: list[RatingPoint] = Field(description="the last ones, oldest first")


class PlayedGame(BaseModel):
    """How often somebody has played a game to the end, and won."""

    game: str
    title: str
    played: int
    won: int


class Opponent(BaseModel):
    """How somebody has fared against another person or a computer player."""

    name: str
    player: str | None = Field(description="whose public id; null: a guest or a computer player")
    bot: str | None
    played: int
    won: int = Field(description="games in which they came before the other")
    lost: int


class Profile(BaseModel):
    """A player's profile. What they do not show is null, except for themselves."""

    model_config = example("Profile")

    player: str | None
    name: str
    since: int | None
    mine: bool
    shown: list[Literal["rating", "games", "opponents", "puzzles"]]
    ratings: list[PlayerRating] | None
    games: list[PlayedGame] | None = Field(description="the favourite first")
    opponents: list[Opponent] | None = Field(description="those met most often, of whom all show this part themselves")
    puzzles: PuzzleScore | None


class RankedPlayer(BaseModel):
    """Somebody in a list of the best."""

    name: str
    player: str
    rating: int
    error: int
    games: int
    mine: bool


class RatedBot(BaseModel):
    """A computer player with its rating, which does not change."""

    bot: str
    name: str
    rating: int
    error: int


class BestPlayers(BaseModel):
    """The best players of a game, in order of what they surely have: the rating less its error."""

    model_config = example("BestPlayers")

    game: str
    title: str
    players: int
    minimum: int = Field(description="rated games one must have")
    people: list[RankedPlayer]
    bots: list[RatedBot]


class SeatRating(BaseModel):
    """The rating of a seat's player; once the game is over, before it and after it."""

    seat: int
    player: str | None
    rating: int
    error: int
    after: int | None = Field(description="null: the game is not over")


class TableRatings(BaseModel):
    """The ratings at a table."""

    model_config = example("TableRatings")

    seats: list[SeatRating] = Field(description="empty if the table is not rated")
