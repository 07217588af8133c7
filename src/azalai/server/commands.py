"""Commands on tables. Each function checks a request and returns the journal entries to add, or raises ApiError.

Nothing is changed here; `registry.py` commits the entries and applies them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from azalai.engine.errors import BadOption, IllegalMove
from azalai.engine.moves import Move
from azalai.server.errors import ApiError
from azalai.server.guests import Guest
from azalai.server.ids import new_id
from azalai.server.ratings import levels
from azalai.server.schemas.requests import Clock
from azalai.server.table import BOT, HUMAN, OPEN, OVER, PLAYING, WAITING, Entry, Table


def must_play(table: Table) -> None:
    """Raise an error unless a game is in progress."""
    if table.status == WAITING:
        raise ApiError(409, "not_started", "the game has not begun: there are open seats")
    if table.status != PLAYING:
        raise ApiError(409, "over", "the game is over")


def own_seat(table: Table, guest: Guest, seat: int | None) -> int:
    """Return the named seat if it is the guest's; by default the one that owes a decision, else their first."""
    mine = table.seats_played_by(guest.id)
    if not mine:
        raise ApiError(403, "not_seated", "you do not sit at this table")
    if table.rated and guest.token is not None:
        raise ApiError(403, "not_by_token", "at a rated table people decide themselves: no program plays for them")
    if seat is None:
        return next((one for one in mine if one in table.pending), mine[0])
    if seat not in mine:
        raise ApiError(403, "not_your_seat", f"seat {seat} is not yours; yours: {', '.join(map(str, mine))}")
    return seat


def read_move(table: Table, move: int | str) -> Move:
    """Read a move from its id or text."""
    try:
        return table.game.moves.parse(move) if isinstance(move, str) else table.game.moves[move]
    except IllegalMove as error:
        raise ApiError(422, "no_such_move", str(error)) from None


# ---------------------------------------------------------------- playing


def play(
    table: Table, guest: Guest | None, seat: int | None, ply: int, version: int | None, move: int | str, now: int
) -> list[Entry]:
    """Make a decision for the position at `ply`. `guest` is None for the server's own computer players."""
    number = own_seat(table, guest, seat) if guest is not None else seat
    assert number is not None
    chosen = read_move(table, move)
    if _already(table, number, ply, chosen):
        return []  # a repeated request, for example after a lost answer, has no effect
    must_play(table)
    if number not in table.pending:
        asked = ", ".join(map(str, table.pending))
        raise ApiError(409, "not_your_turn", f"seat {number} has nothing to decide now; asked are {asked}")
    if version is not None and table.valid_ply(version, ply) < ply:
        raise ApiError(409, "taken_back", "decisions were taken back in the meantime: look at the table again")
    if not table.owed_since[number] <= ply <= table.ply:
        raise ApiError(409, "wrong_ply", f"the table is at ply {table.ply}, the move was meant for ply {ply}")
    if guest is not None and number in table.clocks.expired(now):
        raise ApiError(409, "time_out", "your time has run out")
    return [Entry("move", number, {"move": chosen.text})]


def _already(table: Table, seat: int, ply: int, move: Move) -> bool:
    """Return whether this decision has been made: the seat's first at or after `ply`."""
    if ply < table.skipped:
        return False
    decided = next((step.move for step in table.steps[ply - table.skipped :] if step.seat == seat), None)
    return decided == move


def undo(table: Table, guest: Guest, seat: int | None, to: int | None) -> list[Entry]:
    """Take back the seat's own last decisions, one or back to ply `to`, as far as they revealed nothing."""
    must_play(table)
    number = own_seat(table, guest, seat)
    lowest = table.undo_to(number)
    target = table.ply - 1 if to is None else to
    if not lowest <= target < table.ply:
        reason = f"you can go back to ply {lowest}" if lowest < table.ply else "nothing of yours can be taken back without asking"
        raise ApiError(409, "no_undo", f"{reason}; the others may agree to more: propose it")
    return [Entry("undo", number, {"to": target})]


def propose(table: Table, guest: Guest, seat: int | None, to: int | None) -> list[Entry]:
    """Propose to take back more. It happens at once when only computer players would have to agree."""
    must_play(table)
    number = own_seat(table, guest, seat)
    if table.binding:
        raise ApiError(409, "rated", "where the result counts, nothing is taken back but own steps that have revealed nothing")
    target = table.last_decision_of(number) if to is None else to
    if target is None or not table.skipped <= target < table.ply:
        raise ApiError(409, "no_undo", f"there is nothing to go back to between ply {table.skipped} and ply {table.ply}")
    wish = Entry("propose", number, {"to": target})
    return [wish] if table.must_agree(number, target) else [Entry("undo", number, {"to": target})]


def answer(table: Table, guest: Guest, seat: int | None, agree: bool) -> list[Entry]:
    """Agree to or decline a proposed take-back; the proposer may withdraw it by declining."""
    must_play(table)
    proposal = table.proposal
    if proposal is None:
        raise ApiError(409, "no_proposal", "nobody has proposed to take anything back")
    needed = table.must_agree(proposal.seat, proposal.to)
    asked = needed if agree else [*needed, proposal.seat]
    mine = [one for one in table.seats_held_by(guest.id) if one in asked and (one == seat or seat is None)]
    if not mine:
        raise ApiError(403, "not_asked", "the proposal is not yours to answer")
    if not agree:
        return [Entry("decline", mine[0])]
    entries = [Entry("agree", one) for one in mine]
    if set(needed) <= proposal.agreed | set(mine):
        entries.append(Entry("undo", proposal.seat, {"to": proposal.to}))
    return entries


def resign(table: Table, guest: Guest, seat: int | None) -> list[Entry]:
    """Resign."""
    must_play(table)
    return [Entry("resign", own_seat(table, guest, seat), {"why": "resigned"})]


def time_out(table: Table, now: int) -> list[Entry]:
    """Apply the table's time-out rule to the seats whose time is up."""
    out = table.clocks.expired(now) if table.status == PLAYING else []
    if table.setup.get("time_out") == "lose":
        return [Entry("resign", seat, {"why": "time"}) for seat in out]
    return [replaced(table, seat, table.substitute) for seat in out]


def replaced(table: Table, seat: int, bot: str) -> Entry:
    """Return the entry that puts a computer player into a seat; its guest may come back."""
    return Entry("sit", seat, {"kind": BOT, "bot": bot, "guest": table.seats[seat].guest, "name": table.seats[seat].name})


def go_away(table: Table, guest: Guest, until: int) -> list[Entry]:
    """Stop a guest's slow clocks until a time, or let them go on from now."""
    if table.finished or table.clocks.settings.kind != "slow":
        return []
    return [Entry("away", seat, {"until": until}) for seat in table.seats_held_by(guest.id) if table.seats[seat].away != until]


def chat(table: Table, guest: Guest, seat: int | None, text: str) -> list[Entry]:
    """Add a chat line. Only guests with a seat may chat."""
    held = table.seats_held_by(guest.id)
    if not held or (seat is not None and seat not in held):
        raise ApiError(403, "not_seated", "only those who sit at the table can talk at it")
    return [Entry("chat", held[0] if seat is None else seat, {"name": guest.name, "text": text})]


# ---------------------------------------------------------------- seats


def take(table: Table, guest: Guest, seat: int | None, handed: int | None = None) -> list[Entry]:
    """Take an open seat, one's own seat back from a computer player, or a seat by link (`handed`: entry number in the link)."""
    if table.finished:
        raise ApiError(409, "over", "the game is over")
    if seat is None:
        seat = next(iter(table.seats_to_take(guest.id)), None)
        if seat is None and guest.id not in table.removed:
            raise ApiError(409, "full", "there is no free seat at this table")
    if guest.id in table.removed or seat is None:
        raise ApiError(403, "removed", "the founder of this table has removed you from it")
    check_seat(table, seat)
    one = table.seats[seat]
    if one.kind == HUMAN and one.guest == guest.id and handed is None:
        return []
    if table.rated:
        check_rated_guest(table, guest, seat, handed is not None)
    if handed is not None and (handed != one.since or one.kind != HUMAN):
        raise ApiError(409, "stale_link", "this seat has changed hands since the link was made")
    if handed is None and not table.may_take(guest.id, seat):
        if one.kind == OPEN:
            raise ApiError(409, "kept", f"seat {seat} is kept for {one.name or 'who left it'}, who alone may take it")
        raise ApiError(409, "taken", f"seat {seat} is taken")
    if handed is not None and table.status == PLAYING and table.game.secrets and table.seats_held_by(guest.id):
        raise ApiError(409, "kept", f"you have a seat at this table: the secrets of seat {seat} are not for you")
    if table.status == PLAYING and table.clocks.used_up(seat):
        raise ApiError(409, "time_out", "the time of this seat has run out")
    return started(table, [Entry("sit", seat, {"kind": HUMAN, "guest": guest.id, "name": guest.name})])


def check_rated_guest(table: Table, guest: Guest, seat: int, handed: bool) -> None:
    """Raise an error for somebody who may not sit at a rated table: whoever keeps no name, has a seat there, or is a program."""
    check_rated_person(guest)
    if handed or set(table.seats_held_by(guest.id)) - {seat}:
        raise ApiError(409, "rated", "at a rated table everybody has one seat, and keeps it")


def check_rated_person(guest: Guest) -> None:
    """Raise an error for somebody whose results cannot be rated: a program, or whoever keeps no name."""
    if guest.token is not None:
        raise ApiError(403, "not_by_token", "at a rated table people decide themselves: no program plays for them")
    if guest.player is None:
        raise ApiError(403, "no_kept_name", "rated tables are for people who keep their name: make a passkey first")


def check_rated_bots(table: Table, bots: Iterable[str | None], players: int) -> None:
    """Raise an error for a computer player at a rated table whose strength in a game of so many players is not known."""
    known = levels(table.game.name).get(players, {})
    for bot in bots:
        if table.rated and bot is not None and bot not in known:
            raise ApiError(409, "unrated_bot", f"the computer player {bot} has no rating in {table.game.name} for {players}")


def check_organised(table: Table) -> None:
    """Raise an error at a table of a tournament, whose organiser alone says who plays for whom."""
    if table.tournament is not None:
        raise ApiError(403, "organised", "in a tournament its organiser says who plays for somebody who does not come")


def check_seat(table: Table, seat: int) -> None:
    """Raise an error for a seat number that does not exist."""
    if not 0 <= seat < len(table.seats):
        raise ApiError(404, "no_such_seat", f"there is no seat {seat}; seats go from 0 to {len(table.seats) - 1}")


def leave(table: Table, guest: Guest, seat: int) -> list[Entry]:
    """Leave a seat. Before the game starts, players may also send a computer player away, and the founder anybody.

    A seat left in a running game stays its holder's, who keeps a say and may come back. At a rated table and in a tournament
    leaving is giving up; before the start the seat stays kept there.
    """
    check_seat(table, seat)
    if table.finished:
        raise ApiError(409, "over", "the game is over")
    one = table.seats[seat]
    if table.status == WAITING and table.tournament is not None:
        own_seat(table, guest, seat)
        return [Entry("sit", seat, {"kind": OPEN, "guest": guest.id, "name": one.name})]
    if table.status == WAITING and one.kind == BOT and _at_home(table, guest):
        return [Entry("sit", seat, {"kind": OPEN})]
    if table.status == WAITING and guest.id == table.creator and one.guest not in (None, guest.id):
        if one.kind == OPEN:  # kept for somebody who has not come
            return [Entry("sit", seat, {"kind": OPEN})]
        return [Entry("sit", n, {"kind": OPEN, "removed": [one.guest]}) for n in table.seats_held_by(one.guest)]
    if table.status == WAITING and one.kind == OPEN and one.guest == guest.id:  # declined
        return [Entry("sit", seat, {"kind": OPEN})]
    own_seat(table, guest, seat)
    if table.binding and table.status == PLAYING:
        return [Entry("resign", seat, {"why": "left"})]
    return [
        Entry("sit", seat, {"kind": OPEN, "guest": guest.id, "name": guest.name} if table.status == PLAYING else {"kind": OPEN})
    ]


def depart(table: Table, guest_id: str) -> list[Entry]:
    """Take somebody who is deleted off a table: before the game starts they leave, in a running game they give up."""
    held = table.seats_held_by(guest_id)
    if table.status == WAITING:
        return [Entry("sit", seat, {"kind": OPEN}) for seat in held]
    return [Entry("resign", seat, {"why": "left"}) for seat in held if table.status == PLAYING and not table.seats[seat].resigned]


def _at_home(table: Table, guest: Guest) -> bool:
    return guest.id == table.creator or bool(table.seats_played_by(guest.id))


def put_bot(table: Table, guest: Guest, seat: int, bot: str | None, absent: bool) -> list[Entry]:
    """Put a computer player into an open or abandoned seat; in a running game it is always the table's substitute.

    Whoever is replaced at a rated table or in a tournament has lost.
    """
    check_seat(table, seat)
    if table.finished:
        raise ApiError(409, "over", "the game is over")
    if not _at_home(table, guest):
        raise ApiError(403, "not_seated", "only those at the table can do that")
    one = table.seats[seat]
    if table.status == WAITING:
        check_organised(table)
    if table.status == WAITING and one.kind == OPEN:
        check_rated_bots(table, [bot or table.substitute], len(table.seats))
        return started(table, [Entry("sit", seat, {"kind": BOT, "bot": bot or table.substitute})])
    if bot not in (None, table.substitute):
        raise ApiError(409, "not_agreed", f"in a running game the table's own computer player takes over: {table.substitute}")
    if one.kind == OPEN or (
        one.kind == HUMAN
        and table.status == PLAYING
        and absent
        and seat in table.pending
        and table.clocks.settings.kind != "slow"
    ):
        return [Entry("resign", seat, {"why": "left"})] if table.binding else [replaced(table, seat, table.substitute)]
    raise ApiError(
        409,
        "not_abandoned",
        "a computer player can have an open seat, or one whose player owes a move and has been gone for a while",
    )


def start(table: Table, guest: Guest, bot: str | None) -> list[Entry]:
    """Start now. Open seats go to `bot`; without one they are removed, if the game allows fewer players."""
    if table.status != WAITING:
        raise ApiError(409, "started", "the game has begun already")
    if not _at_home(table, guest):
        raise ApiError(403, "not_seated", "only those at the table can do that")
    check_organised(table)
    empty = [n for n, seat in enumerate(table.seats) if seat.kind == OPEN]
    if bot is None:
        check_count(table.game, len(table.seats) - len(empty))
        check_rated_bots(table, [one.bot for one in table.seats], len(table.seats) - len(empty))
        return [Entry("start")]
    check_rated_bots(table, [bot], len(table.seats))
    return [*(Entry("sit", n, {"kind": BOT, "bot": bot}) for n in empty), Entry("start")]


def check_count(game: Any, seats: int) -> None:
    """Raise an error for a number of players the game does not allow."""
    try:
        game.check_seats(seats)
    except BadOption as error:
        raise ApiError(422, "bad_seats", str(error)) from None


def check_clock(clock: Clock) -> None:
    """Raise an error for a clock without time."""
    if (clock.kind == "live" and not clock.minutes) or (clock.kind == "slow" and not clock.days):
        raise ApiError(422, "bad_clock", "a live clock needs minutes, a slow one days")


def started(table: Table, sits: list[Entry]) -> list[Entry]:
    """Add the start of the game to `sits` when they fill the last open seat."""
    filled = {entry.seat for entry in sits if entry.data["kind"] != OPEN}
    full = all(seat.kind != OPEN or n in filled for n, seat in enumerate(table.seats))
    return [*sits, Entry("start")] if table.status == WAITING and full and not table.setup.get("wait") else sits


def rematch(table: Table, guest: Guest) -> list[Entry]:
    """Link a new table to this one, once."""
    if table.status != OVER:
        raise ApiError(409, "not_over", "the game is not over yet")
    if not table.seats_held_by(guest.id):
        raise ApiError(403, "not_seated", "you did not sit at this table")
    return [] if table.rematch else [Entry("rematch", None, {"table": new_id()})]
