"""The table as a picture for the terminal: stacks and market, then every seat's camp with its animals."""

from __future__ import annotations

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azalai.engine.position import Position
from azalai.engine.words import Words

from ..components import ANIMALS, DINAR, FULL_LOAD, KINDS, LAST_STAGE, POINTS, PRICE, SEAT_LABELS, SPECIALS, THIEF
from ..rules_animals import has_animal
from ..rules_stage import goods_of
from ..state import ANIMAL_NAMES, GOOD_NAMES, NOTHING, SPECIAL_NAMES, State

WIDTH = 98
CELL = 8
GOOD_STYLES = ("black on cyan", "black on yellow", "black on white", "black on green")
SEAT_STYLES = dict(zip(SEAT_LABELS, ("blue", "red", "green", "yellow", "magenta")))


def draw(position: Position, seat: int | None, words: Words) -> RenderableType:
    """The position as `seat` may see it; None is a spectator."""
    s = position.state
    camps = [camp(position, one, seat, words) for one in range(position.seats)]
    return Group(headline(s, words), for_sale(s, words), market(position, words), *camps)


def headline(s: State, words: Words) -> Text:
    """Stage, deck, last round, discard pile."""
    say = words.table["terminal"]
    line = Text(f"{say['stage']} {int(s.stage)} {say['of']} {LAST_STAGE}", "bold")
    line.append(f"  ·  {say['deck']} {int(s.deck_size)}", "default")
    if s.deck_size == 0 and s.turns_left < s.seats and not s.over:  # it begins after the turn that has emptied the deck
        line.append(f"  ·  {say['last_round']}", "bold red")
    discarded = [f"{int(s.discard[good])} {words.name(GOOD_NAMES, good)}" for good in range(KINDS) if s.discard[good]]
    if discarded:
        line.append(f"  ·  {say['discard']} {', '.join(discarded)}", "dim")
    return line


def for_sale(s: State, words: Words) -> Text:
    """The stacks of special cards."""
    say = words.table["terminal"]
    line = Text(f"{say['stacks']} {PRICE} {say['dinar']}", "dim")
    for special in range(len(SPECIALS)):
        left = int(s.stack[special])
        name = words.name(SPECIAL_NAMES, special)
        line.append(f"  ·  {name} × {left}" if left else f"  ·  {name} {say['sold_out']}", "default" if left else "dim strike")
    return line


def market(position: Position, words: Words) -> Table:
    """The market by kind, and who has how many goods of it to show."""
    s = position.state
    say = words.table["terminal"]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column(say["dinar"], justify="right")
    table.add_column(say["points"], justify="right")
    table.add_column(say["market"], min_width=24)
    for seat in range(position.seats):
        table.add_column(Text(words.seat(seat), seat_style(words, seat)), justify="right")
    for good in range(KINDS):
        shown = [int(goods_of(s, seat, good)) for seat in range(position.seats)]
        leads = [number == max(shown) > 0 for number in shown]
        table.add_row(
            cell(good, words),
            str(DINAR[good]),
            str(POINTS[good]),
            Text("■ " * int(s.market[good]), GOOD_STYLES[good].split()[-1]).append(str(int(s.market[good])), "default"),
            *(Text(f"{number}*", "bold") if lead else Text(f"{number} ", "dim") for number, lead in zip(shown, leads)),
        )
    return table


def camp(position: Position, seat: int, viewer: int | None, words: Words) -> Panel:
    """One seat's animals with their loads, the top good uppermost, and beside them hand and special cards."""
    s = position.state
    say = words.table["terminal"]
    row = Table.grid(padding=(0, 2))
    row.add_column(width=WIDTH - 40)
    row.add_column(width=34)
    row.add_row(caravan(s, seat, words), belongings(position, seat, viewer, words))
    title = Text(f" {words.seat(seat)}", f"bold {seat_style(words, seat)}")
    if seat == viewer:
        title.append(f" ({say['you']})", "default")
    standing = "" if s.over else f" ({say['now']})"
    title.append(f" · {words('terminal.score', n=position.scores[seat])}{standing} ", "default")
    border = "dim"
    if seat in position.pending:
        title, border = Text(" ▶", "bold") + title, seat_style(words, seat)
    return Panel(row, title=title, title_align="left", width=WIDTH, box=ROUNDED, border_style=border)


def caravan(s: State, seat: int, words: Words) -> Table:
    """The animals side by side, each with four places for goods, bottom to top."""
    grid = Table.grid(padding=(0, 1))
    present = [animal for animal in range(ANIMALS) if has_animal(s, seat, animal)]
    for _ in present:
        grid.add_column(width=CELL)
    for place in reversed(range(FULL_LOAD)):
        loads = (int(s.load[seat, animal, place]) for animal in present)
        grid.add_row(*(Text("·".center(CELL), "dim") if good == NOTHING else cell(good, words) for good in loads))
    grid.add_row(*(Text(words.name(ANIMAL_NAMES, animal).center(CELL), "bold") for animal in present))
    return grid


def belongings(position: Position, seat: int, viewer: int | None, words: Words) -> Group:
    """Hand, caves, thieves and maps of a seat."""
    s = position.state
    say = words.table["terminal"]
    hand = Text(f"{say['hand']}: ")
    size = int(s.hand_size[seat])
    if sum(int(s.hand[seat, good]) for good in range(KINDS)) == size > 0:
        hand.append(goods_line([(good, int(s.hand[seat, good])) for good in range(KINDS)], words))
    else:
        hand.append(words("terminal.cards", n=size) if size else "–")
    lines = [hand]
    if any(s.caves[seat]):
        lines.append(caves(s, seat, words))
    lines += thieves(s, seat, words)
    if s.maps[seat]:
        lines.append(Text(f"{say['maps']}: {int(s.maps[seat])}"))
    return Group(*lines)


def caves(s: State, seat: int, words: Words) -> Text:
    """A seat's caves: what is known to lie in them, question marks for the rest."""
    say = words.table["terminal"]
    parts = [(good, int(s.cave_goods[seat, good] + s.cave_seen[seat, good])) for good in range(KINDS)]
    unknown = int(s.caves[seat, 1] + 2 * s.caves[seat, 2]) - sum(number for _, number in parts)
    found = [goods_line(parts, words)] if any(number for _, number in parts) else []
    found += [Text("?", "bold")] * unknown
    if s.caves[seat, 0]:
        found.append(Text(f"{int(s.caves[seat, 0])} × {say['empty']}", "dim"))
    return Text(f"{say['caves']}: ").append(Text(" ").join(found))


def thieves(s: State, seat: int, words: Words) -> list[Text]:
    """A seat's thieves: those that wait, and those that have stolen."""
    say = words.table["terminal"]
    lines = []
    if s.thieves[seat]:
        lines.append(Text(f"{say['thieves']}: {int(s.thieves[seat])} × {say['ready']}"))
    for loot in range(int(s.loot_count)):
        if s.loot_owner[loot] == seat:
            line = Text(f"{words.name(SPECIAL_NAMES, THIEF)}: ")
            good = int(s.loot_good[loot])
            line.append(Text("?", "bold") if good == NOTHING else goods_line([(good, 1)], words))
            line.append(f" ({say['stolen_from']} {words.seat(int(s.loot_victim[loot]))})", "dim")
            lines.append(line)
    return lines


def goods_line(parts: list[tuple[int, int]], words: Words) -> Text:
    """Goods in a row, as many as there are of each."""
    tiles = [Text(words.name(GOOD_NAMES, good), GOOD_STYLES[good]) for good, number in parts for _ in range(number)]
    return Text(" ").join(tiles)


def cell(good: int, words: Words) -> Text:
    """A good as a coloured tile with its name."""
    return Text(words.name(GOOD_NAMES, good).center(CELL), GOOD_STYLES[good])


def seat_style(words: Words, seat: int) -> str:
    """The colour of a seat."""
    return SEAT_STYLES[words.seat_labels[seat]]
