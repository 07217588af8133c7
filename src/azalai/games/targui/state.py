"""What a game of Targui is: its record, its phases and ends, its moves and events."""

from __future__ import annotations

from enum import auto

import numpy as np

from azalai.engine.moves import SEAT, Domain, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, names, span
from azalai.engine.schema import Cells, Header, field, schema

from .components import AREAS, CAMELS, FATES, FIELD_LABELS, FIELDS

# ---------------------------------------------------------------- the record

NOBODY, NOWHERE = -1, -1
EVENT_ROOM = 96  # the most events one decision can have
MANY_EVENTS = 24  # after so many, the next player is asked even if he can only say `done`, so that the room suffices


class State(Header):
    """The record of a game."""

    stands: Cells = field(np.int64, "per seat, a bit for each field its camels stand on", 4, internal=True)
    marks: Cells = field(np.int64, "per seat, a bit for each field with its marker; none: eliminated", 4, internal=True)
    worth: Cells = field(np.int64, "fields by economic value: a bit for each that has a 1, a 2, a 4 in its sum", 3, internal=True)
    land: int = field(np.int64, "a bit for each field that is no salt sea", internal=True)
    walled: int = field(np.int64, "a bit for each field with nothing but salt sea around", internal=True)
    fates: int = field(np.int32, "a bit for each fate card nobody has seen yet; bit 0 is card 1")
    terrain: Cells = field(np.int8, "the area card on each field", FIELDS)
    owner: Cells = field(np.int8, "the seat whose marker lies on each field, or -1", FIELDS)
    camels: Cells = field(np.int16, "camels on each field; they belong to its owner", FIELDS)
    home: Cells = field(np.int8, "the field of each seat's own settlement, or -1 before it is chosen", 4)
    silver: Cells = field(np.int16, "each seat's money", 4)
    herd: Cells = field(np.int16, "each seat's camels on the board", 4)
    economy: Cells = field(np.int16, "sum of the economic values of the fields each seat has marked", 4)
    box: int = field(np.int16, "camels left in the box")
    round_no: int = field(np.int8, "the round, from 1; 0 while settlements are chosen")
    die: int = field(np.int8, "what was rolled for this round")
    pack: Cells = field(np.int8, "each seat's tribe cards still in this round's pack", 4)
    fate_waits: int = field(np.int8, "1 while this round's fate card is still in the pack")
    fate: int = field(np.int8, "the fate card turned in this round, 0 before that")
    again: int = field(np.int8, "1 while a double turn has its second half to come")
    origin: int = field(np.int8, "the field camels march, attack or move in from, or -1")
    target: int = field(np.int8, "the field they go to or that camels are bought for, or -1")


SCHEMA = schema(State, events=EVENT_ROOM)

# ---------------------------------------------------------------- phases, ends, moves, events

FIELD = Domain("field", FIELD_LABELS, named=False)
NUMBER = span("camels", 1, CAMELS)
COUNT = span("count", 0, 9999)
DIE = span("die", 1, 6)
FATE_CARD = Domain("fate", tuple(str(card) for card in range(1, FATES + 1)), first=1)
AREA = names("area", *AREAS)


class Phases(PhaseEnum):
    """What is asked."""

    SETTLING = auto()
    MARCHING = auto()
    HEADING = auto()
    LEADING = auto()
    FIGHTING = auto()
    ENTERING = auto()
    BUYING = auto()
    PAYING = auto()


class Ends(EndEnum):
    """How a game ends."""

    LAST_SURVIVOR = auto()
    LAST_ROUND = auto()


class Moves(MoveEnum):
    """What may be decided."""

    SETTLE = kind(field=FIELD)
    MARCH = kind(field=FIELD)
    STAY = kind()
    TO = kind(field=FIELD)
    CAMELS = kind(camels=NUMBER)
    STRIKE = kind()
    RETREAT = kind()
    BUY = kind(field=FIELD)
    DONE = kind()


LEAD = Moves.CAMELS - 1  # LEAD + n: n camels


class Events(EventEnum):
    """What happens."""

    LAID = kind()
    SETTLED = kind(seat=SEAT, field=FIELD, area=AREA)
    ROLLED = kind(round=COUNT, die=DIE, cards=COUNT)
    TURN = kind(seat=SEAT)
    AGAIN = kind(seat=SEAT)
    PASSED = kind(seat=SEAT)
    STAYED = kind(seat=SEAT)
    MARCHED = kind(seat=SEAT, origin=FIELD, field=FIELD, camels=COUNT)
    TOOK = kind(seat=SEAT, field=FIELD, loser=SEAT)
    ATTACKED = kind(seat=SEAT, origin=FIELD, field=FIELD, loser=SEAT)
    STRUCK = kind(seat=SEAT, die=DIE, field=FIELD, camels=COUNT)
    RETREATED = kind(seat=SEAT, origin=FIELD, field=FIELD)
    BEATEN = kind(seat=SEAT, origin=FIELD, field=FIELD)
    CONQUERED = kind(seat=SEAT, field=FIELD, loser=SEAT)
    ELIMINATED = kind(seat=SEAT)
    BOUGHT = kind(seat=SEAT, field=FIELD, camels=COUNT)
    FATE = kind(fate=FATE_CARD)
    LOST = kind(seat=SEAT, field=FIELD, camels=COUNT)
    GAINED = kind(seat=SEAT, field=FIELD, camels=COUNT)
    PAID = kind(seat=SEAT, silver=COUNT)
    ROBBED = kind(seat=SEAT, silver=COUNT)
    NOTHING = kind(fate=FATE_CARD)
    INCOME = kind(seat=SEAT, silver=COUNT)
    NO_INCOME = kind(seat=SEAT)
    ROUND_OVER = kind(round=COUNT)
    WON = kind(seat=SEAT, points=COUNT)
