"""What a player may not know: a hand card taken unseen, and the card the other player has just drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.rule import rule

from .rules import legal
from .rules_piles import any_card
from .state import ACTING, DRAWN, FROM_ASIDE, FROM_DECK, MAX_MOVES, TRIBE_PILE, UNKNOWN


@rule
def hide(s: Any, seat: Any) -> None:
    """Put back among the unseen cards what `seat` has not seen."""
    for other in range(2):
        if other != seat and s.hand[other] >= 0:
            if s.hand_secret[other] == FROM_DECK:
                s.deck[TRIBE_PILE] |= 1 << s.hand[other]
                s.hand[other] = UNKNOWN
            elif s.hand_secret[other] == FROM_ASIDE:
                s.aside[TRIBE_PILE] |= 1 << s.hand[other]
                s.hand[other] = UNKNOWN
    if s.phase == DRAWN and s.seat != seat and s.card >= 0:
        s.deck[TRIBE_PILE] |= 1 << s.card
        s.card = UNKNOWN


@rule
def determinize(s: Any, seat: Any) -> None:
    """Guess the cards that `seat` has not seen, evenly among those that could be there."""
    guess(s)
    if s.seat != seat and (s.phase == ACTING or s.phase == DRAWN):
        out = np.empty(MAX_MOVES, np.int32)
        while legal(s, out) == 1:  # nobody is asked without a choice, so this cannot be the card
            hide(s, seat)
            guess(s)


@rule
def guess(s: Any) -> None:
    """Any of the unseen cards for each one that is unknown."""
    if s.card == UNKNOWN:
        s.card = any_card(s, s.deck[TRIBE_PILE])
        s.deck[TRIBE_PILE] &= ~(1 << s.card)
    for other in range(2):
        if s.hand[other] == UNKNOWN:
            if s.hand_secret[other] == FROM_DECK:
                s.hand[other] = any_card(s, s.deck[TRIBE_PILE])
                s.deck[TRIBE_PILE] &= ~(1 << s.hand[other])
            else:
                s.hand[other] = any_card(s, s.aside[TRIBE_PILE])
                s.aside[TRIBE_PILE] &= ~(1 << s.hand[other])
