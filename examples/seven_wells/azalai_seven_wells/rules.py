"""The rules of Seven Wells: scout or claim, until everybody has claimed as many wells as the others."""

from __future__ import annotations

from azalai.engine.rng import shuffle
from azalai.engine.rule import rule
from azalai.engine.schema import Cells, Grid, ask, emit, finish, rank, tell

from .state import NOBODY, SCOUTS, WATER, WELLS, Ends, Events, Moves, Phases, State


@rule
def setup(s: State) -> None:
    """Nobody knows which well holds how much."""
    for well in range(WELLS):
        s.water[well] = WATER[well]
        s.owner[well] = NOBODY
    shuffle(s, s.water, WELLS)
    ask(s, 0, Phases.CHOOSING)


@rule
def legal(s: State, out: Cells) -> int:
    """Look into a free well not seen yet, as often as allowed, or claim a free well."""
    n = 0
    for well in range(WELLS):
        if s.owner[well] == NOBODY:
            if s.scouted[s.seat] < SCOUTS and not s.seen[well] >> s.seat & 1:
                out[n] = Moves.SCOUT + well
                n += 1
            out[n] = Moves.CLAIM + well
            n += 1
    return n


@rule
def play(s: State, move: int) -> None:
    """Carry out a decision; then it is the turn of the next player who may still claim a well."""
    if move < Moves.CLAIM:
        scout(s, move - Moves.SCOUT)
    else:
        claim(s, move - Moves.CLAIM)
    for step in range(1, s.seats + 1):
        seat = (s.seat + step) % s.seats
        if claims(s, seat) < WELLS // s.seats:
            ask(s, seat, Phases.CHOOSING)
            return
    finish(s, Ends.ALL_CLAIMED)


@rule
def scout(s: State, well: int) -> None:
    """Look into a well; the others see who looks where, not what is found."""
    s.seen[well] |= 1 << s.seat
    s.scouted[s.seat] += 1
    s.revealed = 1
    emit(s, Events.SCOUTED, s.seat, well)
    tell(s, 1 << s.seat, Events.FOUND, well, s.water[well])


@rule
def claim(s: State, well: int) -> None:
    """Take a well: everybody sees what it holds."""
    s.owner[well] = s.seat
    s.revealed = 1
    emit(s, Events.CLAIMED, s.seat, well, s.water[well])


@rule
def claims(s: State, seat: int) -> int:
    """How many wells a player has claimed."""
    count = 0
    for well in range(WELLS):
        count += s.owner[well] == seat
    return count


@rule
def water_of(s: State, seat: int) -> int:
    """A player's water."""
    skins = 0
    for well in range(WELLS):
        if s.owner[well] == seat:
            skins += s.water[well]
    return skins


@rule
def score(s: State, out: Grid) -> None:
    """The most water wins; of equals, whoever has looked less often."""
    for seat in range(s.seats):
        out[seat, 0] = water_of(s, seat)
        out[seat, 2] = 10 * water_of(s, seat) - s.scouted[seat]
    rank(s, out)
