"""A rule allocates nothing: that is why the same source runs on a GPU, and one reason why it is fast on a CPU."""

from __future__ import annotations

import ast
import subprocess
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from subprocess import PIPE

import numpy as np
import pytest

from azalai.engine import discovery
from azalai.engine.rule import INTERPRET, PACKAGE, cache_folder

SOURCE = Path(__file__).resolve().parents[2] / "src" / "azalai"
FILES = [*SOURCE.glob("engine/*.py"), *SOURCE.glob("games/*/*.py"), *SOURCE.glob("bots/*.py")]
RULES = ("rule", "always_inline")
ALLOCATING = {"arange", "array", "asarray", "copy", "empty", "full", "ones", "zeros", "zeros_like", "empty_like"}
COLLECTIONS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)


def allocations(source: str) -> list[str]:
    """Where rules make arrays, lists or other collections: the function's name and the line."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef) and any(ast.unparse(one) in RULES for one in function.decorator_list):
            for node in (node for statement in function.body for node in ast.walk(statement) if isinstance(node, ast.expr)):
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ALLOCATING
                if called or (isinstance(node, COLLECTIONS) and not isinstance(getattr(node, "ctx", None), ast.Store)):
                    found.append(f"{function.name}, line {node.lineno}")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_rule_makes_an_array_or_a_list(path):
    assert not allocations(path.read_text(encoding="utf-8"))


def test_an_allocation_is_found():
    rule = "@rule\ndef {}(s):\n    {}\n"
    assert allocations(rule.format("count", "keys = np.zeros(3)")) == ["count, line 3"]
    assert allocations(rule.format("deal", "deck = DECK.copy()")) == ["deal, line 3"]
    assert allocations(rule.format("pick", "best = [1, 2]")) == ["pick, line 3"]
    assert allocations("def make():\n    return np.zeros(3)\n") == []


COMPILE = """
import sys
from numba import from_dtype, types
from azalai.engine.dispatch import STUBS
from azalai.engine.game import load_game
from azalai.engine.gpu.compile import compile_function

game = load_game(sys.argv[1])
record = from_dtype(game.schema.dtype)
arguments = {
    "setup": (),
    "legal": (types.int32[::1],),
    "play": (types.int64,),
    "score": (types.int64[:, ::1],),
    "hide": (types.int64,),
    "determinize": (types.int64,),
    "evaluate": (from_dtype(game.weights.dtype), types.float64[::1]),
    "conclude": (types.int64, from_dtype(game.conclusions.dtype)),
}
for function, others in arguments.items():
    if ".visible .func" in compile_function(STUBS[function], (record, *others)):
        print(function)
"""


def mark_of(name: str) -> Path:
    """The file that says that a game was compiled: by this test, this compiler, from these sources, whose cache it lies in."""
    digest = sha256((COMPILE + version("numba-cuda")).encode())
    for path in sorted((PACKAGE / "engine" / "gpu").glob("*.py")):
        digest.update(path.read_bytes())
    return cache_folder() / f"gpu-{name}-{digest.hexdigest()[:16]}"


@pytest.fixture(scope="module")
def compilers():
    """A process for each game that was not compiled yet, all at the same time."""
    pytest.importorskip("numba_cuda")
    begun = {
        name: subprocess.Popen([sys.executable, "-c", COMPILE, name], stdout=PIPE, stderr=PIPE, text=True)
        for name in discovery.installed()
        if not mark_of(name).exists()
    }
    yield begun
    for process in begun.values():
        process.kill()
        process.communicate()


@pytest.mark.skipif(INTERPRET, reason="what is interpreted is not compiled")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", discovery.installed())
def test_every_function_of_a_game_compiles_for_a_gpu(name, compilers):
    """A GPU's compiler refuses memory made inside a rule. It runs anywhere; no GPU is needed.

    It takes up to half a minute for a game. As long as neither sources nor compiler change, once is enough on a machine.
    """
    if name in compilers:
        compiled, errors = compilers[name].communicate()
        assert compilers[name].returncode == 0, errors
        assert compiled.split() == ["setup", "legal", "play", "score", "hide", "determinize", "evaluate", "conclude"]
        mark_of(name).touch()


@pytest.mark.skipif(INTERPRET, reason="what is interpreted is not compiled")
def test_the_function_that_allocates_is_named():
    pytest.importorskip("numba_cuda")
    from numba import njit, types

    from azalai.engine.gpu.compile import NoKernel, compile_function

    @njit
    def greedy_function(n):
        return np.zeros(3, np.int64)[n]

    @njit
    def innocent_function(n):
        return greedy_function(n)

    with pytest.raises(NoKernel, match="cannot run greedy_function"):
        compile_function(innocent_function, (types.int64,))
