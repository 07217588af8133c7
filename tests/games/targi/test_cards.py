"""Tribe cards: their prices, how they are paid, where they are laid, and every effect."""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import Any

import pytest

from azalai.games.targi.components import GOLD, POWER_DISCOUNT, TRIBE_PILE
from azalai.games.targi.state import NOTHING, TRIBE_CARD
from tests.games.targi.table import BLUE, GAME, NAMES, WHITE, Table, cell, tribe

CARDS = {card["id"]: card for card in GAME.components["cards"]["tribe"]}


def market(label: str, stock: dict[str, int], **more: Any) -> Table:
    """Blue's marker lies on a tribe card; a Targi on Salt keeps the turn from ending."""
    table = Table(**more).own(BLUE, **stock).show("b1", label)
    return table.acting(BLUE, "salt3", "b1", other="dates7")


# ---------------------------------------------------------------- the price of every card


@pytest.mark.parametrize("label", CARDS)
def test_every_card_is_laid_out_for_exactly_its_price(label):
    table = market(label, CARDS[label]["cost"])
    table.play("play b1", "row 1")
    assert table.stock(BLUE) == {}
    assert table.rows(BLUE) == [label, "", ""]
    assert table.s.hand[BLUE] == NOTHING
    assert "laid" in table.told


@pytest.mark.parametrize(("label", "stuff"), [(label, stuff) for label, card in CARDS.items() for stuff in card["cost"]])
def test_no_card_is_laid_out_for_less(label, stuff):
    cost = dict(CARDS[label]["cost"])
    cost[stuff] -= 1
    assert "play b1" not in market(label, cost).moves


@pytest.mark.parametrize("label", CARDS)
def test_every_card_is_worth_the_crosses_printed_on_it(label):
    table = Table().own(BLUE).display(BLUE, label)
    bonus = {"T20": 1}  # more cards than White
    assert table.points(BLUE) == CARDS[label]["crosses"] + bonus.get(label, 0)


PLAIN = [label for label, card in CARDS.items() if "effect" not in card]


@pytest.mark.parametrize("label", PLAIN)
def test_a_card_without_text_does_nothing_else(label):
    table = market(label, CARDS[label]["cost"]).play("play b1", "row 1")
    assert table.phase == "acting"
    assert not table.s.power.any()


def test_gold_is_no_good_and_pays_for_no_good():
    assert "play b1" not in market("T07", {"salt": 1, "pepper": 1, "dates": 1, "gold": 3}).moves


# ---------------------------------------------------------------- laying out


def test_any_row_may_be_begun_and_cards_go_to_its_leftmost_place():
    table = market("T06", CARDS["T06"]["cost"]).display(BLUE, "T00", "T01 T02")
    table.play("play b1")
    assert table.moves == {"row 1", "row 2", "row 3"}
    table.play("row 2")
    assert table.rows(BLUE) == ["T00", "T01 T02 T06", ""]
    assert table.s.display[BLUE, 1, 2] == tribe("T06")


def test_a_full_row_takes_no_more():
    table = market("T06", CARDS["T06"]["cost"]).display(BLUE, "T00 T01 T02 T03")
    assert table.play("play b1").moves == {"row 2", "row 3"}


def test_the_row_is_not_asked_where_only_one_is_left():
    table = market("T06", CARDS["T06"]["cost"]).display(BLUE, "T00 T01 T02 T03", "T04 T05 T07 T08")
    table.play("play b1")
    assert table.rows(BLUE)[2] == "T06"


def test_a_full_display_takes_no_more():
    table = market("T06", {"dates": 3, "salt": 3, "pepper": 3, "gold": 3})
    table.display(BLUE, "T00 T01 T02 T03", "T04 T05 T07 T08", "T09 T10 T11 T12")
    assert "play b1" not in table.moves
    assert "keep b1" in table.moves


# ---------------------------------------------------------------- alternative prices


@pytest.mark.parametrize(("label", "goods"), [("T26", {"pepper": 2, "dates": 1}), ("T27", {"salt": 2, "dates": 1})])
def test_t26_and_t27_are_paid_in_goods_or_with_gold(label, goods):
    table = market(label, {**goods, "gold": 1}).play("play b1")
    assert table.moves == {"price goods", "price gold"}
    assert table.play("price gold", "row 1").stock(BLUE) == goods
    table = market(label, {**goods, "gold": 1})
    assert table.play("play b1", "price goods", "row 1").stock(BLUE) == {"gold": 1}


@pytest.mark.parametrize("label", ["T26", "T27"])
def test_the_price_is_not_asked_where_only_gold_is_there(label):
    table = market(label, {"gold": 1}).play("play b1")
    assert table.phase == "laying"
    assert table.stock(BLUE) == {}


# ---------------------------------------------------------------- discounts: T24 to T28, T30

DISCOUNTS = {
    "T24": ("rider", "T04"),
    "T25": ("well", "T07"),
    "T26": ("tent", "T11"),
    "T27": ("targia", "T13"),
    "T28": ("oasis", "T02"),
}


@pytest.mark.parametrize("label", DISCOUNTS)
def test_a_discount_saves_one_good_of_choice_on_its_symbol(label):
    other = DISCOUNTS[label][1]
    cost = CARDS[other]["cost"]
    for good in cost:
        table = market(other, cost).display(BLUE, label)
        table.play("play b1")
        assert table.moves == {f"save {one}" for one in cost}
        table.play(f"save {good}", "row 2")
        assert table.stock(BLUE) == {good: 1}


@pytest.mark.parametrize("label", DISCOUNTS)
def test_a_discount_holds_for_no_other_symbol(label):
    symbol = DISCOUNTS[label][0]
    for other in PLAIN:
        if CARDS[other]["symbol"] != symbol:
            table = market(other, CARDS[other]["cost"]).display(BLUE, label)
            assert table.play("play b1").phase == "laying"


@pytest.mark.parametrize("label", DISCOUNTS)
def test_a_discount_card_does_not_discount_itself(label):
    cost = dict(CARDS[label]["cost"])
    cost[next(iter(cost))] -= 1
    assert "play b1" not in market(label, cost).moves


def test_a_discount_belongs_to_its_owner_only():
    table = market("T07", CARDS["T07"]["cost"]).display(WHITE, "T25")
    assert table.play("play b1").phase == "laying"


def test_a_discount_saves_the_good_that_is_missing_without_a_question():
    table = market("T07", {"salt": 1, "pepper": 0, "dates": 2}).display(BLUE, "T25")
    table.play("play b1")
    assert table.phase == "laying"
    assert table.stock(BLUE) == {}


def test_a_discount_on_one_kind_of_good_is_not_asked():
    table = market("T34", {"pepper": 2, "gold": 1}).display(BLUE, "T24")
    assert table.play("play b1").stock(BLUE) == {"pepper": 1}


def test_gold_is_never_saved():
    """Ruling: a price of gold alone is not reduced."""
    table = market("T20", {"gold": 1}).display(BLUE, "T24")
    table.play("play b1")
    assert table.phase == "laying"
    assert table.stock(BLUE) == {}
    assert "play b1" not in market("T20", {"dates": 3}).display(BLUE, "T24").moves


def test_gold_in_place_of_goods_is_not_reduced_either():
    table = market("T27", {"gold": 1}).display(BLUE, "T31")
    table.s.power[BLUE, POWER_DISCOUNT + 3] += 1
    table.s.display[BLUE, 0, 1] = NOTHING
    table.position.play("play b1")
    assert table.phase == "laying"
    assert table.stock(BLUE) == {}


def test_t30_saves_a_good_on_the_hand_card_played_with_the_noble():
    table = Table().display(BLUE, "T30").own(BLUE, salt=1, gold=1).hold(BLUE, "T06").acting(BLUE, "noble salt3")
    table.play("play noble")
    assert table.stock(BLUE) == {}
    assert table.phase == "laying"


def test_t30_saves_nothing_on_other_cards():
    assert "play b1" not in market("T06", {"salt": 1, "gold": 1}).display(BLUE, "T30").moves


def test_t30_and_a_symbol_discount_add_up():
    """Ruling: both goods are saved."""
    table = Table().display(BLUE, "T30 T25").own(BLUE, salt=1, pepper=1, dates=2).hold(BLUE, "T07").acting(BLUE, "noble salt3")
    table.play("play noble", "save dates", "save salt", "row 1")
    assert table.stock(BLUE) == {"salt": 1, "dates": 1}


def test_two_discounts_save_what_is_missing_first():
    table = Table().display(BLUE, "T30 T25").own(BLUE, salt=1, pepper=1, dates=1).hold(BLUE, "T07").acting(BLUE, "noble salt3")
    table.play("play noble")
    assert table.moves == {"save dates", "save salt", "save pepper"}
    table.play("save salt")
    assert table.phase == "laying"  # the other one must save a date, of which there is one too few
    assert table.stock(BLUE) == {"salt": 1}


def test_two_discounts_that_are_both_needed_are_not_asked():
    """The price is 1 salt, 1 pepper, 2 dates. Salt and pepper are not there: whatever comes first, both are saved."""
    table = Table().display(BLUE, "T30 T25").own(BLUE, dates=2).hold(BLUE, "T07").acting(BLUE, "noble salt3")
    table.play("play noble")
    assert table.phase == "laying"
    assert table.stock(BLUE) == {}


def test_all_goods_saved_leave_nothing_to_ask():
    table = Table().display(BLUE, "T30 T25").own(BLUE, salt=1, dates=1, gold=1).hold(BLUE, "T06").acting(BLUE, "noble salt3")
    table.play("play noble")
    assert table.phase == "laying"
    assert table.stock(BLUE) == {"salt": 1, "dates": 1}


# ---------------------------------------------------------------- lasting effects


@pytest.mark.parametrize(("label", "good"), [("T33", "salt"), ("T34", "pepper"), ("T35", "dates")])
def test_t33_t34_t35_add_one_of_their_good_once_a_round(label, good):
    table = Table().display(BLUE, label).own(BLUE).show("b2", f"2{good}").show("a1", good)
    table.acting(BLUE, "", "a1 b2", other="dates7")
    assert table.play("use b2").stock(BLUE) == {good: 3}
    assert table.event("harvested") == {"seat": BLUE, "stuff": NAMES.index(good), "count": 1}
    assert table.play("use a1").stock(BLUE) == {good: 4}


@pytest.mark.parametrize(("label", "good"), [("T33", "salt"), ("T34", "pepper"), ("T35", "dates")])
def test_t33_t34_t35_count_the_caravan_but_not_the_frame(label, good):
    """Ruling: goods cards, wherever they come from."""
    frame = {"salt": "salt3", "pepper": "pepper11", "dates": "dates7"}[good]
    table = Table().display(BLUE, label).own(BLUE).next_drawn(good).acting(BLUE, f"{frame} caravan")
    assert table.play(f"use {frame}").stock(BLUE) == {good: 1}
    assert table.play("use caravan").stock(BLUE) == {good: 3}


@pytest.mark.parametrize(("label", "good"), [("T33", "salt"), ("T34", "pepper"), ("T35", "dates")])
def test_t33_t34_t35_count_the_good_chosen(label, good):
    """Ruling: a card of choice counts as the good that is taken."""
    for chosen in ("salt", "pepper", "dates"):
        table = Table().display(BLUE, label).own(BLUE).show("b2", "choice").acting(BLUE, "", "b2", other="dates7")
        assert table.play("use b2", f"choose {chosen}").stock(BLUE) == {chosen: 2 if chosen == good else 1}


@pytest.mark.parametrize(("label", "good"), [("T33", "salt"), ("T34", "pepper"), ("T35", "dates")])
def test_t33_t34_t35_hold_in_the_round_they_are_played_in(label, good):
    """The rulebook: an extra good is due in that round already, so also for a goods card used before."""
    table = Table().own(BLUE, **CARDS[label]["cost"]).show("b1", label).show("b2", f"2{good}")
    table.acting(BLUE, "salt3", "b1 b2", other="dates7")
    table.play("use b2", "play b1", "row 1")
    assert table.stock(BLUE) == {good: 3}


def test_the_harvest_comes_again_in_the_next_round():
    table = Table().display(BLUE, "T33").own(BLUE).show("b2", "salt").acting(BLUE, "", "b2")
    table.play("use b2")
    assert table.s.round_no == 2
    assert table.s.gathered.tolist() == [0, 0]


def test_t36_gives_a_good_of_choice_in_a_round_without_goods_cards():
    table = Table().display(BLUE, "T36").own(BLUE).acting(BLUE, "salt3", other="dates7").play("use salt3")
    assert (table.phase, table.seat) == ("choosing", BLUE)
    table.play("choose pepper")
    assert table.stock(BLUE) == {"salt": 1, "pepper": 1}
    assert table.seat == WHITE


@pytest.mark.parametrize("label", ["dates", "choice"])
def test_t36_gives_nothing_after_a_good_from_a_goods_card(label):
    table = Table().display(BLUE, "T36").own(BLUE).show("b2", label).acting(BLUE, "", "b2", other="dates7").play("use b2")
    if label == "choice":
        table.play("choose dates")
    assert table.stock(BLUE) == {"dates": 1}
    assert table.seat == WHITE


@pytest.mark.parametrize("label", ["gold", "cross"])
def test_t36_does_not_count_gold_and_crosses_as_goods(label):
    """Ruling: gold is no good."""
    table = Table().display(BLUE, "T36").own(BLUE).show("b2", label).acting(BLUE, "", "b2", other="dates7").play("use b2")
    assert table.phase == "choosing"


def test_t36_comes_before_the_limit_and_for_a_turn_of_nothing_too():
    """Ruling: at the end of the own turn, then at most 10 goods are kept."""
    table = Table().display(BLUE, "T36").own(BLUE, dates=5, salt=5).acting(BLUE, "salt3", other="dates7")
    table.play("done", "choose pepper")
    assert table.phase == "dropping"
    assert table.play("drop dates").stock(BLUE) == {"dates": 4, "salt": 5, "pepper": 1}


def test_t36_holds_in_the_round_it_is_played_in():
    table = market("T36", CARDS["T36"]["cost"]).play("play b1", "row 1", "done")
    assert table.phase == "choosing"


def test_t38_plays_the_hand_card_without_the_noble_for_one_good_more():
    table = (
        Table().display(BLUE, "T38").own(BLUE, salt=2, dates=2, gold=1).hold(BLUE, "T06").acting(BLUE, "salt3", other="dates7")
    )
    table.play("play hand")
    assert table.moves == {"add salt", "add dates"}
    table.play("add dates", "row 1")
    assert table.stock(BLUE) == {"salt": 1}
    assert table.moves == {"use salt3", "done"}  # the Targi is still to be used


def test_t38_asks_only_where_more_than_one_good_could_be_added():
    table = Table().display(BLUE, "T38").own(BLUE, salt=1, dates=1, pepper=1, gold=1).hold(BLUE, "T06").acting(BLUE, "salt3")
    table.play("play hand")
    assert table.phase == "laying"
    assert table.stock(BLUE) == {}


def test_t38_needs_the_good_on_top():
    table = Table().display(BLUE, "T38").own(BLUE, salt=1, dates=1, gold=1).hold(BLUE, "T06").acting(BLUE, "salt3")
    assert "play hand" not in table.moves
    assert "play hand" in table.play("use salt3").moves  # asked although no Targi is left


def test_t38_holds_in_later_rounds_than_the_one_the_card_was_taken_in():
    table = Table().in_round(5).display(BLUE, "T38").own(BLUE, salt=3, dates=3, gold=1).hold(BLUE, "T06", taken=5)
    table.acting(BLUE, "salt3")
    assert table.moves == {"use salt3", "done"}


def test_t38_counts_symbol_discounts_but_not_t30():
    """Ruling: no Noble, so no discount for the Noble."""
    table = Table().display(BLUE, "T38 T30").own(BLUE, salt=1, dates=1, gold=1).hold(BLUE, "T06").acting(BLUE, "salt3")
    assert "play hand" not in table.moves
    table = Table().display(BLUE, "T38 T25").own(BLUE, salt=1, dates=1, gold=1).hold(BLUE, "T06").acting(BLUE, "salt3")
    table.play("play hand", "save salt")
    assert table.phase == "laying"  # the salt saved is the good on top
    assert table.stock(BLUE) == {}


def test_t38_pays_a_good_on_top_of_gold_too():
    table = Table().display(BLUE, "T38").own(BLUE, pepper=1, gold=1).hold(BLUE, "T27").acting(BLUE, "salt3")
    table.play("play hand")
    assert table.stock(BLUE) == {}
    assert "play hand" not in Table().display(BLUE, "T38").own(BLUE, gold=1).hold(BLUE, "T27").acting(BLUE, "salt3").moves


def test_the_hand_card_stays_in_hand_without_t38_and_without_the_noble():
    table = Table().own(BLUE, salt=3, dates=3, gold=1).hold(BLUE, "T06").acting(BLUE, "salt3")
    assert table.moves == {"use salt3", "done"}


def test_t39_trades_goods_one_for_one():
    table = Table().display(BLUE, "T39").own(BLUE, dates=3).acting(BLUE, "trader")
    table.play("use trader", "trade dates salt", "trade dates salt", "trade dates pepper")
    assert table.stock(BLUE) == {"salt": 2, "pepper": 1}


def test_t39_leaves_gold_at_three_equal_goods():
    """Ruling: three identical goods for a gold, also after exchanging one for one."""
    table = Table().display(BLUE, "T39").own(BLUE, dates=1, salt=2).acting(BLUE, "trader salt3")
    table.play("use trader", "trade dates salt")
    assert "trade salt gold" in table.moves
    assert table.play("trade salt gold").stock(BLUE) == {"gold": 1}


def test_t39_does_not_let_goods_go_to_and_fro():
    """Ruling: what was got one for one is not given one for one again, so that the visit ends."""
    table = Table().display(BLUE, "T39").own(BLUE, dates=2).acting(BLUE, "trader salt3")
    table.play("use trader", "trade dates salt")
    assert table.moves == {"trade dates salt", "trade dates pepper", "done"}


def test_t39_helps_only_at_the_trader():
    table = Table().display(BLUE, "T39").own(BLUE, dates=3).acting(BLUE, "salt3")
    assert table.moves == {"use salt3", "done"}


# ---------------------------------------------------------------- T40: stored gold


def test_t40_puts_a_gold_on_the_card():
    table = market("T40", CARDS["T40"]["cost"]).play("play b1", "row 1")
    assert table.s.stored.tolist() == [1, 0]
    assert table.stock(BLUE) == {}


def stored(label: str, **stock: int) -> Table:
    table = market(label, stock).display(BLUE, "T40")
    table.s.stored[BLUE] = 1
    return table


def test_stored_gold_pays_for_a_later_card():
    table = stored("T00", pepper=1).play("play b1")
    assert table.told[-2:] == ["paid_stored", "paid"]
    assert table.s.stored[BLUE] == 0
    assert table.stock(BLUE) == {}


def test_stored_gold_or_own_gold_is_the_players_choice():
    table = stored("T00", pepper=1, gold=1).play("play b1")
    assert table.moves == {"coin own", "coin stored"}
    own, kept = table.position.copy(), table.position.copy()
    own.play("coin own")
    assert (own.state.stock[BLUE, GOLD], own.state.stored[BLUE]) == (0, 1)
    kept.play("coin stored")
    assert (kept.state.stock[BLUE, GOLD], kept.state.stored[BLUE]) == (1, 0)


def test_stored_gold_pays_in_place_of_goods_too():
    """Ruling: T26 and T27 as well."""
    table = stored("T27").play("play b1")
    assert table.s.stored[BLUE] == 0


def test_stored_gold_is_no_gold_for_anything_else():
    """Ruling: not for the Silversmith, not at the fourth raid, outside the limit, not in a tie."""
    table = Table().display(BLUE, "T40").own(BLUE).acting(BLUE, "silversmith salt3")
    table.s.stored[BLUE] = 1
    assert table.moves == {"use salt3", "done"}
    table = Table().display(BLUE, "T40").own(BLUE, gold=3).acting(BLUE, "salt3", other="dates7")
    table.s.stored[BLUE] = 1
    assert table.play("done").stock(BLUE) == {"gold": 3}
    table = Table().display(BLUE, "T40").display(WHITE, "T24").own(BLUE).own(WHITE)
    table.s.stored[BLUE] = 1
    assert table.position.ranking == (1, 1)


# ---------------------------------------------------------------- once, when played


@pytest.mark.parametrize(("before", "goods"), [("", 0), ("T00", 1), ("T00 T01", 1), ("T00 T01 T02", 2)])
def test_t37_gives_a_good_for_every_two_cards_with_itself(before, goods):
    """Ruling: this card counts; halves do not."""
    table = market("T37", CARDS["T37"]["cost"]).display(BLUE, before).play("play b1", "row 2")
    for _ in range(goods):
        table.play("choose salt")
    assert table.phase == "acting"
    assert table.stock(BLUE) == ({"salt": goods} if goods else {})


@pytest.mark.parametrize(
    ("before", "goods"), [(("",), 5), (("T00",), 5), (("T00 T01",), 4), (("T00 T01 T02 T03", "", "T04 T05 T06 T07"), 1)]
)
def test_t42_gives_a_good_for_every_two_empty_places_without_its_own(before, goods):
    """Ruling: counted with this card laid out already; goods may be mixed."""
    table = market("T42", CARDS["T42"]["cost"]).display(BLUE, *before).play("play b1")
    if table.phase == "laying":
        table.play("row 2")
    for number in range(goods):
        table.play(f"choose {NAMES[number % 3]}")
    assert table.phase == "acting"
    assert sum(table.stock(BLUE).values()) == goods


def test_goods_from_t42_are_no_goods_of_a_goods_card():
    table = market("T42", CARDS["T42"]["cost"]).display(BLUE, "T33").play("play b1", "row 2", *["choose salt"] * 5)
    assert table.stock(BLUE) == {"salt": 5}
    assert table.s.gathered[BLUE] == 0


def test_t41_gives_three_goods_of_any_kinds():
    table = market("T41", CARDS["T41"]["cost"]).play("play b1", "row 1")
    assert table.moves == {"prize goods", "prize gold", "prize cross"}
    table.play("prize goods", "choose salt", "choose dates", "choose salt")
    assert table.stock(BLUE) == {"salt": 2, "dates": 1}
    assert table.phase == "acting"


@pytest.mark.parametrize(("prize", "stuff"), [("gold", "gold"), ("cross", "crosses")])
def test_t41_gives_a_gold_or_a_cross(prize, stuff):
    table = market("T41", CARDS["T41"]["cost"]).play("play b1", "row 1", f"prize {prize}")
    assert table.stock(BLUE) == {stuff: 1}


def test_t44_takes_a_targi_from_the_opponent():
    table = market("T44", CARDS["T44"]["cost"]).play("play b1", "row 1")
    assert table.s.hobbled.tolist() == [0, 1]


# ---------------------------------------------------------------- T43: two cards change their places


def moving(*rows: str, row: str = "row 3") -> Table:
    table = market("T43", CARDS["T43"]["cost"]).display(BLUE, *rows).play("play b1")
    return table.play(row) if table.phase == "laying" else table


def test_t43_may_be_left_at_that():
    table = moving("T00 T01").play("done")
    assert table.phase == "acting"
    assert table.rows(BLUE) == ["T00 T01", "", "T43"]


def test_t43_swaps_two_cards():
    table = moving("T00 T01", "T02")
    table.play("shift 1.1 2.1")
    assert table.rows(BLUE) == ["T02 T01", "T00", "T43"]
    assert table.phase == "acting"


def test_t43_itself_may_move():
    """Ruling."""
    assert moving("T00 T01").play("shift 1.1 3.1").rows(BLUE) == ["T43 T01", "", "T00"]


def test_t43_moves_the_last_card_of_a_row_to_the_end_of_another():
    table = moving("T00 T01", "T02").play("shift 1.2 2.2", "done")
    assert table.rows(BLUE) == ["T00", "T02 T01", "T43"]


def test_t43_moves_two_last_cards():
    table = moving("T00 T01", "T02").play("shift 1.2 2.2", "shift 1.1 2.3")
    assert table.rows(BLUE) == ["", "T02 T01 T00", "T43"]
    assert table.phase == "acting"


def test_t43_moves_each_card_only_once():
    table = moving("T00 T01", "T02").play("shift 1.2 2.2")
    assert not {move for move in table.moves if move.startswith("shift 2.2")}


def test_t43_leaves_no_gap():
    """A card from the middle of a row may go if another fills its place."""
    table = moving("T00 T01 T02", "T03").play("shift 1.1 2.2")
    assert table.moves == {"shift 1.3 1.1", "shift 3.1 1.1"}
    table.play("shift 1.3 1.1")
    assert table.rows(BLUE) == ["T02 T01", "T03 T00", "T43"]


def test_t43_fills_the_gap_by_itself_where_only_one_card_can():
    table = moving("T00 T01 T02", row="row 1").play("shift 1.2 2.1")
    assert table.rows(BLUE) == ["T00 T43 T02", "T01", ""]


def test_t43_moves_a_card_to_the_end_of_its_own_row_if_another_row_fills_the_gap():
    table = moving("T00 T01", "T03").play("shift 1.1 1.3", "shift 2.1 1.1")
    assert table.rows(BLUE) == ["T03 T01 T00", "", "T43"]


@pytest.mark.parametrize(
    "before", [("T00 T01 T02", "T03 T04"), ("T00 T01 T02 T05", "T03"), ("T00 T01", ""), ("T00 T01 T02 T05", "T03 T04 T06 T07")]
)
def test_t43_finds_every_arrangement_and_no_other(before):
    """All ways to lift two cards at most and lay them down without gaps, tried by brute force."""
    wanted = {tuple(map(tuple, rows)) for rows in rearrangements([row.split() for row in (*before, "T43")])}
    table = moving(*before)
    found = set()

    def follow(position: Any) -> None:
        for move in position.moves():
            twin = position.copy()
            twin.play(move)
            if twin.phase == "moving":
                follow(twin)
            else:
                rows = twin.state.display[BLUE].tolist()
                found.add(tuple(tuple(TRIBE_CARD.label(card) for card in row if card >= 0) for row in rows))

    follow(table.position)
    assert found == wanted


def rearrangements(rows: list[list[str]]) -> list[list[list[str]]]:
    """All layouts without gaps in which at most two cards lie elsewhere."""
    start = {(r, c): rows[r][c] for r in range(3) for c in range(len(rows[r]))}
    results = []
    for lifted in combinations(start, 2):
        rest = {at: card for at, card in start.items() if at not in lifted}
        free = [at for at in product(range(3), range(4)) if at not in rest]
        for places in permutations(free, 2):
            layout = {**rest, **{at: start[one] for at, one in zip(places, lifted, strict=True)}}
            if all((r, c - 1) in layout for r, c in layout if c > 0):
                results.append([[layout[r, c] for c in range(4) if (r, c) in layout] for r in range(3)])
    return results


# ---------------------------------------------------------------- at the end of the game


@pytest.mark.parametrize(
    ("label", "pairs"),
    [("T15", "T06 T07 T08"), ("T16", "T09 T10 T11"), ("T17", "T12 T13 T14"), ("T18", "T00 T01 T02"), ("T19", "T03 T04 T05")],
)
def test_t15_to_t19_score_for_every_two_cards_of_another_symbol(label, pairs):
    cards = pairs.split()
    for count, bonus in ((1, 0), (2, 1), (3, 1)):
        table = Table().own(BLUE).display(WHITE, "T20").display(BLUE, label, " ".join(cards[:count]))
        printed = sum(CARDS[card]["crosses"] for card in cards[:count])
        assert table.points(BLUE) == 1 + printed + bonus


def test_t15_counts_all_three_rows():
    table = Table().own(BLUE).display(BLUE, "T15 T06", "T07", "T08 T25")
    assert table.points(BLUE) == 1 + 3 + 2 + 3 + 1 + 2


def test_t20_scores_for_strictly_more_cards_than_the_opponent():
    """Ruling: the hand card does not count."""
    table = Table().own(BLUE).display(BLUE, "T20").display(WHITE, "T00").hold(BLUE, "T06")
    assert table.points(BLUE) == 1
    assert table.display(BLUE, "", "T01").points(BLUE) == 1 + 3 + 1


def test_t21_scores_for_ten_cards():
    nine = ("T21 T00 T03", "T06 T07 T02", "T10 T11 T12")
    table = Table().own(BLUE).display(BLUE, *nine)
    before = table.points(BLUE)
    assert table.display(BLUE, "T24").points(BLUE) == before + 1 + 1  # printed, and ten cards


def test_t22_raises_two_rows_of_four_symbols_at_most():
    mixed = ("T00 T03 T06 T09", "T01 T04 T07 T22", "T02 T05 T08 T10")
    printed = sum(CARDS[card]["crosses"] for row in mixed for card in row.split())
    assert Table().own(BLUE).display(BLUE, *mixed).points(BLUE) == printed + 4 + 4 + 2
    printed = sum(CARDS[card]["crosses"] for card in mixed[1].split())
    assert Table().own(BLUE).display(BLUE, mixed[1]).points(BLUE) == printed + 4


def test_t22_does_not_raise_rows_of_one_symbol():
    table = Table().own(BLUE).display(BLUE, "T00 T01 T02 T15", "T22")
    assert table.points(BLUE) == 2 + 3 + 3 + 1 + 1 + 4


def test_t23_scores_in_the_fourth_place_only():
    assert Table().own(BLUE).display(BLUE, "T00 T01 T23").points(BLUE) == 2 + 3 + 2
    assert Table().own(BLUE).display(BLUE, "T00 T01 T03 T23").points(BLUE) == 2 + 3 + 3 + 2 + 2
    assert Table().own(BLUE).display(BLUE, "T23 T00 T01 T03").points(BLUE) == 2 + 2 + 3 + 3


def test_a_marker_is_gone_after_playing_and_the_card_is_in_one_place():
    table = market("T06", CARDS["T06"]["cost"]).play("play b1", "row 1")
    assert table.s.marker[BLUE].tolist() == [-1, -1]
    assert table.s.centre[TRIBE_PILE, cell("b1")] == NOTHING
