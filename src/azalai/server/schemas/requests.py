"""Request bodies."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_SEATS = 5
LONGEST_FILE = 32_000  # characters of a file with components
Ply = Annotated[int, Field(ge=0, le=1_000_000, description="a number of decisions")]
SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS, description="a seat, counted from 0")]
MoveText = Annotated[int, Field(ge=0, le=10_000_000)] | Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
BotName = Annotated[str, Field(min_length=1, max_length=40, examples=["greedy"])]


class Body(BaseModel):
    """Base of all requests. Unknown fields are errors, and so are values of another type, such as 0 for false."""

    model_config = ConfigDict(extra="forbid", strict=True, str_max_length=2000)


def example(**values: Any) -> ConfigDict:
    """Return a request's configuration with an example."""
    return ConfigDict(extra="forbid", strict=True, str_max_length=2000, json_schema_extra={"examples": [values]})


class NewSeat(Body):
    """Who gets a seat at a new table."""

    kind: Literal["me", "open", "bot", "friend"]
    bot: BotName | None = Field(default=None, description="the computer player, for kind `bot`")
    name: str | None = Field(default=None, max_length=200, description="for kind `me`: a name of its own, at a shared device")
    person: str | None = Field(
        default=None, max_length=16, description="for kind `friend`: somebody from `GET /api/people`, for whom the seat is kept"
    )


class Clock(Body):
    """`none`; `live`: minutes for the whole game plus an increment per turn; `slow`: days per turn."""

    kind: Literal["none", "live", "slow"] = "none"
    minutes: float = Field(default=0, ge=0, le=600)
    increment: float = Field(default=0, ge=0, le=600, description="seconds")
    days: float = Field(default=0, ge=0, le=60)


class PositionAtPly(Body):
    """A position of a finished or imported game."""

    table: str = Field(max_length=32)
    ply: Ply


class NewTable(Body):
    """A new table. The game starts when the last open seat is taken."""

    model_config = example(game="caravan", seats=[{"kind": "me"}, {"kind": "bot", "bot": "greedy"}], public=False)

    game: str = Field(max_length=40)
    seats: list[NewSeat] = Field(min_length=1, max_length=MOST_SEATS)
    options: dict[str, Any] = Field(default_factory=dict, max_length=8)
    components: str | None = Field(
        default=None,
        max_length=LONGEST_FILE,
        description="changed components, as the text of a TOML file with some of the tables of the game's `components.toml`",
        examples=["[goods.salt]\npoints = 5"],
    )
    public: bool = Field(default=False, description="listed for everybody; else only those with the link can join")
    clock: Clock = Clock()
    time_out: Literal["bot", "lose"] = Field(
        default="bot", description="when time runs out: a computer player takes over, or the player loses"
    )
    substitute: BotName | None = Field(default=None, description="the computer player that takes over abandoned seats")
    hints: bool = Field(default=False, description="hints for everybody; else only for people who play against computer players")
    rated: bool = Field(
        default=False,
        description="the result counts: for people who keep their name; usual options, a clock, no hints; leaving is losing",
    )
    wait: bool = Field(default=False, description="start only on request, not when all seats are taken")
    origin: PositionAtPly | None = Field(default=None, description="continue from this position of another game")


class Play(Body):
    """A decision: the id or text of a legal move, and the ply it is meant for. Repeating the request has no effect."""

    model_config = example(ply=0, move="north 3")

    ply: Ply
    move: MoveText
    seat: SeatNumber | None = Field(default=None, description="needed only by guests with several seats")
    version: int | None = Field(
        default=None, ge=0, le=2**31, description="the table version last seen: an error if decisions were taken back since"
    )


class Undo(Body):
    """Take back your own last decision, or those back to ply `to`."""

    model_config = example(to=9)

    to: Ply | None = None
    seat: SeatNumber | None = None


class ProposeTakeBack(Body):
    """Propose to go back to ply `to`, by default to before your own last decision."""

    model_config = example(to=5)

    to: Ply | None = None
    seat: SeatNumber | None = None


class AnswerTakeBack(Body):
    """Agree to a proposed take-back, or decline it."""

    model_config = example(agree=True)

    agree: bool
    seat: SeatNumber | None = None


class Resign(Body):
    """Resign."""

    model_config = example()

    seat: SeatNumber | None = None


class SendChat(Body):
    """Send a chat line."""

    model_config = example(text="Good game!")

    text: str = Field(min_length=1, max_length=2000)
    seat: SeatNumber | None = None


class TakeSeat(Body):
    """Take a seat: a named one, the first free one, or the one that `code` hands over."""

    model_config = example(seat=1)

    seat: SeatNumber | None = None
    code: str | None = Field(default=None, max_length=300)


class PutBot(Body):
    """A computer player for an open or abandoned seat."""

    model_config = example(bot="greedy")

    bot: BotName | None = Field(default=None, description="by default, and always in a running game, the table's `substitute`")


class Start(Body):
    """Start now. Open seats go to this computer player; without one they are removed."""

    model_config = example(bot="3")

    bot: BotName | None = None


class Seek(Body):
    """Play with anyone who wants to play this game."""

    model_config = example(game="caravan")

    game: str = Field(max_length=40)


class Attitude(Body):
    """What you want of somebody."""

    model_config = example(blocked=False, muted=True)

    blocked: bool = Field(description="they cannot join your tables or invite you, and you are not seated together")
    muted: bool = Field(description="the page hides what they say")


class NewReport(Body):
    """What the operator shall know about somebody."""

    model_config = example(reason="chat", text="Look at the last lines.")

    reason: Literal["chat", "name", "play", "other"]
    text: str = Field(default="", max_length=1000)


class NewName(Body):
    """A display name."""

    model_config = example(name="Tin Hinan")

    name: str = Field(min_length=1, max_length=200)


class GoAway(Body):
    """Go on vacation for some days."""

    model_config = example(days=7)

    days: float = Field(gt=0, le=60)


class UseLink(Body):
    """The code of a link to another device."""

    model_config = example(code="q1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6")

    code: str = Field(min_length=1, max_length=100)


class NewPasskey(Body):
    """A passkey that the browser has made, as `PublicKeyCredential.toJSON()` gives it."""

    model_config = example(credential={"id": "q1w2e3r4", "response": {}}, label="my phone")

    credential: dict[str, Any]
    label: str = Field(default="", max_length=80, description="a reminder of where it is")


class UsePasskey(Body):
    """What a passkey has signed, as `PublicKeyCredential.toJSON()` gives it."""

    model_config = example(credential={"id": "q1w2e3r4", "response": {}})

    credential: dict[str, Any]


class UseCode(Body):
    """A recovery code. Case, dashes and spaces do not matter."""

    model_config = example(code="7K2QX-09MRT-B4CZW-H8DJE")

    code: str = Field(min_length=1, max_length=100)


class NewProfile(Body):
    """The parts of your profile that everybody may see."""

    model_config = example(shown=["rating", "games"])

    shown: list[Literal["rating", "games", "opponents", "puzzles"]] = Field(max_length=4)


class NewToken(Body):
    """The label of a token, as a reminder of its use."""

    model_config = example(label="my bot")

    label: str = Field(default="", max_length=80)


class NewJob(Body):
    """A hint for the current position."""

    model_config = example(kind="hint")

    kind: Literal["hint"] = "hint"
    seat: SeatNumber | None = None
    ply: Ply | None = Field(default=None, description="a hint for this position of a finished game")


class TriedMove(Body):
    """Another move in the place of the one that was played."""

    model_config = example(move=17)

    move: int = Field(ge=0, le=1_000_000, description="its id")


Minute = Annotated[int, Field(ge=0, lt=24 * 60, description="minutes after midnight")]


class QuietHours(Body):
    """From when to when no message is sent, by the clock of your time zone; over midnight too."""

    begin: Minute
    end: Minute


class CallSettings(Body):
    """What you want to be told when you are away, and when not."""

    model_config = example(
        turn=True, invited=True, over=False, language="de", zone="Europe/Berlin", quiet={"begin": 1320, "end": 420}
    )

    turn: bool = Field(description="when it is your turn")
    invited: bool = Field(description="when a seat is kept for you")
    over: bool = Field(description="when a game of yours has ended")
    language: str = Field(pattern="^[a-z]{2}$", description="of messages, such as `en`")
    zone: str = Field(max_length=64, pattern=r"^[A-Za-z0-9_+/-]+$", description="your time zone, such as `Europe/Berlin`")
    quiet: QuietHours | None = Field(default=None, description="null: at any hour")


class PushKeys(Body):
    """With which messages to a browser are encrypted."""

    p256dh: str = Field(max_length=100)
    auth: str = Field(max_length=40)


class NewPush(Body):
    """A browser's push subscription, as `PushSubscription.toJSON()` has it."""

    model_config = example(endpoint="https://push.example.org/abc", keys={"p256dh": "BP4…", "auth": "k1…"})

    endpoint: str = Field(max_length=1000)
    keys: PushKeys


class NewMail(Body):
    """A mail address. Nothing but one question is sent to it until it is confirmed."""

    model_config = example(address="anna@example.org")

    address: str = Field(max_length=200, pattern=r"^[^@\s<>,;:\"()\\]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$")


class NewWebhook(Body):
    """The address of a webhook, and which form of messages it takes."""

    model_config = example(kind="discord", url="https://discord.com/api/webhooks/1/abc")

    kind: Literal["discord", "slack"]
    url: str = Field(max_length=1000)


class ConfirmMail(Body):
    """The code of the mail that asked."""

    model_config = example(code="Im1haWwi.ZxY")

    code: str = Field(max_length=300)
