"""Where the commands write: standard output through Rich, on a terminal or into a file or pipe."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.text import Text

PLAIN_WIDTH = 100  # of files and pipes, which have no width of their own, and of text that is to be read
SEAT_STYLES = {
    "blue": "bright_blue",
    "red": "bright_red",
    "green": "bright_green",
    "yellow": "bright_yellow",
    "violet": "bright_magenta",
}


class Screen(Console):
    """A Rich console that takes it calmly when nobody reads on."""

    def on_broken_pipe(self) -> None:
        """Called when the reader of our output has gone, as `| head` does: nothing is wrong."""
        raise BrokenPipeError

    def page(self, content: RenderableType) -> None:
        """Show something long: by the pager on a terminal where it does not fit, else as it is."""
        if sys.stdin.isatty() and self.is_terminal and len(self.render_lines(content, pad=False)) >= self.size.height:
            os.environ.setdefault("LESS", "-R")  # let colours through
            with self.pager(styles=True):
                self.print(content)
        else:
            self.print(content)

    def wipe(self) -> None:
        """Clear the terminal, and what one could scroll back to."""
        self.clear()
        if self.is_terminal and not self.is_dumb_terminal:
            self.file.write("\x1b[3J")
            self.file.flush()


def open_screen() -> Screen:
    """The screen of this process."""
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else PLAIN_WIDTH
    return Screen(width=width, highlight=False)


def seat_style(label: str) -> str:
    """The colour a seat's name is written in."""
    return SEAT_STYLES.get(label, "bold")


def rules_page(markdown: str) -> RenderableType:
    """A game's rule help, ready to print."""
    from rich.markdown import Markdown

    return Constrain(Markdown(markdown), PLAIN_WIDTH)


def paint(sentence: str, styles: Mapping[str, str], style: str = "") -> Text:
    """A sentence in which some words have a style of their own."""
    text = Text(sentence, style)
    for word, its_style in styles.items():
        text.highlight_regex(rf"(?<!\w){re.escape(word)}(?!\w)", its_style)
    return text
