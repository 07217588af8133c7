"""Caves and thieves: free uses at any moment of the own turn, also in the turn they were bought (ruling 3)."""

from __future__ import annotations

from azalai.engine.rng import draw
from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit, tell

from .components import ANIMALS, KINDS
from .rules_actions import go_on
from .rules_animals import goods_on_animals, take_from_top
from .rules_hands import pick, slip_from_hand
from .state import NOBODY, NOTHING, Events, Moves, Phases, State


@rule
def free_uses(s: State, out: Cells, n: int) -> int:
    """List the caves that can take a good now, and the seats a thief can rob."""
    seat = s.seat
    if s.caves[seat, 0] + s.caves[seat, 1] > 0 and (can_hide_from_hand(s) or goods_on_animals(s, seat) > 0):
        if s.caves[seat, 0] > 0:
            out[n] = Moves.CAVE
            n += 1
        if s.caves[seat, 1] > s.started:  # one good a turn and cave
            out[n] = Moves.CAVE + 1
            n += 1
    if s.thieves[seat] > 0:
        for victim in range(s.seats):
            if victim != seat and has_goods(s, victim):  # ruling 13: from an empty hand there is nothing to steal
                out[n] = Moves.ROB + victim
                n += 1
    return n


@rule
def has_goods(s: State, seat: int) -> bool:
    """Whether a seat has any good in hand or on an animal."""
    return s.hand_size[seat] > 0 or goods_on_animals(s, seat) > 0


# ---------------------------------------------------------------- caves


@rule
def begin_hide(s: State, cave: int) -> None:
    """Choose a cave: an empty one, or one that hides a good already."""
    s.cave = cave
    s.unfinished = 1
    ask(s, s.seat, Phases.HIDE)


@rule
def can_hide_from_hand(s: State) -> bool:
    """Whether a good in hand may be hidden: the one that is due to the market may not (ruling 5)."""
    return s.hand_size[s.seat] > s.owes


@rule
def goods_to_hide(s: State, out: Cells, n: int) -> int:
    """List what can be hidden: a good from the hand, or the free-lying good of an animal."""
    for good in range(KINDS):
        if s.hand[s.seat, good] > 0 and can_hide_from_hand(s):
            out[n] = Moves.HIDE + good
            n += 1
    for animal in range(ANIMALS):
        if s.height[s.seat, animal] > 0:
            out[n] = Moves.HIDE + KINDS + animal
            n += 1
    return n


@rule
def hide_good(s: State, source: int) -> None:
    """Lay a good face down under the cave. All know it when it came from an animal (ruling 12)."""
    seat, cave = s.seat, s.cave
    if source < KINDS:
        slip_from_hand(s, seat, source)
        s.cave_goods[seat, source] += 1
        emit(s, Events.HID, seat, cave)
        tell(s, 1 << seat, Events.HID_GOOD, seat, source)
    else:
        good = take_from_top(s, seat, source - KINDS)
        s.cave_seen[seat, good] += 1
        emit(s, Events.HID_SEEN, seat, good, source - KINDS, cave)
    s.caves[seat, cave] -= 1
    s.caves[seat, cave + 1] += 1
    s.started += cave == 0
    s.cave = NOTHING
    go_on(s)


# ---------------------------------------------------------------- thieves


@rule
def begin_rob(s: State, victim: int) -> None:
    """Choose whom to rob."""
    s.victim = victim
    s.unfinished = 1
    ask(s, s.seat, Phases.STEAL)


@rule
def places_to_rob(s: State, out: Cells, n: int) -> int:
    """List where a thief can steal: in the hand, or from an animal. Caves, thieves and the market are safe (ruling 11)."""
    if s.hand_size[s.victim] > 0:
        out[n] = Moves.STEAL
        n += 1
    for animal in range(ANIMALS):
        if s.height[s.victim, animal] > 0:
            out[n] = Moves.STEAL + 1 + animal
            n += 1
    return n


@rule
def steal(s: State, place: int) -> None:
    """Steal blindly from a hand, which thief and victim see, or the free-lying good of an animal, which all see (ruling 12)."""
    seat, victim, loot = s.seat, s.victim, s.loot_count
    if place == 0:
        good = pick(s.hand[victim], draw(s, s.hand_size[victim]))
        slip_from_hand(s, victim, good)
        emit(s, Events.STOLE, seat, victim)
        tell(s, 1 << seat | 1 << victim, Events.STOLE_GOOD, seat, good, victim)
    else:
        good = take_from_top(s, victim, place - 1)
        emit(s, Events.STOLE_SEEN, seat, good, victim, place - 1)
    s.thieves[seat] -= 1
    s.loot_good[loot] = good
    s.loot_owner[loot] = seat
    s.loot_victim[loot] = victim
    s.loot_seen[loot] = place > 0
    s.loot_count = loot + 1
    s.victim = NOBODY
    go_on(s)
