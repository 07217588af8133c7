"""The command at a real terminal: a pseudo-terminal with somebody at the keyboard."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

# Where tests run in the background, Control-C may be switched off for all they start; at a terminal it never is.
START = "import fcntl, signal, sys, termios; signal.signal(signal.SIGINT, signal.default_int_handler); "
START += "fcntl.ioctl(0, termios.TIOCSCTTY, 0); from azalai.cli import main; sys.exit(main())"
PROMPT = "› "


class Terminal:
    """A terminal of 110 × 60 in which a command runs."""

    def __init__(self, line: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 110, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "INPUTRC": os.devnull}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *line.split()],
            stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(slave)

    def wait_for(self, text: str, meanwhile: str = "") -> str:
        """All that is written until `text` comes, without colours; the keys `meanwhile` are pressed when nothing comes."""
        seen = ""
        end = time.monotonic() + 120
        while text not in seen:
            ready, _, _ = select.select([self.master], [], [], 2)
            assert ready or time.monotonic() < end, f"{text!r} never came after {seen!r}"
            if not ready:
                self.type(meanwhile)
                continue
            data = b""
            with contextlib.suppress(OSError):  # how Linux tells that the other side has gone
                data = os.read(self.master, 65536)
            assert data, f"the command ended before {text!r}, after {seen!r}"
            seen += data.decode(errors="replace")
            seen = re.sub(r"\x1b\[[0-9;]*m", "", seen)
        return seen

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    def ask(self, line: str) -> str:
        """Type a line; what comes until the next question."""
        self.type(line + "\n")
        return self.wait_for(PROMPT)


@pytest.fixture
def targui() -> Iterator[Terminal]:
    terminal = Terminal("play targui --seats 2 --seed 5 --bots random")
    yield terminal
    terminal.process.kill()
    terminal.process.wait()
    os.close(terminal.master)


def test_a_person_plays_takes_back_completes_and_leaves(targui: Terminal, home: Path):
    assert "Choose the field for your settlement" in targui.wait_for(PROMPT)
    shown = targui.ask("2")
    assert "\x1b[2J" in shown  # the board stays in its place: the screen is cleared before each picture
    assert "March from one of your fields" in shown
    assert "Which neighbouring field" in targui.ask("1")
    assert "Taken back: march from" in targui.ask("u")
    targui.type("st\t\n")  # completed to `stay`
    assert "Buy camels" in targui.wait_for(PROMPT)
    targui.type("q\n")
    targui.wait_for("To go on with it: azalai play --load")
    assert targui.process.wait(60) == 0
    assert len(list((home / "data/azalai/games").iterdir())) == 1


def test_control_c_keeps_the_game_and_leaves_politely(targui: Terminal, home: Path):
    targui.wait_for(PROMPT)
    targui.ask("1")
    targui.type("\x03")
    said = targui.wait_for("To go on with it:", meanwhile="\x03")  # a first one can come too early for the line editor
    assert "Traceback" not in said
    assert targui.process.wait(60) == 130
    assert len(list((home / "data/azalai/games").iterdir())) == 1


def test_control_d_leaves_like_quit(targui: Terminal):
    targui.wait_for(PROMPT)
    targui.type("\x04")
    targui.wait_for("To go on with it:")
    assert targui.process.wait(60) == 0


def test_the_rules_are_paged(targui: Terminal, monkeypatch: pytest.MonkeyPatch):
    targui.wait_for(PROMPT)
    targui.type("?\n")
    targui.wait_for("Targui")
    targui.type("q")  # leaves the pager, not the game
    targui.wait_for(PROMPT)
