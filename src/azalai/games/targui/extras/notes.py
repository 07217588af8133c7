"""More for a view than the bare fields: the desert in words, and what is left to come."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, TypedDict

from ..components import (
    AREAS,
    CLIMATE_CHANGE,
    CLIMATE_STRATEGIC,
    ECONOMIC,
    ERG,
    FATES,
    MOUNTAIN,
    MOUNTAIN_SILVER,
    SILVER_FOUND,
    STRATEGIC,
)


class AreaNotes(TypedDict):
    """An area card: its name, and its values as they count now."""

    area: str
    strategic: int
    economic: int


class Notes(TypedDict):
    """What `notes` adds to a view."""

    areas: list[AreaNotes]  # by the numbers in `terrain`
    alive: list[bool]
    rounds: int
    cards_left: int
    fates_left: list[int]


def values(s: Any, field: int) -> tuple[int, int]:
    """The strategic and the economic value of a field as they count now."""
    return values_of(int(s.terrain[field]), int(s.fate))


@functools.cache
def values_of(area: int, fate: int) -> tuple[int, int]:
    """The values of an area while a fate card lies open: numbers 13 and 16 change them for a round."""
    strategic = CLIMATE_STRATEGIC if area == ERG and fate == CLIMATE_CHANGE else STRATEGIC[area]
    economic = MOUNTAIN_SILVER if area == MOUNTAIN and fate == SILVER_FOUND else ECONOMIC[area]
    return int(strategic), int(economic)


def alive(s: Any, seat: int) -> bool:
    """Whether a player is in the game; before all settlements are chosen everybody is."""
    return bool(s.round_no == 0 or int(s.marks[seat]))


def fates_left(s: Any) -> list[int]:
    """The fate cards nobody has seen yet."""
    return cards_among(int(s.fates))


def cards_among(fates: int) -> list[int]:
    """The numbers of fate cards in a set of them."""
    return [card for card in range(1, FATES + 1) if fates >> card - 1 & 1]


def rounds(s: Any) -> int:
    """How many rounds the game has: one for each fate card."""
    return int(s.round_no) + len(fates_left(s)) - int(s.fate_waits)


@functools.cache
def areas_under(fate: int) -> list[AreaNotes]:
    """All area cards while a fate card lies open."""
    found: list[AreaNotes] = []
    for area, name in enumerate(AREAS):
        strategic, economic = values_of(area, fate)
        found.append({"area": name, "strategic": strategic, "economic": economic})
    return found


def notes(s: Any, plain: Mapping[str, Any]) -> Notes:
    """For `view`: the area cards with their values, who is in the game, the cards in the pack and the fate cards to come.

    The list of areas is the same object in all views: do not write to it.
    """
    number, waits = plain["round_no"], plain["fate_waits"]
    left = cards_among(plain["fates"])
    return {
        "areas": areas_under(plain["fate"]),
        "alive": [number == 0 or seat in plain["owner"] for seat in range(plain["seats"])],
        "rounds": number + len(left) - waits,
        "cards_left": sum(plain["pack"]) + waits,
        "fates_left": left,
    }
