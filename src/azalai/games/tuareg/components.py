"""The numbers of Tuareg as rules use them: goods, special cards, what lies ready, limits, from components.toml."""

from __future__ import annotations

import numpy as np

from azalai.engine.components import load_components
from azalai.engine.schema import MAX_SEATS

PARTS = load_components(str(__package__))

# ---------------------------------------------------------------- goods

GOODS = ("water", "gold", "salt", "millet")
KINDS = len(GOODS)
WATER, GOLD, SALT, MILLET = range(KINDS)
ALL_GOODS = (1 << KINDS) - 1  # a bit for each
COPIES = np.array([PARTS["goods"][good]["copies"] for good in GOODS])
DINAR = np.array([PARTS["goods"][good]["dinar"] for good in GOODS])
POINTS = np.array([PARTS["goods"][good]["points"] for good in GOODS])
CARDS = int(COPIES.sum())

# ---------------------------------------------------------------- special cards, and what lies ready

SPECIALS = ("donkey", "cave", "thief", "map")
DONKEY, CAVE, THIEF, MAP = range(len(SPECIALS))
SPECIAL_POINTS = np.array([PARTS["specials"][special]["points"] for special in SPECIALS])
CAMELS = np.zeros(MAX_SEATS + 1, np.int64)  # per seat, by number of seats
STACKS = np.zeros((MAX_SEATS + 1, len(SPECIALS)), np.int64)  # special cards in the game, by number of seats
for _seats, _ready in PARTS["players"].items():
    CAMELS[int(_seats)] = _ready["camels"]
    STACKS[int(_seats)] = [_ready[special] for special in SPECIALS]

MOST_CAMELS = int(CAMELS.max())
MOST_DONKEYS = int(STACKS[:, DONKEY].max())
MOST_THIEVES = int(STACKS[:, THIEF].max())
ANIMALS = MOST_CAMELS + MOST_DONKEYS  # places of a seat: its camels, then its donkeys
SOURCES = KINDS + ANIMALS  # where a good can be taken from: a kind in hand, or the top of an animal
ANIMAL_LABELS = (
    *(f"camel{number}" for number in range(1, MOST_CAMELS + 1)),
    *(f"donkey{number}" for number in range(1, MOST_DONKEYS + 1)),
)

# ---------------------------------------------------------------- limits

MARKET_START = int(PARTS["play"]["market"])
DRAWN = int(PARTS["play"]["draw"])
HAND_LIMIT = int(PARTS["play"]["hand"])
FULL_LOAD = int(PARTS["play"]["load"])
CAMEL_GOLD = int(PARTS["play"]["camel_gold"])
FULL_CAVE = int(PARTS["play"]["cave"])
PRICE = int(PARTS["play"]["price"])
LAST_STAGE = int(PARTS["play"]["stages"])
TIE = int(PARTS["play"]["tie"])
if -(-PRICE // int(DINAR.min())) > 3:
    raise ValueError("the rules of payment look three goods ahead: a special card cannot cost more than three goods")

# ---------------------------------------------------------------- players

SEAT_LABELS = ("blue", "red", "green", "yellow", "violet")


def seat_labels(seats: int) -> tuple[str, ...]:
    """The players' colours."""
    return SEAT_LABELS[:seats]
