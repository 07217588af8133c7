"""Six levels of play, from one list; a game may have its own amounts of work."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from azalai.engine.errors import BadOption
from azalai.engine.words import Catalog

WORDS = Path(__file__).parent / "extras"  # the folder of the levels' names


@dataclass(frozen=True)
class Level:
    """How a computer player of some strength thinks."""

    number: int
    iterations: int
    cutoff: int
    temperature: float
    tries: int = 1
    exploration: float = 0.7

    @property
    def settings(self) -> str:
        """All that makes its strength, in one word."""
        return f"{self.iterations}/{self.cutoff}/{self.tries}/{self.temperature}/{self.exploration}"


@functools.cache
def _table() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "levels.toml").read_text(encoding="utf-8"))


def levels(game: str) -> tuple[Level, ...]:
    """All levels of a game, the easiest first."""
    own = _table().get(game, {})
    return tuple(Level(number, **{**row, **own.get(str(number), {})}) for number, row in enumerate(_table()["level"], 1))


def named(game: str, name: str) -> Level | None:
    """The level called `3`, or `3x4`, the same with four times the work; None for any other name."""
    found = re.fullmatch(r"(\d)(?:x([1-9]\d?))?", name, re.ASCII)
    if found is None:
        return None
    one = level(game, int(found[1]))
    return replace(one, iterations=one.iterations * int(found[2] or 1))


def level(game: str, number: int) -> Level:
    """One level of a game; raises BadOption for a number that is none."""
    everything = levels(game)
    if not 1 <= number <= len(everything):
        raise BadOption(f"levels go from 1 to {len(everything)}, not {number}")
    return everything[number - 1]


def level_name(number: int, language: str) -> str:
    """Return what a level is called in a language."""
    return Catalog(WORDS, language)(f"level.{number}")
