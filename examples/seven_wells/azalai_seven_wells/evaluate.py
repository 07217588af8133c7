"""A cheap guess of everybody's prospects, for greedy play and search."""

from __future__ import annotations

from typing import Any

from azalai.engine.rule import rule
from azalai.engine.schema import Floats

from .rules import water_of
from .state import State


@rule
def evaluate(s: State, w: Any, out: Floats) -> None:
    """Each seat's share of the water claimed so far."""
    total = 0.0
    for seat in range(s.seats):
        out[seat] = 1.0 + water_of(s, seat)
        total += out[seat]
    for seat in range(s.seats):
        out[seat] /= total
