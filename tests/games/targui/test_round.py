"""The round: the die, the pack, the order of turns (section 4 of the rulebook), and the income (section 5 d)."""

from __future__ import annotations

from collections import Counter

import pytest

import azalai
from azalai.engine.moves import Event
from azalai.engine.position import Position
from azalai.engine.rng import seed
from tests.games.targui.desert import (
    BLUE4,
    GREEN,
    GREEN4,
    RED4,
    YELLOW,
    YELLOW4,
    camels,
    clear,
    desert,
    kinds,
    lawful,
    lay,
    lucky,
    money,
    moves,
    only,
    owner,
    pack,
    pass_turn,
    play,
    put,
    turn,
)


def new_round(position: Position, die: int) -> list[Event]:
    """The last player of a round stays, and the next round's die shows this."""
    money(position, *[0] * position.seats)
    return lucky(position, "stay", lambda events: [args["die"] for args in only(events, "rolled")] == [die])


def order_of_turns(position: Position) -> list[int]:
    """Everybody passes until the round is over: the seats in the order of their cards."""
    round_no = position.state.round_no
    order = []
    while position.state.round_no == round_no and not position.over:
        order.append(position.seat)
        pass_turn(position)
    return order


def test_example_with_a_three_and_four_players_the_pack_has_thirteen_cards() -> None:
    position = desert(4)
    pack(position, later=(1, 6))
    events = new_round(position, 3)
    turned = len([one for one in events[kinds(events).index("rolled") :] if one.kind in ("turn", "fate")])
    assert position.view()["notes"]["cards_left"] + turned == 13


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5])
def test_everybody_has_as_many_turns_as_the_die_shows(die: int) -> None:
    position = desert(4)
    pack(position, later=(1, 8))
    new_round(position, die)
    assert Counter(order_of_turns(position)) == dict.fromkeys(range(4), die)


def test_with_a_six_everybody_gives_one_card_and_has_two_turns() -> None:
    position = desert(4)
    pack(position, later=(1, 8))
    events = new_round(position, 6)
    assert only(events, "rolled")[0]["cards"] == 1
    order = order_of_turns(position)
    assert Counter(order) == dict.fromkeys(range(4), 2)
    assert order[0::2] == order[1::2]  # both turns of a player come one after the other


def test_ruling_13_a_double_turn_is_march_purchase_march_purchase() -> None:
    position = desert(2)
    put(position, GREEN, b2=10)
    money(position, 10, 0)
    pack(position, 0, 1, die=6)
    position.state.again = 1
    events = play(position, "march b2", "to c3", "camels 4", "buy c3", "camels 2")
    assert kinds(events)[-1] == "again"
    assert position.seat == GREEN
    events = play(position, "march c3", "to d3", "camels 6", "buy b2", "camels 1")
    assert only(events, "turn") == [{"seat": YELLOW}]
    assert [camels(position, label) for label in ("b2", "c3", "d3")] == [7, 0, 6]


def test_the_order_of_turns_is_by_chance_and_every_order_equally_likely() -> None:
    position = desert(2)
    money(position, 0, 0)
    orders: Counter[tuple[int, ...]] = Counter()
    for number in range(3000):
        twin = position.copy()
        pack(twin, 1, 2, fate=1, later=(6,))
        seed(twin.state, number, 0)
        orders[tuple(order_of_turns(twin)[1:])] += 1
    assert set(orders) == {(0, 1, 1), (1, 0, 1), (1, 1, 0)}
    assert all(abs(count - 1000) < 5 * (3000 * 2 / 9) ** 0.5 for count in orders.values())


def test_the_fate_card_may_come_at_any_place_of_the_pack() -> None:
    position = desert(2)
    money(position, 0, 0)
    first = 0
    for number in range(3000):
        twin = position.copy()
        pack(twin, 1, 1, fate=1, later=())
        seed(twin.state, number, 0)
        first += twin.play("stay")[1].kind == "fate"
    assert abs(first - 1000) < 5 * (3000 * 2 / 9) ** 0.5


def test_every_fate_card_left_is_equally_likely() -> None:
    position = desert(2)
    money(position, 0, 0)
    seen: Counter[int] = Counter()
    for number in range(3000):
        twin = position.copy()
        pack(twin, fate=1, later=(9, 16))
        seed(twin.state, number, 0)
        seen[only(twin.play("stay"), "fate")[0]["fate"]] += 1
    assert set(seen) == {1, 9, 16}
    assert all(abs(count - 1000) < 5 * (3000 * 2 / 9) ** 0.5 for count in seen.values())


def test_every_number_of_the_die_is_equally_likely() -> None:
    position = desert(2)
    money(position, 0, 0)
    seen: Counter[int] = Counter()
    for number in range(3000):
        twin = position.copy()
        seed(twin.state, number, 0)
        seen[only(twin.play("stay"), "rolled")[0]["die"]] += 1
    assert set(seen) == {1, 2, 3, 4, 5, 6}
    assert all(abs(count - 500) < 5 * (3000 * 5 / 36) ** 0.5 for count in seen.values())


def test_every_fate_card_comes_exactly_once_in_a_game() -> None:
    position = azalai.game("targui").new(seats=4, seed=5)
    player = azalai.bot("random", position.game, 1)
    cards = []
    while not position.over:
        cards += [args["fate"] for args in only(position.play(player.choose(position.seen_by(position.seat))), "fate")]
    assert sorted(cards) == list(range(1, 17))


# ---------------------------------------------------------------- income


def end_of_round(position: Position) -> list[Event]:
    pack(position)
    return pass_turn(position)


def test_at_the_end_of_a_round_everybody_gets_the_economic_values_of_his_fields() -> None:
    position = desert(2)
    lay(position, a1="reg", c3="guelta", d5="erg", g7="mountain")
    put(position, GREEN, a1=0, c3=1, d4=2)
    put(position, YELLOW, d5=1, g7=3)
    money(position, 3, 0)
    events = end_of_round(position)
    assert only(events, "income") == [{"seat": GREEN, "silver": 4 + 2 + 3 + 5}, {"seat": YELLOW, "silver": 4 + 1}]
    assert list(position.state.silver[:2]) == [3 + 14, 5]


def test_who_has_lost_his_settlement_gets_no_income() -> None:
    position = desert(2)
    put(position, YELLOW, b2=1)
    put(position, GREEN, d4=5)
    money(position, 0, 0)
    events = end_of_round(position)
    assert only(events, "no_income") == [{"seat": GREEN}]
    assert position.state.silver[GREEN] == 0


def test_ruling_24_a_foreign_settlement_brings_four_but_does_not_replace_the_own_one() -> None:
    position = desert(3)
    put(position, 0, a4=1)  # red holds green's
    put(position, 1, f7=1)  # green holds yellow's
    put(position, 2, d4=1)
    money(position, 0, 0, 0)
    events = end_of_round(position)
    assert only(events, "income") == [{"seat": 0, "silver": 8}]
    assert only(events, "no_income") == [{"seat": 1}, {"seat": 2}]


def test_ruling_25_a_settlement_taken_back_brings_income_again() -> None:
    position = desert(2)
    put(position, YELLOW, b2=0)
    put(position, GREEN, c3=1)
    money(position, 0, 0)
    pack(position)
    events = play(position, "march c3", "to b2")
    assert only(events, "income")[0] == {"seat": GREEN, "silver": 4}


def test_ruling_4_money_is_not_limited_by_the_coins_in_the_box() -> None:
    position = desert(2)
    money(position, 120, 30)
    put(position, GREEN, d4=1, b2=1)
    end_of_round(position)
    assert position.state.silver[GREEN] == 129  # 30 silver and 20 gold coins would be 130 for all


# ---------------------------------------------------------------- who is in, who is out


def test_ruling_16_who_has_no_marker_left_is_eliminated() -> None:
    position = desert(3)
    clear(position, "a4")
    put(position, 1, c3=0)
    put(position, 0, c2=2)
    money(position, 0, 7, 0)
    pack(position, 1, 2, 1)
    events = play(position, "march c2", "to c3", "camels 1")
    assert only(events, "eliminated") == [{"seat": 1}]
    assert not position.over
    assert lawful(position)


def test_ruling_17_a_player_without_camels_but_with_fields_and_money_may_buy() -> None:
    position = desert(2)
    put(position, GREEN, b2=0, c3=0)
    money(position, 4, 0)
    turn(position, YELLOW)
    pack(position, 1, 0)
    events = pass_turn(position)
    assert only(events, "turn") == [{"seat": GREEN}]
    assert moves(position) == {"buy b2", "buy c3", "done"}
    play(position, "buy c3", "camels 4")
    assert camels(position, "c3") == 4


def test_ruling_18_a_player_with_a_field_alone_stays_in_and_his_turn_passes() -> None:
    position = desert(2)
    clear(position, "b2")
    put(position, GREEN, c3=0)
    money(position, 0, 0)
    turn(position, YELLOW)
    pack(position, 1, 1)
    events = lucky(position, "stay", lambda events: "passed" in kinds(events))
    assert only(events, "passed") == [{"seat": GREEN}]
    assert not only(events, "eliminated")
    assert position.seat == YELLOW


def test_ruling_18_he_lives_on_income_if_the_settlement_is_his() -> None:
    position = desert(2)
    put(position, GREEN, b2=0)
    money(position, 0, 0)
    turn(position, YELLOW)
    events = pass_turn(position)
    assert {"seat": GREEN, "silver": 4} in only(events, "income")


def test_ruling_19_an_eliminated_player_has_no_more_cards_and_no_money() -> None:
    position = desert(4)
    clear(position, "f2")
    put(position, RED4, c3=0)
    money(position, 0, 9, 0, 0)
    pack(position, 1, 3, 1, 1)
    play(position, "march b2", "to c3", "camels 9")
    assert position.state.pack[RED4] == 0
    assert position.state.silver[RED4] == 0
    assert RED4 not in order_of_turns(position)
    assert position.state.pack[RED4] == 0  # nor in the next round
    assert position.state.pack[BLUE4] + position.state.pack[GREEN4] + position.state.pack[YELLOW4] > 0


def test_ruling_20_the_die_is_rolled_even_when_green_is_out() -> None:
    position = desert(4)
    clear(position, "b6")
    put(position, GREEN4, c3=0)
    money(position, 0, 0, 0, 0)
    events = play(position, "march b2", "to c3", "camels 1")
    assert only(events, "eliminated") == [{"seat": GREEN4}]
    assert len(only(events, "rolled")) == 1


def test_ruling_31_a_player_may_pass() -> None:
    position = desert(2)
    pack(position, 0, 1)
    before = [list(position.state.camels), list(position.state.silver)]
    play(position, "stay", "done")
    assert [list(position.state.camels), list(position.state.silver)] == before
    assert position.seat == YELLOW


def test_ruling_32_everybody_may_count_cards_but_nobody_knows_their_order() -> None:
    position = azalai.game("targui").new(seats=4, seed=5)
    for label in ("a1", "g1", "a7", "g7"):
        position.play(f"settle {label}")
    view = position.view(2)
    assert view["pack"] == list(position.state.pack)
    assert view["notes"]["fates_left"] == [card for card in range(1, 17) if position.state.fates >> card - 1 & 1]
    seen = position.seen_by(2)
    futures = set()
    for number in range(40):
        imagined = seen.imagine(number)
        pass_turn(imagined)
        futures.add((imagined.seat, int(imagined.state.fates)))
    assert len(futures) > 3  # what comes next is open to whoever looks ahead


def test_a_player_who_can_neither_march_nor_buy_is_not_asked() -> None:
    position = desert(2)
    put(position, GREEN, b2=0)
    money(position, 0, 0)
    turn(position, YELLOW)
    pack(position, 2, 0)
    events = pass_turn(position)
    assert kinds(events)[:6] == ["stayed", "turn", "passed", "turn", "passed", "income"]


def test_who_can_do_nothing_in_the_first_half_of_a_double_turn_can_do_nothing_in_the_second() -> None:
    position = desert(2)
    put(position, GREEN, b2=0)
    money(position, 0, 0)
    turn(position, YELLOW)
    pack(position, 1, 1, die=6)
    events = lucky(position, "stay", lambda events: "passed" in kinds(events))
    assert kinds(events) == ["stayed", "turn", "passed", "turn"]


def test_when_nobody_can_do_anything_all_events_still_find_room() -> None:
    position = desert(4)
    clear(position)
    for seat, label in enumerate(("c3", "e3", "c5", "e5")):
        put(position, seat, **{label: 0})
    put(position, BLUE4, c3=1)
    money(position, 0, 0, 0, 0)
    pack(position, 5, 5, 5, 5, fate=10, later=(1, 6, 7, 8, 9, 11, 14, 15))
    decisions = 0
    while not position.over:
        move = position.moves()[-1]
        position.play(move)
        decisions += 1
        assert position.state.event_count <= len(position.state.events)
    assert decisions < 200
    assert owner(position, "c3") == BLUE4
