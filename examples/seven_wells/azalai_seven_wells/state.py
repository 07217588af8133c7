"""What a game of Seven Wells is: its numbers, its record, its phases and ends, its moves and events."""

from __future__ import annotations

from enum import auto

import numpy as np

from azalai.engine.components import load_components
from azalai.engine.moves import SEAT, Domain, EndEnum, EventEnum, MoveEnum, PhaseEnum, kind, span
from azalai.engine.schema import Cells, Header, field, schema

COMPONENTS = load_components(str(__package__))
WATER = np.array(COMPONENTS["wells"])  # what the wells hold, before they are shuffled
WELLS = len(WATER)
SCOUTS = COMPONENTS["scouts"]
MOST_SEATS = COMPONENTS["game"]["players"][-1]
NOBODY, UNKNOWN = -1, -1

WELL = Domain("well", tuple(str(number) for number in range(1, WELLS + 1)))
SKINS = span("skins", 0, int(WATER.max()))


class State(Header):
    """The record of a game."""

    water: Cells = field(np.int8, "skins of water in each well; -1 where the viewer has not looked", WELLS)
    owner: Cells = field(np.int8, "the seat that has claimed each well, or -1", WELLS)
    seen: Cells = field(np.int8, "the seats that have looked into each well, a bit each", WELLS)
    scouted: Cells = field(np.int8, "how often each seat has looked into a well", MOST_SEATS)


SCHEMA = schema(State, events=4)


class Phases(PhaseEnum):
    """What is asked."""

    CHOOSING = auto()


class Ends(EndEnum):
    """How a game ends."""

    ALL_CLAIMED = auto()


class Moves(MoveEnum):
    """What may be decided."""

    SCOUT = kind(well=WELL)
    CLAIM = kind(well=WELL)


class Events(EventEnum):
    """What happens."""

    SCOUTED = kind(seat=SEAT, well=WELL)
    FOUND = kind(well=WELL, skins=SKINS)
    CLAIMED = kind(seat=SEAT, well=WELL, skins=SKINS)
