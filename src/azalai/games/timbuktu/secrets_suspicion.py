"""What a seat may suspect of thieves it has not seen, from where those who had seen them led their camels.

Whoever leads a camel somewhere and has seen a set does not expect that set to rob it there; and where it strikes, but takes
nothing that the camel carries, no other set can come. So a set that a seat has not seen is the less likely to have some cards,
the more goods it would take from such camels, and the likelier to strike where they stand safely. Every pen, stall card and goods
card belongs to one set, so the sets are judged together: exactly where three or fewer are unseen; where four are, and little has
happened yet, by their pens alone. Numbers are whole, as all conclusions are.
"""

from __future__ import annotations

import numpy as np

from azalai.engine.rule import rule

from .components import CAMELS, GOODS, GOODS_PAIR, PENS, SETS, STALL_PAIR, STALLS
from .rules_stage import has_seen, set_after
from .state import CERTAIN, UNSEEN, Conclusions, State

# The weight of a set's cards, by the goods that camels of those who knew it carry in its pen, less FEAR for each it would take.
FEAR, WORST, BEST = 5, -7, 11
WEIGHT = np.rint(np.exp((np.arange(WORST, BEST + 1) - WORST) / 2)).astype(np.int64)
COMBINATIONS = UNSEEN * UNSEEN  # of a stall card and a goods card
LARGE = 1 << 50  # what can still be multiplied by CERTAIN
OTHERS = np.array([[other for other in range(UNSEEN) if other != one] for one in range(UNSEEN)])


@rule
def suspect(s: State, seat: int, plans: int, stalls: int, goods: int, out: Conclusions) -> None:
    """Write how likely a good is stolen, by stall and good; `plans`, `stalls` and `goods` are what the seat knows of thieves."""
    unseen = list_unseen(s, seat, plans, stalls, goods, out)
    note_camels(s, seat, out)
    weigh(unseen, out)
    total = 0
    for j in range(unseen):
        for k in range(unseen * unseen):
            total += likely(out, unseen, 0, j, k // unseen, k % unseen)
    for i in range(unseen):
        for j in range(unseen):
            for k in range(unseen * unseen):
                weight = likely(out, unseen, i, j, k // unseen, k % unseen)
                part = CERTAIN * weight // total if total < LARGE else weight // (total // CERTAIN)
                spread(out, out.pens[j], out.stall_cards[k // unseen], out.goods_cards[k % unseen], part)
    for pen in range(PENS):
        number = (plans >> 3 * pen & 7) - 1
        if number >= 0:
            spread(out, pen, s.thief_stalls[number], s.thief_goods[number], CERTAIN)


@rule
def list_unseen(s: State, seat: int, plans: int, stalls: int, goods: int, out: Conclusions) -> int:
    """List the sets, pens and cards that a seat has not seen; return how many there are of each."""
    sets, pens, stall_cards, goods_cards = 0, 0, 0, 0
    for number in range(SETS):
        if not has_seen(s, seat, number):
            out.sets[sets] = number
            sets += 1
        if plans >> 3 * number & 7 == 0:
            out.pens[pens] = number
            pens += 1
        if stalls >> number & 1:
            out.stall_cards[stall_cards] = number
            stall_cards += 1
        if goods >> number & 1:
            out.goods_cards[goods_cards] = number
            goods_cards += 1
    return sets


@rule
def note_camels(s: State, seat: int, out: Conclusions) -> None:
    """Note at each place what another seat's camel carries there, and which sets that seat had seen when it led it there."""
    for other in range(s.seats):
        if other != seat:
            known = 0
            for passes in range(s.passes + 1):
                known |= 1 << set_after(s, other, passes)
                for camel in range(CAMELS[s.seats]):
                    if s.used[other] >> camel & 1 and s.knew[other, camel] == passes:
                        cargo = 0
                        for good in range(GOODS):
                            cargo |= s.load[other, camel, good] << 3 * good
                        out.cargo[s.place[other, camel]] = cargo
                        out.warned[s.place[other, camel]] = known


@rule
def weigh(unseen: int, out: Conclusions) -> None:
    """Write how well it fits what others did that an unseen set has a pen, a stall card and a goods card."""
    for i in range(unseen):
        for j in range(unseen):
            trusted = 0
            for stall in range(STALLS):
                for good in range(GOODS):
                    trusted += carried(out, out.sets[i], out.pens[j] * STALLS + stall, good)
            total = 0
            for k in range(unseen * unseen):
                stall_card, goods_card = out.stall_cards[k // unseen], out.goods_cards[k % unseen]
                taken = 0
                for n in range(4):
                    place = out.pens[j] * STALLS + STALL_PAIR[stall_card, n // 2]
                    taken += carried(out, out.sets[i], place, GOODS_PAIR[goods_card, n % 2])
                weight = WEIGHT[min(max(trusted - FEAR * taken, WORST), BEST) - WORST]
                out.fits[i, j, k] = weight
                total += weight
            out.fits_pen[i, j] = total // COMBINATIONS


@rule
def carried(out: Conclusions, number: int, place: int, good: int) -> int:
    """The goods of a kind at a place, if they were led there by somebody who had seen a set."""
    return out.cargo[place] >> 3 * good & 7 if out.warned[place] >> number & 1 else 0


@rule
def likely(out: Conclusions, unseen: int, i: int, j: int, c: int, g: int) -> int:
    """The weight of all plans in which an unseen set has this pen, stall card and goods card."""
    weight = out.fits[i, j, c * unseen + g]
    if unseen == 4:
        x, y, z = OTHERS[j, 0], OTHERS[j, 1], OTHERS[j, 2]
        return weight * (in_pens(out, i, x, y, z) + in_pens(out, i, y, x, z) + in_pens(out, i, z, x, y))
    if unseen == 3:
        x, y = OTHERS[j, 0], OTHERS[j, 1]
        return weight * (with_stalls(out, i, x, y, c, g) + with_stalls(out, i, y, x, c, g))
    return weight * out.fits[1 - i, 1 - j, (1 - c) * unseen + 1 - g] if unseen == 2 else weight


@rule
def in_pens(out: Conclusions, i: int, x: int, y: int, z: int) -> int:
    """The weight of the three other sets, if the first of them is in one pen and the others in two more, either way."""
    a, b, c = OTHERS[i, 0], OTHERS[i, 1], OTHERS[i, 2]
    return out.fits_pen[a, x] * (out.fits_pen[b, y] * out.fits_pen[c, z] + out.fits_pen[b, z] * out.fits_pen[c, y])


@rule
def with_stalls(out: Conclusions, i: int, x: int, y: int, c: int, g: int) -> int:
    """The weight of the two other sets in these pens, with the other cards dealt in all ways."""
    a, b = OTHERS[i, 0], OTHERS[i, 1]
    total = 0
    for k in range(4):
        stalls, goods = OTHERS[c, k // 2], OTHERS[g, k % 2]
        total += out.fits[a, x, stalls * 3 + goods] * out.fits[b, y, (3 - c - stalls) * 3 + 3 - g - goods]
    return total


@rule
def spread(out: Conclusions, pen: int, stall_card: int, goods_card: int, chance: int) -> None:
    """Add a chance to what a set would take in a pen with these cards."""
    for i in range(2):
        for k in range(2):
            out.risk[pen, STALL_PAIR[stall_card, i], GOODS_PAIR[goods_card, k]] += chance
