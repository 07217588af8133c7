"""Hints."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from azalai.server.schemas.errors import Problem
from azalai.server.schemas.examples import example
from azalai.server.schemas.tables import MoveInfo


class LineStep(BaseModel):
    """A decision of an expected line, and the position after it."""

    seat: int
    move: MoveInfo
    view: dict[str, Any]


class HintMove(BaseModel):
    """One of the best moves."""

    id: int
    text: str
    words: str = Field(description="what it does, in the requested language")
    chance: float = Field(description="the chance to win after it, 0 to 1")
    reason: str | None = Field(description="what it brings, in the requested language")
    line: list[LineStep] = Field(description="the expected continuation, from this move on, until something comes to light")


class Hint(BaseModel):
    """The best moves of a decision, at most three."""

    ply: int
    seat: int
    quick: bool = Field(description="with less work than usual, since the game is still being compiled on the server")
    moves: list[HintMove]


class JobState(BaseModel):
    """What all jobs have in common."""

    id: str
    table: str
    status: Literal["waiting", "running", "done", "failed"]
    progress: float = Field(description="0 to 1")
    problem: Problem | None = Field(description="why it failed")


class HintJob(JobState):
    """A requested hint."""

    model_config = example("HintJob")

    kind: Literal["hint"]
    result: Hint | None = Field(description="once it is done")
