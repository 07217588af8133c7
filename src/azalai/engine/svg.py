"""Schematic drawings of positions, for notebooks, papers and the page: a few shapes, named colours, light or dark.

A game draws itself with the names of colours; what they are is said once, in a style sheet at the head of the drawing. With the
theme `auto` it has both sets, and whoever shows it chooses by the reader's preference. Parts of a drawing can be named as moves
name them, so that the page can light them for the moves that are about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING

from azalai.engine.errors import BadOption

if TYPE_CHECKING:
    from azalai.engine.moves import Domain
    from azalai.engine.position import Position

THEMES = ("light", "dark", "auto")
COLOURS = {  # on light paper, on dark paper
    "paper": ("#ffffff", "#1b1a18"),
    "panel": ("#f6f1e7", "#282623"),
    "ink": ("#26221e", "#efe9df"),
    "faint": ("#6f675c", "#aba295"),
    "line": ("#b9b0a3", "#5c564e"),
    "blue": ("#0072b2", "#4fa8dd"),
    "red": ("#c8442c", "#ee7a62"),
    "green": ("#1b8a5a", "#4fbd8a"),
    "yellow": ("#e3b00e", "#f0c33c"),
    "violet": ("#8a5aa8", "#b98fd4"),
    "white": ("#ffffff", "#d9d4cb"),
    "on blue": ("#ffffff", "#12212b"),
    "on red": ("#ffffff", "#2b1510"),
    "on green": ("#ffffff", "#0d2419"),
    "on yellow": ("#26221e", "#2b2205"),
    "on violet": ("#ffffff", "#22172b"),
    "on white": ("#26221e", "#26221e"),
}
LETTER = 0.6  # the width of a letter, in sizes of the type
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


class Drawing:
    """A sheet of a given size to draw on. Colours are names: of `COLOURS`, or of the game's own with a light and a dark value."""

    def __init__(self, width: float, height: float, title: str, colours: Mapping[str, tuple[str, str]] | None = None) -> None:
        self.width = width
        self.height = height
        self.title = title
        self.colours = {**COLOURS, **(colours or {})}
        self._elements: list[str] = []
        self.box(0, 0, width, height, "paper", rounded=0)

    @contextmanager
    def part(self, domain: Domain, value: int) -> Iterator[None]:
        """Name all that is drawn inside: it stands for this value of a domain in the arguments of moves."""
        self._elements.append(f'<g data-part="{escape(f"{domain.name}:{domain.label(value)}")}">')
        yield
        self._elements.append("</g>")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = "",
        line: str = "",
        rounded: float = 4,
        thick: float = 1,
    ) -> None:
        """A rectangle."""
        self._add("rect", f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rounded:g}"', fill, line, thick)

    def disc(self, x: float, y: float, radius: float, fill: str = "", line: str = "", thick: float = 1) -> None:
        """A circle around a point."""
        self._add("circle", f'cx="{x:g}" cy="{y:g}" r="{radius:g}"', fill, line, thick)

    def shape(self, points: Sequence[tuple[float, float]], fill: str = "", line: str = "", thick: float = 1) -> None:
        """A polygon."""
        self._add("polygon", f'points="{" ".join(f"{x:g},{y:g}" for x, y in points)}"', fill, line, thick)

    def path(self, points: Sequence[tuple[float, float]], line: str = "ink", thick: float = 1) -> None:
        """A line from point to point."""
        self._add("polyline", f'points="{" ".join(f"{x:g},{y:g}" for x, y in points)}"', "", line, thick)

    def text(
        self, x: float, y: float, words: object, size: float = 12, fill: str = "ink", at: str = "start", bold: bool = False,
        room: float = 0,
    ) -> None:  # fmt: skip
        """A line of text whose baseline begins (`start`), has its middle (`middle`) or ends (`end`) at a point.

        Where there is only so much `room`, a long text is written smaller.
        """
        told = str(words)
        if room and len(told) * size * LETTER > room:
            size = round(room / (len(told) * LETTER), 1)
        weight = ' font-weight="bold"' if bold else ""
        head = f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{at}"{weight} class="{self._class(fill, "f")}">'
        self._elements.append(f"{head}{escape(told)}</text>")

    def piece(self, x: float, y: float, radius: float, colour: str, label: object = "") -> None:
        """A playing piece: a disc in a seat's colour, with a label."""
        self.disc(x, y, radius, colour, "ink" if colour == "white" else "")
        if label != "":
            self.text(x, y + radius * 0.38, label, radius * 1.15, f"on {colour}", "middle", bold=True)

    def svg(self, theme: str = "auto") -> str:
        """The drawing as the text of an SVG file."""
        if theme not in THEMES:
            raise BadOption(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
        style = self._sheet(1 if theme == "dark" else 0)
        if theme == "auto":
            style += f"@media (prefers-color-scheme: dark) {{{self._sheet(1)}}}"
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{escape(FONT)}" role="img">'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", f"<style>{style}</style>", *self._elements, "</svg>", ""])

    def _sheet(self, which: int) -> str:
        rules = []
        for name, values in self.colours.items():
            slug = name.replace(" ", "-")
            rules.append(f".azalai-f-{slug}{{fill:{values[which]}}}.azalai-l-{slug}{{stroke:{values[which]}}}")
        return "".join(rules)

    def _class(self, name: str, kind: str) -> str:
        if name not in self.colours:
            raise KeyError(f"the drawing has no colour {name!r}")
        return f"azalai-{kind}-{name.replace(' ', '-')}"

    def _add(self, tag: str, place: str, fill: str, line: str, thick: float) -> None:
        classes = [self._class(name, kind) for name, kind in ((fill, "f"), (line, "l")) if name]
        rest = "" if fill else ' fill="none"'
        rest += f' stroke-width="{thick:g}"' if line else ""
        self._elements.append(f'<{tag} {place}{rest} class="{" ".join(classes)}"/>')


def draw(position: Position, theme: str, language: str) -> str:
    """A position as the text of an SVG file: whole, or as far as its viewer may see it."""
    from azalai.engine.words import Words

    if position.game.drawing is None:
        raise BadOption(f"{position.game.name} has no drawing")
    return position.game.drawing(position, Words(position.game, position.seats, language)).svg(theme)
