"""Tuareg: camels, majorities and thieves on the road to the oasis. Francesco Berardi, Adlung 2011."""

from __future__ import annotations

from azalai.engine.game import Game

from .components import seat_labels
from .evaluate import candidates, evaluate
from .extras.drawing import draw
from .extras.features import FEATURES
from .extras.notes import notes
from .extras.options import OPTIONS
from .extras.wording import WORDING
from .invariants import INVARIANTS, invariant
from .rules import legal, play, setup
from .rules_stage import score
from .secrets import determinize, hide
from .state import MOST_MOVES, SCHEMA, Ends, Events, Moves, Phases

GAME = Game(
    name="tuareg",
    rules=1,
    package=__name__,
    seats=range(2, 6),
    schema=SCHEMA,
    moves=Moves.table(),
    events=Events.table(),
    phases=Phases.names(),
    ends=Ends.names(),
    invariants=INVARIANTS,
    max_moves=MOST_MOVES,
    longest=1000,
    functions={
        "setup": setup,
        "legal": legal,
        "play": play,
        "score": score,
        "hide": hide,
        "determinize": determinize,
        "candidates": candidates,
        "evaluate": evaluate,
        "invariant": invariant,
    },
    seat_labels=seat_labels,
    options=OPTIONS,
    notes=notes,
    features=FEATURES,
    drawing=draw,
    wording=WORDING,
)
