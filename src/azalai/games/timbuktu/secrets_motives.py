"""How likely it is that the others chose and led their camels as they did, if the thieves are as a seat has guessed them.

Whoever knows a set keeps clear of it, leaves behind the camels it would rob and sends those it cannot harm. So every decision is
compared with all others there were: with other places for that camel, and with other camels for that round.
"""

from __future__ import annotations

import math

from azalai.engine.rule import rule

from .components import CAMELS, COFFEE, EXCHANGE, FREE, GOLD, GOODS, MAX_CAMELS, PENS, PEPPER, ROUTE, SALT, STALLS, WATER
from .evaluate import NOTHING_KNOWN, Values, danger, expected_loss, learn, worth
from .rules_stage import set_after
from .secrets_conclusions import final_value
from .state import State

Known = tuple[int, int, int]  # of the thieves; see `learn`

# A place, or a camel, where one more good of mean value is in danger is e to the power of so much less likely to be chosen.
PLACE_CARE, CAMEL_CARE = 6.0, 5.0
TOLL = 0.25  # to pay such a good for the way counts as much as so much of a danger
WAITING = 0.125  # the share of its load that a camel is in danger of losing by waiting
PLACE_WHIM, CAMEL_WHIM = 0.05, 0.1  # so many decisions are made for other reasons
BLOCKED = 1e9  # the danger where no camel can go


@rule
def chance_of_decisions(s: State, seat: int) -> float:
    """The chance that the others decide in this stage as they did, if the thieves are as `seat` has guessed them."""
    value = values_in_goods(s)
    passes, filled, chance = 0, 0, 1.0
    for round_no in range(s.round_no + 1):
        passes_before, filled_before = passes, filled
        for turn in range(s.seats):
            other = (s.stage_stone + round_no + turn) % s.seats
            camel = moved_in_round(s, other, round_no)
            if camel < 0:
                return chance
            if other != seat:
                known = knowledge(s, other, passes_before)
                chance *= chance_of_camel(s, other, camel, round_no, known, filled_before, value)
                known = knowledge(s, other, passes)
                chance *= chance_of_place(s, other, camel, known, filled, value)
            place = s.place[other, camel]
            filled += 1 << 3 * (place // STALLS)
            passes += EXCHANGE[ROUTE[s.seats, s.stage], place]
    return chance


@rule
def values_in_goods(s: State) -> Values:
    """What goods of each kind are likely to bring, in goods of mean value."""
    total = 0.0
    for good in range(GOODS):
        total += final_value(s, good)
    scale = GOODS / total
    return (
        final_value(s, GOLD) * scale,
        final_value(s, COFFEE) * scale,
        final_value(s, PEPPER) * scale,
        final_value(s, SALT) * scale,
        final_value(s, WATER) * scale,
    )


@rule
def moved_in_round(s: State, seat: int, round_no: int) -> int:
    """The camel that a seat has led in a round; -1 if none."""
    for camel in range(CAMELS[s.seats]):
        if s.used[seat] >> camel & 1 and s.journey[seat, camel] % MAX_CAMELS == round_no:
            return camel
    return -1


@rule
def knowledge(s: State, seat: int, passes: int) -> Known:
    """What a seat knew of the thieves when sets had been passed so often."""
    plans, stalls, goods = NOTHING_KNOWN
    for number in range(passes + 1):
        plans, stalls, goods = learn(s, set_after(s, seat, number), plans, stalls, goods)
    return plans, stalls, goods


@rule
def chance_of_place(s: State, seat: int, camel: int, known: Known, filled: int, value: Values) -> float:
    """The chance that a seat leads a camel where it did, from where it stood; `filled` has 3 bits a pen."""
    chosen = drawback(s, seat, camel, s.place[seat, camel] // STALLS, known, filled, value, TOLL)
    rest, count = 0.0, 0
    for pen in range(PENS):
        if filled >> 3 * pen & 7 < STALLS:
            rest += math.exp(PLACE_CARE * (chosen - drawback(s, seat, camel, pen, known, filled, value, TOLL)))
            count += 1
    return (1.0 - PLACE_WHIM) / rest + PLACE_WHIM / count


@rule
def chance_of_camel(s: State, seat: int, camel: int, round_no: int, known: Known, filled: int, value: Values) -> float:
    """The chance that a seat sends the camel that it did, of those which had not moved before this round."""
    chosen = reluctance(s, seat, camel, known, filled, value)
    rest, count = 0.0, 0
    for other in range(CAMELS[s.seats]):
        if not s.used[seat] >> other & 1 or s.journey[seat, other] % MAX_CAMELS >= round_no:
            rest += math.exp(CAMEL_CARE * (chosen - reluctance(s, seat, other, known, filled, value)))
            count += 1
    return (1.0 - CAMEL_WHIM) / rest + CAMEL_WHIM / count


@rule
def reluctance(s: State, seat: int, camel: int, known: Known, filled: int, value: Values) -> float:
    """What a camel has to fear wherever it goes, less what it has to fear by waiting."""
    least = BLOCKED
    for pen in range(PENS):
        if filled >> 3 * pen & 7 < STALLS:
            least = min(least, drawback(s, seat, camel, pen, known, filled, value, 1.0))
    return least - WAITING * worth(s, seat, camel, value)


@rule
def drawback(s: State, seat: int, camel: int, pen: int, known: Known, filled: int, value: Values, toll: float) -> float:
    """The danger to a camel in the next stall of a pen, and so much of the price of the way there."""
    plans, stalls, goods = known
    fear = expected_loss(s, seat, camel, goods, value, 1.0)
    loss = danger(s, seat, camel, pen * STALLS + (filled >> 3 * pen & 7), plans, stalls, fear, value)
    has_moved = s.used[seat] >> camel & 1
    origin = s.journey[seat, camel] // MAX_CAMELS if has_moved else s.place[seat, camel] // STALLS
    return loss if FREE[origin, pen] else loss + toll * cheapest(s, seat, camel, value)


@rule
def cheapest(s: State, seat: int, camel: int, value: Values) -> float:
    """The value of the least good that a camel carries; 0 if it carries nothing."""
    least = BLOCKED
    for good in range(GOODS):
        if s.load[seat, camel, good] > 0:
            least = min(least, value[good])
    return least if least < BLOCKED else 0.0
