"""The tables of the game, and decks of one's own."""

from __future__ import annotations

import copy
import importlib
import re
from collections import Counter
from typing import Any

import pytest

from azalai.engine.errors import BadComponents
from azalai.engine.game import load_game
from azalai.engine.rule import records
from azalai.games.targi import components
from azalai.games.targi.components import PARTS, check, labels
from tests.games.targi.table import GAME
from tests.harness.interpreted import run_interpreted

TRIBE = PARTS["cards"]["tribe"]

# ---------------------------------------------------------------- the box


def test_there_are_nine_tribe_cards_of_each_symbol_worth_80_points():
    assert Counter(card["symbol"] for card in TRIBE) == dict.fromkeys(components.SYMBOLS, 9)
    for symbol in components.SYMBOLS:
        points = Counter(card["crosses"] for card in TRIBE if card["symbol"] == symbol)
        assert points == {3: 2, 2: 3, 1: 4}
    assert sum(card["crosses"] for card in TRIBE) == 80


def test_prices_add_up_as_published():
    total: Counter[str] = Counter()
    for card in TRIBE:
        total.update(card["cost"])
    assert total == {"salt": 35, "pepper": 38, "dates": 37, "gold": 26}
    assert Counter(card["cost"].get("gold", 0) for card in TRIBE) == {0: 19, 1: 26}
    assert {card["id"]: card["or_gold"] for card in TRIBE if "or_gold" in card} == {"T26": 1, "T27": 1}


def test_thirty_cards_have_an_effect_six_of_each_symbol():
    effects = [card for card in TRIBE if "effect" in card]
    assert Counter(card["symbol"] for card in effects) == dict.fromkeys(components.SYMBOLS, 6)
    order = list(components.EFFECTS)
    first_lasting, first_once = order.index("discount"), order.index("stored_gold")
    numbers = [order.index(card["effect"]) for card in effects]
    assert sum(number < first_lasting for number in numbers) == 9
    assert sum(first_lasting <= number < first_once for number in numbers) == 15
    assert sum(number >= first_once for number in numbers) == 6
    assert {card["effect"] for card in effects} | {"none"} == set(components.EFFECTS)


def test_there_are_nineteen_goods_cards():
    assert sum(card["copies"] for card in PARTS["cards"]["goods"]) == 19
    assert sum(card["copies"] for card in PARTS["cards"]["goods"] if card["gain"] == {"choice": 1}) == 3


def test_the_game_is_played_with_the_box():
    assert GAME.components == PARTS
    assert GAME.rules == 2


# ---------------------------------------------------------------- decks that break the format


def spoilt(change: Any) -> str:
    tables = copy.deepcopy(PARTS)
    change(tables)
    with pytest.raises(BadComponents) as error:
        check(tables)
    return str(error.value)


def card(tables: Any, label: str) -> Any:
    return next(one for kind in ("tribe", "goods", "border") for one in tables["cards"][kind] if one["id"] == label)


@pytest.mark.parametrize(
    ("label", "field", "value"),
    [
        ("T25", "symbol", "palm"),
        ("T25", "crosses", "two"),
        ("T25", "crosses", -1),
        ("T25", "cost", 3),
        ("T25", "or_gold", True),
        ("T25", "effect", "discont"),
        ("T25", "argument", "salt"),
        ("T25", "argument", 1),
        ("T33", "argument", "gold"),
        ("T37", "argument", 0),
        ("T29", "argument", 1),
        ("T06", "argument", "well"),
        ("T06", "colour", "red"),
        ("2dates", "gain", []),
        ("2dates", "copies", 0),
        ("noble", "action", "feast"),
        ("salt3", "good", "gold"),
        ("raid4", "crosses", None),
        ("raid4", "gold", 1),
        ("noble", "action", "trader"),
        ("noble", "action", "raid"),
    ],
)
def test_a_broken_card_is_named_with_its_field(label, field, value):
    message = spoilt(lambda tables: card(tables, label).update({field: value}))
    named = {("raid4", "gold"): "goods", ("noble", "action"): "action"}.get((label, field), field)
    assert re.search(rf"card ({label}|trader), field {named}: ", message), message


def test_prices_and_gains_name_what_is_wrong_in_them():
    assert "tribe card T06, field cost, field wood" in spoilt(lambda tables: card(tables, "T06")["cost"].update(wood=1))
    assert "tribe card T06, field cost, field salt" in spoilt(lambda tables: card(tables, "T06")["cost"].update(salt="1"))
    assert "goods card salt, field gain, field salt" in spoilt(lambda tables: card(tables, "salt")["gain"].update(salt=0))


def test_other_tables_are_checked_too():
    assert "table limits, field goods" in spoilt(lambda tables: tables["limits"].pop("goods"))
    assert "table rows: is missing" in spoilt(lambda tables: tables.pop("rows"))
    assert "table silversmith, field goods" in spoilt(lambda tables: tables["silversmith"]["goods"].update({"5": 4}))
    assert "cards.border: the frame has 16 cards" in spoilt(lambda tables: tables["cards"]["border"].pop())
    assert "tribe card T00, field id: another card" in spoilt(
        lambda tables: tables["cards"]["tribe"].append(tables["cards"]["tribe"][0])
    )
    assert "tribe card number 1, field id" in spoilt(lambda tables: tables["cards"]["tribe"][0].pop("id"))
    assert "from 4 to 62 cards" in spoilt(lambda tables: tables["cards"].update(tribe=[]))


# ---------------------------------------------------------------- a deck of one's own


def test_a_deck_with_other_cards_passes_the_check_as_it_is():
    tables = copy.deepcopy(PARTS)
    card(tables, "T06").update(symbol="oasis", crosses=5, cost={"dates": 1}, effect="stored_gold", argument=2)
    card(tables, "2dates").update(gain={"dates": 1, "choice": 2}, copies=4)
    tables["limits"]["goods"] = 12
    assert check(tables) is tables


def test_a_changed_card_says_what_it_shows():
    tables = copy.deepcopy(PARTS)
    card(tables, "T06").update(symbol="oasis", effect="stored_gold", argument=2)
    card(tables, "T07")["cost"] = {"dates": 1}
    card(tables, "2dates")["gain"] = {"dates": 1, "choice": 2}
    tribe = labels(tables["cards"]["tribe"], TRIBE, ("symbol", "effect", "argument"))
    assert tribe[5:8] == ("T05", "T06 (oasis stored_gold 2)", "T07")
    goods = labels(tables["cards"]["goods"], PARTS["cards"]["goods"], ("gain",))
    assert "2dates (1 dates + 2 choice)" in goods
    assert len(set(goods)) == len(PARTS["cards"]["goods"])


# ---------------------------------------------------------------- a deck of one's own


def deck(change: Any) -> dict[str, Any]:
    """The tribe cards with one of them, or their number, changed: what a file with a house deck would say."""
    tribe = copy.deepcopy(TRIBE)
    return {"cards": {"tribe": change(tribe)}}


def cheaper(tribe: list[dict[str, Any]]) -> list[dict[str, Any]]:
    tribe[6] = {"id": "T06", "symbol": "oasis", "crosses": 5, "cost": {"dates": 1}, "effect": "stored_gold", "argument": 2}
    return tribe


def test_a_changed_card_has_its_new_price_and_says_what_it_shows():
    """In compiled code too: what is compiled for one deck is never used for another."""
    house = load_game("targi", deck(cheaper))
    card_name = dict(house.events.kinds["laid"].args)["card"].label(6)
    assert card_name == "T06 (oasis stored_gold 2)"
    affordable = []
    for game in (GAME, house, GAME):
        rules = importlib.import_module(f"{game.package}.rules_cards")
        cells = records(1, game.schema.dtype)
        cells[0].stock[0, 0] = 1
        affordable.append(bool(rules.can_pay_goods(cells[0], 0, 6, 0)))
    assert affordable == [False, True, False]


def test_a_deck_that_breaks_the_format_is_refused():
    def spoil(tribe: list[dict[str, Any]]) -> list[dict[str, Any]]:
        card = next(card for card in tribe if card.get("effect") == "raid_free")
        card["effect"] = "raid_fre"
        return tribe

    with pytest.raises(BadComponents, match=r"tribe card T29, field effect: must be one of .*'raid_fre'"):
        load_game("targi", deck(spoil))


PLAY_WITH_FEW_CARDS = """
import random
from azalai.engine.dispatch import invariant
from azalai.engine.game import load_game
from azalai.games.targi.components import PARTS

few = load_game("targi", {"cards": {"tribe": PARTS["cards"]["tribe"][:5]}})
kinds, broken = set(), set()
for seed in range(6):
    position, chance = few.new(seed=seed), random.Random(seed)
    while not position.over:
        kinds |= {event.kind for event in position.play(chance.choice(position.move_ids()))}
        broken.add(int(invariant(position.state)))
        broken.add(int(invariant(position.seen_by(1).imagine(1).state)))
assert "bare" in kinds
assert broken == {0}
"""


def test_a_deck_with_few_cards_leaves_places_empty():
    """Ruling: with tribe deck and discards used up, a place stays empty; the game goes on and all invariants hold."""
    run_interpreted(PLAY_WITH_FEW_CARDS)
