"""A position in the terminal: the pens, the caravans, what the goods are worth, and the notes of whoever looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ..components import CAMELS, FREE, GOODS, GOODS_PAIR, LETTERS, PENS, ROUTE, STAGES, STALLS
from ..secrets import face_down
from ..state import GOOD, GOODS_CARD, OASIS, PEN, STALL_CARD, Phases

if TYPE_CHECKING:
    from rich.console import RenderableType

    from azalai.engine.position import Position
    from azalai.engine.words import Words

INK = "#2b2622"
PAINT = {"blue": "#0072b2", "red": "#c8442c", "green": "#1b8a5a", "yellow": "#e3b00e", "violet": "#8a5aa8"}
ON_PAINT = {"blue": "#ffffff", "red": "#ffffff", "green": "#ffffff", "yellow": INK, "violet": "#ffffff"}
EMBLEM = {"blue": "☾", "red": "☼", "green": "♣", "yellow": "★", "violet": "♦"}
GOOD_PAINT = ("#e3b00e", "#a8713a", "#c8442c", "#d8d2c4", "#3f9fd0")
PEN_PAINT = ("#1b8a5a", "#8a5aa8", "#e3b00e", "#c8442c", "#0072b2")  # the lamp's pen is purple; the others are ours

WIDE = 96  # columns for two parts beside each other


def draw(position: Position, seat: int | None, words: Words) -> RenderableType:
    """The picture of a position for `seat`, in 72 columns or more; None is a spectator."""
    return CaravanPicture(position, seat, words)


@dataclass
class CaravanPicture:
    """Lays itself out by the width there is."""

    position: Position
    seat: int | None
    words: Words

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        pairs: list[tuple[RenderableType, RenderableType]] = [(self.behind(), self.ahead()), (self.caravans(), self.values())]
        if self.notes["sets"]:
            pairs.append((self.thieves(), self.unseen()))
        yield self.route()
        for pair in pairs:
            if options.max_width >= WIDE:
                grid = Table.grid(padding=(0, 1, 0, 0))
                grid.add_row(*pair)
                yield grid
            else:
                yield Group(*pair)

    @property
    def s(self) -> Any:
        """The record."""
        return self.position.state

    @property
    def notes(self) -> dict[str, Any]:
        """What the viewer knows."""
        found: dict[str, Any] = self.position.view(self.seat)["notes"]
        return found

    @property
    def camels(self) -> int:
        """Camels of each player."""
        return int(CAMELS[self.position.seats])

    def say(self, key: str, **values: object) -> str:
        """A word of the picture itself."""
        return self.words(f"terminal.{key}", **values)

    def chip(self, seat: int, text: str = "") -> Text:
        """A player's emblem and perhaps a camel's letter, on the player's colour."""
        colour = self.words.seat_labels[seat]
        return Text(f"{EMBLEM[colour]}{text}", Style(color=ON_PAINT[colour], bgcolor=PAINT[colour], bold=True))

    def player(self, seat: int) -> Text:
        """A player's emblem and name."""
        return Text.assemble(self.chip(seat), " ", self.words.seat(seat))

    def good(self, good: int, text: str | None = None) -> Text:
        """A good by its name, or a shorter text, in its colour."""
        return Text(self.words.name(GOOD, good) if text is None else text, GOOD_PAINT[good])

    def initial(self, good: int) -> str:
        """The first letter of a good's name; no two are alike."""
        return self.words.name(GOOD, good)[0].upper()

    # ------------------------------------------------------------ the way

    def route(self) -> RenderableType:
        """The oases up to Timbuktu; then stage, round and stones."""
        s, seats = self.s, self.position.seats
        line = Text(f" {self.say('start')} ", "reverse" if s.phase <= Phases.PLACING else "dim")
        for stage in range(STAGES[seats]):
            here = stage == s.stage and s.phase >= Phases.CHOOSING
            line.append(" ▸ ", "dim")
            line.append(f" {self.words.name(OASIS, int(ROUTE[seats, stage]))} ", "reverse bold" if here else "dim")
        if s.phase < Phases.CHOOSING:
            return line
        stones = Text.assemble(
            f"{self.say('stage', n=s.stage + 1, all=STAGES[seats])}, {self.say('round', n=s.round_no + 1, all=self.camels)}",
            f"   {self.say('stage_stone')} ",
            self.player(int(s.stage_stone)),
            f"   {self.say('round_stone')} ",
            self.player(int(s.round_stone)),
        )
        return Group(line, stones)

    def behind(self) -> Table:
        """The pens that camels leave from, and where the arrows lead."""
        s = self.s
        placing = s.phase <= Phases.PLACING
        name = self.say("start") if placing or s.stage == 0 else self.oasis(int(s.stage) - 1)
        table = _table(name, self.say("arrows"))
        self.add_pens(table)
        standing = self.standing(moved=placing)
        for stall in range(STALLS):
            table.add_row(*(self.camel(standing.get(pen * STALLS + stall)) for pen in range(PENS)))
        table.add_section()
        short = [self.words.name(PEN, pen)[:3] for pen in range(PENS)]
        table.add_row(*(Text("\n".join(f"→ {short[to]}" for to in range(PENS) if FREE[pen, to]), "dim") for pen in range(PENS)))
        return table

    def ahead(self) -> Table:
        """The pens that camels go to, with exchange fields and the chance of thieves."""
        known = self.notes
        table = _table(self.oasis(int(self.s.stage)), self.say("legend"))
        table.add_column("", style="dim")
        self.add_pens(table)
        standing = {} if self.s.phase <= Phases.PLACING else self.standing(moved=True)
        for stall in range(STALLS):
            cells = []
            for pen in range(PENS):
                chance = known["visited"][pen][stall]
                cell = Text.assemble(
                    self.camel(standing.get(pen * STALLS + stall)),
                    ("⇄" if [pen, stall] in known["exchange"] else " ", "bold"),
                    (f"{chance:4.0%}", "bold red" if chance == 1 else "green" if chance == 0 else "dim"),
                )
                cells.append(cell)
            table.add_row(str(stall + 1), *cells)
        table.add_section()
        table.add_row("", *(self.loot(pen) for pen in range(PENS)))
        return table

    def loot(self, pen: int) -> Text:
        """The goods that thieves are known to take in a pen, by their first letters."""
        cards = [one["goods"] for one in self.notes["sets"] if one["pen"] == pen]
        goods = [self.good(int(good), self.initial(int(good))) for card in cards for good in GOODS_PAIR[card]]
        return Text("+").join(goods) if goods else Text("?", "dim")

    def oasis(self, stage: int) -> str:
        """The name of the oasis that a stage leads to."""
        return self.words.name(OASIS, int(ROUTE[self.position.seats, stage]))

    def add_pens(self, table: Table) -> None:
        """A column for every pen."""
        for pen in range(PENS):
            table.add_column(Text(self.words.name(PEN, pen), PEN_PAINT[pen]), justify="center")

    def standing(self, moved: bool) -> dict[int, tuple[int, int]]:
        """Seat and camel by place: of the camels that have moved in this stage, or of those that have not."""
        places = {}
        for seat in range(self.position.seats):
            for camel in range(self.camels):
                place = int(self.s.place[seat, camel])
                if place >= 0 and bool(self.s.used[seat] >> camel & 1) == moved:
                    places[place] = (seat, camel)
        return places

    def camel(self, who: tuple[int, int] | None) -> Text:
        """A camel in a stall, or an empty one."""
        return Text("· ", "dim") if who is None else self.chip(who[0], LETTERS[who[1]])

    # ------------------------------------------------------------ the caravans

    def caravans(self) -> Table:
        """Every camel's load, a sign before those that have moved, and the cards played in this round."""
        s = self.s
        table = _table(self.say("caravans"), self.say("moved") if s.phase >= Phases.CHOOSING else "")
        table.add_column("", style="dim")
        for seat in range(self.position.seats):
            asked = " ◂" if seat in self.position.pending else ""
            table.add_column(Text.assemble(self.chip(seat), f" {self.words.seat(seat)}{asked}"), min_width=7)
        for camel in range(self.camels):
            table.add_row(LETTERS[camel], *(self.load(seat, camel) for seat in range(self.position.seats)))
        if s.phase >= Phases.CHOOSING:
            table.add_section()
            table.add_row(self.say("card"), *(self.card(seat) for seat in range(self.position.seats)))
        return table

    def load(self, seat: int, camel: int) -> Text:
        """A camel's goods by their first letters."""
        s = self.s
        if s.phase == Phases.LOADING and seat != self.seat:
            return Text("  ????", "dim")
        line = Text("✓ " if s.phase >= Phases.CHOOSING and s.used[seat] >> camel & 1 else "  ", "dim")
        for good in range(GOODS):
            line.append_text(self.good(good, self.initial(good) * int(s.load[seat, camel, good])))
        return line

    def card(self, seat: int) -> Text:
        """The camel card that lies before a seat."""
        s = self.s
        if s.choice[seat] >= 0:
            return Text(f"  {LETTERS[s.choice[seat]]}", "bold")
        return Text("  ▒" if face_down(s, seat) else "  –", "dim")

    def values(self) -> Table:
        """What a good of each kind is worth now, and how many everybody has."""
        table = _table(self.say("goods"), "")
        table.add_column("")
        table.add_column(self.say("value"), justify="right", style="bold")
        for seat in range(self.position.seats):
            table.add_column(self.chip(seat), justify="right")
        for good in range(GOODS):
            hidden = [self.s.phase == Phases.LOADING and seat != self.seat for seat in range(self.position.seats)]
            kept = ["?" if hidden[seat] else str(int(self.s.kept[seat, good])) for seat in range(self.position.seats)]
            table.add_row(self.good(good), str(int(self.s.lost[good])), *kept)
        table.add_section()
        table.add_row(self.say("points"), "", *map(str, self.position.scores), style="bold")
        return table

    # ------------------------------------------------------------ the thieves

    def thieves(self) -> Table:
        """The five sets along the ring, as far as the viewer knows them."""
        table = _table(self.say("thieves"), "")
        for key in ("holder", "seen_by", "pen", "stalls", "loot"):
            table.add_column(self.say(key))
        for one in self.notes["sets"]:
            holder = Text(self.say("nobody"), "dim") if one["holder"] is None else self.player(one["holder"])
            seen = Text(" ").join([self.chip(seat) for seat in one["seen_by"]])
            cards = ("?", "?", "?") if one["pen"] is None else self.cards(one["pen"], one["stalls"], one["goods"])
            table.add_row(holder, seen, *cards)
        return table

    def unseen(self) -> RenderableType:
        """The cards that the viewer has not seen, in any order."""
        left = self.notes["left"]
        if not left["pens"]:
            return ""
        table = _table(self.say("left"), self.say("plans", n=self.notes["plans"]))
        for key in ("pen", "stalls", "loot"):
            table.add_column(self.say(key))
        for cards in zip(*left.values(), strict=True):
            table.add_row(*self.cards(*cards))
        return table

    def cards(self, pen: int, stalls: int, goods: int) -> tuple[RenderableType, ...]:
        """A pen card, a stall card and a goods card."""
        return Text(self.words.name(PEN, pen), PEN_PAINT[pen]), STALL_CARD.label(stalls), self.words.name(GOODS_CARD, goods)


def _table(title: str, caption: str) -> Table:
    return Table(
        title=title,
        caption=caption or None,
        title_style="bold",
        caption_style="dim",
        title_justify="left",
        caption_justify="left",
        box=box.ROUNDED,
        border_style="dim",
        header_style="",
        padding=(0, 1, 0, 0),
    )
