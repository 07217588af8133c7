"""Which games are installed: the folders of `azalai/games`, and packages with an entry point in the group `azalai.games`.

Nothing is imported here, so that a list of games costs nothing.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from azalai.engine.errors import UnknownGame, brief

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

    @property
    def root(self) -> Path:
        """The folder of the outermost package that the game belongs to."""
        root = self.folder
        while (root.parent / "__init__.py").exists():
            root = root.parent
        return root


@functools.cache
def installed() -> dict[str, GamePackage]:
    """Return all installed games by name, in alphabetical order."""
    found = {}
    for entry in entry_points(group=GROUP):
        folder = _folder_of(entry.module)
        if folder is not None:
            found[entry.name] = GamePackage(entry.name, entry.module, folder)
    for path in BUILT_IN.glob("*/components.toml"):
        name = path.parent.name
        found[name] = GamePackage(name, f"azalai.games.{name}", path.parent)
    return dict(sorted(found.items()))


def _folder_of(package: str) -> Path | None:
    """Return the folder of a package, found without importing its parents; None where there is no such package."""
    name, *rest = package.split(".")
    spec = find_spec(name)
    for part in rest:
        if spec is None or spec.submodule_search_locations is None:
            return None
        name = f"{name}.{part}"
        spec = PathFinder.find_spec(name, spec.submodule_search_locations)
    return next(map(Path, spec.submodule_search_locations or ()), None) if spec is not None else None


def find(name: str) -> GamePackage:
    """Return an installed game; raise UnknownGame with the names there are."""
    found = installed().get(name)
    if found is None:
        raise UnknownGame(f"there is no game {brief(name)}; there are {', '.join(installed())}")
    return found
