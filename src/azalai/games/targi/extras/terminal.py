"""A position as a picture for the terminal: the frame with the centre, the open tribe cards, and what each player owns."""

from __future__ import annotations

from typing import Any

from rich.box import HEAVY, ROUNDED, SQUARE, Box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azalai.engine.position import Position
from azalai.engine.words import Words

from ..components import (
    ACTION,
    BORDERS,
    CELLS,
    COLUMNS,
    COST,
    CROSSES,
    EFFECT,
    GOLD,
    GOODS_KIND,
    GOODS_PILE,
    NO_EFFECT,
    OR_GOLD,
    PRINTED,
    RAID,
    ROWS,
    SIDE,
    STORED_GOLD,
    SYMBOL,
    TRIBE_PILE,
)
from ..state import EFFECT_TEXT, GOODS_CARD, NOTHING, PLACE_NAME, STUFF, TRIBE_CARD
from .wording import counted

SEAT_STYLES = ("bold bright_blue", "bold bright_white")
TARGI, MARKER = "▲", "◆"  # filled for blue, open for white, so that they differ without colour, too
TARGI_WHITE, MARKER_WHITE = "△", "◇"
STUFF_STYLES = ("dark_orange3", "bright_white", "green3", "bright_yellow", "bright_cyan")
SYMBOL_STYLES = ("deep_sky_blue1", "dark_orange3", "green3", "magenta", "gold3")
WIDTH = 20  # of a card of the frame
SLOT_WIDTH = 12  # of a card in a display
AROUND = (15, 0, 1, 2, 3, 14, -1, -1, -1, 4, 13, -1, -1, -1, 5, 12, -1, -1, -1, 6, 11, 10, 9, 8, 7)  # the frame, row by row


def draw(position: Position, seat: int | None, words: Words) -> RenderableType:
    """The whole table, as `seat` may see it; `position` is concealed for that seat already."""
    s = position.state
    labels = words.table["terminal"]
    piles = words("terminal.deck", goods=int(s.left[GOODS_PILE]), tribe=int(s.left[TRIBE_PILE]))
    head = Text(f"{words.title} · {labels['round']} {int(s.round_no)} · {piles}", "bold")
    displays = Table.grid(padding=0)
    displays.add_row(*(_player(position, one, words) for one in range(2)))
    return Group(head, _frame(s, words), _centre_cards(s, words), displays)


# ---------------------------------------------------------------- the frame


def _frame(s: Any, words: Words) -> Table:
    grid = Table.grid(padding=0)
    cells = iter(range(CELLS))
    for row in range(SIDE + 2):
        places = AROUND[row * (SIDE + 2) : (row + 1) * (SIDE + 2)]
        grid.add_row(*(_border(s, place, words) if place >= 0 else _cell(s, next(cells), words) for place in places))
    return grid


def _card(title: Text, lines: list[Text], box: Box, style: str) -> Panel:
    content = Group(*(lines + [Text()] * 3)[:3])
    return Panel(content, box=box, title=title, title_align="left", border_style=style, width=WIDTH, height=5, padding=(0, 0))


def _border(s: Any, place: int, words: Words) -> Panel:
    label = PLACE_NAME.labels[place]
    raid = int(ACTION[place]) == RAID
    name = Text(words.name(PLACE_NAME, place).split(" (")[0], "bold red" if raid else "bold")
    pieces = [_piece(seat, (TARGI, TARGI_WHITE), words) for seat in range(2) if place in s.targi[seat].tolist()]
    if int(s.robber) == place:
        pieces.append(Text(f"✖ {words.table['terminal']['robber']}", "bold red"))
    lines = [name, Text(words.table["frame"].get(label, ""), no_wrap=True), Text(" ").join(pieces)]
    return _card(Text(str(place + 1)), lines, HEAVY if raid else SQUARE, "red" if raid else "yellow")


def _cell(s: Any, cell: int, words: Words) -> Panel:
    goods, tribe = int(s.centre[GOODS_PILE, cell]), int(s.centre[TRIBE_PILE, cell])
    labels = words.table["terminal"]
    title = Text(PLACE_NAME.labels[BORDERS + cell], "bold")
    style = "bright_black"
    if goods >= 0:
        lines = [Text(words.name(GOODS_CARD, int(GOODS_KIND[goods])), "bold")]
    elif tribe >= 0:
        lines = [_name(tribe, words), _price(tribe, words, short=True)]
        style = SYMBOL_STYLES[int(SYMBOL[tribe])]
    else:
        what = "goods_face_down" if goods != NOTHING else "tribe_face_down" if tribe != NOTHING else "bare"
        lines = [Text(labels[what], "bright_black")]
    lines += [_piece(seat, (MARKER, MARKER_WHITE), words) for seat in range(2) if cell in s.marker[seat].tolist()]
    return _card(title, lines, ROUNDED, style)


def _piece(seat: int, shapes: tuple[str, str], words: Words) -> Text:
    return Text(f"{shapes[seat]} {words.seat(seat)}", SEAT_STYLES[seat])


# ---------------------------------------------------------------- tribe cards


def _name(card: int, words: Words) -> Text:
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(words.name(TRIBE_CARD, card), SYMBOL_STYLES[int(SYMBOL[card])])
    return text.append(f" {'✚' * int(PRINTED[card])}", "bold")


def _price(card: int, words: Words, short: bool = False) -> Text:
    """What a card costs, as `2 salt 1 gold`; when short, by first letters."""
    labels = words.table["terminal"]
    text = Text(no_wrap=True)

    def add(stuff: int, count: int) -> None:
        name = counted(words, stuff, count)
        text.append(f"{count}{name[0].upper()} " if short else f"{count} {name} ", STUFF_STYLES[stuff])

    for stuff in range(GOLD + 1):
        if COST[card, stuff]:
            add(stuff, int(COST[card, stuff]))
    if OR_GOLD[card]:
        text.append("/ " if short else f"{labels['or']} ")
        add(GOLD, int(OR_GOLD[card]))
    if not text:
        text.append(labels["free"])
    text.rstrip()
    return text


def _centre_cards(s: Any, words: Words) -> RenderableType:
    """The open tribe cards one by one, with price and effect; then a card that is being drawn or played."""
    table = Table.grid(padding=(0, 1))
    for cell in range(CELLS):
        card = int(s.centre[TRIBE_PILE, cell])
        if card >= 0:
            table.add_row(Text(PLACE_NAME.labels[BORDERS + cell], "bold"), *_told(card, words))
    if int(s.card) >= 0:
        table.add_row(Text(words.table["terminal"]["in_play"], "bold"), *_told(int(s.card), words))
    return Panel(table, title=words.table["terminal"]["centre"], title_align="left", box=ROUNDED, border_style="bright_black",
                 width=5 * WIDTH, padding=(0, 1)) if table.row_count else Text()  # fmt: skip


def _told(card: int, words: Words) -> tuple[Text, Text, Text]:
    return _name(card, words), _price(card, words), Text(words.name(EFFECT_TEXT, card))


# ---------------------------------------------------------------- the players


def _player(position: Position, seat: int, words: Words) -> Panel:
    s = position.state
    labels = words.table["terminal"]
    stock = Text()
    for stuff in range(len(STUFF)):
        count = int(s.stock[seat, stuff])
        name = "✚" if stuff == CROSSES else counted(words, stuff, count)
        stock.append(f"{count} {name}  ", STUFF_STYLES[stuff])
    if int(s.stored[seat]):
        stock.append(f"+{int(s.stored[seat])} {words.name(STUFF, GOLD)} {labels['stored']}", STUFF_STYLES[GOLD])
    hand = Text(f"{labels['hand']}: ", "bold")
    card = int(s.hand[seat])
    if card >= 0:
        hand.append_text(_name(card, words)).append("  ").append_text(_price(card, words))
    else:
        hand.append(labels["hand_empty"] if card == NOTHING else labels["hand_hidden"])
    parts: list[RenderableType] = [stock, hand]
    if card >= 0 and EFFECT[card] != NO_EFFECT:
        parts.append(Text(f"  {words.name(EFFECT_TEXT, card)}", "italic"))
    parts += [_display(s, seat, words), *_effects(s, seat, words)]
    title = Text(
        f"{words.seat(seat)} · {words('terminal.points', n=position.scores[seat])}{' ☽' if int(s.start) == seat else ''}"
    )
    title.stylize(SEAT_STYLES[seat])
    width = COLUMNS * SLOT_WIDTH + 2
    return Panel(Group(*parts), title=title, title_align="left", border_style=SEAT_STYLES[seat], width=width, padding=(0, 0))


def _display(s: Any, seat: int, words: Words) -> Table:
    table = Table(box=SQUARE, show_header=False, padding=(0, 0), width=COLUMNS * SLOT_WIDTH, border_style="bright_black")
    for _ in range(COLUMNS):
        table.add_column(width=SLOT_WIDTH - 1, no_wrap=True)
    for row in range(ROWS):
        cards = [int(s.display[seat, row, column]) for column in range(COLUMNS)]
        table.add_row(*(_slot(card, words) for card in cards), end_section=True)
    return table


def _slot(card: int, words: Words) -> Text:
    if card < 0:
        return Text("·\n", "bright_black")
    symbol, _, label = words.name(TRIBE_CARD, card).rpartition(" ")
    text = Text(symbol.split(" (")[0].split()[-1] if symbol else label, SYMBOL_STYLES[int(SYMBOL[card])])
    return text.append(f"\n{label.rstrip(')')} ").append("✚" * int(PRINTED[card]), "bold")


def _effects(s: Any, seat: int, words: Words) -> list[Text]:
    """What the cards of a display do from now on or at the end, one line each."""
    lines = []
    for card in s.display[seat].ravel().tolist():
        if card >= 0 and NO_EFFECT < EFFECT[card] < STORED_GOLD:
            label = words.name(TRIBE_CARD, card).split(" ")[-1]
            lines.append(Text(f"{label} ", SYMBOL_STYLES[int(SYMBOL[card])]).append(words.name(EFFECT_TEXT, card), "default"))
    return lines
