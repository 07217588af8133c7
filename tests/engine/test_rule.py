"""Compiling, once, and noticing when something has changed."""

import os
import re
import subprocess
import sys
import time

import pytest

from azalai.engine import rule
from azalai.engine.rule import COMPILED, PACKAGE, sources
from azalai.engine.schema import Header, field, schema

WARM = """
from numba.core import event
events = []
class Listener(event.Listener):
    def on_start(self, e): events.append(e)
    def on_end(self, e): pass
event.register("numba:compile", Listener())
from azalai.engine.compile import ensure
from tests.engine.nim import NIM
p = ensure(NIM).new(seed=1)
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


def test_importing_azalai_is_quick_and_leaves_numba_alone():
    code = "import sys, time; t = time.perf_counter(); import azalai; azalai.games()"
    code += "; print(time.perf_counter() - t, 'numba' in sys.modules)"
    seconds, numba = run(code).split()
    assert numba == "False"
    assert float(seconds) < 0.3


def test_the_cache_is_named_after_sources_and_data(tmp_path, monkeypatch):
    (tmp_path / "games").mkdir()
    source, data = tmp_path / "games" / "rules.py", tmp_path / "games" / "components.toml"
    names = []
    for path, text in ((source, "a = 1"), (data, "b = 1"), (source, "a = 2"), (data, "b = 2")):
        path.write_text(text)
        monkeypatch.setattr(rule, "PACKAGE", tmp_path)
        names.append(rule._fingerprint())
    assert len(set(names)) == 4


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


def test_what_is_left_out_of_the_fingerprint_is_not_compiled_nor_read_by_compiled_code():
    counted = {
        path for path in sources() if path.suffix == ".py" and re.search(r"^@rule|\brule\(", path.read_text(), re.MULTILINE)
    }
    spared = {path for folder in COMPILED for path in (PACKAGE / folder).rglob("*.py")} - set(sources())
    assert len(counted) > 20
    assert len(spared) > 10
    for path in spared:
        assert not re.search(r"^@rule|\b(rule|duplicate)\(", path.read_text(), re.MULTILINE), path
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        package, _, module = name.rpartition(".")
        reads = re.compile(
            rf"^(from {re.escape(name)} import|import {re.escape(name)}\b|from {re.escape(package)} import .*\b{module}\b)", re.M
        )
        assert not [user for user in counted if reads.search(user.read_text())], name
