"""Before the journey: loading the camels and placing them in the start area."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, answered, ask, ask_all, emit, tell

from .components import BITS, CAMELS, GOODS, LOADS, PENS, PER_CAMEL, STALLS, TOTALS
from .rules_stage import begin_stage, forget_order, next_seat, unused_camel
from .state import FREE_LOADS, PRINTED_LOADS, Events, Moves, Phases, State

# ---------------------------------------------------------------- loading


@rule
def load_caravans(s: State) -> None:
    """Put the printed goods on the camels, or let all players load theirs at the same time."""
    if s.options[0] == PRINTED_LOADS:
        for seat in range(s.seats):
            for camel in range(CAMELS[s.seats]):
                for good in range(GOODS):
                    put(s, seat, camel, good, LOADS[camel, good])
        open_caravans(s)
    elif s.options[0] == FREE_LOADS:
        ask_all(s, (1 << s.seats) - 1, Phases.LOADING)


@rule
def put(s: State, seat: int, camel: int, good: int, count: int) -> None:
    """Put goods of one kind on a camel."""
    s.load[seat, camel, good] += count
    s.kept[seat, good] += count


@rule
def legal_loads(s: State, out: Cells) -> int:
    """Any good that the seat has not loaded yet. Camels are loaded by their letters, four goods each."""
    n = 0
    for good in range(GOODS):
        if s.kept[s.seat, good] < TOTALS[s.seats, good]:
            out[n] = Moves.LOAD + good
            n += 1
    return n


@rule
def load(s: State, good: int) -> None:
    """Put one good on the seat's next camel. The last camel takes what is left."""
    seat = s.seat
    camel = goods_aboard(s, seat) // PER_CAMEL
    last = CAMELS[s.seats] - 1
    put(s, seat, camel, good, 1)
    tell(s, 1 << seat, Events.LOADED, seat, camel, good)
    # Asked even where a single kind is left: the number of a seat's decisions must tell nothing about its loads.
    if goods_aboard(s, seat) < last * PER_CAMEL:
        return
    for rest in range(GOODS):
        put(s, seat, last, rest, TOTALS[s.seats, rest] - s.kept[seat, rest])
    if answered(s):
        forget_order(s)
        for ready in range(s.seats):
            emit(s, Events.READY, ready)
        s.revealed = 1
        open_caravans(s)


@rule
def open_caravans(s: State) -> None:
    """All loads lie open; the oldest player places the first camel."""
    emit(s, Events.UNVEILED)
    ask(s, s.stage_stone, Phases.PLACING)


@rule
def goods_aboard(s: State, seat: int) -> int:
    """How many goods a seat's camels carry together."""
    aboard = 0
    for good in range(GOODS):
        aboard += s.kept[seat, good]
    return aboard


# ---------------------------------------------------------------- placing


@rule
def may_place(s: State, seat: int, pen: int) -> bool:
    """Whether one more camel in this pen leaves everybody able to have a camel in every pen at the end.

    For this player: enough camels for the pens still missing. For the pen: enough room for those who are not in it yet.
    """
    missing = 0
    for other in range(PENS):
        missing += s.absent[other] >> seat & 1
    missing -= s.absent[pen] >> seat & 1
    camels = CAMELS[s.seats] - BITS[s.used[seat]] - 1
    room = STALLS - s.filled[pen] - 1
    return camels >= missing and room >= BITS[s.absent[pen] & ~(1 << seat)]


@rule
def legal_places(s: State, out: Cells) -> int:
    """Any camel that does not stand yet, into any pen where it may."""
    n = 0
    seat = s.seat
    for pen in range(PENS):
        if may_place(s, seat, pen):
            for camel in range(CAMELS[s.seats]):
                if not s.used[seat] >> camel & 1:
                    out[n] = Moves.PLACE + camel * PENS + pen
                    n += 1
    return n


@rule
def place(s: State, camel: int, pen: int) -> None:
    """Put a camel into the start area; then it is the left neighbour's turn, until all camels stand."""
    stand(s, s.seat, camel, pen)
    while True:
        seat = next_seat(s, s.seat)
        if s.used[seat] == (1 << CAMELS[s.seats]) - 1:
            begin_stage(s)
            return
        ask(s, seat, Phases.PLACING)
        pen = only_pen(s, seat)
        if pen < 0:
            return
        stand(s, seat, unused_camel(s, seat), pen)


@rule
def stand(s: State, seat: int, camel: int, pen: int) -> None:
    """A camel takes the next field of a start pen; which one has no meaning."""
    s.place[seat, camel] = pen * STALLS + s.filled[pen]
    s.filled[pen] += 1
    s.used[seat] |= 1 << camel
    s.absent[pen] &= ~(1 << seat)
    emit(s, Events.PLACED, seat, camel, pen)


@rule
def only_pen(s: State, seat: int) -> int:
    """The pen of a seat's last camel where no other is possible; else -1."""
    if BITS[s.used[seat]] < CAMELS[s.seats] - 1:
        return -1
    found = -1
    for pen in range(PENS):
        if may_place(s, seat, pen):
            if found >= 0:
                return -1
            found = pen
    return found
