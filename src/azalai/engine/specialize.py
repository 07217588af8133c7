"""How Numba compiles rules: each function once, whatever integers it is called with, and machine code only for what Python calls.

Left to itself, Numba compiles a function anew for every combination of integer types among its arguments (a seat may be an int8
in a record, a constant, an int64 in a loop). And it optimizes each function together with all that it calls, although mostly
only its callers need it, which optimize all of it once more. Only this module knows the inside of Numba.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import config, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

# A rule allocates no memory, so nothing is counted (`_nrt`): to count references to arrays takes as long as the rules of a game.
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None, "_nrt": False}
NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_setting = threading.Lock()  # held while Numba's configuration is changed


def entry(function: Callable[..., Any], folder: Path, shared: bool) -> Any:
    """Compile a function that Python calls; its machine code is kept in `folder`.

    It is `shared` by all installations of the same sources if these have given the folder its name.
    """
    dispatcher = EntryDispatcher(function, targetoptions=OPTIONS)
    with _setting:
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)  # where Numba looks for it
        try:
            dispatcher._cache = (SharedCache if shared else FunctionCache)(function)
        finally:
            config.CACHE_DIR = before
    return dispatcher


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that only compiled code calls."""
    return InnerDispatcher(function, targetoptions={**OPTIONS, **NO_WRAPPERS}, pipeline_class=InnerCompiler)


def widened(kind: Any) -> Any:
    """Return the type that a function is compiled for where it is called with an argument of type `kind`."""
    kind = types.unliteral(kind)
    small = isinstance(kind, types.Integer) and kind.bitwidth < 64
    return types.int64 if small or isinstance(kind, types.IntEnumMember) else kind


class EntryDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function that Python calls."""

    def compile(self, sig: Any) -> Any:
        """Compile the function for arguments of these types."""
        known = len(self.overloads)
        compiled = super().compile(sig)
        if len(self.overloads) > known:
            result = list(self.overloads.values())[-1]
            for environment in result._find_referenced_environments():  # of the inner functions
                result.library.codegen.set_env(environment.env_name, environment)
            result.library._shared_module = None  # for callers, of which there are none: it takes more memory than the code
        return compiled

    def address(self, sig: Any) -> int:
        """Return where the machine code for arguments of these types begins. C calls it, with records as pointers."""
        self.compile(sig)
        result = self.overloads[sig]
        found: int = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
        return found


class SharedPlace(UserProvidedCacheLocator):  # type: ignore[misc]
    """Where the machine code of a function lies. Numba asks for the path and the age of its source as well."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(Path(config.CACHE_DIR) / function.__module__.rpartition(".")[0])

    def get_source_stamp(self) -> str:
        """Return what says that the code is up to date."""
        return ""


class SharedCode(CompileResultCacheImpl):  # type: ignore[misc]
    """How the machine code of a function is found."""

    _locator_classes = (SharedPlace,)


class SharedCache(FunctionCache):  # type: ignore[misc]
    """The machine code of a function, for all installations of the same sources."""

    _impl_class = SharedCode


class InnerDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function that compiled code calls. It takes every integer as an int64."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the types of a call, whose arguments Numba then converts; the function is compiled for them."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        template, _, widest, _ = super().get_call_template(tuple(map(widened, folded)), {})
        return template, signature, widest, {}


class InnerCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function as far as its callers need it."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile a function."""
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """What has become of a function before it is optimized: to be linked into its callers, never to be run by itself."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return nothing: there is no machine code."""
        return 0

    @property
    def codegen(self) -> Any:
        """What makes machine code; environments of functions are set in their callers' code."""
        return _Unset(self._codegen)


class _Unset:
    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Leave it: the code is not loaded."""


INNER = {**NO_WRAPPERS, "pipeline_class": InnerCompiler}  # options for what compiled code finds by the types of its arguments
