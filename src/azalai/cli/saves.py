"""Where games are kept that one leaves without naming a file."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from azalai.engine.errors import AzalaiError

if TYPE_CHECKING:
    from azalai.engine.position import Position


class CannotSave(AzalaiError):
    """The file cannot be written."""


def folder() -> Path:
    """The folder of games left and games finished."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "azalai" / "games"


def new_path(game: str) -> Path:
    """A file that is not there yet, named after the game and the time."""
    name = f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    path = folder() / f"{name}.json"
    number = 1
    while path.exists():
        number += 1
        path = folder() / f"{name}-{number}.json"
    return path


def write(position: Position, path: Path) -> None:
    """Save a game; folders of our own are made where they are missing."""
    from azalai.engine.record import save

    try:
        if path.parent == folder():
            path.parent.mkdir(parents=True, exist_ok=True)
        save(position, path)
    except OSError as error:
        raise CannotSave(f"cannot write {path}: {error.strerror}") from None
