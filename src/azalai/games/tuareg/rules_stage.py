"""The end of a turn, of a stage and of the game, and the points."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Grid, ask, emit, finish, rank

from .components import (
    ALL_GOODS,
    ANIMALS,
    CAVE,
    DONKEY,
    FULL_CAVE,
    FULL_LOAD,
    KINDS,
    LAST_STAGE,
    MAP,
    MOST_CAMELS,
    MOST_THIEVES,
    POINTS,
    SPECIAL_POINTS,
    THIEF,
    TIE,
)
from .rules_animals import has_animal
from .rules_hands import keep_hands, worth_of_hand
from .state import NOBODY, NOTHING, RESHUFFLED, Ends, Events, Phases, State


@rule
def begin_turn(s: State, seat: int) -> None:
    """A seat's turn begins, before its main action."""
    s.acted = s.drew = s.owes = s.started = 0
    s.unfinished = 0
    emit(s, Events.TURN, seat)
    ask(s, seat, Phases.TURN)


@rule
def end_turn(s: State) -> None:
    """The left neighbour comes next, unless the last turn of a stage is over.

    Whoever drew the last card has the last turn too, so the left neighbour also begins the second stage (ruling 22).
    """
    seat = s.seat + 1 if s.seat + 1 < s.seats else 0
    if s.deck_size == 0 and s.turns_left == 0:
        end_stage(s)
        if s.stage == LAST_STAGE:
            end_game(s)
            return
        begin_second_stage(s)
    if s.deck_size == 0:
        s.turns_left -= 1
    begin_turn(s, seat)


# ---------------------------------------------------------------- the end of a stage


@rule
def end_stage(s: State) -> None:
    """Reveal what is hidden, then score the majority of every kind of goods."""
    emit(s, Events.STAGE_OVER, s.stage)
    reveal(s)
    for good in range(KINDS):
        score_majority(s, good)


@rule
def reveal(s: State) -> None:
    """Turn up the goods in caves and under thieves."""
    for seat in range(s.seats):
        for good in range(KINDS):
            s.cave_seen[seat, good] += s.cave_goods[seat, good]
            s.cave_goods[seat, good] = 0
            if s.cave_seen[seat, good] > 0:
                s.revealed = 1
                emit(s, Events.OPENED_CAVE, seat, s.cave_seen[seat, good], good)
    for loot in range(s.loot_count):
        s.revealed = 1
        s.loot_seen[loot] = 1
        emit(s, Events.OPENED_THIEF, s.loot_owner[loot], s.loot_good[loot])


@rule
def goods_of(s: State, seat: int, good: int) -> int:
    """How many goods of a kind count for a seat: on animals, in caves, under thieves, but not in hand."""
    number = s.carried[seat, good] + s.cave_seen[seat, good] + s.cave_goods[seat, good]
    for loot in range(s.loot_count):
        number += s.loot_owner[loot] == seat and s.loot_good[loot] == good
    return number


@rule
def majority(s: State, good: int) -> tuple[int, int]:
    """The most goods of a kind any seat has, and how many seats have so many."""
    most, holders = 0, 0
    for seat in range(s.seats):
        number = goods_of(s, seat, good)
        if number > most:
            most, holders = number, 1
        elif number == most:
            holders += 1
    return most, holders


@rule
def majority_points(good: int, most: int, holders: int) -> int:
    """Points for a majority: less by one for all who tie (ruling 21), none where nobody has a good (ruling 20)."""
    if most == 0:
        return 0
    return POINTS[good] if holders == 1 else POINTS[good] - TIE


@rule
def score_majority(s: State, good: int) -> None:
    """Note the points of whoever has the most goods of a kind."""
    most, holders = majority(s, good)
    if most == 0:
        emit(s, Events.NOBODY, good)
        return
    points = majority_points(good, most, holders)
    for seat in range(s.seats):
        if goods_of(s, seat, good) == most:
            s.points[seat] += points
            emit(s, Events.MAJORITY if holders == 1 else Events.SHARED, seat, good, most, points)


# ---------------------------------------------------------------- the second stage


@rule
def begin_second_stage(s: State) -> None:
    """Used special cards go back, the scored goods become the new deck; hands, market, maps and unused cards stay."""
    s.stage += 1
    for seat in range(s.seats):
        return_caves(s, seat)
        return_thieves(s, seat)
        return_donkeys(s, seat)
        unload(s, seat)
    clear_loot(s)
    if s.options[0] == RESHUFFLED:  # ruling 18: else what was paid is out of the game
        for good in range(KINDS):
            add_to_deck(s, good, s.discard[good])
            s.discard[good] = 0
    emit(s, Events.NEW_DECK, s.deck_size)
    keep_hands(s)
    if s.deck_size == 0:  # ruling 19: nobody had anything to score
        s.turns_left = s.seats


@rule
def add_to_deck(s: State, good: int, number: int) -> None:
    """Goods of a kind go into the deck."""
    s.deck[good] += number
    s.deck_size += number


@rule
def return_caves(s: State, seat: int) -> None:
    """Caves with even one good in them go back to their stack (ruling 16)."""
    used = 0
    for goods in range(1, FULL_CAVE + 1):
        used += s.caves[seat, goods]
        s.caves[seat, goods] = 0
    for good in range(KINDS):
        add_to_deck(s, good, s.cave_seen[seat, good])
        s.cave_seen[seat, good] = 0
    give_back(s, seat, CAVE, used)


@rule
def return_thieves(s: State, seat: int) -> None:
    """Thieves that have stolen go back to their stack."""
    used = 0
    for loot in range(s.loot_count):
        if s.loot_owner[loot] == seat:
            used += 1
            add_to_deck(s, s.loot_good[loot], 1)
    give_back(s, seat, THIEF, used)


@rule
def return_donkeys(s: State, seat: int) -> None:
    """Donkeys that carry goods now go back; an empty one stays, whatever it once carried (ruling 17)."""
    used = 0
    for animal in range(MOST_CAMELS, ANIMALS):
        used += s.height[seat, animal] > 0
    s.donkeys[seat] -= used
    give_back(s, seat, DONKEY, used)


@rule
def give_back(s: State, seat: int, special: int, number: int) -> None:
    """Special cards of a seat go back to their stack, where all can buy them again."""
    if number > 0:
        s.stack[special] += number
        emit(s, Events.RETURNED, seat, number, special)


@rule
def unload(s: State, seat: int) -> None:
    """All goods on a seat's animals go into the new deck."""
    for good in range(KINDS):
        add_to_deck(s, good, s.carried[seat, good])
        s.carried[seat, good] = 0
    for animal in range(ANIMALS):
        s.height[seat, animal] = 0
        s.fits[seat, animal] = ALL_GOODS if has_animal(s, seat, animal) else 0
        for place in range(FULL_LOAD):
            s.load[seat, animal, place] = NOTHING


@rule
def clear_loot(s: State) -> None:
    """No thief has stolen yet."""
    s.loot_count = 0
    for loot in range(MOST_THIEVES):
        s.loot_good[loot] = NOTHING
        s.loot_owner[loot] = s.loot_victim[loot] = NOBODY
        s.loot_seen[loot] = 0


# ---------------------------------------------------------------- the end of the game


@rule
def end_game(s: State) -> None:
    """Special cards that were not used bring points at the end of the game only (rulings 14 and 15)."""
    for seat in range(s.seats):
        points = special_points(s, seat)
        s.points[seat] += points
        emit(s, Events.SPECIALS, seat, points)
    finish(s, Ends.SECOND_STAGE)


@rule
def special_points(s: State, seat: int) -> int:
    """Points for the special cards a seat has not used, and for its maps."""
    empty_donkeys = s.donkeys[seat]
    for animal in range(MOST_CAMELS, ANIMALS):
        empty_donkeys -= s.height[seat, animal] > 0
    return (
        empty_donkeys * SPECIAL_POINTS[DONKEY]
        + s.caves[seat, 0] * SPECIAL_POINTS[CAVE]
        + s.thieves[seat] * SPECIAL_POINTS[THIEF]
        + s.maps[seat] * SPECIAL_POINTS[MAP]
    )


@rule
def score(s: State, out: Grid) -> None:
    """Points and places: final ones at the end, else as if stage and game ended now, by what lies open to the viewer."""
    for seat in range(s.seats):
        out[seat, 0] = s.points[seat]
        if not s.over:
            out[seat, 0] += special_points(s, seat)
    if not s.over:
        for good in range(KINDS):
            most, holders = majority(s, good)
            for seat in range(s.seats):
                if goods_of(s, seat, good) == most:
                    out[seat, 0] += majority_points(good, most, holders)
    for seat in range(s.seats):
        out[seat, 2] = out[seat, 0] * 100
        if s.over:  # ruling 23: who ties is parted by the worth of the hand; still equal, the win is shared
            out[seat, 2] += worth_of_hand(s, seat)
    rank(s, out)
