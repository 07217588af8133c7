"""WebSocket messages in both directions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter

from azalai.server.schemas import requests
from azalai.server.schemas.lists import TableSummary
from azalai.server.schemas.tables import TableView

# ---------------------------------------------------------------- from the client


class Message(requests.Body):
    """Base of all client messages. The answer carries the same `id`; without one, only errors are answered."""

    id: str | int | None = None


class PlayMessage(Message, requests.Play):
    """See `Play`."""

    type: Literal["play"]


class UndoMessage(Message, requests.Undo):
    """See `Undo`."""

    type: Literal["undo"]


class TakeBackMessage(Message, requests.ProposeTakeBack):
    """See `ProposeTakeBack`."""

    type: Literal["take-back"]


class AnswerMessage(Message, requests.AnswerTakeBack):
    """See `AnswerTakeBack`."""

    type: Literal["answer"]


class ResignMessage(Message, requests.Resign):
    """See `Resign`."""

    type: Literal["resign"]


class ChatMessage(Message, requests.SendChat):
    """See `SendChat`."""

    type: Literal["chat"]


class LookMessage(Message):
    """Send the whole table again, as another seat or in another language if given."""

    type: Literal["look"]
    seat: requests.SeatNumber | None = None
    lang: str | None = Field(None, max_length=20)


class PingMessage(Message):
    """Answered by `pong`."""

    type: Literal["ping"]


CommandMessage = PlayMessage | UndoMessage | TakeBackMessage | AnswerMessage | ResignMessage | ChatMessage
ClientMessage = Annotated[CommandMessage | LookMessage | PingMessage, Field(discriminator="type")]
CLIENT_MESSAGES: TypeAdapter[CommandMessage | LookMessage | PingMessage] = TypeAdapter(ClientMessage)

# ---------------------------------------------------------------- from the server


class PresenceMessage(BaseModel):
    """Who is present, sent whenever that changes."""

    type: Literal["presence"]
    connected: list[int] = Field(description="seats whose players have an open socket or have just asked, in any process")
    watchers: int = Field(description="open sockets without a seat")


class DoneMessage(BaseModel):
    """The message `id` was executed and stored. The table that resulted was sent before."""

    type: Literal["done"]
    id: str | int
    ply: int
    version: int


class ErrorMessage(BaseModel):
    """The message `id` failed."""

    type: Literal["error"]
    id: str | int | None
    error: str
    message: str


class PongMessage(BaseModel):
    """The answer to `ping`."""

    type: Literal["pong"]
    id: str | int | None
    time: int = Field(description="server time, milliseconds since 1970")


class OpenTablesMessage(BaseModel):
    """To a start page: tables at which somebody waits, but not you."""

    type: Literal["open"]
    time: int
    tables: list[TableSummary]


class OwnTablesMessage(BaseModel):
    """To a start page: your unfinished tables, and those at which a seat is kept for you."""

    type: Literal["own"]
    time: int
    tables: list[TableSummary]
    invitations: list[TableSummary]


AnyServerMessage = TableView | PresenceMessage | DoneMessage | ErrorMessage | PongMessage | OpenTablesMessage | OwnTablesMessage
ServerMessage = Annotated[AnyServerMessage, Field(discriminator="type")]
SERVER_MESSAGES: TypeAdapter[AnyServerMessage] = TypeAdapter(ServerMessage)
