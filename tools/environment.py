"""Installs the packages of a lock file, and Azalai from this folder, into the environment that runs this.

`python tools/environment.py requirements/run.txt`. `uv` does it in a tenth of the time that pip takes: the one on the path, else
one that pip installs first. Where uv cannot reach what pip is set up to reach, pip does it all.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
HERE = ["--no-build-isolation", "--no-deps", "--editable", "."]


def main(lock: Path) -> int:
    """Install everything; return the exit status of what failed, else 0."""
    began = time.monotonic()
    count = sum("==" in line for line in lock.read_text(encoding="utf-8").splitlines())
    print(f"Installing {count} packages from {lock} ...", end="", flush=True)
    hashed = ["--require-hashes", "-r", str(lock)]
    uv = find_uv()
    with_uv = [uv, "pip", "install", "--quiet", "--python", sys.executable]
    if uv and not run([*with_uv, *hashed]) and not run([*with_uv, *HERE]):
        status, how = 0, "uv"
    else:
        status, how = run([*PIP, "--no-compile", *hashed]) or run([*PIP, *HERE]), "pip"
    print(f" {time.monotonic() - began:.1f} s, with {how}" if not status else " failed", flush=True)
    return status


def find_uv() -> str:
    """Return the path of uv, installed if need be; empty if there is none for this machine."""
    beside = Path(sys.executable).with_name("uv")
    if found := shutil.which("uv"):
        return found
    if not beside.exists():
        run([*PIP, "--no-compile", "--require-hashes", "-r", "requirements/uv.txt"])
    return str(beside) if beside.exists() else ""


def run(command: list[str]) -> int:
    """Run a command and return its exit status; show what it said only if it failed."""
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        print(f"\n{done.stdout.decode(errors='replace').strip()}", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
