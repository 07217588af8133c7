"""Kernels as text (PTX): compiled by Numba-CUDA, kept on disk, or written beforehand for a machine that has nothing but a driver.

The driver translates PTX for the GPU at hand when it loads a kernel. So PTX is compiled once, without a GPU, for an old
generation of them, and runs on all generations since.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from azalai.engine.compile import show_progress
from azalai.engine.errors import AzalaiError
from azalai.engine.game import Game
from azalai.engine.gpu.signatures import KERNELS, ROLLOUTS, WITH_RULES, rollout_kernels
from azalai.engine.rule import INTERPRET, PACKAGE, Rule, cache_folder, sources, tell_compiler

CAPABILITY = (7, 5)  # the generation of GPUs that kernels are compiled for: Turing
ENTRY = "azalai_kernel"  # what every kernel is called in its text
FOLDER = "AZALAI_KERNELS"  # the environment variable that names a folder of kernels written beforehand


class NoKernel(AzalaiError):
    """A kernel can neither be found nor compiled."""


def kernel_text(game: Game, dtype: np.dtype[Any], name: str) -> bytes:
    """Return the PTX of a kernel, for records of this type: from the folder `AZALAI_KERNELS`, from the cache, or compiled now."""
    given = os.environ.get(FOLDER)
    if given:
        path = Path(given) / file_name(game, dtype, name)
        text = _read(path, _title(game, name))
        if text is None:
            command = f"python -m azalai.engine.gpu --emit {given} {game.name}"
            raise NoKernel(f"{path} is missing or of another version; write it with: {command}")
        return text
    if INTERPRET:
        raise NoKernel(f"where rules are interpreted, {FOLDER} must name a folder of kernels: python -m azalai.engine.gpu --help")
    path = cache_folder() / f"gpu-{_compiler_version()}" / file_name(game, dtype, name)
    text = _read(path, _title(game, name))
    if text is None:
        title = f"Compiling {game.name} for the GPU: {name} (once on this machine)"
        show_progress(title, [lambda: write_kernel(game, dtype, name, path)])
        text = path.read_bytes()
    return text


def emit_kernels(game: Game, folder: Path) -> Iterator[Path]:
    """Write all kernels that a game uses into a folder, but for those that lie there already."""
    for name, dtype in used_kernels(game):
        path = folder / file_name(game, dtype, name)
        if _read(path, _title(game, name)) is None:
            write_kernel(game, dtype, name, path)
            yield path


def used_kernels(game: Game) -> Iterator[tuple[str, np.dtype[Any]]]:
    """The kernels that a game uses on any GPU, each with the type of its records."""
    for name in KERNELS:
        if name not in ROLLOUTS or name in rollout_kernels(game):
            yield name, game.schema.dtype
            if name in WITH_RULES:
                yield name, game.schema.without_events


def file_name(game: Game, dtype: np.dtype[Any], name: str) -> str:
    """How the file of a kernel is called."""
    events = "" if name not in WITH_RULES or dtype["events"].shape[0] else "no_events"
    return "-".join(filter(None, (game.name, game.variant, events, name))) + ".ptx"


def write_kernel(game: Game, dtype: np.dtype[Any], name: str, path: Path) -> None:
    """Compile a kernel into a file. The file is never half-written."""
    text = f"{_title(game, name)}\n{compile_kernel(game, dtype, name)}"
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def compile_kernel(game: Game, dtype: np.dtype[Any], name: str) -> str:
    """Compile a kernel; no GPU is needed for that."""
    _compiler_version()
    from numba import cuda, types

    from azalai.engine.gpu import kernels

    function, parameters = kernels.make_kernel(name, game, dtype)
    with _any_gpu():
        text, _ = cuda.compile(function, types.void(*parameters), cc=CAPABILITY, device=False, abi="numba")
    entry = re.search(r"\.visible \.entry (\w+)\(", text)
    assert entry is not None
    return str(text).replace(entry[1], ENTRY)


def compile_function(function: Callable[..., Any], types: Sequence[Any]) -> str:
    """Compile a function of a game as kernels would call it, for parameters of these types; return its PTX, not optimized.

    Raises NoKernel with the name of the function that a GPU cannot run, because it allocates memory for one.
    """
    _compiler_version()
    from numba import cuda
    from numba.core.errors import NumbaError

    calls: dict[int, Callable[..., Any]] = {  # an overloaded function can only be called
        1: lambda a: function(a),
        2: lambda a, b: function(a, b),
        3: lambda a, b, c: function(a, b, c),
    }
    try:
        with _any_gpu():
            text, _ = cuda.compile(calls[len(types)], tuple(types), cc=CAPABILITY, device=True, abi="numba", opt=False)
    except NumbaError as error:
        frames = (frame.f_locals.get("pyfunc") for frame, _ in traceback.walk_tb(error.__traceback__))
        compiled = [
            one.__name__ for one in frames if one is not None
        ]  # from what was asked for down to what could not be compiled
        raise NoKernel(f"a GPU cannot run {compiled[-1] if compiled else function.__name__}: {error}") from error
    return str(text)


def _title(game: Game, name: str) -> str:
    """The first line of a kernel's file; when a source changes, so does the line."""
    return f"// azalai: {game.name} {name}, sources {_digest(game)}"


def _read(path: Path, title: str) -> bytes | None:
    try:
        text = path.read_bytes()
    except OSError:
        return None
    return text if text.startswith(title.encode() + b"\n") else None


@functools.cache
def _digest(game: Game) -> str:
    """A hash of all that kernels are made of: the engine, the kernels, and the files of the game, wherever it comes from."""
    module = sys.modules[game.package]
    own = [path for path in game.folder.rglob("*") if path.suffix in (".py", ".toml")] if hasattr(module, "__path__") else []
    files = {
        **sources(),
        **{f"gpu/{path.name}": path for path in (PACKAGE / "engine" / "gpu").glob("*.py")},
        **{f"game/{path.relative_to(game.folder).as_posix()}": path for path in own},
        "module": Path(str(module.__file__)),
    }
    digest = hashlib.sha256(repr(game.changes).encode())
    for name, path in sorted(files.items()):  # by names that do not depend on where packages are installed
        digest.update(name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def _compiler_version() -> str:
    try:
        from numba_cuda import __version__
    except ImportError:
        raise NoKernel(
            f"compiling for a GPU needs Numba-CUDA: pip install 'azalai[gpu]'; or let {FOLDER} name a folder of compiled kernels"
        ) from None
    return str(__version__)


@contextmanager
def _any_gpu() -> Iterator[None]:
    """Let Numba-CUDA compile rules, for `CAPABILITY`, where it would ask the GPU at hand for its own."""
    from numba.cuda import dispatcher
    from numba.cuda.target import CUDATypingContext

    class Gpu:
        compute_capability = CAPABILITY

    tell_compiler()
    before, resolve = dispatcher.get_current_device, CUDATypingContext.resolve_value_type
    dispatcher.get_current_device = lambda: Gpu
    CUDATypingContext.resolve_value_type = lambda self, value: resolve(self, _as_function(value))
    try:
        yield
    finally:
        dispatcher.get_current_device, CUDATypingContext.resolve_value_type = before, resolve


def _as_function(value: Any) -> Any:
    """Return what Numba-CUDA takes for a function that it can compile where kernels call a rule."""
    return value.for_gpu if isinstance(value, Rule) else value
