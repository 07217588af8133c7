"""A stage of the journey: thief cards, the camels' moves in rounds, the thefts."""

from __future__ import annotations

from azalai.engine.rng import shuffle
from azalai.engine.rule import rule
from azalai.engine.schema import EVENT_WIDTH, Cells, answered, ask, ask_all, emit, finish, tell

from .components import (
    CAMELS,
    EXCHANGE,
    FREE,
    GOODS,
    GOODS_PAIR,
    MAX_CAMELS,
    PENS,
    RING_PLACE,
    ROUTE,
    SETS,
    STAGES,
    STALL_PAIR,
    STALLS,
)
from .state import Ends, Events, Moves, Phases, State


@rule
def go_on(s: State) -> None:
    """Carry out what follows by itself, until somebody has something to decide."""
    while s.pending == 0 and not s.over:
        if s.turn < s.seats:
            reveal(s)
        elif s.round_no + 1 < CAMELS[s.seats]:
            begin_round(s, s.round_no + 1, next_seat(s, s.round_stone))
        else:
            strike(s)
            end_stage(s)


@rule
def next_seat(s: State, seat: int) -> int:
    """The left neighbour."""
    return seat + 1 if seat + 1 < s.seats else 0


# ---------------------------------------------------------------- the thief cards


@rule
def begin_stage(s: State) -> None:
    """The holder of the stage stone deals five thief sets; all camels are to move."""
    emit(s, Events.STAGE, s.stage + 1, ROUTE[s.seats, s.stage], s.stage_stone)
    for seat in range(s.seats):
        s.used[seat] = 0
        for camel in range(CAMELS[s.seats]):
            s.knew[seat, camel] = 0
            s.journey[seat, camel] = 0
    for pen in range(PENS):
        s.filled[pen] = 0
    for number in range(SETS):
        s.thief_pen[number] = number
        s.thief_stalls[number] = number
        s.thief_goods[number] = number
    shuffle(s, s.thief_pen, SETS)
    shuffle(s, s.thief_stalls, SETS)
    shuffle(s, s.thief_goods, SETS)
    s.passes = 0
    look(s)
    begin_round(s, 0, s.stage_stone)


@rule
def look(s: State) -> None:
    """Every player looks at the set now in hand. Nobody looks at a set that lies between two players."""
    s.revealed = 1
    for seat in range(s.seats):
        number = set_after(s, seat, s.passes)
        tell(s, 1 << seat, Events.LEARNED, seat, s.thief_pen[number], s.thief_stalls[number], s.thief_goods[number])


@rule
def set_after(s: State, seat: int, passes: int) -> int:
    """The set that a seat holds after so many passes."""
    number = ring_place(s, seat) - passes
    return number if number >= 0 else number + SETS


@rule
def has_seen(s: State, seat: int, number: int) -> bool:
    """Whether a seat (-1: a spectator) holds or has held this set in this stage."""
    if seat < 0:
        return False
    steps = ring_place(s, seat) - number  # passes that bring the set from its first place to this seat
    return (steps if steps >= 0 else steps + SETS) <= s.passes


@rule
def ring_place(s: State, seat: int) -> int:
    """A seat's place in the ring along which sets are passed; the ring stays as it is throughout a stage."""
    steps = seat - s.stage_stone
    return RING_PLACE[s.seats, steps if steps >= 0 else steps + s.seats]


# ---------------------------------------------------------------- choosing a camel


@rule
def begin_round(s: State, number: int, first: int) -> None:
    """All choose a camel in secret. With one camel left there is nothing to choose."""
    s.round_no = number
    s.round_stone = first
    s.turn = 0
    emit(s, Events.ROUND, number + 1, first)
    if number + 1 < CAMELS[s.seats]:
        for seat in range(s.seats):
            s.choice[seat] = -1
        ask_all(s, (1 << s.seats) - 1, Phases.CHOOSING)
    else:
        s.pending = 0
        for seat in range(s.seats):
            s.choice[seat] = unused_camel(s, seat)


@rule
def unused_camel(s: State, seat: int) -> int:
    """The first camel of a seat that has not been used."""
    camel = 0
    while s.used[seat] >> camel & 1:
        camel += 1
    return camel


@rule
def legal_choices(s: State, out: Cells) -> int:
    """Any camel that has not moved in this stage."""
    n = 0
    for camel in range(CAMELS[s.seats]):
        if not s.used[s.seat] >> camel & 1:
            out[n] = Moves.CHOOSE + camel
            n += 1
    return n


@rule
def choose(s: State, camel: int) -> None:
    """A seat puts a camel card face down; when all have done so, the round stone's holder turns the first card over."""
    s.choice[s.seat] = camel
    if answered(s):
        for seat in range(s.seats):  # told together and in this order: who was the last leaves no trace
            emit(s, Events.CHOSEN, seat)
            tell(s, 1 << seat, Events.CHOICE, seat, s.choice[seat])
        go_on(s)


@rule
def forget_order(s: State) -> None:
    """When all have loaded, take back what was noted of the last: who that was must leave no trace."""
    for row in range(min(s.event_count, len(s.events))):
        for column in range(EVENT_WIDTH):
            s.events[row, column] = 0
    s.event_count = 0


# ---------------------------------------------------------------- moving it


@rule
def reveal(s: State) -> None:
    """The next player in turn order turns the card over and moves that camel at once."""
    seat = s.round_stone + s.turn
    seat = seat if seat < s.seats else seat - s.seats
    camel = s.choice[seat]
    s.revealed = 1
    emit(s, Events.REVEALED, seat, camel)
    pen = only_open_pen(s)
    if pen >= 0:
        lead(s, seat, camel, pen)
    else:
        ask(s, seat, Phases.MOVING)


@rule
def only_open_pen(s: State) -> int:
    """The one pen with a free stall, where there is only one; else -1."""
    found = -1
    for pen in range(PENS):
        if s.filled[pen] < STALLS:
            if found >= 0:
                return -1
            found = pen
    return found


@rule
def legal_pens(s: State, out: Cells) -> int:
    """Any pen of the next oasis that is not full."""
    n = 0
    for pen in range(PENS):
        if s.filled[pen] < STALLS:
            out[n] = Moves.TO + pen
            n += 1
    return n


@rule
def lead(s: State, seat: int, camel: int, pen: int) -> None:
    """Lead a camel to a pen: free along an arrow, or if it carries nothing; else one of its goods is to be paid."""
    if FREE[s.place[seat, camel] // STALLS, pen]:
        enter(s, seat, camel, pen)
        return
    kinds, found = 0, 0
    for good in range(GOODS):
        if s.load[seat, camel, good] > 0:
            kinds += 1
            found = good
    if kinds > 1:
        s.target = pen
        ask(s, seat, Phases.PAYING)
        s.unfinished = 1
        return
    if kinds == 1:
        pay(s, seat, camel, found)
    enter(s, seat, camel, pen)


@rule
def legal_payments(s: State, out: Cells) -> int:
    """Any kind of good that the moving camel carries."""
    n = 0
    camel = s.choice[s.seat]
    for good in range(GOODS):
        if s.load[s.seat, camel, good] > 0:
            out[n] = Moves.PAY + good
            n += 1
    return n


@rule
def pay(s: State, seat: int, camel: int, good: int) -> None:
    """One good of the moving camel goes out of the game."""
    emit(s, Events.PAID, seat, camel, good)
    lose(s, seat, camel, good, 1)


@rule
def lose(s: State, seat: int, camel: int, good: int, count: int) -> None:
    """Goods leave a camel and lie open beside the board."""
    s.load[seat, camel, good] -= count
    s.kept[seat, good] -= count
    s.lost[good] += count


@rule
def enter(s: State, seat: int, camel: int, pen: int) -> None:
    """A camel takes the free stall with the lowest number. An exchange field works at once, whether or not the move was paid."""
    origin = s.place[seat, camel] // STALLS
    stall = pen * STALLS + s.filled[pen]
    s.place[seat, camel] = stall
    s.filled[pen] += 1
    s.used[seat] |= 1 << camel
    s.knew[seat, camel] = s.passes
    s.journey[seat, camel] = origin * MAX_CAMELS + s.round_no
    s.turn += 1
    s.target = -1
    s.unfinished = 0
    s.pending = 0
    emit(s, Events.MOVED, seat, camel, origin, stall)
    if EXCHANGE[ROUTE[s.seats, s.stage], stall]:
        s.passes += 1
        emit(s, Events.PASSED, seat, stall)
        look(s)


# ---------------------------------------------------------------- the thefts


@rule
def strike(s: State) -> None:
    """All sets are laid open: camels in the two stalls of the pen lose all they have of the two goods."""
    s.revealed = 1
    for number in range(SETS):
        pen, stalls, goods = s.thief_pen[number], s.thief_stalls[number], s.thief_goods[number]
        emit(s, Events.STRUCK, pen, stalls, goods)
        for i in range(2):
            for seat in range(s.seats):
                for camel in range(CAMELS[s.seats]):
                    if s.place[seat, camel] == pen * STALLS + STALL_PAIR[stalls, i]:
                        rob(s, seat, camel, GOODS_PAIR[goods, 0])
                        rob(s, seat, camel, GOODS_PAIR[goods, 1])


@rule
def rob(s: State, seat: int, camel: int, good: int) -> None:
    """A camel loses all goods of one kind."""
    count = s.load[seat, camel, good]
    if count > 0:
        emit(s, Events.ROBBED, seat, camel, good, count)
        lose(s, seat, camel, good, count)


@rule
def end_stage(s: State) -> None:
    """In Timbuktu the game is over; else the stage stone goes to the left and its holder takes the round stone too."""
    if s.stage + 1 == STAGES[s.seats]:
        finish(s, Ends.ARRIVAL)
    else:
        s.stage += 1
        s.stage_stone = next_seat(s, s.stage_stone)
        begin_stage(s)
