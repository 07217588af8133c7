"""A game's components, and variants of a game with other ones.

The numbers of a game lie in its `components.toml` and are compiled into its rules. A variant is the same package, imported once
more under another name with some of the numbers changed. Its modules, its record type and its compiled code are its own, so a
game and its variants can be played side by side.
"""

from __future__ import annotations

import copy
import hashlib
import importlib.util
import json
import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from azalai.engine.discovery import GamePackage
from azalai.engine.errors import BadComponents, BadOption

MARK = "__variant_"  # between a package's name and the number of its variant

_changes: dict[str, Mapping[str, Any]] = {}  # of the packages of variants


def folder_of(package: str) -> Path:
    """Where the files of an imported package are."""
    return Path(str(sys.modules[package].__file__)).parent


def load_components(package: str) -> dict[str, Any]:
    """The components of a game or of a variant, by the name its package is imported by."""
    tables = _read(folder_of(package) / "components.toml")
    _merge(tables, _changes.get(package, {}), "")
    return tables


def changes_of(package: str) -> dict[str, Any]:
    """What a variant changes; nothing for a game as it comes."""
    return copy.deepcopy(dict(_changes.get(package, {})))


def variant_of(module: str) -> str:
    """The number of the variant that a module belongs to; empty for a game as it comes."""
    return module.partition(MARK)[2].partition(".")[0]


def import_variant(game: GamePackage, changes: Mapping[str, Any]) -> str:
    """Import a game's package once more with some components changed; return the name it is imported by.

    Raises BadOption for a component that the game does not have.
    """
    _merge(_read(game.folder / "components.toml"), changes, "")  # raises before anything is imported
    text = json.dumps(changes, sort_keys=True)
    package = f"{game.package}{MARK}{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    if package not in sys.modules:
        source = game.folder / "__init__.py"
        spec = importlib.util.spec_from_file_location(package, source, submodule_search_locations=[str(game.folder)])
        assert spec is not None
        assert spec.loader is not None
        _changes[package] = json.loads(text)
        module = sys.modules[package] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            remove_variant(package)
            raise
    return package


def remove_variant(package: str) -> None:
    """Forget the modules of a variant."""
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
    _changes.pop(package, None)


def read_changes(components: str | os.PathLike[str] | Mapping[str, Any]) -> dict[str, Any]:
    """What to change: tables, or the name of a file with some of the tables of a `components.toml`."""
    if isinstance(components, Mapping):
        return dict(components)
    return _read(Path(components))


def require(name: str, value: object, only: object) -> None:
    """Raise BadComponents unless a component is what the rules count on."""
    if value != only:
        raise BadComponents(f"component {name} must be {only!r}: the rules count on it")


def nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Tables from settings by path: `{"goods.salt.dinar": 2}` is `{"goods": {"salt": {"dinar": 2}}}`."""
    tables: dict[str, Any] = {}
    for path, value in settings.items():
        *branches, leaf = path.split(".")
        table = tables
        for name in branches:
            table = table.setdefault(name, {})
        table[leaf] = value
    return tables


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadOption(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise BadOption(f"{path} is no TOML file: {error}") from None


def _merge(tables: dict[str, Any], changes: Mapping[str, Any], where: str) -> None:
    """Put `changes` into `tables`: table by table, anything else as a whole."""
    for name, value in changes.items():
        if name not in tables:
            raise BadOption(f"there is no component {where}{name}; there are {', '.join(tables)}")
        if isinstance(tables[name], dict) and isinstance(value, Mapping):
            _merge(tables[name], value, f"{where}{name}.")
        elif isinstance(tables[name], dict) or isinstance(value, Mapping):
            raise BadOption(f"component {where}{name} is {'a table' if isinstance(tables[name], dict) else 'no table'}")
        else:
            tables[name] = copy.deepcopy(value)
