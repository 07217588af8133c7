"""What every game provides, and how generic code finds it.

Search, playouts and batches are written once, against the stubs below. Which game's function a stub stands for is settled by the
type of the record: by Numba while it compiles, by a look-up when Python calls it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from azalai.engine.rule import add_game_type, before_compiling, remove_game_type

_functions: dict[tuple[str, np.dtype[Any]], Callable[..., Any]] = {}


def setup(s: Any) -> Any:
    """Deal a new game into a record whose seats, options and generator are set."""
    return _functions["setup", s.dtype](s)


def legal(s: Any, out: Any) -> Any:
    """Write the legal moves of the seat to decide into `out`; return how many there are."""
    return _functions["legal", s.dtype](s, out)


def candidates(s: Any, out: Any) -> Any:
    """Write the moves worth thinking about into `out` (never none); return how many. By default all legal ones."""
    return _functions["candidates", s.dtype](s, out)


def play(s: Any, move: Any) -> Any:
    """Carry out one legal decision of the seat to decide."""
    return _functions["play", s.dtype](s, move)


def score(s: Any, out: Any) -> Any:
    """Write each seat's points into `out[seat, 0]` and its place into `out[seat, 1]`."""
    return _functions["score", s.dtype](s, out)


def hide(s: Any, seat: Any) -> Any:
    """Blank, in place, all that `seat` may not know; -1 is a spectator."""
    return _functions["hide", s.dtype](s, seat)


def determinize(s: Any, seat: Any) -> Any:
    """In a record hidden for `seat`, guess all that is blank, evenly among what is possible."""
    return _functions["determinize", s.dtype](s, seat)


def likelihood(s: Any, seat: Any, thorough: Any) -> Any:
    """In a record guessed for `seat`: how well what others did fits the guess, 0 to 1. By default 1, which tells nothing.

    Where it is `thorough`, what they did is compared with all that they could have done.
    """
    return _functions["likelihood", s.dtype](s, seat, thorough)


def chapter(s: Any) -> Any:
    """Return the number of the part of the game that a position is in: what a search believes holds until the next begins."""
    return _functions["chapter", s.dtype](s)


def believe(s: Any, share: Any, w: Any) -> Any:
    """Add what a guessed record says, with its share in all guesses, to the beliefs in `w`; a share of 0 blanks these."""
    return _functions["believe", s.dtype](s, share, w)


def evaluate(s: Any, w: Any, out: Any) -> Any:
    """Write a cheap guess of each seat's prospects into `out[seat]`: higher is better, 0 to 1 where possible.

    `w` is a record of the game's weights; see `Game.weights`.
    """
    return _functions["evaluate", s.dtype](s, w, out)


def conclude(s: Any, seat: Any, out: Any) -> Any:
    """From a record hidden for `seat`, write what follows from it into `out`, a blank record of the game's conclusions."""
    return _functions["conclude", s.dtype](s, seat, out)


def invariant(s: Any) -> Any:
    """Check what must hold in every position (nothing created, nothing lost): 0, or the number of the broken invariant."""
    return _functions["invariant", s.dtype](s)


STUBS = {
    stub.__name__: stub
    for stub in (
        *(setup, legal, candidates, play, score, hide, determinize, likelihood, chapter, believe),
        *(evaluate, conclude, invariant),
    )
}


def register(dtype: np.dtype[Any], functions: dict[str, Callable[..., Any]]) -> None:
    """Let the stubs stand for `functions` wherever a record of this type is meant."""
    add_game_type(dtype)
    for name, function in functions.items():
        _functions[name, dtype] = function


def unregister(dtype: np.dtype[Any]) -> None:
    """Forget what the stubs stand for where a record of this type is meant."""
    remove_game_type(dtype)
    for key in [key for key in _functions if key[1] == dtype]:
        del _functions[key]


@before_compiling
def _overload_stubs() -> None:
    """Tell Numba how to resolve the stubs."""
    from numba.extending import overload

    from azalai.engine.specialize import INNER

    for name, stub in STUBS.items():
        overload(stub, jit_options=INNER, strict=False)(_BY_ARGUMENTS[len(inspect.signature(stub).parameters)](name))


def _compiled(name: str, record: Any) -> Callable[..., Any] | None:
    """Return the function that a stub stands for, by Numba's type of the record."""
    for (stub, dtype), function in _functions.items():
        if stub == name and _record_type(dtype) == record:
            return function
    return None


@functools.cache
def _record_type(dtype: np.dtype[Any]) -> Any:
    from numba import from_dtype

    return from_dtype(dtype)


def _one_argument(name: str) -> Callable[..., Any]:
    def choose(s: Any) -> Any:
        function = _compiled(name, s)
        return None if function is None else lambda s: function(s)

    return choose


def _two_arguments(name: str) -> Callable[..., Any]:
    def choose(s: Any, x: Any) -> Any:
        function = _compiled(name, s)
        return None if function is None else lambda s, x: function(s, x)

    return choose


def _three_arguments(name: str) -> Callable[..., Any]:
    def choose(s: Any, x: Any, y: Any) -> Any:
        function = _compiled(name, s)
        return None if function is None else lambda s, x, y: function(s, x, y)

    return choose


_BY_ARGUMENTS = {1: _one_argument, 2: _two_arguments, 3: _three_arguments}
