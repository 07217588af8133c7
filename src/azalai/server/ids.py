"""Random ids."""

from __future__ import annotations

import secrets


def new_id(size: int = 12) -> str:
    """Return a random id of so many bytes that does not start with a dash, so that commands do not take it for an option."""
    while (made := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return made
