"""What a game of Tuareg is: its record, its phases and ends, its moves and events."""

from __future__ import annotations

from enum import auto

import numpy as np

from azalai.engine.moves import SEAT, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, names, span
from azalai.engine.schema import MAX_SEATS, Cells, Grid, Header, field, schema

from .components import ANIMAL_LABELS, ANIMALS, CARDS, FULL_CAVE, FULL_LOAD, GOODS, KINDS, MOST_THIEVES, SPECIALS

# ---------------------------------------------------------------- the record

NOBODY, NOTHING = -1, -1
DISCARDS = ("out", "reshuffled")  # what `options[0]` says of goods that were paid
RESHUFFLED = DISCARDS.index("reshuffled")
EVENT_ROOM = 64  # the most events one decision can have
MOST_MOVES = 1 + ANIMALS + KINDS + len(SPECIALS) + 2 + MAX_SEATS  # before the main action; elsewhere there are fewer


class State(Header):
    """The record of a game."""

    stage: int = field(np.int8, "the stage being played, 1 or 2")
    turns_left: int = field(np.int8, "in the last round of a stage: turns still to come after this one")
    deck: Cells = field(np.int8, "goods of each kind in the face-down deck; secret", KINDS)
    deck_size: int = field(np.int8, "goods in the deck")
    market: Cells = field(np.int8, "goods of each kind in the market", KINDS)
    discard: Cells = field(np.int8, "goods of each kind on the discard pile", KINDS)
    stack: Cells = field(np.int8, "special cards of each kind that can be bought", len(SPECIALS))
    hand: Grid = field(np.int8, "goods of each kind in a seat's hand; its secret", (MAX_SEATS, KINDS))
    hand_size: Cells = field(np.int8, "goods in a seat's hand", MAX_SEATS)
    load: Grid = field(np.int8, "what an animal carries, from the bottom; -1 where nothing lies", (MAX_SEATS, ANIMALS, FULL_LOAD))
    height: Grid = field(np.int8, "how many goods an animal carries", (MAX_SEATS, ANIMALS))
    fits: Grid = field(np.int8, "the goods that an animal could be loaded with, a bit each", (MAX_SEATS, ANIMALS), internal=True)
    carried: Grid = field(np.int8, "goods of each kind on all animals of a seat", (MAX_SEATS, KINDS))
    donkeys: Cells = field(np.int8, "donkeys of a seat; they stand behind its camels in `load`", MAX_SEATS)
    caves: Grid = field(np.int8, "caves of a seat that hide no good, one, two", (MAX_SEATS, FULL_CAVE + 1))
    cave_goods: Grid = field(np.int8, "goods in a seat's caves that came from its hand; its secret", (MAX_SEATS, KINDS))
    cave_seen: Grid = field(np.int8, "goods in a seat's caves that all saw come from an animal", (MAX_SEATS, KINDS))
    thieves: Cells = field(np.int8, "thieves of a seat that have not stolen yet", MAX_SEATS)
    maps: Cells = field(np.int8, "maps of a seat", MAX_SEATS)
    loot_count: int = field(np.int8, "thieves that have stolen in this stage")
    loot_good: Cells = field(np.int8, "the good under each of these thieves; -1 where it is not known", MOST_THIEVES)
    loot_owner: Cells = field(np.int8, "whose thief it is", MOST_THIEVES)
    loot_victim: Cells = field(np.int8, "who was robbed", MOST_THIEVES)
    loot_seen: Cells = field(np.int8, "1 where all saw the good, because it came from an animal", MOST_THIEVES)
    points: Cells = field(np.int16, "points noted so far: those of finished stages, at the end all", MAX_SEATS)
    # what can be remembered in the second stage, when all know which goods have become the new deck
    kept: Grid = field(np.int8, "goods of stage one a seat may still have; its secret", (MAX_SEATS, KINDS), internal=True)
    kept_count: Cells = field(np.int8, "how many these are", MAX_SEATS, internal=True)
    kept_goods: Cells = field(np.int8, "of each kind, how many they are for all seats together", KINDS, internal=True)
    kept_most: Cells = field(np.int8, "at most so many of them can still be in the seat's hand", MAX_SEATS, internal=True)
    mixed: Cells = field(np.int8, "1 once a seat holding such goods has drawn others", MAX_SEATS, internal=True)
    shown: Grid = field(np.int8, "goods a seat has shown from such a mixed hand", (MAX_SEATS, KINDS), internal=True)
    # the turn
    acted: int = field(np.int8, "1 once the main action of this turn is done")
    drew: int = field(np.int8, "1 where it was drawing goods: the seat may lay goods into the market")
    owes: int = field(np.int8, "1 while the seat must still lay a good into the market")
    started: int = field(np.int8, "caves in which the seat has hidden a first good this turn")
    animal: int = field(np.int8, "the animal being loaded; -1 for none")
    put_on: int = field(np.int8, "goods put on it so far")
    good: int = field(np.int8, "the good being taken from the market; -1 for none")
    special: int = field(np.int8, "the special card being bought; -1 for none")
    paid_from: Cells = field(np.int8, "the sources of the last two goods paid for it, the latest second; -1 for none", 2)
    paid_dinar: Cells = field(np.int8, "and what these are worth", 2)
    cave: int = field(np.int8, "the cave being used: how many goods it hides already; -1 for none")
    victim: int = field(np.int8, "the seat being robbed; -1 for none")
    menu: Cells = field(np.int8, "room for `play` to list moves in", MOST_MOVES, internal=True)


SCHEMA = schema(State, events=EVENT_ROOM)

# ---------------------------------------------------------------- phases, ends, moves, events

GOOD_NAMES = names("good", *GOODS)
SPECIAL_NAMES = names("special", *SPECIALS)
ANIMAL_NAMES = names("animal", *ANIMAL_LABELS)
SOURCE_NAMES = names("source", *GOODS, *ANIMAL_LABELS)
PLACE_NAMES = names("place", "hand", *ANIMAL_LABELS)
CAVE_NAMES = names("cave", "empty", "started")
NUMBER = span("number", 0, CARDS)
LOAD_SIZE = span("amount", 1, FULL_LOAD)


class Phases(PhaseEnum):
    """What is asked."""

    TURN = auto()
    GIVE = auto()
    AFTER = auto()
    LOAD = auto()
    ONTO = auto()
    AMOUNT = auto()
    PAY = auto()
    HIDE = auto()
    STEAL = auto()


class Ends(EndEnum):
    """How a game ends."""

    SECOND_STAGE = auto()


class Moves(MoveEnum):
    """What may be decided."""

    DRAW = kind()
    LOAD = kind(animal=ANIMAL_NAMES)
    PUT = kind(good=GOOD_NAMES)
    DONE = kind()
    TAKE = kind(good=GOOD_NAMES)
    ONTO = kind(animal=ANIMAL_NAMES)
    AMOUNT = kind(amount=LOAD_SIZE)
    BUY = kind(special=SPECIAL_NAMES)
    PAY = kind(source=SOURCE_NAMES)
    GIVE = kind(good=GOOD_NAMES)
    CAVE = kind(cave=CAVE_NAMES)
    HIDE = kind(source=SOURCE_NAMES)
    ROB = kind(seat=SEAT)
    STEAL = kind(place=PLACE_NAMES)
    END = kind()


class Events(EventEnum):
    """What happens."""

    MARKET = kind(good=GOOD_NAMES)
    TURN = kind(seat=SEAT)
    DREW = kind(seat=SEAT, number=NUMBER)
    DREW_GOOD = kind(seat=SEAT, good=GOOD_NAMES)
    GAVE = kind(seat=SEAT, good=GOOD_NAMES)
    LOADED = kind(seat=SEAT, good=GOOD_NAMES, animal=ANIMAL_NAMES)
    TOOK = kind(seat=SEAT, number=NUMBER, good=GOOD_NAMES, animal=ANIMAL_NAMES)
    PAID = kind(seat=SEAT, good=GOOD_NAMES, place=PLACE_NAMES)
    BOUGHT = kind(seat=SEAT, special=SPECIAL_NAMES)
    HID = kind(seat=SEAT, cave=CAVE_NAMES)
    HID_GOOD = kind(seat=SEAT, good=GOOD_NAMES)
    HID_SEEN = kind(seat=SEAT, good=GOOD_NAMES, animal=ANIMAL_NAMES, cave=CAVE_NAMES)
    STOLE = kind(seat=SEAT, victim=SEAT)
    STOLE_GOOD = kind(seat=SEAT, good=GOOD_NAMES, victim=SEAT)
    STOLE_SEEN = kind(seat=SEAT, good=GOOD_NAMES, victim=SEAT, animal=ANIMAL_NAMES)
    PASSED = kind(seat=SEAT)
    LAST_ROUND = kind(seat=SEAT)
    STAGE_OVER = kind(number=NUMBER)
    OPENED_CAVE = kind(seat=SEAT, number=NUMBER, good=GOOD_NAMES)
    OPENED_THIEF = kind(seat=SEAT, good=GOOD_NAMES)
    MAJORITY = kind(seat=SEAT, good=GOOD_NAMES, number=NUMBER, points=NUMBER)
    SHARED = kind(seat=SEAT, good=GOOD_NAMES, number=NUMBER, points=NUMBER)
    NOBODY = kind(good=GOOD_NAMES)
    RETURNED = kind(seat=SEAT, number=NUMBER, special=SPECIAL_NAMES)
    NEW_DECK = kind(number=NUMBER)
    SPECIALS = kind(seat=SEAT, points=NUMBER)
