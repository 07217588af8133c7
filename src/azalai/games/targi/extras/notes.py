"""What a view has besides the bare fields: where points come from, what lies on the discard piles, what a seat's cards can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from ..components import COLUMNS, CROSSES, GOODS_KIND, GOODS_PILE, PRINTED, ROWS, TRIBE_COUNT, TRIBE_PILE
from ..rules_scoring import points, row_points


class Points(TypedDict):
    """A seat's points by source."""

    crosses: int
    cards: int
    effects: int
    rows: int
    total: int


class Notes(TypedDict):
    """What `notes` adds to a view."""

    points: list[Points]
    discarded_goods: list[int]
    discarded_tribe: list[int]


def notes(s: Any, _: Mapping[str, Any]) -> Notes:
    """Points by source for each seat, and the discards by card: all of it open to everybody."""
    goods, tribe = int(s.discard[GOODS_PILE]), int(s.discard[TRIBE_PILE])
    return {
        "points": [_points(s, one) for one in range(2)],
        "discarded_goods": [int(GOODS_KIND[card]) for card in range(len(GOODS_KIND)) if goods >> card & 1],
        "discarded_tribe": [card for card in range(TRIBE_COUNT) if tribe >> card & 1],
    }


def _points(s: Any, seat: int) -> Points:
    cards = s.display[seat, :ROWS, :COLUMNS].ravel().tolist()
    crosses, rows = int(s.stock[seat, CROSSES]), int(row_points(s, seat))
    printed = sum(int(PRINTED[card]) for card in cards if card >= 0)
    total = int(points(s, seat))
    return {"crosses": crosses, "cards": printed, "effects": total - crosses - printed - rows, "rows": rows, "total": total}
