"""More for a seat's view than the bare fields: what can be counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from ..components import COPIES, KINDS
from ..rules_stage import goods_of
from ..secrets import missing_in_caves
from ..state import NOTHING


class Notes(TypedDict):
    """What `notes` adds to a view."""

    showing: list[list[int]]
    hidden: list[int]
    unseen: list[int]
    fits: list[list[list[int]]]


def notes(s: Any, plain: Mapping[str, Any]) -> Notes:
    """Per seat the goods that count now, as far as the viewer knows, and how many more are hidden; then all it cannot see;
    then for each animal the goods that may be laid on top of it now."""
    seats = range(plain["seats"])
    showing = [[int(goods_of(s, one, good)) for good in range(KINDS)] for one in seats]
    hidden = [int(missing_in_caves(s, one)) for one in seats]
    for good, owner in zip(plain["loot_good"][: plain["loot_count"]], plain["loot_owner"], strict=False):
        if good == NOTHING:
            hidden[owner] += 1
    unseen = [
        int(COPIES[good])
        - sum(plain[place][good] for place in ("market", "discard", "deck"))
        - sum(showing[one][good] + plain["hand"][one][good] for one in seats)
        for good in range(KINDS)
    ]
    laid = [[[good for good in range(KINDS) if bits >> good & 1] for bits in fits] for fits in s.fits[: len(seats)].tolist()]
    return {"showing": showing, "hidden": hidden, "unseen": unseen, "fits": laid}
