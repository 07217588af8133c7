"""Timbuktu, by Dirk Henn (Queen Games, 2005)."""

from __future__ import annotations

from azalai.engine.game import Game, Option

from .components import PARTS
from .evaluate import BELIEFS, believe, candidates, chapter, evaluate
from .extras.drawing import draw
from .extras.features import FEATURES
from .extras.notes import notes
from .extras.wording import WORDING
from .invariants import INVARIANTS, invariant
from .rules import legal, play, score, setup
from .secrets import determinize, hide
from .secrets_conclusions import conclude
from .secrets_deduction import likelihood
from .state import CONCLUSIONS, SCHEMA, Ends, Events, Moves, Phases

COLOURS = ("blue", "red", "green", "yellow", "violet")

GAME = Game(
    name="timbuktu",
    rules=1,
    package=__name__,
    seats=range(PARTS["game"]["players"][0], PARTS["game"]["players"][1] + 1),
    schema=SCHEMA,
    moves=Moves.table(),
    events=Events.table(),
    phases=Phases.names(),
    ends=Ends.names(),
    invariants=INVARIANTS,
    max_moves=40,
    longest=500,
    functions={
        "setup": setup,
        "legal": legal,
        "candidates": candidates,
        "play": play,
        "score": score,
        "hide": hide,
        "determinize": determinize,
        "likelihood": likelihood,
        "chapter": chapter,
        "believe": believe,
        "evaluate": evaluate,
        "conclude": conclude,
        "invariant": invariant,
    },
    beliefs=BELIEFS,
    seat_labels=lambda seats: COLOURS[:seats],
    options=(Option("loads", ("printed", "free")),),
    notes=notes,
    features=FEATURES,
    conclusions=CONCLUSIONS,
    drawing=draw,
    wording=WORDING,
)
