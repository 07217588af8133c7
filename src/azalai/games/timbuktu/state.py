"""What a game of Timbuktu is: its record, its phases and ends, its moves and events."""

from __future__ import annotations

from enum import auto
from typing import Any

import numpy as np

from azalai.engine.moves import SEAT, Domain, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, names, span
from azalai.engine.schema import MAX_SEATS, Cells, Grid, Header, conclusions, field, schema

from .components import (
    GOOD_NAMES,
    GOODS,
    LETTERS,
    MAX_CAMELS,
    MAX_ROUTE,
    OASIS_NAMES,
    PARTS,
    PEN_NAMES,
    PENS,
    PER_CAMEL,
    PLACES,
    SETS,
    STALLS,
)

# ---------------------------------------------------------------- the record

PRINTED_LOADS, FREE_LOADS = 0, 1  # the option `loads`


class State(Header):
    """The record of a game."""

    load: Grid = field(np.int8, "goods on each camel, by seat, camel and kind", (MAX_SEATS, MAX_CAMELS, GOODS))
    kept: Grid = field(np.int8, "goods on all camels of a seat together", (MAX_SEATS, GOODS))
    lost: Cells = field(np.int8, "goods out of the game, stolen or paid: what one that arrives is worth", GOODS)
    place: Grid = field(np.int8, "where each camel stands: pen * 5 + stall; -1 nowhere yet", (MAX_SEATS, MAX_CAMELS))
    used: Cells = field(np.int16, "camels that have moved in this stage, a bit each; at the start: that stand", MAX_SEATS)
    filled: Cells = field(np.int8, "camels in each pen of the oasis they move to; at the start: of the start area", PENS)
    absent: Cells = field(np.int8, "at the start: the seats without a camel in each pen, a bit each", PENS, internal=True)
    knew: Grid = field(np.int8, "how often sets had been passed when each camel moved", (MAX_SEATS, MAX_CAMELS), internal=True)
    journey: Grid = field(np.int8, "of each that moved: its pen before * 8 + the round", (MAX_SEATS, MAX_CAMELS), internal=True)
    stage: int = field(np.int8, "the stage, 0 for the first")
    round_no: int = field(np.int8, "the round of this stage, 0 for the first")
    stage_stone: int = field(np.int8, "the seat that began this stage")
    round_stone: int = field(np.int8, "the seat that begins this round")
    turn: int = field(np.int8, "how many seats have moved in this round")
    passes: int = field(np.int8, "how often the thief sets have been passed to the left in this stage")
    thief_pen: Cells = field(np.int8, "the pen card of each set, numbered along the ring as dealt; -1 not known", SETS)
    thief_stalls: Cells = field(np.int8, "the stall card of each set", SETS)
    thief_goods: Cells = field(np.int8, "the goods card of each set", SETS)
    choice: Cells = field(np.int8, "the camel each seat has chosen for this round; -1 none, or not known", MAX_SEATS)
    target: int = field(np.int8, "the pen a camel is on its way to while its owner picks the good to pay; else -1")


SCHEMA = schema(State, events=64)

# ---------------------------------------------------------------- what follows from what a seat knows

HALVES, EIGHTHS = 2, 8  # of points
ODDS = 60  # a certainty: every chance that thief cards leave is so many parts of it
CERTAIN = ODDS * ODDS  # what thieves take for certain: they come, and they take it
UNSEEN = SETS - 1  # as many sets as a seat has not seen at most
NEAR = 31  # the best of several; one less for every eighth of a point that another is worse


class Conclusions:
    """What follows from what a seat knows.

    `named` and `taken` follow from the sets it has seen alone, `risk` also from where others led their camels who had seen more.
    Losses are those that a camel must expect by that, in eighths of a point.
    """

    value: Cells = field(np.int16, "what a good of each kind is likely to bring at the end, in eighths of a point", GOODS)
    points: Cells = field(np.int16, "points of each seat by that, less the losses of its camels that have moved", MAX_SEATS)
    lead: Cells = field(np.int16, "half points that each seat is ahead of the own one", MAX_SEATS)
    worth: Cells = field(np.int16, "what each own camel carries, in eighths of a point", MAX_CAMELS)
    named: Grid = field(np.int16, "the chance that thieves come to a stall, by pen and stall", (PENS, STALLS))
    taken: Grid = field(np.int16, "the chance that thieves take a kind of good where they come, by pen and good", (PENS, GOODS))
    risk: Any = field(np.int16, "the chance that a good is stolen, by pen, stall and good", (PENS, STALLS, GOODS))
    passing: Cells = field(np.int16, "1 where the next free stall of a pen makes the sets pass", PENS)
    stands: Cells = field(np.int16, "the loss of each own camel that has moved", MAX_CAMELS)
    goes: Grid = field(np.int16, "of each other: its loss if it moved now, with the price of the way, by pen", (MAX_CAMELS, PENS))
    least: Cells = field(np.int16, "the least of these losses", MAX_CAMELS)
    suits: Cells = field(np.int16, "how near each of these camels is to the one that had best move now", MAX_CAMELS)
    chosen: Cells = field(np.int16, "the loss of the camel that is chosen and has not moved, by pen", PENS)
    invites: Cells = field(np.int16, "how near each pen is to the one where it loses least", PENS)
    pays: Cells = field(np.int16, "how near it is to the cheapest to pay with each kind of good", GOODS)
    sets: Cells = field(np.int16, "the sets that the seat has not seen,", UNSEEN, internal=True)
    pens: Cells = field(np.int16, "the pens,", UNSEEN, internal=True)
    stall_cards: Cells = field(np.int16, "the stall cards", UNSEEN, internal=True)
    goods_cards: Cells = field(np.int16, "and the goods cards they can have", UNSEEN, internal=True)
    cargo: Cells = field(np.int16, "what another's camel carries at each place, 3 bits a good", PENS * STALLS, internal=True)
    warned: Cells = field(np.int16, "the sets its owner had seen when it went there, a bit each", PENS * STALLS, internal=True)
    fits: Any = field(np.int16, "how well each set fits each pen and pair of cards", (UNSEEN, UNSEEN, UNSEEN**2), internal=True)
    fits_pen: Grid = field(np.int16, "how well each set fits each pen", (UNSEEN, UNSEEN), internal=True)


CONCLUSIONS = conclusions(Conclusions)

# ---------------------------------------------------------------- phases, ends, moves, events

GOOD = names("good", *GOOD_NAMES)
PEN = names("pen", *PEN_NAMES)
PLACE = names("place", *(f"{pen}{stall}" for pen, stall in PLACES))  # a stall of a pen
OASIS = names("oasis", *OASIS_NAMES)
CAMEL = Domain("camel", tuple(LETTERS), named=False)
STALL_CARD = Domain("stall_card", tuple("+".join(map(str, pair)) for pair in PARTS["thieves"]["stall_cards"]), named=False)
GOODS_CARD = names("goods_card", *("+".join(pair) for pair in PARTS["thieves"]["goods_cards"]))
STAGE_NUMBER = span("stage", 1, MAX_ROUTE)
ROUND_NUMBER = span("round", 1, MAX_CAMELS)
COUNT = span("count", 1, PER_CAMEL)


class Phases(PhaseEnum):
    """What is asked."""

    LOADING = auto()
    PLACING = auto()
    CHOOSING = auto()
    MOVING = auto()
    PAYING = auto()


class Ends(EndEnum):
    """How a game ends."""

    ARRIVAL = auto()


class Moves(MoveEnum):
    """What may be decided."""

    LOAD = kind(good=GOOD)
    PLACE = kind(camel=CAMEL, pen=PEN)
    CHOOSE = kind(camel=CAMEL)
    TO = kind(pen=PEN)
    PAY = kind(good=GOOD)


class Events(EventEnum):
    """What happens."""

    BEGINS = kind(seat=SEAT)
    LOADED = kind(seat=SEAT, camel=CAMEL, good=GOOD)  # for the loader alone
    READY = kind(seat=SEAT)
    UNVEILED = kind()
    PLACED = kind(seat=SEAT, camel=CAMEL, pen=PEN)
    STAGE = kind(stage=STAGE_NUMBER, oasis=OASIS, seat=SEAT)
    LEARNED = kind(seat=SEAT, pen=PEN, stalls=STALL_CARD, goods=GOODS_CARD)  # for the holder of the set alone
    ROUND = kind(round=ROUND_NUMBER, seat=SEAT)
    CHOSEN = kind(seat=SEAT)
    CHOICE = kind(seat=SEAT, camel=CAMEL)  # for the chooser alone
    REVEALED = kind(seat=SEAT, camel=CAMEL)
    PAID = kind(seat=SEAT, camel=CAMEL, good=GOOD)
    MOVED = kind(seat=SEAT, camel=CAMEL, origin=PEN, place=PLACE)
    PASSED = kind(seat=SEAT, place=PLACE)
    STRUCK = kind(pen=PEN, stalls=STALL_CARD, goods=GOODS_CARD)
    ROBBED = kind(seat=SEAT, camel=CAMEL, good=GOOD, count=COUNT)
