"""Draws how trainings went: `python -m azalai.learn curves FILE … PICTURE`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

COLOURS = ("#263B73", "#B9733E", "#5E7F4E", "#8C3B2E", "#6A5D50")  # one training each
FACTS = {
    "entropy": "how undecided the policy is (entropy)",
    "error": "how wrong the chances are (cross-entropy)",
    "random": "wins against random moves",
    "shipped": "wins against the network shipped before",
}
COLUMNS = 2  # pictures side by side
WIDTH, HEIGHT, LEFT, TOP, GAP = 360, 220, 50, 50, 80

Curves = Mapping[str, Sequence[Mapping[str, Any]]]  # a training's name and its lines of figures


def main(arguments: Sequence[str]) -> None:
    """Draw the figures of trainings' files."""
    parser = argparse.ArgumentParser(prog="python -m azalai.learn curves", description=main.__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="where the trainings are kept; the last name is the picture's")
    *files, out = parser.parse_args(arguments).files
    out.write_text(picture({path.stem: read(path) for path in files}), encoding="utf-8")


def read(path: Path) -> list[dict[str, Any]]:
    """Return the lines of figures of a training's file."""
    history = torch.load(path, map_location="cpu", weights_only=True)["history"]
    return [line for line in history if "entropy" in line]


def picture(curves: Curves) -> str:
    """Draw figures of trainings over their decisions, as SVG; wins with the fewest seats."""
    points = {
        fact: {
            name: [(line["decisions"], _number(line[fact])) for line in lines if fact in line] for name, lines in curves.items()
        }
        for fact in FACTS
    }
    shown = [fact for fact in FACTS if any(points[fact].values())]
    most = max(line["decisions"] for lines in curves.values() for line in lines)
    rows, down = -(-len(shown) // COLUMNS), TOP + HEIGHT + 30
    width, height = LEFT + COLUMNS * (WIDTH + GAP) - GAP + 30, rows * down + 20 + 22 * len(curves)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#FBF4E6"/>',
    ]
    for number, fact in enumerate(shown):
        left, base = LEFT + number % COLUMNS * (WIDTH + GAP), TOP + number // COLUMNS * down
        top = max(y for line in points[fact].values() for _, y in line)
        parts.append(f'<text x="{left}" y="{base - 20}" font-size="15" fill="#2B2622">{FACTS[fact]}</text>')
        for tick in range(5):
            x, y = left + WIDTH * tick / 4, base + HEIGHT * (1 - tick / 4)
            parts.append(f'<path d="M{x} {base}v{HEIGHT}M{left} {y}h{WIDTH}" stroke="#E9D2A8" fill="none"/>')
            parts.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end" fill="#6A5D50">{top * tick / 4:.2f}</text>')
            parts.append(
                f'<text x="{x}" y="{base + HEIGHT + 18}" text-anchor="middle" fill="#6A5D50">{most * tick / 4e6:,.0f} M</text>'
            )
        for line, colour in zip(points[fact].values(), COLOURS, strict=False):
            drawn = " ".join(f"{left + WIDTH * x / most:.1f},{base + HEIGHT * (1 - y / top):.1f}" for x, y in line)
            parts.append(f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for number, (name, colour) in enumerate(zip(curves, COLOURS, strict=False)):
        y = rows * down + 16 + 22 * number
        parts.append(f'<path d="M{LEFT} {y}h28" stroke="{colour}" stroke-width="4"/>')
        parts.append(f'<text x="{LEFT + 38}" y="{y + 5}" fill="#2B2622">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _number(fact: float | dict[int, float]) -> float:
    """A figure, or that of the fewest seats where there is one for each number of seats."""
    return fact[min(fact)] if isinstance(fact, dict) else fact
