"""The rows of the database: one class for each of its tables."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Float, ForeignKey, Index, LargeBinary, String, Text, column
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

DUE = column("wake", BigInteger).is_not(None)
PUBLIC = column("public", Boolean)
PUBLIC_IN_SQLITE = column("public", BigInteger) == 1  # which has no truth values


class Base(DeclarativeBase):
    """Base of all mapped classes."""

    type_annotation_map = {int: BigInteger, dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012 (SQLAlchemy's way to say it)


class SettingRow(Base):
    """A value shared by all processes, such as the key that signs cookies."""

    __tablename__ = "settings"
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class GuestRow(Base):
    """A guest who has taken a seat or a name."""

    __tablename__ = "guests"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created: Mapped[int]
    epoch: Mapped[int]  # cookies of another epoch are not valid
    banned: Mapped[int | None]  # since when
    player: Mapped[str | None] = mapped_column(String(16))  # the public id of whoever keeps their name: /player/ID
    shown: Mapped[list[Any] | None]  # the parts of the profile that everybody may see; None: as `profiles.SHOWN` says
    __table_args__ = (Index("guests_by_player", "player", unique=True),)


class TokenRow(Base):
    """A secret of a guest, such as an API token or a link to another device. Only its digest is stored."""

    __tablename__ = "tokens"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    guest: Mapped[str] = mapped_column(String(32), index=True)
    kind: Mapped[str] = mapped_column(String(8))  # api, link, recovery; challenges of passkeys: create, sign in
    label: Mapped[str] = mapped_column(String(80))
    created: Mapped[int]
    expires: Mapped[int | None]


class PasskeyRow(Base):
    """A passkey by which a guest signs in: its public key, never a secret."""

    __tablename__ = "passkeys"
    id: Mapped[str] = mapped_column(String(1400), primary_key=True)  # the credential's, in base64url
    guest: Mapped[str] = mapped_column(String(32), index=True)
    host: Mapped[str] = mapped_column(String(255))  # the name of the site it was made for
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    uses: Mapped[int]  # as the device counts them; a copy would count less
    label: Mapped[str] = mapped_column(String(80))
    created: Mapped[int]
    used: Mapped[int | None]  # when somebody last signed in with it


class TableRow(Base):
    """A table: its setup, and a summary of its state that every journal entry updates."""

    __tablename__ = "tables"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    rules: Mapped[int]
    layout: Mapped[str] = mapped_column(String(16))  # digest of the record type, for `state`
    options: Mapped[dict[str, Any]]
    seed: Mapped[int]
    setup: Mapped[dict[str, Any]]  # clock, time-out rule, substitute, hints
    public: Mapped[bool]
    creator: Mapped[str] = mapped_column(String(32))
    created: Mapped[int]
    updated: Mapped[int]
    acted: Mapped[int]  # when somebody last decided, gave up, or the game began: since then the pending seats are asked
    status: Mapped[str] = mapped_column(String(8))  # waiting, playing, over, imported
    number: Mapped[int]  # of the last entry
    ply: Mapped[int]
    pending: Mapped[int]  # a bit per seat
    state: Mapped[bytes | None] = mapped_column(LargeBinary)  # the latest position, in case the rules version changes
    wake: Mapped[int | None]  # when the scheduler must check it: a clock expires or a computer player has to move
    __table_args__ = (  # only of tables that somebody looks for by it: a move at any other writes to no index
        Index("tables_by_wake", "wake", sqlite_where=DUE, postgresql_where=DUE),
        Index("tables_by_status", "status", "updated", sqlite_where=PUBLIC_IN_SQLITE, postgresql_where=PUBLIC),
    )


class PlayerRow(Base):
    """The players of a table, for lists of tables."""

    __tablename__ = "players"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(8))
    guest: Mapped[str | None] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(80))
    bot: Mapped[str | None] = mapped_column(String(40))
    place: Mapped[int | None]  # once the game is over; 1: won
    score: Mapped[int | None]


class EntryRow(Base):
    """One entry of a table's journal. Of two processes that write the same number, one fails."""

    __tablename__ = "entries"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[int]  # milliseconds since 1970, server time
    kind: Mapped[str] = mapped_column(String(8))
    seat: Mapped[int | None]
    data: Mapped[dict[str, Any]]


class ReviewRow(Base):
    """The review of a finished game, as far as it has come."""

    __tablename__ = "reviews"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    done: Mapped[bool]
    content: Mapped[dict[str, Any]]
    renewed: Mapped[int]


class ResultRow(Base):
    """How a game ended for a seat. Stays when the table is deleted, since ratings follow from it."""

    __tablename__ = "results"
    table_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    players: Mapped[int]
    rated: Mapped[bool]
    at: Mapped[int]
    guest: Mapped[str | None] = mapped_column(String(32), index=True)  # None: a computer player, or somebody who was deleted
    bot: Mapped[str | None] = mapped_column(String(40))  # None: a person
    place: Mapped[int]
    out: Mapped[str | None] = mapped_column(String(8))  # why the player did not finish: `resigned`, `time`, `left`
    mu: Mapped[float | None] = mapped_column(Float)  # rating before the game and after it, once it is computed
    sigma: Mapped[float | None] = mapped_column(Float)
    new_mu: Mapped[float | None] = mapped_column(Float)
    new_sigma: Mapped[float | None] = mapped_column(Float)
    __table_args__ = (
        Index("results_by_pool", "rated", "game", "players", "at", "table_id"),
        Index("results_to_rate", "rated", "new_mu"),
    )


class RatingRow(Base):
    """How strong a guest is in a game of so many players. Follows from the results."""

    __tablename__ = "ratings"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    players: Mapped[int] = mapped_column(primary_key=True)
    mu: Mapped[float] = mapped_column(Float)
    sigma: Mapped[float] = mapped_column(Float)
    games: Mapped[int]
    at: Mapped[int]  # when the last of them ended
    __table_args__ = (Index("ratings_by_pool", "game", "players", "games"),)


class AttitudeRow(Base):
    """What a guest wants of another: not to play with them, not to read what they say."""

    __tablename__ = "attitudes"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    other: Mapped[str] = mapped_column(String(32), primary_key=True, index=True)
    blocked: Mapped[bool]
    muted: Mapped[bool]


class VacationRow(Base):
    """A guest's vacation, during which their slow clocks stand still."""

    __tablename__ = "vacations"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    begins: Mapped[int] = mapped_column(primary_key=True)
    until: Mapped[int]


class ReportRow(Base):
    """What a guest has reported about another, for the operator."""

    __tablename__ = "reports"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[int]
    reporter: Mapped[str] = mapped_column(String(32))
    guest: Mapped[str] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(80))
    table_id: Mapped[str] = mapped_column(String(32))  # it may have been deleted since
    reason: Mapped[str] = mapped_column(String(8))
    text: Mapped[str] = mapped_column(Text)
    said: Mapped[list[Any]]  # the person's last lines in the chat of the table
    settled: Mapped[int | None]  # when the operator has settled it


class JobRow(Base):
    """A requested hint."""

    __tablename__ = "jobs"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    guest: Mapped[str] = mapped_column(String(32), index=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(8))
    request: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(String(8))  # waiting, running, done, failed
    progress: Mapped[float] = mapped_column(Float)
    result: Mapped[dict[str, Any] | None]
    created: Mapped[int]
    renewed: Mapped[int]


class CallSettingsRow(Base):
    """What a guest wants to be told, when, and in which words."""

    __tablename__ = "call_settings"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    language: Mapped[str] = mapped_column(String(2))
    zone: Mapped[str] = mapped_column(String(64))  # of time, such as Europe/Berlin
    quiet_from: Mapped[int | None]  # minutes after midnight
    quiet_to: Mapped[int | None]
    turn: Mapped[bool]
    invited: Mapped[bool]
    over: Mapped[bool]
    called: Mapped[int]  # when the last message was written; 0: never
    feed: Mapped[str | None] = mapped_column(String(64), unique=True)  # digest of the secret in the feed's address


class ContactRow(Base):
    """Where a guest can be reached: a browser, a mail address, a webhook."""

    __tablename__ = "contacts"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    guest: Mapped[str] = mapped_column(String(32), index=True)
    kind: Mapped[str] = mapped_column(String(8))  # push, mail, discord, slack
    address: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64), unique=True)  # of what may exist once: a browser, an address of one guest
    keys: Mapped[dict[str, Any]]  # with which messages to a browser are encrypted
    confirmed: Mapped[int | None]  # since when messages may be sent
    problem: Mapped[str | None] = mapped_column(String(40))  # why the last message did not arrive
    created: Mapped[int]


class CallRow(Base):
    """Something to tell a guest about a table, once: a turn, an invitation, an end."""

    __tablename__ = "calls"
    guest: Mapped[str] = mapped_column(String(32), primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)  # turn, invited, over
    number: Mapped[int] = mapped_column(primary_key=True)  # of a turn, the ply since which it is theirs
    created: Mapped[int]
    due: Mapped[int | None] = mapped_column(index=True)  # None: told, or not worth telling any more


class DeliveryRow(Base):
    """A message to one contact that is to be sent."""

    __tablename__ = "deliveries"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    contact: Mapped[str] = mapped_column(ForeignKey("contacts.id", ondelete="CASCADE"), index=True)
    message: Mapped[dict[str, Any]]
    created: Mapped[int]
    due: Mapped[int] = mapped_column(index=True)
    attempts: Mapped[int]
