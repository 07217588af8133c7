"""Seven Wells: find the water before the others do. A sample game for two or three."""

from __future__ import annotations

from azalai.engine.game import Game

from .evaluate import evaluate
from .extras.drawing import draw
from .extras.features import FEATURES
from .rules import legal, play, score, setup
from .secrets import determinize, hide
from .state import SCHEMA, WELLS, Ends, Events, Moves, Phases

GAME = Game(
    name="seven_wells",
    rules=1,
    package=__name__,
    seats=range(2, 4),
    schema=SCHEMA,
    moves=Moves.table(),
    events=Events.table(),
    phases=Phases.names(),
    ends=Ends.names(),
    max_moves=2 * WELLS,
    longest=20,
    functions={
        "setup": setup,
        "legal": legal,
        "play": play,
        "score": score,
        "hide": hide,
        "determinize": determinize,
        "evaluate": evaluate,
    },
    seat_labels=lambda seats: ("blue", "red", "green")[:seats],
    features=FEATURES,
    drawing=draw,
)
