"""What a seat concludes about thieves it has not seen from where others led their camels."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from azalai.games.timbuktu.components import CAMELS, GOODS, GOODS_PAIR, PENS, SETS, STALL_PAIR, STALLS
from azalai.games.timbuktu.rules_stage import has_seen, set_after
from azalai.games.timbuktu.secrets_suspicion import BEST, FEAR, WEIGHT, WORST
from azalai.games.timbuktu.state import CERTAIN, PEN, UNSEEN, Phases
from tests.games.timbuktu.table import BLUE, GREEN, RED, carry, deal, evening, on_the_way, wander
from tests.games.timbuktu.test_conclusions import concluded


def empty(position, *seats: int) -> None:
    """Let all camels of some seats carry nothing."""
    for seat in seats:
        for number in range(CAMELS[position.seats]):
            carry(position, seat, "ABCDEFGH"[number])


def believed(position, seat: int):
    """The risk at each stall for each good, by all plans that are possible for the seat."""
    s = position.state
    unseen = [number for number in range(SETS) if not has_seen(s, seat, number)]
    trusted: dict[int, list[tuple[int, int, list[int]]]] = {number: [] for number in unseen}  # where those who knew a set stand
    for other in range(position.seats):
        for camel in range(CAMELS[position.seats]):
            if other != seat and s.used[other] >> camel & 1:
                place, load = int(s.place[other, camel]), s.load[other, camel].tolist()
                for number in {set_after(s, other, passes) for passes in range(s.knew[other, camel] + 1)} & set(unseen):
                    trusted[number].append((place // STALLS, place % STALLS, load))
    cards = [[int(kind[number]) for number in unseen] for kind in (s.thief_pen, s.thief_stalls, s.thief_goods)]
    risk, total = np.zeros((PENS, STALLS, GOODS)), 0
    for plan in product(*map(permutations, cards)):
        weight = 1
        for number, pen, stalls, goods in zip(unseen, *plan, strict=True):
            here = [(stall, load) for where, stall, load in trusted[number] if where == pen]
            taken = sum(load[good] for stall, load in here for good in GOODS_PAIR[goods] if stall in STALL_PAIR[stalls])
            led = sum(sum(load) for _, load in here)
            weight *= int(WEIGHT[min(max(led - FEAR * taken, WORST), BEST) - WORST])
        total += weight
        for pen, stalls, goods in zip(*plan, strict=True):
            risk[pen][np.ix_(STALL_PAIR[stalls], GOODS_PAIR[goods])] += weight
    risk /= total
    for number in set(range(SETS)) - set(unseen):
        risk[s.thief_pen[number]][np.ix_(STALL_PAIR[s.thief_stalls[number]], GOODS_PAIR[s.thief_goods[number]])] = 1
    return risk


@pytest.mark.parametrize("passes", [1, 2])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_all_plans_that_are_possible_are_weighed_together(seats, passes):
    for seed in range(3):
        position = wander(
            on_the_way(seats, seed),
            seed,
            until=lambda now: now.state.phase == Phases.MOVING and now.state.passes == passes and now.state.round_no > 2,
        )
        for seat in range(seats):
            found = concluded(position, seat).risk
            assert abs(found / CERTAIN - believed(position, seat)).max() < 0.01


def test_where_empty_camels_were_led_tells_nothing():
    position = evening(3, standing={"star1": (RED, "A")})
    deal(position, "star 1+5 coffee+water", "lamp 1+3 gold+salt")
    empty(position, RED, GREEN)
    found = concluded(position, BLUE)
    unknown = [pen for pen in range(PENS) if found.risk[pen].sum() != 4 * CERTAIN]
    assert len(unknown) == UNSEEN
    for pen in unknown:
        expected = found.named[pen][:, None] * found.taken[pen][None, :]
        assert abs(found.risk[pen] - expected).max() <= 16  # each of so many parts is rounded


def test_what_a_trusting_owner_would_lose_is_less_likely_stolen():
    """Red holds the second set from the stone's holder on; whatever it is, Red did not lead gold to where it takes gold."""
    position = evening(4, standing={"palm1": (RED, "A")})
    deal(position, "star 1+5 coffee+water", "palm 2+4 salt+pepper")
    empty(position, RED, GREEN, 3)
    palm = PEN.value("palm")
    before = concluded(position, BLUE)
    carry(position, RED, "A", "gold", "gold", "gold", "gold")
    after = concluded(position, BLUE)
    assert after.risk[palm, 0, 0] < 0.75 * before.risk[palm, 0, 0]
    assert after.risk[palm, 1, 0] > before.risk[palm, 1, 0]  # Red may well know that other stalls are robbed there


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_five_sets_strike_whatever_is_suspected(seats):
    position = wander(on_the_way(seats, 2), 5, until=lambda now: now.state.phase == Phases.MOVING and now.state.round_no == 4)
    for seat in range(seats):
        found = concluded(position, seat).risk
        assert found.min() >= 0
        assert found.max() <= CERTAIN
        assert found.sum() / CERTAIN == pytest.approx(4 * SETS, abs=0.3)
