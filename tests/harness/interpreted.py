"""Programs whose rules are interpreted: to compile a variant takes much longer than to play a few games of it."""

from __future__ import annotations

import os
import subprocess
import sys
from subprocess import PIPE


def run_interpreted(program: str) -> None:
    """Run a program that must end without an error."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "AZALAI_INTERPRET": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, stderr=PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr
