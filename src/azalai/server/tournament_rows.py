"""The database tables of tournaments."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from azalai.server.rows import Base


class TournamentRow(Base):
    """A series, round robin or knock-out of friends."""

    __tablename__ = "tournaments"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))  # empty: its organiser was deleted
    kind: Mapped[str] = mapped_column(String(12))  # series, round_robin, knock_out
    game: Mapped[str] = mapped_column(String(40))
    seats: Mapped[int]  # of a table
    games: Mapped[int]  # of a series
    clock: Mapped[dict[str, Any]]
    rated: Mapped[bool]
    bot: Mapped[str | None] = mapped_column(String(40))  # plays for absent people
    creator: Mapped[str] = mapped_column(String(32), index=True)  # the organiser
    created: Mapped[int]
    updated: Mapped[int]
    status: Mapped[str] = mapped_column(String(8))  # open, playing, over
    __table_args__ = (Index("tournaments_by_status", "status", "updated"),)


class EntrantRow(Base):
    """Somebody who takes part in a tournament."""

    __tablename__ = "entrants"
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    guest: Mapped[str | None] = mapped_column(String(32), index=True)  # None: a computer player, or somebody who was deleted
    bot: Mapped[str | None] = mapped_column(String(40))  # the computer player that plays for them, or that they are
    draw: Mapped[int | None]  # their lot, since the tournament began
    removed: Mapped[bool]


class PairingRow(Base):
    """A game of a tournament: who sits where, at which table, and how it ended."""

    __tablename__ = "pairings"
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)
    round_no: Mapped[int] = mapped_column(primary_key=True)
    match_no: Mapped[int] = mapped_column(primary_key=True)  # in the round
    game_no: Mapped[int] = mapped_column(primary_key=True)  # in the match: a series has several, and what is drawn is replayed
    seats: Mapped[list[Any]]  # numbers of entrants; None: a computer player that fills a seat
    table_id: Mapped[str | None] = mapped_column(String(32), unique=True)  # None: not made yet, or nobody had to play
    places: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))  # by seat, once the game is over; 1: won
