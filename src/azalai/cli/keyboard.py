"""What people type: at a terminal with editing and completion, or line by line from a file or pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from azalai.cli.screen import Screen


class Keyboard:
    """Reads answers. `interactive` tells whether a person sits there and sees what we write."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.interactive = sys.stdin.isatty() and screen.is_terminal
        self._completions: Sequence[str] = ()
        if self.interactive:
            self._complete_with_tab()

    def read(self, prompt: str, completions: Sequence[str] = ()) -> str:
        """One line without the spaces around it. Raises EOFError where nobody is there any more."""
        self._completions = completions
        if self.interactive:
            return input(f"{prompt} › ").strip()
        echoed = sys.stdin.isatty()  # by the terminal itself, while our output goes elsewhere
        if echoed:
            self.screen.print(Text(f"{prompt} › "), end="")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not echoed:
            self.screen.print(Text(f"{prompt} › {line.strip()}"))
        return line.strip()

    def _complete_with_tab(self) -> None:
        try:
            import readline
        except ImportError:  # not every Python has it; without it one types in full
            return
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
        readline.set_completer_delims("\n")
        readline.set_completer(self._completion)

    def _completion(self, typed: str, number: int) -> str | None:
        fitting = [text for text in self._completions if text.startswith(typed.lower())]
        return fitting[number] if number < len(fitting) else None
