"""Games, their rules and what they consist of."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from azalai.server.schemas.examples import example


class GameOption(BaseModel):
    """A choice made before the game starts; the first is the default."""

    name: str
    choices: list[str]
    free: bool = Field(description="any value the game can parse, not only one of `choices`")


class BotInfo(BaseModel):
    """A computer player: `bot` is used in requests, `name` is displayed."""

    bot: str
    name: str


class GameInfo(BaseModel):
    """A game."""

    model_config = example("GameInfo")

    name: str
    title: str
    blurb: str
    designers: list[str]
    publisher: str
    year: int | None
    minutes: int | list[int] | None
    seats: list[int]
    rules: int
    options: list[GameOption]
    bots: list[BotInfo]
    ratings: dict[str, dict[str, int]] = Field(description="of computer players, by number of players; others cannot be rated")


class GameList(BaseModel):
    """All games."""

    model_config = example("GameList")

    games: list[GameInfo]


class DomainInfo(BaseModel):
    """The values of an argument: their labels, counted from `first`."""

    first: int
    labels: list[str]


class FieldInfo(BaseModel):
    """A field of a view."""

    shape: list[int]
    about: str


class GameDetails(GameInfo):
    """All names that occur in views, moves and events of a game."""

    model_config = example("GameDetails")

    labels: dict[str, list[str]] = Field(description="labels of the seats, by number of seats")
    phases: list[str]
    ends: list[str]
    moves: dict[str, dict[str, str]] = Field(description="kinds of moves, with the domain of each argument")
    events: dict[str, dict[str, str]]
    domains: dict[str, DomainInfo]
    fields: dict[str, FieldInfo]
    words: dict[str, str | dict[str, str]] = Field(description="the game's words in the requested language")
    components: dict[str, Any] = Field(description="the game's components: board, cards, …")


class Help(BaseModel):
    """The rules."""

    model_config = example("Help")

    game: str
    language: str
    markdown: str
