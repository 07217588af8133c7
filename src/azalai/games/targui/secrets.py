"""What a seat may not know: nothing, in this game."""

from __future__ import annotations

from azalai.engine.rule import rule

from .state import State


@rule
def hide(s: State, seat: int) -> None:
    """Everything lies open; cards and dice to come are not drawn before they are needed (ruling 32)."""


@rule
def determinize(s: State, seat: int) -> None:
    """Nothing is hidden, so nothing has to be guessed."""
