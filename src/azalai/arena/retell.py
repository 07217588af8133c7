"""A game of a series told again, with all its events."""

from __future__ import annotations

from typing import Any

import numpy as np

from azalai.arena.series import Series
from azalai.engine import flow
from azalai.engine.compile import compile_once
from azalai.engine.dispatch import score
from azalai.engine.game import score_buffer
from azalai.engine.rule import numbers, records, rule

Array = np.ndarray[Any, Any]


def retell(series: Series, game: int, moves: Array) -> tuple[Array, Array]:
    """A game of a series again, from its moves: all events (ply, kind, numbers), and the points before and after every move."""
    start, true = series.start(), records(1, series.game.schema.dtype)
    played = np.ascontiguousarray(moves, np.int32)
    events = numbers(((len(moves) + 1) * series.game.schema.dtype["events"].shape[0], 6))
    points = numbers((len(moves) + 1, series.seats))
    work = (start, true, played, series.seed, game // series.seats, score_buffer(), points, events)
    compile_once(series.game, "retelling", [lambda: _retell(*work)])
    used = _retell(*work)
    return np.asarray(events)[:used], np.asarray(points)


@rule
def _retell(start: Any, true: Any, moves: Any, number: Any, stream: Any, places: Any, points: Any, events: Any) -> Any:
    s = true[0]
    true[0] = start[0]
    flow.begin(s, number, stream)
    used = 0
    for ply in range(len(moves) + 1):
        if ply > 0:
            flow.step(s, moves[ply - 1])
        score(s, places)
        for seat in range(s.seats):
            points[ply, seat] = places[seat, 0]
        for i in range(min(s.event_count, len(s.events))):
            events[used, 0] = ply
            events[used, 1] = s.events[i, 0]
            for k in range(4):
                events[used, 2 + k] = s.events[i, 2 + k]
            used += 1
    return used
