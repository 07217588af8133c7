"""Lists of tables."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from azalai.server.schemas.examples import example
from azalai.server.schemas.requests import Clock


class SummarySeat(BaseModel):
    """A seat of a table in a list."""

    kind: Literal["open", "human", "bot"]
    name: str
    bot: str | None
    bot_name: str | None = Field(description="its name in the requested language")
    mine: bool
    kept: bool = Field(description="open, and kept for you: an invitation")
    place: int | None = Field(description="once the game is over; 1: won")
    score: int | None


class TableSummary(BaseModel):
    """A table in a list."""

    id: str
    game: str
    title: str
    status: Literal["waiting", "playing", "over", "imported"]
    public: bool
    rated: bool = Field(description="the result counts for everybody's rating")
    tournament: str | None = Field(description="the tournament it is part of")
    options: dict[str, Any]
    variant: bool = Field(description="some of the game's components are changed: the table's `changes` says which")
    clock: Clock
    created: int
    updated: int
    acted: int = Field(description="when the game last went on: since then `pending` are asked, or it is over")
    deadline: int | None = Field(description="when the first clock of `pending` runs out")
    ply: int
    seats: list[SummarySeat]
    pending: list[int]
    your_turn: bool


class TableList(BaseModel):
    """Tables, latest first."""

    model_config = example("TableList")

    tables: list[TableSummary]
    next: str | None = Field(description="pass it as `before` for the next page")
