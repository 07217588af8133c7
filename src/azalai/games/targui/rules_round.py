"""A round: the die, the shuffled pack, whose turn it is, and the income at the end."""

from __future__ import annotations

from azalai.engine.rng import draw
from azalai.engine.rule import rule
from azalai.engine.schema import ask, emit, finish

from .components import DOUBLE_TURN
from .rules_board import alive
from .rules_fate import income, turn_fate
from .state import MANY_EVENTS, Ends, Events, Phases, State


@rule
def begin_round(s: State) -> None:
    """The die says how many tribe cards each player gives; the top fate card joins them unseen."""
    s.round_no += 1
    s.die = 1 + draw(s, 6)
    cards = 1 if s.die == DOUBLE_TURN else s.die
    for seat in range(s.seats):
        s.pack[seat] = cards if alive(s, seat) else 0  # ruling 19
    s.fate_waits = 1
    s.fate = 0
    emit(s, Events.ROLLED, s.round_no, s.die, cards)


@rule
def next_turn(s: State) -> None:
    """Turn cards over until one calls a player who can do something. The pack is drawn from blindly: its order is not kept."""
    while not s.over:
        if s.again:
            s.again = 0
            if begin_turn(s, s.seat, Events.AGAIN):
                return
            continue
        tribes = 0
        for seat in range(s.seats):
            tribes += s.pack[seat]
        if tribes + s.fate_waits == 0:
            end_round(s)
            continue
        card = draw(s, tribes + s.fate_waits)
        if card == tribes:
            turn_fate(s)
            continue
        seat = 0
        while card >= s.pack[seat]:
            card -= s.pack[seat]
            seat += 1
        s.pack[seat] -= 1
        s.again = s.die == DOUBLE_TURN  # ruling 13: two complete turns in a row
        if begin_turn(s, seat, Events.TURN):
            return


@rule
def begin_turn(s: State, seat: int, event: int) -> int:
    """Ask a player to march or to buy; False where he can do neither, and then a second turn would not help him."""
    emit(s, event, seat)
    if s.stands[seat] & ~s.walled:
        ask(s, seat, Phases.MARCHING)
        return True
    if can_buy(s, seat) or s.event_count > MANY_EVENTS:
        ask(s, seat, Phases.BUYING)
        return True
    s.again = 0
    emit(s, Events.PASSED, seat)
    return False


@rule
def can_buy(s: State, seat: int) -> int:
    """Whether a player has money and the box has camels."""
    return s.silver[seat] > 0 and s.box > 0


@rule
def end_round(s: State) -> None:
    """All cards are turned: everybody is paid. After the last fate card the game is over, else a new round begins."""
    for seat in range(s.seats):
        if alive(s, seat):
            silver = income(s, seat)
            s.silver[seat] += silver
            if silver > 0:
                emit(s, Events.INCOME, seat, silver)
            else:
                emit(s, Events.NO_INCOME, seat)
    emit(s, Events.ROUND_OVER, s.round_no)
    if s.fates == 0:
        finish(s, Ends.LAST_ROUND)
        announce(s)
    else:
        begin_round(s)


@rule
def prospects(s: State, seat: int) -> int:
    """What players are ranked by: income, then camels and silver together; an eliminated player comes last (rulings 26 to 28)."""
    if not alive(s, seat):
        return 0
    return (income(s, seat) * 10_000 + s.herd[seat] + s.silver[seat]) + 1


@rule
def announce(s: State) -> None:
    """Say who has won; all of them where even camels and silver are level."""
    best = 0
    for seat in range(s.seats):
        best = max(best, prospects(s, seat))
    for seat in range(s.seats):
        if prospects(s, seat) == best:
            emit(s, Events.WON, seat, income(s, seat))
