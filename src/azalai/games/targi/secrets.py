"""What a player may not know: a hand card taken unseen, and the card the other player has just drawn."""

from __future__ import annotations

from azalai.engine.rule import rule

from .components import TRIBE_PILE
from .rules_actions import can_act
from .rules_frame import has_choice
from .rules_piles import any_card
from .state import FROM_ASIDE, FROM_DECK, UNKNOWN, Phases, State


@rule
def hide(s: State, seat: int) -> None:
    """Put back among the unseen cards what `seat` has not seen."""
    for other in range(2):
        if other != seat and s.hand[other] >= 0:
            if s.hand_secret[other] == FROM_DECK:
                s.deck[TRIBE_PILE] |= 1 << s.hand[other]
                s.hand[other] = UNKNOWN
            elif s.hand_secret[other] == FROM_ASIDE:
                s.aside[TRIBE_PILE] |= 1 << s.hand[other]
                s.hand[other] = UNKNOWN
    if s.phase == Phases.DRAWN and s.seat != seat and s.card >= 0:
        s.deck[TRIBE_PILE] |= 1 << s.card
        s.card = UNKNOWN


@rule
def determinize(s: State, seat: int) -> None:
    """Guess the cards that `seat` has not seen, evenly among those that could be there."""
    guess(s)
    if s.seat != seat and (s.phase == Phases.ACTING or s.phase == Phases.DRAWN):
        while not is_asked(s, s.seat + 0):  # a player without a choice is not asked, so this cannot be the card
            hide(s, seat)
            guess(s)


@rule
def is_asked(s: State, seat: int) -> bool:
    """Whether a player with these cards has a choice, in the middle of a turn."""
    return has_choice(s, seat) if s.phase == Phases.DRAWN else can_act(s, seat)


@rule
def guess(s: State) -> None:
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
