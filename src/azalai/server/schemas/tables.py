"""A table, now and at earlier plies."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from azalai.server.schemas.examples import EXAMPLES, example
from azalai.server.schemas.games import BotInfo
from azalai.server.schemas.requests import Clock


class MoveInfo(BaseModel):
    """A legal move."""

    id: int
    text: str = Field(examples=["north 3"])
    name: str
    args: dict[str, int]
    words: str = Field(description="what it does, in the requested language")


class EventInfo(BaseModel):
    """Something that happened and that the viewer may know."""

    ply: int = Field(description="the number of the decision that caused it; 0: the deal")
    seat: int | None = Field(description="who decided")
    kind: str
    args: dict[str, int]
    text: str = Field(description="a line for the log in the requested language; may be empty")


class SeatInfo(BaseModel):
    """A seat and who holds it."""

    seat: int
    label: str = Field(description="the seat's colour")
    colour: str = Field(description="the same in the requested language")
    kind: Literal["open", "human", "bot"]
    name: str
    bot: str | None = Field(description="the computer player that plays here")
    bot_name: str | None = Field(description="its name in the requested language")
    mine: bool
    free: bool = Field(description="you may take it")
    connected: bool = Field(description="its player has an open socket, or has just asked for the table")
    pending: bool = Field(description="owes a decision")
    resigned: str | None = Field(description="out of the game: `resigned`, `time` or `left`")
    clock: int | None = Field(description="milliseconds left at `time`; runs down while `pending`")
    away_until: int | None = Field(description="on vacation: until then a slow clock stands still")
    claimable: bool = Field(description="its player has been away for so long that a computer player may take over")


class Proposal(BaseModel):
    """A proposed take-back."""

    seat: int
    to: int
    agreed: list[int]
    needs: list[int]


class Result(BaseModel):
    """How the game ended."""

    end: str | None = Field(description="the game's end, `resigned`, `time` or `left`; null for an unfinished imported game")
    text: str | None
    scores: list[int]
    ranking: list[int] = Field(description="slots, 1 = winner")


class ChatLine(BaseModel):
    """A chat line: plain text, never markup."""

    number: int
    at: int
    seat: int | None
    name: str
    text: str


class ComponentChange(BaseModel):
    """A component of the game that the table's founder has changed."""

    component: str = Field(description="where it is in `components` of the game's details", examples=["goods.salt.points"])
    before: Any = Field(description="in the game as it comes; null: it has no such component")
    after: Any = Field(description="at this table; null: it has no such component")


class TableView(BaseModel):
    """A table as one viewer sees it."""

    model_config = example("TableView")

    type: Literal["table"]
    id: str
    version: int = Field(description="the number of the last change")
    game: str
    title: str
    options: dict[str, Any]
    changes: list[ComponentChange] = Field(description="how this variant's components differ from those of the game as it comes")
    status: Literal["waiting", "playing", "over", "imported"]
    public: bool
    clock: Clock
    rated: bool = Field(description="the result counts for everybody's rating")
    tournament: str | None = Field(description="the tournament it is part of")
    deal_known: bool = Field(description="somebody can know secrets of others or what chance will bring")
    time_out: Literal["bot", "lose"]
    substitute: BotInfo = Field(description="the computer player that takes over abandoned seats")
    created: int
    time: int = Field(description="server time, milliseconds since 1970")
    language: str
    seat: int | None = Field(description="the seat this is seen from; null: a spectator")
    seats: list[SeatInfo]
    watchers: int
    ply: int
    phase: str | None
    question: str | None = Field(description="the question to the deciding player, in the requested language")
    pending: list[int]
    view: dict[str, Any] | None = Field(description="the game's fields as far as this viewer may know them")
    moves: list[MoveInfo] = Field(description="legal moves of `seat` if it is yours")
    from_: int = Field(alias="from", description="drop events of later plies, then append `events`; -1: drop all")
    events: list[EventInfo]
    undo_to: int | None = Field(description="the lowest ply you can go back to alone; null: none")
    take_back_to: int | None = Field(description="the ply before your last decision, to propose")
    take_back_needs: list[int] = Field(description="seats that must agree; if empty, a take-back happens at once")
    proposal: Proposal | None
    hints: bool = Field(description="whether you may request a hint")
    result: Result | None
    founder: bool = Field(description="you founded the table")
    chat: list[ChatLine] = Field(description="for those who have a seat; empty for onlookers")
    rematch: str | None = Field(description="the table of the return game")


class PastDecision(BaseModel):
    """The decision that led to a ply."""

    seat: int
    move: MoveInfo
    at: int


class PastView(BaseModel):
    """A table at an earlier ply."""

    model_config = example("PastView")

    id: str
    version: int
    ply: int
    plies: int
    seat: int | None
    phase: str
    question: str | None
    pending: list[int]
    decision: PastDecision | None = Field(description="once the game is over")
    view: dict[str, Any]
    events: list[EventInfo]


class Reason(BaseModel):
    """Why a move is not possible."""

    model_config = example("Reason")

    text: str | None = Field(description="in words; null where the move is possible, or the game gives no reason")


class RematchMade(BaseModel):
    """The table of the return game."""

    model_config = example("RematchMade")

    id: str


class GameRecord(BaseModel):
    """A recorded game. Replaying it gives the same game."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [EXAMPLES["GameRecord"]]})

    format: int
    game: str
    rules: int
    seats: int
    options: dict[str, Any]
    seed: int
    moves: list[str]
