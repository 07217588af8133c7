"""Targi: worker placement on a frame of cards, for two. By Andreas Steiger, Kosmos 2012."""

from __future__ import annotations

from azalai.engine.game import Game, Option

from .evaluate import candidates, evaluate
from .extras.drawing import draw
from .extras.earlier import EARLIER
from .extras.features import FEATURES
from .extras.notes import notes
from .extras.wording import WORDING
from .invariants import INVARIANTS, invariant
from .rules import legal, play, setup
from .rules_scoring import score
from .secrets import determinize, hide
from .state import MAX_MOVES, SCHEMA, Ends, Events, Moves, Phases

GAME = Game(
    name="targi",
    rules=2,
    package=__name__,
    seats=range(2, 3),
    schema=SCHEMA,
    moves=Moves.table(),
    events=Events.table(),
    phases=Phases.names(),
    ends=Ends.names(),
    invariants=INVARIANTS,
    max_moves=MAX_MOVES,
    longest=1000,
    functions={
        "setup": setup,
        "legal": legal,
        "candidates": candidates,
        "play": play,
        "score": score,
        "hide": hide,
        "determinize": determinize,
        "evaluate": evaluate,
        "invariant": invariant,
    },
    seat_labels=lambda seats: ("blue", "white")[:seats],
    options=(Option("tribe_cards", ("author", "rulebook")),),
    notes=notes,
    features=FEATURES,
    drawing=draw,
    wording=WORDING,
    earlier=EARLIER,
)
