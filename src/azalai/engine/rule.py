"""Rules are plain functions; this module compiles them.

`@rule` compiles a function with Numba: no Python objects, no interpreter lock, kept on disk. With `AZALAI_INTERPRET=1` in the
environment the very same functions run as ordinary Python, for debuggers, for coverage, and for a test that both agree.

Numba notices when a function changes but not when a function it *calls* does. So the folder of compiled code is named after a
hash of every file in the folders that hold compiled functions, of the versions of Python and Numba, and of the processor. A
change of any of these starts a new folder, and nothing stale is ever run. Only folders named `extras` are left out: they hold
what is never compiled (words, help, drawings, levels, weights).
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from azalai.engine import discovery
from azalai.engine.components import variant_of

INTERPRET = os.environ.get("AZALAI_INTERPRET") == "1"
PACKAGE = Path(__file__).resolve().parent.parent
COMPILED = ("engine", "games", "bots")  # the folders of this package that hold compiled functions
NEVER_COMPILED = {"extras", "gpu", "__pycache__"}  # folders in them that are left out
KEEP_DAYS = 30  # folders of compiled code unused for so long are removed

Function = TypeVar("Function", bound=Callable[..., Any])

if INTERPRET:
    np.seterr(over="ignore")  # the generator's unsigned numbers wrap around, as they do when compiled


def rule(function: Function, inline: str = "never") -> Function:
    """Compile `function` when it is first called, or leave it as it is when rules are interpreted.

    `inline="always"` copies it into its callers, for small functions that are called with many combinations of types: each
    combination would be compiled on its own.
    """
    if INTERPRET:
        return function
    from numba import config, njit

    before = config.CACHE_DIR
    # Numba reads this while it decorates. A variant has files and functions of the same names as its game, but other numbers.
    config.CACHE_DIR = str(cache_folder() / variant_of(function.__module__))
    try:
        compiled: Function = njit(cache=True, nogil=True, error_model="numpy", inline=inline)(function)
    finally:
        config.CACHE_DIR = before
    return compiled


@functools.cache
def cache_folder() -> Path:
    """The folder for this version's compiled code; `AZALAI_CACHE` moves it."""
    home = os.environ.get("AZALAI_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "azalai"
    folder = Path(home).expanduser() / _fingerprint()
    if not folder.exists():
        _sweep(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    return folder


def _fingerprint() -> str:
    import llvmlite.binding as llvm
    import numba

    digest = hashlib.sha256()
    for part in (sys.version, np.__version__, numba.__version__, platform.machine(), llvm.get_host_cpu_name()):
        digest.update(part.encode())
    for name, path in sources().items():
        digest.update(name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def sources() -> dict[str, Path]:
    """Return the files that compiled code may depend on, here and in the packages of installed games.

    Their names do not depend on where the packages are installed.
    """
    folders = {PACKAGE / name for name in COMPILED} | {game.root for game in discovery.installed().values()} - {PACKAGE}
    found = {}
    for folder in folders:
        for path in folder.rglob("*"):
            name = path.relative_to(folder.parent)
            if path.is_file() and NEVER_COMPILED.isdisjoint(name.parts):
                found[name.as_posix()] = path
    return dict(sorted(found.items()))


def _sweep(home: Path) -> None:
    """Remove what earlier versions compiled and nothing has used for a month."""
    if home.exists():
        for folder in home.iterdir():
            if len(folder.name) == 16 and folder.is_dir() and time.time() - folder.stat().st_mtime > KEEP_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)


def is_compiled(name: str) -> bool:
    """Whether all that `name` needs has been compiled on this machine already."""
    return INTERPRET or (cache_folder() / f"{name}.ready").exists()


def mark_compiled(name: str) -> None:
    """Remember that all that `name` needs is compiled."""
    if not INTERPRET:
        (cache_folder() / f"{name}.ready").touch()


# ---------------------------------------------------------------- records, compiled and interpreted


class _Cells(np.ndarray[Any, Any]):
    """An array inside an interpreted record: its numbers are Python's, so that small types do not overflow in arithmetic."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        return value.item() if isinstance(value, np.integer) and value.dtype.kind == "i" else value


class Interpreted:
    """A record as interpreted rules see it: `s.seat`, `s.hand[seat, good]`, written through to the array it lies in."""

    __slots__ = ("cells",)

    def __init__(self, cells: np.void) -> None:
        object.__setattr__(self, "cells", cells)

    @property
    def dtype(self) -> np.dtype[Any]:
        kind: np.dtype[Any] = self.cells.dtype
        return kind

    def __getattr__(self, name: str) -> Any:
        value = self.cells[name]
        if isinstance(value, np.ndarray):
            return value.view(_Cells)
        return value.item() if value.dtype.kind == "i" else value

    def __setattr__(self, name: str, value: Any) -> None:
        self.cells[name] = value


class _Records(np.ndarray[Any, Any]):
    """An array of records whose members are interpreted."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        return Interpreted(value) if isinstance(value, np.void) else value

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value.cells if isinstance(value, Interpreted) else value)


def records(count: int, dtype: np.dtype[Any]) -> Any:
    """`count` blank records, for rules to work on."""
    cells = np.zeros(count, dtype)
    return cells.view(_Records) if INTERPRET else cells


def duplicate(cells: Any) -> Any:
    """A copy of an array of records, to the last byte (NumPy's own copy may leave the gaps between fields as they were)."""
    return type(cells)(cells.shape, cells.dtype, bytearray(cells.view(np.uint8)))


def numbers(shape: int | tuple[int, ...], kind: Any = np.int32) -> Any:
    """A blank array of numbers for rules to write into."""
    cells = np.zeros(shape, kind)
    return cells.view(_Cells) if INTERPRET else cells
