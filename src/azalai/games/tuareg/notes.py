"""More for a seat's view than the bare fields: what can be counted."""

from __future__ import annotations

from typing import Any

from azalai.games.tuareg.rules_stage import goods_of
from azalai.games.tuareg.secrets import missing_in_caves
from azalai.games.tuareg.state import COPIES, KINDS, NOTHING


def notes(s: Any) -> dict[str, Any]:
    """Per seat the goods that count now, as far as the viewer knows, and how many more are hidden; then all it cannot see;
    then for each animal the goods that may be laid on top of it now."""
    seats = range(int(s.seats))
    showing = [[int(goods_of(s, one, good)) for good in range(KINDS)] for one in seats]
    hidden = [int(missing_in_caves(s, one)) for one in seats]
    for loot in range(int(s.loot_count)):
        if s.loot_good[loot] == NOTHING:
            hidden[int(s.loot_owner[loot])] += 1
    unseen = [
        int(COPIES[good] - s.market[good] - s.discard[good] - s.deck[good])
        - sum(showing[one][good] + int(s.hand[one, good]) for one in seats)
        for good in range(KINDS)
    ]
    fits = [[[good for good in range(KINDS) if int(bits) >> good & 1] for bits in s.fits[one]] for one in seats]
    return {"showing": showing, "hidden": hidden, "unseen": unseen, "fits": fits}
