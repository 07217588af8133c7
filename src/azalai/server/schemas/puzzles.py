"""Puzzles: requests and responses."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from azalai.server.schemas import requests
from azalai.server.schemas.hints import LineStep
from azalai.server.schemas.puzzle_scores import SCORE, PuzzleScore, RatingShown, example
from azalai.server.schemas.tables import MoveInfo

Level = Literal["easy", "medium", "hard"]

MOVE = {"id": 17, "text": "north 3", "name": "north", "args": {"steps": 3}, "words": "go 3 steps north"}
BRIEF = {
    "id": "caravan-17",
    "game": "caravan",
    "title": "Caravan",
    "difficulty": 1650,
    "level": "medium",
    "themes": [{"theme": "timing", "name": "Timing"}],
    "tries": 40,
    "solutions": 14,
    "yours": None,
}
SOLUTION = {"moves": [MOVE], "chance": 0.71, "reason": "reaches the well first", "line": []}


class TriedPuzzleMove(requests.Body):
    """Your answer to a puzzle."""

    model_config = requests.example(move=17)

    move: int = Field(ge=0, le=10_000_000, description="its id")


class PuzzleTheme(BaseModel):
    """What a puzzle is about."""

    theme: str
    name: str = Field(description="in the requested language")


class PuzzleBrief(BaseModel):
    """A puzzle in a list."""

    id: str
    game: str
    title: str
    difficulty: int = Field(description="the rating of somebody who solves it half of the time")
    level: Level = Field(description="its third of the game's puzzles")
    themes: list[PuzzleTheme]
    tries: int = Field(description="how many people have tried it")
    solutions: int = Field(description="how many of them solved it at the first try")
    yours: Literal["solved", "missed"] | None = Field(description="your first try; null: none yet")


class PuzzleSeat(BaseModel):
    """A seat of a puzzle's game."""

    seat: int
    label: str = Field(description="the seat's colour")
    colour: str = Field(description="the same in the requested language")


class ThemeCount(PuzzleTheme):
    """A theme, and how many puzzles it has."""

    puzzles: int


class GamePuzzles(BaseModel):
    """The puzzles of a game."""

    game: str
    title: str
    puzzles: int
    tried: int = Field(description="by you")
    solved: int = Field(description="by you, at the first try")
    themes: list[ThemeCount]


class PuzzleOverview(BaseModel):
    """All puzzles: how many there are, the puzzle of the day, and your score."""

    model_config = example(
        date="2026-11-16",
        day=BRIEF,
        games=[
            {
                "game": "caravan",
                "title": "Caravan",
                "puzzles": 200,
                "tried": 12,
                "solved": 9,
                "themes": [{"theme": "timing", "name": "Timing", "puzzles": 41}],
            }
        ],
        score=SCORE,
    )

    date: str = Field(description="today, in UTC")
    day: PuzzleBrief | None = Field(description="the puzzle of the day, the same for everybody; null: there are no puzzles")
    games: list[GamePuzzles]
    score: PuzzleScore


class PuzzleFound(BaseModel):
    """A puzzle to go on with."""

    model_config = example(id="caravan-17", new=True)

    id: str
    new: bool = Field(description="false: you have tried all of this kind, so this one does not count again")


class PuzzlePosition(PuzzleBrief):
    """A puzzle: a decision of one seat, and what that seat knows."""

    model_config = example(
        **BRIEF,
        seat=0,
        seats=[{"seat": 0, "label": "blue", "colour": "Blue"}, {"seat": 1, "label": "red", "colour": "Red"}],
        phase="march",
        question="Where does your caravan go?",
        pending=[0],
        view={},
        moves=[MOVE],
        day="2026-11-16",
        score=SCORE,
    )

    seat: int = Field(description="the seat that decides")
    seats: list[PuzzleSeat]
    phase: str
    question: str | None
    pending: list[int]
    view: dict[str, Any] = Field(description="the game's fields as far as the seat may know them")
    moves: list[MoveInfo] = Field(description="its legal moves")
    day: str | None = Field(description="the date, where this is the puzzle of today")
    score: PuzzleScore = Field(description="yours")


class PuzzleSolution(BaseModel):
    """The solution of a puzzle."""

    moves: list[MoveInfo] = Field(description="all that count as right, the best first")
    chance: float = Field(description="the seat's chance to win after the best, 0 to 1")
    reason: str | None = Field(description="what it brings, in the requested language")
    line: list[LineStep] = Field(description="the expected continuation, from the best move on, until something comes to light")


class PuzzleVerdict(BaseModel):
    """What your answer was worth, and what it changed."""

    model_config = example(
        right=True,
        chance=0.71,
        loss=0.0,
        counted=True,
        before={"rating": 1580, "error": 210},
        after={"rating": 1634, "error": 198},
        score=SCORE,
        solution=SOLUTION,
    )

    right: bool
    chance: float | None = Field(description="the seat's chance to win after your move; null: unknown, or you gave up")
    loss: float | None = Field(description="the chance that your move gives away")
    counted: bool = Field(description="this was your first try, so it counts; else one before has counted")
    before: RatingShown = Field(description="your rating in this game before it and after it")
    after: RatingShown
    score: PuzzleScore
    solution: PuzzleSolution | None = Field(description="null after a wrong answer, so that you may try again")
