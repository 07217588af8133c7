"""Timbuktu, by Dirk Henn (Queen Games, 2005)."""

from __future__ import annotations

from azalai.engine.game import Game, Option
from azalai.games.timbuktu.deduce import likelihood
from azalai.games.timbuktu.drawing import draw
from azalai.games.timbuktu.evaluate import candidates, evaluate
from azalai.games.timbuktu.features import FEATURES
from azalai.games.timbuktu.hidden import hide, redeal
from azalai.games.timbuktu.law import LAWS, law
from azalai.games.timbuktu.notes import notes
from azalai.games.timbuktu.rules import legal, play, score, setup
from azalai.games.timbuktu.state import ENDS, EVENTS, FOLDER, MOVES, PARTS, PHASES, SCHEMA

COLOURS = ("blue", "red", "green", "yellow", "violet")

GAME = Game(
    name="timbuktu",
    rules=1,
    folder=FOLDER,
    seats=range(PARTS["game"]["players"][0], PARTS["game"]["players"][1] + 1),
    schema=SCHEMA,
    moves=MOVES,
    events=EVENTS,
    phases=PHASES,
    ends=ENDS,
    laws=LAWS,
    max_moves=40,
    longest=500,
    functions={
        "setup": setup,
        "legal": legal,
        "candidates": candidates,
        "play": play,
        "score": score,
        "hide": hide,
        "redeal": redeal,
        "likelihood": likelihood,
        "evaluate": evaluate,
        "law": law,
    },
    seat_labels=lambda seats: COLOURS[:seats],
    options=(Option("loads", ("printed", "free")),),
    notes=notes,
    features=FEATURES,
    drawing=draw,
)
