"""Plain charts as SVG: distributions, and values with their intervals. Light or dark, as the reader prefers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from azalai.engine.svg import Drawing

WIDTH, HEIGHT = 400, 230  # so that a phone shows it nearly in full size
LEFT, RIGHT, TOP, BOTTOM = 44, 16, 34, 44
ROW = 32  # of a list
MARGIN = 24  # left and right of it
SMALL = 11


class Mark(NamedTuple):
    """A value with the ends of its interval, and what stands beside it."""

    name: str
    value: float
    low: float
    high: float
    note: str = ""


class Frame:
    """A drawing with two axes."""

    def __init__(
        self, title: str, across: tuple[float, float], up: tuple[float, float], labels: tuple[str, str], percent: bool = False
    ) -> None:
        self.drawing = Drawing(WIDTH, HEIGHT, title)
        self.across, self.up = across, up
        self.drawing.text(LEFT, 20, title, 13, bold=True, room=WIDTH - LEFT - RIGHT - 10 - 6 * len(labels[1]))
        for value in ticks(*up):
            y = self.y(value)
            self.drawing.path([(LEFT, y), (WIDTH - RIGHT, y)], "line", 0.5)
            self.drawing.text(LEFT - 6, y + 4, _percent(value) if percent else short(value), SMALL, "faint", "end")
        for value in ticks(*across):
            self.drawing.text(self.x(value), HEIGHT - BOTTOM + 16, short(value), SMALL, "faint", "middle")
        self.drawing.text(WIDTH - RIGHT, HEIGHT - 8, labels[0], SMALL, "faint", "end")
        self.drawing.text(WIDTH - RIGHT, 20, labels[1], SMALL, "faint", "end")

    def x(self, value: float) -> float:
        """Where a value lies across."""
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (value - self.across[0]) / (self.across[1] - self.across[0]), 1)

    def y(self, value: float) -> float:
        """Where a value lies upwards."""
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - self.up[0]) / (self.up[1] - self.up[0]), 1)


def shares_by(title: str, marks: Sequence[tuple[float, Mark]], across: str, up: str, even: float | None = None) -> str:
    """Shares that depend on a number, each with its interval; a line where all would be even."""
    values = [x for x, _ in marks]
    reach = (max(values) - min(values)) * 0.05 or 1
    frame = Frame(title, (min(values) - reach, max(values) + reach), (0, 1), (across, up), percent=True)
    if even is not None:
        frame.drawing.path([(LEFT, frame.y(even)), (WIDTH - RIGHT, frame.y(even))], "red", 1)
    frame.drawing.path([(frame.x(x), frame.y(mark.value)) for x, mark in marks], "line", 1)
    for x, mark in marks:
        frame.drawing.path([(frame.x(x), frame.y(mark.low)), (frame.x(x), frame.y(mark.high))], "blue", 1.5)
        frame.drawing.disc(frame.x(x), frame.y(mark.value), 3.5, "blue")
    return frame.drawing.svg()


def histogram(title: str, groups: Sequence[tuple[str, str, Mapping[float, int]]], step: float, across: str, up: str) -> str:
    """How often values come in steps of a size: for every group its name, its colour and how often each value came."""
    low = math.floor(min(min(counts) for _, _, counts in groups) / step) * step
    high = math.floor(max(max(counts) for _, _, counts in groups) / step) * step + step
    count = round((high - low) / step)
    parts = []
    for _, _, counts in groups:
        part, total = [0.0] * count, sum(counts.values())
        for value, often in counts.items():
            part[min(count - 1, int((value - low) / step))] += often / total
        parts.append(part)
    frame = Frame(title, (low, high), (0, max(map(max, parts)) * 1.05), (across, up), percent=True)
    wide = (frame.x(low + step) - frame.x(low)) / len(groups)
    for number, (part, (_, colour, _)) in enumerate(zip(parts, groups)):
        for place, share in enumerate(part):
            if share:
                x, y = frame.x(low + place * step) + number * wide, frame.y(share)
                frame.drawing.box(round(x, 1), y, round(max(1, wide - 1), 1), round(frame.y(0) - y, 1), colour, rounded=0)
    legend = WIDTH / 2
    for name, colour, _ in groups if len(groups) > 1 else ():
        frame.drawing.box(legend, HEIGHT - 17, 10, 10, colour, rounded=2)
        frame.drawing.text(legend - 5, HEIGHT - 8, name, SMALL, "faint", "end")
        legend -= 30 + 7 * len(name)
    return frame.drawing.svg()


def marks(title: str, rows: Sequence[Mark], even: float | None, label: str, percent: bool = True) -> str:
    """A list of values with their intervals, each under its name; a line where all would be even."""
    height = TOP + ROW * len(rows) + 38
    drawing = Drawing(WIDTH, height, title)
    drawing.text(8, 20, title, 13, bold=True, room=WIDTH - 16)
    ends = [value for row in rows for value in (row.low, row.high)] + ([] if even is None else [even])
    low, high = min(ends), max(ends)
    low, high = low - (high - low) * 0.04, high + (high - low) * 0.04 or low + 1

    def x(value: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * (value - low) / (high - low), 1)

    bottom = TOP + ROW * len(rows)
    for value in ticks(low, high, (WIDTH - 2 * MARGIN) // 45):
        drawing.path([(x(value), TOP - 4), (x(value), bottom)], "line", 0.5)
        drawing.text(x(value), bottom + 13, _percent(value) if percent else short(value), SMALL, "faint", "middle")
    if even is not None:
        drawing.path([(x(even), TOP - 4), (x(even), bottom)], "red", 1)
    drawing.text(WIDTH - 8, bottom + 30, label, SMALL, "faint", "end", room=WIDTH - 16)
    for number, row in enumerate(rows):
        y = TOP + ROW * number + 24
        note = 6.2 * len(row.note)
        drawing.text(8, y - 9, row.name, 12, room=WIDTH - 24 - note)
        drawing.text(WIDTH - 8, y - 9, row.note, SMALL, "faint", "end")
        drawing.path([(x(row.low), y), (x(row.high), y)], "blue", 1.5)
        drawing.disc(x(row.value), y, 3.5, "blue")
    return drawing.svg()


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """At most so many round numbers between two ends."""
    least = (high - low) / max(2, most)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= least)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def short(value: float) -> str:
    """A number on an axis."""
    if abs(value) >= 1e6:
        return f"{value / 1e6:g} M"
    if abs(value) >= 1e4:
        return f"{value / 1e3:g} k"
    return f"{round(value, 6):g}"


def _percent(value: float) -> str:
    return f"{round(100 * value, 3):g}%"
