"""What an observation concludes about thieves, goods and ways."""

from __future__ import annotations

import numpy as np
import pytest

import azalai
from azalai.engine.dispatch import conclude
from azalai.engine.rule import records
from azalai.games.timbuktu.components import GOODS, PENS, STALLS
from azalai.games.timbuktu.state import EIGHTHS, NEAR, ODDS, PEN
from tests.games.timbuktu.table import BLUE, GAME, RED, camel, carry, choose_all, deal, evening, good, on_the_way, origin, wander


def concluded(position, seat: int):
    """What a seat concludes from what it knows."""
    out = records(1, GAME.conclusions.dtype)
    conclude(position.seen_by(seat).state, seat, out[0])
    return out[0]


def value(found, *goods: str) -> float:
    """The points of some goods."""
    return float(sum(found.value[good(name)] for name in goods)) / EIGHTHS


def near(points: float, eighths: float) -> bool:
    """Whether a conclusion says so many points; a sum of rounded numbers may be off by a little."""
    return bool(abs(points - eighths / EIGHTHS) <= 0.3)


def test_a_camel_where_thieves_are_known_to_come_loses_what_they_take():
    for place, goods in (("lamp1", ("gold", "gold")), ("lamp2", ())):
        position = evening(standing={place: (RED, "A")})
        deal(position, "star 1+5 coffee+water", "lamp 1+3 gold+salt")  # the second set is Red's
        assert near(value(concluded(position, RED), *goods), concluded(position, RED).stands[camel("A")])


def test_an_unknown_pen_is_concluded_by_even_odds():
    """The example of the help: camel D in Star 1 loses 0.375 goods on average, in Star 2 twice as much."""
    for place, share in (("star1", 0.375), ("star2", 0.75)):
        position = evening(standing={place: (RED, "D")})
        for other in (BLUE, *range(2, 4)):  # where others led their camels tells nothing if these carry nothing
            for letter in "ABCDEF":
                carry(position, other, letter)
        position.state.lost[:] = int(position.state.lost[0])  # so that all goods have the same value
        deal(position, "moon 2+5 salt+pepper", "lamp 1+3 water+gold")
        found = concluded(position, RED)
        per_good = float(np.mean(found.value)) / EIGHTHS
        assert found.stands[camel("D")] / EIGHTHS == pytest.approx(share * per_good, rel=0.2)


def test_chances_of_thieves_follow_from_the_sets_seen():
    position = evening()
    deal(position, "star 1+5 coffee+water", "lamp 1+3 gold+salt")
    found = concluded(position, RED)
    lamp, palm = PEN.value("lamp"), PEN.value("palm")
    assert found.named[lamp].tolist() == [ODDS, 0, ODDS, 0, 0]
    assert found.taken[lamp].tolist() == [ODDS, 0, 0, ODDS, 0]
    for pen in range(PENS):
        assert found.named[pen].sum() == pytest.approx(2 * ODDS)
        assert found.taken[pen].sum() == pytest.approx(2 * ODDS)
    assert found.named[palm].tolist() == [ODDS // 4, ODDS // 2, ODDS // 4, ODDS // 2, ODDS // 2]  # four cards are left


def test_a_camel_that_is_to_move_is_told_where_it_loses_least():
    for seed in range(8):
        position = on_the_way(5, seed)
        choose_all(position, "AAAAA")
        pen = PEN.value(origin(position, BLUE, "A"))
        assert pen is not None
        for stalls, best in (("1+3", (pen - 1) % PENS), ("2+4", pen)):
            deal(position, f"{PEN.label(pen)} {stalls} water+gold")
            found = concluded(position, BLUE)
            assert found.invites.argmax() == best
            assert found.chosen.tolist() == found.goes[camel("A")].tolist()
            assert found.chosen[best] == found.least[camel("A")]


def test_a_way_that_is_not_free_costs_a_good():
    position = on_the_way(3)
    choose_all(position, "AAA")
    carry(position, BLUE, "A", "gold")
    start = PEN.value(origin(position, BLUE, "A"))
    assert start is not None
    far = (start + 1) % PENS
    deal(position, f"{PEN.label(far)} 2+4 coffee+water")  # nobody robs the first stall there
    found = concluded(position, BLUE)
    assert found.goes[camel("A"), far] == found.value[good("gold")]


def test_the_cheapest_good_to_pay_is_told():
    position = on_the_way(3)
    choose_all(position, "AAA")
    carry(position, BLUE, "A", "gold", "salt")
    position.state.lost[good("gold")] += 5
    start = PEN.value(origin(position, BLUE, "A"))
    assert start is not None
    far = (start + 1) % PENS
    deal(position, f"{PEN.label(far)} 2+4 coffee+water")
    position.play(f"to {PEN.label(far)}")
    found = concluded(position, BLUE)
    assert found.pays[good("salt")] == NEAR
    assert found.pays[good("gold")] < NEAR
    assert found.pays[good("pepper")] == 0  # not aboard


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_leads_and_points_fit_together(seats):
    position = wander(on_the_way(seats, seats), 4, until=lambda now: now.state.stage == 1 and now.state.round_no == 3)
    for seat in range(seats):
        found = concluded(position, seat)
        assert found.lead[seat] == 0
        for other in range(seats):
            assert found.lead[other] / 2 == pytest.approx(found.points[other] - found.points[seat], abs=1.3)


def test_greedy_mostly_goes_where_the_conclusions_say():
    """They tell in plain numbers what a player who looks one move ahead finds out."""
    agreed: dict[str, list[bool]] = {"choosing": [], "moving": []}
    for seed in range(2):
        position, bot = GAME.new(3, seed), azalai.bot("greedy", GAME, seed)
        while not position.over:
            move = bot.choose(position.seen_by(position.seat))
            if position.phase in agreed and len(position.move_ids()) > 1:
                found = concluded(position, position.seat)
                told = found.suits if position.phase == "choosing" else found.invites
                agreed[position.phase].append(bool(told[next(iter(move.args.values()))] == told.max()))
            position.play(move)
    assert np.mean(agreed["choosing"]) > 0.8
    assert np.mean(agreed["moving"]) > 0.85


def test_nothing_is_concluded_about_thieves_before_they_come():
    found = concluded(GAME.new(4, 1), BLUE)
    assert found.value.all()
    assert not found.named.any()
    assert not found.goes.any()
    assert found.value.shape == (GOODS,)
    assert found.named.shape == (PENS, STALLS)
