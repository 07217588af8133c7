"""The robber, and the raids on the corners of the frame."""

from __future__ import annotations

from azalai.engine.rule import rule
from azalai.engine.schema import Cells, ask, emit

from .components import CROSSES, GOLD, KINDS, POWER_RAID_FREE, POWER_RAID_REWARD, RAID_CROSSES, RAID_GOLD, RAID_GOODS
from .rules_goods import gain, goods_of
from .state import Events, Moves, Phases, State


@rule
def raid_players(s: State) -> bool:
    """Let both give what the present raid demands, the start player first. False as long as one must be asked."""
    while s.raided < 2:
        seat = s.start + 0 if s.raided == 0 else 1 - s.start
        if not raid_player(s, seat):
            return False
        s.raided += 1
    s.raided = 0
    return True


@rule
def raid_player(s: State, seat: int) -> bool:
    """What the raid does to one player; False when there is a choice to ask for."""
    if is_spared(s, seat):
        if may_gain(s, seat):
            ask(s, seat, Phases.RAID)
            return False
        spare(s, seat)
        return True
    goods, crosses = can_give_goods(s, seat), can_give_crosses(s, seat)
    if goods and crosses:
        ask(s, seat, Phases.RAID)
        return False
    if crosses:
        give_crosses(s, seat)
        return True
    if goods:
        return give_without_crosses(s, seat)
    emit(s, Events.UNPAID, seat)  # the opponent gains what should have been lost; the player gives nothing else (ruling)
    gain(s, 1 - seat, CROSSES, RAID_CROSSES[s.robber])
    return True


@rule
def is_spared(s: State, seat: int) -> bool:
    """T29: the seat need not give anything."""
    return s.power[seat, POWER_RAID_FREE] > 0


@rule
def may_gain(s: State, seat: int) -> bool:
    """Whether a spared seat could pay all the same, for the reward of T31 (ruling).

    It is not asked where it has nothing but crosses to give, and no more of them would come back.
    """
    reward = s.power[seat, POWER_RAID_REWARD]
    if reward == 0:
        return False
    return can_give_goods(s, seat) or (can_give_crosses(s, seat) and reward > RAID_CROSSES[s.robber])


@rule
def spare(s: State, seat: int) -> None:
    """The seat gives nothing, and gains nothing."""
    emit(s, Events.SPARED, seat)


@rule
def can_give_goods(s: State, seat: int) -> bool:
    """Whether the seat has the goods, or the gold, that the raid demands."""
    if RAID_GOLD[s.robber] > 0:
        return s.stock[seat, GOLD] >= RAID_GOLD[s.robber]
    return goods_of(s, seat) >= RAID_GOODS[s.robber]


@rule
def can_give_crosses(s: State, seat: int) -> bool:
    """Whether the seat has the crosses; those printed on cards do not count."""
    return s.stock[seat, CROSSES] >= RAID_CROSSES[s.robber]


@rule
def legal_raided(s: State, seat: int, out: Cells) -> int:
    """The first of the goods to give, or the gold, or the crosses; with T29 also nothing."""
    n = 0
    if can_give_goods(s, seat):
        if RAID_GOLD[s.robber] > 0:
            out[0] = Moves.GIVE + GOLD
            n = 1
        else:
            n = legal_giving(s, seat, out)
    if can_give_crosses(s, seat):
        out[n] = Moves.GIVE + CROSSES
        n += 1
    if is_spared(s, seat):
        out[n] = Moves.DONE
        n += 1
    return n


@rule
def legal_giving(s: State, seat: int, out: Cells) -> int:
    """Any good the seat has."""
    n = 0
    for good in range(KINDS):
        if s.stock[seat, good] > 0:
            out[n] = Moves.GIVE + good
            n += 1
    return n


@rule
def answer_raid(s: State, seat: int, move: int) -> bool:
    """Give something or, spared by T29, nothing. True when the raid has all it demands of this player."""
    if move == Moves.DONE:
        spare(s, seat)
        return True
    return give(s, seat, move - Moves.GIVE)


@rule
def give(s: State, seat: int, stuff: int) -> bool:
    """Give crosses, gold, or one good; likewise."""
    if stuff == CROSSES:
        give_crosses(s, seat)
        return True
    if stuff == GOLD:
        give_all(s, seat, GOLD, RAID_GOLD[s.robber])
        return reward(s, seat)
    if s.choices == 0:
        s.choices = RAID_GOODS[s.robber]
    give_all(s, seat, stuff, 1)
    s.choices -= 1
    return go_on_giving(s, seat)


@rule
def give_without_crosses(s: State, seat: int) -> bool:
    """Give goods or gold where there are too few crosses."""
    if RAID_GOLD[s.robber] > 0:
        return give(s, seat, GOLD)
    s.choices = RAID_GOODS[s.robber]
    return go_on_giving(s, seat)


@rule
def go_on_giving(s: State, seat: int) -> bool:
    """Ask for the next good to give; not when all that is left must go, or is of one kind."""
    if s.choices == 0:
        return reward(s, seat)
    kinds, left = 0, goods_of(s, seat)
    for good in range(KINDS):
        kinds += s.stock[seat, good] > 0
    if kinds > 1 and left > s.choices:
        s.unfinished = 1
        ask(s, seat, Phases.RAID_GOODS)
        return False
    for good in range(KINDS):
        count = min(s.choices, s.stock[seat, good])
        if count > 0:
            give_all(s, seat, good, count)
            s.choices -= count
    return reward(s, seat)


@rule
def give_crosses(s: State, seat: int) -> None:
    """Pay with crosses."""
    give_all(s, seat, CROSSES, RAID_CROSSES[s.robber])
    reward(s, seat)


@rule
def give_all(s: State, seat: int, stuff: int, count: int) -> None:
    """Put so much back into the supply."""
    s.stock[seat, stuff] -= count
    emit(s, Events.GAVE, seat, stuff, count)


@rule
def reward(s: State, seat: int) -> bool:
    """T31: a cross for whoever has paid."""
    s.unfinished = 0
    count = s.power[seat, POWER_RAID_REWARD]
    if count > 0:
        s.stock[seat, CROSSES] += count
        emit(s, Events.REWARDED, seat, CROSSES, count)
    return True
