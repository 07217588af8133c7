"""What an observation of Seven Wells tells a learning program."""

from __future__ import annotations

from azalai.engine.observe import amount, one_of, seat_bits, seat_number

from ..state import SCOUTS, WATER

FEATURES = (
    one_of("water", int(WATER.max()) + 1),
    seat_number("owner"),
    seat_bits("seen"),
    amount("scouted", SCOUTS, seat_axis=0),
)
