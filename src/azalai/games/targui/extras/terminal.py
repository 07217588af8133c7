"""The desert in the terminal: a tile for every field, and beside or below it what the players have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ..components import AREAS, CHOTT, DOUBLE_TURN, FATES, FIELD_LABELS, SETTLEMENT, SIDE
from .notes import alive, fates_left, rounds, values

if TYPE_CHECKING:
    from rich.console import RenderableType

    from azalai.engine.position import Position
    from azalai.engine.words import Words

INK = "#2b2622"
GROUND = {  # two shades each, so that neighbouring tiles can be told apart
    "erg": ("#ecc97f", "#e4be70"),
    "reg": ("#cbb08e", "#c1a582"),
    "guelta": ("#8fc98a", "#84be80"),
    "mountain": ("#a8978a", "#9d8c80"),
    "feche": ("#f2e2bd", "#ead8af"),
    "chott": ("#bcd3dc", "#b0c9d4"),
    "saline": ("#ffffff", "#ffffff"),
    "settlement": ("#f4b183", "#f4b183"),
}
PATTERN = {
    "erg": "∿∿",
    "reg": "∴∴",
    "guelta": "≈≈",
    "mountain": "⋀⋀",
    "feche": "┄┄",
    "chott": "××",
    "saline": "◌◌",
    "settlement": "⌂ ",
}
PAINT = {"blue": "#0072b2", "red": "#c8442c", "green": "#1b8a5a", "yellow": "#e3b00e"}
EMBLEM = {"blue": "☾", "red": "☼", "green": "♣", "yellow": "★"}
ON_PAINT = {"blue": "#ffffff", "red": "#ffffff", "green": "#ffffff", "yellow": INK}

TILE = 10  # columns: a strip in the owner's colour, and nine for the field
BOARD = SIDE * TILE + 2
BESIDE = 26  # columns for the players beside the board; where they are missing, below it


def draw(position: Position, seat: int | None, words: Words) -> RenderableType:
    """The picture of a position for `seat`, in 72 columns or more."""
    return DesertPicture(position, seat, words)


@dataclass
class DesertPicture:
    """Lays itself out by the width there is."""

    position: Position
    seat: int | None
    words: Words

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        grid = Table.grid(padding=(0, 2, 0, 0))
        if options.max_width >= BOARD + 2 + BESIDE:
            grid.add_column(width=BOARD)
            grid.add_column(width=BESIDE)
            grid.add_row(self.board(), Group(Text(), self.round(), Text(), *self.players(), Text(), self.fates(BESIDE)))
            yield grid
        else:
            grid.add_column(width=BESIDE)
            grid.add_column()
            grid.add_row(Group(*self.players()), Group(self.round(), self.fates(options.max_width - BESIDE - 4)))
            yield Group(self.board(), Text(), grid)

    def say(self, key: str) -> str:
        """A word of the picture itself."""
        return str(self.words.table["terminal"][key])

    # ------------------------------------------------------------ the board

    def board(self) -> RenderableType:
        """Seven rows of seven tiles, letters on top, numbers on the left."""
        lit = self.choices()
        lines = [Text("  " + "".join(f" {letter:^9}" for letter in "abcdefg"), style="dim")]
        for row in range(SIDE):
            tiles = [self.tile(row * SIDE + column, lit) for column in range(SIDE)]
            lines += [Text.assemble(("  ", ""), *(tile[0] for tile in tiles))]
            lines += [Text.assemble((f"{row + 1} ", "dim"), *(tile[1] for tile in tiles))]
            lines += [Text.assemble(("  ", ""), *(tile[2] for tile in tiles))]
        lines.append(Text("  " + self.say("values"), style="dim"))
        return Text("\n").join(lines)

    def choices(self) -> set[int]:
        """The fields that the viewer may choose now."""
        if self.seat is None or self.position.over or self.seat not in self.position.pending:
            return set()
        return {move.args["field"] for move in self.position.moves(self.seat) if "field" in move.args}

    def tile(self, field: int, lit: set[int]) -> list[Text]:
        """Three lines: name and values, area, owner and camels."""
        s = self.position.state
        area = AREAS[int(s.terrain[field])]
        ground = GROUND[area][(field // SIDE + field % SIDE) % 2]
        style = Style(color=INK, bgcolor=ground)
        strategic, economic = values(s, field)
        sign = "→" if field == s.origin else "◎" if field == s.target else "•" if field in lit else " "
        bold = Style(bold=True, reverse=sign != " ")
        first = Text(style=style).append(FIELD_LABELS[field], bold).append(sign, bold)
        if int(s.terrain[field]) == CHOTT:
            first.append(" " * 6)
        else:
            first.append(f"▲{strategic} ■{economic}".rjust(6))
        second = Text(f"{PATTERN[area]} {self.area_name(field)}"[:9].ljust(9), style=style)
        third = Text(style=style)
        owner, camels = int(s.owner[field]), int(s.camels[field])
        strip = Text(" ", style=style)
        if owner >= 0:
            colour = self.words.seat_labels[owner]
            strip = Text(" ", style=Style(bgcolor=PAINT[colour]))
            chip = Style(color=ON_PAINT[colour], bgcolor=PAINT[colour], bold=True)
            third.append(f" {EMBLEM[colour]} {camels if camels else '–'} ", chip)
        third.append(" " * (9 - len(third)))
        return [strip + first, strip + second, strip + third]

    def area_name(self, field: int) -> str:
        """What kind of land; a settlement is called by the tribe that built it."""
        s = self.position.state
        if int(s.terrain[field]) == SETTLEMENT:
            return self.words.seat(list(s.home[: self.position.seats]).index(field))
        return str(self.words.table["area_short"][AREAS[int(s.terrain[field])]])

    # ------------------------------------------------------------ players and cards

    def players(self) -> list[Text]:
        """Two lines for each: income and cards still in the pack, camels and silver."""
        s = self.position.state
        lines = []
        for seat, colour in enumerate(self.words.seat_labels):
            asked = seat in self.position.pending
            line = Text(f" {EMBLEM[colour]} ", Style(color=ON_PAINT[colour], bgcolor=PAINT[colour], bold=True))
            line = Text.assemble(line, (f" {self.words.seat(seat)}{' ◂' if asked else ''}".ljust(10), "bold" if asked else ""))
            if alive(s, seat):
                line.append(f"■{self.position.scores[seat]:<3}").append("▮" * int(s.pack[seat]))
                wealth = f"{self.words('terminal.camels', n=int(s.herd[seat]))} · {int(s.silver[seat])} {self.say('silver')}"
                lines += [line, Text(f"    {wealth}")]
            else:
                lines += [line.append("  "), Text(f"    {self.say('out')}", "dim")]
        return lines

    def round(self) -> Text:
        """The round and its die, the camels that can be bought."""
        s = self.position.state
        text = Text(f"{self.say('round')} {int(s.round_no)} {self.say('of')} {rounds(s)}", "bold")
        if s.die:
            text.append(f" · {self.say('die')} {int(s.die)}")
        if s.die == DOUBLE_TURN:
            text.append(f"\n{self.say('double')}", "not bold")
        return text.append(f"\n{self.say('box')}: {int(s.box)}", "not bold")

    def fates(self, width: int) -> Text:
        """This round's fate card, those that may come, those that are gone."""
        s = self.position.state
        left = fates_left(s)
        now = self.fate(int(s.fate)) if s.fate else self.say("waiting") if s.fate_waits else "–"
        text = Text.assemble(f"{self.say('fate')}: ", (now, "bold" if s.fate else ""))
        for key, names in (
            ("to_come", [self.fate(card) for card in left]),
            ("gone", [str(card) for card in range(1, FATES + 1) if card not in left]),
        ):
            for line in fill(f"{self.say(key)}:", names, width):
                text.append("\n").append(line)
        return text

    def fate(self, card: int) -> str:
        """A fate card by number and name."""
        return f"{card} {self.words.table['fate_short'][str(card)]}"


def fill(title: str, names: list[str], width: int) -> list[Text]:
    """A list as lines of at most so many columns that do not part a name."""
    lines = [Text(title)]
    for number, name in enumerate(names or ["–"], 1):
        word = f" {name}," if number < len(names) else f" {name}"
        if len(lines[-1]) + len(word) > width:
            lines.append(Text(" "))
        lines[-1].append(word, "dim")
    return lines
