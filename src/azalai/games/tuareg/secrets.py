"""What a seat may not know, and a guess at it."""

from __future__ import annotations

from azalai.engine.rng import below
from azalai.engine.rule import rule

from .components import COPIES, KINDS, LAST_STAGE
from .rules import legal
from .rules_hands import pick
from .state import MOST_MOVES, NOTHING, State

TRIES = 10_000  # deals that are thrown away because they contradict what is known; far more than ever needed


@rule
def hide(s: State, seat: int) -> None:
    """Blank the deck, the hands of others, and the goods in caves and under thieves that the seat has not seen go there."""
    for good in range(KINDS):
        s.deck[good] = 0
    for other in range(s.seats):
        if other != seat:
            for good in range(KINDS):
                s.hand[other, good] = 0
                s.cave_goods[other, good] = 0
                s.kept[other, good] = 0
    for loot in range(s.loot_count):
        if not knows_loot(s, seat, loot):
            s.loot_good[loot] = NOTHING
    for i in range(MOST_MOVES):
        s.menu[i] = 0


@rule
def knows_loot(s: State, seat: int, loot: int) -> bool:
    """Whether a seat knows what lies under a thief: all know what came from an animal, thief and victim what came from a hand."""
    return s.loot_seen[loot] == 1 or s.loot_owner[loot] == seat or s.loot_victim[loot] == seat


@rule
def determinize(s: State, seat: int) -> None:
    """Deal the goods the seat has not seen at random to all places it cannot see.

    Deals that cannot be true are thrown away: whoever is in the middle of loading or paying has goods to go on with.
    """
    for _ in range(TRIES):
        gather_unseen(s, seat)
        if s.stage == LAST_STAGE:
            deal_kept(s, seat)
        deal_rest(s, seat)
        if not s.unfinished or legal(s, s.menu) > 0:
            return
        hide(s, seat)


@rule
def gather_unseen(s: State, seat: int) -> None:
    """All goods that the seat sees nowhere go into the deck."""
    for good in range(KINDS):
        s.deck[good] = COPIES[good] - s.market[good] - s.discard[good]
        for owner in range(s.seats):
            s.deck[good] -= s.hand[owner, good] + s.carried[owner, good] + s.cave_goods[owner, good] + s.cave_seen[owner, good]
    for loot in range(s.loot_count):
        if s.loot_good[loot] != NOTHING:
            s.deck[s.loot_good[loot]] -= 1


@rule
def deal_rest(s: State, seat: int) -> None:
    """Fill hands, caves and thieves from the unseen goods, each good as likely as any other; what is left is the deck."""
    unseen = 0
    for good in range(KINDS):
        unseen += s.deck[good]
    for other in range(s.seats):
        if other != seat:
            for _ in range(missing_in_hand(s, other)):
                s.hand[other, deal_one(s, unseen)] += 1
                unseen -= 1
            for _ in range(missing_in_caves(s, other)):
                s.cave_goods[other, deal_one(s, unseen)] += 1
                unseen -= 1
    for loot in range(s.loot_count):
        if s.loot_good[loot] == NOTHING:
            s.loot_good[loot] = deal_one(s, unseen)
            unseen -= 1


@rule
def deal_one(s: State, unseen: int) -> int:
    """One of the unseen goods."""
    good = pick(s.deck, below(s, unseen))
    s.deck[good] -= 1
    return good


@rule
def missing_in_hand(s: State, seat: int) -> int:
    """Goods in a seat's hand of which the kind is not known."""
    missing = s.hand_size[seat]
    for good in range(KINDS):
        missing -= s.hand[seat, good]
    return missing


@rule
def missing_in_caves(s: State, seat: int) -> int:
    """Goods in a seat's caves of which the kind is not known."""
    missing = s.caves[seat, 1] + 2 * s.caves[seat, 2]
    for good in range(KINDS):
        missing -= s.cave_goods[seat, good] + s.cave_seen[seat, good]
    return missing


# ---------------------------------------------------------------- the second stage: goods that were kept, and are not in the deck


@rule
def deal_kept(s: State, seat: int) -> None:
    """Guess what the others kept from stage one, and lay what they have not shown since into their hands, caves or loot.

    By counting, the seat knows which goods all others have kept together, but not who kept which: every distribution that agrees
    with what was shown is as likely as any other.
    """
    for _ in range(TRIES):
        guess_kept(s, seat)
        if is_possible(s, seat):
            for other in range(s.seats):
                if other != seat:
                    for good in range(KINDS):
                        for _ in range(not_shown(s, seat, other, good)):
                            lay_kept(s, seat, other, good)
            return


@rule
def guess_kept(s: State, seat: int) -> None:
    """Deal the goods that the others have kept together to each of them. The goods to deal are counted down in `kept_goods`."""
    left = 0
    for good in range(KINDS):
        if seat >= 0:
            s.kept_goods[good] -= s.kept[seat, good]
        left += s.kept_goods[good]
    for other in range(s.seats):
        if other != seat:
            for good in range(KINDS):
                s.kept[other, good] = 0
            for _ in range(s.kept_count[other]):
                good = pick(s.kept_goods, below(s, left))
                s.kept_goods[good] -= 1
                left -= 1
                s.kept[other, good] += 1
    for owner in range(s.seats):
        for good in range(KINDS):
            s.kept_goods[good] += s.kept[owner, good]


@rule
def is_possible(s: State, seat: int) -> bool:
    """Whether there is room for what each of the others has kept and not shown, and none of it is seen elsewhere."""
    for good in range(KINDS):
        needed = 0
        for other in range(s.seats):
            if other != seat:
                needed += not_shown(s, seat, other, good)
        if needed > s.deck[good]:
            return False
    for other in range(s.seats):
        if other != seat:
            needed = 0
            for good in range(KINDS):
                needed += not_shown(s, seat, other, good)
            if needed > s.kept_most[other] + missing_in_caves(s, other) + missing_loot(s, seat, other):
                return False
    return True


@rule
def not_shown(s: State, seat: int, other: int, good: int) -> int:
    """Of the goods another seat has kept, how many have not come to light, counting what this seat's thieves saw in its hand."""
    number = s.kept[other, good] - s.shown[other, good]
    for loot in range(s.loot_count):
        if not s.loot_seen[loot] and s.loot_owner[loot] == seat and s.loot_victim[loot] == other:
            number -= s.loot_good[loot] == good
    return max(0, number)


@rule
def missing_loot(s: State, seat: int, victim: int) -> int:
    """Goods stolen from a hand of which the kind is not known to this seat."""
    missing = 0
    for loot in range(s.loot_count):
        missing += s.loot_victim[loot] == victim and not knows_loot(s, seat, loot)
    return missing


@rule
def lay_kept(s: State, seat: int, other: int, good: int) -> None:
    """Lay a kept good into any place where it can be: the hand, a cave, or under a thief that robbed this hand."""
    s.deck[good] -= 1
    in_hand = missing_in_hand(s, other) - s.hand_size[other] + s.kept_most[other]
    in_caves = missing_in_caves(s, other)
    stolen = 0
    for loot in range(s.loot_count):
        stolen += s.loot_victim[loot] == other and s.loot_good[loot] == NOTHING
    place = below(s, in_hand + in_caves + stolen)
    if place < in_hand:
        s.hand[other, good] += 1
    elif place < in_hand + in_caves:
        s.cave_goods[other, good] += 1
    else:
        place -= in_hand + in_caves
        for loot in range(s.loot_count):
            if s.loot_victim[loot] == other and s.loot_good[loot] == NOTHING:
                if place == 0:
                    s.loot_good[loot] = good
                place -= 1
