"""What guests are told about themselves: sessions, passkeys, tokens, personal data."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from azalai.server.schemas.examples import EXAMPLES, example


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


class PersonData(BaseModel):
    """Everything the server keeps about you."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [EXAMPLES["PersonData"]]})

    format: str
    you: dict[str, Any]
    passkeys: list[dict[str, Any]]
    tokens: list[dict[str, Any]]
    ratings: list[dict[str, Any]]
    results: list[dict[str, Any]]
    puzzles: list[dict[str, Any]] = Field(description="your first tries")
    called: list[dict[str, Any]] = Field(description="how you are called back")
    contacts: list[dict[str, Any]]
    vacations: list[dict[str, Any]]
    people: list[dict[str, Any]] = Field(description="whom you have blocked or muted")
    tournaments: list[dict[str, Any]]
    hints: list[dict[str, Any]]
    tables: list[dict[str, Any]] = Field(description="what you have decided and said there")
