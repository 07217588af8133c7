"""The kernels and their parameters: what those who compile them and those who launch them must agree on."""

from __future__ import annotations

from typing import NamedTuple

DEAL, RESTART, STEP, STEP_AND_RESTART = range(4)  # commands of the kernel `step`
NO_GAME = 2**31 - 1  # in `found[0]`: all moves are legal
DECIDER = -2  # as a seat: the one to decide


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
    "dealt": Parameter("i8", 1),  # the number of games dealt in each place
    "found": Parameter("i4", 1),  # the first game with an illegal move, or NO_GAME; how many games a restart has dealt
    "command": Parameter("i8", 0),
    "seed": Parameter("i8", 0),
    "number": Parameter("i8", 0),  # what random choices are drawn from
    "decisions": Parameter("i8", 0),
    "seat": Parameter("i8", 0),
}

KERNELS = {
    "step": ("words", "blank", "chosen", "moves", "counts", "mask", "rewards", "done", "over", "dealt", "found", "command", "seed"),
    "rollout": (
        "words", "blank", "moves", "counts", "mask", "rewards", "done", "ended", "dealt", "decisions", "number", "seed",
    ),
    "check": ("given", "chosen", "moves", "counts", "found"),
    "check_long": ("given_long", "chosen", "moves", "counts", "found"),
    "choose": ("chosen", "moves", "counts", "number"),
    "conceal": ("words", "seat"),
}  # fmt: skip
