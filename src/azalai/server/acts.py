"""What may be done at a table: every function looks at a table and answers with the entries to add, or refuses.

Nothing is changed here; `house.py` commits the entries and applies them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from azalai.engine.errors import BadOption, IllegalMove
from azalai.engine.moves import Move
from azalai.server.store import new_id
from azalai.server.table import BOT, HUMAN, OPEN, OVER, PLAYING, WAITING, Entry, Plan, Table

PLAN_LENGTH = 16  # decisions a seat may plan ahead


class Refused(Exception):
    """Something that cannot be done: an HTTP status, a code for programs, a sentence for people."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


@dataclass(frozen=True)
class Who:
    """A guest: an id nobody else learns, and a name everybody sees."""

    id: str
    name: str


def must_play(table: Table) -> None:
    """Refuse unless a game is going on."""
    if table.status == WAITING:
        raise Refused(409, "not_started", "the game has not begun: there are open seats")
    if table.status != PLAYING:
        raise Refused(409, "over", "the game is over")


def own_seat(table: Table, who: Who, seat: int | None) -> int:
    """The seat meant: the one named, else the guest's seat that owes a decision, else the guest's first."""
    mine = table.of_guest(who.id)
    if not mine:
        raise Refused(403, "not_seated", "you do not sit at this table")
    if seat is None:
        return next((one for one in mine if one in table.pending), mine[0])
    if seat not in mine:
        raise Refused(403, "not_your_seat", f"seat {seat} is not yours; yours: {', '.join(map(str, mine))}")
    return seat


def read_move(table: Table, move: int | str) -> Move:
    """A move by its id or its text."""
    try:
        return table.game.moves.parse(move) if isinstance(move, str) else table.game.moves[move]
    except IllegalMove as error:
        raise Refused(422, "no_such_move", str(error)) from None


# ---------------------------------------------------------------- playing


def play(
    table: Table, who: Who | None, seat: int | None, ply: int, version: int | None, move: int | str, now: int
) -> list[Entry]:
    """A decision, meant for the position at `ply`. `who` is None for the server's own players."""
    number = own_seat(table, who, seat) if who is not None else seat
    assert number is not None
    chosen = read_move(table, move)
    if _already(table, number, ply, chosen):
        return []  # the answer to it got lost; asking again does no harm
    must_play(table)
    if number not in table.pending:
        asked = ", ".join(map(str, table.pending))
        raise Refused(409, "not_your_turn", f"seat {number} has nothing to decide now; asked are {asked}")
    if version is not None and table.lowest_since(version, ply) < ply:
        raise Refused(409, "taken_back", "decisions were taken back in the meantime: look at the table again")
    if not table.asked[number] <= ply <= table.ply:
        raise Refused(409, "wrong_ply", f"the table is at ply {table.ply}, the move was meant for ply {ply}")
    if who is not None and number in table.clocks.out(now):
        raise Refused(409, "time_out", "your time has run out")
    return [Entry("move", number, {"move": chosen.text})]


def _already(table: Table, seat: int, ply: int, move: Move) -> bool:
    """Whether this very decision has been made: the seat's first at or after `ply`."""
    if ply < table.skipped:
        return False
    decided = next((step.move for step in table.steps[ply - table.skipped :] if step.seat == seat), None)
    return decided == move


def undo(table: Table, who: Who, seat: int | None, to: int | None) -> list[Entry]:
    """Take back own steps, one or down to a ply, as far as nothing was revealed."""
    must_play(table)
    number = own_seat(table, who, seat)
    lowest = table.undo_to(number)
    target = table.ply - 1 if to is None else to
    if not lowest <= target < table.ply:
        reason = f"you can go back to ply {lowest}" if lowest < table.ply else "nothing of yours can be taken back without asking"
        raise Refused(409, "no_undo", f"{reason}; the others may agree to more: propose it")
    return [Entry("undo", number, {"to": target})]


def propose(table: Table, who: Who, seat: int | None, to: int | None) -> list[Entry]:
    """Ask the others to take back more. Computer players agree to everything."""
    must_play(table)
    number = own_seat(table, who, seat)
    target = table.last_own(number) if to is None else to
    if target is None or not table.skipped <= target < table.ply:
        raise Refused(409, "no_undo", f"there is nothing to go back to between ply {table.skipped} and ply {table.ply}")
    wish = Entry("propose", number, {"to": target})
    return [wish] if table.agreement(number) else [Entry("undo", number, {"to": target})]


def answer(table: Table, who: Who, seat: int | None, agree: bool) -> list[Entry]:
    """Agree to, or decline, the take-back somebody proposed; who proposed it may withdraw it."""
    must_play(table)
    proposal = table.proposal
    if proposal is None:
        raise Refused(409, "no_proposal", "nobody has proposed to take anything back")
    asked = [*table.agreement(proposal.seat), *([] if agree else [proposal.seat])]
    mine = [one for one in table.of_guest(who.id) if one in asked and (one == seat or seat is None)]
    if not mine:
        raise Refused(403, "not_asked", "the proposal is not yours to answer")
    if not agree:
        return [Entry("decline", mine[0])]
    entries = [Entry("agree", one) for one in mine]
    if set(table.agreement(proposal.seat)) <= proposal.agreed | set(mine):
        entries.append(Entry("undo", proposal.seat, {"to": proposal.to}))
    return entries


def resign(table: Table, who: Who, seat: int | None) -> list[Entry]:
    """Give up."""
    must_play(table)
    return [Entry("resign", own_seat(table, who, seat), {"why": "resigned"})]


def time_out(table: Table, now: int) -> list[Entry]:
    """What the table's rule says about those whose time is up."""
    out = table.clocks.out(now) if table.status == PLAYING else []
    if table.setup.get("time_out") == "lose":
        return [Entry("resign", seat, {"why": "time"}) for seat in out]
    return [replaced(table, seat, table.substitute) for seat in out]


def replaced(table: Table, seat: int, bot: str) -> Entry:
    """A computer player sits down for whoever has the seat, who may come back."""
    return Entry("sit", seat, {"kind": BOT, "bot": bot, "guest": table.seats[seat].guest, "name": table.seats[seat].name})


def plan(table: Table, who: Who, seat: int | None, moves: list[int | str]) -> tuple[int, Plan]:
    """The seat, and the texts of the moves it wants to make as soon as it is asked."""
    if table.open:
        must_play(table)
    number = own_seat(table, who, seat)
    if len(moves) > PLAN_LENGTH:
        raise Refused(422, "plan_too_long", f"at most {PLAN_LENGTH} decisions can be planned")
    return number, Plan(tuple(read_move(table, move).text for move in moves))


def chat(table: Table, who: Who, seat: int | None, text: str) -> list[Entry]:
    """Say something. Only those at the table do."""
    held = table.held_by(who.id)
    if not held or (seat is not None and seat not in held):
        raise Refused(403, "not_seated", "only those who sit at the table can talk at it")
    return [Entry("chat", held[0] if seat is None else seat, {"name": who.name, "text": text})]


# ---------------------------------------------------------------- seats


def take(table: Table, who: Who, seat: int | None, handed: int | None = None) -> list[Entry]:
    """Sit down: in an open seat, in one's own that a bot took over, or in one handed over (the entry that gave it says which)."""
    if table.open:
        raise Refused(409, "over", "the game is over")
    if seat is None:
        seat = next((n for n in range(len(table.seats)) if _free_for(table, n, who)), None)
        if seat is None:
            raise Refused(409, "full", "there is no free seat at this table")
    check_seat(table, seat)
    one = table.seats[seat]
    if one.kind == HUMAN and one.guest == who.id and handed is None:
        return []
    if handed is not None and (handed != one.since or one.kind != HUMAN):
        raise Refused(409, "stale_link", "this seat has changed hands since the link was made")
    if handed is None and not _free_for(table, seat, who):
        raise Refused(409, "taken", f"seat {seat} is taken")
    return started(table, [Entry("sit", seat, {"kind": HUMAN, "guest": who.id, "name": who.name})])


def _free_for(table: Table, seat: int, who: Who) -> bool:
    one = table.seats[seat]
    return (one.kind == OPEN or (one.kind == BOT and one.guest == who.id)) and not one.resigned


def check_seat(table: Table, seat: int) -> None:
    """Refuse a seat that is not there."""
    if not 0 <= seat < len(table.seats):
        raise Refused(404, "no_such_seat", f"there is no seat {seat}; seats go from 0 to {len(table.seats) - 1}")


def leave(table: Table, who: Who, seat: int) -> list[Entry]:
    """Stand up. Before the game begins, players may send a computer player away too."""
    check_seat(table, seat)
    if table.open:
        raise Refused(409, "over", "the game is over")
    if not (table.status == WAITING and table.seats[seat].kind == BOT and _at_home(table, who)):
        own_seat(table, who, seat)
    return [Entry("sit", seat, {"kind": OPEN})]


def _at_home(table: Table, who: Who) -> bool:
    return who.id == table.creator or bool(table.of_guest(who.id))


def put_bot(table: Table, who: Who, seat: int, bot: str, absent: bool) -> list[Entry]:
    """Let a computer player have an open seat, or one whose player is gone."""
    check_seat(table, seat)
    if table.open:
        raise Refused(409, "over", "the game is over")
    if not _at_home(table, who):
        raise Refused(403, "not_seated", "only those at the table can do that")
    one = table.seats[seat]
    if one.kind == OPEN:
        return started(table, [Entry("sit", seat, {"kind": BOT, "bot": bot})])
    if one.kind == HUMAN and table.status == PLAYING and absent and seat in table.pending and table.clocks.kind.kind != "slow":
        return [replaced(table, seat, bot)]
    raise Refused(
        409,
        "not_abandoned",
        "a computer player can have an open seat, or one whose player owes a move and has been gone for a while",
    )


def start(table: Table, who: Who, bot: str | None) -> list[Entry]:
    """Begin without waiting for more: open seats go to computer players, or away where the game can be played by fewer."""
    if table.status != WAITING:
        raise Refused(409, "started", "the game has begun already")
    if not _at_home(table, who):
        raise Refused(403, "not_seated", "only those at the table can do that")
    empty = [n for n, seat in enumerate(table.seats) if seat.kind == OPEN]
    if bot is None:
        check_count(table.game, len(table.seats) - len(empty))
        return [Entry("start")]
    return [*(Entry("sit", n, {"kind": BOT, "bot": bot}) for n in empty), Entry("start")]


def check_count(game: Any, seats: int) -> None:
    """Refuse a number of players the game is not made for."""
    try:
        game.check_seats(seats)
    except BadOption as error:
        raise Refused(422, "bad_seats", str(error)) from None


def started(table: Table, sits: list[Entry]) -> list[Entry]:
    """The entries, and the beginning of the game where they fill the last open seat."""
    filled = {entry.seat for entry in sits if entry.data["kind"] != OPEN}
    full = all(seat.kind != OPEN or n in filled for n, seat in enumerate(table.seats))
    return [*sits, Entry("start")] if table.status == WAITING and full and not table.setup.get("wait") else sits


def rematch(table: Table, who: Who) -> list[Entry]:
    """Link a new table to this one, once."""
    if table.status != OVER:
        raise Refused(409, "not_over", "the game is not over yet")
    if not table.held_by(who.id):
        raise Refused(403, "not_seated", "you did not sit at this table")
    return [] if table.rematch else [Entry("rematch", None, {"table": new_id()})]
