"""The numbers of Targi as rules use them: frame, goods, cards and their effects, from components.toml.

A copy of that file with other cards or numbers is a house deck. `check` refuses one that breaks the format.
"""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np

from azalai.engine.components import folder_of, load_components
from azalai.engine.errors import BadComponents

# ---------------------------------------------------------------- what the tables may name

GOODS = ("dates", "salt", "pepper")
STUFF_NAMES = (*GOODS, "gold", "crosses")
SYMBOLS = ("well", "rider", "oasis", "targia", "tent")
ACTIONS = ("noble", "goods", "raid", "trader", "mirage", "silversmith", "caravan", "expansion")
UNIQUE_ACTIONS = ("noble", "trader", "mirage", "silversmith", "caravan", "expansion")  # those that are the name of a place, too

A_SYMBOL, A_GOOD, A_NUMBER = "a symbol", "a good", "a number"
EFFECTS = {  # every effect and what its argument is
    "none": None,
    "end_pairs": A_SYMBOL,
    "end_most_cards": A_NUMBER,
    "end_many_cards": A_NUMBER,
    "end_mixed_rows": A_NUMBER,
    "end_last_place": A_NUMBER,
    "discount": A_SYMBOL,
    "harvest": A_GOOD,
    "noble_discount": None,
    "raid_free": None,
    "raid_reward": None,
    "on_robber": None,
    "idle_harvest": None,
    "hand_play": None,
    "even_trade": None,
    "stored_gold": A_NUMBER,
    "goods_per_cards": A_NUMBER,
    "goods_per_gaps": A_NUMBER,
    "windfall": A_NUMBER,
    "rearrange": None,
    "fewer_targis": A_NUMBER,
}
MOST_CARDS = 62  # so many fit into the bits of a number

# ---------------------------------------------------------------- the check of a deck


def check(tables: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of a deck as they are; raise BadComponents, naming card and field, where they break the format."""
    for table, fields in (
        ("start", STUFF_NAMES),
        ("limits", ("goods", "gold")),
        ("rows", ("same", "mixed", "mixed_raised")),
        ("trader", ("for_gold", "for_good")),
    ):
        for field in fields:
            _number(_table(tables, table), field, f"table {table}", 1 if table == "trader" else 0, 100)
    for field in ("goods", "gold"):
        offers = _table(_table(tables, "silversmith"), field)
        for count in offers:
            if count not in ("1", "2", "3", "4"):
                raise BadComponents(f"table silversmith, field {field}: gives crosses for 1 to 4, not for {count!r}")
            _number(offers, count, f"table silversmith, field {field}", 1, 100)
    cards = _table(tables, "cards")
    _check_frame(_cards(cards, "border"))
    _check_goods(_cards(cards, "goods"))
    _check_tribe(_cards(cards, "tribe"))
    return tables


def _check_frame(cards: list[dict[str, Any]]) -> None:
    if len(cards) != 16:
        raise BadComponents(f"cards.border: the frame has 16 cards, not {len(cards)}")
    for number, card in enumerate(cards, 1):
        where = f"border card {card['id']}"
        action = _one_of(card, "action", where, ACTIONS)
        if (action == "raid") != (number % 4 == 0):
            kind = "a" if number % 4 == 0 else "no"
            raise BadComponents(
                f"{where}, field action: card {number} of the frame is {kind} corner, and raids are on the corners"
            )
        if action == "goods":
            _one_of(card, "good", where, GOODS)
        if action == "raid":
            _number(card, "crosses", where, 0, 100)
            if ("goods" in card) == ("gold" in card):
                raise BadComponents(f"{where}, field goods: a raid demands either goods or gold besides crosses")
            _number(card, "goods" if "goods" in card else "gold", where, 1, 100)
        _no_other(card, where, ("id", "action", *{"goods": ("good",), "raid": ("goods", "gold", "crosses")}.get(action, ())))
    for action in UNIQUE_ACTIONS:
        places = [card["id"] for card in cards if card["action"] == action]
        if len(places) > 1:
            raise BadComponents(f"border card {places[1]}, field action: there can be only one {action}")


def _check_goods(cards: list[dict[str, Any]]) -> None:
    for card in cards:
        where = f"goods card {card['id']}"
        gain = _table(card, "gain", where)
        _no_other(card, where, ("id", "gain", "copies"))
        _no_other(gain, f"{where}, field gain", (*STUFF_NAMES, "choice"))
        for what in gain:
            _number(gain, what, f"{where}, field gain", 1, 9)
        _number(card, "copies", where, 1, MOST_CARDS)
    _count("goods", sum(card["copies"] for card in cards), 5)


def _check_tribe(cards: list[dict[str, Any]]) -> None:
    for card in cards:
        where = f"tribe card {card['id']}"
        _one_of(card, "symbol", where, SYMBOLS)
        _number(card, "crosses", where, 0, 9)
        cost = _table(card, "cost", where)
        _no_other(card, where, ("id", "symbol", "crosses", "cost", "or_gold", "effect", "argument"))
        _no_other(cost, f"{where}, field cost", (*GOODS, "gold"))
        for what in cost:
            _number(cost, what, f"{where}, field cost", 0, 9)
        if "or_gold" in card:
            _number(card, "or_gold", where, 1, 9)
        kind = EFFECTS[_one_of({"effect": "none", **card}, "effect", where, tuple(EFFECTS))]
        if kind is None and "argument" in card:
            raise BadComponents(f"{where}, field argument: the effect {card.get('effect', 'none')} takes no argument")
        if kind == A_NUMBER:
            _number(card, "argument", where, 1, 12)
        elif kind is not None:
            _one_of(card, "argument", where, SYMBOLS if kind == A_SYMBOL else GOODS)
    _count("tribe", len(cards), 4)


def _table(tables: dict[str, Any], name: str, where: str = "") -> dict[str, Any]:
    found = tables.get(name)
    if not isinstance(found, dict):
        raise BadComponents(f"{where}, field {name}: is missing, or no table" if where else f"table {name}: is missing")
    return found


def _cards(cards: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = cards.get(name)
    if not isinstance(found, list) or not all(isinstance(card, dict) for card in found):
        raise BadComponents(f"cards.{name}: is missing, or no list of cards")
    seen: set[str] = set()
    for number, card in enumerate(found, 1):
        title = card.get("id")
        if not isinstance(title, str) or not title or " " in title:
            raise BadComponents(f"{name} card number {number}, field id: must be a text without spaces")
        if title.lower() in seen:
            raise BadComponents(f"{name} card {title}, field id: another card has it already")
        seen.add(title.lower())
    return found


def _one_of(card: dict[str, Any], field: str, where: str, choices: tuple[str, ...]) -> str:
    value = card.get(field)
    if value not in choices:
        raise BadComponents(f"{where}, field {field}: must be one of {', '.join(choices)}, not {value!r}")
    return str(value)


def _number(card: dict[str, Any], field: str, where: str, least: int, most: int) -> None:
    value = card.get(field)
    if type(value) is not int or not least <= value <= most:
        raise BadComponents(f"{where}, field {field}: must be a whole number from {least} to {most}, not {value!r}")


def _no_other(card: dict[str, Any], where: str, fields: tuple[str, ...]) -> None:
    for field in card:
        if field not in fields:
            raise BadComponents(f"{where}, field {field}: there is no such field; there are {', '.join(fields)}")


def _count(name: str, count: int, least: int) -> None:
    if not least <= count <= MOST_CARDS:
        raise BadComponents(f"cards.{name}: a deck has from {least} to {MOST_CARDS} cards, not {count}")


# ---------------------------------------------------------------- the tables in play, and those of the box

PARTS = check(load_components(str(__package__)))
BOX = tomllib.loads((folder_of(str(__package__)) / "components.toml").read_text(encoding="utf-8"))

# ---------------------------------------------------------------- the frame and the centre
#
#   16  1  2  3  4        Border places are numbered as on the cards, less one: 0 to 15 clockwise. The cells of the centre
#   15  .  .  .  5        follow as places 16 to 24, row by row; a1 is below card 1 and right of card 15.
#   14  .  .  .  6
#   13  .  .  .  7
#   12 11 10  9  8

BORDERS, CELLS, SIDE = 16, 9, 3
ROBBER_START, ROBBER_END = 0, 15
LAST_ROUND = 12  # one for every border card that is no corner

# For every border place: the row or column of the centre it looks upon (-1 for none) and the place facing it across the centre.
COLUMN_OF = np.array([0, 1, 2, -1, -1, -1, -1, -1, 2, 1, 0, -1, -1, -1, -1, -1])
ROW_OF = np.array([-1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1, -1, 2, 1, 0, -1])
FACING = np.array([10, 9, 8, -1, 14, 13, 12, -1, 2, 1, 0, -1, 6, 5, 4, -1])
GOODS_CELLS = (0, 2, 4, 6, 8)  # where goods cards lie at first; tribe cards lie on the others

_FRAME = PARTS["cards"]["border"]
NOBLE, FIELD_GOODS, RAID, TRADER, MIRAGE, SILVERSMITH, CARAVAN, EXPANSION = range(len(ACTIONS))
ACTION = np.array([ACTIONS.index(card["action"]) for card in _FRAME])
PLACE_GOOD = np.array([GOODS.index(card.get("good", "dates")) for card in _FRAME])
RAID_GOODS = np.array([card.get("goods", 0) for card in _FRAME])
RAID_GOLD = np.array([card.get("gold", 0) for card in _FRAME])
RAID_CROSSES = np.array([card.get("crosses", 0) for card in _FRAME])

# ---------------------------------------------------------------- goods and numbers

DATES, SALT, PEPPER, GOLD, CROSSES = range(5)
KINDS = 3  # of goods; gold is none

START = np.array([PARTS["start"][stuff] for stuff in STUFF_NAMES])
MOST_GOODS, MOST_GOLD = int(PARTS["limits"]["goods"]), int(PARTS["limits"]["gold"])
ROW_SAME, ROW_MIXED = int(PARTS["rows"]["same"]), int(PARTS["rows"]["mixed"])
ROW_RAISED = int(PARTS["rows"]["mixed_raised"])
FOR_GOLD, FOR_GOOD = int(PARTS["trader"]["for_gold"]), int(PARTS["trader"]["for_good"])
MOST_SOLD = 4


def _offers(name: str) -> list[int]:
    return [int(PARTS["silversmith"][name].get(str(count), 0)) for count in range(MOST_SOLD + 1)]


OFFERS = np.array([_offers("goods"), _offers("goods"), _offers("goods"), _offers("gold")])  # crosses for so many of a kind
TARGIS, MARKERS = 3, 2
ROWS, COLUMNS = 3, 4
DISPLAY = ROWS * COLUMNS

# ---------------------------------------------------------------- cards

GOODS_PILE, TRIBE_PILE = 0, 1

_GOODS_CARDS = PARTS["cards"]["goods"]
GOODS_KIND = np.array([number for number, card in enumerate(_GOODS_CARDS) for _ in range(card["copies"])])
CARD_GIVES = np.array([[card["gain"].get(stuff, 0) for stuff in STUFF_NAMES] for card in _GOODS_CARDS])
CARD_CHOICE = np.array([card["gain"].get("choice", 0) for card in _GOODS_CARDS])

_TRIBE_CARDS = PARTS["cards"]["tribe"]
TRIBE_COUNT = len(_TRIBE_CARDS)
SYMBOL = np.array([SYMBOLS.index(card["symbol"]) for card in _TRIBE_CARDS])
PRINTED = np.array([card["crosses"] for card in _TRIBE_CARDS])
COST = np.array([[card["cost"].get(stuff, 0) for stuff in (*GOODS, "gold")] for card in _TRIBE_CARDS])
COST_GOODS = COST[:, :KINDS].sum(axis=1)
OR_GOLD = np.array([card.get("or_gold", 0) for card in _TRIBE_CARDS])
ALL_CARDS = np.array([(1 << len(GOODS_KIND)) - 1, (1 << TRIBE_COUNT) - 1])

(
    NO_EFFECT,
    END_PAIRS,
    END_MOST_CARDS,
    END_MANY_CARDS,
    END_MIXED_ROWS,
    END_LAST_PLACE,
    DISCOUNT,
    HARVEST,
    NOBLE_DISCOUNT,
    RAID_FREE,
    RAID_REWARD,
    ON_ROBBER,
    IDLE_HARVEST,
    HAND_PLAY,
    EVEN_TRADE,
    STORED_GOLD,
    GOODS_PER_CARDS,
    GOODS_PER_GAPS,
    WINDFALL,
    REARRANGE,
    FEWER_TARGIS,
) = range(len(EFFECTS))


def _argument(card: dict[str, Any]) -> int:
    value = card.get("argument", 0)
    return value if isinstance(value, int) else (*SYMBOLS, *GOODS).index(value) % len(SYMBOLS)


EFFECT = np.array([list(EFFECTS).index(card.get("effect", "none")) for card in _TRIBE_CARDS])
ARGUMENT = np.array([_argument(card) for card in _TRIBE_CARDS])

# Lasting effects are counted per player: first discounts by symbol, then harvests by good, then those without argument.
POWER_DISCOUNT, POWER_HARVEST = 0, len(SYMBOLS)
_PLAIN_POWERS = len(SYMBOLS) + KINDS
POWER_NOBLE = _PLAIN_POWERS
POWER_RAID_FREE, POWER_RAID_REWARD, POWER_ON_ROBBER = _PLAIN_POWERS + 1, _PLAIN_POWERS + 2, _PLAIN_POWERS + 3
POWER_IDLE, POWER_HAND_PLAY, POWER_EVEN_TRADE = _PLAIN_POWERS + 4, _PLAIN_POWERS + 5, _PLAIN_POWERS + 6
POWERS = _PLAIN_POWERS + 7


def _power(effect: int, argument: int) -> int:
    if effect == DISCOUNT:
        return POWER_DISCOUNT + argument
    if effect == HARVEST:
        return POWER_HARVEST + argument
    return _PLAIN_POWERS + effect - NOBLE_DISCOUNT if NOBLE_DISCOUNT <= effect <= EVEN_TRADE else -1


POWER = np.array([_power(effect, argument) for effect, argument in zip(EFFECT.tolist(), ARGUMENT.tolist(), strict=True)])

# ---------------------------------------------------------------- what cards are called


def labels(cards: list[dict[str, Any]], box: list[dict[str, Any]], fields: tuple[str, ...]) -> tuple[str, ...]:
    """Return what cards are called: their ids. Where a card differs from the box's card of that id, add what it shows."""
    known = {card["id"]: card for card in box}
    texts = []
    for card in cards:
        told = [card.get(field, "") for field in fields]
        same = card["id"] in known and told == [known[card["id"]].get(field, "") for field in fields]
        texts.append(card["id"] if same else f"{card['id']} ({' '.join(_told(part) for part in told if part != '')})")
    return tuple(texts)


def _told(part: Any) -> str:
    return " + ".join(f"{count} {what}" for what, count in part.items()) if isinstance(part, dict) else str(part)


CELL_LABELS = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc")
BORDER_LABELS = tuple(card["id"] for card in _FRAME)
GOODS_LABELS = labels(_GOODS_CARDS, BOX["cards"]["goods"], ("gain",))
TRIBE_LABELS = labels(_TRIBE_CARDS, BOX["cards"]["tribe"], ("symbol", "effect", "argument"))
