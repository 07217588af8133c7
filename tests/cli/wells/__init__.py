"""Two wells in the desert: a small game with all that a table must cope with, for tests of the commands alone.

Everybody bids in secret at the same time; the highest bid draws water from one well; wells fill up by chance; and
each has an omen that nobody else knows.
"""

from __future__ import annotations

from enum import auto
from typing import Any

import numpy as np

from azalai.engine.game import Game, Option
from azalai.engine.moves import SEAT, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, span
from azalai.engine.rng import below, draw
from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Floats, Grid, Header, answered, ask, ask_all, emit, field, finish, rank, schema, tell
from tests.cli.wells.extras.drawing import draw as draw_wells
from tests.cli.wells.state import WELL

SKINS = span("skins", 1, 12)


class State(Header):
    omen: Cells = field(np.int8, "a secret number per seat", 3)
    bid: Cells = field(np.int8, "what each has bid in this round", 3)
    water: Cells = field(np.int8, "skins of water per seat", 3)
    level: Cells = field(np.int8, "skins of water in each well", 2)
    round_no: int = field(np.int8, "the round, from 1")
    chosen: int = field(np.int8, "the well the deciding seat draws from")


class Phases(PhaseEnum):
    BIDDING = auto()
    CHOOSING = auto()
    DRAWING = auto()
    RESTING = auto()


class Ends(EndEnum):
    DAWN = auto()


class Moves(MoveEnum):
    BID = kind(skins=SKINS)
    GO = kind(well=WELL)
    DRAW = kind(skins=SKINS)
    LEAVE = kind()
    REST = kind()


class Events(EventEnum):
    OMEN = kind(skins=SKINS)
    OWN_BID = kind(skins=SKINS)
    WON = kind(seat=SEAT, skins=SKINS)
    DREW = kind(seat=SEAT, well=WELL, skins=SKINS)
    LEFT = kind(seat=SEAT)
    RAIN = kind(skins=SKINS)


@rule
def setup(s: State) -> None:
    for seat in range(s.seats):
        s.omen[seat] = 1 + draw(s, 6)
        tell(s, 1 << seat, Events.OMEN, s.omen[seat])
    s.level[0] = 6
    s.level[1] = 6
    new_round(s)


@rule
def new_round(s: State) -> None:
    s.round_no += 1
    for seat in range(s.seats):
        s.bid[seat] = 0
    ask_all(s, (1 << s.seats) - 1, Phases.BIDDING)


@rule
def legal(s: State, out: Cells) -> int:
    n = 0
    if s.phase == Phases.BIDDING:
        for skins in range(12):
            out[n] = Moves.BID + skins
            n += 1
    elif s.phase == Phases.CHOOSING:
        for well in range(2):
            if s.level[well] > 0:
                out[n] = Moves.GO + well
                n += 1
        out[n] = Moves.LEAVE
        n += 1
    elif s.phase == Phases.DRAWING:
        for skins in range(min(12, s.level[s.chosen])):
            out[n] = Moves.DRAW + skins
            n += 1
        out[n] = Moves.LEAVE
        n += 1
    else:
        out[n] = Moves.REST
        n += 1
    return n


@rule
def play(s: State, move: int) -> None:
    seat = s.seat
    if s.phase == Phases.BIDDING:
        s.bid[seat] = move - Moves.BID + 1
        tell(s, 1 << seat, Events.OWN_BID, s.bid[seat])
        if answered(s):
            best = 0
            for other in range(1, s.seats):
                if s.bid[other] > s.bid[best]:
                    best = other
            s.revealed = 1
            emit(s, Events.WON, best, s.bid[best])
            ask(s, best, Phases.CHOOSING)
    elif s.phase == Phases.CHOOSING and move != Moves.LEAVE:
        s.chosen = move - Moves.GO
        s.unfinished = 1
        ask(s, seat, Phases.DRAWING)
    elif s.phase == Phases.RESTING:
        rain = 1 + draw(s, 6)
        emit(s, Events.RAIN, rain)
        s.level[0] = min(12, s.level[0] + rain)
        if s.round_no == 3 - s.options[0]:
            finish(s, Ends.DAWN)
        else:
            new_round(s)
    else:
        s.unfinished = 0
        if move == Moves.LEAVE:
            emit(s, Events.LEFT, seat)
        else:
            skins = move - Moves.DRAW + 1
            s.level[s.chosen] -= skins
            s.water[seat] += skins
            emit(s, Events.DREW, seat, s.chosen, skins)
        ask(s, seat, Phases.RESTING)


@rule
def score(s: State, out: Grid) -> None:
    for seat in range(s.seats):
        out[seat, 0] = out[seat, 2] = s.water[seat]
    rank(s, out)


@rule
def hide(s: State, seat: int) -> None:
    for other in range(s.seats):
        if other != seat:
            s.omen[other] = 0
            if s.phase == Phases.BIDDING:
                s.bid[other] = 0


@rule
def determinize(s: State, seat: int) -> None:
    for other in range(s.seats):
        if other != seat:
            s.omen[other] = 1 + below(s, 6)
            if s.phase == Phases.BIDDING and not s.pending >> other & 1:
                s.bid[other] = 1 + below(s, 12)


@rule
def evaluate(s: State, w: Any, out: Floats) -> None:
    for seat in range(s.seats):
        out[seat] = s.water[seat] / 100.0


GAME = Game(
    name="wells",
    rules=1,
    package=__name__,
    seats=range(2, 4),
    schema=schema(State, events=6),
    moves=Moves.table(),
    events=Events.table(),
    phases=Phases.names(),
    ends=Ends.names(),
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
