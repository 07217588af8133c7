"""The kernels and their parameters: what those who compile them and those who launch them must agree on."""

from __future__ import annotations

from typing import NamedTuple

from azalai.engine.encode import Program
from azalai.engine.game import Game

DEAL, RESTART, STEP, STEP_AND_RESTART = range(4)  # commands of the kernel `step`
NO_GAME = 2**31 - 1  # in `found[0]`: all moves are legal
DECIDER, ANY = -2, -3  # as a seat: the one to decide; the one that `viewers` says
WARP = 32  # threads that run in step; they write one observation together
SORTED_BLOCK = 512  # the most threads, and games, of a block that sorts its games
LARGE_RECORD = 448  # bytes; of larger records an H200 holds fewer than SORTED_BLOCK in the shared memory of a block


def padded(words: int) -> int:
    """How many words apart records lie in shared memory: an odd number, so that neighbours use different banks of it."""
    return words | 1


def sort_keys(game: Game) -> int:
    """How many keys rollouts sort games by: 0 for a game that is over, otherwise one more than its phase."""
    return 1 + len(game.phases)


def rollout_kernels(game: Game) -> tuple[str, ...]:
    """The kernels that may make rollouts of a game: a batch takes the first, or the second where the GPU has too little memory.

    Games of one phase need no sorting. Games with large records are played in waves. All others are sorted in shared memory.
    What counts is the size of a record without events, so a game is played in the same way with and without them.
    """
    if len(game.phases) == 1:
        return ("rollout",)
    if game.schema.without_events.itemsize > LARGE_RECORD:
        return ("rollout_waves",)
    return ("rollout_sorted", "rollout")


class Parameter(NamedTuple):
    """The type of a parameter: the kind of its numbers as NumPy writes it, and how many axes it has; a plain number has none."""

    kind: str
    axes: int
    contiguous: bool = True


PARAMETERS = {
    "words": Parameter("i8", 2),  # the records, as words of 8 bytes
    "blank": Parameter("i8", 1),  # a record before the deal
    "given": Parameter("i4", 1, contiguous=False),  # the moves that somebody wants to play, of 4 bytes
    "given_long": Parameter("i8", 1, contiguous=False),  # or of 8
    "chosen": Parameter("i4", 1),  # the moves to play
    "moves": Parameter("i4", 2),  # [number, game]: the legal moves of each game,
    "counts": Parameter("i4", 1),  # and how many they are
    "mask": Parameter("?", 2),
    "rewards": Parameter("f4", 2),
    "done": Parameter("?", 1),
    "over": Parameter("?", 1),
    "ended": Parameter("i4", 1),  # how many games ended in each place
    "seeds": Parameter("i8", 1),  # the seed of each place,
    "firsts": Parameter("i8", 1),  # the first of its games of that seed,
    "strides": Parameter("i8", 1),  # how far the next is from it,
    "dealt": Parameter("i8", 1),  # and how many have been dealt
    "where": Parameter("?", 1, contiguous=False),  # which places a command is about
    "found": Parameter("i4", 1),  # the first game with an illegal move, or NO_GAME; how many games a restart has dealt
    "command": Parameter("i8", 0),
    "number": Parameter("i8", 0),  # what random choices are drawn from
    "decisions": Parameter("i8", 0),
    "wave": Parameter("i8", 0),  # the number of a launch, from 0, in a rollout that is played in waves
    "order": Parameter("i4", 3),  # [turn, key, rank]: the games that have a sort key, for a wave and for the next
    "tallies": Parameter("i4", 2),  # [turn, key]: how many games those are
    "seat": Parameter("i8", 0),
    "viewers": Parameter("i1", 1),  # the seat that sees each game
    "hidden": Parameter("i8", 2),  # the records as their viewers may know them, without events, in words of 8 bytes,
    "hidden_1": Parameter("i1", 2),  # of 1,
    "hidden_2": Parameter("i2", 2),  # of 2
    "hidden_4": Parameter("i4", 2),  # and of 4
    "concluded": Parameter("i2", 2),  # what follows from them; no columns where conclusions are not wanted
    "seats": Parameter("i8", 0),
    "results": Parameter("i4", 2),  # [game, column]: how games of a series went, see `engine/playing.py`
    "first": Parameter("i8", 0),  # the number of the first of them
    "seed": Parameter("i8", 0),
    "bounds": Parameter("i4", 3),  # from here on: the columns of a `Program`
    "lines": Parameter("i4", 2),
}

_CELLS = {"float32": "f4", "float16": "u2", "uint8": "u1", "bits": "u1"}  # how kernels hold the numbers of an observation
for _kind, _cell in _CELLS.items():
    PARAMETERS |= {f"rows_{_kind}": Parameter(_cell, 1), f"one_{_kind}": Parameter(_cell, 1), f"out_{_kind}": Parameter(_cell, 2)}
_OBSERVE = ("hidden", "hidden_1", "hidden_2", "hidden_4", "concluded", "viewers", "seats")
_PLACE = ("seeds", "firsts", "strides", "dealt")
_ROLLOUT = ("words", "blank", "moves", "counts", "mask", "rewards", "done", "ended", *_PLACE, "decisions", "number")

KERNELS = {
    "step": (
        "words", "blank", "chosen", "moves", "counts", "mask", "rewards", "done", "over", *_PLACE, "found", "where", "command",
    ),
    "rollout": _ROLLOUT,
    "rollout_sorted": _ROLLOUT,
    "rollout_waves": (*_ROLLOUT, "wave", "order", "tallies"),
    "check": ("given", "chosen", "moves", "counts", "found", "where"),
    "check_long": ("given_long", "chosen", "moves", "counts", "found", "where"),
    "choose": ("chosen", "moves", "counts", "number"),
    "conceal": ("words", "seat"),
    "hide": ("words", "hidden", "concluded", "viewers", "seat"),
    "simulate": ("blank", "results", "first", "seed"),
    **{f"observe_{kind}": (*_OBSERVE, *Program._fields[:-2], f"rows_{kind}", f"one_{kind}", f"out_{kind}") for kind in _CELLS},
}  # fmt: skip
ROLLOUTS = ("rollout", "rollout_sorted", "rollout_waves")
WITH_RULES = ("step", *ROLLOUTS, "conceal")  # those that work on whole records, with or without events
