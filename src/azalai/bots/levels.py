"""Six levels of play: defaults for all games in `extras/levels.toml`, a game's own numbers in its folder of the same name.

Levels are searches that judge by the game's `evaluate`, or play by its network. The latter need a table `network` in the game's
`levels.toml`; its searches are then called `search1` to `search6`.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Sequence
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
    iterations: int  # of the search for a decision, or tries of moves; with a network 0 is its bare policy
    cutoff: int = 0  # how far it plays on before it judges: whole moves or, by a network, decisions
    temperature: float = 0.0
    tries: int = 1
    exploration: float = 0.7
    margin: float = 0.0  # without a search: how much of its chance to win a player may give away by one move
    worlds: int = 0  # that are weighed before a search; 0: it guesses some, roughly, whenever it wants one
    guided: bool = False  # by the game's network, instead of by its `evaluate` and by playing on

    @property
    def looks_ahead(self) -> bool:
        """Whether it tries moves by letting the network's policy play on, instead of searching a tree."""
        return self.guided and self.cutoff > 0

    @property
    def settings(self) -> str:
        """Everything that makes its strength, in one word."""
        if self.guided:
            ahead = f"/{self.cutoff}" if self.cutoff else ""
            return f"guided/{self.iterations}/{self.temperature}/{self.exploration}/{self.margin}{ahead}"
        worlds = f"/{self.worlds}" if self.worlds else ""
        return f"{self.iterations}/{self.cutoff}/{self.tries}/{self.temperature}/{self.exploration}{worlds}"


GUIDED = Level(0, iterations=1000, exploration=1.0, guided=True)  # the player `guided`


@functools.cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def levels(game: Game | str) -> tuple[Level, ...]:
    """Return all levels of a game, the easiest first: by its network where its `extras/levels.toml` says so, else its searches,
    changed as that file says in `level`."""
    own = _own(game)
    if "network" not in own:
        return tuple(replace(one, **own.get("level", {}).get(str(one.number), {})) for one in searches(game))
    rows = enumerate(_read(DEFAULTS)["network"], 1)
    return tuple(Level(number, guided=True, **{**row, **own["network"].get(str(number), {})}) for number, row in rows)


def searches(game: Game | str) -> tuple[Level, ...]:
    """Return the six searches of a game that judge by its `evaluate`, the easiest first."""
    own, rows = _own(game), enumerate(_read(DEFAULTS)["level"], 1)
    return tuple(Level(number, **{**row, **own.get(str(number), {})}) for number, row in rows)


def _own(game: Game | str) -> dict[str, Any]:
    extras = discovery.find(game).extras if isinstance(game, str) else game.extras
    return _read(extras / "levels.toml")


def named(game: Game | str, name: str) -> Level | None:
    """Return the level called `3`, the search `search3`, or `guided`; None for any other name. `x4` means four times the work.

    `120/0/8/0.0/0.3` is a search of these settings, see `Level.settings`; with worlds that are weighed `120/0/8/0.0/0.3/512`.
    """
    spelled = re.fullmatch(r"(\d+)/(\d+)/(\d+)/(\d\.\d+)/(\d\.\d+)(?:/(\d+))?", name, re.ASCII)
    if spelled is not None:
        iterations, cutoff, tries, temperature, exploration, worlds = spelled.groups()
        how = (int(iterations), int(cutoff), float(temperature), int(tries), float(exploration))
        return Level(0, *how, worlds=int(worlds or 0))
    found = re.fullmatch(r"(?:(search)?(\d)|guided)(?:x([1-9]\d?))?", name, re.ASCII)
    if found is None:
        return None
    search, number, times = found.groups()
    one = GUIDED if number is None else numbered(searches(game) if search else levels(game), int(number))
    return replace(one, iterations=one.iterations * int(times or 1))


def numbered(among: Sequence[Level], number: int) -> Level:
    """Return the level of a number; raise BadOption where there is none."""
    if number not in range(1, len(among) + 1):
        raise BadOption(f"levels go from 1 to {len(among)}, not {brief(number)}")
    return among[number - 1]


def level_name(number: int, language: str) -> str:
    """Return what a level is called in a language."""
    return MessageCatalog(WORDS, language)(f"level.{number}")
