"""Targi: worker placement on a frame of cards, for two. By Andreas Steiger, Kosmos 2012."""

from __future__ import annotations

from typing import Any

from azalai.engine.game import Game, Option

from . import rules, rules_scoring, secrets
from .evaluate import candidates, evaluate
from .extras.drawing import draw
from .extras.features import FEATURES
from .extras.notes import notes
from .invariants import INVARIANTS, invariant
from .state import COMPONENTS, ENDS, EVENTS, HOUSE, MAX_MOVES, MOVES, PHASES, SCHEMA

RULES = 1


class Targi(Game):
    """The game, with the tables it is really played with: those of a house deck where one is named."""

    @property
    def components(self) -> dict[str, Any]:
        """The tables of `components.toml`, or of the house deck."""
        return COMPONENTS


GAME = Targi(
    name="targi",
    rules=RULES + int(HOUSE or "0", 16),  # a game recorded with one deck is not replayed with another
    package=__name__,
    seats=range(2, 3),
    schema=SCHEMA,
    moves=MOVES,
    events=EVENTS,
    phases=PHASES,
    ends=ENDS,
    invariants=INVARIANTS,
    max_moves=MAX_MOVES,
    longest=1000,
    functions={
        "setup": rules.setup,
        "legal": rules.legal,
        "candidates": candidates,
        "play": rules.play,
        "score": rules_scoring.score,
        "hide": secrets.hide,
        "determinize": secrets.determinize,
        "evaluate": evaluate,
        "invariant": invariant,
    },
    seat_labels=lambda seats: ("blue", "white")[:seats],
    options=(Option("tribe_cards", ("author", "rulebook")),),
    notes=notes,
    features=FEATURES,
    drawing=draw,
)
