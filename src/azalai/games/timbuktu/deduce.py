"""What others' moves give away: nobody leads a camel to where it will be robbed, if they know it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from azalai.engine.rule import rule

from .evaluate import GOODS_ODDS, NOTHING_KNOWN, danger, learn, worth
from .rules_stage import set_after
from .state import CAMELS, CHOOSING, GOODS

CARE = 2.0  # a guess in which the others had one more good to fear for is e ** CARE times less likely


@rule
def likelihood(s: Any, seat: Any) -> Any:
    """How well the others' moves in this stage fit the thieves as `seat` has guessed them: 1 if they had nothing to fear."""
    feared = 0.0
    if s.phase >= CHOOSING:
        for other in range(s.seats):
            if other != seat:
                feared += goods_feared_for(s, other)
    return math.exp(-CARE * feared)


@rule
def goods_feared_for(s: Any, seat: Any) -> Any:
    """The goods that a seat had to expect to lose where it led its camels, by what it knew of the thieves when it did."""
    each = np.ones(GOODS)
    at_risk = np.empty(GOODS)
    feared = 0.0
    plans, stalls, goods = NOTHING_KNOWN
    for passes in range(s.passes + 1):
        plans, stalls, goods = learn(s, set_after(s, seat, passes), plans, stalls, goods)
        for good in range(GOODS):
            at_risk[good] = GOODS_ODDS[goods, good]
        for camel in range(CAMELS[s.seats]):
            if s.used[seat] >> camel & 1 and s.knew[seat, camel] == passes:
                fear = worth(s, seat, camel, at_risk)
                feared += danger(s, seat, camel, s.place[seat, camel], plans, stalls, fear, each)
    return feared
