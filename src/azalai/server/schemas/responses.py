"""The shapes of answers, as OpenAPI describes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from azalai.server.schemas.requests import Clock

EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))


def example(name: str) -> ConfigDict:
    """An answer's configuration with its example for readers of the API."""
    return ConfigDict(json_schema_extra={"examples": [EXAMPLES[name]]})


class Problem(BaseModel):
    """Why something was not done: a code for programs, a sentence for people."""

    model_config = example("Problem")

    error: str
    message: str


class GameOption(BaseModel):
    """A choice made before the game begins; the first is the default."""

    name: str
    choices: list[str]
    free: bool = Field(description="anything the game can read, not only one of `choices`")


class BotInfo(BaseModel):
    """A computer player: `bot` to name it in requests, `name` for people."""

    bot: str
    name: str


class GameInfo(BaseModel):
    """A game on offer."""

    model_config = example("GameInfo")

    name: str
    title: str
    blurb: str
    designers: list[str]
    publisher: str
    year: int | None
    minutes: Any
    seats: list[int]
    rules: int
    options: list[GameOption]
    bots: list[BotInfo]
    ready: bool = Field(description="compiled on this machine; the first table of a game that is not waits for it")


class GameList(BaseModel):
    """All games."""

    model_config = example("GameList")

    games: list[GameInfo]


class GameDetails(GameInfo):
    """All names a page or program meets in views, moves and events of a game."""

    model_config = example("GameDetails")

    labels: dict[str, list[str]] = Field(description="of the seats, by their number")
    phases: list[str]
    ends: list[str]
    moves: dict[str, dict[str, str]] = Field(description="kinds of moves: the domain of each argument")
    events: dict[str, dict[str, str]]
    domains: dict[str, dict[str, Any]] = Field(description="the labels of each domain's values, from `first` on")
    fields: dict[str, dict[str, Any]] = Field(description="the fields of a view: shape and meaning")
    words: dict[str, Any] = Field(description="the game's words file in the asked language")
    components: dict[str, Any] = Field(description="the game's numbers: board, cards, …")


class Help(BaseModel):
    """The rules."""

    model_config = example("Help")

    game: str
    language: str
    markdown: str


class Me(BaseModel):
    """Guest you are to others."""

    model_config = example("Me")

    name: str
    tables: int = Field(description="unfinished tables you sit at")


class Link(BaseModel):
    """A code and the address of the page that uses it."""

    model_config = example("Link")

    code: str
    url: str
    expires: int | None = Field(description="milliseconds since 1970")


class TokenInfo(BaseModel):
    """A token, without the token itself."""

    id: str
    label: str
    created: int


class TokenList(BaseModel):
    """Your tokens."""

    model_config = example("TokenList")

    tokens: list[TokenInfo]


class TokenMade(TokenInfo):
    """A new token. It is shown this once."""

    model_config = example("TokenMade")

    token: str


class MoveInfo(BaseModel):
    """A legal move."""

    id: int
    text: str = Field(examples=["north 3"])
    name: str
    args: dict[str, int]
    words: str = Field(description="what it does, in the asked language")


class EventInfo(BaseModel):
    """Something that happened, of what the viewer may know."""

    ply: int = Field(description="the decision that brought it about was the ply-th; 0: the deal")
    seat: int | None = Field(description="who decided")
    kind: str
    args: dict[str, int]
    text: str = Field(description="a line for the log in the asked language; may be empty")


class SeatInfo(BaseModel):
    """A seat and who has it."""

    seat: int
    label: str = Field(description="the seat's colour")
    colour: str = Field(description="the same in the asked language")
    kind: Literal["open", "human", "bot"]
    name: str
    bot: str | None = Field(description="which computer player plays here")
    bot_name: str | None = Field(description="what that one is called in the asked language")
    mine: bool
    connected: bool
    pending: bool = Field(description="owes a decision")
    resigned: str | None = Field(description="out of the game: `resigned` or `time`")
    clock: int | None = Field(description="milliseconds left at `time`; runs down while `pending`")
    claimable: bool = Field(description="its player has been gone for so long that a computer player may take over")


class Proposal(BaseModel):
    """A take-back that somebody wants."""

    seat: int
    to: int
    agreed: list[int]
    needs: list[int]


class Result(BaseModel):
    """How it ended."""

    end: str | None = Field(description="the way the game ended, `resigned`, `time`; null for an unfinished imported game")
    text: str | None
    scores: list[int]
    ranking: list[int] = Field(description="slots, 1 = winner")


class ChatLine(BaseModel):
    """Something said. Plain text, never markup."""

    number: int
    at: int
    seat: int | None
    name: str
    text: str


class TableView(BaseModel):
    """A table as one viewer sees it: all a page needs."""

    model_config = example("TableView")

    type: Literal["table"]
    id: str
    version: int = Field(description="number of the last change")
    game: str
    title: str
    options: dict[str, Any]
    status: Literal["waiting", "playing", "over", "imported"]
    public: bool
    clock: Clock
    time_out: Literal["bot", "lose"]
    created: int
    time: int = Field(description="server time, milliseconds since 1970")
    language: str
    seat: int | None = Field(description="with whose eyes this is seen; null: a spectator's")
    seats: list[SeatInfo]
    watchers: int
    ply: int
    phase: str | None
    question: str | None = Field(description="what the deciding player is asked, in the asked language")
    pending: list[int]
    view: dict[str, Any] | None = Field(description="the game's fields as this viewer may know them; see `fields` of the game")
    moves: list[MoveInfo] = Field(description="legal moves of `seat` now, where it is yours")
    from_: int = Field(alias="from", description="forget events of later plies, then add `events`; -1: these are all")
    events: list[EventInfo]
    undo_to: int | None = Field(description="the lowest ply you can go back to alone; null: nothing")
    take_back_to: int | None = Field(description="the ply before your last decision, to propose")
    take_back_needs: list[int] = Field(description="seats that would have to agree; none: it is done at once")
    proposal: Proposal | None
    plan: list[str]
    plan_dropped: str | None = Field(description="the planned move that could not be made; the rest of the plan was dropped")
    hints: bool = Field(description="whether you may ask for a hint")
    result: Result | None
    chat: list[ChatLine]
    rematch: str | None = Field(description="the table of the return game")


class PastDecision(BaseModel):
    """The decision that led to a ply."""

    seat: int
    move: MoveInfo
    at: int


class PastView(BaseModel):
    """A table as it was."""

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


class TableSummary(BaseModel):
    """A table in a list."""

    id: str
    game: str
    title: str
    status: str
    public: bool
    options: dict[str, Any]
    clock: Clock
    created: int
    updated: int
    ply: int
    seats: list[dict[str, Any]]
    pending: list[int]
    your_turn: bool


class TableList(BaseModel):
    """Tables, latest first."""

    model_config = example("TableList")

    tables: list[TableSummary]
    next: str | None = Field(description="ask again with `before` = this for more")


class RematchMade(BaseModel):
    """The table of the return game."""

    model_config = example("RematchMade")

    id: str


class Record(BaseModel):
    """A game as a file: replaying it gives the same game."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [EXAMPLES["Record"]]})

    format: int
    game: str
    rules: int
    seats: int
    options: dict[str, Any]
    seed: int
    moves: list[str]


class Job(BaseModel):
    """A hint or an analysis under way."""

    model_config = example("Job")

    id: str
    table: str
    kind: Literal["hint", "game"]
    status: Literal["waiting", "running", "done", "failed"]
    progress: float = Field(description="0 to 1")
    result: dict[str, Any] | None
    problem: Problem | None = Field(description="why it failed")


class Health(BaseModel):
    """Whether the server can serve."""

    model_config = example("Health")

    status: Literal["ok", "unavailable"]
    version: str
    games: dict[str, bool]
