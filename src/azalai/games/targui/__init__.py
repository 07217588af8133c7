"""Targui: four Tuareg tribes, one desert. Wil Dijkstra and Ben van Dijk, Jumbo 1988."""

from __future__ import annotations

from azalai.engine.game import Game
from azalai.games.targui.drawing import draw
from azalai.games.targui.evaluate import candidates, evaluate
from azalai.games.targui.features import FEATURES
from azalai.games.targui.notes import notes
from azalai.games.targui.options import ROUNDS
from azalai.games.targui.rules import LAWS, hide, law, legal, play, redeal, score, setup
from azalai.games.targui.state import CAMELS, ENDS, EVENTS, FOLDER, MOVES, PHASES, SCHEMA, colours

GAME = Game(
    name="targui",
    rules=1,
    folder=FOLDER,
    seats=range(2, 5),
    schema=SCHEMA,
    moves=MOVES,
    events=EVENTS,
    phases=PHASES,
    ends=ENDS,
    laws=LAWS,
    max_moves=CAMELS,
    longest=20_000,
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
    seat_labels=colours,
    secrets=False,
    options=(ROUNDS,),
    notes=notes,
    features=FEATURES,
    drawing=draw,
)
