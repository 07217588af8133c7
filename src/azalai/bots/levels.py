"""Six levels of play: defaults for all games in `extras/levels.toml`, a game's own numbers in its folder of the same name."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from azalai.engine import discovery
from azalai.engine.errors import BadOption, brief
from azalai.engine.words import MessageCatalog

if TYPE_CHECKING:
    from azalai.engine.game import Game

WORDS = Path(__file__).parent / "extras"  # the folder of the levels' names
DEFAULTS = WORDS / "levels.toml"


@dataclass(frozen=True)
class Level:
    """How a computer player of some strength thinks."""

    number: int
    iterations: int
    cutoff: int
    temperature: float
    tries: int = 1
    exploration: float = 0.7
    guided: bool = False  # by the game's network, instead of by its `evaluate` and by playing on

    @property
    def settings(self) -> str:
        """Everything that makes its strength, in one word."""
        if self.guided:
            return f"guided/{self.iterations}/{self.temperature}/{self.exploration}"
        return f"{self.iterations}/{self.cutoff}/{self.tries}/{self.temperature}/{self.exploration}"


GUIDED = Level(0, iterations=1000, cutoff=0, temperature=0.0, exploration=1.0, guided=True)  # the player `guided`


@functools.cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def levels(game: Game | str) -> tuple[Level, ...]:
    """Return all levels of a game, the easiest first. The game's `extras/levels.toml` may change the numbers."""
    extras = discovery.find(game).extras if isinstance(game, str) else game.extras
    own, rows = _read(extras / "levels.toml"), _read(DEFAULTS)["level"]
    return tuple(Level(number, **{**row, **own.get(str(number), {})}) for number, row in enumerate(rows, 1))


def named(game: Game | str, name: str) -> Level | None:
    """Return the level called `3`, `guided`, or `3x4`, the same with four times the work; None for any other name."""
    found = re.fullmatch(r"(\d|guided)(?:x([1-9]\d?))?", name, re.ASCII)
    if found is None:
        return None
    one = GUIDED if found[1] == "guided" else level(game, int(found[1]))
    return replace(one, iterations=one.iterations * int(found[2] or 1))


def level(game: Game | str, number: int) -> Level:
    """Return one level of a game; raise BadOption for a number that is none."""
    everything = levels(game)
    if number not in range(1, len(everything) + 1):
        raise BadOption(f"levels go from 1 to {len(everything)}, not {brief(number)}")
    return everything[number - 1]


def level_name(number: int, language: str) -> str:
    """Return what a level is called in a language."""
    return MessageCatalog(WORDS, language)(f"level.{number}")
