"""What an observation of Targui tells. Nothing in this game is secret, so it is the whole board."""

from __future__ import annotations

from azalai.engine.observe import amount, bits, one_of, seat_number

from ..components import AREAS, CAMELS, FATES, FIELDS, TRIBE_CARDS

MANY = 100  # camels on one field and income: as much and more is written alike
RICH = 250  # likewise of silver

FEATURES = (
    one_of("terrain", len(AREAS)),
    seat_number("owner"),
    amount("camels", MANY),
    one_of("home", FIELDS, seat_axis=0),
    amount("silver", RICH, seat_axis=0),
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
