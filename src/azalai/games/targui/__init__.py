"""Targui: four Tuareg tribes, one desert. Wil Dijkstra and Ben van Dijk, Jumbo 1988."""

from __future__ import annotations

from azalai.engine.game import Game

from .components import CAMELS, colours
from .evaluate import candidates, evaluate
from .extras.drawing import draw
from .extras.features import FEATURES
from .extras.notes import notes
from .extras.options import ROUNDS
from .extras.wording import WORDING
from .invariants import INVARIANTS, invariant
from .rules import legal, play, score, setup
from .secrets import determinize, hide
from .state import SCHEMA, Ends, Events, Moves, Phases

GAME = Game(
    name="targui",
    rules=1,
    package=__name__,
    seats=range(2, 5),
    schema=SCHEMA,
    moves=Moves.table(),
    events=Events.table(),
    phases=Phases.names(),
    ends=Ends.names(),
    invariants=INVARIANTS,
    max_moves=CAMELS,
    longest=20_000,
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
    seat_labels=colours,
    secrets=False,
    options=(ROUNDS,),
    notes=notes,
    features=FEATURES,
    drawing=draw,
    wording=WORDING,
)
