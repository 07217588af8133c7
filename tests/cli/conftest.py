"""The command as users call it, in this process: what it is typed, what it answers."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from azalai.cli import main
from azalai.engine import discovery
from tests.cli import wells as wells_game


class Said(NamedTuple):
    """What a command did: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


class Typing(io.StringIO):
    """Standard input with somebody typing at it, or a pipe."""

    def __init__(self, text: str, terminal: bool) -> None:
        super().__init__(text)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


Command = Callable[..., Said]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own for kept games, and no language set; relative files lie there too."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("AZALAI_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTHONUNBUFFERED"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """`command("play targui", typed="1\\n2\\n")` runs `azalai play targui`; with `terminal=True` as at a terminal."""

    def run(line: str, typed: str = "", terminal: bool = False, columns: int = 100, lines: int = 50) -> Said:
        capsys.readouterr()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", Typing(typed, terminal))
            if terminal:
                patch.setenv("TTY_COMPATIBLE", "1")
                patch.setenv("TERM", "xterm-256color")
                patch.setenv("NO_COLOR", "1")
                patch.setenv("COLUMNS", str(columns))
                patch.setenv("LINES", str(lines))
            status = main(line.split())
        out, err = capsys.readouterr()
        return Said(status, re.sub(r"\x1b\[[0-9;]*m", "", out), err)

    return run


@pytest.fixture
def wells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A second game, with secrets, simultaneous choices and amounts."""
    found = {
        "targui": discovery.find("targui"),
        "wells": discovery.GamePackage("wells", wells_game.__name__, wells_game.GAME.folder),
    }
    monkeypatch.setattr(discovery, "installed", lambda: found)
    return "wells"
