"""What a game of Targi is: its record, its phases and ends, its moves and events."""

from __future__ import annotations

from enum import auto

import numpy as np

from azalai.engine.moves import SEAT, Domain, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, names, span
from azalai.engine.schema import Cells, Grid, Header, field, schema

from .components import (
    BORDER_LABELS,
    CELL_LABELS,
    CELLS,
    COLUMNS,
    GOODS,
    GOODS_LABELS,
    LAST_ROUND,
    MARKERS,
    MOST_SOLD,
    POWERS,
    ROWS,
    TARGIS,
    TRIBE_LABELS,
)

# ---------------------------------------------------------------- the record

# What a field for a card can hold besides a card.
NOTHING = -1
UNKNOWN = -2  # a card that only its holder knows
FACE_DOWN = -2  # a card of the centre that nobody has seen yet: any of those in `deck`
SET_ASIDE = -3  # the same, but laid down before its deck was shuffled anew: any of those in `aside`

# How much others know of a hand card.
SEEN, FROM_DECK, FROM_ASIDE = 0, 1, 2

# Why a player may choose goods: a goods card, or a tribe card (T37, T36, T42, T41).
BY_GOODS_CARD, BY_CARDS, BY_IDLENESS, BY_GAPS, BY_WINDFALL = range(5)

EVENT_ROOM = 40  # the most events one decision can have


class State(Header):
    """The record of a game."""

    deck: Cells = field(np.int64, "goods cards, then tribe cards, not seen since the last shuffle: a bit each", 2, internal=True)
    aside: Cells = field(np.int64, "likewise those that were face down already when their deck was shuffled", 2, internal=True)
    discard: Cells = field(np.int64, "likewise those on the discard piles", 2, internal=True)
    left: Cells = field(np.int8, "cards left in the draw piles: goods, tribe", 2)
    centre: Grid = field(np.int8, "goods cards, then tribe cards, on the cells: -1 none, -2 or -3 face down", (2, CELLS))
    robber: int = field(np.int8, "the border place the robber stands on")
    round_no: int = field(np.int8, "the round, from 1")
    start: int = field(np.int8, "the seat that has the amulet and begins")
    targi: Grid = field(np.int8, "border places of each seat's Targis; -1 for one not placed or taken back", (2, TARGIS))
    marker: Grid = field(np.int8, "cells of each seat's tribe markers, likewise", (2, MARKERS))
    placed: Cells = field(np.int8, "Targis placed this round", 2)
    targis: Cells = field(np.int8, "Targis each seat has in this round", 2)
    hobbled: Cells = field(np.int8, "Targis each seat will have less in the next round", 2)
    stock: Grid = field(np.int16, "dates, salt, pepper, gold, crosses of each seat", (2, 5))
    stored: Cells = field(np.int8, "gold lying on a seat's tribe cards", 2)
    display: Grid = field(np.int8, "tribe cards laid out by each seat; -1 for an empty place", (2, ROWS, COLUMNS))
    length: Grid = field(np.int8, "cards in each row of the displays", (2, ROWS))
    power: Grid = field(np.int8, "how often each seat has each lasting effect", (2, POWERS), internal=True)
    gathered: Cells = field(np.int8, "a bit for every good that goods cards gave this seat in this round", 2)
    hand: Cells = field(np.int8, "the tribe card in hand; -1 none, -2 one that cannot be seen", 2)
    hand_round: Cells = field(np.int8, "the round it was taken in; 0 without one", 2)
    hand_secret: Cells = field(np.int8, "0 if all have seen the hand card, else where it may come from: 1 deck, 2 aside", 2)
    # what is under way inside a decision made of several
    card: int = field(np.int8, "the tribe card that is drawn or being played; -1 none, -2 one that cannot be seen")
    origin: int = field(np.int8, "where that card comes from")
    owed: Cells = field(np.int8, "dates, salt, pepper, gold still to be paid for it", 4)
    savings: int = field(np.int8, "goods that discounts still take off")
    extra: int = field(np.int8, "goods of choice to be paid on top")
    coins: int = field(np.int8, "gold of the price that will be taken from a tribe card")
    choices: int = field(np.int8, "goods of choice still to be taken, or to be given at a raid")
    reason: int = field(
        np.int8, "why: 0 a goods card, else a tribe card: for 1 cards, 2 a round without goods, 3 empty places, 4 a gift"
    )
    traded: int = field(np.int8, "bits: goods got and goods given one for one at the Trader; any trade", internal=True)
    hole: int = field(np.int8, "the place in the display that a moved card left behind and another must fill; -1 none")
    moved: int = field(np.int8, "the place in the display a card has been moved to; -1 none")
    raided: int = field(np.int8, "seats done with the present raid")


SCHEMA = schema(State, events=EVENT_ROOM)

# ---------------------------------------------------------------- phases, ends, moves, events

PLACE_NAME = names("place", *BORDER_LABELS, *CELL_LABELS)
BORDER = Domain("place", BORDER_LABELS)
CELL = Domain("place", CELL_LABELS)
ORIGIN = names("origin", *CELL_LABELS, "noble", "expansion", "hand")
FROM_NOBLE, FROM_EXPANSION, FROM_HAND, ORIGINS = CELLS, CELLS + 1, CELLS + 2, CELLS + 3
GOOD = names("stuff", *GOODS)
STUFF = names("stuff", *GOODS, "gold", "cross")
METAL = names("stuff", *GOODS, "gold")
PRICE_KIND = names("price", "goods", "gold")
COIN_KIND = names("coin", "own", "stored")
PRIZE_KIND = names("prize", "goods", "gold", "cross")
ROW_NUMBER = span("row", 1, ROWS)
SLOT = Domain("slot", tuple(f"{row}.{column}" for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)), named=False)
COUNT = span("count", 0, 250)
SOLD = span("count", 1, MOST_SOLD)
ROUND_NUMBER = span("round", 1, LAST_ROUND)
PILE = names("pile", "goods", "tribe")
GOODS_CARD = names("goods_card", *GOODS_LABELS)
TRIBE_CARD = names("tribe", *TRIBE_LABELS)  # what a card is called
CAUSE = names("cause", "cards", "idle", "gaps", "gift")
EFFECT_TEXT = names("effect", *TRIBE_LABELS)  # what it does


class Phases(PhaseEnum):
    """What is asked."""

    PLACING = auto()
    ACTING = auto()
    DRAWN = auto()
    PRICING = auto()
    SAVING = auto()
    ADDING = auto()
    PAYING = auto()
    LAYING = auto()
    CHOOSING = auto()
    PRIZE = auto()
    MOVING = auto()
    TRADING = auto()
    SELLING = auto()
    SENDING = auto()
    DROPPING = auto()
    RAID = auto()
    RAID_GOODS = auto()


class Ends(EndEnum):
    """How a game ends."""

    FULL_DISPLAY = auto()
    FOURTH_RAID = auto()


class Moves(MoveEnum):
    """What may be decided."""

    PLACE = kind(place=BORDER)
    USE = kind(place=PLACE_NAME)
    PLAY = kind(origin=ORIGIN)
    KEEP = kind(origin=ORIGIN)
    DISCARD = kind(origin=ORIGIN)
    PRICE = kind(price=PRICE_KIND)
    SAVE = kind(good=GOOD)
    ADD = kind(good=GOOD)
    COIN = kind(coin=COIN_KIND)
    ROW = kind(row=ROW_NUMBER)
    CHOOSE = kind(good=GOOD)
    PRIZE = kind(prize=PRIZE_KIND)
    SHIFT = kind(slot=SLOT, target=SLOT)
    TRADE = kind(good=GOOD, stuff=METAL)
    SELL = kind(count=SOLD, stuff=METAL)
    SEND = kind(cell=CELL, target=CELL)
    DROP = kind(good=GOOD)
    GIVE = kind(stuff=STUFF)
    DONE = kind()


MAX_MOVES = 68  # twelve cards of a display can be exchanged in 66 ways


class Events(EventEnum):
    """What happens."""

    ROUND = kind(seat=SEAT, round=ROUND_NUMBER, place=BORDER)
    ROBBER = kind(place=BORDER)
    RAID = kind(place=BORDER)
    SPARED = kind(seat=SEAT)
    GAVE = kind(seat=SEAT, stuff=STUFF, count=COUNT)
    UNPAID = kind(seat=SEAT)
    REWARDED = kind(seat=SEAT, stuff=STUFF, count=COUNT)
    PLACED = kind(seat=SEAT, place=BORDER)
    SKIPPED = kind(seat=SEAT)
    MARKED = kind(seat=SEAT, place=PLACE_NAME)
    USED = kind(seat=SEAT, place=PLACE_NAME)
    TOOK = kind(seat=SEAT, goods=GOODS_CARD, place=PLACE_NAME)
    GAINED = kind(seat=SEAT, stuff=STUFF, count=COUNT)
    HARVESTED = kind(seat=SEAT, stuff=STUFF, count=COUNT)
    COVERED = kind(place=PLACE_NAME, pile=PILE)
    BARE = kind(place=PLACE_NAME)
    SHUFFLED = kind(pile=PILE)
    DREW = kind(seat=SEAT)
    DRAWN = kind(card=TRIBE_CARD, effect=EFFECT_TEXT)
    KEPT = kind(seat=SEAT, card=TRIBE_CARD, place=PLACE_NAME)
    KEPT_HIDDEN = kind(seat=SEAT)
    DISCARDED = kind(seat=SEAT, card=TRIBE_CARD, origin=ORIGIN)
    PAID = kind(seat=SEAT, stuff=STUFF, count=COUNT)
    PAID_STORED = kind(seat=SEAT, count=COUNT)
    LAID = kind(seat=SEAT, card=TRIBE_CARD, slot=SLOT, origin=ORIGIN)
    STORED = kind(seat=SEAT, count=COUNT)
    HOBBLED = kind(seat=SEAT)
    SHIFTED = kind(seat=SEAT, card=TRIBE_CARD, slot=SLOT, target=SLOT)
    TRADED = kind(seat=SEAT, good=GOOD, count=COUNT, stuff=STUFF)
    SOLD = kind(seat=SEAT, stuff=STUFF, count=COUNT, crosses=COUNT)
    SENT = kind(seat=SEAT, place=PLACE_NAME, target=PLACE_NAME)
    DROPPED = kind(seat=SEAT, stuff=STUFF, count=COUNT)
    LEFT = kind(seat=SEAT)
    ENDED = kind(seat=SEAT)
    TURNED_GOODS = kind(place=PLACE_NAME, goods=GOODS_CARD)
    TURNED_TRIBE = kind(place=PLACE_NAME, card=TRIBE_CARD, effect=EFFECT_TEXT)
    COUNTED = kind(seat=SEAT, crosses=COUNT, cards=COUNT, rows=COUNT)
    SCORED = kind(seat=SEAT, count=COUNT)
    GRANTED = kind(seat=SEAT, stuff=STUFF, card=TRIBE_CARD, cause=CAUSE)
