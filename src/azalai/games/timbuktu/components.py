"""The numbers of Timbuktu as rules use them: goods, pens, caravans, the road and the thief cards, from components.toml."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.components import load_components, require
from azalai.engine.schema import MAX_SEATS

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

require("goods.kinds", GOOD_NAMES, ["gold", "coffee", "pepper", "salt", "water"])
GOODS = len(GOOD_NAMES)
GOLD, COFFEE, PEPPER, SALT, WATER = range(GOODS)
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
PLACES = [[pen, stall + 1] for pen in PEN_NAMES for stall in range(STALLS)]
EXCHANGE = np.array([[place in PARTS["route"]["exchange"][oasis] for place in PLACES] for oasis in OASIS_NAMES])  # oasis, place

STALL_PAIR = np.array(PARTS["thieves"]["stall_cards"]) - 1  # the two stalls on each stall card
GOODS_PAIR = np.array([[GOOD_NAMES.index(good) for good in pair] for pair in PARTS["thieves"]["goods_cards"]])

RING = _by_seats(PARTS["thieves"]["ring"])  # who sits at each place of the ring, counted from the holder of the stage stone
RING_PLACE = np.array([[list(row).index(i) if i in row else -1 for i in range(MAX_SEATS)] for row in RING])  # and the reverse

BITS = np.array([number.bit_count() for number in range(256)])
