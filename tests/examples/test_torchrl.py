"""The example for TorchRL learns: run where TorchRL is installed, which is no dependency of ours."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "torchrl_ppo.py"


@pytest.mark.skipif(importlib.util.find_spec("torchrl") is None, reason="needs TorchRL: pip install 'torchrl>=0.14'")
def test_ppo_of_torchrl_plays_whole_games_by_legal_moves():
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(EXAMPLE), "Targui-v1", "2048"],
        env={**os.environ, "OMP_NUM_THREADS": "1"},  # several threads wait for each other where the processors are busy
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = [re.fullmatch(r"(\d+) decisions: (\d+) games, mean reward (\S+)", line) for line in ran.stdout.splitlines()]
    updates = [one.groups() for one in told if one is not None]
    assert [decisions for decisions, _, _ in updates] == ["1024", "2048"]
    assert sum(int(games) for _, games, _ in updates) > 2  # an illegal move would end a game at once: there would be hundreds
    assert sum(int(games) for _, games, _ in updates) < 100
