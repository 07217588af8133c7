"""What an observation of Targi tells: the frame and the centre, both displays, the own hand, and the cards not seen yet.

Cards are told by what is printed on them, so that a learner need not find out the price of each card by itself.
"""

from __future__ import annotations

import numpy as np

from azalai.engine.observe import amount, bits, categories, lookup, one_of, seat_number

from ..components import (
    BORDERS,
    CARD_CHOICE,
    CARD_GIVES,
    CELLS,
    COLUMNS,
    COST,
    CROSSES,
    DISPLAY,
    EFFECT,
    EFFECTS,
    GOLD,
    GOODS,
    GOODS_KIND,
    KINDS,
    LAST_ROUND,
    MOST_GOLD,
    MOST_GOODS,
    OR_GOLD,
    PRINTED,
    STUFF_NAMES,
    SYMBOL,
    SYMBOLS,
    TARGIS,
    TRIBE_COUNT,
)
from ..state import ORIGIN

MANY_CROSSES = 40  # as many and more are written alike
GIVES = {
    **{f"gives {stuff}": CARD_GIVES[GOODS_KIND, i] for i, stuff in enumerate(STUFF_NAMES)},
    "gives a choice": CARD_CHOICE[GOODS_KIND],
}
FACE = {**categories("symbol", SYMBOL, SYMBOLS), "crosses": PRINTED}
COSTS = {f"costs {stuff}": COST[:, i] for i, stuff in enumerate((*GOODS, "gold"))}
CARD = {**FACE, **COSTS, "or gold": OR_GOLD, **categories("effect", EFFECT, list(EFFECTS))}

FEATURES = (
    lookup("centre", GIVES, at=0, about="goods cards in the centre", name="goods_cards"),
    lookup("centre", CARD, at=1, about="tribe cards in the centre", name="tribe_cards"),
    one_of(
        "centre",
        3,
        first=-3,
        about="goods, then tribe cards in the centre: set aside and face down, face down, none",
        name="face_down",
    ),
    one_of("robber", BORDERS),
    amount("round_no", LAST_ROUND),
    seat_number("start"),
    one_of("targi", BORDERS, seat_axis=0),
    one_of("marker", CELLS, seat_axis=0),
    amount("placed", TARGIS, seat_axis=0),
    amount("targis", TARGIS, seat_axis=0),
    amount("hobbled", TARGIS, seat_axis=0),
    amount("stock", MOST_GOODS, seat_axis=0, at=np.s_[:, :KINDS], about="dates, salt, pepper of each seat", name="goods"),
    amount("stock", MOST_GOLD, seat_axis=0, at=np.s_[:, GOLD], about="gold of each seat", name="gold"),
    amount("stock", MANY_CROSSES, seat_axis=0, at=np.s_[:, CROSSES], about="crosses of each seat", name="crosses"),
    amount("stored", MOST_GOLD, seat_axis=0),
    lookup("display", FACE, seat_axis=0),
    amount("length", COLUMNS, seat_axis=0),
    amount("power", 3, seat_axis=0),
    bits("gathered", KINDS, seat_axis=0),
    lookup("hand", CARD, seat_axis=0),
    one_of("hand", 2, first=-2, seat_axis=0, about="a hand card that cannot be seen; no hand card", name="hand_hidden"),
    amount("hand_round", LAST_ROUND, seat_axis=0),
    one_of("hand_secret", 3, seat_axis=0),
    amount("left", TRIBE_COUNT),
    bits("deck", len(GOODS_KIND), at=0, about="goods cards not seen since the last shuffle", name="goods_deck"),
    bits("deck", TRIBE_COUNT, at=1, about="tribe cards not seen since the last shuffle", name="tribe_deck"),
    lookup("card", CARD),
    one_of("origin", len(ORIGIN)),
    amount("owed", MOST_GOODS),
    amount("savings", MOST_GOODS),
    amount("extra", MOST_GOODS),
    amount("coins", MOST_GOLD),
    amount("choices", MOST_GOODS),
    one_of("reason", 3),
    bits("traded", 2 * KINDS + 1),
    one_of("hole", DISPLAY),
    one_of("moved", DISPLAY),
    amount("raided", 2),
    one_of("options", 2, at=0, about="the option `tribe_cards`: as the author or as the rulebook has them", name="variant"),
)
