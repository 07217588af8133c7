"""The robber's way round the frame, and the four raids."""

from __future__ import annotations

import pytest

from azalai.games.targi.components import ACTION, RAID
from tests.games.targi.table import BLUE, WHITE, Table, place

DEMANDS = {1: (1, "goods", 1), 2: (2, "goods", 1), 3: (3, "goods", 2), 4: (1, "gold", 3)}  # so much of that, or so many crosses


def test_the_robber_goes_round_in_twelve_rounds():
    table = Table()
    stands: list[tuple[int, int]] = []
    while not table.position.over:
        if table.phase == "placing" and (not stands or stands[-1][0] != int(table.s.round_no)):
            stands.append((int(table.s.round_no), int(table.s.robber) + 1))
        table.play(min(table.moves))
    assert stands == list(enumerate((1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15), 1))
    assert table.position.end == "fourth raid"


@pytest.mark.parametrize("number", DEMANDS)
def test_a_raid_is_paid_in_goods_or_gold(number):
    count, kind, _ = DEMANDS[number]
    have = {"gold": 2} if kind == "gold" else {"dates": 5}
    table = Table().to_raid(number).own(BLUE, crosses=5, **have).own(WHITE, crosses=5, **have).play("done")
    assert (table.phase, table.seat) == ("raid", BLUE)
    table.play("give gold" if kind == "gold" else "give dates")
    assert table.stock(BLUE) == {**have, next(iter(have)): next(iter(have.values())) - count, "crosses": 5}
    assert table.seat == WHITE


@pytest.mark.parametrize("number", DEMANDS)
def test_a_raid_is_paid_in_crosses(number):
    crosses = DEMANDS[number][2]
    table = Table().to_raid(number).own(BLUE, crosses=5, dates=5, gold=1).own(WHITE, crosses=5, dates=5, gold=1)
    table.play("done", "give cross")
    assert table.stock(BLUE) == {"dates": 5, "gold": 1, "crosses": 5 - crosses}


@pytest.mark.parametrize("start", [BLUE, WHITE])
def test_the_start_player_chooses_first_and_each_for_himself(start):
    table = Table().to_raid(1, start).own(BLUE, salt=2, crosses=2).own(WHITE, salt=2, crosses=2).play("done")
    assert table.seat == start
    table.play("give cross")
    assert table.seat == 1 - start
    table.play("give salt")
    assert (table.stock(start), table.stock(1 - start)) == ({"salt": 2, "crosses": 1}, {"salt": 1, "crosses": 2})


def test_the_robber_goes_on_at_once_after_a_raid():
    table = Table().to_raid(1).own(BLUE, salt=2, crosses=2).own(WHITE, salt=2, crosses=2)
    table.play("done", "give cross", "give cross")
    assert (table.phase, table.seat, table.s.round_no) == ("placing", BLUE, 4)
    assert table.s.robber == place("trader")


def test_the_goods_given_may_be_of_any_kinds():
    table = Table().to_raid(3).own(BLUE, dates=2, salt=2, pepper=2, crosses=4).own(WHITE, crosses=4).play("done")
    assert table.moves == {"give dates", "give salt", "give pepper", "give cross"}
    table.play("give salt")
    assert (table.phase, table.position.unfinished) == ("raid_goods", True)
    assert table.moves == {"give dates", "give salt", "give pepper"}
    table.play("give dates", "give salt")
    assert table.stock(BLUE) == {"dates": 1, "pepper": 2, "crosses": 4}


def test_gold_does_not_pay_for_the_first_three_raids_nor_goods_for_the_fourth():
    table = Table().to_raid(1).own(BLUE, gold=3, crosses=1).own(WHITE, gold=3, crosses=1).play("done")
    assert table.stock(BLUE) == {"gold": 3}
    table = Table().to_raid(4).own(BLUE, dates=9, crosses=3).own(WHITE, dates=9, crosses=3).play("done")
    assert table.stock(BLUE) == {"dates": 9}


def test_a_raid_asks_nothing_where_there_is_no_choice():
    table = Table().to_raid(2).own(BLUE, dates=1, salt=1).own(WHITE, pepper=4).play("done")
    assert table.phase == "placing"
    assert (table.stock(BLUE), table.stock(WHITE)) == ({}, {"pepper": 2})


def test_a_raid_asks_for_goods_where_crosses_are_too_few():
    table = Table().to_raid(3).own(BLUE, dates=2, salt=2, crosses=1).own(WHITE, pepper=4).play("done")
    assert table.moves == {"give dates", "give salt"}
    table.play("give dates")
    assert table.moves == {"give dates", "give salt"}


@pytest.mark.parametrize("number", DEMANDS)
def test_who_can_pay_neither_lets_the_opponent_gain_the_crosses(number):
    """Ruling: the opponent gains what should have been lost; the little there is stays."""
    count, kind, crosses = DEMANDS[number]
    little = {"dates": count - 1, "crosses": crosses - 1} if kind == "goods" else {"dates": 9, "crosses": 2}
    table = Table().to_raid(number).own(BLUE, **little).own(WHITE, gold=1, dates=5, crosses=9).play("done", "give cross")
    assert table.stock(BLUE) == {stuff: amount for stuff, amount in little.items() if amount}
    assert table.stock(WHITE)["crosses"] == 9 + crosses - crosses


def test_crosses_on_cards_cannot_be_given():
    table = Table().to_raid(1).display(BLUE, "T06 T01").own(BLUE).own(WHITE, crosses=4)
    table.play("done")
    assert table.stock(WHITE)["crosses"] == 4 + 1 - 1


def test_t29_gives_nothing_at_any_raid():
    """Ruling: all raids to come, the fourth too."""
    for number in DEMANDS:
        table = Table().to_raid(number).display(BLUE, "T29").own(BLUE, dates=5, gold=1, crosses=5).own(WHITE, crosses=5)
        table.play("done")
        assert table.stock(BLUE) == {"dates": 5, "gold": 1, "crosses": 5}
        assert "spared" in table.told


@pytest.mark.parametrize(("move", "dates", "crosses"), [("give dates", 4, 6), ("give cross", 5, 5)])
def test_t31_gives_a_cross_after_paying(move, dates, crosses):
    table = Table().to_raid(1).display(BLUE, "T31").own(BLUE, dates=5, crosses=5).own(WHITE, crosses=5)
    table.play("done", move)
    assert table.stock(BLUE) == {"dates": dates, "crosses": crosses}


def test_t31_gives_a_cross_after_the_last_of_several_goods():
    table = Table().to_raid(3).display(BLUE, "T31").own(BLUE, dates=3, salt=3, crosses=5).own(WHITE, crosses=5)
    table.play("done", "give dates", "give salt")
    assert table.stock(BLUE)["crosses"] == 5
    table.play("give salt")
    assert table.stock(BLUE) == {"dates": 2, "salt": 1, "crosses": 6}


def both(number: int, **stock: int) -> Table:
    """Blue has T29 and T31 and is raided; White pays one cross."""
    return Table().to_raid(number).display(BLUE, "T31 T29").own(BLUE, **stock).own(WHITE, crosses=5).play("done")


@pytest.mark.parametrize(
    ("number", "stock", "moves"),
    [
        (1, {"dates": 2, "salt": 1, "crosses": 1}, {"give dates", "give salt", "give cross", "done"}),
        (1, {"dates": 1}, {"give dates", "done"}),
        (3, {"dates": 3, "crosses": 1}, {"give dates", "done"}),
        (4, {"dates": 9, "gold": 1, "crosses": 2}, {"give gold", "done"}),
    ],
)
def test_an_owner_of_t29_and_t31_chooses_whether_to_pay(number, stock, moves):
    """Ruling: T29 says that one need not pay, and a player may use a card's advantage; so T31 is still to be had."""
    table = both(number, **stock)
    assert (table.phase, table.seat) == ("raid", BLUE)
    assert table.moves == moves


@pytest.mark.parametrize(
    ("number", "given", "left"),
    [
        (1, "dates", {"dates": 3, "crosses": 3}),
        (2, "dates", {"dates": 2, "crosses": 3}),  # both at once: they are of one kind
        (4, "gold", {"dates": 4, "crosses": 3}),
    ],
)
def test_an_owner_of_t29_and_t31_who_pays_gains_the_cross(number, given, left):
    table = both(number, dates=4, gold=number == 4, crosses=2).play(f"give {given}")
    assert table.stock(BLUE) == left
    assert "rewarded" in table.told


def test_an_owner_of_t29_and_t31_who_pays_nothing_gains_nothing():
    table = both(1, dates=4, crosses=2).play("done")
    assert table.stock(BLUE) == {"dates": 4, "crosses": 2}
    assert table.told[0] == "spared"
    assert table.stock(WHITE) == {"crosses": 4}


def test_an_owner_of_t29_and_t31_begun_to_pay_goods_pays_them_all():
    table = both(3, dates=3, salt=3, crosses=2).play("give dates")
    assert (table.phase, table.moves) == ("raid_goods", {"give dates", "give salt"})
    table.play("give salt", "give salt")
    assert table.stock(BLUE) == {"dates": 2, "salt": 1, "crosses": 3}


@pytest.mark.parametrize(("number", "stock"), [(1, {}), (1, {"crosses": 2}), (3, {"dates": 2, "crosses": 2})])
def test_an_owner_of_t29_and_t31_is_not_asked_where_paying_can_gain_nothing(number, stock):
    """Nothing to give; or only crosses, of which no more would come back."""
    table = both(number, **stock)
    assert table.seat == WHITE or table.phase == "placing"
    assert table.stock(BLUE) == stock


def test_t31_gives_nothing_to_who_cannot_pay():
    table = Table().to_raid(1).display(BLUE, "T31").own(BLUE).own(WHITE, crosses=5).play("done")
    assert table.stock(BLUE) == {}


def test_stored_gold_does_not_pay_the_fourth_raid():
    table = Table().to_raid(4).display(BLUE, "T40").own(BLUE, crosses=5).own(WHITE, crosses=5)
    table.s.stored[BLUE] = 1
    table.play("done")
    assert table.stock(BLUE) == {"crosses": 2}
    assert table.s.stored[BLUE] == 1


def test_the_robber_rests_on_no_corner():
    assert all(ACTION[corner] == RAID for corner in (3, 7, 11, 15))
