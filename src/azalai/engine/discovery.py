"""Which games are installed: the folders of `azalai/games`, and packages with an entry point in the group `azalai.games`.

Nothing is imported here, so that a list of games costs nothing.
"""

from __future__ import annotations

import functools
import importlib.util
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from azalai.engine.errors import UnknownGame

GROUP = "azalai.games"
BUILT_IN = Path(__file__).resolve().parent.parent / "games"


@dataclass(frozen=True)
class GamePackage:
    """Where an installed game is: the package to import, whose `GAME` it is, and the folder of its files."""

    name: str
    package: str
    folder: Path

    @property
    def extras(self) -> Path:
        """The folder of what is never compiled: words, help, drawing, levels, weights."""
        return self.folder / "extras"


@functools.cache
def installed() -> dict[str, GamePackage]:
    """All installed games by name, in alphabetical order."""
    found = {}
    for entry in entry_points(group=GROUP):
        spec = importlib.util.find_spec(entry.module)
        if spec is not None and spec.origin is not None:
            found[entry.name] = GamePackage(entry.name, entry.module, Path(spec.origin).parent)
    for path in BUILT_IN.glob("*/components.toml"):
        name = path.parent.name
        found[name] = GamePackage(name, f"azalai.games.{name}", path.parent)
    return dict(sorted(found.items()))


def find(name: str) -> GamePackage:
    """An installed game by its name; raises UnknownGame with the names there are."""
    found = installed().get(name)
    if found is None:
        raise UnknownGame(f"there is no game {name!r}; there are {', '.join(installed())}")
    return found
