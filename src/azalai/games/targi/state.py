"""What a position of Targi is made of: places, cards, fields, moves, events."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.engine.moves import SEAT, Domain, EventTable, MoveTable, kind, names, span
from azalai.engine.schema import field, schema

from . import components

COMPONENTS = components.load()
HOUSE = components.fingerprint(COMPONENTS)

# ---------------------------------------------------------------- the frame and the centre
#
#   16  1  2  3  4        Border places are numbered as on the cards, less one: 0 to 15 clockwise. The cells of the centre
#   15  .  .  .  5        follow as places 16 to 24, row by row; a1 is below card 1 and right of card 15.
#   14  .  .  .  6
#   13  .  .  .  7
#   12 11 10  9  8

BORDERS, CELLS, SIDE = 16, 9, 3
ROBBER_START, ROBBER_END = 0, 15

# For every border place: the row or column of the centre it looks upon (-1 for none) and the place facing it across the centre.
COLUMN_OF = np.array([0, 1, 2, -1, -1, -1, -1, -1, 2, 1, 0, -1, -1, -1, -1, -1])
ROW_OF = np.array([-1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1, -1, 2, 1, 0, -1])
FACING = np.array([10, 9, 8, -1, 14, 13, 12, -1, 2, 1, 0, -1, 6, 5, 4, -1])
GOODS_CELLS = (0, 2, 4, 6, 8)  # where goods cards lie at first; tribe cards lie on the others

_FRAME = COMPONENTS["cards"]["border"]
NOBLE, FIELD_GOODS, RAID, TRADER, MIRAGE, SILVERSMITH, CARAVAN, EXPANSION = range(len(components.ACTIONS))
ACTION = np.array([components.ACTIONS.index(card["action"]) for card in _FRAME])
PLACE_GOOD = np.array([components.GOODS.index(card.get("good", "dates")) for card in _FRAME])
RAID_GOODS = np.array([card.get("goods", 0) for card in _FRAME])
RAID_GOLD = np.array([card.get("gold", 0) for card in _FRAME])
RAID_CROSSES = np.array([card.get("crosses", 0) for card in _FRAME])

# ---------------------------------------------------------------- goods and numbers

DATES, SALT, PEPPER, GOLD, CROSSES = range(5)
KINDS = 3  # of goods; gold is none

START = np.array([COMPONENTS["start"][stuff] for stuff in components.STUFF])
MOST_GOODS, MOST_GOLD = int(COMPONENTS["limits"]["goods"]), int(COMPONENTS["limits"]["gold"])
ROW_SAME, ROW_MIXED = int(COMPONENTS["rows"]["same"]), int(COMPONENTS["rows"]["mixed"])
ROW_RAISED = int(COMPONENTS["rows"]["mixed_raised"])
FOR_GOLD, FOR_GOOD = int(COMPONENTS["trader"]["for_gold"]), int(COMPONENTS["trader"]["for_good"])
MOST_SOLD = 4


def _offers(name: str) -> list[int]:
    return [int(COMPONENTS["silversmith"][name].get(str(count), 0)) for count in range(MOST_SOLD + 1)]


OFFERS = np.array([_offers("goods"), _offers("goods"), _offers("goods"), _offers("gold")])  # crosses for so many of a kind
TARGIS, MARKERS = 3, 2
ROWS, COLUMNS = 3, 4
DISPLAY = ROWS * COLUMNS

# ---------------------------------------------------------------- cards

GOODS_PILE, TRIBE_PILE = 0, 1

_GOODS_CARDS = COMPONENTS["cards"]["goods"]
GOODS_KIND = np.array([number for number, card in enumerate(_GOODS_CARDS) for _ in range(card["copies"])])
CARD_GIVES = np.array([[card["gain"].get(stuff, 0) for stuff in components.STUFF] for card in _GOODS_CARDS])
CARD_CHOICE = np.array([card["gain"].get("choice", 0) for card in _GOODS_CARDS])

_TRIBE_CARDS = COMPONENTS["cards"]["tribe"]
TRIBE_COUNT = len(_TRIBE_CARDS)
SYMBOL = np.array([components.SYMBOLS.index(card["symbol"]) for card in _TRIBE_CARDS])
SYMBOLS = len(components.SYMBOLS)
PRINTED = np.array([card["crosses"] for card in _TRIBE_CARDS])
COST = np.array([[card["cost"].get(stuff, 0) for stuff in (*components.GOODS, "gold")] for card in _TRIBE_CARDS])
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
) = range(len(components.EFFECTS))


def _argument(card: dict[str, Any]) -> int:
    value = card.get("argument", 0)
    return value if isinstance(value, int) else (*components.SYMBOLS, *components.GOODS).index(value) % SYMBOLS


EFFECT = np.array([list(components.EFFECTS).index(card.get("effect", "none")) for card in _TRIBE_CARDS])
ARGUMENT = np.array([_argument(card) for card in _TRIBE_CARDS])

# Lasting effects are counted per player: first discounts by symbol, then harvests by good, then those without argument.
POWER_DISCOUNT, POWER_HARVEST = 0, SYMBOLS
_PLAIN_POWERS = SYMBOLS + KINDS
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

# What a field for a card can hold besides a card.
NOTHING = -1
UNKNOWN = -2  # a card that only its holder knows
FACE_DOWN = -2  # a card of the centre that nobody has seen yet: any of those in `deck`
SET_ASIDE = -3  # the same, but laid down before its deck was shuffled anew: any of those in `aside`

# How much others know of a hand card.
SEEN, FROM_DECK, FROM_ASIDE = 0, 1, 2

# ---------------------------------------------------------------- the record

FIELDS = [
    field(
        "deck",
        np.int64,
        2,
        "goods cards, then tribe cards, not seen since the last shuffle: a bit each",
        internal=True,
    ),
    field("aside", np.int64, 2, "likewise those that were face down already when their deck was shuffled", internal=True),
    field("discard", np.int64, 2, "likewise those on the discard piles", internal=True),
    field("left", np.int8, 2, "cards left in the draw piles: goods, tribe"),
    field("centre", np.int8, (2, CELLS), "goods cards, then tribe cards, on the cells: -1 none, -2 or -3 face down"),
    field("robber", np.int8, 0, "the border place the robber stands on"),
    field("round_no", np.int8, 0, "the round, from 1"),
    field("start", np.int8, 0, "the seat that has the amulet and begins"),
    field("targi", np.int8, (2, TARGIS), "border places of each seat's Targis; -1 for one not placed or taken back"),
    field("marker", np.int8, (2, MARKERS), "cells of each seat's tribe markers, likewise"),
    field("placed", np.int8, 2, "Targis placed this round"),
    field("targis", np.int8, 2, "Targis each seat has in this round"),
    field("hobbled", np.int8, 2, "Targis each seat will have less in the next round"),
    field("stock", np.int16, (2, 5), "dates, salt, pepper, gold, crosses of each seat"),
    field("stored", np.int8, 2, "gold lying on a seat's tribe cards"),
    field("display", np.int8, (2, ROWS, COLUMNS), "tribe cards laid out by each seat; -1 for an empty place"),
    field("length", np.int8, (2, ROWS), "cards in each row of the displays"),
    field("power", np.int8, (2, POWERS), "how often each seat has each lasting effect", internal=True),
    field("gathered", np.int8, 2, "a bit for every good that goods cards gave this seat in this round"),
    field("hand", np.int8, 2, "the tribe card in hand; -1 none, -2 one that cannot be seen"),
    field("hand_round", np.int8, 2, "the round it was taken in; 0 without one"),
    field("hand_secret", np.int8, 2, "0 if all have seen the hand card, else where it may come from: 1 deck, 2 aside"),
    # what is under way inside a decision made of several
    field("card", np.int8, 0, "the tribe card that is drawn or being played; -1 none, -2 one that cannot be seen"),
    field("origin", np.int8, 0, "where that card comes from"),
    field("owed", np.int8, 4, "dates, salt, pepper, gold still to be paid for it"),
    field("savings", np.int8, 0, "goods that discounts still take off"),
    field("extra", np.int8, 0, "goods of choice to be paid on top"),
    field("coins", np.int8, 0, "gold of the price that will be taken from a tribe card"),
    field("choices", np.int8, 0, "goods of choice still to be taken, or to be given at a raid"),
    field("reason", np.int8, 0, "why: 0 a goods card, 1 a tribe card, 2 the end of a turn without goods"),
    field("traded", np.int8, 0, "bits: goods got and goods given one for one at the Trader; any trade", internal=True),
    field("hole", np.int8, 0, "the place in the display that a moved card left behind and another must fill; -1 none"),
    field("moved", np.int8, 0, "the place in the display a card has been moved to; -1 none"),
    field("raided", np.int8, 0, "seats done with the present raid"),
]
if HOUSE:  # another deck is another type of record: what is compiled and stored for one is never mistaken for the other's
    FIELDS.append(field(f"house_deck_{HOUSE}", np.int8, 0, "marks the deck this game is played with", internal=True))
SCHEMA = schema(FIELDS, events=40)

# ---------------------------------------------------------------- moves

_CELL_LABELS = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc")
PLACE = names("place", *(card["id"] for card in _FRAME), *_CELL_LABELS)
BORDER = Domain("place", PLACE.labels[:BORDERS])
CELL = Domain("place", _CELL_LABELS)
ORIGIN = names("origin", *_CELL_LABELS, "noble", "expansion", "hand")
FROM_NOBLE, FROM_EXPANSION, FROM_HAND, ORIGINS = CELLS, CELLS + 1, CELLS + 2, CELLS + 3
GOOD = names("stuff", *components.GOODS)
STUFF = names("stuff", *components.GOODS, "gold", "cross")
METAL = names("stuff", *components.GOODS, "gold")
PRICE = names("price", "goods", "gold")
COIN = names("coin", "own", "stored")
PRIZE = names("prize", "goods", "gold", "cross")
ROW = span("row", 1, ROWS)
SLOT = Domain("slot", tuple(f"{row}.{column}" for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)), named=False)
COUNT = span("count", 0, 250)
SOLD = span("count", 1, MOST_SOLD)
ROUND = span("round", 1, 12)
PILE = names("pile", "goods", "tribe")
GOODS_CARD = names("goods_card", *components.labels(_GOODS_CARDS, components.BOX["cards"]["goods"], ("gain",)))
_TRIBE_LABELS = components.labels(_TRIBE_CARDS, components.BOX["cards"]["tribe"], ("symbol", "effect", "argument"))
TRIBE_CARD = names("tribe", *_TRIBE_LABELS)  # what a card is called
EFFECT_TEXT = names("effect", *_TRIBE_LABELS)  # what it does

MOVES = MoveTable(
    kind("place", place=BORDER),
    kind("use", place=PLACE),
    kind("play", origin=ORIGIN),
    kind("keep", origin=ORIGIN),
    kind("discard", origin=ORIGIN),
    kind("price", price=PRICE),
    kind("save", good=GOOD),
    kind("add", good=GOOD),
    kind("coin", coin=COIN),
    kind("row", row=ROW),
    kind("choose", good=GOOD),
    kind("prize", prize=PRIZE),
    kind("shift", slot=SLOT, target=SLOT),
    kind("trade", good=GOOD, stuff=METAL),
    kind("sell", count=SOLD, stuff=METAL),
    kind("send", cell=CELL, target=CELL),
    kind("drop", good=GOOD),
    kind("give", stuff=STUFF),
    kind("done"),
)
PLACE_ON, USE, PLAY, KEEP, DISCARD = (MOVES.base(name) for name in ("place", "use", "play", "keep", "discard"))
PAY_PRICE, SAVE, ADD, PAY_COIN, LAY_ROW = (MOVES.base(name) for name in ("price", "save", "add", "coin", "row"))
CHOOSE, TAKE_PRIZE, SHIFT, TRADE, SELL = (MOVES.base(name) for name in ("choose", "prize", "shift", "trade", "sell"))
SEND, DROP, GIVE, DONE = (MOVES.base(name) for name in ("send", "drop", "give", "done"))
MAX_MOVES = 68  # twelve cards of a display can be exchanged in 66 ways

# ---------------------------------------------------------------- what is asked, how it ends, what is told

PHASES = (
    "placing", "acting", "drawn", "pricing", "saving", "adding", "paying", "laying", "choosing", "prize", "moving", "trading",
    "selling", "sending", "dropping", "raid", "raid_goods",
)  # fmt: skip
(
    PLACING, ACTING, DRAWN, PRICING, SAVING, ADDING, PAYING, LAYING, CHOOSING, WINNING, MOVING, TRADING,
    SELLING, SENDING, DROPPING, RAIDED, GIVING,
) = range(len(PHASES))  # fmt: skip
BY_GOODS_CARD, BY_TRIBE_CARD, BY_IDLENESS = 0, 1, 2

ENDS = ("full display", "fourth raid")
FULL_DISPLAY, FOURTH_RAID = 1, 2

EVENTS = EventTable(
    kind("round", seat=SEAT, round=ROUND, place=BORDER),
    kind("robber", place=BORDER),
    kind("raid", place=BORDER),
    kind("spared", seat=SEAT),
    kind("gave", seat=SEAT, stuff=STUFF, count=COUNT),
    kind("unpaid", seat=SEAT),
    kind("rewarded", seat=SEAT, stuff=STUFF, count=COUNT),
    kind("placed", seat=SEAT, place=BORDER),
    kind("skipped", seat=SEAT),
    kind("marked", seat=SEAT, place=PLACE),
    kind("used", seat=SEAT, place=PLACE),
    kind("took", seat=SEAT, goods=GOODS_CARD, place=PLACE),
    kind("gained", seat=SEAT, stuff=STUFF, count=COUNT),
    kind("harvested", seat=SEAT, stuff=STUFF, count=COUNT),
    kind("covered", place=PLACE, pile=PILE),
    kind("bare", place=PLACE),
    kind("shuffled", pile=PILE),
    kind("drew", seat=SEAT),
    kind("drawn", card=TRIBE_CARD, effect=EFFECT_TEXT),
    kind("kept", seat=SEAT, card=TRIBE_CARD, place=PLACE),
    kind("kept_hidden", seat=SEAT),
    kind("discarded", seat=SEAT, card=TRIBE_CARD, origin=ORIGIN),
    kind("paid", seat=SEAT, stuff=STUFF, count=COUNT),
    kind("paid_stored", seat=SEAT, count=COUNT),
    kind("laid", seat=SEAT, card=TRIBE_CARD, slot=SLOT, origin=ORIGIN),
    kind("stored", seat=SEAT, count=COUNT),
    kind("hobbled", seat=SEAT),
    kind("shifted", seat=SEAT, card=TRIBE_CARD, slot=SLOT, target=SLOT),
    kind("traded", seat=SEAT, good=GOOD, count=COUNT, stuff=STUFF),
    kind("sold", seat=SEAT, stuff=STUFF, count=COUNT, crosses=COUNT),
    kind("sent", seat=SEAT, place=PLACE, target=PLACE),
    kind("dropped", seat=SEAT, stuff=STUFF, count=COUNT),
    kind("left", seat=SEAT),
    kind("ended", seat=SEAT),
    kind("turned_goods", place=PLACE, goods=GOODS_CARD),
    kind("turned_tribe", place=PLACE, card=TRIBE_CARD, effect=EFFECT_TEXT),
    kind("counted", seat=SEAT, crosses=COUNT, cards=COUNT, rows=COUNT),
    kind("scored", seat=SEAT, count=COUNT),
)
(
    E_ROUND, E_ROBBER, E_RAID, E_SPARED, E_GAVE, E_UNPAID, E_REWARDED, E_PLACED, E_SKIPPED, E_MARKED, E_USED, E_TOOK, E_GAINED,
    E_HARVESTED, E_COVERED, E_BARE, E_SHUFFLED, E_DREW, E_DRAWN, E_KEPT, E_KEPT_HIDDEN, E_DISCARDED, E_PAID, E_PAID_STORED,
    E_LAID, E_STORED, E_HOBBLED, E_SHIFTED, E_TRADED, E_SOLD, E_SENT, E_DROPPED, E_LEFT, E_ENDED, E_TURNED_GOODS, E_TURNED_TRIBE,
    E_COUNTED, E_SCORED,
) = range(len(EVENTS.kinds))  # fmt: skip
