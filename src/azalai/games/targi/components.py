"""The tables of the game, read from `components.toml` or from a house deck, and checked.

A house deck is a copy of that file with other cards or numbers. The environment variable `AZALAI_TARGI_COMPONENTS` names it;
every player, command and program then plays with it. A file that breaks the format is refused, naming the card and the field.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from pathlib import Path
from typing import Any

from azalai.engine.errors import AzalaiError

FOLDER = Path(__file__).resolve().parent
VARIABLE = "AZALAI_TARGI_COMPONENTS"

GOODS = ("dates", "salt", "pepper")
STUFF = (*GOODS, "gold", "crosses")
SYMBOLS = ("well", "rider", "oasis", "targia", "tent")
ACTIONS = ("noble", "goods", "raid", "trader", "mirage", "silversmith", "caravan", "expansion")
UNIQUE_ACTIONS = ("noble", "trader", "mirage", "silversmith", "caravan", "expansion")  # those that are the name of a place, too

SYMBOL, GOOD, NUMBER = "a symbol", "a good", "a number"
EFFECTS = {  # every effect and what its argument is
    "none": None,
    "end_pairs": SYMBOL,
    "end_most_cards": NUMBER,
    "end_many_cards": NUMBER,
    "end_mixed_rows": NUMBER,
    "end_last_place": NUMBER,
    "discount": SYMBOL,
    "harvest": GOOD,
    "noble_discount": None,
    "raid_free": None,
    "raid_reward": None,
    "on_robber": None,
    "idle_harvest": None,
    "hand_play": None,
    "even_trade": None,
    "stored_gold": NUMBER,
    "goods_per_cards": NUMBER,
    "goods_per_gaps": NUMBER,
    "windfall": NUMBER,
    "rearrange": None,
    "fewer_targis": NUMBER,
}
MOST_CARDS = 62  # so many fit into the bits of a number


class BadDeck(AzalaiError, ValueError):
    """A components file that breaks the format; the message names the card and the field."""


def load() -> dict[str, Any]:
    """The tables to play with: the house deck's where one is named, else the box's."""
    house = os.environ.get(VARIABLE)
    return read(Path(house)) if house else BOX


def fingerprint(tables: dict[str, Any]) -> str:
    """A short text that differs between decks; empty for the box's own."""
    return "" if tables == BOX else hashlib.sha256(repr(tables).encode()).hexdigest()[:8]


def read(path: Path) -> dict[str, Any]:
    """The tables of a file; raises BadDeck where they are not what they should be."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadDeck(f"cannot read the deck {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadDeck(f"{path} is no TOML file: {error}") from None
    try:
        check(tables)
    except BadDeck as error:
        raise BadDeck(f"{path}: {error}") from None
    return tables


def check(tables: dict[str, Any]) -> None:
    """Raise BadDeck, naming card and field, where tables break the format."""
    for table, fields in (
        ("start", STUFF),
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
                raise BadDeck(f"table silversmith, field {field}: gives crosses for 1 to 4, not for {count!r}")
            _number(offers, count, f"table silversmith, field {field}", 1, 100)
    cards = _table(tables, "cards")
    _check_frame(_cards(cards, "border"))
    _check_goods(_cards(cards, "goods"))
    _check_tribe(_cards(cards, "tribe"))


def _check_frame(cards: list[dict[str, Any]]) -> None:
    if len(cards) != 16:
        raise BadDeck(f"cards.border: the frame has 16 cards, not {len(cards)}")
    for number, card in enumerate(cards, 1):
        where = f"border card {card['id']}"
        action = _one_of(card, "action", where, ACTIONS)
        if (action == "raid") != (number % 4 == 0):
            raise BadDeck(f"{where}, field action: card {number} of the frame is {'a' if number % 4 == 0 else 'no'} corner, "
                          f"and raids are on the corners")  # fmt: skip
        if action == "goods":
            _one_of(card, "good", where, GOODS)
        if action == "raid":
            _number(card, "crosses", where, 0, 100)
            if ("goods" in card) == ("gold" in card):
                raise BadDeck(f"{where}, field goods: a raid demands either goods or gold besides crosses")
            _number(card, "goods" if "goods" in card else "gold", where, 1, 100)
        _no_other(card, where, ("id", "action", *{"goods": ("good",), "raid": ("goods", "gold", "crosses")}.get(action, ())))
    for action in UNIQUE_ACTIONS:
        places = [card["id"] for card in cards if card["action"] == action]
        if len(places) > 1:
            raise BadDeck(f"border card {places[1]}, field action: there can be only one {action}")


def _check_goods(cards: list[dict[str, Any]]) -> None:
    for card in cards:
        where = f"goods card {card['id']}"
        gain = _table(card, "gain", where)
        _no_other(card, where, ("id", "gain", "copies"))
        _no_other(gain, f"{where}, field gain", (*STUFF, "choice"))
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
            raise BadDeck(f"{where}, field argument: the effect {card.get('effect', 'none')} takes no argument")
        if kind == NUMBER:
            _number(card, "argument", where, 1, 12)
        elif kind is not None:
            _one_of(card, "argument", where, SYMBOLS if kind == SYMBOL else GOODS)
    _count("tribe", len(cards), 4)


# ---------------------------------------------------------------- single fields


def _table(tables: dict[str, Any], name: str, where: str = "") -> dict[str, Any]:
    found = tables.get(name)
    if not isinstance(found, dict):
        raise BadDeck(f"{where}, field {name}: is missing, or no table" if where else f"table {name}: is missing")
    return found


def _cards(cards: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = cards.get(name)
    if not isinstance(found, list) or not all(isinstance(card, dict) for card in found):
        raise BadDeck(f"cards.{name}: is missing, or no list of cards")
    seen: set[str] = set()
    for number, card in enumerate(found, 1):
        title = card.get("id")
        if not isinstance(title, str) or not title or " " in title:
            raise BadDeck(f"{name} card number {number}, field id: must be a text without spaces")
        if title.lower() in seen:
            raise BadDeck(f"{name} card {title}, field id: another card has it already")
        seen.add(title.lower())
    return found


def _one_of(card: dict[str, Any], field: str, where: str, choices: tuple[str, ...]) -> str:
    value = card.get(field)
    if value not in choices:
        raise BadDeck(f"{where}, field {field}: must be one of {', '.join(choices)}, not {value!r}")
    return str(value)


def _number(card: dict[str, Any], field: str, where: str, least: int, most: int) -> None:
    value = card.get(field)
    if type(value) is not int or not least <= value <= most:
        raise BadDeck(f"{where}, field {field}: must be a whole number from {least} to {most}, not {value!r}")


def _no_other(card: dict[str, Any], where: str, fields: tuple[str, ...]) -> None:
    for field in card:
        if field not in fields:
            raise BadDeck(f"{where}, field {field}: there is no such field; there are {', '.join(fields)}")


def _count(name: str, count: int, least: int) -> None:
    if not least <= count <= MOST_CARDS:
        raise BadDeck(f"cards.{name}: a deck has from {least} to {MOST_CARDS} cards, not {count}")


def labels(cards: list[dict[str, Any]], box: list[dict[str, Any]], fields: tuple[str, ...]) -> tuple[str, ...]:
    """What cards are called: their ids. One that differs from the box's card of that id also tells what it says."""
    known = {card["id"]: card for card in box}
    texts = []
    for card in cards:
        told = [card.get(field, "") for field in fields]
        same = card["id"] in known and told == [known[card["id"]].get(field, "") for field in fields]
        texts.append(card["id"] if same else f"{card['id']} ({' '.join(_told(part) for part in told if part != '')})")
    return tuple(texts)


def _told(part: Any) -> str:
    return " + ".join(f"{count} {what}" for what, count in part.items()) if isinstance(part, dict) else str(part)


BOX = read(FOLDER / "components.toml")
