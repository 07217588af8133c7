"""How guests are called back."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from azalai.server.schemas.examples import example
from azalai.server.schemas.requests import CallSettings


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
