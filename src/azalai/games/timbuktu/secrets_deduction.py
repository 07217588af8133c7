"""What others' moves give away: nobody leads a camel to where it will be robbed, if they know it."""

from __future__ import annotations

import math

from azalai.engine.rule import rule

from .components import CAMELS
from .evaluate import NOTHING_KNOWN, ONE_EACH, danger, expected_loss, learn
from .rules_stage import set_after
from .secrets_motives import chance_of_decisions
from .state import Phases, State

CARE = 2.0  # a guess in which the others had one more good to fear for is e ** CARE times less likely


@rule
def likelihood(s: State, seat: int, thorough: bool) -> float:
    """How well the others' moves in this stage fit the thieves as `seat` has guessed them: 1 if they had nothing to fear.

    Where it is thorough, all else that they could have done counts, too.
    """
    if s.phase < Phases.CHOOSING:
        return 1.0
    if thorough:
        return chance_of_decisions(s, seat)
    feared = 0.0
    for other in range(s.seats):
        if other != seat:
            feared += goods_feared_for(s, other)
    return math.exp(-CARE * feared)


@rule
def goods_feared_for(s: State, seat: int) -> float:
    """The goods that a seat had to expect to lose where it led its camels, by what it knew of the thieves when it did."""
    feared = 0.0
    plans, stalls, goods = NOTHING_KNOWN
    for passes in range(s.passes + 1):
        plans, stalls, goods = learn(s, set_after(s, seat, passes), plans, stalls, goods)
        for camel in range(CAMELS[s.seats]):
            if s.used[seat] >> camel & 1 and s.knew[seat, camel] == passes:
                fear = expected_loss(s, seat, camel, goods, ONE_EACH, 1.0)
                feared += danger(s, seat, camel, s.place[seat, camel], plans, stalls, fear, ONE_EACH)
    return feared
