"""What somebody's first tries of puzzles came to."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

SCORE = {
    "tried": 12,
    "solved": 9,
    "streak": 4,
    "best_streak": 6,
    "ratings": [{"game": "caravan", "title": "Caravan", "rating": 1580, "error": 210, "tried": 12, "solved": 9}],
}


def example(**values: Any) -> ConfigDict:
    """Return a response's configuration with an example."""
    return ConfigDict(json_schema_extra={"examples": [values]})


class RatingShown(BaseModel):
    """A rating with half its 95 % interval."""

    rating: int
    error: int


class PuzzleRating(BaseModel):
    """How well somebody solves the puzzles of a game."""

    game: str
    title: str
    rating: int
    error: int = Field(description="half the 95 % interval")
    tried: int
    solved: int = Field(description="at the first try")


class PuzzleScore(BaseModel):
    """What somebody's first tries came to."""

    model_config = example(**SCORE)

    tried: int
    solved: int
    streak: int = Field(description="puzzles solved in a row, each at the first try")
    best_streak: int
    ratings: list[PuzzleRating] = Field(description="the game tried most first")
