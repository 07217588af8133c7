"""What an observation of Tuareg tells: all that lies open, the own hand and caves, and what can be remembered."""

from __future__ import annotations

from azalai.engine.observe import amount, one_of, seat_number
from azalai.engine.schema import MAX_SEATS

from ..components import (
    ANIMALS,
    CARDS,
    COPIES,
    DINAR,
    FULL_LOAD,
    HAND_LIMIT,
    KINDS,
    LAST_STAGE,
    MOST_DONKEYS,
    MOST_THIEVES,
    SOURCES,
    SPECIALS,
)

COPY = int(COPIES.max())
HAND = HAND_LIMIT + 2  # more than the limit only while a turn lasts
POINTS = 60  # as many and more are written alike

FEATURES = (
    one_of("stage", LAST_STAGE, first=1),
    amount("turns_left", MAX_SEATS),
    amount("deck_size", CARDS),
    amount("market", COPY),
    amount("discard", COPY),
    amount("stack", MOST_DONKEYS),
    amount("hand", HAND, seat_axis=0),
    amount("hand_size", HAND, seat_axis=0),
    one_of("load", KINDS, seat_axis=0),
    amount("height", FULL_LOAD, seat_axis=0),
    amount("carried", COPY, seat_axis=0),
    amount("donkeys", MOST_DONKEYS, seat_axis=0),
    amount("caves", MOST_DONKEYS, seat_axis=0),
    amount("cave_goods", FULL_LOAD, seat_axis=0),
    amount("cave_seen", FULL_LOAD, seat_axis=0),
    amount("thieves", MOST_THIEVES, seat_axis=0),
    amount("maps", FULL_LOAD, seat_axis=0),
    amount("loot_count", MOST_THIEVES),
    one_of("loot_good", KINDS),
    seat_number("loot_owner"),
    seat_number("loot_victim"),
    amount("loot_seen", 1),
    amount("points", POINTS, seat_axis=0),
    amount("kept", HAND, seat_axis=0),
    amount("kept_count", HAND, seat_axis=0),
    amount("kept_goods", COPY),
    amount("kept_most", HAND, seat_axis=0),
    amount("mixed", 1, seat_axis=0),
    amount("shown", COPY, seat_axis=0),
    amount("acted", 1),
    amount("drew", 1),
    amount("owes", 1),
    amount("started", MOST_DONKEYS),
    one_of("animal", ANIMALS),
    amount("put_on", FULL_LOAD),
    one_of("good", KINDS),
    one_of("special", len(SPECIALS)),
    one_of("paid_from", SOURCES),
    amount("paid_dinar", int(DINAR.max())),
    one_of("cave", 2),
    seat_number("victim"),
)
