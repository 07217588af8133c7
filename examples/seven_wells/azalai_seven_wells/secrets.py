"""What a seat may not know: the water in wells it has not looked into. How to hide it and how to guess it."""

from __future__ import annotations

from azalai.engine.rng import below
from azalai.engine.rule import rule

from .state import NOBODY, UNKNOWN, WATER, WELLS, State


@rule
def hide(s: State, seat: int) -> None:
    """Blank the wells that are free and that `seat` has not looked into; -1 is a spectator."""
    for well in range(WELLS):
        if s.owner[well] == NOBODY and not (seat >= 0 and s.seen[well] >> seat & 1):
            s.water[well] = UNKNOWN


@rule
def determinize(s: State, seat: int) -> None:
    """Fill each blank well with one of the amounts not seen anywhere, all equally likely."""
    for well in range(WELLS):
        if s.water[well] == UNKNOWN:
            choice = below(s, blanks(s))
            for one in range(WELLS):
                if left(s, one):
                    if choice == 0:
                        s.water[well] = WATER[one]
                        break
                    choice -= 1


@rule
def blanks(s: State) -> int:
    """How many wells are blank: as many amounts are left."""
    count = 0
    for well in range(WELLS):
        count += s.water[well] == UNKNOWN
    return count


@rule
def left(s: State, one: int) -> bool:
    """Whether the amount `WATER[one]` is still to be placed: of equal amounts, those that come first are taken to be placed."""
    placed, before = 0, 0
    for well in range(WELLS):
        placed += s.water[well] == WATER[one]
    for other in range(one):
        before += WATER[other] == WATER[one]
    return before >= placed
