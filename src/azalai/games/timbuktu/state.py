"""The record of a game of Timbuktu, its moves and its events. All numbers come from components.toml."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.game import load_components
from azalai.engine.moves import SEAT, Domain, EventTable, MoveTable, kind, names, span
from azalai.engine.schema import MAX_SEATS, field, schema

PARTS = load_components(str(__package__))


def _by_seats(table: dict[str, Any]) -> Any:
    """A table by number of players, as an array that can be indexed by that number; short rows are filled up with -1."""
    rows = {int(seats): np.atleast_1d(np.array(row, np.int64)) for seats, row in table.items()}
    out = np.full((MAX_SEATS + 1, max(map(len, rows.values()))), -1, np.int64)
    for seats, row in rows.items():
        out[seats, : len(row)] = row
    return out


# ---------------------------------------------------------------- what there is

GOOD_NAMES: list[str] = PARTS["goods"]["kinds"]
PEN_NAMES: list[str] = PARTS["pens"]["names"]
OASIS_NAMES: list[str] = PARTS["route"]["oases"]
LETTERS: str = PARTS["caravan"]["letters"]

GOODS = len(GOOD_NAMES)
PENS = len(PEN_NAMES)
STALLS = PARTS["pens"]["stalls"]
SETS = PENS  # one thief set a pen
PER_CAMEL = PARTS["goods"]["per_camel"]
MAX_CAMELS = len(LETTERS)
MAX_ROUTE = len(OASIS_NAMES)

CAMELS = _by_seats(PARTS["caravan"]["camels"])[:, 0]  # of each player, by number of players
ROUTE = _by_seats(PARTS["route"]["stages"]) - 1  # the oasis a stage leads to, by number of players and stage
STAGES = np.array([len(PARTS["route"]["stages"].get(str(seats), ())) for seats in range(MAX_SEATS + 1)])

LOADS = np.array([[PARTS["loads"][letter].count(good) for good in GOOD_NAMES] for letter in LETTERS])
TOTALS = np.array([LOADS[: max(camels, 0)].sum(axis=0) for camels in CAMELS])  # goods of each player, by number of players

FREE = np.array([[target in PARTS["route"]["arrows"][pen] for target in PEN_NAMES] for pen in PEN_NAMES])  # from pen, to pen
_PLACES = [[pen, stall + 1] for pen in PEN_NAMES for stall in range(STALLS)]
EXCHANGE = np.array([[place in PARTS["route"]["exchange"][oasis] for place in _PLACES] for oasis in OASIS_NAMES])  # oasis, place

STALL_PAIR = np.array(PARTS["thieves"]["stall_cards"]) - 1  # the two stalls on each stall card
GOODS_PAIR = np.array([[GOOD_NAMES.index(good) for good in pair] for pair in PARTS["thieves"]["goods_cards"]])

RING = _by_seats(PARTS["thieves"]["ring"])  # who sits at each place of the ring, counted from the holder of the stage stone
RING_PLACE = np.array([[list(row).index(i) if i in row else -1 for i in range(MAX_SEATS)] for row in RING])  # and the reverse

BITS = np.array([number.bit_count() for number in range(256)])

# ---------------------------------------------------------------- moves, events, phases

GOOD = names("good", *GOOD_NAMES)
PEN = names("pen", *PEN_NAMES)
PLACE = names("place", *(f"{pen}{stall}" for pen, stall in _PLACES))  # a stall of a pen
OASIS = names("oasis", *OASIS_NAMES)
CAMEL = Domain("camel", tuple(LETTERS), named=False)
STALL_CARD = Domain("stall_card", tuple("+".join(map(str, pair)) for pair in PARTS["thieves"]["stall_cards"]), named=False)
GOODS_CARD = names("goods_card", *("+".join(pair) for pair in PARTS["thieves"]["goods_cards"]))
STAGE = span("stage", 1, MAX_ROUTE)
ROUND = span("round", 1, MAX_CAMELS)
COUNT = span("count", 1, PER_CAMEL)

MOVES = MoveTable(
    kind("load", good=GOOD),
    kind("place", camel=CAMEL, pen=PEN),
    kind("choose", camel=CAMEL),
    kind("to", pen=PEN),
    kind("pay", good=GOOD),
)
LOAD, SET_DOWN, CHOOSE, TO, PAY = (MOVES.base(name) for name in ("load", "place", "choose", "to", "pay"))

EVENTS = EventTable(
    kind("begins", seat=SEAT),
    kind("loaded", seat=SEAT, camel=CAMEL, good=GOOD),  # for the loader alone
    kind("ready", seat=SEAT),
    kind("unveiled"),
    kind("placed", seat=SEAT, camel=CAMEL, pen=PEN),
    kind("stage", stage=STAGE, oasis=OASIS, seat=SEAT),
    kind("learned", seat=SEAT, pen=PEN, stalls=STALL_CARD, goods=GOODS_CARD),  # for the holder of the set alone
    kind("round", round=ROUND, seat=SEAT),
    kind("chosen", seat=SEAT),
    kind("choice", seat=SEAT, camel=CAMEL),  # for the chooser alone
    kind("revealed", seat=SEAT, camel=CAMEL),
    kind("paid", seat=SEAT, camel=CAMEL, good=GOOD),
    kind("moved", seat=SEAT, camel=CAMEL, origin=PEN, place=PLACE),
    kind("passed", seat=SEAT, place=PLACE),
    kind("struck", pen=PEN, stalls=STALL_CARD, goods=GOODS_CARD),
    kind("robbed", seat=SEAT, camel=CAMEL, good=GOOD, count=COUNT),
)
(BEGINS, LOADED, READY, UNVEILED, PLACED, STAGE_BEGINS, LEARNED, ROUND_BEGINS) = range(8)  # in the order above
(CHOSEN, CHOICE, REVEALED, PAID, MOVED, PASSED, STRUCK, ROBBED) = range(8, len(EVENTS.kinds))

PHASES = ("loading", "placing", "choosing", "moving", "paying")
LOADING, PLACING, CHOOSING, MOVING, PAYING = range(len(PHASES))

ENDS = ("arrival",)
ARRIVAL = 1

PRINTED_LOADS, FREE_LOADS = 0, 1  # the option `loads`

# ---------------------------------------------------------------- the record

SCHEMA = schema(
    [
        field("load", np.int8, (MAX_SEATS, MAX_CAMELS, GOODS), "goods on each camel, by seat, camel and kind"),
        field("kept", np.int8, (MAX_SEATS, GOODS), "goods on all camels of a seat together"),
        field("lost", np.int8, GOODS, "goods out of the game, stolen or paid: what one that arrives is worth"),
        field("place", np.int8, (MAX_SEATS, MAX_CAMELS), "where each camel stands: pen * 5 + stall; -1 nowhere yet"),
        field("used", np.int16, MAX_SEATS, "camels that have moved in this stage, a bit each; at the start: that stand"),
        field("filled", np.int8, PENS, "camels in each pen of the oasis they move to; at the start: of the start area"),
        field("absent", np.int8, PENS, "at the start: the seats without a camel in each pen, a bit each", internal=True),
        field("knew", np.int8, (MAX_SEATS, MAX_CAMELS), "how often sets had been passed when each camel moved", internal=True),
        field("stage", np.int8, 0, "the stage, 0 for the first"),
        field("round_no", np.int8, 0, "the round of this stage, 0 for the first"),
        field("stage_stone", np.int8, 0, "the seat that began this stage"),
        field("round_stone", np.int8, 0, "the seat that begins this round"),
        field("turn", np.int8, 0, "how many seats have moved in this round"),
        field("passes", np.int8, 0, "how often the thief sets have been passed to the left in this stage"),
        field("thief_pen", np.int8, SETS, "the pen card of each set, numbered along the ring as dealt; -1 not known"),
        field("thief_stalls", np.int8, SETS, "the stall card of each set"),
        field("thief_goods", np.int8, SETS, "the goods card of each set"),
        field("choice", np.int8, MAX_SEATS, "the camel each seat has chosen for this round; -1 none, or not known"),
        field("target", np.int8, 0, "the pen a camel is on its way to while its owner picks the good to pay; else -1"),
    ],
    events=64,
)
