"""What Targis do on border cards and markers on cards of the centre."""

from __future__ import annotations

from itertools import permutations

import pytest

from azalai.games.targi.components import GOODS_PILE, TRIBE_PILE
from azalai.games.targi.state import FACE_DOWN, NOTHING
from tests.games.targi.table import BLUE, WHITE, Table, cell, goods, place, tribe

# ---------------------------------------------------------------- order, skipping, coming back


def test_targis_and_markers_are_used_in_any_order():
    for order in permutations(("use dates2", "use b2", "use salt3")):
        table = Table().own(BLUE).show("b2", "2pepper").acting(BLUE, "dates2 salt3", "b2", other="dates7")
        table.play(*order)
        assert table.stock(BLUE) == {"dates": 1, "salt": 1, "pepper": 2}
        assert table.seat == WHITE


def test_any_action_may_be_left_out():
    """Ruling: a centre card that is not used stays, and is not replaced."""
    table = Table().own(BLUE).show("b2", "gold").acting(BLUE, "dates2 salt3", "b2", other="dates7")
    table.play("use dates2", "done")
    assert table.stock(BLUE) == {"dates": 1}
    assert table.seat == WHITE
    assert table.s.centre[GOODS_PILE, cell("b2")] == goods("gold")
    assert table.s.targi[BLUE].tolist() == [-1] * 3
    assert table.s.marker[BLUE].tolist() == [-1] * 2


def test_an_action_is_finished_before_the_next_one_begins():
    table = Table().own(BLUE, dates=4).acting(BLUE, "trader salt3")
    table.play("use trader")
    assert all(move.startswith("trade") for move in table.moves)


def test_a_used_targi_goes_back_and_its_card_stays():
    table = Table().acting(BLUE, "dates2 salt3").play("use dates2")
    assert table.moves == {"use salt3", "done"}
    assert table.event("used") == {"seat": BLUE, "place": place("dates2")}


def test_a_turn_ends_by_itself_when_nothing_can_be_done():
    """The Noble without hand card and the Trader without goods do nothing."""
    table = Table().in_round(5).own(BLUE).acting(BLUE, "noble trader dates2", other="salt3")
    table.play("use dates2")
    assert table.seat == WHITE


def test_the_start_player_acts_first_then_the_other():
    table = Table().acting(WHITE, "dates2", other="salt3")
    table.play("use dates2")
    assert table.seat == BLUE
    table.play("use salt3")
    assert (table.phase, table.s.round_no, table.s.start) == ("placing", 2, BLUE)


# ---------------------------------------------------------------- the frame


@pytest.mark.parametrize(
    ("label", "good"),
    [
        ("dates2", "dates"),
        ("dates7", "dates"),
        ("salt3", "salt"),
        ("salt15", "salt"),
        ("pepper6", "pepper"),
        ("pepper11", "pepper"),
    ],
)
def test_a_goods_card_of_the_frame_gives_one_good(label, good):
    table = Table().own(BLUE).acting(BLUE, label)
    assert table.play(f"use {label}").stock(BLUE) == {good: 1}


def test_the_noble_plays_the_hand_card_for_its_price():
    table = Table().own(BLUE, salt=1, dates=1, gold=1).hold(BLUE, "T06").acting(BLUE, "noble")
    table.play("play noble", "row 2")
    assert table.stock(BLUE) == {}
    assert table.rows(BLUE) == ["", "T06", ""]
    assert table.s.hand[BLUE] == NOTHING


def test_the_noble_discards_the_hand_card_for_nothing():
    table = Table().own(BLUE, salt=1).hold(BLUE, "T06").acting(BLUE, "noble salt3")
    table.play("discard noble")
    assert table.stock(BLUE) == {"salt": 1}
    assert int(table.s.discard[TRIBE_PILE]) >> tribe("T06") & 1


def test_the_noble_only_discards_a_card_that_cannot_be_paid():
    table = Table().own(BLUE, salt=1).hold(BLUE, "T06").acting(BLUE, "noble")
    assert table.moves == {"discard noble", "done"}


def test_the_noble_does_nothing_without_a_hand_card():
    table = Table().in_round(2).acting(BLUE, "noble salt3")
    assert table.moves == {"use salt3", "done"}


def test_a_hand_card_is_played_in_a_later_round_only():
    """Ruling: not in the round it was taken in; discarding it with the Noble is possible at once."""
    table = Table().in_round(5).own(BLUE, salt=1, dates=1, gold=1).show("b1", "T06").acting(BLUE, "noble", "b1", other="dates7")
    table.play("keep b1")
    assert table.moves == {"discard noble", "done"}


def test_the_hand_card_is_discarded_with_the_noble_only():
    table = Table().own(BLUE).hold(BLUE, "T06").acting(BLUE, "salt3")
    assert table.moves == {"use salt3", "done"}


def test_the_trader_gives_gold_for_three_equal_goods():
    table = Table().own(BLUE, dates=4, salt=1).acting(BLUE, "trader")
    table.play("use trader", "trade dates gold")
    assert table.stock(BLUE) == {"dates": 1, "salt": 1, "gold": 1}


def test_the_trader_gives_another_good_for_two_equal_ones():
    table = Table().own(BLUE, dates=2).acting(BLUE, "trader")
    table.play("use trader")
    assert table.moves == {"trade dates salt", "trade dates pepper"}
    table.play("trade dates pepper")
    assert table.stock(BLUE) == {"pepper": 1}


def test_the_trader_serves_any_number_of_times():
    table = Table().own(BLUE, dates=5, salt=2, pepper=3).acting(BLUE, "trader dates2")
    table.play("use trader", "trade dates gold", "trade pepper gold", "trade dates salt")
    assert table.stock(BLUE) == {"salt": 3, "gold": 2}
    table.play("done")
    assert table.phase == "acting"


def test_leaving_the_trader_is_possible_after_the_first_exchange():
    table = Table().own(BLUE, dates=6).acting(BLUE, "trader salt3").play("use trader")
    assert "done" not in table.moves
    assert "done" in table.play("trade dates gold").moves


def test_the_trader_takes_identical_goods_only():
    table = Table().own(BLUE, dates=1, salt=1, pepper=1, gold=3).acting(BLUE, "trader salt3")
    assert table.moves == {"use salt3", "done"}


@pytest.mark.parametrize(
    ("have", "move", "crosses"),
    [
        ({"dates": 4}, "sell 2 dates", 1),
        ({"salt": 4}, "sell 4 salt", 3),
        ({"gold": 2}, "sell 1 gold", 2),
        ({"gold": 2}, "sell 2 gold", 4),
    ],
)
def test_the_silversmith_pays_once(have, move, crosses):
    table = Table().own(BLUE, **have).acting(BLUE, "silversmith dates2")
    table.play("use silversmith", move)
    assert table.stock(BLUE)["crosses"] == crosses
    assert table.moves == {"use dates2", "done"}


def test_the_silversmith_takes_identical_goods_only():
    table = Table().own(BLUE, dates=3, salt=1, pepper=1).acting(BLUE, "silversmith dates2")
    assert table.play("use silversmith").stock(BLUE) == {
        "dates": 1,
        "salt": 1,
        "pepper": 1,
        "crosses": 1,
    }  # the only deal there is


def test_the_silversmith_asks_where_there_is_a_choice():
    table = Table().own(BLUE, dates=2, salt=4, gold=1).acting(BLUE, "silversmith").play("use silversmith")
    assert table.moves == {"sell 2 dates", "sell 2 salt", "sell 4 salt", "sell 1 gold"}


def test_the_mirage_moves_an_own_marker_to_a_card_nobody_marks():
    table = Table().acting(BLUE, "mirage", "a1 b2", other_markers="c3")
    table.play("use mirage")
    targets = {"b1", "c1", "a2", "c2", "a3", "b3"}
    assert table.moves == {f"send {origin} {target}" for origin in ("a1", "b2") for target in targets}
    table.play("send a1 c2")
    assert sorted(table.s.marker[BLUE].tolist()) == [cell("b2"), cell("c2")]
    assert table.phase == "acting"


def test_a_marker_moved_by_the_mirage_is_used_where_it_is():
    table = Table().own(BLUE).show("c1", "2salt").acting(BLUE, "mirage", "a1", other="dates7")
    table.play("use mirage", "send a1 c1", "use c1")
    assert table.stock(BLUE) == {"salt": 2}


def test_the_mirage_shows_no_face_down_card():
    """Ruling: the replacement of a used card is no target."""
    table = Table().show("a1", "gold").acting(BLUE, "mirage", "a1 b2")
    table.play("use a1", "use mirage")
    assert not {move for move in table.moves if move.endswith("a1")}


def test_the_mirage_does_nothing_without_a_marker():
    """Ruling: only a marker not yet used can move."""
    table = Table().show("a1", "gold").acting(BLUE, "mirage salt3", "a1")
    table.play("use a1")
    assert table.moves == {"use salt3", "done"}


def test_the_caravan_turns_over_a_goods_card_and_discards_it():
    table = Table().own(BLUE).next_drawn("dates_pepper").acting(BLUE, "caravan dates2")
    table.play("use caravan")
    assert table.stock(BLUE) == {"dates": 1, "pepper": 1}
    assert int(table.s.discard[GOODS_PILE]) >> goods("dates_pepper") & 1
    assert table.position.revealed
    assert not table.position.takes_back


def test_tribal_expansion_lets_one_play_the_card_drawn():
    table = Table().own(BLUE, pepper=1, gold=1).next_drawn("T00").acting(BLUE, "expansion", other="dates7")
    table.play("use expansion")
    assert table.moves == {"play expansion", "keep expansion", "discard expansion"}
    table.play("play expansion", "row 1")
    assert table.rows(BLUE) == ["T00", "", ""]


def test_tribal_expansion_lets_one_keep_the_card_drawn():
    table = Table().own(BLUE).next_drawn("T00").acting(BLUE, "expansion", other="dates7")
    table.play("use expansion")
    assert table.moves == {"keep expansion", "discard expansion"}
    table.play("keep expansion")
    assert table.s.hand[BLUE] == tribe("T00")
    assert table.told[-2:] == ["kept_hidden", "ended"]


def test_tribal_expansion_lets_one_discard_the_card_drawn():
    table = Table().own(BLUE).next_drawn("T00").acting(BLUE, "expansion", other="dates7")
    table.play("use expansion", "discard expansion")
    assert int(table.s.discard[TRIBE_PILE]) >> tribe("T00") & 1
    assert table.s.hand[BLUE] == NOTHING


def test_a_drawn_card_goes_away_by_itself_with_a_full_hand_and_no_money():
    table = Table().own(BLUE).hold(BLUE, "T06").next_drawn("T00").acting(BLUE, "expansion", other="dates7")
    table.play("use expansion")
    assert "discarded" in table.told
    assert table.seat == WHITE


# ---------------------------------------------------------------- the centre

GIVES = {
    "dates": {"dates": 1},
    "salt": {"salt": 1},
    "pepper": {"pepper": 1},
    "2dates": {"dates": 2},
    "2salt": {"salt": 2},
    "2pepper": {"pepper": 2},
    "salt_pepper": {"salt": 1, "pepper": 1},
    "dates_pepper": {"dates": 1, "pepper": 1},
    "dates_salt": {"dates": 1, "salt": 1},
    "gold": {"gold": 1},
    "cross": {"crosses": 1},
}


@pytest.mark.parametrize("label", GIVES)
def test_a_goods_card_gives_what_it_shows(label):
    table = Table().own(BLUE).show("b2", label).acting(BLUE, "", "b2", other="dates7")
    assert table.play("use b2").stock(BLUE) == GIVES[label]


@pytest.mark.parametrize("good", ["dates", "salt", "pepper"])
def test_the_card_with_three_goods_gives_one_of_choice(good):
    table = Table().own(BLUE).show("b2", "choice").acting(BLUE, "", "b2", other="dates7")
    table.play("use b2")
    assert (table.phase, table.position.unfinished) == ("choosing", True)
    assert table.play(f"choose {good}").stock(BLUE) == {good: 1}


def test_a_used_goods_card_is_replaced_at_once_by_a_face_down_tribe_card():
    table = Table().show("b2", "gold").acting(BLUE, "dates2", "b2", other="dates7")
    left = int(table.s.left[TRIBE_PILE])
    table.play("use b2")
    assert table.s.centre[:, cell("b2")].tolist() == [NOTHING, FACE_DOWN]
    assert table.s.left[TRIBE_PILE] == left - 1
    assert int(table.s.discard[GOODS_PILE]) >> goods("gold") & 1


@pytest.mark.parametrize("move", ["play b1", "keep b1", "discard b1"])
def test_a_used_tribe_card_is_replaced_at_once_by_a_face_down_goods_card(move):
    """Ruling: a discarded card counts as used."""
    table = Table().own(BLUE, pepper=1, gold=1).show("b1", "T00").acting(BLUE, "dates2", "b1", other="dates7")
    table.play(move)
    assert table.s.centre[:, cell("b1")].tolist() == [FACE_DOWN, NOTHING]


def test_face_down_cards_are_turned_up_at_the_end_of_the_round():
    table = Table().own(BLUE).show("b1", "T00").show("b2", "gold").acting(WHITE, other="dates2", other_markers="b1 b2")
    table.s.seat, table.s.pending = BLUE, 1
    table.play("use b2", "keep b1", "use dates2")
    assert table.s.centre[TRIBE_PILE, cell("b2")] >= 0
    assert table.s.centre[GOODS_PILE, cell("b1")] >= 0
    assert {"turned_goods", "turned_tribe"} <= set(table.told)
    assert table.position.revealed


def test_a_card_in_the_centre_is_played_kept_discarded_or_left():
    """The author's reading: four ways with a marked tribe card."""
    table = Table().own(BLUE, pepper=1, gold=1).show("b1", "T00").acting(BLUE, "", "b1")
    assert table.moves == {"play b1", "keep b1", "discard b1", "done"}


def test_with_a_full_hand_a_card_is_played_or_discarded():
    """Ruling: the card held may not be swapped or dropped for it."""
    table = Table().own(BLUE, pepper=1, gold=1).hold(BLUE, "T06").show("b1", "T00").acting(BLUE, "", "b1")
    assert table.moves == {"play b1", "discard b1", "done"}


def test_of_two_new_cards_one_is_kept():
    table = Table().own(BLUE).show("b1", "T00").show("b2", "T06").acting(BLUE, "", "b1 b2", other="dates7")
    table.play("keep b2")
    assert table.moves == {"discard b1", "done"}


def test_by_the_rulebook_a_card_is_discarded_only_when_the_hand_is_full():
    table = Table(tribe_cards="rulebook").own(BLUE, pepper=1, gold=1).show("b1", "T00").show("b2", "T06")
    table.acting(BLUE, "", "b1 b2", other="dates7")
    assert table.moves == {"play b1", "keep b1", "keep b2", "done"}
    table.play("keep b2")
    assert table.moves == {"play b1", "discard b1", "done"}


def test_by_the_rulebook_a_drawn_card_that_cannot_be_paid_goes_to_the_empty_hand():
    table = Table(tribe_cards="rulebook").own(BLUE).next_drawn("T00").acting(BLUE, "expansion", other="dates7")
    table.play("use expansion")
    assert table.s.hand[BLUE] == tribe("T00")


# ---------------------------------------------------------------- piles


def test_the_goods_discards_become_a_new_draw_pile():
    table = Table().own(BLUE).next_drawn("gold").show("b1", "T00").acting(BLUE, "caravan", "b1", other="salt15")
    waiting = bin(int(table.s.discard[GOODS_PILE])).count("1")
    table.play("use caravan")
    assert table.s.left[GOODS_PILE] == 0
    table.play("discard b1")
    assert "shuffled" in table.told
    assert table.s.left[GOODS_PILE] == waiting + 1 - 1
    assert table.s.discard[GOODS_PILE] == 0


def test_a_card_lying_face_down_is_not_shuffled_in():
    """The last card of the pile lies in the centre: it can only be that one which is turned up, whatever was shuffled since."""
    for seed in range(8):
        table = Table(seed).own(BLUE).next_drawn("cross").show("b1", "T00").acting(WHITE, other="caravan", other_markers="b1")
        table.s.seat, table.s.pending = BLUE, 1
        table.play("discard b1")  # a goods card, the cross, lies face down now
        table.play("use caravan")
        assert "shuffled" in table.told
        if table.phase == "choosing":
            table.play("choose salt")
        assert table.s.centre[GOODS_PILE, cell("b1")] == goods("cross")


def test_the_supply_never_runs_out():
    """Ruling: whoever gains what the box has no piece for notes it; there are 10 of each good, 8 gold and 33 crosses."""
    table = Table().own(BLUE, dates=9, gold=7, crosses=33).own(WHITE, dates=9).show("b2", "gold").show("a1", "cross")
    table.acting(BLUE, "dates2 salt3", "a1 b2", other="dates7")
    assert table.play("use dates2", "use b2", "use a1").stock(BLUE) == {"dates": 10, "gold": 8, "crosses": 34}
