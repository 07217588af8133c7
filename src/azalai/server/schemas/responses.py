"""Responses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from azalai.server.schemas.requests import CallSettings, Clock

EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))


def example(name: str) -> ConfigDict:
    """Return a response's configuration with its example from examples.json."""
    return ConfigDict(json_schema_extra={"examples": [EXAMPLES[name]]})


class Problem(BaseModel):
    """An error: a code for programs and a sentence for people."""

    model_config = example("Problem")

    error: str
    message: str


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


class Me(BaseModel):
    """You, as others see you."""

    model_config = example("Me")

    name: str
    tables: int = Field(description="your unfinished tables")
    before: str | None = Field(description="the name of who this device was before a link made it you")
    player: str | None = Field(description="your public id, if you keep your name: the page `/player/ID` is about you")


class Vacation(BaseModel):
    """Your vacation, during which your slow clocks stand still."""

    model_config = example("Vacation")

    until: int | None = Field(description="milliseconds since 1970; null: you are not on vacation")
    days_left: float = Field(description="days that you may still take within a year")


class Link(BaseModel):
    """A code, and the path of the page that uses it."""

    model_config = example("Link")

    code: str
    url: str
    expires: int | None = Field(description="milliseconds since 1970")


class PasskeyInfo(BaseModel):
    """A passkey, without its key."""

    id: str
    label: str
    host: str = Field(description="the name of the site it was made for")
    created: int
    used: int | None = Field(description="when somebody last signed in with it")


class PasskeyList(BaseModel):
    """Your passkeys, and when your recovery code was made."""

    model_config = example("PasskeyList")

    passkeys: list[PasskeyInfo]
    recovery: int | None


class PasskeyOptions(BaseModel):
    """Options for `navigator.credentials`, in the JSON form of WebAuthn. They hold for five minutes, once."""

    model_config = example("PasskeyOptions")

    options: dict[str, Any]


class RecoveryCode(BaseModel):
    """A recovery code. It is shown only now, and works once."""

    model_config = example("RecoveryCode")

    code: str


class PersonData(BaseModel):
    """Everything the server keeps about you."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [EXAMPLES["PersonData"]]})

    format: str
    you: dict[str, Any]
    passkeys: list[dict[str, Any]]
    tokens: list[dict[str, Any]]
    ratings: list[dict[str, Any]]
    results: list[dict[str, Any]]
    called: list[dict[str, Any]] = Field(description="how you are called back")
    contacts: list[dict[str, Any]]
    vacations: list[dict[str, Any]]
    people: list[dict[str, Any]] = Field(description="whom you have blocked or muted")
    tournaments: list[dict[str, Any]]
    hints: list[dict[str, Any]]
    tables: list[dict[str, Any]] = Field(description="what you have decided and said there")


class RatingPoint(BaseModel):
    """A rating after a game."""

    at: int
    table: str
    rating: int
    error: int = Field(description="half the 95 % interval")


class PlayerRating(BaseModel):
    """How strong somebody is in a game of so many players."""

    game: str
    title: str
    players: int
    rating: int
    error: int = Field(description="half the 95 % interval")
    games: int
    curve: list[RatingPoint] = Field(description="the last ones, oldest first")


class PlayedGame(BaseModel):
    """How often somebody has played a game to the end, and won."""

    game: str
    title: str
    played: int
    won: int


class Opponent(BaseModel):
    """How somebody has fared against another person or a computer player."""

    name: str
    player: str | None = Field(description="whose public id; null: a guest or a computer player")
    bot: str | None
    played: int
    won: int = Field(description="games in which they came before the other")
    lost: int


class Profile(BaseModel):
    """A player's profile. What they do not show is null, except for themselves."""

    model_config = example("Profile")

    player: str | None
    name: str
    since: int | None
    mine: bool
    shown: list[Literal["rating", "games", "opponents"]]
    ratings: list[PlayerRating] | None
    games: list[PlayedGame] | None = Field(description="the favourite first")
    opponents: list[Opponent] | None = Field(description="those met most often, of whom all show this part themselves")


class RankedPlayer(BaseModel):
    """Somebody in a list of the best."""

    name: str
    player: str
    rating: int
    error: int
    games: int
    mine: bool


class RatedBot(BaseModel):
    """A computer player with its rating, which does not change."""

    bot: str
    name: str
    rating: int
    error: int


class BestPlayers(BaseModel):
    """The best players of a game, in order of what they surely have: the rating less its error."""

    model_config = example("BestPlayers")

    game: str
    title: str
    players: int
    minimum: int = Field(description="rated games one must have")
    people: list[RankedPlayer]
    bots: list[RatedBot]


class SeatRating(BaseModel):
    """The rating of a seat's player; once the game is over, before it and after it."""

    seat: int
    player: str | None
    rating: int
    error: int
    after: int | None = Field(description="null: the game is not over")


class TableRatings(BaseModel):
    """The ratings at a table."""

    model_config = example("TableRatings")

    seats: list[SeatRating] = Field(description="empty if the table is not rated")


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
    """A new token. The secret is shown only now."""

    model_config = example("TokenMade")

    token: str


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


class TableView(BaseModel):
    """A table as one viewer sees it."""

    model_config = example("TableView")

    type: Literal["table"]
    id: str
    version: int = Field(description="the number of the last change")
    game: str
    title: str
    options: dict[str, Any]
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


class PersonList(BaseModel):
    """People, those played with last first."""

    model_config = example("PersonList")

    people: list[PersonInfo]


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


class Reason(BaseModel):
    """Why a move is not possible."""

    model_config = example("Reason")

    text: str | None = Field(description="in words; null where the move is possible, or the game gives no reason")


class Contact(BaseModel):
    """Where you are reached."""

    id: str
    kind: Literal["push", "mail", "discord", "slack"]
    address: str
    confirmed: bool = Field(description="false: nothing is sent")
    problem: Literal["failed", "gone"] | None = Field(description="the last message did not arrive, or none ever will")


class Callback(BaseModel):
    """How you are called back to your tables when you are away."""

    model_config = example("Callback")

    settings: CallSettings
    contacts: list[Contact]
    push_key: str = Field(description="the key that browsers subscribe with")
    mail: bool = Field(description="whether this server sends mails")
    feed: bool = Field(description="whether you have a feed")


class FeedMade(BaseModel):
    """The addresses of a feed. Whoever has them can read it; they are shown only now."""

    model_config = example("FeedMade")

    atom: str
    calendar: str


class Health(BaseModel):
    """Whether the server can serve."""

    model_config = example("Health")

    status: Literal["ok", "unavailable"]
    version: str
    games: dict[str, bool]
