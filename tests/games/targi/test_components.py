"""The tables of the game, and decks of one's own."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from azalai.games.targi import components
from azalai.games.targi.components import BOX, FOLDER, VARIABLE, BadDeck, check
from tests.games.targi.table import GAME

TRIBE = BOX["cards"]["tribe"]

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
    assert sum(card["copies"] for card in BOX["cards"]["goods"]) == 19
    assert sum(card["copies"] for card in BOX["cards"]["goods"] if card["gain"] == {"choice": 1}) == 3


def test_the_game_is_played_with_the_box_unless_a_deck_is_named():
    assert GAME.components == BOX
    assert GAME.rules == 1


# ---------------------------------------------------------------- decks that break the format


def spoilt(change: Any) -> str:
    tables = copy.deepcopy(BOX)
    change(tables)
    with pytest.raises(BadDeck) as error:
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


def house(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """A copy of the components file with some texts replaced."""
    text = (FOLDER / "components.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def run(deck: Path, code: str, interpret: str = "1") -> Any:
    """What a Python process that plays with this deck prints, as JSON; or its last line of error."""
    environment = {**os.environ, VARIABLE: str(deck), "AZALAI_INTERPRET": interpret}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.splitlines()[-1]


CHEAP_WELL = (
    '{id = "T06", symbol = "well", crosses = 3, cost = {dates = 1, salt = 1, gold = 1}}',
    '{id = "T06", symbol = "oasis", crosses = 5, cost = {dates = 1}, effect = "stored_gold", argument = 2}',
)

PLAY_T06 = """
import json
from tests.games.targi.table import BLUE, GAME, Table
label = dict(GAME.events.kinds["laid"].args)["card"].label(6)
table = Table().own(BLUE, dates=1).show("b1", label)
table.acting(BLUE, "salt3", "b1").play("play b1", "row 1")
print(json.dumps([table.points(BLUE), table.s.stored.tolist(), table.stock(BLUE), table.rows(BLUE)[0], GAME.rules > 1,
                  GAME.components["cards"]["tribe"][6]["crosses"]]))
"""


def test_a_house_deck_just_works(tmp_path):
    """A changed card has its new symbol, price, points and effect, and says so in the log."""
    result = run(house(tmp_path, CHEAP_WELL), PLAY_T06)
    assert result == [5, [2, 0], {}, "T06 (oasis stored_gold 2)", True, 5]


def test_compiled_code_of_one_deck_is_never_used_for_another(tmp_path):
    code = """
import json
from azalai.engine.rule import records
from azalai.games.targi import GAME
from azalai.games.targi.rules_cards import can_pay_goods
cells = records(1, GAME.schema.dtype)
cells[0].stock[0, 0] = 1
print(json.dumps(bool(can_pay_goods(cells[0], 0, 6, 0))))
"""
    assert run(FOLDER / "components.toml", code, interpret="0") is False
    assert run(house(tmp_path, CHEAP_WELL), code, interpret="0") is True


def test_a_deck_that_breaks_the_format_is_refused_in_one_line(tmp_path):
    code = "import azalai; azalai.game('targi')"
    path = house(tmp_path, ('effect = "raid_free"', 'effect = "raid_fre"'))
    assert re.search(
        rf"BadDeck: {re.escape(str(path))}: tribe card T29, field effect: must be one of .*'raid_fre'", run(path, code)
    )
    assert "cannot read the deck" in run(tmp_path / "none.toml", code)
    path.write_text("cards = [")
    assert "is no TOML file" in run(path, code)


def test_a_deck_with_few_cards_leaves_places_empty(tmp_path):
    """Ruling: with tribe deck and discards used up, a place stays empty; the game goes on under all invariants."""
    text = (FOLDER / "components.toml").read_text(encoding="utf-8")
    head, tribe = text.split("\ntribe = [\n")
    few = [line for line in tribe.splitlines() if line.startswith('{id = "T0')][:5]
    path = tmp_path / "few.toml"
    path.write_text(f"{head}\ntribe = [\n" + "\n".join(few) + "\n]\n", encoding="utf-8")
    code = """
import json, random
from azalai.engine.dispatch import invariant
from tests.games.targi.table import GAME
kinds, broken = set(), set()
for seed in range(6):
    position, chance = GAME.new(seed=seed), random.Random(seed)
    while not position.over:
        kinds |= {event.kind for event in position.play(chance.choice(position.move_ids()))}
        broken.add(int(invariant(position.state)))
        broken.add(int(invariant(position.seen_by(1).imagine(1).state)))
print(json.dumps(["bare" in kinds, sorted(broken), len(GAME.components["cards"]["tribe"])]))
"""
    assert run(path, code) == [True, [0], 5]
