"""Rules are plain functions; this module runs them, as ordinary Python or compiled.

A function under `@rule` becomes a `Rule`. Called from Python it runs compiled by Numba once `compile.py` has switched it over
for the game at hand, and as ordinary Python before that, so that nobody waits for a compiler. Compiled code calls rules directly,
and so does interpreted code. All memory is plain NumPy arrays; both ways read and write the same bytes, and the switch may come
between any two calls. With `AZALAI_INTERPRET=1` in the environment nothing is ever compiled: for debuggers and for coverage.

Numba notices when a function changes but not when a function it *calls* does. So the folder of compiled code is named after a
hash of every file in the folders that hold compiled functions, of the versions of Python and Numba, and of the processor. A
change of any of these starts a new folder, and nothing stale is ever run. Installations of the same sources share one. Only
folders named `extras` are left out: they hold what is never compiled (words, help, drawings, levels, weights).
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from azalai.engine import discovery
from azalai.engine.components import variant_of

INTERPRET = os.environ.get("AZALAI_INTERPRET") == "1"
WAIT = os.environ.get("AZALAI_COMPILE") == "wait" and not INTERPRET  # every rule is compiled before it runs
PACKAGE = Path(__file__).resolve().parent.parent
COMPILED = ("engine", "games", "bots")  # the folders of this package that hold compiled functions
NEVER_COMPILED = {"extras", "gpu", "__pycache__"}  # folders in them that are left out
KEEP_DAYS = 30  # folders of compiled code unused for so long are removed

Function = TypeVar("Function", bound=Callable[..., Any])


class _Thread(threading.local):
    """What the calls of rules in one thread do."""

    interpreting = False  # a rule runs as ordinary Python: the rules it calls do so too
    names: set[str] | None = None  # all calls run compiled; the names of the rules that Python calls are noted here


_thread = _Thread()
_games: set[Any] = set()  # the types of records of all games
_interpreted_types: set[Any] = set()  # those on which rules run as ordinary Python for good
_switched: dict[str, set[Any]] = {}  # by the name of a rule: the types of records on which it runs compiled


class Rule:
    """A function on records. Python, interpreted rules and compiled rules all call it by its name."""

    def __init__(self, function: Callable[..., Any], inline: str) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.targetoptions = {"inline": inline}  # where Numba looks for it
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._types = _switched.setdefault(self.name, set())

    def __call__(self, *args: Any, **named: Any) -> Any:
        if _thread.interpreting:
            return self.py_func(*args, **named)
        if args and args[0].__class__ is np.ndarray and args[0].dtype in self._types:  # the usual case, without the detour
            return self.compiled(*args, **named)
        if self.runs_compiled(args):
            return self.compiled(*args, **named)
        _thread.interpreting = True
        try:
            with np.errstate(over="ignore"):  # the generator's unsigned numbers wrap around, as they do when compiled
                return self.py_func(*map(_interpreted, args), **named)
        finally:
            _thread.interpreting = False

    def runs_compiled(self, args: Iterable[Any]) -> bool:
        """Return whether a call with these arguments runs compiled."""
        if _thread.names is not None:
            _thread.names.add(self.name)
            return True
        if WAIT:
            return not _interpreted_types or game_type(args) not in _interpreted_types
        return bool(self._types and game_type(args) in self._types)

    @functools.cached_property
    def compiled(self) -> Any:
        """What Python calls when the rule runs compiled. Numba compiles it at the first call, or finds that on the disk."""
        from azalai.engine.specialize import entry

        tell_compiler()
        # A variant has files and functions of the same names as its game, but other numbers.
        folder = cache_folder() / variant_of(self.py_func.__module__)
        return entry(self.py_func, folder, shared=Path(self.py_func.__code__.co_filename).resolve() in _hashed())

    def entry_point(self, args: Iterable[Any]) -> Callable[..., Any]:
        """Return the machine code for arguments of these types, which does not ask for their types any more."""
        found: Callable[..., Any] = self.compiled.compile(tuple(map(self.compiled.typeof_pyval, args)))
        return found

    def address(self, args: Iterable[Any]) -> int:
        """Return where the machine code for arguments of these types begins. C calls it, with records as pointers."""
        found: int = self.compiled.address(tuple(map(self.compiled.typeof_pyval, args)))
        return found

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """What Numba takes the rule for in code that it compiles."""
        from azalai.engine.specialize import inner

        self._inner = inner(self.py_func)  # the type itself holds it weakly
        return self._inner._numba_type_

    @functools.cached_property
    def for_gpu(self) -> Any:
        """What kernels for a GPU call."""
        from numba import njit

        return njit(nogil=True, error_model="numpy", inline=self.targetoptions["inline"])(self.py_func)


def rule(function: Function, inline: str = "never") -> Function:
    """Make a function part of the rules: interpreted at first, compiled when that is done.

    `inline="always"` copies it into its callers, for small functions that are called with many combinations of types: each
    combination would be compiled on its own.
    """
    return cast("Function", Rule(function, inline))


class RuleEntry:
    """A way into a rule for a caller whose arguments always have the same types, such as a batch.

    `call` is the rule; once that runs compiled, it is the machine code itself. Numba takes longer to look at the types of
    arguments than many a rule takes to run.
    """

    __slots__ = ("call", "rule")

    def __init__(self, function: Callable[..., Any]) -> None:
        self.rule = cast("Rule", function)
        self.call: Callable[..., Any] = self._look

    def _look(self, *args: Any) -> Any:
        if called_as_usual() and self.rule.runs_compiled(args):
            self.call = self.rule.entry_point(args)
            return self.call(*args)
        return self.rule(*args)


_for_compiler: list[Callable[[], None]] = []


def before_compiling(function: Callable[[], None]) -> Callable[[], None]:
    """Call `function` before anything is compiled: it tells Numba what else rules may call."""
    _for_compiler.append(function)
    return function


def tell_compiler() -> None:
    """Tell Numba what rules may call, as far as that was not done."""
    while _for_compiler:
        _for_compiler.pop()()


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

    digest = hashlib.sha256()
    for part in (sys.version, np.__version__, version("numba"), platform.machine(), llvm.get_host_cpu_name()):
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


@functools.cache
def _hashed() -> frozenset[Path]:
    return frozenset(path.resolve() for path in sources().values())


def _sweep(home: Path) -> None:
    """Remove what earlier versions compiled and nothing has used for a month."""
    if home.exists():
        for folder in home.iterdir():
            if len(folder.name) == 16 and folder.is_dir() and time.time() - folder.stat().st_mtime > KEEP_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)


# ---------------------------------------------------------------- which rules run compiled


def add_game_type(dtype: np.dtype[Any]) -> None:
    """Remember that records of this type belong to a game."""
    _games.add(dtype)


def interpret(*dtypes: np.dtype[Any]) -> None:
    """Let all rules run as ordinary Python for good where they work on records of these types."""
    _interpreted_types.update(dtypes)


def stays_interpreted(dtype: np.dtype[Any]) -> bool:
    """Return whether rules are never compiled for records of this type."""
    return dtype in _interpreted_types


def remove_game_type(dtype: np.dtype[Any]) -> None:
    """Forget a type of records that no game has any more."""
    _games.discard(dtype)
    _interpreted_types.discard(dtype)


def remove_rules(package: str) -> None:
    """Forget the rules of a package that is imported no more."""
    for name in [name for name in _switched if name.startswith(f"{package}.")]:
        del _switched[name]


def game_type(args: Iterable[Any]) -> np.dtype[Any] | None:
    """Return the type of a game's records that is found first in the arguments of a rule."""
    for one in args:
        if isinstance(one, np.ndarray | np.void):
            if one.dtype in _games:
                return one.dtype
        elif isinstance(one, tuple):
            found = game_type(one)
            if found is not None:
                return found
    return None


def runs_compiled(function: Callable[..., Any], *args: Any) -> bool:
    """Return whether a call of a function waits for no rule that is interpreted still."""
    return not isinstance(function, Rule) or function.runs_compiled(args)


def called_as_usual() -> bool:
    """Return whether this thread calls rules neither to have them compiled nor from an interpreted rule."""
    return _thread.names is None and not _thread.interpreting


def always_compiled() -> bool:
    """Return whether all rules that this thread calls run compiled."""
    return WAIT or _thread.names is not None


@contextmanager
def compiled_calls() -> Iterator[set[str]]:
    """Let the rules that this thread calls run compiled; yield the set of their names."""
    before, names = _thread.names, set[str]()
    _thread.names = names
    try:
        yield names
    finally:
        _thread.names = before


def switch(names: Iterable[str], dtypes: Iterable[np.dtype[Any]]) -> None:
    """Let these rules run compiled from now on, where they work on records of these types or on none."""
    for name in names:
        _switched.setdefault(name, set()).update((None, *dtypes))


# ---------------------------------------------------------------- what interpreted rules see


class _Cells(np.ndarray[Any, Any]):
    """An array inside an interpreted record: its numbers are Python's, so that small types do not overflow in arithmetic."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        return value.item() if isinstance(value, np.integer) and value.dtype.kind == "i" else value


class _Interpreted:
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
        return _Interpreted(value) if isinstance(value, np.void) else value

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value.cells if isinstance(value, _Interpreted) else value)


def _interpreted(value: Any) -> Any:
    """Return an argument as interpreted rules see it; the memory is the same."""
    if isinstance(value, np.ndarray):
        return value.view(_Records if value.dtype.names else _Cells)
    if isinstance(value, np.void):
        return _Interpreted(value)
    if isinstance(value, tuple):
        members = map(_interpreted, value)
        return type(value)._make(members) if hasattr(value, "_make") else tuple(members)
    return value


# ---------------------------------------------------------------- memory


def records(count: int, dtype: np.dtype[Any]) -> Any:
    """`count` blank records, for rules to work on."""
    return np.zeros(count, dtype)


def record_of(content: bytes | bytearray, dtype: np.dtype[Any]) -> Any:
    """An array of one record with this content, in memory of its own."""
    return np.ndarray(1, dtype, bytearray(content))


def duplicate(cells: Any) -> Any:
    """A copy of an array of records, to the last byte (NumPy's own copy may leave the gaps between fields as they were)."""
    return np.ndarray(cells.shape, cells.dtype, bytearray(cells.view(np.uint8)))


def numbers(shape: int | tuple[int, ...], kind: Any = np.int32) -> Any:
    """A blank array of numbers for rules to write into."""
    return np.zeros(shape, kind)
