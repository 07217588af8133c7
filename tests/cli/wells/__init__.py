"""Two wells in the desert: a small game with all that a table must cope with, for tests of the commands alone.

Everybody bids in secret at the same time; the highest bid draws water from one well; wells fill up by chance; and
each has an omen that nobody else knows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.game import Game, Option
from azalai.engine.moves import SEAT, EventTable, MoveTable, kind, span
from azalai.engine.rng import below, draw
from azalai.engine.rule import rule
from azalai.engine.schema import answered, ask, ask_all, emit, field, finish, rank, schema, tell
from tests.cli.wells.extras.drawing import draw as draw_wells
from tests.cli.wells.state import WELL

SKINS = span("skins", 1, 12)
SCHEMA = schema(
    [
        field("omen", np.int8, 3, "a secret number per seat"),
        field("bid", np.int8, 3, "what each has bid in this round"),
        field("water", np.int8, 3, "skins of water per seat"),
        field("level", np.int8, 2, "skins of water in each well"),
        field("round_no", np.int8, 0, "the round, from 1"),
        field("chosen", np.int8, 0, "the well the deciding seat draws from"),
    ],
    events=6,
)
MOVES = MoveTable(kind("bid", skins=SKINS), kind("go", well=WELL), kind("draw", skins=SKINS), kind("leave"), kind("rest"))
EVENTS = EventTable(
    kind("omen", skins=SKINS),
    kind("own_bid", skins=SKINS),
    kind("won", seat=SEAT, skins=SKINS),
    kind("drew", seat=SEAT, well=WELL, skins=SKINS),
    kind("left", seat=SEAT),
    kind("rain", skins=SKINS),
)
BID, GO, DRAW, LEAVE, REST = (MOVES.base(name) for name in ("bid", "go", "draw", "leave", "rest"))
OMEN, OWN_BID, WON, DREW, LEFT, RAIN = (EVENTS.code(name) for name in ("omen", "own_bid", "won", "drew", "left", "rain"))
BIDDING, CHOOSING, DRAWING, RESTING = range(4)


@rule
def setup(s: Any) -> None:
    for seat in range(s.seats):
        s.omen[seat] = 1 + draw(s, 6)
        tell(s, 1 << seat, OMEN, s.omen[seat])
    s.level[0] = 6
    s.level[1] = 6
    new_round(s)


@rule
def new_round(s: Any) -> None:
    s.round_no += 1
    for seat in range(s.seats):
        s.bid[seat] = 0
    ask_all(s, (1 << s.seats) - 1, BIDDING)


@rule
def legal(s: Any, out: Any) -> Any:
    n = 0
    if s.phase == BIDDING:
        for skins in range(12):
            out[n] = BID + skins
            n += 1
    elif s.phase == CHOOSING:
        for well in range(2):
            if s.level[well] > 0:
                out[n] = GO + well
                n += 1
        out[n] = LEAVE
        n += 1
    elif s.phase == DRAWING:
        for skins in range(min(12, s.level[s.chosen])):
            out[n] = DRAW + skins
            n += 1
        out[n] = LEAVE
        n += 1
    else:
        out[n] = REST
        n += 1
    return n


@rule
def play(s: Any, move: Any) -> None:
    seat = s.seat
    if s.phase == BIDDING:
        s.bid[seat] = move - BID + 1
        tell(s, 1 << seat, OWN_BID, s.bid[seat])
        if answered(s):
            best = 0
            for other in range(1, s.seats):
                if s.bid[other] > s.bid[best]:
                    best = other
            s.revealed = 1
            emit(s, WON, best, s.bid[best])
            ask(s, best, CHOOSING)
    elif s.phase == CHOOSING and move != LEAVE:
        s.chosen = move - GO
        s.unfinished = 1
        ask(s, seat, DRAWING)
    elif s.phase == RESTING:
        rain = 1 + draw(s, 6)
        emit(s, RAIN, rain)
        s.level[0] = min(12, s.level[0] + rain)
        if s.round_no == 3 - s.options[0]:
            finish(s, 1)
        else:
            new_round(s)
    else:
        s.unfinished = 0
        if move == LEAVE:
            emit(s, LEFT, seat)
        else:
            skins = move - DRAW + 1
            s.level[s.chosen] -= skins
            s.water[seat] += skins
            emit(s, DREW, seat, s.chosen, skins)
        ask(s, seat, RESTING)


@rule
def score(s: Any, out: Any) -> None:
    keys = np.zeros(3, np.int64)
    for seat in range(s.seats):
        keys[seat] = s.water[seat]
        out[seat, 0] = s.water[seat]
    rank(keys, s.seats, out)


@rule
def hide(s: Any, seat: Any) -> None:
    for other in range(s.seats):
        if other != seat:
            s.omen[other] = 0
            if s.phase == BIDDING:
                s.bid[other] = 0


@rule
def determinize(s: Any, seat: Any) -> None:
    for other in range(s.seats):
        if other != seat:
            s.omen[other] = 1 + below(s, 6)
            if s.phase == BIDDING and not s.pending >> other & 1:
                s.bid[other] = 1 + below(s, 12)


@rule
def evaluate(s: Any, w: Any, out: Any) -> None:
    for seat in range(s.seats):
        out[seat] = s.water[seat] / 100.0


GAME = Game(
    name="wells",
    rules=1,
    package=__name__,
    seats=range(2, 4),
    schema=SCHEMA,
    moves=MOVES,
    events=EVENTS,
    phases=("bidding", "choosing", "drawing", "resting"),
    ends=("dawn",),
    invariants=(),
    max_moves=13,
    longest=1000,
    functions={
        "setup": setup,
        "legal": legal,
        "play": play,
        "score": score,
        "hide": hide,
        "determinize": determinize,
        "evaluate": evaluate,
    },
    seat_labels=lambda seats: ("blue", "red", "green")[:seats],
    options=(Option("length", ("long", "short")),),
    drawing=draw_wells,
)
