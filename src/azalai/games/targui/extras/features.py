"""What an observation of Targui tells. Nothing in this game is secret, so it is the whole board."""

from __future__ import annotations

import numpy as np

from azalai.engine.observe import amount, bits, lookup, one_of, seat_number

from ..components import AREAS, CAMELS, FATES, FIELDS, TRIBE_CARDS

MANY = 100  # camels on one field and income: as much and more is written alike
RICH = 250  # likewise of silver
MOST_SILVER = 2000  # nobody has ever had so much
LOG_CAMELS = {"logarithm": np.log1p(np.arange(CAMELS + 1))}  # one camel more means much where there are few
LOG_SILVER = {"logarithm": np.log1p(np.arange(MOST_SILVER))}

FEATURES = (
    one_of("terrain", len(AREAS)),
    seat_number("owner"),
    amount("camels", MANY),
    lookup("camels", LOG_CAMELS, name="camels_log"),
    one_of("home", FIELDS, seat_axis=0),
    amount("silver", RICH, seat_axis=0),
    lookup("silver", LOG_SILVER, seat_axis=0, name="silver_log"),
    amount("herd", CAMELS, seat_axis=0),
    amount("economy", MANY, seat_axis=0),
    amount("round_no", FATES),
    one_of("die", 6, first=1),
    amount("pack", TRIBE_CARDS, seat_axis=0),
    amount("fate_waits", 1),
    bits("fates", FATES),
    one_of("fate", FATES, first=1),
    amount("again", 1),
    one_of("origin", FIELDS),
    one_of("target", FIELDS),
)
