"""Requests and responses of tournaments."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from azalai.server.pairings import Kind
from azalai.server.schemas.examples import example as stored_example
from azalai.server.schemas.games import BotInfo
from azalai.server.schemas.requests import MOST_SEATS, Body, BotName, Clock, example

MOST_GAMES = 15  # of a series


class NewTournament(Body):
    """A new tournament. You organise it and take part."""

    model_config = example(name="Friday evening", kind="round_robin", game="caravan", bot="greedy")

    name: str = Field(min_length=1, max_length=200)
    kind: Kind
    game: str = Field(max_length=40)
    seats: int | None = Field(default=None, ge=2, le=MOST_SEATS, description="most people at a table; by default the fewest")
    games: int = Field(default=1, ge=1, le=MOST_GAMES, description="of a series: it is the best of so many")
    clock: Clock = Clock()
    rated: bool = Field(default=False, description="results count: for people who keep their name, with a clock")
    bot: BotName | None = Field(
        default=None,
        description="the computer player that plays for people who do not come, and fills seats where a game needs more people",
    )


class NewEntrant(Body):
    """Join; or, as the organiser before the start, let a computer player join."""

    model_config = example(bot=False)

    bot: bool = False


class EntrantInfo(BaseModel):
    """Somebody who takes part, and how they stand."""

    number: int
    name: str = Field(description="empty: a computer player, or somebody who was deleted")
    bot_name: str | None = Field(description="the computer player that plays for them, or that they are, in your language")
    person: bool = Field(description="false: a computer player")
    mine: bool
    organiser: bool
    removed: bool
    place: int | None = Field(description="null: it has not begun")
    points: float
    tie_break: float = Field(description="of a round robin: by Sonneborn and Berger")
    played: int
    won: int
    drawn: int
    lost: int


class TournamentGame(BaseModel):
    """A game: who sits where, and how it stands."""

    table: str | None = Field(description="null: nobody has to play")
    status: Literal["waiting", "playing", "over"]
    seats: list[int | None] = Field(description="numbers of entrants; null: a computer player that fills a seat")
    places: list[int] | None = Field(description="once it is over; 1: won")
    missing: list[int] = Field(description="entrants who have not come to the table yet")


class Match(BaseModel):
    """Entrants who play each other. A series has several games, and a drawn game of a knock-out is replayed."""

    games: list[TournamentGame]


class Tournament(BaseModel):
    """A tournament as you see it."""

    model_config = stored_example("Tournament")

    id: str
    name: str = Field(description="empty: its organiser was deleted")
    kind: Kind
    game: str
    title: str
    seats: int
    games: int
    clock: Clock
    rated: bool
    bot: BotInfo | None
    status: Literal["open", "playing", "over"]
    created: int
    round: int = Field(description="0: it has not begun")
    rounds: int | None = Field(description="how many there will be; null: that is not known before")
    organiser: str | None = Field(description="their name; null: they were deleted")
    organises: bool = Field(description="you are the organiser")
    me: int | None = Field(description="your number among the entrants")
    next: str | None = Field(description="the table at which you have to play")
    joinable: bool = Field(description="you can join now")
    startable: bool = Field(description="you can start it now")
    entrants: list[EntrantInfo] = Field(description="the best first; before the start, as they joined")
    matches: list[list[Match]] = Field(description="by round")


class TournamentSummary(BaseModel):
    """A tournament in a list."""

    id: str
    name: str
    kind: Kind
    game: str
    title: str
    status: Literal["open", "playing", "over"]
    created: int
    people: int
    organises: bool


class TournamentList(BaseModel):
    """Your tournaments, latest first."""

    model_config = stored_example("TournamentList")

    tournaments: list[TournamentSummary]
