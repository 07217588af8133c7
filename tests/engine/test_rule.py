"""Compiling, once, and noticing when something has changed."""

import os
import re
import shutil
import subprocess
import sys
import time

import pytest

from azalai.engine import discovery, rule
from azalai.engine.rule import COMPILED, PACKAGE
from azalai.engine.schema import Header, field, schema

NOT_COMPILED = ("arena", "envs", "server", "cli")

COUNTING = """
from numba.core import event
events = []
class Listener(event.Listener):
    def on_start(self, e): events.append(e)
    def on_end(self, e): pass
event.register("numba:compile", Listener())
"""
WARM = f"""
{COUNTING}
from azalai.engine.compile import use_compiled
from tests.engine.nim import NIM
use_compiled(NIM, "azalai.engine.position")
p = NIM.new(seed=1)
p.play("roll"); p.view(0); p.undo(); p.scores
print(len(events))
"""


def run(code, **environment):
    path = os.pathsep.join(filter(None, sys.path))
    everything = {**os.environ, "PYTHONPATH": path, **environment}
    return subprocess.run([sys.executable, "-c", code], env=everything, capture_output=True, text=True, check=True).stdout.strip()


def test_a_warm_start_compiles_nothing(tmp_path):
    cold, warm = (int(run(WARM, AZALAI_CACHE=str(tmp_path))) for _ in range(2))
    assert cold > 0
    assert warm == 0


def test_all_installations_of_the_same_sources_share_what_one_has_compiled(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "elsewhere" / "azalai", ignore=shutil.ignore_patterns("__pycache__", "web", "site"))
    ask = COUNTING + "from azalai.engine.flow import mixed; mixed.compiled(1, 2); print(len(events))"
    assert int(run(ask, AZALAI_CACHE=str(tmp_path / "cache"))) > 0
    there = os.pathsep.join((str(tmp_path / "elsewhere"), *filter(None, sys.path)))
    assert run("import azalai; print(azalai.__file__)", PYTHONPATH=there).startswith(str(tmp_path))
    assert int(run(ask, AZALAI_CACHE=str(tmp_path / "cache"), PYTHONPATH=there)) == 0


def test_importing_azalai_is_quick_since_it_loads_neither_numba_nor_numpy():
    assert run("import sys, azalai; azalai.games(); print({'numba', 'numpy'} & set(sys.modules))").strip() == "set()"


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of this package and a game of another package, hashed in the place of what is installed."""
    package, other = tmp_path / "azalai", tmp_path / "others" / "oasis"
    ignored = shutil.ignore_patterns("__pycache__", "web")
    shutil.copytree(PACKAGE, package, ignore=ignored)
    for path in (other / "__init__.py", other / "rules.py", other / "components.toml", other / "extras" / "words" / "en.toml"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "others" / "__init__.py").write_text("")
    (tmp_path / "others" / "helpers.py").write_text("")
    monkeypatch.setattr(rule, "PACKAGE", package)
    monkeypatch.setattr(discovery, "installed", lambda: {"oasis": discovery.GamePackage("oasis", "others.oasis", other)})
    return tmp_path


def differs(path):
    """Whether a change of a file starts a new folder of compiled code."""
    before, content = rule._fingerprint(), path.read_bytes()
    path.write_bytes(content + b" ")
    after = rule._fingerprint()
    path.write_bytes(content)
    assert rule._fingerprint() == before
    return after != before


def test_a_change_of_any_file_that_may_be_compiled_starts_a_new_cache(copied):
    files = [path for name in COMPILED for path in (copied / "azalai" / name).rglob("*") if path.is_file()]
    counted = [path for path in files if not {"extras", "gpu"} & set(path.parts)]  # kernels for a GPU have a cache of their own
    assert len(counted) > 60
    assert [path for path in counted if not differs(path)] == []
    new = copied / "azalai" / "bots" / "new.py"
    before = rule._fingerprint()
    new.write_text("")
    assert rule._fingerprint() != before


def test_a_game_of_another_package_counts_with_all_its_package(copied):
    oasis = copied / "others" / "oasis"
    assert all(differs(path) for path in (oasis / "rules.py", oasis / "components.toml", copied / "others" / "helpers.py"))
    assert not differs(oasis / "extras" / "words" / "en.toml")


def test_a_change_in_extras_or_above_compiles_nothing_anew(copied):
    package = copied / "azalai"
    spared = [path for path in package.rglob("*") if path.is_file() and "extras" in path.parts]
    spared += [path for name in NOT_COMPILED for path in (package / name).rglob("*") if path.is_file()]
    assert len(spared) > 60
    assert [path for path in spared if differs(path)] == []


def test_what_is_left_out_of_the_cache_name_contains_nothing_compiled():
    everything = set(PACKAGE.rglob("*.py"))
    counted = {path for path in rule.sources().values() if path.suffix == ".py"}
    compiled = re.compile(r"^\s*@(rule|always_inline|\w*\.?njit|\w*\.?jit)\b|\b(njit|rule)\(", re.MULTILINE)
    assert len([path for path in counted if compiled.search(path.read_text())]) > 20
    spared = everything - counted
    assert {path.relative_to(PACKAGE).parts[0] for path in spared} >= {"games", *NOT_COMPILED}
    own_cache = PACKAGE / "engine" / "gpu" / "kernels.py"  # see engine/gpu/compile.py
    assert [path for path in spared if compiled.search(path.read_text())] == [own_cache]


def test_what_is_compiled_does_not_import_what_is_left_out():
    """A number from `extras` that is read while something compiles would be frozen into it."""
    for path in rule.sources().values():
        if path.suffix == ".py" and path.name != "__init__.py" and re.search(r"^@rule", path.read_text(), re.MULTILINE):
            assert not re.search(r"^(from|import) \S*extras", path.read_text(), re.MULTILINE), path


def test_old_caches_are_swept_away(tmp_path):
    old, new, other = tmp_path / ("a" * 16), tmp_path / ("b" * 16), tmp_path / "notes"
    for folder in (old, new, other):
        folder.mkdir()
    long_ago = time.time() - 40 * 86400
    os.utime(old, (long_ago, long_ago))
    os.utime(other, (long_ago, long_ago))
    rule._sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == [new, other]


def test_a_field_may_not_have_a_name_that_records_use():
    class State(Header):
        round: int = field("i1", "the round")

    with pytest.raises(ValueError, match="cannot be called 'round'"):
        schema(State, events=1)
