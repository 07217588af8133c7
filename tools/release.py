"""Checks that a release is described: `python -m tools.release v0.2.0` prints its notes from CHANGELOG.md, or what is missing."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def version() -> str:
    """Return the version that pyproject.toml gives the package."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def sections(changelog: str) -> dict[str, str]:
    """Return the text under every heading `## [version] - date`, newest first; what is to come is under `Unreleased`."""
    parts = re.split(r"^## \[([^]]+)\](?: - \d{4}-\d\d-\d\d)?\n", changelog, flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2])}


def notes(tag: str, current: str, changelog: str) -> str:
    """Return the notes of a tagged release; exit with a sentence where tag, version and changelog do not agree."""
    if tag != f"v{current}":
        sys.exit(f"the tag is {tag}, but pyproject.toml has the version {current}: tag v{current}, or change the version first")
    found = sections(changelog)
    if not found.get(current):
        sys.exit(f"CHANGELOG.md has nothing under ## [{current}] - YYYY-MM-DD: name and date what is under Unreleased")
    if found.get("Unreleased"):
        sys.exit(f"CHANGELOG.md still has something under Unreleased: it belongs to {current}, or to a later commit")
    return found[current]


if __name__ == "__main__":
    print(notes(sys.argv[1], version(), (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))
