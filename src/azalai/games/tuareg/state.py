"""What a game of Tuareg is made of: its cards, its record, its moves and events."""

from __future__ import annotations

import numpy as np

from azalai.engine.game import Option, load_components
from azalai.engine.moves import SEAT, EventTable, MoveTable, kind, names, span
from azalai.engine.schema import MAX_SEATS, field, schema

COMPONENTS = load_components(str(__package__))

# ---------------------------------------------------------------- cards

GOODS = ("water", "gold", "salt", "millet")
KINDS = len(GOODS)
WATER, GOLD, SALT, MILLET = range(KINDS)
ALL_GOODS = (1 << KINDS) - 1  # a bit for each
COPIES = np.array([COMPONENTS["goods"][good]["copies"] for good in GOODS])
DINAR = np.array([COMPONENTS["goods"][good]["dinar"] for good in GOODS])
POINTS = np.array([COMPONENTS["goods"][good]["points"] for good in GOODS])
CARDS = int(COPIES.sum())

SPECIALS = ("donkey", "cave", "thief", "map")
DONKEY, CAVE, THIEF, MAP = range(len(SPECIALS))
SPECIAL_POINTS = np.array([COMPONENTS["specials"][special]["points"] for special in SPECIALS])
CAMELS = np.zeros(MAX_SEATS + 1, np.int64)  # per seat, by number of seats
STACKS = np.zeros((MAX_SEATS + 1, len(SPECIALS)), np.int64)  # special cards in the game, by number of seats
for _seats, _ready in COMPONENTS["players"].items():
    CAMELS[int(_seats)] = _ready["camels"]
    STACKS[int(_seats)] = [_ready[special] for special in SPECIALS]

MARKET_START = int(COMPONENTS["play"]["market"])
DRAWN = int(COMPONENTS["play"]["draw"])
HAND_LIMIT = int(COMPONENTS["play"]["hand"])
FULL_LOAD = int(COMPONENTS["play"]["load"])
CAMEL_GOLD = int(COMPONENTS["play"]["camel_gold"])
FULL_CAVE = int(COMPONENTS["play"]["cave"])
PRICE = int(COMPONENTS["play"]["price"])
LAST_STAGE = int(COMPONENTS["play"]["stages"])
TIE = int(COMPONENTS["play"]["tie"])
if -(-PRICE // int(DINAR.min())) > 3:
    raise ValueError("the rules of payment look three goods ahead: a special card cannot cost more than three goods")

# ---------------------------------------------------------------- domains

MOST_CAMELS = int(CAMELS.max())
MOST_DONKEYS = int(STACKS[:, DONKEY].max())
MOST_THIEVES = int(STACKS[:, THIEF].max())
ANIMALS = MOST_CAMELS + MOST_DONKEYS  # places of a seat: its camels, then its donkeys
SOURCES = KINDS + ANIMALS  # where a good can be taken from: a kind in hand, or the top of an animal

CAMEL_LABELS = tuple(f"camel{number}" for number in range(1, MOST_CAMELS + 1))
ANIMAL_LABELS = CAMEL_LABELS + tuple(f"donkey{number}" for number in range(1, MOST_DONKEYS + 1))
GOOD_NAMES = names("good", *GOODS)
SPECIAL_NAMES = names("special", *SPECIALS)
ANIMAL_NAMES = names("animal", *ANIMAL_LABELS)
SOURCE_NAMES = names("source", *GOODS, *ANIMAL_LABELS)
PLACE_NAMES = names("place", "hand", *ANIMAL_LABELS)
CAVE_NAMES = names("cave", "empty", "started")
NUMBER = span("number", 0, CARDS)
AMOUNT = span("amount", 1, FULL_LOAD)

# ---------------------------------------------------------------- options and phases

OPTIONS = (Option("discards", ("out", "reshuffled")),)
DISCARDS_OUT, DISCARDS_RESHUFFLED = range(2)

PHASES = ("turn", "give", "after", "load", "onto", "amount", "pay", "hide", "steal")
TURN, GIVE, AFTER, LOAD, ONTO, TAKE_AMOUNT, PAY, HIDE, STEAL = range(len(PHASES))
ENDS = ("second stage",)
SECOND_STAGE = 1

SEAT_LABELS = ("blue", "red", "green", "yellow", "violet")

# ---------------------------------------------------------------- the record

NOBODY = NOTHING = -1
MOST_MOVES = 1 + ANIMALS + KINDS + len(SPECIALS) + 2 + MAX_SEATS  # before the main action; elsewhere there are fewer

SCHEMA = schema(
    [
        field("stage", np.int8, 0, "the stage being played, 1 or 2"),
        field("turns_left", np.int8, 0, "in the last round of a stage: turns still to come after this one"),
        field("deck", np.int8, KINDS, "goods of each kind in the face-down deck; secret"),
        field("deck_size", np.int8, 0, "goods in the deck"),
        field("market", np.int8, KINDS, "goods of each kind in the market"),
        field("discard", np.int8, KINDS, "goods of each kind on the discard pile"),
        field("stack", np.int8, len(SPECIALS), "special cards of each kind that can be bought"),
        field("hand", np.int8, (MAX_SEATS, KINDS), "goods of each kind in a seat's hand; its secret"),
        field("hand_size", np.int8, MAX_SEATS, "goods in a seat's hand"),
        field("load", np.int8, (MAX_SEATS, ANIMALS, FULL_LOAD), "what an animal carries, from the bottom; -1 where nothing lies"),
        field("height", np.int8, (MAX_SEATS, ANIMALS), "how many goods an animal carries"),
        field("fits", np.int8, (MAX_SEATS, ANIMALS), "the goods that an animal could be loaded with, a bit each", internal=True),
        field("carried", np.int8, (MAX_SEATS, KINDS), "goods of each kind on all animals of a seat"),
        field("donkeys", np.int8, MAX_SEATS, "donkeys of a seat; they stand behind its camels in `load`"),
        field("caves", np.int8, (MAX_SEATS, FULL_CAVE + 1), "caves of a seat that hide no good, one, two"),
        field("cave_goods", np.int8, (MAX_SEATS, KINDS), "goods in a seat's caves that came from its hand; its secret"),
        field("cave_seen", np.int8, (MAX_SEATS, KINDS), "goods in a seat's caves that all saw come from an animal"),
        field("thieves", np.int8, MAX_SEATS, "thieves of a seat that have not stolen yet"),
        field("maps", np.int8, MAX_SEATS, "maps of a seat"),
        field("loot_count", np.int8, 0, "thieves that have stolen in this stage"),
        field("loot_good", np.int8, MOST_THIEVES, "the good under each of these thieves; -1 where it is not known"),
        field("loot_owner", np.int8, MOST_THIEVES, "whose thief it is"),
        field("loot_victim", np.int8, MOST_THIEVES, "who was robbed"),
        field("loot_seen", np.int8, MOST_THIEVES, "1 where all saw the good, because it came from an animal"),
        field("points", np.int16, MAX_SEATS, "points noted so far: those of finished stages, at the end all"),
        # what can be remembered in the second stage, when all know which goods have become the new deck
        field(
            "kept",
            np.int8,
            (MAX_SEATS, KINDS),
            "goods of stage one a seat may still have; its secret",
            internal=True,
        ),
        field("kept_count", np.int8, MAX_SEATS, "how many these are", internal=True),
        field("kept_goods", np.int8, KINDS, "of each kind, how many they are for all seats together", internal=True),
        field("kept_most", np.int8, MAX_SEATS, "at most so many of them can still be in the seat's hand", internal=True),
        field("mixed", np.int8, MAX_SEATS, "1 once a seat holding such goods has drawn others", internal=True),
        field("shown", np.int8, (MAX_SEATS, KINDS), "goods a seat has shown from such a mixed hand", internal=True),
        # the turn
        field("acted", np.int8, 0, "1 once the main action of this turn is done"),
        field("drew", np.int8, 0, "1 where it was drawing goods: the seat may lay goods into the market"),
        field("owes", np.int8, 0, "1 while the seat must still lay a good into the market"),
        field("started", np.int8, 0, "caves in which the seat has hidden a first good this turn"),
        field("animal", np.int8, 0, "the animal being loaded; -1 for none"),
        field("put_on", np.int8, 0, "goods put on it so far"),
        field("good", np.int8, 0, "the good being taken from the market; -1 for none"),
        field("special", np.int8, 0, "the special card being bought; -1 for none"),
        field("paid_from", np.int8, 2, "the sources of the last two goods paid for it, the latest second; -1 for none"),
        field("paid_dinar", np.int8, 2, "and what these are worth"),
        field("cave", np.int8, 0, "the cave being used: how many goods it hides already; -1 for none"),
        field("victim", np.int8, 0, "the seat being robbed; -1 for none"),
        field("menu", np.int8, MOST_MOVES, "room for `play` to list moves in", internal=True),
    ],
    events=64,
)

# ---------------------------------------------------------------- moves

MOVES = MoveTable(
    kind("draw"),
    kind("load", animal=ANIMAL_NAMES),
    kind("put", good=GOOD_NAMES),
    kind("done"),
    kind("take", good=GOOD_NAMES),
    kind("onto", animal=ANIMAL_NAMES),
    kind("amount", amount=AMOUNT),
    kind("buy", special=SPECIAL_NAMES),
    kind("pay", source=SOURCE_NAMES),
    kind("give", good=GOOD_NAMES),
    kind("cave", cave=CAVE_NAMES),
    kind("hide", source=SOURCE_NAMES),
    kind("rob", seat=SEAT),
    kind("steal", place=PLACE_NAMES),
    kind("end"),
)
M_DRAW, M_LOAD, M_PUT, M_DONE = (MOVES.base(name) for name in ("draw", "load", "put", "done"))
M_TAKE, M_ONTO, M_AMOUNT = (MOVES.base(name) for name in ("take", "onto", "amount"))
M_BUY, M_PAY, M_GIVE = (MOVES.base(name) for name in ("buy", "pay", "give"))
M_CAVE, M_HIDE, M_ROB, M_STEAL, M_END = (MOVES.base(name) for name in ("cave", "hide", "rob", "steal", "end"))

# ---------------------------------------------------------------- events

EVENTS = EventTable(
    kind("market", good=GOOD_NAMES),
    kind("turn", seat=SEAT),
    kind("drew", seat=SEAT, number=NUMBER),
    kind("drew_good", seat=SEAT, good=GOOD_NAMES),
    kind("gave", seat=SEAT, good=GOOD_NAMES),
    kind("loaded", seat=SEAT, good=GOOD_NAMES, animal=ANIMAL_NAMES),
    kind("took", seat=SEAT, number=NUMBER, good=GOOD_NAMES, animal=ANIMAL_NAMES),
    kind("paid", seat=SEAT, good=GOOD_NAMES, place=PLACE_NAMES),
    kind("bought", seat=SEAT, special=SPECIAL_NAMES),
    kind("hid", seat=SEAT, cave=CAVE_NAMES),
    kind("hid_good", seat=SEAT, good=GOOD_NAMES),
    kind("hid_seen", seat=SEAT, good=GOOD_NAMES, animal=ANIMAL_NAMES, cave=CAVE_NAMES),
    kind("stole", seat=SEAT, victim=SEAT),
    kind("stole_good", seat=SEAT, good=GOOD_NAMES, victim=SEAT),
    kind("stole_seen", seat=SEAT, good=GOOD_NAMES, victim=SEAT, animal=ANIMAL_NAMES),
    kind("passed", seat=SEAT),
    kind("last_round", seat=SEAT),
    kind("stage_over", number=NUMBER),
    kind("opened_cave", seat=SEAT, number=NUMBER, good=GOOD_NAMES),
    kind("opened_thief", seat=SEAT, good=GOOD_NAMES),
    kind("majority", seat=SEAT, good=GOOD_NAMES, number=NUMBER, points=NUMBER),
    kind("shared", seat=SEAT, good=GOOD_NAMES, number=NUMBER, points=NUMBER),
    kind("nobody", good=GOOD_NAMES),
    kind("returned", seat=SEAT, number=NUMBER, special=SPECIAL_NAMES),
    kind("new_deck", number=NUMBER),
    kind("specials", seat=SEAT, points=NUMBER),
)
(
    E_MARKET, E_TURN, E_DREW, E_DREW_GOOD, E_GAVE, E_LOADED, E_TOOK, E_PAID, E_BOUGHT,
    E_HID, E_HID_GOOD, E_HID_SEEN, E_STOLE, E_STOLE_GOOD, E_STOLE_SEEN, E_PASSED, E_LAST_ROUND,
    E_STAGE_OVER, E_OPENED_CAVE, E_OPENED_THIEF, E_MAJORITY, E_SHARED, E_NOBODY, E_RETURNED, E_NEW_DECK, E_SPECIALS,
) = range(len(EVENTS.kinds))  # fmt: skip


def seat_labels(seats: int) -> tuple[str, ...]:
    """The players' colours."""
    return SEAT_LABELS[:seats]
