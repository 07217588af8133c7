"""What Targui is made of: the record of a game, its moves and events, and the numbers of its components."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.game import load_components
from azalai.engine.moves import SEAT, Domain, EventTable, MoveTable, kind, names, span
from azalai.engine.schema import field, schema

PARTS = load_components(str(__package__))

# ---------------------------------------------------------------- area cards

AREAS = tuple(area["name"] for area in PARTS["area"])
ERG, REG, GUELTA, MOUNTAIN, FECHE, CHOTT, SALINE, SETTLEMENT = range(8)
assert AREAS == ("erg", "reg", "guelta", "mountain", "feche", "chott", "saline", "settlement")
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
assert CAMEL_PRICE == 1  # the rules count on it: as many camels as silver
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

# ---------------------------------------------------------------- the record

NOBODY, NOWHERE = -1, -1
EVENT_ROOM = 96  # the most events one decision can have
MANY_EVENTS = 24  # after so many, the next player is asked even if he can only say `done`, so that the room suffices

SCHEMA = schema(
    [
        field("stands", np.int64, 4, "per seat, a bit for each field its camels stand on", internal=True),
        field("marks", np.int64, 4, "per seat, a bit for each field with its marker; none: eliminated", internal=True),
        field("worth", np.int64, 3, "fields by economic value: a bit for each that has a 1, a 2, a 4 in its sum", internal=True),
        field("land", np.int64, 0, "a bit for each field that is no salt sea", internal=True),
        field("walled", np.int64, 0, "a bit for each field with nothing but salt sea around", internal=True),
        field("fates", np.int32, 0, "a bit for each fate card nobody has seen yet; bit 0 is card 1"),
        field("terrain", np.int8, FIELDS, "the area card on each field"),
        field("owner", np.int8, FIELDS, "the seat whose marker lies on each field, or -1"),
        field("camels", np.int16, FIELDS, "camels on each field; they belong to its owner"),
        field("home", np.int8, 4, "the field of each seat's own settlement, or -1 before it is chosen"),
        field("silver", np.int16, 4, "each seat's money"),
        field("herd", np.int16, 4, "each seat's camels on the board"),
        field("economy", np.int16, 4, "sum of the economic values of the fields each seat has marked"),
        field("box", np.int16, 0, "camels left in the box"),
        field("round_no", np.int8, 0, "the round, from 1; 0 while settlements are chosen"),
        field("die", np.int8, 0, "what was rolled for this round"),
        field("pack", np.int8, 4, "each seat's tribe cards still in this round's pack"),
        field("fate_waits", np.int8, 0, "1 while this round's fate card is still in the pack"),
        field("fate", np.int8, 0, "the fate card turned in this round, 0 before that"),
        field("again", np.int8, 0, "1 while a double turn has its second half to come"),
        field("origin", np.int8, 0, "the field camels march, attack or move in from, or -1"),
        field("target", np.int8, 0, "the field they go to or that camels are bought for, or -1"),
    ],
    events=EVENT_ROOM,
)

# ---------------------------------------------------------------- moves, events, phases

FIELD = Domain("field", FIELD_LABELS, named=False)
NUMBER = span("camels", 1, CAMELS)
COUNT = span("count", 0, 9999)
DIE = span("die", 1, 6)
FATE = Domain("fate", tuple(str(card) for card in range(1, FATES + 1)), first=1)
AREA = names("area", *AREAS)

MOVES = MoveTable(
    kind("settle", field=FIELD),
    kind("march", field=FIELD),
    kind("stay"),
    kind("to", field=FIELD),
    kind("camels", camels=NUMBER),
    kind("strike"),
    kind("retreat"),
    kind("buy", field=FIELD),
    kind("done"),
)
SETTLE, MARCH, STAY, TO = MOVES.base("settle"), MOVES.base("march"), MOVES.base("stay"), MOVES.base("to")
LEAD, STRIKE, RETREAT = MOVES.base("camels") - 1, MOVES.base("strike"), MOVES.base("retreat")  # LEAD + n: n camels
BUY, DONE = MOVES.base("buy"), MOVES.base("done")

EVENTS = EventTable(
    kind("laid"),
    kind("settled", seat=SEAT, field=FIELD, area=AREA),
    kind("rolled", round=COUNT, die=DIE, cards=COUNT),
    kind("turn", seat=SEAT),
    kind("again", seat=SEAT),
    kind("passed", seat=SEAT),
    kind("stayed", seat=SEAT),
    kind("marched", seat=SEAT, origin=FIELD, field=FIELD, camels=COUNT),
    kind("took", seat=SEAT, field=FIELD, loser=SEAT),
    kind("attacked", seat=SEAT, origin=FIELD, field=FIELD, loser=SEAT),
    kind("struck", seat=SEAT, die=DIE, field=FIELD, camels=COUNT),
    kind("retreated", seat=SEAT, origin=FIELD, field=FIELD),
    kind("beaten", seat=SEAT, origin=FIELD, field=FIELD),
    kind("conquered", seat=SEAT, field=FIELD, loser=SEAT),
    kind("eliminated", seat=SEAT),
    kind("bought", seat=SEAT, field=FIELD, camels=COUNT),
    kind("fate", fate=FATE),
    kind("lost", seat=SEAT, field=FIELD, camels=COUNT),
    kind("gained", seat=SEAT, field=FIELD, camels=COUNT),
    kind("paid", seat=SEAT, silver=COUNT),
    kind("robbed", seat=SEAT, silver=COUNT),
    kind("nothing", fate=FATE),
    kind("income", seat=SEAT, silver=COUNT),
    kind("no_income", seat=SEAT),
    kind("round_over", round=COUNT),
    kind("won", seat=SEAT, points=COUNT),
)
LAID, SETTLED, ROLLED = EVENTS.code("laid"), EVENTS.code("settled"), EVENTS.code("rolled")
TURN, AGAIN, PASSED = EVENTS.code("turn"), EVENTS.code("again"), EVENTS.code("passed")
STAYED = EVENTS.code("stayed")
MARCHED, TOOK, ATTACKED, STRUCK = EVENTS.code("marched"), EVENTS.code("took"), EVENTS.code("attacked"), EVENTS.code("struck")
RETREATED, BEATEN, CONQUERED = EVENTS.code("retreated"), EVENTS.code("beaten"), EVENTS.code("conquered")
ELIMINATED, BOUGHT = EVENTS.code("eliminated"), EVENTS.code("bought")
FATE_TURNED, LOST, GAINED, PAID = EVENTS.code("fate"), EVENTS.code("lost"), EVENTS.code("gained"), EVENTS.code("paid")
ROBBED, NOTHING = EVENTS.code("robbed"), EVENTS.code("nothing")
INCOME, NO_INCOME = EVENTS.code("income"), EVENTS.code("no_income")
ROUND_OVER, WON = EVENTS.code("round_over"), EVENTS.code("won")

PHASES = ("settling", "marching", "heading", "leading", "fighting", "entering", "buying", "paying")
SETTLING, MARCHING, HEADING, LEADING, FIGHTING, ENTERING, BUYING, PAYING = range(8)

ENDS = ("last survivor", "last round")
LAST_SURVIVOR, LAST_ROUND = 1, 2
