"""People one meets at tables."""

from __future__ import annotations

from pydantic import BaseModel, Field

from azalai.server.schemas.examples import example


class TableFound(BaseModel):
    """The table you sit at now."""

    model_config = example("TableFound")

    id: str


class PersonInfo(BaseModel):
    """Somebody you have played with, or have blocked or muted."""

    person: str = Field(description="for requests; it is not the private id")
    name: str
    games: int = Field(description="games played together")
    last: int | None = Field(description="when the last of them last went on")
    blocked: bool
    muted: bool


class PersonList(BaseModel):
    """People, those played with last first."""

    model_config = example("PersonList")

    people: list[PersonInfo]


class TablePerson(BaseModel):
    """Another person at a table, and what you want of them."""

    seat: int
    name: str
    blocked: bool
    muted: bool


class TablePeople(BaseModel):
    """The other people at a table."""

    model_config = example("TablePeople")

    people: list[TablePerson]
