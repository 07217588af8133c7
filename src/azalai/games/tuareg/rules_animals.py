"""Camels and donkeys: how they are loaded and unloaded."""

from __future__ import annotations

from azalai.engine.rule import rule

from .components import ALL_GOODS, ANIMALS, CAMEL_GOLD, CAMELS, FULL_LOAD, GOLD, KINDS, MOST_CAMELS, WATER
from .state import NOTHING, State


@rule
def load_on_top(s: State, seat: int, animal: int, good: int) -> None:
    """Lay a good onto an animal. New goods always go on top."""
    s.load[seat, animal, s.height[seat, animal]] = good
    s.height[seat, animal] += 1
    s.carried[seat, good] += 1
    s.fits[seat, animal] = what_fits(s, seat, animal)


@rule
def take_from_top(s: State, seat: int, animal: int) -> int:
    """Take the free-lying good from an animal."""
    height = s.height[seat, animal] - 1
    good = s.load[seat, animal, height]
    s.load[seat, animal, height] = NOTHING
    s.height[seat, animal] = height
    s.carried[seat, good] -= 1
    s.fits[seat, animal] = what_fits(s, seat, animal)
    return good


@rule
def what_fits(s: State, seat: int, animal: int) -> int:
    """The goods an animal can be loaded with next, a bit each. Its present load counts, not what it once carried (ruling 7)."""
    height = s.height[seat, animal]
    if height == FULL_LOAD:
        return 0
    if height == 0 or animal >= MOST_CAMELS:  # a donkey carries anything in any order
        return ALL_GOODS
    bottom, top = s.load[seat, animal, 0], s.load[seat, animal, height - 1]
    if top == WATER:  # water travels alone
        return 1 << WATER
    fitting = 1 << top
    if top == bottom:  # no change of goods yet: one is allowed, so a camel never has more than two kinds
        fitting = ALL_GOODS & ~(1 << WATER)
    if gold_on(s, seat, animal) == CAMEL_GOLD:
        fitting &= ~(1 << GOLD)
    return fitting


@rule
def gold_on(s: State, seat: int, animal: int) -> int:
    """How much gold an animal carries."""
    gold = 0
    for place in range(s.height[seat, animal]):
        gold += s.load[seat, animal, place] == GOLD
    return gold


@rule
def room_for(s: State, seat: int, animal: int, good: int) -> int:
    """How many goods of a kind that fits can be loaded onto an animal."""
    room = FULL_LOAD - s.height[seat, animal]
    if good == GOLD and animal < MOST_CAMELS:
        room = min(room, CAMEL_GOLD - gold_on(s, seat, animal))
    return room


@rule
def fits_anywhere(s: State, seat: int) -> int:
    """The goods that any animal of a seat can be loaded with, a bit each."""
    fitting = 0
    for animal in range(ANIMALS):
        fitting |= s.fits[seat, animal]
    return fitting


@rule
def is_spare(s: State, seat: int, animal: int) -> bool:
    """Whether an animal is empty just like the one before it: nobody needs to be asked which of the two to load."""
    if animal == 0 or animal == MOST_CAMELS or s.height[seat, animal] > 0:
        return False
    first = 0 if animal < MOST_CAMELS else MOST_CAMELS
    for other in range(first, animal):
        if s.height[seat, other] == 0:
            return True
    return False


@rule
def goods_on_animals(s: State, seat: int) -> int:
    """How many goods all animals of a seat carry."""
    number = 0
    for good in range(KINDS):
        number += s.carried[seat, good]
    return number


@rule
def has_animal(s: State, seat: int, animal: int) -> bool:
    """Whether a place in the seat's caravan has an animal: camels come first, then donkeys."""
    if animal < MOST_CAMELS:
        return seat < s.seats and animal < CAMELS[s.seats]
    return animal < MOST_CAMELS + s.donkeys[seat]
