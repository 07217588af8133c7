"""Tuareg: camels, majorities and thieves on the road to the oasis. Francesco Berardi, Adlung 2011."""

from __future__ import annotations

from azalai.engine.game import Game
from azalai.games.tuareg.drawing import draw
from azalai.games.tuareg.evaluate import candidates, evaluate
from azalai.games.tuareg.features import FEATURES
from azalai.games.tuareg.laws import LAWS, law
from azalai.games.tuareg.notes import notes
from azalai.games.tuareg.rules import legal, play, setup
from azalai.games.tuareg.rules_stage import score
from azalai.games.tuareg.secrets import hide, redeal
from azalai.games.tuareg.state import ENDS, EVENTS, FOLDER, MOST_MOVES, MOVES, OPTIONS, PHASES, SCHEMA, seat_labels

GAME = Game(
    name="tuareg",
    rules=1,
    folder=FOLDER,
    seats=range(2, 6),
    schema=SCHEMA,
    moves=MOVES,
    events=EVENTS,
    phases=PHASES,
    ends=ENDS,
    laws=LAWS,
    max_moves=MOST_MOVES,
    longest=1000,
    functions={
        "setup": setup,
        "legal": legal,
        "play": play,
        "score": score,
        "hide": hide,
        "redeal": redeal,
        "candidates": candidates,
        "evaluate": evaluate,
        "law": law,
    },
    seat_labels=seat_labels,
    options=OPTIONS,
    notes=notes,
    features=FEATURES,
    drawing=draw,
)
