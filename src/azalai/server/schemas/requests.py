"""The shapes of requests, as OpenAPI describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_SEATS = 5
Ply = Annotated[int, Field(ge=0, le=1_000_000, description="a number of decisions made")]
SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS, description="a seat, counted from 0")]
MoveText = Annotated[int, Field(ge=0, le=10_000_000)] | Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
BotName = Annotated[str, Field(min_length=1, max_length=40, examples=["greedy"])]


class Body(BaseModel):
    """A request: what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid", str_max_length=2000)


def example(**values: Any) -> ConfigDict:
    """A request's configuration with an example for readers of the API."""
    return ConfigDict(extra="forbid", str_max_length=2000, json_schema_extra={"examples": [values]})


class SeatWish(Body):
    """Guest shall have a seat at a new table."""

    kind: Literal["me", "open", "bot"]
    bot: BotName | None = Field(default=None, description="which computer player, for kind `bot`")


class Clock(Body):
    """`none`; `live`: minutes for the whole game and seconds more for each turn; `slow`: days for each turn."""

    kind: Literal["none", "live", "slow"] = "none"
    minutes: float = Field(default=0, ge=0, le=600)
    increment: float = Field(default=0, ge=0, le=600, description="seconds")
    days: float = Field(default=0, ge=0, le=60)


class PositionAtPly(Body):
    """A moment of a finished or imported game."""

    table: str = Field(max_length=32)
    ply: Ply


class NewTable(Body):
    """A new table. The game begins when the last open seat is taken."""

    model_config = example(game="targui", seats=[{"kind": "me"}, {"kind": "bot", "bot": "greedy"}], public=False)

    game: str = Field(max_length=40)
    seats: list[SeatWish] = Field(min_length=1, max_length=MOST_SEATS)
    options: dict[str, Any] = Field(default_factory=dict, max_length=8)
    public: bool = Field(default=False, description="in the list of tables; else only who knows the link can come")
    clock: Clock = Clock()
    time_out: Literal["bot", "lose"] = Field(
        default="bot", description="when time runs out: a computer player takes over, or the game is lost"
    )
    substitute: BotName | None = Field(default=None, description="which computer player takes over abandoned seats")
    hints: bool = Field(
        default=False, description="hints for everybody; without this, only for who plays against computer players alone"
    )
    wait: bool = Field(default=False, description="begin only when somebody at the table says so, not when all seats are taken")
    origin: PositionAtPly | None = Field(default=None, description="play on from this moment of another game")


class Play(Body):
    """A decision: the id or the text of a legal move, and the ply it is meant for. The same request again does no harm."""

    model_config = example(ply=0, move="north 3")

    ply: Ply
    move: MoveText
    seat: SeatNumber | None = Field(default=None, description="needed only by those who hold several seats")
    version: int | None = Field(
        default=None, ge=0, le=2**31, description="of the table as last seen: refuses where decisions were taken back since"
    )


class Undo(Body):
    """Take back one's own last decision, or those back to ply `to`."""

    model_config = example(to=9)

    to: Ply | None = None
    seat: SeatNumber | None = None


class TakeBack(Body):
    """Propose to go back to ply `to`; without it, to before one's own last decision."""

    model_config = example(to=5)

    to: Ply | None = None
    seat: SeatNumber | None = None


class Answer(Body):
    """Agree to, or decline, a proposed take-back."""

    model_config = example(agree=True)

    agree: bool
    seat: SeatNumber | None = None


class Resign(Body):
    """Give up."""

    model_config = example()

    seat: SeatNumber | None = None


class MakePlan(Body):
    """Decisions to make as soon as the seat is asked; an empty list forgets them."""

    model_config = example(moves=["north 3"])

    moves: list[MoveText] = Field(max_length=16)
    seat: SeatNumber | None = None


class Say(Body):
    """Say something to the table."""

    model_config = example(text="Good game!")

    text: str = Field(min_length=1, max_length=2000)
    seat: SeatNumber | None = None


class TakeSeat(Body):
    """Sit down: in a named seat, or the first free one; or in the one that `code` hands over."""

    model_config = example(seat=1)

    seat: SeatNumber | None = None
    code: str | None = Field(default=None, max_length=300)


class PutBot(Body):
    """A computer player for an open or abandoned seat."""

    model_config = example(bot="greedy")

    bot: BotName


class Start(Body):
    """Begin now: open seats go to this computer player, or away without one."""

    model_config = example(bot="3")

    bot: BotName | None = None


class NewName(Body):
    """A display name."""

    model_config = example(name="Tin Hinan")

    name: str = Field(min_length=1, max_length=200)


class UseLink(Body):
    """The code of a link to another device."""

    model_config = example(code="q1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6")

    code: str = Field(min_length=1, max_length=100)


class NewToken(Body):
    """What a token is for, as a reminder."""

    model_config = example(label="my bot")

    label: str = Field(default="", max_length=80)


class NewJob(Body):
    """A hint for the present position, or an analysis of a whole game that is over."""

    model_config = example(kind="hint")

    kind: Literal["hint", "game"] = "hint"
    seat: SeatNumber | None = None
    ply: Ply | None = Field(default=None, description="a hint for an earlier position of one's own")
