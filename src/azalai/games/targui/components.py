"""The numbers of Targui as rules use them: area cards, board, camels, silver and fate cards, from components.toml."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.components import load_components, require

PARTS = load_components(str(__package__))

# ---------------------------------------------------------------- area cards

AREAS = tuple(area["name"] for area in PARTS["area"])
ERG, REG, GUELTA, MOUNTAIN, FECHE, CHOTT, SALINE, SETTLEMENT = range(8)
require("area.name", AREAS, ("erg", "reg", "guelta", "mountain", "feche", "chott", "saline", "settlement"))
STRATEGIC = np.array([area["strategic"] for area in PARTS["area"]])
ECONOMIC = np.array([area["economic"] for area in PARTS["area"]])

# ---------------------------------------------------------------- the board: field = row * 7 + column, a1 in the top left

SIDE = 7
FIELDS = SIDE * SIDE
FIELD_LABELS = tuple(f"{'abcdefg'[column]}{row + 1}" for row in range(SIDE) for column in range(SIDE))
NUMBERS = np.array(PARTS["board"]["spiral"]).reshape(FIELDS)  # the number printed on each field
IN_ORDER = np.argsort(NUMBERS)  # the fields from number 1 to number 49
CENTRE = int(IN_ORDER[0])
DECK = np.array([card for card, area in enumerate(PARTS["area"]) if card < SALINE for _ in range(area["cards"])], np.int8)


def _mask(fields: Any) -> int:
    """A set of fields as bits."""
    return sum(1 << int(one) for one in fields)


def _around(one: int) -> int:
    row, column = divmod(one, SIDE)
    near = [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
    return _mask(r * SIDE + c for r, c in near if 0 <= r < SIDE and 0 <= c < SIDE and (r, c) != (row, column))


NEIGHBOURS = np.array([_around(one) for one in range(FIELDS)], np.int64)  # a bit for each neighbour of a field


def _zone(where: dict[str, Any]) -> int:
    """The fields a colour may settle on."""
    if "fields" in where:
        return _mask(one for one in range(FIELDS) if NUMBERS[one] in where["fields"])
    sectors = "".join(PARTS["board"]["sectors"])
    return _mask(one for one in range(FIELDS) if sectors[one] == str(where["sector"]))


COLOURS = tuple(PARTS["play"]["colours"])


def colours(seats: int) -> tuple[str, ...]:
    """The colours that play: the last so many of blue, red, green, yellow."""
    return COLOURS[len(COLOURS) - seats :]


ZONES = np.zeros((5, 4), np.int64)  # [seats, seat]: a bit for each field the seat may settle on
for _seats, _where in PARTS["zones"].items():
    for _seat, _colour in enumerate(colours(int(_seats))):
        ZONES[int(_seats), _seat] = _zone(_where[_colour])

# ---------------------------------------------------------------- camels, silver, cards

CAMELS = PARTS["supply"]["light_camels"] + PARTS["supply"]["dark_camels"] * PARTS["supply"]["dark_worth"]
START_CAMELS = PARTS["play"]["start_camels"]
START_SILVER = PARTS["play"]["start_silver"]
CAMEL_PRICE = PARTS["play"]["camel_price"]
require("play.camel_price", CAMEL_PRICE, 1)
TRIBE_CARDS = PARTS["play"]["tribe_cards"]
DOUBLE_TURN = PARTS["play"]["double_turn"]

FATES = PARTS["fates"]["cards"]
GIFTS = tuple(PARTS["fates"]["gifts"])
FIRST_GIFT, LAST_GIFT = GIFTS[0], GIFTS[-1]
NEVER_OUT = tuple(PARTS["fates"]["never_out"])
REMOVED = {int(seats): tuple(cards) for seats, cards in PARTS["fates"]["removed"].items()}
FATES_REMOVED = np.array([_mask(card - 1 for card in REMOVED.get(seats, ())) for seats in range(5)])  # [seats]: a bit per card
SHORTER = tuple(PARTS["fates"]["shorter"])

EFFECTS = PARTS["fates"]["effects"]
GIFT_CAMELS = EFFECTS["gift_camels"]
SANDSTORM_LOSS = EFFECTS["sandstorm_loss"]
DROUGHT_LIMIT = EFFECTS["drought_limit"]
CARAVAN_SILVER = EFFECTS["caravan_silver"]
PLAGUE_DIVISOR = EFFECTS["plague_divisor"]
RAID_LOSS = EFFECTS["raid_loss"]
FLOOD_LOSS = EFFECTS["flood_loss"]
SPRING_BIRTHS = EFFECTS["spring_births"]
CLIMATE_STRATEGIC = EFFECTS["climate_strategic"]
POISON_LOSS = EFFECTS["poison_loss"]
MOUNTAIN_SILVER = EFFECTS["mountain_silver"]
CLIMATE_CHANGE, SILVER_FOUND = 13, 16  # the two cards that last to the end of their round
