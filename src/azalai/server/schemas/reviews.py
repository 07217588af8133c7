"""Reviews of finished games."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from azalai.server.schemas.examples import example
from azalai.server.schemas.hints import LineStep
from azalai.server.schemas.tables import MoveInfo, PastView

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]


class ReviewedDecision(BaseModel):
    """A decision that was not forced, as a search judges it from what its seat knew."""

    ply: int
    seat: int
    grade: Grade
    loss: float = Field(description="the chance to win that it gave away, 0 to 1")
    chance: float = Field(description="the seat's chance after it")
    best_chance: float = Field(description="the seat's chance after the best move")
    move: MoveInfo
    best: MoveInfo | None = Field(description="the better move, where something was given away")
    reason: str | None = Field(description="what the better move brings, in the requested language")


class LuckAt(BaseModel):
    """What chance changed at a decision, or what came to light there."""

    ply: int
    change: list[float] = Field(description="of each seat's chance")
    cause: str | None = Field(description="what chance did, in words")


class PhaseAccuracy(BaseModel):
    """Accuracy in the three thirds of a game, 0 to 100."""

    opening: float | None
    middle: float | None
    end: float | None


class GradeCounts(BaseModel):
    """How many decisions got each grade."""

    best: int
    good: int
    inaccuracy: int
    mistake: int
    blunder: int


class ReviewedPlayer(BaseModel):
    """What a seat's decisions and luck came to."""

    accuracy: float | None = Field(description="0 to 100")
    phases: PhaseAccuracy
    grades: GradeCounts
    given_away: float = Field(description="the sum of what its decisions gave away")
    luck: float = Field(description="the sum of what chance changed")


class GameReview(BaseModel):
    """The review of a finished game, as far as it is there."""

    model_config = example("GameReview")

    table: str
    done: bool
    judging: bool = Field(description="whether decisions are judged at the moment")
    first: int = Field(description="the ply of the first moment")
    last: int
    choices: int = Field(description="how many decisions are judged when it is done")
    chances: list[list[list[float]]] = Field(
        description="by moment, view and seat: the views of all seats, then that of all-knowing eyes; each adds up to 1"
    )
    turning_points: list[int] = Field(description="plies of the decisions around which the chances changed most")
    decisions: list[ReviewedDecision]
    luck: list[LuckAt]
    players: list[ReviewedPlayer]


class ReviewedPosition(BaseModel):
    """A reviewed decision on the board."""

    model_config = example("ReviewedPosition")

    here: PastView
    moves: list[MoveInfo] = Field(description="the legal moves of the seat that decided")
    line: list[LineStep] = Field(description="the better line, as far as it can be played")


class TriedVerdict(BaseModel):
    """How another move compares with the best one."""

    model_config = example("TriedVerdict")

    grade: Grade
    loss: float
    chance: float = Field(description="the seat's chance after it")
