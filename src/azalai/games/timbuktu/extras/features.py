"""What an observation of Timbuktu tells: the caravans, the thief sets that the seat has seen, and what follows from these."""

from __future__ import annotations

import numpy as np

from azalai.engine.observe import amount, bits, categories, lookup, one_of, seat_number
from azalai.engine.schema import MAX_SEATS

from ..components import MAX_CAMELS, MAX_ROUTE, PARTS, PEN_NAMES, PENS, PER_CAMEL, SETS, STALL_PAIR, STALLS, TOTALS
from ..state import CERTAIN, NEAR, ODDS

MOST = int(TOTALS.max())  # goods of one kind that a seat has
IN_THE_BOX = int(PARTS["goods"]["of_each"])
PLACES = np.arange(PENS * STALLS)
WHERE = {**categories("pen", PLACES // STALLS, PEN_NAMES), **categories("stall", PLACES % STALLS, "12345")}

FEATURES = (
    amount("load", PER_CAMEL, seat_axis=0),
    amount("kept", MOST, seat_axis=0),
    amount("lost", IN_THE_BOX),
    lookup("place", WHERE, seat_axis=0),
    bits("used", MAX_CAMELS, seat_axis=0),
    amount("filled", STALLS),
    one_of("stage", MAX_ROUTE),
    amount("round_no", MAX_CAMELS - 1),
    seat_number("stage_stone"),
    seat_number("round_stone"),
    amount("turn", MAX_SEATS),
    one_of("passes", PENS),
    one_of("thief_pen", PENS),
    one_of("thief_stalls", len(STALL_PAIR)),
    one_of("thief_goods", SETS),
    one_of("choice", MAX_CAMELS, seat_axis=0),
    one_of("target", PENS),
    one_of("options", 2, at=0, about="the option `loads`: printed or free", name="loads"),
    amount("value", 127),
    amount("points", 255, seat_axis=0),
    amount("lead", 160, low=-160, seat_axis=0),
    amount("worth", 511),
    amount("named", ODDS),
    amount("taken", ODDS),
    amount("risk", CERTAIN),
    amount("passing", 1),
    amount("stands", 255),
    amount("goes", 255),
    amount("least", 127),
    amount("suits", NEAR),
    amount("chosen", 255),
    amount("invites", NEAR),
    amount("pays", NEAR),
)
