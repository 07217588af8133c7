"""What holds in every position: no card is created or lost, and nothing lies where it must not."""

from __future__ import annotations

from azalai.engine.rule import rule

from .components import (
    ANIMALS,
    CAMEL_GOLD,
    CAVE,
    COPIES,
    DONKEY,
    DRAWN,
    FULL_LOAD,
    GOLD,
    HAND_LIMIT,
    KINDS,
    LAST_STAGE,
    MAP,
    MOST_CAMELS,
    STACKS,
    THIEF,
    WATER,
)
from .rules_animals import has_animal, what_fits
from .rules_stage import goods_of
from .state import NOTHING, Phases, State

INVARIANTS = (
    "there are as many goods of each kind as in the box",
    "there are as many special cards of each kind as in the box",
    "every number of cards is the number of these cards",
    "animals carry their goods from the bottom, by the loading rules, and what fits on top is known",
    "nobody has more goods in hand than allowed",
    "caves hide as many goods as they say, and every thief that has stolen has a good",
    "goods that were kept from stage one and not shown since are still in hand or lie face down",
    "what belongs to a single move is blank outside of it",
)


@rule
def invariant(s: State) -> int:
    """0, or the number of the first broken invariant."""
    if not goods_are_complete(s):
        return 1
    if not specials_are_complete(s):
        return 2
    if not sizes_are_right(s):
        return 3
    if not loads_are_right(s):
        return 4
    if not hands_are_right(s):
        return 5
    if not hiding_places_are_right(s):
        return 6
    if not memory_is_right(s):
        return 7
    if not move_is_clean(s):
        return 8
    return 0


@rule
def goods_are_complete(s: State) -> bool:
    for good in range(KINDS):
        number = s.deck[good] + s.market[good] + s.discard[good]
        for seat in range(s.seats):
            number += s.hand[seat, good] + goods_of(s, seat, good)
        if number != COPIES[good]:
            return False
    return True


@rule
def specials_are_complete(s: State) -> bool:
    donkeys, caves, thieves, maps = s.stack[DONKEY], s.stack[CAVE], s.stack[THIEF] + s.loot_count, s.stack[MAP]
    for seat in range(s.seats):
        donkeys += s.donkeys[seat]
        caves += s.caves[seat, 0] + s.caves[seat, 1] + s.caves[seat, 2]
        thieves += s.thieves[seat]
        maps += s.maps[seat]
    ready = STACKS[s.seats]
    return donkeys == ready[DONKEY] and caves == ready[CAVE] and thieves == ready[THIEF] and maps == ready[MAP]


@rule
def sizes_are_right(s: State) -> bool:
    in_deck = 0
    for good in range(KINDS):
        in_deck += s.deck[good]
        if s.deck[good] < 0 or s.market[good] < 0 or s.discard[good] < 0:
            return False
    for seat in range(s.seats):
        in_hand = 0
        for good in range(KINDS):
            in_hand += s.hand[seat, good]
            if s.hand[seat, good] < 0 or s.cave_goods[seat, good] < 0 or s.cave_seen[seat, good] < 0:
                return False
        if in_hand != s.hand_size[seat]:
            return False
    return in_deck == s.deck_size and 0 <= s.turns_left <= s.seats


@rule
def loads_are_right(s: State) -> bool:
    for seat in range(len(s.hand_size)):
        carried = 0
        for good in range(KINDS):
            carried += s.carried[seat, good]
            if s.carried[seat, good] < 0:
                return False
        for animal in range(ANIMALS):
            height = s.height[seat, animal]
            carried -= height
            if not has_animal(s, seat, animal):
                if height > 0 or s.fits[seat, animal] > 0:
                    return False
            elif s.fits[seat, animal] != what_fits(s, seat, animal) or not is_well_loaded(s, seat, animal):
                return False
            for place in range(FULL_LOAD):
                if (s.load[seat, animal, place] == NOTHING) != (place >= height):
                    return False
        if carried != 0:
            return False
    return True


@rule
def is_well_loaded(s: State, seat: int, animal: int) -> bool:
    """The loading rules of camels, told another way than in `what_fits`."""
    if animal >= MOST_CAMELS:
        return True
    changes, water, gold = 0, 0, 0
    for place in range(s.height[seat, animal]):
        good = s.load[seat, animal, place]
        water += good == WATER
        gold += good == GOLD
        changes += place > 0 and s.load[seat, animal, place - 1] != good
    return changes <= 1 and gold <= CAMEL_GOLD and (water == 0 or water == s.height[seat, animal])


@rule
def hands_are_right(s: State) -> bool:
    for seat in range(s.seats):
        limit = HAND_LIMIT
        if seat == s.seat and s.drew:
            limit += DRAWN
        if s.hand_size[seat] > limit:
            return False
    return True


@rule
def hiding_places_are_right(s: State) -> bool:
    for seat in range(s.seats):
        hidden = s.caves[seat, 1] + 2 * s.caves[seat, 2]
        for good in range(KINDS):
            hidden -= s.cave_goods[seat, good] + s.cave_seen[seat, good]
        if hidden != 0:
            return False
    for loot in range(s.loot_count):
        if s.loot_good[loot] == NOTHING or s.loot_owner[loot] == s.loot_victim[loot]:
            return False
    return s.started <= s.caves[s.seat, 1] or s.over > 0


@rule
def memory_is_right(s: State) -> bool:
    for seat in range(s.seats):
        number = s.kept_count[seat]
        if s.stage < LAST_STAGE and number > 0:
            return False
        for good in range(KINDS):
            number -= s.kept[seat, good]
            left = s.kept[seat, good] - s.shown[seat, good] - s.hand[seat, good] - s.cave_goods[seat, good]
            for loot in range(s.loot_count):
                left -= s.loot_victim[loot] == seat and not s.loot_seen[loot] and s.loot_good[loot] == good
            if left > 0 and not s.over:
                return False
        if number != 0:
            return False
    for good in range(KINDS):
        number = s.kept_goods[good]
        for seat in range(s.seats):
            number -= s.kept[seat, good]
        if number != 0:
            return False
    return True


@rule
def move_is_clean(s: State) -> bool:
    """Outside of composed moves nothing of them is left over."""
    if s.phase <= Phases.AFTER:
        return s.animal + s.good + s.special + s.cave + s.victim == 5 * NOTHING and s.put_on + s.paid_dinar[1] == 0
    return (s.cave != NOTHING) == (s.phase == Phases.HIDE) and (s.victim != NOTHING) == (s.phase == Phases.STEAL)
